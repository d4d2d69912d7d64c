/* AES-GCM (NIST SP 800-38D) in 512-bit registers: the body of the kernels vaes-avx512 and vaes-avx512-karatsuba, which
 * say how GHASH multiplies. KERNEL is what their symbols begin with.
 *
 * Groups of thirty-two blocks, four a register: the states go through rounds 2 to 9 while thirty-two blocks of
 * ciphertext (when encrypting those of the group before, when decrypting those of the same group) are multiplied
 * between the rounds and reduced once. What is left, 0 to 511 bytes, goes with E(J0) and the block of lengths through
 * one pass of AES and one reduction, its last register under a mask: a short message consists of nothing else. The
 * arithmetic of GHASH is in x86_64_vpclmul_avx512.h.
 *
 * The first round is cached (Park and Lee, "FACE: Fast AES CTR mode Encryption Techniques based on the Reuse of
 * Repetitive Data", TCHES 2018): the last counter byte reaches one column of round 1, so that the state after it is C
 * xor D[last byte], where C changes once in 256 blocks and D depends on the key alone. One xor replaces the counter's
 * add, its byte swap, the whitening and a round: nine AES instructions a register are left of ten, thirteen of
 * fourteen. In a group that crosses a multiple of 256 the blocks after it take in the difference of the two C.
 *
 * Registers between the local functions:
 *   rdi prepared   rsi counter block (its first twelve bytes)   r10d counter of the next block, as a number
 *   rcx in   r8 out   r9 length left   xmm15 y, byte-reversed   zmm0-zmm7 states   zmm8-zmm12, zmm15-zmm22 GHASH
 *   zmm13 round key   zmm14 C   r11 power of H   k1 a part of a register   rax, rdx scratch
 *
 * Layout of `prepared`: round keys at 0, number of rounds at 240, table of powers at 256, D at 1408 (4096 bytes and the
 * first 48 again).
 */
#ifndef KP_ASM_X86_64_VAES_AVX512_H
#define KP_ASM_X86_64_VAES_AVX512_H

#include "x86_64.h"
#include "x86_64_aes.h"
#include "x86_64_vpclmul_avx512.h"

#define POWERS 256
#define FIRST_ROUND 1408

.section .rodata
kp_vpclmul_constants
kp_aes_constants
.p2align 6
.Lnumbers:
.irp number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
.long \number, 0, 0, 0
.endr
/* From here + 16 n: all zeros but from block 32 - n on. */
.Lfrom_block:
.zero 512
.fill 512, 1, 255
.Lkeep_12:
.long -1, -1, -1, 0
.Lkeep_15:
.byte 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0
.Llast_bytes:
.irp number, 0, 1, 2, 3
.quad 0, \number << 56
.endr
.Llast_byte_4:
.quad 0, 4 << 56
.text

.macro entry name
kp_function KERNEL\()_\name
.endm

.macro entry_end name
kp_end KERNEL\()_\name
.endm

.macro entry_mark name
kp_mark KERNEL\()_\name
.endm

/* States through the round whose key is at `offset`, and xmm14 with them. Changes zmm13. */
.macro one_round offset, states:vararg
vbroadcasti32x4 zmm13, [rdi + \offset]
.irp state, \states
vaesenc \state, \state, zmm13
.endr
vaesenc xmm14, xmm14, xmm13
.endm

/* Whitened states, and xmm14, through all rounds. Changes eax, zmm13. */
.macro all_rounds states:vararg
.irp offset, 16, 32, 48, 64, 80, 96, 112, 128, 144
one_round \offset, \states
.endr
mov eax, [rdi + KP_AES_ROUNDS]
cmp eax, 12
jb .Llast_\@
one_round 160, \states
one_round 176, \states
je .Llast_\@
one_round 192, \states
one_round 208, \states
.Llast_\@:
shl eax, 4
vbroadcasti32x4 zmm13, [rdi + rax]
.irp state, \states
vaesenclast \state, \state, zmm13
.endr
vaesenclast xmm14, xmm14, xmm13
.endm

entry prepare
kp_aes_expand_key
/* D[c] = the part of the state after round 1 that comes from last byte c, less that of a last byte of 0 after
 * whitening, which C has. */
vmovdqa xmm0, [rip + .Lkeep_15]
vpandn xmm0, xmm0, [rdi]
vpxor xmm7, xmm7, xmm7
vaesenc xmm7, xmm7, xmm7
vshufi64x2 zmm0, zmm0, zmm0, 0
vshufi64x2 zmm7, zmm7, zmm7, 0
vbroadcasti32x4 zmm6, [rip + .Llast_byte_4]
vpxorq zmm0, zmm0, [rip + .Llast_bytes]
vpxor xmm4, xmm4, xmm4
lea rax, [rdi + FIRST_ROUND]
lea rdx, [rdi + FIRST_ROUND + 4096]
.Lfirst_round_next:
vpxorq zmm1, zmm4, zmm0
vpaddb zmm4, zmm4, zmm6
vpxorq zmm2, zmm4, zmm0
vpaddb zmm4, zmm4, zmm6
vaesenc zmm1, zmm1, zmm7
vaesenc zmm2, zmm2, zmm7
vmovdqa64 [rax], zmm1
vmovdqa64 [rax + 64], zmm2
sub rax, -128
cmp rax, rdx
jb .Lfirst_round_next
vmovdqa64 zmm1, [rdi + FIRST_ROUND]
vmovdqa64 [rax], zmm1
/* H = AES(0), and from it the powers. */
vpxor xmm14, xmm14, xmm14
vmovdqa xmm0, [rdi]
all_rounds zmm0
kp_vpclmul_powers rdi + POWERS
vzeroupper
ret
entry_end prepare

/* y takes in the r9 bytes at rcx. */
kp_local_function .Lhash
kp_vpclmul_hash KERNEL, hash, rdi+POWERS
ret
kp_end .Lhash

/* zmm14 = the block for r10d, byte-reversed, in all lanes; zmm13 = the first round key. */
.macro reversed_counter
vmovdqu xmm14, [rsi]
vpand xmm14, xmm14, [rip + .Lkeep_12]
vpshufb xmm14, xmm14, xmm20
vmovd xmm13, r10d
vpor xmm14, xmm14, xmm13
vshufi64x2 zmm14, zmm14, zmm14, 0
vbroadcasti32x4 zmm13, [rdi]
.endm

/* A whitened state for four blocks, from what reversed_counter left. */
.macro counter_blocks number
vpaddd zmm\number, zmm14, [rip + .Lnumbers + 64 * \number]
vpshufb zmm\number, zmm\number, zmm20
vpxorq zmm\number, zmm\number, zmm13
.endm

/* zmm\register = C for the counter r10d. Changes eax, xmm13. */
.macro first_round_constant register
mov eax, r10d
xor al, al
bswap eax
vmovd xmm13, eax
vpslldq xmm13, xmm13, 12
vmovdqu xmm\register, [rsi]
vpand xmm\register, xmm\register, [rip + .Lkeep_12]
vpor xmm\register, xmm\register, xmm13
vpxor xmm\register, xmm\register, [rdi]
vpand xmm\register, xmm\register, [rip + .Lkeep_15]
vaesenc xmm\register, xmm\register, [rdi + 16]
vshufi64x2 zmm\register, zmm\register, zmm\register, 0
.endm

/* zmm0-zmm7 = the states of the thirty-two blocks from r10d after round 1; r10d counts on. */
.macro first_round name
movzx eax, r10b
cmp eax, 223
ja .Lcross_\name
shl eax, 4
lea rax, [rdi + rax + FIRST_ROUND]
add r10d, 32
.irp number, 0, 1, 2, 3, 4, 5, 6, 7
vpxorq zmm\number, zmm14, [rax + 64 * \number]
.endr
.Lcrossed_\name:
.endm

/* The same where the group crosses, or ends at, a multiple of 256; to be put out of the way. A register that begins
 * beyond the end of D begins at the front again. */
.macro first_round_crossing name
.Lcross_\name:
add r10d, 32
shl eax, 4
lea r11, [rdi + FIRST_ROUND + 4096]
lea rdx, [rdi + rax + FIRST_ROUND]
.irp number, 0, 1, 2, 3, 4, 5, 6, 7
lea rax, [rdx - 4096]
cmp rdx, r11
cmovae rdx, rax
vpxorq zmm\number, zmm14, [rdx]
add rdx, 64
.endr
vmovdqa64 zmm12, zmm14
first_round_constant 14
movzx eax, r10b
shl eax, 4
lea rdx, [rip + .Lfrom_block]
add rdx, rax
vpxorq zmm12, zmm12, zmm14
.irp number, 0, 1, 2, 3, 4, 5, 6, 7
vpternlogq zmm\number, zmm12, [rdx + 64 * \number], 0x78
.endr
jmp .Lcrossed_\name
.endm

/* One round of the eight states. */
.macro round_of_eight offset
vbroadcasti32x4 zmm13, [rdi + \offset]
.irp number, 0, 1, 2, 3, 4, 5, 6, 7
vaesenc zmm\number, zmm\number, zmm13
.endr
.endm

/* Rounds 10 to 13, as many as the key has; zmm13 = the last round key. */
.macro more_rounds_of_eight
mov eax, [rdi + KP_AES_ROUNDS]
cmp eax, 12
jb .Lenough_\@
round_of_eight 160
round_of_eight 176
je .Lenough_\@
round_of_eight 192
round_of_eight 208
.Lenough_\@:
shl eax, 4
vbroadcasti32x4 zmm13, [rdi + rax]
.endm

/* The last round and the text; in and out advance. */
.macro last_round_and_text
.irp number, 0, 1, 2, 3, 4, 5, 6, 7
vpxorq zmm11, zmm13, [rcx + 64 * \number]
vaesenclast zmm\number, zmm\number, zmm11
.endr
.irp number, 0, 1, 2, 3, 4, 5, 6, 7
vmovdqu64 [r8 + 64 * \number], zmm\number
.endr
add rcx, 512
add r8, 512
.endm

/* Rounds 2 to 9 with the GHASH of the thirty-two blocks at `data` between them. */
.macro rounds_and_hash data:vararg
round_of_eight 32
kp_vpclmul_eight_begin 1, rdi+POWERS+64, \data
round_of_eight 48
kp_vpclmul_eight_end 1, rdi+POWERS+64, \data
round_of_eight 64
kp_vpclmul_eight_begin 0, rdi+POWERS+192, \data + 128
round_of_eight 80
kp_vpclmul_eight_end 0, rdi+POWERS+192, \data + 128
round_of_eight 96
kp_vpclmul_eight_begin 0, rdi+POWERS+320, \data + 256
round_of_eight 112
kp_vpclmul_eight_end 0, rdi+POWERS+320, \data + 256
round_of_eight 128
kp_vpclmul_eight_begin 0, rdi+POWERS+448, \data + 384
round_of_eight 144
kp_vpclmul_eight_end 0, rdi+POWERS+448, \data + 384
kp_vpclmul_reduce
.endm

/* Whole groups of thirty-two blocks, at least one; r9 keeps what is left. */
kp_local_function .Lencrypt_groups
first_round_constant 14
first_round encrypt_first
.irp number, 2, 3, 4, 5, 6, 7, 8, 9
round_of_eight 16*\number
.endr
more_rounds_of_eight
last_round_and_text
sub r9, 1024
jb .Lencrypt_last
.p2align 5
entry_mark encrypt_loop_begin
.Lencrypt_group:
first_round encrypt_next
rounds_and_hash r8 - 512
more_rounds_of_eight
last_round_and_text
sub r9, 512
jae .Lencrypt_group
entry_mark encrypt_loop_end
.Lencrypt_last:
add r9, 512
kp_vpclmul_thirty_two rdi+POWERS, r8 - 512
ret
first_round_crossing encrypt_first
first_round_crossing encrypt_next
kp_end .Lencrypt_groups

kp_local_function .Ldecrypt_groups
first_round_constant 14
sub r9, 512
.p2align 5
entry_mark decrypt_loop_begin
.Ldecrypt_group:
first_round decrypt
rounds_and_hash rcx
more_rounds_of_eight
last_round_and_text
sub r9, 512
jae .Ldecrypt_group
entry_mark decrypt_loop_end
add r9, 512
ret
first_round_crossing decrypt
kp_end .Ldecrypt_groups

/* The last 0 to 511 bytes, at rcx, and in the same pass of AES the block at rsi, which ends up in xmm14. The caller has
 * set the sums, xmm15 to what is added to the first block (y, or zero where the sums have it), and r11 to the power for
 * that block. Leaves the sums unreduced and xmm15 for a block that follows. */
.macro rest name
reversed_counter
lea eax, [r9 + 15]
shr eax, 4
add r10d, eax
counter_blocks 0
counter_blocks 1
cmp r9d, 128
ja .Lrest_more_\name
vpxor xmm14, xmm13, [rsi]
all_rounds zmm0, zmm1
jmp .Lrest_enciphered_\name
.Lrest_more_\name:
counter_blocks 2
counter_blocks 3
cmp r9d, 256
ja .Lrest_many_\name
vpxor xmm14, xmm13, [rsi]
all_rounds zmm0, zmm1, zmm2, zmm3
jmp .Lrest_enciphered_\name
.Lrest_many_\name:
counter_blocks 4
counter_blocks 5
cmp r9d, 384
ja .Lrest_most_\name
vpxor xmm14, xmm13, [rsi]
all_rounds zmm0, zmm1, zmm2, zmm3, zmm4, zmm5
jmp .Lrest_enciphered_\name
.Lrest_most_\name:
counter_blocks 6
counter_blocks 7
vpxor xmm14, xmm13, [rsi]
all_rounds zmm0, zmm1, zmm2, zmm3, zmm4, zmm5, zmm6, zmm7
.Lrest_enciphered_\name:
sub r9, 64
jb .Lrest_part_\name
.Lrest_blocks_\name:
.ifc \name, encrypt
vpxorq zmm11, zmm0, [rcx]
vmovdqu64 [r8], zmm11
.else
vmovdqu64 zmm11, [rcx]
vpxorq zmm0, zmm0, zmm11
vmovdqu64 [r8], zmm0
.endif
kp_vpclmul_add_rest
vmovdqa64 zmm0, zmm1
vmovdqa64 zmm1, zmm2
vmovdqa64 zmm2, zmm3
vmovdqa64 zmm3, zmm4
vmovdqa64 zmm4, zmm5
vmovdqa64 zmm5, zmm6
vmovdqa64 zmm6, zmm7
add rcx, 64
add r8, 64
sub r9, 64
jae .Lrest_blocks_\name
.Lrest_part_\name:
add r9, 64
jz .Lrest_done_\name
kp_vpclmul_mask r9
vmovdqu8 zmm11{k1}{z}, [rcx]
vpxorq zmm0, zmm0, zmm11
vmovdqu8 [r8]{k1}, zmm0
.ifc \name, encrypt
vmovdqu8 zmm11{k1}{z}, zmm0
.endif
kp_vpclmul_add_rest
.Lrest_done_\name:
ret
.endm

kp_local_function .Lencrypt_rest
rest encrypt
kp_end .Lencrypt_rest

kp_local_function .Ldecrypt_rest
rest decrypt
kp_end .Ldecrypt_rest

entry hash
kp_vpclmul_load_constants
vmovdqu xmm15, [rsi]
mov r9, rcx
mov rcx, rdx
vpshufb xmm15, xmm15, xmm20
call .Lhash
vpshufb xmm15, xmm15, xmm20
vmovdqu [rsi], xmm15
vzeroupper
ret
entry_end hash

.macro stream name
entry \name
kp_push rbx
mov rbx, rdx
kp_vpclmul_load_constants
mov r10d, [rsi + 12]
bswap r10d
vmovdqu xmm15, [rdx]
vpshufb xmm15, xmm15, xmm20
cmp r9, 512
jb .Lstream_rest_\name
call .L\name\()_groups
.Lstream_rest_\name:
test r9, r9
jz .Lstream_done_\name
kp_vpclmul_clear
kp_vpclmul_power_for_rest 0, rdi + POWERS
call .L\name\()_rest
kp_vpclmul_reduce
.Lstream_done_\name:
vpshufb xmm15, xmm15, xmm20
vmovdqu [rbx], xmm15
bswap r10d
mov [rsi + 12], r10d
vzeroupper
kp_pop rbx
ret
entry_end \name
.endm

stream encrypt
stream decrypt

/* rbx length of the AAD, rbp out until r8 is free for it; two arguments are on the stack. */
.macro message name, direction
entry \name\()_message
kp_push rbx
kp_push rbp
kp_vpclmul_load_constants
mov rbx, rcx
mov rcx, rdx
mov rbp, r9
mov r9, [rsp + 24]
mov r10d, [rsi + 12]
bswap r10d
inc r10d
vpxor xmm15, xmm15, xmm15
cmp rbx, 16
ja .Lmessage_long_\name
cmp r9, 512
jae .Lmessage_long_\name
/* One group: the block of AAD, the text and the lengths. */
kp_vpclmul_clear
kp_vpclmul_power_for_rest 1, rdi + POWERS
test rbx, rbx
jz .Lmessage_rest_\name
kp_vpclmul_mask rbx
vmovdqu8 xmm11{k1}{z}, [rcx]
vpshufb xmm11, xmm11, xmm20
kp_vpclmul_add xmm, r11 - 16
.Lmessage_rest_\name:
mov rcx, r8
mov r8, rbp
jmp .Lmessage_last_\name
.Lmessage_long_\name:
mov r9, rbx
call .Lhash
mov rcx, r8
mov r8, rbp
mov r9, [rsp + 24]
cmp r9, 512
jb .Lmessage_short_text_\name
call .L\direction\()_groups
.Lmessage_short_text_\name:
kp_vpclmul_clear
kp_vpclmul_power_for_rest 1, rdi + POWERS
.Lmessage_last_\name:
call .L\direction\()_rest
mov rax, [rsp + 24]
shl rax, 3
shl rbx, 3
vmovq xmm11, rax
vmovq xmm12, rbx
vpunpcklqdq xmm11, xmm11, xmm12
vpxor xmm11, xmm11, xmm15
kp_vpclmul_add xmm, rdi + POWERS + 560
kp_vpclmul_reduce
vpshufb xmm15, xmm15, xmm20
vpxor xmm15, xmm15, xmm14
mov rax, [rsp + 32]
vmovdqu [rax], xmm15
vzeroupper
kp_pop rbp
kp_pop rbx
ret
entry_end \name\()_message
.endm

message seal, encrypt
message open, decrypt

#endif
