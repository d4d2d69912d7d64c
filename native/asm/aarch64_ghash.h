/* AArch64: multiplication in GHASH's field (NIST SP 800-38D, section 6.3) by PMULL.
 *
 * The field's bit order is the reverse of the integers'. A block is held half-swapped: its first
 * eight bytes as a big-endian number in lane 0, its last eight in lane 1, which is what one rev64
 * makes of a load, in either byte order. Products of such blocks come out shifted by one bit; the
 * key powers are kept multiplied by 1/x to make up for it. With powers half-swapped as well, lane 0
 * times lane 0 is the high half of the product and lane 1 times lane 1 the low half, and no
 * rearrangement is needed before multiplying.
 *
 * Products of several blocks with falling powers are added up before one reduction. Of two blocks a
 * middle product each (Karatsuba) is taken from one register that holds the sums of both blocks'
 * halves. The reduction multiplies twice by 0xc2 << 56, the polynomial's low terms reversed: S. Gueron
 * and M. Kounavis, "Intel Carry-Less Multiplication Instruction and its Usage for Computing the GCM
 * Mode"; it needs nothing of the processor it was written for.
 *
 * Define KP_EOR3 as 1 or 0 before including this: whether EOR3 (FEAT_SHA3) may be used. */
#ifndef KP_ASM_AARCH64_GHASH_H
#define KP_ASM_AARCH64_GHASH_H

#include "aarch64.h"

/* The table: H^9 to H^1, then for each pair of the last eight a register with the sums of their halves. */
#define KP_GHASH_POWERS 16 // H^8
#define KP_GHASH_SUMS 144
#define KP_GHASH_TABLE_BYTES 208

/* to = a ^ b ^ c, where `to` is not c. */
.macro kp_xor3 to, a, b, c
#if KP_EOR3
    eor3 \to\().16b, \a\().16b, \b\().16b, \c\().16b
#else
    eor \to\().16b, \a\().16b, \b\().16b
    eor \to\().16b, \to\().16b, \c\().16b
#endif
.endm

/* to += a + b. Without EOR3 it takes a for the sum of the two, so that `to` waits for one instruction only. */
.macro kp_add to, a, b
#if KP_EOR3
    eor3 \to\().16b, \to\().16b, \a\().16b, \b\().16b
#else
    eor \a\().16b, \a\().16b, \b\().16b
    eor \to\().16b, \to\().16b, \a\().16b
#endif
.endm

/* to = 0xc2 << 56 in lane 0. Clobbers x17. */
.macro kp_ghash_polynomial to
    mov x17, #0xc200000000000000
    fmov \to, x17
.endm

/* to = the sum high:low + middle << 64, reduced and half-swapped. `middle` holds the whole middle part
 * here. Clobbers the sums and t. */
.macro kp_ghash_reduce to, high, low, middle, polynomial, t
    pmull \t\().1q, \low\().1d, \polynomial\().1d
    ext \low\().16b, \low\().16b, \low\().16b, #8
    kp_xor3 \middle, \middle, \low, \t
    pmull \t\().1q, \middle\().1d, \polynomial\().1d
    ext \middle\().16b, \middle\().16b, \middle\().16b, #8
    kp_xor3 \high, \high, \middle, \t
    ext \to\().16b, \high\().16b, \high\().16b, #8
.endm

/* high, low, middle += block * power. Clobbers t, u. */
.macro kp_ghash_accumulate block, power, high, low, middle, t, u
    pmull \t\().1q, \block\().1d, \power\().1d
    pmull2 \u\().1q, \block\().2d, \power\().2d
    eor \high\().16b, \high\().16b, \t\().16b
    eor \low\().16b, \low\().16b, \u\().16b
    ext \u\().16b, \block\().16b, \block\().16b, #8
    pmull \t\().1q, \u\().1d, \power\().1d
    pmull2 \u\().1q, \u\().2d, \power\().2d
    kp_add \middle, \t, \u
.endm

/* Fills the table at x0 from the hash subkey in v0. Clobbers x9 to x17, v0 to v7, flags. */
.macro kp_ghash_powers
    rev64 v0.16b, v0.16b
    umov x9, v0.d[0]
    umov x10, v0.d[1]
    mov x11, #0xc200000000000000
    asr x12, x9, #63
    extr x9, x9, x10, #63
    and x13, x12, #1
    and x12, x12, x11
    eor x13, x13, x10, lsl #1
    eor x9, x9, x12
    fmov d0, x9
    mov v0.d[1], x13
    mov v1.16b, v0.16b
    kp_ghash_polynomial d7
    add x9, x0, #KP_GHASH_SUMS - 16
1:
    str q1, [x9], #-16
    movi v2.16b, #0
    movi v3.16b, #0
    movi v4.16b, #0
    kp_ghash_accumulate v1, v0, v2, v3, v4, v5, v6
    kp_ghash_reduce v1, v2, v3, v4, v7, v5
    cmp x9, x0
    b.hs 1b
    add x9, x0, #KP_GHASH_POWERS
    add x10, x0, #KP_GHASH_SUMS
    add x11, x0, #KP_GHASH_TABLE_BYTES
2:
    ldp q0, q1, [x9], #32
    zip1 v2.2d, v0.2d, v1.2d
    zip2 v3.2d, v0.2d, v1.2d
    eor v2.16b, v2.16b, v3.16b
    str q2, [x10], #16
    cmp x10, x11
    b.lo 2b
.endm

/* high, low, middle += a * (power of a) + b * (power of b), sums = the register of the sums of the
 * powers' halves. Clobbers a, b, t, u. */
.macro kp_ghash_pair a, b, power_a, power_b, sums, high, low, middle, t, u
    zip1 \t\().2d, \a\().2d, \b\().2d
    zip2 \u\().2d, \a\().2d, \b\().2d
    eor \t\().16b, \t\().16b, \u\().16b
    pmull \u\().1q, \t\().1d, \sums\().1d
    pmull2 \t\().1q, \t\().2d, \sums\().2d
    kp_add \middle, \t, \u
    pmull \t\().1q, \a\().1d, \power_a\().1d
    pmull2 \a\().1q, \a\().2d, \power_a\().2d
    pmull \u\().1q, \b\().1d, \power_b\().1d
    pmull2 \b\().1q, \b\().2d, \power_b\().2d
    kp_add \high, \t, \u
    kp_add \low, \a, \b
.endm

/* v28 (half-swapped) takes in x11 bytes at x10, eight blocks a round with all powers in registers, by
 * the table at x9. `name` prefixes the marks of the loop. Clobbers x9 to x11, x13 to x17, v0 to v7, v16 to v31, flags. */
.macro kp_ghash_blocks name
    mov x17, #0xc200000000000000
    subs x11, x11, #128
    b.lo 5f
    ldp q16, q17, [x9, #KP_GHASH_POWERS]
    ldp q18, q19, [x9, #KP_GHASH_POWERS + 32]
    ldp q20, q21, [x9, #KP_GHASH_POWERS + 64]
    ldp q22, q23, [x9, #KP_GHASH_POWERS + 96]
    ldp q24, q25, [x9, #KP_GHASH_SUMS]
    ldp q26, q27, [x9, #KP_GHASH_SUMS + 32]
    kp_mark \name\()_loop_begin
4:
    ld1 {v0.16b, v1.16b, v2.16b, v3.16b}, [x10], #64
    ld1 {v4.16b, v5.16b, v6.16b, v7.16b}, [x10], #64
    rev64 v2.16b, v2.16b
    rev64 v3.16b, v3.16b
    zip1 v29.2d, v2.2d, v3.2d
    zip2 v30.2d, v2.2d, v3.2d
    eor v29.16b, v29.16b, v30.16b
    pmull v31.1q, v29.1d, v25.1d
    pmull2 v29.1q, v29.2d, v25.2d
    eor v31.16b, v31.16b, v29.16b
    pmull v29.1q, v2.1d, v18.1d
    pmull2 v30.1q, v2.2d, v18.2d
    pmull v2.1q, v3.1d, v19.1d
    pmull2 v3.1q, v3.2d, v19.2d
    eor v29.16b, v29.16b, v2.16b
    eor v30.16b, v30.16b, v3.16b
    rev64 v4.16b, v4.16b
    rev64 v5.16b, v5.16b
    kp_ghash_pair v4, v5, v20, v21, v26, v29, v30, v31, v2, v3
    rev64 v6.16b, v6.16b
    rev64 v7.16b, v7.16b
    kp_ghash_pair v6, v7, v22, v23, v27, v29, v30, v31, v2, v3
    // The first blocks come last, since they wait for the reduction of the eight before.
    rev64 v0.16b, v0.16b
    rev64 v1.16b, v1.16b
    eor v0.16b, v0.16b, v28.16b
    kp_ghash_pair v0, v1, v16, v17, v24, v29, v30, v31, v2, v3
    kp_xor3 v31, v31, v29, v30
    fmov d2, x17
    kp_ghash_reduce v28, v29, v30, v31, v2, v3
    subs x11, x11, #128
    b.hs 4b
    kp_mark \name\()_loop_end
5:
    adds x11, x11, #128
    b.eq 9f
    // 1 to 127 bytes are left: as many powers as blocks, one reduction.
    add x13, x11, #15
    and x13, x13, #0x1f0
    add x9, x9, #KP_GHASH_SUMS
    sub x9, x9, x13
    movi v29.16b, #0
    movi v30.16b, #0
    movi v31.16b, #0
    kp_ghash_short x10, x11, x9
    kp_ghash_polynomial d18
    kp_ghash_reduce v28, v29, v30, v31, v18, v17
9:
.endm

/* v29, v30, v31 (high, low, middle) += the `length` bytes at `data`, by the powers from `powers` on; the
 * first block takes in v28, which is zero afterwards. Advances all three. Clobbers x13 to x17, v16 to v19, flags. */
.macro kp_ghash_short data, length, powers
    subs \length, \length, #16
    b.lo 7f
6:
    ld1 {v16.16b}, [\data], #16
    kp_ghash_block \powers
    subs \length, \length, #16
    b.hs 6b
7:
    adds x13, \length, #16
    b.eq 8f
    kp_load_partial \data
    fmov d16, x14
    mov v16.d[1], x15
    kp_ghash_block \powers
8:
.endm

/* v29, v30, v31 += (v28 + the block in v16 as loaded) times the next power; v28 = 0. Clobbers v16 to v19. */
.macro kp_ghash_block powers
    ldr q17, [\powers], #16
    rev64 v16.16b, v16.16b
    eor v16.16b, v16.16b, v28.16b
    movi v28.16b, #0
    kp_ghash_accumulate v16, v17, v29, v30, v31, v18, v19
.endm

#endif
