/* GHASH with Zvkg for any VLEN from 128: what the kernels of aes-gcm and ghash share.
 *
 * vghsh.vv multiplies each block of a register group by the block in the same place of another. So each place sums
 * up every `lanes`-th block, multiplied by H^lanes from one group to the next; the last group is multiplied by
 * H^lanes ... H^1 instead, which brings the places to the same power, and they are added up. The blocks of a short
 * first group (riscv64_vector_groups.h) stand in the last places.
 *
 * A table of powers is 512 bytes, aligned to 16: H^16 ... H^1, of which only H^lanes and below are filled in, then
 * H^lanes in each of its places. vghsh.vv and vgmul.vv take and give blocks as GHASH has them in memory.
 *
 * Source: SP 800-38D, section 6.4, and The RISC-V Cryptography Extensions Volume II, section 2.2.
 */
#ifndef KP_ASM_RISCV64_ZVKG_H
#define KP_ASM_RISCV64_ZVKG_H

#include "riscv64.h"
#include "riscv64_vector_crypto.h"
#include "riscv64_vector_groups.h"

/* Fills the table for H in v1. Writes t0..t3, v2. */
.macro kp_zvkg_fill table
    kp_group_words t0
    vsetivli zero, 4, e32, m1, ta, mu
    srli    t0, t0, 2
    addi    t1, \table, 256 - 16
    vmv.v.v v2, v1
    vse32.v v2, (t1)
    addi    t2, t0, -1
.Lpower\@:
    vgmul.vv v2, v1
    addi    t1, t1, -16
    vse32.v v2, (t1)
    addi    t2, t2, -1
    bnez    t2, .Lpower\@
    addi    t1, \table, 256
.Lcopy\@:
    vse32.v v2, (t1)
    addi    t1, t1, 16
    addi    t0, t0, -1
    bnez    t0, .Lcopy\@
.endm

/* v28 group = the sums before the first block: y, which is in v24, where the first block goes. Writes t0. */
.macro kp_zvkg_begin words, offset
    vsetvli zero, \words, e32, m4, tu, mu
    vmv.v.i v28, 0
    addi    t0, \offset, 4
    vsetvli zero, t0, e32, m4, tu, mu
    vslideup.vx v28, v24, \offset
.endm

/* y, in v28, = the sum of the places of the v28 group. Writes lanes, t0, t1, v24. */
.macro kp_zvkg_fold lanes
.Lfold\@:
    addi    t0, \lanes, 1
    srli    t0, t0, 1                   # places that stay
    sub     t1, \lanes, t0              # and that are added to them
    beqz    t1, .Lfolded\@
    slli    t1, t1, 2
    vsetvli zero, t1, e32, m4, tu, mu
    slli    t1, t0, 2
    vslidedown.vx v24, v28, t1
    vxor.vv v28, v28, v24
    mv      \lanes, t0
    j       .Lfold\@
.Lfolded\@:
.endm

/* y, in v24 and afterwards in v28, takes in `bytes` bytes, not 0. Writes data, t0..t6, a4, a5, v16 to v31. The main
 * loop lies between two marks. */
.macro kp_zvkg_hash table, data, bytes, marks
    kp_group_words t2
    kp_group_split \bytes, t2, t3, t4, t5, t6, a4
    li      a5, 0
    bnez    a4, .Lbegin\@
    sub     a5, t6, t3
    slli    a5, a5, 2
.Lbegin\@:
    kp_zvkg_begin t2, a5
    bnez    a4, .Llast\@

    slli    t0, t3, 4
    vsetvli zero, t0, e8, m4, ta, ma
    vle8.v  v24, (\data)
    add     \data, \data, t0
    vsetvli zero, t2, e32, m4, ta, mu
    vmv.v.i v16, 0
    vslideup.vx v16, v24, a5
    addi    t0, \table, 256
    vle32.v v20, (t0)
    vghsh.vv v28, v20, v16
    beqz    t4, .Llast\@

    add     t4, t4, \data
    slli    t1, t2, 2
kp_mark \marks\()_loop_begin
.Lloop\@:
    vsetvli zero, t1, e8, m4, ta, ma
    vle8.v  v24, (\data)
    add     \data, \data, t1
    vsetvli zero, t2, e32, m4, ta, mu
    vghsh.vv v28, v20, v24
    bne     \data, t4, .Lloop\@
kp_mark \marks\()_loop_end

.Llast\@:
    slli    t0, t6, 2
    vsetvli zero, t0, e32, m4, ta, mu
    vmv.v.i v24, 0
    vsetvli zero, t5, e8, m4, tu, ma
    vle8.v  v24, (\data)
    vsetvli zero, t0, e32, m4, ta, mu
    slli    t0, t6, 4
    sub     t0, \table, t0
    addi    t0, t0, 256
    vle32.v v20, (t0)
    vghsh.vv v28, v20, v24
    kp_zvkg_fold t6
.endm

/* Loads and stores 16 bytes at any alignment. */
.macro kp_zvkg_load block, pointer
    vsetivli zero, 16, e8, m1, ta, ma
    vle8.v  \block, (\pointer)
.endm

.macro kp_zvkg_store block, pointer
    vsetivli zero, 16, e8, m1, ta, ma
    vse8.v  \block, (\pointer)
.endm

/* A whole function(a0 prepared, a1 y, a2 data, a3 length), the table of powers at offset(a0). */
.macro kp_zvkg_hash_function name, offset
    kp_function \name
    beqz    a3, .Lnothing\@
.if \offset
    addi    a0, a0, \offset
.endif
    kp_zvkg_load v24, a1
    kp_zvkg_hash a0, a2, a3, \name
    kp_zvkg_store v28, a1
.Lnothing\@:
    ret
    kp_end \name
.endm

#endif
