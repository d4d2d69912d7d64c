/* GHASH (SP 800-38D, section 6.4) on RISC-V with Zvbc and Zvkb, any VLEN from 128.
 *
 *     void kp_ghash_zvbc_prepare(void *prepared, const uint8_t h[16]);
 *     void kp_ghash_zvbc_update(const void *prepared, uint8_t y[16], const uint8_t *data, size_t length);
 *
 * Prepared: 0 the high halves of H^16 ... H^1, 128 the low halves, 256 the sums of both, all divided by x
 * (asm/riscv64_clmul.h says why), of which only H^lanes and below are filled in.
 *
 * Registers: a0 prepared, a1 h or y, a2 data, a3 length; in update t2 words of a full group, t3 blocks of the first
 * group, t4 end of the full groups, t5 bytes and t6 blocks of the last, a5 where the first block goes, a6 the
 * polynomial, a3, a4, a7 H^lanes, t0 and t1 scratch; v0 and v1 mask even and odd doublewords, v4 a group of four with
 * the blocks, v8, v12, v10 pairs with their high and low halves and the sums of both, v16 ... v30 pairs with products,
 * v28 and v30 pairs with the high and low halves of the sums so far. No stack.
 *
 * Idea: a block has one place, its halves the same one in two register pairs (vcompress), so that Karatsuba's
 * three multiplications and the reduction run in all places at once. Each place sums up every `lanes`-th block,
 * multiplied by H^lanes from group to group and at last by H^lanes ... H^1, and the places are added up at the end.
 *
 * Source: SP 800-38D; The RISC-V Cryptography Extensions Volume II. A byte takes 0.53 instructions at VLEN 128, the
 * portable kernel 30. Scalar clmul, where there is such, is faster on cores that are known.
 */
#include "../../asm/riscv64.h"
#include "../../asm/riscv64_vector_crypto.h"
#include "../../asm/riscv64_vector_groups.h"

#define LOW 128
#define MIDDLE 256

/* The halves of the blocks in the group v4, plus the sums so far. */
.macro kp_unpack doublewords, lanes
    vsetvli zero, \doublewords, e64, m4, ta, ma
    vrev8.v v4, v4
    vcompress.vm v8, v4, v0
    vcompress.vm v12, v4, v1
    vsetvli zero, \lanes, e64, m2, ta, ma
    vxor.vv v8, v8, v28
    vxor.vv v12, v12, v30
    vxor.vv v10, v8, v12
.endm

/* The sums so far = the halves times a power, in scalar registers (vx) or one a place (vv). */
.macro kp_multiply form, high, low, middle
    vclmul.\form v16, v12, \low
    vclmulh.\form v18, v12, \low
    vclmul.\form v24, v8, \high
    vclmulh.\form v28, v8, \high
    vclmul.\form v20, v10, \middle
    vclmulh.\form v30, v10, \middle
    vxor.vv v24, v24, v18
    vxor.vv v20, v20, v16
    vxor.vv v30, v30, v28
    vclmul.vx v14, v16, a6
    vclmulh.vx v22, v16, a6
    vxor.vv v20, v20, v24
    vxor.vv v30, v30, v24
    vxor.vv v20, v20, v14
    vxor.vv v30, v30, v16
    vxor.vv v30, v30, v22
    vclmul.vx v14, v20, a6
    vclmulh.vx v22, v20, a6
    vxor.vv v28, v28, v20
    vxor.vv v30, v30, v14
    vxor.vv v28, v28, v22
.endm

/* A block's halves as numbers. Writes v4. */
.macro kp_load_halves high, low, pointer
    vsetivli zero, 16, e8, m1, ta, ma
    vle8.v  v4, (\pointer)
    vsetivli zero, 2, e64, m1, ta, ma
    vrev8.v v4, v4
    vmv.x.s \high, v4
    vslidedown.vi v4, v4, 1
    vmv.x.s \low, v4
.endm

.macro kp_polynomial
    li      a6, 0xc2
    slli    a6, a6, 56
.endm

    kp_function kp_ghash_zvbc_prepare
    kp_load_halves a3, a4, a1
    kp_polynomial
    /* H / x: a coefficient of x^0 becomes x^127 + x^6 + x + 1. */
    srai    t0, a3, 63
    srli    t1, a4, 63
    slli    a3, a3, 1
    slli    a4, a4, 1
    or      a3, a3, t1
    and     t1, t0, a6
    andi    t0, t0, 1
    xor     a3, a3, t1
    xor     a4, a4, t0
    xor     a7, a3, a4
    kp_group_words t2
    srli    t2, t2, 2
    addi    t3, a0, 8 * (KP_GROUP_MOST_BLOCKS - 1)
    vsetivli zero, 1, e64, m2, ta, ma
    vmv.s.x v28, a3
    vmv.s.x v30, a4
.Lpower:
    vmv.v.v v8, v28
    vmv.v.v v12, v30
    vxor.vv v10, v8, v12
    vse64.v v8, (t3)
    addi    t0, t3, LOW
    vse64.v v12, (t0)
    addi    t0, t3, MIDDLE
    vse64.v v10, (t0)
    kp_multiply vx, a3, a4, a7
    addi    t3, t3, -8
    addi    t2, t2, -1
    bnez    t2, .Lpower
    ret
    kp_end kp_ghash_zvbc_prepare

    kp_function kp_ghash_zvbc_update
    beqz    a3, .Lnothing
    kp_group_words t2
    kp_group_split a3, t2, t3, t4, t5, t6, a7
    li      a5, 0
    bnez    a7, .Lbegin
    sub     a5, t6, t3
.Lbegin:
    kp_polynomial
    kp_load_halves a3, a4, a1
    srli    t0, t2, 1
    vsetvli zero, t0, e64, m4, ta, ma
    vid.v   v8
    vand.vi v8, v8, 1
    vmseq.vi v0, v8, 0
    vmsne.vi v1, v8, 0
    srli    t0, t2, 2
    vsetvli zero, t0, e64, m2, ta, ma
    vmv.v.i v28, 0
    vmv.v.i v30, 0
    vmv.v.x v8, a3
    vmv.v.x v10, a4
    addi    t0, a5, 1
    vsetvli zero, t0, e64, m2, tu, ma
    vslideup.vx v28, v8, a5
    vslideup.vx v30, v10, a5
    bnez    a7, .Llast

    slli    t0, t3, 4
    vsetvli zero, t0, e8, m4, ta, ma
    vle8.v  v8, (a2)
    add     a2, a2, t0
    vsetvli zero, t2, e32, m4, ta, ma
    slli    a5, a5, 2
    vmv.v.i v4, 0
    vslideup.vx v4, v8, a5
    slli    t0, t6, 3
    sub     t0, a0, t0
    ld      a3, 8 * KP_GROUP_MOST_BLOCKS(t0)
    ld      a4, 8 * KP_GROUP_MOST_BLOCKS + LOW(t0)
    ld      a7, 8 * KP_GROUP_MOST_BLOCKS + MIDDLE(t0)
    slli    a5, t6, 1
    kp_unpack a5, t6
    kp_multiply vx, a3, a4, a7
    beqz    t4, .Llast

    add     t4, t4, a2
    slli    t1, t6, 4
kp_mark kp_ghash_zvbc_update_loop_begin
.Lgroup:
    vsetvli zero, t1, e8, m4, ta, ma
    vle8.v  v4, (a2)
    add     a2, a2, t1
    kp_unpack a5, t6
    kp_multiply vx, a3, a4, a7
    bne     a2, t4, .Lgroup
kp_mark kp_ghash_zvbc_update_loop_end

.Llast:
    slli    a5, t6, 1
    vsetvli zero, a5, e64, m4, ta, ma
    vmv.v.i v4, 0
    vsetvli zero, t5, e8, m4, tu, ma
    vle8.v  v4, (a2)
    kp_unpack a5, t6
    slli    t0, t6, 3
    sub     t0, a0, t0
    addi    t0, t0, 8 * KP_GROUP_MOST_BLOCKS
    vle64.v v4, (t0)
    addi    t0, t0, LOW
    vle64.v v6, (t0)
    addi    t0, t0, MIDDLE - LOW
    vle64.v v26, (t0)
    kp_multiply vv, v4, v6, v26

    vmv.s.x v4, zero
    vredxor.vs v8, v28, v4
    vredxor.vs v10, v30, v4
    vsetivli zero, 2, e64, m1, ta, ma
    vslideup.vi v8, v10, 1
    vrev8.v v8, v8
    vsetivli zero, 16, e8, m1, ta, ma
    vse8.v  v8, (a1)
.Lnothing:
    ret
    kp_end kp_ghash_zvbc_update
