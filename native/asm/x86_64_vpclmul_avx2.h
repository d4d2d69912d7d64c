/* GHASH with vpclmulqdq in 256-bit registers: the arithmetic that the kernels of aes-gcm and ghash share.
 *
 * The representation is that of x86_64_pclmul.h: bytes reversed, powers of H multiplied by x, products summed
 * unreduced, reduction by two multiplies. A register holds two blocks, its table entry the two powers that go with
 * them; the lanes are added after the reduction. Three multiplies a register (Karatsuba). Of two registers the lower
 * halves are brought into one and the upper halves into another, so that one xor makes both middle factors: with a
 * shuffle and an xor for each register, Zen 4 takes a tenth longer. Groups of sixteen blocks take turns with H^32 ...
 * H^17 and H^16 ... H^1, and only the second kind reduces.
 *
 * A table of powers is 1024 bytes, aligned to 32: H^32 ... H^1, then for each of these the xor of its halves in both
 * halves.
 *
 * Registers: ymm8 low, ymm9 middle, ymm10 high sum; y, reduced, is in xmm15, the upper lane zero; ymm11 the block;
 * ymm12, ymm15 scratch. r11 the power for the next block, rdx that of H^16.
 */
#ifndef KP_ASM_X86_64_VPCLMUL_AVX2_H
#define KP_ASM_X86_64_VPCLMUL_AVX2_H

/* What the macros read from memory; a file that uses them puts it once into .rodata. */
.macro kp_vpclmul_constants
.p2align 5
.Lreverse_bytes:
.byte 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
.byte 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
.Lpolynomial:
.quad 0xc200000000000000, 0xc200000000000000, 0xc200000000000000, 0xc200000000000000
.Lpolynomial_and_one:
.quad 1, 0xc200000000000000
/* 16 bytes from .Lshift + 16 - n move a register n bytes up under vpshufb, from + 16 + n down, with zeros. */
.Lshift:
.byte 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128
.byte 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
.byte 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128
.endm

.macro kp_vpclmul_clear
vpxor xmm8, xmm8, xmm8
vpxor xmm9, xmm9, xmm9
vpxor xmm10, xmm10, xmm10
.endm

/* The sums += xmm11 or ymm11 (x says which) times the power or powers at `power`. */
.macro kp_vpclmul_add x, power:vararg
vpclmulqdq \x\()12, \x\()11, [\power], 0x00
vpxor ymm8, ymm8, ymm12
vpclmulqdq \x\()12, \x\()11, [\power], 0x11
vpxor ymm10, ymm10, ymm12
vpshufd \x\()12, \x\()11, 0x4e
vpxor \x\()11, \x\()11, \x\()12
vpclmulqdq \x\()11, \x\()11, [\power + 512], 0x00
vpxor ymm9, ymm9, ymm11
.endm

/* The sums += four blocks at `data`, and y if `first` is, times the powers from r11 + offset; in eight parts, 0 to 7,
 * for AES to come between. */
.macro kp_vpclmul_four_part part, first, offset, data:vararg
.if \part == 0
vmovdqu ymm11, [\data]
vmovdqu ymm12, [\data + 32]
vpshufb ymm11, ymm11, [rip + .Lreverse_bytes]
vpshufb ymm12, ymm12, [rip + .Lreverse_bytes]
.if \first
vpxor ymm11, ymm11, ymm15
.endif
.elseif \part == 1
vpunpcklqdq ymm15, ymm11, ymm12
vpunpckhqdq ymm11, ymm11, ymm12
.elseif \part == 2
vpclmulqdq ymm12, ymm15, [r11 + \offset], 0x00
vpxor ymm8, ymm8, ymm12
.elseif \part == 3
vpclmulqdq ymm12, ymm15, [r11 + \offset + 32], 0x01
vpxor ymm15, ymm15, ymm11
vpxor ymm8, ymm8, ymm12
.elseif \part == 4
vpclmulqdq ymm12, ymm11, [r11 + \offset], 0x10
vpclmulqdq ymm11, ymm11, [r11 + \offset + 32], 0x11
.elseif \part == 5
vpxor ymm12, ymm12, ymm11
vpxor ymm10, ymm10, ymm12
.elseif \part == 6
vpclmulqdq ymm12, ymm15, [r11 + \offset + 512], 0x00
vpclmulqdq ymm15, ymm15, [r11 + \offset + 544], 0x01
.else
vpxor ymm12, ymm12, ymm15
vpxor ymm9, ymm9, ymm12
.endif
.endm

/* The same in one piece. */
.macro kp_vpclmul_four first, offset, data:vararg
.irp part, 0, 1, 2, 3, 4, 5, 6, 7
kp_vpclmul_four_part \part, \first, \offset, \data
.endr
.endm

/* x10 = the sums, each lane reduced, in registers of the kind x (xmm or ymm). */
.macro kp_vpclmul_reduce_lanes x
vpclmulqdq \x\()11, \x\()8, [rip + .Lpolynomial], 0x00
vpxor \x\()9, \x\()9, \x\()8
vpshufd \x\()8, \x\()8, 0x4e
vpxor \x\()9, \x\()9, \x\()10
vpxor \x\()8, \x\()8, \x\()11
vpxor \x\()9, \x\()9, \x\()8
vpclmulqdq \x\()11, \x\()9, [rip + .Lpolynomial], 0x00
vpshufd \x\()9, \x\()9, 0x4e
vpxor \x\()10, \x\()10, \x\()9
vpxor \x\()10, \x\()10, \x\()11
.endm

/* y = the sums, reduced. */
.macro kp_vpclmul_reduce
kp_vpclmul_reduce_lanes ymm
vextracti128 xmm11, ymm10, 1
vpxor xmm15, xmm10, xmm11
.endm

/* Before `length` / 256 groups: the powers for the first, such that the last one reduces. Changes rax. */
.macro kp_vpclmul_first_group length, table:vararg
lea rdx, [\table + 256]
mov rax, \length
not rax
and eax, 256
mov r11, rdx
sub r11, rax
kp_vpclmul_clear
.endm

/* After a group: reduce, or go on to the lower powers. */
.macro kp_vpclmul_next_group name
cmp r11, rdx
jne .Llower_\name
kp_vpclmul_reduce
kp_vpclmul_clear
sub r11, 256
.Lnext_\name:
.endm

/* The other half of it, to be put out of the way. */
.macro kp_vpclmul_lower_powers name
.Llower_\name:
vpxor xmm15, xmm15, xmm15
mov r11, rdx
jmp .Lnext_\name
.endm

/* x10 = a * b, each lane; `middle` is the xor of the halves of b. Changes x8, x9, x11. */
.macro kp_vpclmul_times x, a, b, middle
vpshufd \x\()9, \a, 0x4e
vpclmulqdq \x\()8, \a, \b, 0x00
vpxor \x\()9, \x\()9, \a
vpclmulqdq \x\()10, \a, \b, 0x11
vpclmulqdq \x\()9, \x\()9, \middle, 0x00
kp_vpclmul_reduce_lanes \x
.endm

/* Two powers, in `powers`, and the xor of their halves to a place in the table. Changes ymm1. */
.macro kp_vpclmul_store_powers powers, place:vararg
vpshufd ymm1, \powers, 0x4e
vmovdqa [\place], \powers
vpxor ymm1, ymm1, \powers
vmovdqa [\place + 512], ymm1
.endm

/* Fills the table of powers from H, its bytes as the cipher wrote them, in xmm0. Changes eax, rcx, ymm1-ymm3,
 * ymm8-ymm11. */
.macro kp_vpclmul_powers table:vararg
vpshufb xmm0, xmm0, [rip + .Lreverse_bytes]
vpsrlq xmm1, xmm0, 63
vpshufd xmm2, xmm0, 0xff
vpaddq xmm0, xmm0, xmm0
vpsrad xmm2, xmm2, 31
vpslldq xmm1, xmm1, 8
vpand xmm2, xmm2, [rip + .Lpolynomial_and_one]
vpor xmm0, xmm0, xmm1
vpxor xmm0, xmm0, xmm2
vpshufd xmm3, xmm0, 0x4e
vpxor xmm3, xmm3, xmm0
kp_vpclmul_times xmm, xmm0, xmm0, xmm3
vinserti128 ymm0, ymm10, xmm0, 1
kp_vpclmul_store_powers ymm0, \table + 480
/* From the powers up to 2n those up to 4n: times H^2n. */
.irp n, 1, 2, 4, 8
vbroadcasti128 ymm2, [\table + 512 - 32 * \n]
lea rcx, [\table + 480]
vpshufd ymm3, ymm2, 0x4e
vpxor ymm3, ymm3, ymm2
mov eax, \n
.Lpowers_\n :
vmovdqa ymm0, [rcx]
kp_vpclmul_times ymm, ymm0, ymm2, ymm3
kp_vpclmul_store_powers ymm10, rcx - 32 * \n
sub rcx, 32
dec eax
jnz .Lpowers_\n
.endr
.endm

/* y takes in the r9 bytes at rcx, a last part of a block filled up with zeros. Changes rax, rdx, rcx, r9, r11.
 * `symbol` begins the names of the marks round the loop. */
.macro kp_vpclmul_hash symbol, table:vararg
cmp r9, 256
jb .Lhash_rest
kp_vpclmul_first_group r9, \table
.p2align 5
kp_mark \symbol\()_loop_begin
.Lhash_group:
kp_vpclmul_four 1, 0, rcx
kp_vpclmul_four 0, 64, rcx + 64
kp_vpclmul_four 0, 128, rcx + 128
kp_vpclmul_four 0, 192, rcx + 192
kp_vpclmul_next_group hash
add rcx, 256
sub r9, 256
cmp r9, 256
jae .Lhash_group
kp_mark \symbol\()_loop_end
.Lhash_rest:
test r9, r9
jz .Lhash_done
kp_vpclmul_power_for_rest 0, \table
kp_vpclmul_clear
sub r9, 32
jb .Lhash_part
.Lhash_blocks:
vmovdqu ymm11, [rcx]
vpshufb ymm11, ymm11, [rip + .Lreverse_bytes]
vpxor ymm11, ymm11, ymm15
vpxor xmm15, xmm15, xmm15
kp_vpclmul_add ymm, r11
add rcx, 32
add r11, 32
sub r9, 32
jae .Lhash_blocks
.Lhash_part:
add r9, 32
jz .Lhash_reduce
kp_load_partial_32 rcx, r9
vpshufb ymm11, ymm11, [rip + .Lreverse_bytes]
vpxor ymm11, ymm11, ymm15
kp_vpclmul_add ymm, r11
.Lhash_reduce:
kp_vpclmul_reduce
.Lhash_done:
.endm

/* What goes after a kp_vpclmul_hash, out of its way. */
.macro kp_vpclmul_hash_aside
kp_vpclmul_lower_powers hash
.endm

/* r11 = the power for the first of `blocks` blocks more than hold the r9 bytes left. */
.macro kp_vpclmul_power_for_rest blocks, table:vararg
lea r11, [r9 + 15 + 16 * \blocks]
and r11, -16
neg r11
lea r11, [\table + r11 + 512]
.endm

/* xmm11 = the `length` (1 to 15, a 64-bit register) bytes at `data`, then zeros. Reads nothing else.
 * Changes rax, rdx and xmm12. */
.macro kp_load_partial_16 data, length
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
vmovd xmm11, eax
jmp .Lloaded_\@
.Lload_4_\@:
lea rdx, [rip + .Lshift]
vmovd xmm11, dword ptr [\data + \length - 4]
sub rdx, \length
vpshufb xmm11, xmm11, [rdx + 20]
vmovd xmm12, dword ptr [\data]
jmp .Lload_join_\@
.Lload_8_\@:
lea rdx, [rip + .Lshift]
vmovq xmm11, qword ptr [\data + \length - 8]
sub rdx, \length
vpshufb xmm11, xmm11, [rdx + 24]
vmovq xmm12, qword ptr [\data]
.Lload_join_\@:
vpor xmm11, xmm11, xmm12
.Lloaded_\@:
.endm

/* The same for 1 to 31 bytes, into ymm11. */
.macro kp_load_partial_32 data, length
cmp \length, 16
jae .Lload_16_\@
kp_load_partial_16 \data, \length
jmp .Lloaded_32_\@
.Lload_16_\@:
lea rdx, [rip + .Lshift + 48]
vmovdqu xmm12, [\data + \length - 16]
sub rdx, \length
vmovdqu xmm11, [\data]
vpshufb xmm12, xmm12, [rdx]
vinserti128 ymm11, ymm11, xmm12, 1
.Lloaded_32_\@:
.endm

/* The first `length` (1 to 15) bytes of `register` to `data`. Changes rax, rdx and the register. */
.macro kp_store_partial_16 data, length, register
cmp \length, 8
jae .Lstore_8_\@
cmp \length, 4
jae .Lstore_4_\@
vmovd eax, \register
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
lea rdx, [rip + .Lshift]
vmovd dword ptr [\data], \register
vpshufb \register, \register, [rdx + \length + 12]
vmovd dword ptr [\data + \length - 4], \register
jmp .Lstored_\@
.Lstore_8_\@:
lea rdx, [rip + .Lshift]
vmovq qword ptr [\data], \register
vpshufb \register, \register, [rdx + \length + 8]
vmovq qword ptr [\data + \length - 8], \register
.Lstored_\@:
.endm

/* The same for 1 to 31 bytes of ymm0. Changes xmm12 too. */
.macro kp_store_partial_32 data, length
cmp \length, 16
jae .Lstore_16_\@
kp_store_partial_16 \data, \length, xmm0
jmp .Lstored_32_\@
.Lstore_16_\@:
lea rdx, [rip + .Lshift]
vextracti128 xmm12, ymm0, 1
vmovdqu [\data], xmm0
vpshufb xmm12, xmm12, [rdx + \length - 16]
vpshufb xmm0, xmm0, [rdx + \length]
vpor xmm12, xmm12, xmm0
vmovdqu [\data + \length - 16], xmm12
.Lstored_32_\@:
.endm

#endif
