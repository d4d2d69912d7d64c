/* MD5 (RFC 1321) of sixteen streams at once with RVV 1.0, any VLEN from 128: the kernel, with Zvkb and without.
 *
 * A register group holds a word of every stream: four registers at VLEN 128, two at 256, one from 512 on. The number of
 * registers in a group is set at run time, and groups are numbered as if each had four. The blocks of the streams are
 * first transposed on the stack, so that a word of all of them is loaded at once: a block is loaded as bytes, at
 * whatever alignment, and its words are stored 64 bytes apart.
 *
 * I(b, c, d) = c ^ (b | ~d) is, with Zvkb, the complement of c ^ (d & ~b); it is subtracted, as ~x = -x - 1, and
 * the one goes into the constants.
 *
 * Registers: a0 state, a1 the streams' addresses, a2 blocks left, a3 offset of the block, a4 and a5 vtype for words and
 * for bytes, a6 and a7 the lengths that go with them, t0..t5 scratch, t6 constants; va..vd the state, vf the round's
 * function, vm the word, vt scratch. Frame: the transposed blocks, 1024 bytes, wiped at the end.
 *
 * Source: RFC 1321, section 3.4.
 */
#ifndef KP_ASM_RISCV64_MD5_MANY_H
#define KP_ASM_RISCV64_MD5_MANY_H

#include "riscv64.h"
#include "riscv64_vector_crypto.h"

#define va v4
#define vb v8
#define vc v12
#define vd v16
#define vf v20
#define vt v24
#define vm v28

#define WORDS_VTYPE 0xd0 /* e32, m1, ta, ma; the next two numbers are m2 and m4 */
#define BYTES_VTYPE 0xc0 /* e8, m1, ta, ma */
#define FRAME 1024

.macro kp_md5_f b, c, d, has_zvkb
    vxor.vv vf, \c, \d
    vand.vv vf, vf, \b
    vxor.vv vf, vf, \d
.endm

.macro kp_md5_g b, c, d, has_zvkb
    vxor.vv vf, \b, \c
    vand.vv vf, vf, \d
    vxor.vv vf, vf, \c
.endm

.macro kp_md5_h b, c, d, has_zvkb
    vxor.vv vf, \c, \d
    vxor.vv vf, vf, \b
.endm

.macro kp_md5_i b, c, d, has_zvkb
.if \has_zvkb
    vandn.vv vf, \d, \b
.else
    vnot.v  vf, \d
    vor.vv  vf, vf, \b
.endif
    vxor.vv vf, vf, \c
.endm

.macro kp_md5_step function, a, b, c, d, word, amount, has_zvkb
    lw      t0, kp_constant(t6)
    .set kp_constant, kp_constant + 4
    addi    t1, sp, 64 * \word
    vle32.v vm, (t1)
    kp_md5_\function \b, \c, \d, \has_zvkb
    vadd.vx \a, \a, t0
    vadd.vv \a, \a, vm
.ifc \function\has_zvkb, i1
    vsub.vv \a, \a, vf
.else
    vadd.vv \a, \a, vf
.endif
.if \has_zvkb
    vror.vi \a, \a, 32 - \amount
.else
    vsll.vi vt, \a, \amount
    vsrl.vi \a, \a, 32 - \amount
    vor.vv  \a, \a, vt
.endif
    vadd.vv \a, \a, \b
.endm

/* Four streams' blocks, transposed to place in the frame. */
.macro kp_md5_transpose stream
    ld      t0, 8 * \stream(a1)
    ld      t1, 8 * \stream + 8(a1)
    ld      t2, 8 * \stream + 16(a1)
    ld      t3, 8 * \stream + 24(a1)
    add     t0, t0, a3
    add     t1, t1, a3
    add     t2, t2, a3
    add     t3, t3, a3
    vsetvl  zero, a7, a5
    vle8.v  v0, (t0)
    vle8.v  vf, (t1)
    vle8.v  vt, (t2)
    vle8.v  vm, (t3)
    vsetvl  zero, a6, a4
    addi    t0, sp, 4 * \stream
    addi    t1, sp, 4 * \stream + 4
    addi    t2, sp, 4 * \stream + 8
    addi    t3, sp, 4 * \stream + 12
    vsse32.v v0, (t0), t4
    vsse32.v vf, (t1), t4
    vsse32.v vt, (t2), t4
    vsse32.v vm, (t3), t4
.endm

.macro kp_md5_many_function name, has_zvkb
    kp_function \name
    beqz    a2, .Lnothing\@
    addi    sp, sp, -FRAME
    .cfi_adjust_cfa_offset FRAME
    li      a4, WORDS_VTYPE
    li      a5, BYTES_VTYPE
    li      a6, 16
    li      a7, 64
    csrr    t0, vlenb
    bgeu    t0, a7, .Lgroups\@
    addi    a4, a4, 1
    addi    a5, a5, 1
    li      t1, 32
    bgeu    t0, t1, .Lgroups\@
    addi    a4, a4, 1
    addi    a5, a5, 1
.Lgroups\@:
    lla     t6, .Lconstants
    li      a3, 0
    li      t4, 64
    vsetvl  zero, a6, a4
    addi    t0, a0, 64
    addi    t1, a0, 128
    addi    t2, a0, 192
    vle32.v va, (a0)
    vle32.v vb, (t0)
    vle32.v vc, (t1)
    vle32.v vd, (t2)

kp_mark \name\()_loop_begin
.Lblock\@:
    kp_md5_transpose 0
    kp_md5_transpose 4
    kp_md5_transpose 8
    kp_md5_transpose 12
    addi    a3, a3, 64

    .set kp_constant, 0
    /* Round 1 */
    kp_md5_step f, va, vb, vc, vd, 0, 7, \has_zvkb
    kp_md5_step f, vd, va, vb, vc, 1, 12, \has_zvkb
    kp_md5_step f, vc, vd, va, vb, 2, 17, \has_zvkb
    kp_md5_step f, vb, vc, vd, va, 3, 22, \has_zvkb
    kp_md5_step f, va, vb, vc, vd, 4, 7, \has_zvkb
    kp_md5_step f, vd, va, vb, vc, 5, 12, \has_zvkb
    kp_md5_step f, vc, vd, va, vb, 6, 17, \has_zvkb
    kp_md5_step f, vb, vc, vd, va, 7, 22, \has_zvkb
    kp_md5_step f, va, vb, vc, vd, 8, 7, \has_zvkb
    kp_md5_step f, vd, va, vb, vc, 9, 12, \has_zvkb
    kp_md5_step f, vc, vd, va, vb, 10, 17, \has_zvkb
    kp_md5_step f, vb, vc, vd, va, 11, 22, \has_zvkb
    kp_md5_step f, va, vb, vc, vd, 12, 7, \has_zvkb
    kp_md5_step f, vd, va, vb, vc, 13, 12, \has_zvkb
    kp_md5_step f, vc, vd, va, vb, 14, 17, \has_zvkb
    kp_md5_step f, vb, vc, vd, va, 15, 22, \has_zvkb
    /* Round 2 */
    kp_md5_step g, va, vb, vc, vd, 1, 5, \has_zvkb
    kp_md5_step g, vd, va, vb, vc, 6, 9, \has_zvkb
    kp_md5_step g, vc, vd, va, vb, 11, 14, \has_zvkb
    kp_md5_step g, vb, vc, vd, va, 0, 20, \has_zvkb
    kp_md5_step g, va, vb, vc, vd, 5, 5, \has_zvkb
    kp_md5_step g, vd, va, vb, vc, 10, 9, \has_zvkb
    kp_md5_step g, vc, vd, va, vb, 15, 14, \has_zvkb
    kp_md5_step g, vb, vc, vd, va, 4, 20, \has_zvkb
    kp_md5_step g, va, vb, vc, vd, 9, 5, \has_zvkb
    kp_md5_step g, vd, va, vb, vc, 14, 9, \has_zvkb
    kp_md5_step g, vc, vd, va, vb, 3, 14, \has_zvkb
    kp_md5_step g, vb, vc, vd, va, 8, 20, \has_zvkb
    kp_md5_step g, va, vb, vc, vd, 13, 5, \has_zvkb
    kp_md5_step g, vd, va, vb, vc, 2, 9, \has_zvkb
    kp_md5_step g, vc, vd, va, vb, 7, 14, \has_zvkb
    kp_md5_step g, vb, vc, vd, va, 12, 20, \has_zvkb
    /* Round 3 */
    kp_md5_step h, va, vb, vc, vd, 5, 4, \has_zvkb
    kp_md5_step h, vd, va, vb, vc, 8, 11, \has_zvkb
    kp_md5_step h, vc, vd, va, vb, 11, 16, \has_zvkb
    kp_md5_step h, vb, vc, vd, va, 14, 23, \has_zvkb
    kp_md5_step h, va, vb, vc, vd, 1, 4, \has_zvkb
    kp_md5_step h, vd, va, vb, vc, 4, 11, \has_zvkb
    kp_md5_step h, vc, vd, va, vb, 7, 16, \has_zvkb
    kp_md5_step h, vb, vc, vd, va, 10, 23, \has_zvkb
    kp_md5_step h, va, vb, vc, vd, 13, 4, \has_zvkb
    kp_md5_step h, vd, va, vb, vc, 0, 11, \has_zvkb
    kp_md5_step h, vc, vd, va, vb, 3, 16, \has_zvkb
    kp_md5_step h, vb, vc, vd, va, 6, 23, \has_zvkb
    kp_md5_step h, va, vb, vc, vd, 9, 4, \has_zvkb
    kp_md5_step h, vd, va, vb, vc, 12, 11, \has_zvkb
    kp_md5_step h, vc, vd, va, vb, 15, 16, \has_zvkb
    kp_md5_step h, vb, vc, vd, va, 2, 23, \has_zvkb
    /* Round 4 */
    kp_md5_step i, va, vb, vc, vd, 0, 6, \has_zvkb
    kp_md5_step i, vd, va, vb, vc, 7, 10, \has_zvkb
    kp_md5_step i, vc, vd, va, vb, 14, 15, \has_zvkb
    kp_md5_step i, vb, vc, vd, va, 5, 21, \has_zvkb
    kp_md5_step i, va, vb, vc, vd, 12, 6, \has_zvkb
    kp_md5_step i, vd, va, vb, vc, 3, 10, \has_zvkb
    kp_md5_step i, vc, vd, va, vb, 10, 15, \has_zvkb
    kp_md5_step i, vb, vc, vd, va, 1, 21, \has_zvkb
    kp_md5_step i, va, vb, vc, vd, 8, 6, \has_zvkb
    kp_md5_step i, vd, va, vb, vc, 15, 10, \has_zvkb
    kp_md5_step i, vc, vd, va, vb, 6, 15, \has_zvkb
    kp_md5_step i, vb, vc, vd, va, 13, 21, \has_zvkb
    kp_md5_step i, va, vb, vc, vd, 4, 6, \has_zvkb
    kp_md5_step i, vd, va, vb, vc, 11, 10, \has_zvkb
    kp_md5_step i, vc, vd, va, vb, 2, 15, \has_zvkb
    kp_md5_step i, vb, vc, vd, va, 9, 21, \has_zvkb

    addi    t0, a0, 64
    addi    t1, a0, 128
    addi    t2, a0, 192
    vle32.v vf, (a0)
    vle32.v vt, (t0)
    vle32.v vm, (t1)
    vle32.v v0, (t2)
    vadd.vv va, va, vf
    vadd.vv vb, vb, vt
    vadd.vv vc, vc, vm
    vadd.vv vd, vd, v0
    vse32.v va, (a0)
    vse32.v vb, (t0)
    vse32.v vc, (t1)
    vse32.v vd, (t2)
    addi    a2, a2, -1
    bnez    a2, .Lblock\@
kp_mark \name\()_loop_end

    vmv.v.i v0, 0
    mv      t0, sp
.rept FRAME / 64
    vse32.v v0, (t0)
    addi    t0, t0, 64
.endr
    addi    sp, sp, FRAME
    .cfi_adjust_cfa_offset -FRAME
.Lnothing\@:
    ret
    kp_end \name

    .section .rodata
    .p2align 6
.Lconstants:
    .word   0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee
    .word   0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501
    .word   0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be
    .word   0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821
    .word   0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa
    .word   0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8
    .word   0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed
    .word   0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a
    .word   0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c
    .word   0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70
    .word   0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05
    .word   0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665
    .word   0xf4292244 - \has_zvkb, 0x432aff97 - \has_zvkb, 0xab9423a7 - \has_zvkb, 0xfc93a039 - \has_zvkb
    .word   0x655b59c3 - \has_zvkb, 0x8f0ccc92 - \has_zvkb, 0xffeff47d - \has_zvkb, 0x85845dd1 - \has_zvkb
    .word   0x6fa87e4f - \has_zvkb, 0xfe2ce6e0 - \has_zvkb, 0xa3014314 - \has_zvkb, 0x4e0811a1 - \has_zvkb
    .word   0xf7537e82 - \has_zvkb, 0xbd3af235 - \has_zvkb, 0x2ad7d2bb - \has_zvkb, 0xeb86d391 - \has_zvkb
.endm

#endif
