/* GHASH with pclmulqdq in 128-bit registers: the arithmetic that the kernels of aes-gcm and ghash share.
 *
 * A block is kept byte-reversed, so that bit i of the field element is bit 127 - i of the register. A product of
 * two such registers comes out one place too low; the powers of H are kept multiplied by x to make up for it
 * (Gueron and Kounavis, "Intel Carry-Less Multiplication Instruction and its Usage for Computing the GCM Mode").
 * Products are summed unreduced, three multiplies each (Karatsuba), and reduced once a group by two multiplies
 * with the upper half of the polynomial, 0xc2 << 56.
 *
 * A table of powers is 512 bytes, aligned to 16: H^16 ... H^1, then for each of these the xor of its halves in both
 * halves. "At power n" is an address of table + 256 - 16 n. Only the powers 1 to 10 are filled in.
 *
 * Registers: xmm8 low, xmm9 middle, xmm10 high sum; y, reduced, is in xmm10; xmm11 the block; xmm12, xmm15 scratch.
 */
#ifndef KP_ASM_X86_64_PCLMUL_H
#define KP_ASM_X86_64_PCLMUL_H

/* What the macros read from memory; a file that uses them puts it once into .rodata. */
.macro kp_pclmul_constants
.p2align 4
.Lreverse_bytes:
.byte 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
.Lpolynomial:
.quad 0xc200000000000000, 0xc200000000000000
.Lpolynomial_and_one:
.quad 1, 0xc200000000000000
/* 16 bytes from .Lshift + 16 - n move a register n bytes up under pshufb, from + 16 + n down, with zeros. */
.Lshift:
.byte 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128
.byte 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
.byte 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128
.endm

/* The sums = xmm11 * the power at `power`. */
.macro kp_pclmul_first power:vararg
pshufd xmm9, xmm11, 0x4e
movdqa xmm8, xmm11
pxor xmm9, xmm11
movdqa xmm10, xmm11
pclmulqdq xmm8, [\power], 0x00
pclmulqdq xmm9, [\power + 256], 0x00
pclmulqdq xmm10, [\power], 0x11
.endm

/* The sums += xmm11 * the power at `power`. */
.macro kp_pclmul_add power:vararg
pshufd xmm12, xmm11, 0x4e
movdqa xmm15, xmm11
pxor xmm12, xmm11
pclmulqdq xmm15, [\power], 0x00
pclmulqdq xmm11, [\power], 0x11
pclmulqdq xmm12, [\power + 256], 0x00
pxor xmm8, xmm15
pxor xmm10, xmm11
pxor xmm9, xmm12
.endm

/* y = the sums, reduced. */
.macro kp_pclmul_reduce
movdqa xmm12, [rip + .Lpolynomial]
movdqa xmm11, xmm12
pclmulqdq xmm11, xmm8, 0x00
pxor xmm9, xmm8
pshufd xmm8, xmm8, 0x4e
pxor xmm9, xmm10
pxor xmm8, xmm11
pxor xmm9, xmm8
pclmulqdq xmm12, xmm9, 0x00
pshufd xmm9, xmm9, 0x4e
pxor xmm10, xmm9
pxor xmm10, xmm12
.endm

/* y takes in eight blocks at `data`; `table` is where the table of powers begins. */
.macro kp_pclmul_eight data, table
movdqu xmm11, [\data]
pshufb xmm11, [rip + .Lreverse_bytes]
pxor xmm11, xmm10
kp_pclmul_first \table + 128
.irp offset, 16, 32, 48, 64, 80, 96, 112
movdqu xmm11, [\data + \offset]
pshufb xmm11, [rip + .Lreverse_bytes]
kp_pclmul_add \table + 128 + \offset
.endr
kp_pclmul_reduce
.endm

/* Fills the table of powers from H, its bytes as the cipher wrote them, in xmm0. */
.macro kp_pclmul_powers table
pshufb xmm0, [rip + .Lreverse_bytes]
movdqa xmm1, xmm0
pshufd xmm2, xmm0, 0xff
psrlq xmm1, 63
psrad xmm2, 31
paddq xmm0, xmm0
pslldq xmm1, 8
pand xmm2, [rip + .Lpolynomial_and_one]
por xmm0, xmm1
pxor xmm0, xmm2
movdqa [\table + 240], xmm0
pshufd xmm1, xmm0, 0x4e
pxor xmm1, xmm0
movdqa [\table + 496], xmm1
kp_pclmul_power \table, 2, 1, 1
kp_pclmul_power \table, 3, 2, 1
kp_pclmul_power \table, 4, 2, 2
kp_pclmul_power \table, 5, 4, 1
kp_pclmul_power \table, 6, 4, 2
kp_pclmul_power \table, 7, 4, 3
kp_pclmul_power \table, 8, 4, 4
kp_pclmul_power \table, 9, 8, 1
kp_pclmul_power \table, 10, 8, 2
.endm

.macro kp_pclmul_power table, power, left, right
movdqa xmm11, [\table + 256 - 16 * \left]
kp_pclmul_first \table + 256 - 16 * \right
kp_pclmul_reduce
pshufd xmm11, xmm10, 0x4e
movdqa [\table + 256 - 16 * \power], xmm10
pxor xmm11, xmm10
movdqa [\table + 512 - 16 * \power], xmm11
.endm

/* xmm11 = the `length` (1 to 15, a 64-bit register) bytes at `data`, then zeros. Reads nothing else.
 * Changes rax, rdx and xmm12. */
.macro kp_pclmul_load_partial data, length
lea rdx, [rip + .Lshift]
cmp \length, 8
jae .Lload_8_\@
cmp \length, 4
jae .Lload_4_\@
movzx eax, byte ptr [\data]
cmp \length, 2
jb .Lload_bytes_\@
movzx edx, byte ptr [\data + 1]
shl edx, 8
or eax, edx
cmp \length, 2
je .Lload_bytes_\@
movzx edx, byte ptr [\data + 2]
shl edx, 16
or eax, edx
.Lload_bytes_\@:
movd xmm11, eax
jmp .Lloaded_\@
.Lload_4_\@:
movd xmm11, dword ptr [\data + \length - 4]
sub rdx, \length
movdqu xmm12, [rdx + 20]
pshufb xmm11, xmm12
movd xmm12, dword ptr [\data]
jmp .Lload_join_\@
.Lload_8_\@:
movq xmm11, qword ptr [\data + \length - 8]
sub rdx, \length
movdqu xmm12, [rdx + 24]
pshufb xmm11, xmm12
movq xmm12, qword ptr [\data]
.Lload_join_\@:
por xmm11, xmm12
.Lloaded_\@:
.endm

/* The first `length` (1 to 15) bytes of `register` to `data`. Changes rax, rdx, xmm12 and the register. */
.macro kp_pclmul_store_partial data, length, register
cmp \length, 8
jae .Lstore_8_\@
cmp \length, 4
jae .Lstore_4_\@
movd eax, \register
mov byte ptr [\data], al
cmp \length, 2
jb .Lstored_\@
shr eax, 8
mov byte ptr [\data + 1], al
cmp \length, 2
je .Lstored_\@
shr eax, 8
mov byte ptr [\data + 2], al
jmp .Lstored_\@
.Lstore_4_\@:
movd dword ptr [\data], \register
lea rdx, [rip + .Lshift]
movdqu xmm12, [rdx + \length + 12]
pshufb \register, xmm12
movd dword ptr [\data + \length - 4], \register
jmp .Lstored_\@
.Lstore_8_\@:
movq qword ptr [\data], \register
lea rdx, [rip + .Lshift]
movdqu xmm12, [rdx + \length + 8]
pshufb \register, xmm12
movq qword ptr [\data + \length - 8], \register
.Lstored_\@:
.endm

/* y takes in the r9 bytes at rcx, a last part of a block filled up with zeros. Changes rax, rdx, rcx, r9, r11 and
 * xmm14. `symbol` begins the names of the marks round the loop. */
.macro kp_pclmul_hash table, symbol
sub r9, 128
jb .Lhash_rest
.p2align 5
kp_mark \symbol\()_loop_begin
.Lhash_group:
kp_pclmul_eight rcx, \table
sub rcx, -128
sub r9, 128
jae .Lhash_group
kp_mark \symbol\()_loop_end
.Lhash_rest:
add r9, 128
jz .Lhash_done
movdqa xmm14, xmm10
lea r11, [r9 + 15]
and r11, -16
neg r11
lea r11, [\table + r11 + 256]
pxor xmm8, xmm8
pxor xmm9, xmm9
pxor xmm10, xmm10
sub r9, 16
jb .Lhash_part
.Lhash_block:
movdqu xmm11, [rcx]
pshufb xmm11, [rip + .Lreverse_bytes]
pxor xmm11, xmm14
pxor xmm14, xmm14
kp_pclmul_add r11
add rcx, 16
add r11, 16
sub r9, 16
jae .Lhash_block
.Lhash_part:
add r9, 16
jz .Lhash_reduce
kp_pclmul_load_partial rcx, r9
pshufb xmm11, [rip + .Lreverse_bytes]
pxor xmm11, xmm14
kp_pclmul_add r11
.Lhash_reduce:
kp_pclmul_reduce
.Lhash_done:
.endm

#endif
