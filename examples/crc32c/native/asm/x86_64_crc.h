/* CRC-32C on x86-64: vectors folded by carry-less products while the crc32 instruction takes words elsewhere.
 *
 * The two use different ports, so together they take what each takes alone. A chunk is n turns: first n times
 * CRC_VECTOR_BYTES for the four vector sums, then three streams of n times 8 CRC_STREAM_WORDS bytes for crc32. What is
 * left of the sums and of the streams moves on to the end of the chunk by products with powers of x, which are looked up
 * in a table by n. A short chunk takes what is left of the data but for less than a turn, which goes word by word.
 *
 * A kernel defines CRC_VECTOR_BYTES, CRC_STREAM_WORDS (1 to 4) and the macros
 *   crc_vector_begin        sums 0 to 3 = the first CRC_VECTOR_BYTES at rsi, eax added to the first of them
 *   crc_vector_fold number  the sum moves on by CRC_VECTOR_BYTES and takes in a quarter of those at rsi
 *   crc_vector_end          xmm3 = the four sums as one block of 16 bytes, and wider registers are clean
 * which may change xmm0 to xmm7, and then uses crc_update once.
 *
 * Registers: eax, r10, r11 checksums of the streams; rsi vectors; rcx the first stream; r8 length of a stream; r9 end of
 * the vectors; rdx length left; rdi the table of powers and scratch.
 */
#ifndef CRC_ASM_X86_64_CRC_H
#define CRC_ASM_X86_64_CRC_H

/* eax = the checksum so far, moved on over the rdx bytes at rsi, one stream. Changes rsi, rdx, flags. */
.macro crc_rest
sub rdx, 8
jb .Lbytes
.Lwords:
crc32 rax, qword ptr [rsi]
add rsi, 8
sub rdx, 8
jae .Lwords
.Lbytes:
test dl, 4
jz 1f
crc32 eax, dword ptr [rsi]
add rsi, 4
1:
test dl, 2
jz 2f
crc32 eax, word ptr [rsi]
add rsi, 2
2:
test dl, 1
jz 3f
crc32 eax, byte ptr [rsi]
3:
.endm

#ifdef CRC_VECTOR_BYTES

#include "powers.h"

#define CRC_STREAM_BYTES (8 * CRC_STREAM_WORDS)
#define CRC_TURN_BYTES (CRC_VECTOR_BYTES + 3 * CRC_STREAM_BYTES)
/* The vectors move on over three streams: that far the table of powers must reach. */
#define CRC_MOST_TURNS (CRC_WORD_SHIFTS / (3 * CRC_STREAM_WORDS))
/* Division of fewer than 2^14 by CRC_TURN_BYTES. */
#define CRC_RECIPROCAL ((1 << 20) / CRC_TURN_BYTES + 1)

/* The powers that move the two words of a block on. */
.macro crc_load_powers register, words
movq \register, [rdi + 4 * (\words) - 4]
pshufd \register, \register, 0xc9
.endm

/* xmm3 += a block, moved on by so many words. Changes the block, xmm4, xmm5. */
.macro crc_add_moved number, words
crc_load_powers xmm5, \words
movdqa xmm4, xmm\number
pclmulqdq xmm\number, xmm5, 0x00
pclmulqdq xmm4, xmm5, 0x11
pxor xmm\number, xmm4
pxor xmm3, xmm\number
.endm

/* The register = a checksum times the power at `power`, in the lower word. Changes xmm4. */
.macro crc_product register, checksum, power:vararg
movd \register, \checksum
movd xmm4, \power
pclmulqdq \register, xmm4, 0x00
.endm

/* One word of each stream. */
.macro crc_stream_word number
crc32 rax, qword ptr [rcx + 8 * \number]
crc32 r10, qword ptr [rcx + r8 + 8 * \number]
crc32 r11, qword ptr [rcx + 2 * r8 + 8 * \number]
.endm

.macro crc_update name
.section .rodata
.p2align 6
.Lpowers:
crc_word_shifts
.text
kp_function \name
mov eax, edi
not eax
lea rdi, [rip + .Lpowers]
cmp rdx, CRC_TURN_BYTES
jb .Lrest
.p2align 5
.Lchunk:
mov ecx, CRC_MOST_TURNS
cmp rdx, CRC_MOST_TURNS * CRC_TURN_BYTES
jae .Lturns_known
imul ecx, edx, CRC_RECIPROCAL
shr ecx, 20
.Lturns_known:
imul r8d, ecx, CRC_TURN_BYTES
sub rdx, r8
imul r8d, ecx, CRC_STREAM_BYTES
imul ecx, ecx, CRC_VECTOR_BYTES
add rcx, rsi
mov r9, rcx
crc_vector_begin
xor eax, eax
xor r10d, r10d
xor r11d, r11d
.set crc_number, 0
.rept CRC_STREAM_WORDS
crc_stream_word crc_number
.set crc_number, crc_number + 1
.endr
add rcx, CRC_STREAM_BYTES
add rsi, CRC_VECTOR_BYTES
cmp rsi, r9
je .Ljoin
.p2align 5
kp_mark \name\()_loop_begin
.Lturn:
.irp number, 0, 1, 2, 3
crc_vector_fold \number
.if \number < CRC_STREAM_WORDS
crc_stream_word \number
.endif
.endr
add rcx, CRC_STREAM_BYTES
add rsi, CRC_VECTOR_BYTES
cmp rsi, r9
jne .Lturn
kp_mark \name\()_loop_end
.Ljoin:
lea rsi, [rcx + 2 * r8]
shr r8d, 1
crc_vector_end
/* The streams and the block move on to the end: by one, two and three times r8 bytes, which was halved as a power is
 * half as long as a word. */
crc_product xmm1, eax, [rdi + 2 * r8 - 4]
crc_product xmm2, r10d, [rdi + r8 - 4]
movq rcx, xmm3
punpckhqdq xmm3, xmm3
xor eax, eax
crc32 rax, rcx
movq rcx, xmm3
crc32 rax, rcx
lea rcx, [r8 + 2 * r8]
crc_product xmm0, eax, [rdi + rcx - 4]
pxor xmm1, xmm2
pxor xmm0, xmm1
movq rcx, xmm0
xor eax, eax
crc32 rax, rcx
xor eax, r11d
cmp rdx, CRC_TURN_BYTES
jae .Lchunk
.Lrest:
crc_rest
not eax
ret
kp_end \name
.endm

#endif

#endif
