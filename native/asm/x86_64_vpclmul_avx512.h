/* GHASH with vpclmulqdq in 512-bit registers: the arithmetic that the kernels of aes-gcm and ghash share.
 *
 * Where text is enciphered besides, and for what is left of a group, the representation is that of x86_64_pclmul.h:
 * bytes reversed, powers of H multiplied by x, products summed unreduced, reduction by two multiplies. A register holds
 * four blocks, its table entry the four powers that go with them; lanes are added after the reduction. Four multiplies
 * a register (schoolbook): on Intel's processors a shuffle takes the place of a multiply, so that Karatsuba gains
 * nothing.
 *
 * Where GHASH is alone, that port is the limit, and a byte swap is a shuffle. So each byte's bits are reversed instead,
 * by gf2p8affineqb, which another port does: then bit i of the register is the coefficient of x^i, products need no
 * factor and x^128 is x^7 + x^2 + x + 1. The four lanes are hashed as four messages that take turns, by powers of H^4,
 * and joined once at the end. Sixteen registers a reduction: 68 multiplies and shuffles, where four multiplies a
 * register are 64.
 *
 * A table of powers is 896 bytes, aligned to 64: H^36 ... H^1; then, each coefficient in its place, H^64, H^60 ... H^4,
 * and H^4, H^3, H^2, H^1.
 *
 * Registers: zmm8 low, zmm9 middle, zmm10 high sum; y, reduced, is in xmm15, the upper lanes zero; zmm11 the block;
 * zmm12 its powers; zmm16-zmm19 products; zmm20 bytes reversed; zmm21 the polynomial. r11 the power for the next block.
 */
#ifndef KP_ASM_X86_64_VPCLMUL_AVX512_H
#define KP_ASM_X86_64_VPCLMUL_AVX512_H

#define KP_VPCLMUL_NATURAL 576
#define KP_VPCLMUL_JOIN 832
#define KP_VPCLMUL_MIDDLE 576

#define KP_XOR_THREE 0x96

/* What the macros read from memory; a file that uses them puts it once into .rodata. */
.macro kp_vpclmul_constants
.p2align 4
.Lreverse_bytes:
.byte 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
.Lpolynomial:
.quad 0xc200000000000000, 0xc200000000000000
.Lpolynomial_and_one:
.quad 1, 0xc200000000000000
.Lreverse_bits:
.quad 0x8040201008040201
.Lnatural_polynomial:
.quad 0x87
.endm

.macro kp_vpclmul_load_constants
vbroadcasti32x4 zmm20, [rip + .Lreverse_bytes]
vbroadcasti32x4 zmm21, [rip + .Lpolynomial]
.endm

.macro kp_vpclmul_clear
vpxor xmm8, xmm8, xmm8
vpxor xmm9, xmm9, xmm9
vpxor xmm10, xmm10, xmm10
.endm

#ifndef KP_VPCLMUL_KARATSUBA

/* The sums = zmm11 times zmm12, then more of that; or the sums += zmm11 times zmm12. A begin and an end take turns. */
.macro kp_vpclmul_first_begin
vpclmulqdq zmm16, zmm11, zmm12, 0x00
vpclmulqdq zmm17, zmm11, zmm12, 0x11
vpclmulqdq zmm18, zmm11, zmm12, 0x01
vpclmulqdq zmm19, zmm11, zmm12, 0x10
vpxorq zmm9, zmm18, zmm19
.endm

.macro kp_vpclmul_first_end
vpclmulqdq zmm18, zmm11, zmm12, 0x00
vpclmulqdq zmm19, zmm11, zmm12, 0x11
vpxorq zmm8, zmm16, zmm18
vpxorq zmm10, zmm17, zmm19
vpclmulqdq zmm18, zmm11, zmm12, 0x01
vpclmulqdq zmm19, zmm11, zmm12, 0x10
vpternlogq zmm9, zmm18, zmm19, KP_XOR_THREE
.endm

.macro kp_vpclmul_begin
vpclmulqdq zmm16, zmm11, zmm12, 0x00
vpclmulqdq zmm17, zmm11, zmm12, 0x11
vpclmulqdq zmm18, zmm11, zmm12, 0x01
vpclmulqdq zmm19, zmm11, zmm12, 0x10
vpternlogq zmm9, zmm18, zmm19, KP_XOR_THREE
.endm

.macro kp_vpclmul_end
vpclmulqdq zmm18, zmm11, zmm12, 0x00
vpclmulqdq zmm19, zmm11, zmm12, 0x11
vpternlogq zmm8, zmm16, zmm18, KP_XOR_THREE
vpternlogq zmm10, zmm17, zmm19, KP_XOR_THREE
vpclmulqdq zmm18, zmm11, zmm12, 0x01
vpclmulqdq zmm19, zmm11, zmm12, 0x10
vpternlogq zmm9, zmm18, zmm19, KP_XOR_THREE
.endm

#endif

#ifdef KP_VPCLMUL_KARATSUBA

/* The sums += xmm11 or zmm11 (x says which) times the power or powers at `power`. */
.macro kp_vpclmul_add x, power:vararg
vpshufd \x\()18, \x\()11, 0x4e
vpclmulqdq \x\()16, \x\()11, [\power], 0x00
vpclmulqdq \x\()17, \x\()11, [\power], 0x11
vpxorq \x\()18, \x\()18, \x\()11
vpclmulqdq \x\()18, \x\()18, [\power + KP_VPCLMUL_MIDDLE], 0x00
vpxorq zmm8, zmm8, zmm16
vpxorq zmm10, zmm10, zmm17
vpxorq zmm9, zmm9, zmm18
.endm

/* The sums, which the first eight begin, += eight blocks at `data`, and y if `first` is, times the powers at `power`;
 * in two halves, for AES to come between. */
.macro kp_vpclmul_eight_begin first, power, data:vararg
vmovdqu64 zmm11, [\data]
vmovdqu64 zmm12, [\data + 64]
vpshufb zmm11, zmm11, zmm20
vpshufb zmm12, zmm12, zmm20
.if \first
vpxorq zmm11, zmm11, zmm15
.endif
vpunpcklqdq zmm18, zmm11, zmm12
vpunpckhqdq zmm19, zmm11, zmm12
.if \first
vpclmulqdq zmm8, zmm18, [\power], 0x00
vpclmulqdq zmm16, zmm18, [\power + 64], 0x01
vpxorq zmm8, zmm8, zmm16
.else
vpclmulqdq zmm16, zmm18, [\power], 0x00
vpclmulqdq zmm17, zmm18, [\power + 64], 0x01
vpternlogq zmm8, zmm16, zmm17, KP_XOR_THREE
.endif
vpxorq zmm18, zmm18, zmm19
.endm

.macro kp_vpclmul_eight_end first, power, data:vararg
.if \first
vpclmulqdq zmm10, zmm19, [\power], 0x10
vpclmulqdq zmm17, zmm19, [\power + 64], 0x11
vpclmulqdq zmm9, zmm18, [\power + KP_VPCLMUL_MIDDLE], 0x00
vpclmulqdq zmm18, zmm18, [\power + KP_VPCLMUL_MIDDLE + 64], 0x01
vpxorq zmm10, zmm10, zmm17
vpxorq zmm9, zmm9, zmm18
.else
vpclmulqdq zmm16, zmm19, [\power], 0x10
vpclmulqdq zmm17, zmm19, [\power + 64], 0x11
vpternlogq zmm10, zmm16, zmm17, KP_XOR_THREE
vpclmulqdq zmm16, zmm18, [\power + KP_VPCLMUL_MIDDLE], 0x00
vpclmulqdq zmm17, zmm18, [\power + KP_VPCLMUL_MIDDLE + 64], 0x01
vpternlogq zmm9, zmm16, zmm17, KP_XOR_THREE
.endif
.endm

/* The middle sum as it is without Karatsuba. */
.macro kp_vpclmul_complete_middle
vpternlogq zmm9, zmm8, zmm10, KP_XOR_THREE
.endm

/* The xor of the halves of the powers in `powers` to their place. Changes zmm18. */
.macro kp_vpclmul_store_middle powers, place:vararg
vpshufd zmm18, \powers, 0x4e
vpxorq zmm18, zmm18, \powers
vmovdqa64 [\place + KP_VPCLMUL_MIDDLE], zmm18
.endm

#else

/* The sums += xmm11 or zmm11 (x says which) times the power or powers at `power`. */
.macro kp_vpclmul_add x, power:vararg
vmovdqu64 \x\()12, [\power]
vpclmulqdq \x\()16, \x\()11, \x\()12, 0x00
vpclmulqdq \x\()17, \x\()11, \x\()12, 0x11
vpclmulqdq \x\()18, \x\()11, \x\()12, 0x01
vpclmulqdq \x\()19, \x\()11, \x\()12, 0x10
vpxorq zmm8, zmm8, zmm16
vpxorq zmm10, zmm10, zmm17
vpternlogq zmm9, zmm18, zmm19, KP_XOR_THREE
.endm

/* The sums, which the first eight begin, += eight blocks at `data`, and y if `first` is, times the powers at `power`;
 * in two halves, for AES to come between. */
.macro kp_vpclmul_eight_begin first, power, data:vararg
vmovdqu64 zmm11, [\data]
vmovdqa64 zmm12, [\power]
vpshufb zmm11, zmm11, zmm20
.if \first
vpxorq zmm11, zmm11, zmm15
kp_vpclmul_first_begin
.else
kp_vpclmul_begin
.endif
.endm

.macro kp_vpclmul_eight_end first, power, data:vararg
vmovdqu64 zmm11, [\data + 64]
vmovdqa64 zmm12, [\power + 64]
vpshufb zmm11, zmm11, zmm20
.if \first
kp_vpclmul_first_end
.else
kp_vpclmul_end
.endif
.endm

.macro kp_vpclmul_complete_middle
.endm

.macro kp_vpclmul_store_middle powers, place:vararg
.endm

#endif

/* x10 = the sums, each lane reduced, in registers of the kind x. */
.macro kp_vpclmul_reduce_lanes x
vpclmulqdq \x\()16, \x\()8, \x\()21, 0x00
vpshufd \x\()8, \x\()8, 0x4e
vpternlogq \x\()9, \x\()8, \x\()16, KP_XOR_THREE
vpclmulqdq \x\()16, \x\()9, \x\()21, 0x00
vpshufd \x\()9, \x\()9, 0x4e
vpternlogq \x\()10, \x\()9, \x\()16, KP_XOR_THREE
.endm

/* xmm15 = the sum of the lanes of zmm10. */
.macro kp_vpclmul_join_lanes
vextracti64x4 ymm16, zmm10, 1
vpxorq ymm10, ymm10, ymm16
vextracti64x2 xmm16, ymm10, 1
vpxorq xmm15, xmm10, xmm16
.endm

.macro kp_vpclmul_reduce
kp_vpclmul_complete_middle
kp_vpclmul_reduce_lanes zmm
kp_vpclmul_join_lanes
.endm

/* y takes in thirty-two blocks at `data`. */
.macro kp_vpclmul_thirty_two table, data:vararg
kp_vpclmul_eight_begin 1, \table+64, \data
kp_vpclmul_eight_end 1, \table+64, \data
.irp offset, 128, 256, 384
kp_vpclmul_eight_begin 0, \table+64+\offset, \data + \offset
kp_vpclmul_eight_end 0, \table+64+\offset, \data + \offset
.endr
kp_vpclmul_reduce
.endm

/* x10 = a * b, each lane. Changes x8, x9, x16-x19. */
.macro kp_vpclmul_times x, a, b
vpclmulqdq \x\()8, \a, \b, 0x00
vpclmulqdq \x\()18, \a, \b, 0x01
vpclmulqdq \x\()19, \a, \b, 0x10
vpclmulqdq \x\()10, \a, \b, 0x11
vpxorq \x\()9, \x\()18, \x\()19
kp_vpclmul_reduce_lanes \x
.endm

#ifndef KP_VPCLMUL_KARATSUBA

/* zmm8 = the sums, each lane reduced, where each coefficient is in its place; zmm21 = x^7 + x^2 + x + 1. */
.macro kp_vpclmul_reduce_natural
vpclmulqdq zmm16, zmm10, zmm21, 0x01
vpslldq zmm10, zmm10, 8
vpternlogq zmm9, zmm10, zmm16, KP_XOR_THREE
vpclmulqdq zmm16, zmm9, zmm21, 0x01
vpslldq zmm9, zmm9, 8
vpternlogq zmm8, zmm9, zmm16, KP_XOR_THREE
.endm

.macro kp_vpclmul_times_natural a, b
vpclmulqdq zmm8, \a, \b, 0x00
vpclmulqdq zmm18, \a, \b, 0x01
vpclmulqdq zmm19, \a, \b, 0x10
vpclmulqdq zmm10, \a, \b, 0x11
vpxorq zmm9, zmm18, zmm19
kp_vpclmul_reduce_natural
.endm

/* zmm11 = four blocks at `data`, each coefficient in its place; zmm12 = the power for all of them, at `power`. */
.macro kp_vpclmul_load_natural power, data:vararg
vmovdqu64 zmm11, [\data]
vbroadcasti32x4 zmm12, [\power]
vgf2p8affineqb zmm11, zmm11, zmm22, 0
.endm

#endif

/* Fills the table of powers from H, its bytes as the cipher wrote them, in xmm0. Changes rax, zmm0-zmm5, zmm8-zmm10,
 * zmm16-zmm21. */
.macro kp_vpclmul_powers table:vararg
kp_vpclmul_load_constants
vmovdqa xmm5, xmm0
vpshufb xmm0, xmm0, xmm20
vpsrlq xmm1, xmm0, 63
vpshufd xmm2, xmm0, 0xff
vpaddq xmm0, xmm0, xmm0
vpsrad xmm2, xmm2, 31
vpslldq xmm1, xmm1, 8
vpand xmm2, xmm2, [rip + .Lpolynomial_and_one]
vpternlogq xmm0, xmm1, xmm2, KP_XOR_THREE
/* H^2, H^1, then H^4 ... H^1 in zmm0. */
kp_vpclmul_times xmm, xmm0, xmm0
vmovdqa xmm1, xmm10
vinserti128 ymm0, ymm10, xmm0, 1
vinserti128 ymm1, ymm1, xmm1, 1
kp_vpclmul_times ymm, ymm0, ymm1
vinserti64x4 zmm0, zmm10, ymm0, 1
vmovdqa64 [\table + 512], zmm0
kp_vpclmul_store_middle zmm0, \table + 512
/* zmm1 = H^4, then H^8 and H^16, in all lanes. */
vshufi64x2 zmm1, zmm0, zmm0, 0
kp_vpclmul_times zmm, zmm0, zmm1
vmovdqa64 zmm2, zmm10
vmovdqa64 [\table + 448], zmm10
kp_vpclmul_store_middle zmm10, \table + 448
vshufi64x2 zmm1, zmm2, zmm2, 0
kp_vpclmul_times zmm, zmm0, zmm1
vmovdqa64 zmm3, zmm10
vmovdqa64 [\table + 384], zmm10
kp_vpclmul_store_middle zmm10, \table + 384
kp_vpclmul_times zmm, zmm2, zmm1
vmovdqa64 [\table + 320], zmm10
kp_vpclmul_store_middle zmm10, \table + 320
vshufi64x2 zmm1, zmm10, zmm10, 0
.irp place, 256, 192, 128, 64
vmovdqa64 zmm2, [\table + 256 + \place]
kp_vpclmul_times zmm, zmm2, zmm1
vmovdqa64 [\table + \place], zmm10
kp_vpclmul_store_middle zmm10, \table + \place
.endr
vshufi64x2 zmm1, zmm10, zmm10, 0
kp_vpclmul_times zmm, zmm0, zmm1
vmovdqa64 [\table], zmm10
kp_vpclmul_store_middle zmm10, \table
#ifndef KP_VPCLMUL_KARATSUBA
/* In natural order: H, H^2, then H^4 ... H^1. */
vpbroadcastq zmm4, [rip + .Lreverse_bits]
vpbroadcastq zmm21, [rip + .Lnatural_polynomial]
vgf2p8affineqb zmm0, zmm5, zmm4, 0
vmovdqa64 zmm1, zmm0
kp_vpclmul_times_natural zmm0, zmm0
vinserti64x2 ymm0, ymm8, xmm1, 1
vshufi64x2 zmm1, zmm8, zmm8, 0
kp_vpclmul_times_natural zmm0, zmm1
vinserti64x4 zmm0, zmm8, ymm0, 1
vmovdqa64 [\table + KP_VPCLMUL_JOIN], zmm0
/* H^4 in all lanes; H^16, H^12, H^8, H^4; times H^16, H^32. */
vshufi64x2 zmm1, zmm0, zmm0, 0
vmovdqa64 zmm2, zmm1
kp_vpclmul_times_natural zmm1, zmm1
vinserti64x2 ymm2, ymm8, xmm1, 1
vshufi64x2 zmm3, zmm8, zmm8, 0
kp_vpclmul_times_natural zmm2, zmm3
vinserti64x4 zmm2, zmm8, ymm2, 1
vshufi64x2 zmm3, zmm8, zmm8, 0
vmovdqa64 [\table + KP_VPCLMUL_NATURAL + 192], zmm2
.irp place, 128, 64, 0
vmovdqa64 zmm2, [\table + KP_VPCLMUL_NATURAL + 64 + \place]
kp_vpclmul_times_natural zmm2, zmm3
vmovdqa64 [\table + KP_VPCLMUL_NATURAL + \place], zmm8
.endr
#endif
.endm

/* y takes in the r9 bytes at rcx, a last part of a block filled up with zeros. Needs what kp_vpclmul_load_constants
 * loads. Changes rax, rcx, r9, r11. The marks round the loop belong to the kernel's entry. */
.macro kp_vpclmul_hash kernel, entry, table:vararg
#ifndef KP_VPCLMUL_KARATSUBA
cmp r9, 1088
jb .Lhash_middle
vpbroadcastq zmm22, [rip + .Lreverse_bits]
vpbroadcastq zmm21, [rip + .Lnatural_polynomial]
vpshufb xmm15, xmm15, xmm20
vpxorq zmm15, zmm15, [rcx]
vgf2p8affineqb zmm15, zmm15, zmm22, 0
add rcx, 64
sub r9, 64
.p2align 5
kp_mark \kernel\()_\entry\()_loop_begin
.Lhash_group:
/* The sum so far goes with the highest power, the last four blocks with none. */
kp_vpclmul_load_natural \table+KP_VPCLMUL_NATURAL+16, rcx
kp_vpclmul_first_begin
kp_vpclmul_load_natural \table+KP_VPCLMUL_NATURAL+32, rcx + 64
kp_vpclmul_first_end
.irp number, 2, 4, 6, 8, 10, 12
kp_vpclmul_load_natural \table+KP_VPCLMUL_NATURAL+16+16*\number, rcx + 64 * \number
kp_vpclmul_begin
kp_vpclmul_load_natural \table+KP_VPCLMUL_NATURAL+32+16*\number, rcx + 64 * \number + 64
kp_vpclmul_end
.endr
kp_vpclmul_load_natural \table+KP_VPCLMUL_NATURAL+240, rcx + 896
kp_vpclmul_begin
vbroadcasti32x4 zmm12, [\table + KP_VPCLMUL_NATURAL]
vmovdqa64 zmm11, zmm15
kp_vpclmul_end
vmovdqu64 zmm15, [rcx + 960]
vgf2p8affineqb zmm15, zmm15, zmm22, 0
kp_vpclmul_reduce_natural
vpxorq zmm15, zmm15, zmm8
add rcx, 1024
sub r9, 1024
cmp r9, 1024
jae .Lhash_group
kp_mark \kernel\()_\entry\()_loop_end
vmovdqa64 zmm12, [\table + KP_VPCLMUL_JOIN]
kp_vpclmul_times_natural zmm15, zmm12
vmovdqa64 zmm10, zmm8
kp_vpclmul_join_lanes
vgf2p8affineqb xmm15, xmm15, xmm22, 0
vpshufb xmm15, xmm15, xmm20
vbroadcasti32x4 zmm21, [rip + .Lpolynomial]
#endif
.Lhash_middle:
cmp r9, 512
jb .Lhash_rest
#ifdef KP_VPCLMUL_KARATSUBA
kp_mark \kernel\()_\entry\()_loop_begin
#endif
.Lhash_thirty_two:
kp_vpclmul_thirty_two \table, rcx
add rcx, 512
sub r9, 512
cmp r9, 512
jae .Lhash_thirty_two
#ifdef KP_VPCLMUL_KARATSUBA
kp_mark \kernel\()_\entry\()_loop_end
#endif
.Lhash_rest:
test r9, r9
jz .Lhash_done
kp_vpclmul_power_for_rest 0, \table
kp_vpclmul_clear
sub r9, 64
jb .Lhash_part
.Lhash_blocks:
vmovdqu64 zmm11, [rcx]
kp_vpclmul_add_rest
add rcx, 64
sub r9, 64
jae .Lhash_blocks
.Lhash_part:
add r9, 64
jz .Lhash_reduce
kp_vpclmul_mask r9
vmovdqu8 zmm11{k1}{z}, [rcx]
kp_vpclmul_add_rest
.Lhash_reduce:
kp_vpclmul_reduce
.Lhash_done:
.endm

/* k1 = the first `length` (1 to 63) bytes of a register. Changes rax. */
.macro kp_vpclmul_mask length
mov rax, -1
bzhi rax, rax, \length
kmovq k1, rax
.endm

/* The sums += zmm11, and y, the first time, times the powers at r11, which goes on. */
.macro kp_vpclmul_add_rest
vpshufb zmm11, zmm11, zmm20
vpxorq zmm11, zmm11, zmm15
vpxor xmm15, xmm15, xmm15
kp_vpclmul_add zmm, r11
add r11, 64
.endm

/* r11 = the power for the first of `blocks` blocks more than hold the r9 bytes left. */
.macro kp_vpclmul_power_for_rest blocks, table:vararg
lea r11, [r9 + 15 + 16 * \blocks]
and r11, -16
neg r11
lea r11, [\table + r11 + 576]
.endm

#endif
