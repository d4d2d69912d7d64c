/* MD5 (RFC 1321) on RV64I, one stream: no extension is needed.
 *
 *     void kp_md5_rv64_compress(uint32_t state[4], const uint8_t *data, size_t blocks);
 *
 * Written by generate.py beside it, which also explains how the operations were chosen.
 *
 * Registers: a0 state, a1 data, a2 blocks on entry; below they have the names of the definitions
 * that follow. t0..t5 hold what lives for a few instructions. ra and s0..s11 hold words of the
 * block and are saved.
 * Frame: 0 the chaining state (wiped at the end), 16 where `data` ends, 24 the shift of unaligned
 * data, 32 the state's address, 40 the saved registers.
 *
 * Idea: a core that issues two instructions a cycle in order waits whenever neighbours depend on
 * each other, so the steps overlap: loads and additions that do not need the step before stand in
 * its gaps. The number after an instruction is its step. Data that are not on a multiple of 4 come
 * in by aligned doublewords that are shifted together; the first and the last of them are put
 * together from their bytes, so that nothing outside the data is read.
 *
 * Source: RFC 1321, section 3.4. Against the steps in their own order, the schedule wins a quarter.
 */
#include "../../asm/riscv64.h"

#define data a1
#define va a2
#define vb a3
#define vc a4
#define vd a5
#define table t6
#define w0 a0
#define w1 a6
#define w2 a7
#define w3 ra
#define w4 s0
#define w5 s1
#define w6 s2
#define w7 s3
#define w8 s4
#define w9 s5
#define w10 s6
#define w11 s7
#define w12 s8
#define w13 s9
#define w14 s10
#define w15 s11

    kp_function kp_md5_rv64_compress
    beqz    a2, .Lnothing
    addi    sp, sp, -144
    .cfi_def_cfa_offset 144
    sd      ra, 40(sp)
    .cfi_offset ra, -104
    sd      s0, 48(sp)
    .cfi_offset s0, -96
    sd      s1, 56(sp)
    .cfi_offset s1, -88
    sd      s2, 64(sp)
    .cfi_offset s2, -80
    sd      s3, 72(sp)
    .cfi_offset s3, -72
    sd      s4, 80(sp)
    .cfi_offset s4, -64
    sd      s5, 88(sp)
    .cfi_offset s5, -56
    sd      s6, 96(sp)
    .cfi_offset s6, -48
    sd      s7, 104(sp)
    .cfi_offset s7, -40
    sd      s8, 112(sp)
    .cfi_offset s8, -32
    sd      s9, 120(sp)
    .cfi_offset s9, -24
    sd      s10, 128(sp)
    .cfi_offset s10, -16
    sd      s11, 136(sp)
    .cfi_offset s11, -8
    sd      a0, 32(sp)
    slli    t1, a2, 6
    add     t1, t1, data
    lw      va, 0(a0)
    lw      vb, 4(a0)
    lw      vc, 8(a0)
    lw      vd, 12(a0)
    sw      va, 0(sp)
    sw      vb, 4(sp)
    sw      vc, 8(sp)
    sw      vd, 12(sp)
    lla     table, .Lconstants + 128
    andi    t0, data, 3
    bnez    t0, .Lunaligned
    sd      t1, 16(sp)

    .p2align 4
kp_mark kp_md5_rv64_compress_aligned_loop_begin
.Laligned:
    lw      w0, 0(data)           # words
    xor     t5, vc, vd            # 0
    lw      t4, -128(table)       # 0
    and     t3, vb, t5            # 0
    xor     t2, t3, vd            # 0
    lw      w1, 4(data)           # words
    lw      t1, -124(table)       # 1
    xor     t0, vb, vc            # 1
    addw    t5, t4, w0            # 0
    lw      w2, 8(data)           # words
    addw    va, va, t5            # 0
    lw      t3, -120(table)       # 2
    addw    va, va, t2            # 0
    addw    t4, t1, w1            # 1
    slliw   t5, va, 7             # 0
    srliw   va, va, 25            # 0
    or      va, va, t5            # 0
    addw    vd, vd, t4            # 1
    addw    va, va, vb            # 0
    addw    t2, t3, w2            # 2
    and     t1, va, t0            # 1
    xor     t5, va, vb            # 2
    xor     t4, t1, vc            # 1
    addw    vc, vc, t2            # 2
    addw    vd, vd, t4            # 1
    lw      w3, 12(data)          # words
    slliw   t3, vd, 12            # 1
    srliw   vd, vd, 20            # 1
    or      vd, vd, t3            # 1
    lw      t0, -116(table)       # 3
    addw    vd, vd, va            # 1
    lw      w4, 16(data)          # words
    and     t1, vd, t5            # 2
    xor     t2, vd, va            # 3
    xor     t4, t1, vb            # 2
    addw    t3, t0, w3            # 3
    addw    vc, vc, t4            # 2
    addw    vb, vb, t3            # 3
    slliw   t5, vc, 17            # 2
    srliw   vc, vc, 15            # 2
    or      vc, vc, t5            # 2
    lw      t1, -112(table)       # 4
    addw    vc, vc, vd            # 2
    lw      w5, 20(data)          # words
    and     t0, vc, t2            # 3
    xor     t4, vc, vd            # 4
    xor     t3, t0, va            # 3
    addw    t5, t1, w4            # 4
    addw    vb, vb, t3            # 3
    addw    va, va, t5            # 4
    slliw   t2, vb, 22            # 3
    srliw   vb, vb, 10            # 3
    or      vb, vb, t2            # 3
    lw      w6, 24(data)          # words
    addw    vb, vb, vc            # 3
    lw      w7, 28(data)          # words
    and     t0, vb, t4            # 4
    xor     t1, vb, vc            # 5
    xor     t3, t0, vd            # 4
    lw      w8, 32(data)          # words
    addw    va, va, t3            # 4
    lw      w9, 36(data)          # words
    slliw   t5, va, 7             # 4
    srliw   va, va, 25            # 4
    or      va, va, t5            # 4
    lw      w10, 40(data)         # words
    lw      t2, -108(table)       # 5
    addw    va, va, vb            # 4
    and     t4, va, t1            # 5
    lw      w11, 44(data)         # words
    xor     t0, t4, vc            # 5
    lw      w12, 48(data)         # words
    addw    t3, t2, w5            # 5
    lw      w13, 52(data)         # words
    addw    vd, vd, t3            # 5
    lw      w14, 56(data)         # words
    addw    vd, vd, t0            # 5
    lw      w15, 60(data)         # words
    slliw   t5, vd, 12            # 5
    srliw   vd, vd, 20            # 5
    lw      t1, -104(table)       # 6
    or      vd, vd, t5            # 5
    addw    vd, vd, va            # 5
    xor     t4, va, vb            # 6
    and     t2, vd, t4            # 6
    lw      t3, -100(table)       # 7
    addw    t0, t1, w6            # 6
    xor     t5, t2, vb            # 6
    addw    vc, vc, t0            # 6
    xor     t4, vd, va            # 7
    addw    vc, vc, t5            # 6
    addw    t1, t3, w7            # 7
    slliw   t2, vc, 17            # 6
    srliw   vc, vc, 15            # 6
    or      vc, vc, t2            # 6
    addw    vb, vb, t1            # 7
    addw    vc, vc, vd            # 6
    lw      t0, -96(table)        # 8
    and     t5, vc, t4            # 7
    xor     t3, vc, vd            # 8
    xor     t2, t5, va            # 7
    lw      t1, -92(table)        # 9
    addw    vb, vb, t2            # 7
    addw    t4, t0, w8            # 8
    slliw   t5, vb, 22            # 7
    srliw   vb, vb, 10            # 7
    or      vb, vb, t5            # 7
    addw    va, va, t4            # 8
    addw    vb, vb, vc            # 7
    addw    t2, t1, w9            # 9
    and     t0, vb, t3            # 8
    xor     t5, vb, vc            # 9
    xor     t4, t0, vd            # 8
    addw    vd, vd, t2            # 9
    addw    va, va, t4            # 8
    lw      t1, -88(table)        # 10
    slliw   t3, va, 7             # 8
    srliw   va, va, 25            # 8
    or      va, va, t3            # 8
    lw      t0, -84(table)        # 11
    addw    va, va, vb            # 8
    addw    t2, t1, w10           # 10
    and     t4, va, t5            # 9
    xor     t3, va, vb            # 10
    xor     t1, t4, vc            # 9
    addw    vc, vc, t2            # 10
    addw    vd, vd, t1            # 9
    addw    t5, t0, w11           # 11
    slliw   t4, vd, 12            # 9
    srliw   vd, vd, 20            # 9
    or      vd, vd, t4            # 9
    lw      t2, -80(table)        # 12
    addw    vd, vd, va            # 9
    lw      t1, -76(table)        # 13
    and     t0, vd, t3            # 10
    xor     t4, vd, va            # 11
    xor     t3, t0, vb            # 10
    addw    vb, vb, t5            # 11
    addw    vc, vc, t3            # 10
    addw    t0, t2, w12           # 12
    slliw   t5, vc, 17            # 10
    srliw   vc, vc, 15            # 10
    or      vc, vc, t5            # 10
    addw    t3, t1, w13           # 13
    addw    vc, vc, vd            # 10
    lw      t2, -72(table)        # 14
    and     t5, vc, t4            # 11
    xor     t1, vc, vd            # 12
    xor     t4, t5, va            # 11
    addw    va, va, t0            # 12
    addw    vb, vb, t4            # 11
    addw    t5, t2, w14           # 14
    slliw   t0, vb, 22            # 11
    srliw   vb, vb, 10            # 11
    or      vb, vb, t0            # 11
    lw      t4, -68(table)        # 15
    addw    vb, vb, vc            # 11
    lw      t2, -64(table)        # 16
    and     t0, vb, t1            # 12
    xor     t1, t0, vd            # 12
    addw    vd, vd, t3            # 13
    addw    va, va, t1            # 12
    xor     t0, vb, vc            # 13
    slliw   t3, va, 7             # 12
    srliw   va, va, 25            # 12
    or      va, va, t3            # 12
    addw    t1, t4, w15           # 15
    addw    va, va, vb            # 12
    addw    t3, t2, w1            # 16
    and     t4, va, t0            # 13
    xor     t2, va, vb            # 14
    xor     t0, t4, vc            # 13
    addw    vc, vc, t5            # 14
    addw    vd, vd, t0            # 13
    lw      t4, -60(table)        # 17
    slliw   t5, vd, 12            # 13
    srliw   vd, vd, 20            # 13
    or      vd, vd, t5            # 13
    lw      t0, -56(table)        # 18
    addw    vd, vd, va            # 13
    addw    t5, t4, w6            # 17
    and     t4, vd, t2            # 14
    xor     t2, t4, vb            # 14
    addw    vb, vb, t1            # 15
    addw    vc, vc, t2            # 14
    xor     t4, vd, va            # 15
    slliw   t1, vc, 17            # 14
    srliw   vc, vc, 15            # 14
    or      vc, vc, t1            # 14
    not     t2, vd                # 16
    addw    vc, vc, vd            # 14
    addw    t1, t0, w11           # 18
    and     t0, vc, t4            # 15
    and     t4, t2, vc            # 16
    xor     t2, t0, va            # 15
    addw    va, va, t3            # 16
    addw    vb, vb, t2            # 15
    addw    va, va, t4            # 16
    slliw   t0, vb, 22            # 15
    srliw   vb, vb, 10            # 15
    or      vb, vb, t0            # 15
    not     t3, vc                # 17
    addw    vb, vb, vc            # 15
    lw      t2, -52(table)        # 19
    and     t4, vb, vd            # 16
    and     t0, t3, vb            # 17
    addw    va, va, t4            # 16
    addw    vd, vd, t5            # 17
    slliw   t3, va, 5             # 16
    srliw   va, va, 27            # 16
    or      va, va, t3            # 16
    addw    vd, vd, t0            # 17
    addw    va, va, vb            # 16
    not     t4, vb                # 18
    and     t5, va, vc            # 17
    and     t3, t4, va            # 18
    addw    vd, vd, t5            # 17
    addw    vc, vc, t1            # 18
    slliw   t0, vd, 9             # 17
    srliw   vd, vd, 23            # 17
    or      vd, vd, t0            # 17
    addw    vc, vc, t3            # 18
    addw    vd, vd, va            # 17
    not     t4, va                # 19
    and     t5, vd, vb            # 18
    addw    t1, t2, w0            # 19
    addw    vc, vc, t5            # 18
    and     t0, t4, vd            # 19
    slliw   t3, vc, 14            # 18
    srliw   vc, vc, 18            # 18
    or      vc, vc, t3            # 18
    addw    vb, vb, t1            # 19
    addw    vc, vc, vd            # 18
    addw    vb, vb, t0            # 19
    and     t2, vc, va            # 19
    lw      t5, -48(table)        # 20
    addw    vb, vb, t2            # 19
    not     t4, vd                # 20
    slliw   t3, vb, 20            # 19
    srliw   vb, vb, 12            # 19
    or      vb, vb, t3            # 19
    addw    t1, t5, w5            # 20
    addw    vb, vb, vc            # 19
    and     t0, t4, vc            # 20
    addw    va, va, t1            # 20
    and     t2, vb, vd            # 20
    addw    va, va, t0            # 20
    lw      t3, -44(table)        # 21
    addw    va, va, t2            # 20
    not     t5, vc                # 21
    slliw   t4, va, 5             # 20
    srliw   va, va, 27            # 20
    or      va, va, t4            # 20
    addw    t1, t3, w10           # 21
    addw    va, va, vb            # 20
    and     t0, t5, vb            # 21
    addw    vd, vd, t1            # 21
    and     t2, va, vc            # 21
    addw    vd, vd, t0            # 21
    lw      t4, -40(table)        # 22
    addw    vd, vd, t2            # 21
    not     t3, vb                # 22
    slliw   t5, vd, 9             # 21
    srliw   vd, vd, 23            # 21
    or      vd, vd, t5            # 21
    addw    t1, t4, w15           # 22
    addw    vd, vd, va            # 21
    and     t0, t3, va            # 22
    addw    vc, vc, t1            # 22
    and     t2, vd, vb            # 22
    addw    vc, vc, t0            # 22
    lw      t5, -36(table)        # 23
    addw    vc, vc, t2            # 22
    not     t4, va                # 23
    slliw   t3, vc, 14            # 22
    srliw   vc, vc, 18            # 22
    or      vc, vc, t3            # 22
    addw    t1, t5, w4            # 23
    addw    vc, vc, vd            # 22
    and     t0, t4, vd            # 23
    addw    vb, vb, t1            # 23
    and     t2, vc, va            # 23
    addw    vb, vb, t0            # 23
    lw      t3, -32(table)        # 24
    addw    vb, vb, t2            # 23
    not     t5, vd                # 24
    slliw   t4, vb, 20            # 23
    srliw   vb, vb, 12            # 23
    or      vb, vb, t4            # 23
    addw    t1, t3, w9            # 24
    addw    vb, vb, vc            # 23
    and     t0, t5, vc            # 24
    addw    va, va, t1            # 24
    and     t2, vb, vd            # 24
    addw    va, va, t0            # 24
    lw      t4, -28(table)        # 25
    addw    va, va, t2            # 24
    not     t3, vc                # 25
    slliw   t5, va, 5             # 24
    srliw   va, va, 27            # 24
    or      va, va, t5            # 24
    addw    t1, t4, w14           # 25
    addw    va, va, vb            # 24
    and     t0, t3, vb            # 25
    addw    vd, vd, t1            # 25
    and     t2, va, vc            # 25
    addw    vd, vd, t0            # 25
    lw      t5, -24(table)        # 26
    addw    vd, vd, t2            # 25
    not     t4, vb                # 26
    slliw   t3, vd, 9             # 25
    srliw   vd, vd, 23            # 25
    or      vd, vd, t3            # 25
    addw    t1, t5, w3            # 26
    addw    vd, vd, va            # 25
    and     t0, t4, va            # 26
    addw    vc, vc, t1            # 26
    and     t2, vd, vb            # 26
    addw    vc, vc, t0            # 26
    lw      t3, -20(table)        # 27
    addw    vc, vc, t2            # 26
    not     t5, va                # 27
    slliw   t4, vc, 14            # 26
    srliw   vc, vc, 18            # 26
    or      vc, vc, t4            # 26
    addw    t1, t3, w8            # 27
    addw    vc, vc, vd            # 26
    and     t0, t5, vd            # 27
    addw    vb, vb, t1            # 27
    and     t2, vc, va            # 27
    addw    vb, vb, t0            # 27
    lw      t4, -16(table)        # 28
    addw    vb, vb, t2            # 27
    not     t3, vd                # 28
    slliw   t5, vb, 20            # 27
    srliw   vb, vb, 12            # 27
    or      vb, vb, t5            # 27
    addw    t1, t4, w13           # 28
    addw    vb, vb, vc            # 27
    and     t0, t3, vc            # 28
    addw    va, va, t1            # 28
    and     t2, vb, vd            # 28
    addw    va, va, t0            # 28
    lw      t5, -12(table)        # 29
    addw    va, va, t2            # 28
    not     t4, vc                # 29
    slliw   t3, va, 5             # 28
    srliw   va, va, 27            # 28
    or      va, va, t3            # 28
    addw    t1, t5, w2            # 29
    addw    va, va, vb            # 28
    and     t0, t4, vb            # 29
    addw    vd, vd, t1            # 29
    and     t2, va, vc            # 29
    addw    vd, vd, t0            # 29
    lw      t3, -8(table)         # 30
    addw    vd, vd, t2            # 29
    not     t5, vb                # 30
    slliw   t4, vd, 9             # 29
    srliw   vd, vd, 23            # 29
    or      vd, vd, t4            # 29
    addw    t1, t3, w7            # 30
    addw    vd, vd, va            # 29
    and     t0, t5, va            # 30
    addw    vc, vc, t1            # 30
    and     t2, vd, vb            # 30
    addw    vc, vc, t0            # 30
    lw      t4, -4(table)         # 31
    addw    vc, vc, t2            # 30
    not     t3, va                # 31
    slliw   t5, vc, 14            # 30
    srliw   vc, vc, 18            # 30
    or      vc, vc, t5            # 30
    addw    t1, t4, w12           # 31
    addw    vc, vc, vd            # 30
    and     t0, t3, vd            # 31
    addw    vb, vb, t1            # 31
    and     t2, vc, va            # 31
    addw    vb, vb, t0            # 31
    lw      t5, 0(table)          # 32
    addw    vb, vb, t2            # 31
    xor     t4, vc, vd            # 32
    slliw   t3, vb, 20            # 31
    srliw   vb, vb, 12            # 31
    or      vb, vb, t3            # 31
    addw    t1, t5, w5            # 32
    addw    vb, vb, vc            # 31
    addw    va, va, t1            # 32
    xor     t0, t4, vb            # 32
    lw      t2, 4(table)          # 33
    addw    va, va, t0            # 32
    xor     t3, vb, vc            # 33
    slliw   t5, va, 4             # 32
    srliw   va, va, 28            # 32
    or      va, va, t5            # 32
    addw    t1, t2, w8            # 33
    addw    va, va, vb            # 32
    addw    vd, vd, t1            # 33
    xor     t4, t3, va            # 33
    lw      t0, 8(table)          # 34
    addw    vd, vd, t4            # 33
    xor     t5, va, vb            # 34
    slliw   t2, vd, 11            # 33
    srliw   vd, vd, 21            # 33
    or      vd, vd, t2            # 33
    addw    t1, t0, w11           # 34
    addw    vd, vd, va            # 33
    addw    vc, vc, t1            # 34
    xor     t3, t5, vd            # 34
    lw      t4, 12(table)         # 35
    addw    vc, vc, t3            # 34
    xor     t2, vd, va            # 35
    slliw   t0, vc, 16            # 34
    srliw   vc, vc, 16            # 34
    or      vc, vc, t0            # 34
    addw    t1, t4, w14           # 35
    addw    vc, vc, vd            # 34
    addw    vb, vb, t1            # 35
    xor     t5, t2, vc            # 35
    lw      t3, 16(table)         # 36
    addw    vb, vb, t5            # 35
    xor     t0, vc, vd            # 36
    slliw   t4, vb, 23            # 35
    srliw   vb, vb, 9             # 35
    or      vb, vb, t4            # 35
    addw    t1, t3, w1            # 36
    addw    vb, vb, vc            # 35
    addw    va, va, t1            # 36
    xor     t2, t0, vb            # 36
    lw      t5, 20(table)         # 37
    addw    va, va, t2            # 36
    xor     t4, vb, vc            # 37
    slliw   t3, va, 4             # 36
    srliw   va, va, 28            # 36
    or      va, va, t3            # 36
    addw    t1, t5, w4            # 37
    addw    va, va, vb            # 36
    addw    vd, vd, t1            # 37
    xor     t0, t4, va            # 37
    lw      t2, 24(table)         # 38
    addw    vd, vd, t0            # 37
    xor     t3, va, vb            # 38
    slliw   t5, vd, 11            # 37
    srliw   vd, vd, 21            # 37
    or      vd, vd, t5            # 37
    addw    t1, t2, w7            # 38
    addw    vd, vd, va            # 37
    addw    vc, vc, t1            # 38
    xor     t4, t3, vd            # 38
    lw      t0, 28(table)         # 39
    addw    vc, vc, t4            # 38
    xor     t5, vd, va            # 39
    slliw   t2, vc, 16            # 38
    srliw   vc, vc, 16            # 38
    or      vc, vc, t2            # 38
    addw    t1, t0, w10           # 39
    addw    vc, vc, vd            # 38
    addw    vb, vb, t1            # 39
    xor     t3, t5, vc            # 39
    lw      t4, 32(table)         # 40
    addw    vb, vb, t3            # 39
    xor     t2, vc, vd            # 40
    slliw   t0, vb, 23            # 39
    srliw   vb, vb, 9             # 39
    or      vb, vb, t0            # 39
    addw    t1, t4, w13           # 40
    addw    vb, vb, vc            # 39
    addw    va, va, t1            # 40
    xor     t5, t2, vb            # 40
    lw      t3, 36(table)         # 41
    addw    va, va, t5            # 40
    xor     t0, vb, vc            # 41
    slliw   t4, va, 4             # 40
    srliw   va, va, 28            # 40
    or      va, va, t4            # 40
    addw    t1, t3, w0            # 41
    addw    va, va, vb            # 40
    addw    vd, vd, t1            # 41
    xor     t2, t0, va            # 41
    lw      t5, 40(table)         # 42
    addw    vd, vd, t2            # 41
    xor     t4, va, vb            # 42
    slliw   t3, vd, 11            # 41
    srliw   vd, vd, 21            # 41
    or      vd, vd, t3            # 41
    addw    t1, t5, w3            # 42
    addw    vd, vd, va            # 41
    addw    vc, vc, t1            # 42
    xor     t0, t4, vd            # 42
    lw      t2, 44(table)         # 43
    addw    vc, vc, t0            # 42
    xor     t3, vd, va            # 43
    slliw   t5, vc, 16            # 42
    srliw   vc, vc, 16            # 42
    or      vc, vc, t5            # 42
    addw    t1, t2, w6            # 43
    addw    vc, vc, vd            # 42
    addw    vb, vb, t1            # 43
    xor     t4, t3, vc            # 43
    lw      t0, 48(table)         # 44
    addw    vb, vb, t4            # 43
    xor     t5, vc, vd            # 44
    slliw   t2, vb, 23            # 43
    srliw   vb, vb, 9             # 43
    or      vb, vb, t2            # 43
    addw    t1, t0, w9            # 44
    addw    vb, vb, vc            # 43
    addw    va, va, t1            # 44
    xor     t3, t5, vb            # 44
    lw      t4, 52(table)         # 45
    addw    va, va, t3            # 44
    xor     t2, vb, vc            # 45
    slliw   t0, va, 4             # 44
    srliw   va, va, 28            # 44
    or      va, va, t0            # 44
    addw    t1, t4, w12           # 45
    addw    va, va, vb            # 44
    addw    vd, vd, t1            # 45
    xor     t5, t2, va            # 45
    lw      t3, 56(table)         # 46
    addw    vd, vd, t5            # 45
    xor     t0, va, vb            # 46
    slliw   t4, vd, 11            # 45
    srliw   vd, vd, 21            # 45
    or      vd, vd, t4            # 45
    addw    t1, t3, w15           # 46
    addw    vd, vd, va            # 45
    addw    vc, vc, t1            # 46
    xor     t2, t0, vd            # 46
    lw      t5, 60(table)         # 47
    addw    vc, vc, t2            # 46
    xor     t4, vd, va            # 47
    slliw   t3, vc, 16            # 46
    srliw   vc, vc, 16            # 46
    or      vc, vc, t3            # 46
    subw    t1, t5, w2            # 47
    addw    vc, vc, vd            # 46
    subw    vb, t1, vb            # 47
    xor     t0, t4, vc            # 47
    lw      t2, 64(table)         # 48
    subw    vb, vb, t0            # 47
    lw      t3, 68(table)         # 49
    slliw   t5, vb, 23            # 47
    srliw   vb, vb, 9             # 47
    or      vb, vb, t5            # 47
    addw    t1, t2, w0            # 48
    subw    vb, vb, vc            # 47
    addw    va, va, t1            # 48
    and     t4, vb, vd            # 48
    addw    t0, t3, w7            # 49
    xor     t5, t4, vc            # 48
    addw    vd, vd, t0            # 49
    subw    va, va, t5            # 48
    lw      t2, 72(table)         # 50
    slliw   t1, va, 6             # 48
    srliw   va, va, 26            # 48
    or      va, va, t1            # 48
    lw      t3, 76(table)         # 51
    subw    va, vb, va            # 48
    addw    t4, t2, w14           # 50
    and     t0, va, vc            # 49
    not     t5, va                # 49
    xor     t1, t0, vb            # 49
    addw    vc, vc, t4            # 50
    addw    vd, vd, t1            # 49
    subw    t2, t3, w5            # 51
    slliw   t0, vd, 10            # 49
    srliw   vd, vd, 22            # 49
    or      vd, vd, t0            # 49
    lw      t4, 80(table)         # 52
    addw    vd, vd, t5            # 49
    lw      t1, 84(table)         # 53
    or      t3, vd, vb            # 50
    addw    vb, vb, t2            # 51
    xor     t0, t3, va            # 50
    addw    t5, t4, w12           # 52
    subw    vc, vc, t0            # 50
    addw    t2, t1, w3            # 53
    slliw   t3, vc, 15            # 50
    srliw   vc, vc, 17            # 50
    or      vc, vc, t3            # 50
    lw      t4, 88(table)         # 54
    addw    vc, vc, vd            # 50
    lw      t0, 92(table)         # 55
    or      t1, vc, va            # 51
    subw    va, t5, va            # 52
    xor     t3, t1, vd            # 51
    addw    t5, t4, w10           # 54
    subw    vb, vb, t3            # 51
    subw    t1, t0, w1            # 55
    slliw   t4, vb, 21            # 51
    srliw   vb, vb, 11            # 51
    or      vb, vb, t4            # 51
    lw      t3, 96(table)         # 56
    subw    vb, vb, vc            # 51
    lw      t0, 100(table)        # 57
    and     t4, vb, vd            # 52
    addw    vd, vd, t2            # 53
    xor     t2, t4, vc            # 52
    addw    t4, t3, w8            # 56
    subw    va, va, t2            # 52
    addw    t3, t0, w15           # 57
    slliw   t2, va, 6             # 52
    srliw   va, va, 26            # 52
    or      va, va, t2            # 52
    lw      t0, 104(table)        # 58
    subw    va, vb, va            # 52
    and     t2, va, vc            # 53
    addw    vc, vc, t5            # 54
    xor     t5, t2, vb            # 53
    addw    t2, t0, w6            # 58
    addw    vd, vd, t5            # 53
    not     t0, va                # 53
    slliw   t5, vd, 10            # 53
    srliw   vd, vd, 22            # 53
    or      vd, vd, t5            # 53
    addw    vd, vd, t0            # 53
    lw      t5, 108(table)        # 59
    or      t0, vd, vb            # 54
    addw    vb, vb, t1            # 55
    xor     t1, t0, va            # 54
    subw    vc, vc, t1            # 54
    subw    t0, t5, w13           # 59
    slliw   t1, vc, 15            # 54
    srliw   vc, vc, 17            # 54
    or      vc, vc, t1            # 54
    lw      t5, 112(table)        # 60
    addw    vc, vc, vd            # 54
    or      t1, vc, va            # 55
    subw    va, t4, va            # 56
    xor     t4, t1, vd            # 55
    addw    t1, t5, w4            # 60
    subw    vb, vb, t4            # 55
    lw      t5, 116(table)        # 61
    slliw   t4, vb, 21            # 55
    srliw   vb, vb, 11            # 55
    or      vb, vb, t4            # 55
    subw    vb, vb, vc            # 55
    addw    t4, t5, w11           # 61
    and     t5, vb, vd            # 56
    addw    vd, vd, t3            # 57
    xor     t3, t5, vc            # 56
    subw    va, va, t3            # 56
    lw      t5, 120(table)        # 62
    slliw   t3, va, 6             # 56
    srliw   va, va, 26            # 56
    or      va, va, t3            # 56
    subw    va, vb, va            # 56
    addw    t3, t5, w2            # 62
    and     t5, va, vc            # 57
    addw    vc, vc, t2            # 58
    xor     t2, t5, vb            # 57
    addw    vd, vd, t2            # 57
    not     t5, va                # 57
    slliw   t2, vd, 10            # 57
    srliw   vd, vd, 22            # 57
    or      vd, vd, t2            # 57
    addw    vd, vd, t5            # 57
    lw      t2, 124(table)        # 63
    or      t5, vd, vb            # 58
    addw    vb, vb, t0            # 59
    xor     t0, t5, va            # 58
    subw    vc, vc, t0            # 58
    addw    t5, t2, w9            # 63
    slliw   t0, vc, 15            # 58
    srliw   vc, vc, 17            # 58
    or      vc, vc, t0            # 58
    lw      t2, 0(sp)             # state
    addw    vc, vc, vd            # 58
    or      t0, vc, va            # 59
    subw    va, t1, va            # 60
    xor     t1, t0, vd            # 59
    addi    data, data, 64        # next
    subw    vb, vb, t1            # 59
    lw      t0, 12(sp)            # state
    slliw   t1, vb, 21            # 59
    srliw   vb, vb, 11            # 59
    or      vb, vb, t1            # 59
    subw    vb, vb, vc            # 59
    and     t1, vb, vd            # 60
    addw    vd, vd, t4            # 61
    xor     t4, t1, vc            # 60
    subw    va, va, t4            # 60
    lw      t1, 8(sp)             # state
    slliw   t4, va, 6             # 60
    srliw   va, va, 26            # 60
    or      va, va, t4            # 60
    subw    va, vb, va            # 60
    and     t4, va, vc            # 61
    addw    vc, vc, t3            # 62
    xor     t3, t4, vb            # 61
    addw    vd, vd, t3            # 61
    not     t4, va                # 61
    slliw   t3, vd, 10            # 61
    srliw   vd, vd, 22            # 61
    or      vd, vd, t3            # 61
    addw    vd, vd, t4            # 61
    lw      t3, 4(sp)             # state
    or      t4, vd, vb            # 62
    subw    vb, t5, vb            # 63
    xor     t5, t4, va            # 62
    subw    vc, vc, t5            # 62
    slliw   t4, vc, 15            # 62
    srliw   vc, vc, 17            # 62
    or      vc, vc, t4            # 62
    addw    vc, vc, vd            # 62
    or      t5, vc, va            # 63
    not     va, va                # state
    xor     t4, t5, vd            # 63
    addw    va, va, t2            # state
    addw    vb, vb, t4            # 63
    addw    vd, vd, t0            # state
    slliw   t5, vb, 21            # 63
    srliw   vb, vb, 11            # 63
    or      vb, vb, t5            # 63
    sw      va, 0(sp)             # state
    addw    vb, vb, vc            # 63
    addw    vc, vc, t1            # state
    addw    vb, vb, t3            # state
    sw      vd, 12(sp)            # state
    sw      vc, 8(sp)             # state
    sw      vb, 4(sp)             # state
    ld      t0, 16(sp)            # next
    bne     data, t0, .Laligned
kp_mark kp_md5_rv64_compress_aligned_loop_end

.Ldone:
    ld      a0, 32(sp)
    sw      va, 0(a0)
    sw      vb, 4(a0)
    sw      vc, 8(a0)
    sw      vd, 12(a0)
    sd      zero, 0(sp)
    sd      zero, 8(sp)
    .cfi_remember_state
    ld      ra, 40(sp)
    .cfi_restore ra
    ld      s0, 48(sp)
    .cfi_restore s0
    ld      s1, 56(sp)
    .cfi_restore s1
    ld      s2, 64(sp)
    .cfi_restore s2
    ld      s3, 72(sp)
    .cfi_restore s3
    ld      s4, 80(sp)
    .cfi_restore s4
    ld      s5, 88(sp)
    .cfi_restore s5
    ld      s6, 96(sp)
    .cfi_restore s6
    ld      s7, 104(sp)
    .cfi_restore s7
    ld      s8, 112(sp)
    .cfi_restore s8
    ld      s9, 120(sp)
    .cfi_restore s9
    ld      s10, 128(sp)
    .cfi_restore s10
    ld      s11, 136(sp)
    .cfi_restore s11
    addi    sp, sp, 144
    .cfi_def_cfa_offset 0
.Lnothing:
    ret
    .cfi_restore_state

.Lunaligned:
    andi    t0, data, 7
    slli    t2, t0, 3
    sd      t2, 24(sp)
    addi    t3, t1, -64         # the last block, rounded down
    andi    t3, t3, -8
    sd      t3, 16(sp)
    ori     t4, data, 7
    addi    t4, t4, 1
    li      w0, 0
.Lfirst_bytes:
    addi    t4, t4, -1
    lbu     t0, 0(t4)
    slli    w0, w0, 8
    or      w0, w0, t0
    bne     t4, data, .Lfirst_bytes
    sll     w0, w0, t2
    andi    data, data, -8
    bne     data, t3, .Lninth
    j       .Llast_block

    .p2align 4
kp_mark kp_md5_rv64_compress_unaligned_loop_begin
.Lunaligned_block:
    ld      w0, 0(data)
.Lninth:
    ld      w15, 64(data)
.Lunaligned_words:
    ld      t5, 24(sp)            # words
    ld      w2, 8(data)           # words
    ld      w4, 16(data)          # words
    neg     t4, t5                # words
    srl     w0, w0, t5            # words
    sll     w1, w2, t4            # words
    srl     w2, w2, t5            # words
    or      w0, w0, w1            # words
    sll     w3, w4, t4            # words
    xor     t3, vc, vd            # 0
    srli    w1, w0, 32            # words
    lw      t2, -128(table)       # 0
    and     t1, vb, t3            # 0
    xor     t0, t1, vd            # 0
    or      w2, w2, w3            # words
    srli    w3, w2, 32            # words
    ld      w6, 24(data)          # words
    addw    t3, t2, w0            # 0
    srl     w4, w4, t5            # words
    addw    va, va, t3            # 0
    ld      w8, 32(data)          # words
    addw    va, va, t0            # 0
    sll     w5, w6, t4            # words
    slliw   t1, va, 7             # 0
    srliw   va, va, 25            # 0
    or      va, va, t1            # 0
    or      w4, w4, w5            # words
    addw    va, va, vb            # 0
    srli    w5, w4, 32            # words
    xor     t2, vb, vc            # 1
    sll     w7, w8, t4            # words
    and     t3, va, t2            # 1
    srl     w6, w6, t5            # words
    lw      t0, -124(table)       # 1
    xor     t1, t3, vc            # 1
    or      w6, w6, w7            # words
    ld      w10, 40(data)         # words
    srli    w7, w6, 32            # words
    srl     w8, w8, t5            # words
    addw    t2, t0, w1            # 1
    ld      w12, 48(data)         # words
    addw    vd, vd, t2            # 1
    sll     w9, w10, t4           # words
    addw    vd, vd, t1            # 1
    or      w8, w8, w9            # words
    slliw   t3, vd, 12            # 1
    srliw   vd, vd, 20            # 1
    or      vd, vd, t3            # 1
    srli    w9, w8, 32            # words
    addw    vd, vd, va            # 1
    xor     t0, va, vb            # 2
    sll     w11, w12, t4          # words
    srl     w10, w10, t5          # words
    and     t2, vd, t0            # 2
    or      w10, w10, w11         # words
    lw      t1, -120(table)       # 2
    xor     t3, t2, vb            # 2
    srli    w11, w10, 32          # words
    ld      w14, 56(data)         # words
    srl     w12, w12, t5          # words
    sll     w15, w15, t4          # words
    addw    t0, t1, w2            # 2
    addw    vc, vc, t0            # 2
    sll     w13, w14, t4          # words
    addw    vc, vc, t3            # 2
    or      w12, w12, w13         # words
    slliw   t2, vc, 17            # 2
    srliw   vc, vc, 15            # 2
    srli    w13, w12, 32          # words
    srl     w14, w14, t5          # words
    or      vc, vc, t2            # 2
    xor     t1, vd, va            # 3
    addw    vc, vc, vd            # 2
    or      w14, w14, w15         # words
    and     t0, vc, t1            # 3
    srli    w15, w14, 32          # words
    lw      t4, -116(table)       # 3
    xor     t3, t0, va            # 3
    lw      t5, -112(table)       # 4
    xor     t2, vc, vd            # 4
    lw      t1, -108(table)       # 5
    addw    t0, t4, w3            # 3
    addw    vb, vb, t0            # 3
    addw    t4, t5, w4            # 4
    addw    vb, vb, t3            # 3
    addw    va, va, t4            # 4
    slliw   t0, vb, 22            # 3
    srliw   vb, vb, 10            # 3
    or      vb, vb, t0            # 3
    addw    t5, t1, w5            # 5
    addw    vb, vb, vc            # 3
    lw      t3, -104(table)       # 6
    and     t4, vb, t2            # 4
    xor     t0, vb, vc            # 5
    xor     t1, t4, vd            # 4
    addw    vd, vd, t5            # 5
    addw    va, va, t1            # 4
    addw    t2, t3, w6            # 6
    slliw   t4, va, 7             # 4
    srliw   va, va, 25            # 4
    or      va, va, t4            # 4
    lw      t5, -100(table)       # 7
    addw    va, va, vb            # 4
    and     t1, va, t0            # 5
    xor     t3, va, vb            # 6
    xor     t4, t1, vc            # 5
    addw    vc, vc, t2            # 6
    addw    vd, vd, t4            # 5
    addw    t0, t5, w7            # 7
    slliw   t1, vd, 12            # 5
    srliw   vd, vd, 20            # 5
    or      vd, vd, t1            # 5
    lw      t2, -96(table)        # 8
    addw    vd, vd, va            # 5
    and     t4, vd, t3            # 6
    xor     t5, vd, va            # 7
    xor     t1, t4, vb            # 6
    addw    vb, vb, t0            # 7
    addw    vc, vc, t1            # 6
    addw    t3, t2, w8            # 8
    slliw   t4, vc, 17            # 6
    srliw   vc, vc, 15            # 6
    or      vc, vc, t4            # 6
    lw      t0, -92(table)        # 9
    addw    vc, vc, vd            # 6
    and     t1, vc, t5            # 7
    xor     t2, vc, vd            # 8
    xor     t4, t1, va            # 7
    addw    va, va, t3            # 8
    addw    vb, vb, t4            # 7
    addw    t5, t0, w9            # 9
    slliw   t1, vb, 22            # 7
    srliw   vb, vb, 10            # 7
    or      vb, vb, t1            # 7
    lw      t3, -88(table)        # 10
    addw    vb, vb, vc            # 7
    and     t4, vb, t2            # 8
    xor     t0, vb, vc            # 9
    xor     t1, t4, vd            # 8
    addw    vd, vd, t5            # 9
    addw    va, va, t1            # 8
    addw    t2, t3, w10           # 10
    slliw   t4, va, 7             # 8
    srliw   va, va, 25            # 8
    or      va, va, t4            # 8
    lw      t5, -84(table)        # 11
    addw    va, va, vb            # 8
    and     t1, va, t0            # 9
    xor     t3, va, vb            # 10
    xor     t4, t1, vc            # 9
    addw    vc, vc, t2            # 10
    addw    vd, vd, t4            # 9
    addw    t0, t5, w11           # 11
    slliw   t1, vd, 12            # 9
    srliw   vd, vd, 20            # 9
    or      vd, vd, t1            # 9
    lw      t2, -80(table)        # 12
    addw    vd, vd, va            # 9
    and     t4, vd, t3            # 10
    xor     t5, vd, va            # 11
    xor     t1, t4, vb            # 10
    addw    vb, vb, t0            # 11
    addw    vc, vc, t1            # 10
    addw    t3, t2, w12           # 12
    slliw   t4, vc, 17            # 10
    srliw   vc, vc, 15            # 10
    or      vc, vc, t4            # 10
    lw      t0, -76(table)        # 13
    addw    vc, vc, vd            # 10
    and     t1, vc, t5            # 11
    xor     t2, vc, vd            # 12
    xor     t4, t1, va            # 11
    addw    va, va, t3            # 12
    addw    vb, vb, t4            # 11
    addw    t5, t0, w13           # 13
    slliw   t1, vb, 22            # 11
    srliw   vb, vb, 10            # 11
    or      vb, vb, t1            # 11
    lw      t3, -72(table)        # 14
    addw    vb, vb, vc            # 11
    and     t4, vb, t2            # 12
    xor     t0, vb, vc            # 13
    xor     t1, t4, vd            # 12
    addw    vd, vd, t5            # 13
    addw    va, va, t1            # 12
    addw    t2, t3, w14           # 14
    slliw   t4, va, 7             # 12
    srliw   va, va, 25            # 12
    or      va, va, t4            # 12
    lw      t5, -68(table)        # 15
    addw    va, va, vb            # 12
    and     t1, va, t0            # 13
    xor     t3, va, vb            # 14
    xor     t4, t1, vc            # 13
    addw    vc, vc, t2            # 14
    addw    vd, vd, t4            # 13
    addw    t0, t5, w15           # 15
    slliw   t1, vd, 12            # 13
    srliw   vd, vd, 20            # 13
    or      vd, vd, t1            # 13
    lw      t2, -64(table)        # 16
    addw    vd, vd, va            # 13
    and     t4, vd, t3            # 14
    xor     t5, vd, va            # 15
    xor     t1, t4, vb            # 14
    addw    vb, vb, t0            # 15
    addw    vc, vc, t1            # 14
    not     t3, vd                # 16
    slliw   t4, vc, 17            # 14
    srliw   vc, vc, 15            # 14
    or      vc, vc, t4            # 14
    addw    t0, t2, w1            # 16
    addw    vc, vc, vd            # 14
    lw      t1, -60(table)        # 17
    and     t4, vc, t5            # 15
    and     t2, t3, vc            # 16
    xor     t5, t4, va            # 15
    addw    va, va, t0            # 16
    addw    vb, vb, t5            # 15
    addw    va, va, t2            # 16
    slliw   t3, vb, 22            # 15
    srliw   vb, vb, 10            # 15
    or      vb, vb, t3            # 15
    not     t4, vc                # 17
    addw    vb, vb, vc            # 15
    addw    t0, t1, w6            # 17
    and     t5, vb, vd            # 16
    and     t2, t4, vb            # 17
    addw    va, va, t5            # 16
    addw    vd, vd, t0            # 17
    slliw   t3, va, 5             # 16
    srliw   va, va, 27            # 16
    or      va, va, t3            # 16
    addw    vd, vd, t2            # 17
    addw    va, va, vb            # 16
    lw      t1, -56(table)        # 18
    and     t4, va, vc            # 17
    not     t5, vb                # 18
    addw    vd, vd, t4            # 17
    and     t0, t5, va            # 18
    slliw   t3, vd, 9             # 17
    srliw   vd, vd, 23            # 17
    or      vd, vd, t3            # 17
    addw    t2, t1, w11           # 18
    addw    vd, vd, va            # 17
    addw    vc, vc, t2            # 18
    and     t4, vd, vb            # 18
    addw    vc, vc, t0            # 18
    addw    vc, vc, t4            # 18
    lw      t5, -52(table)        # 19
    slliw   t3, vc, 14            # 18
    srliw   vc, vc, 18            # 18
    or      vc, vc, t3            # 18
    not     t1, va                # 19
    addw    t2, t5, w0            # 19
    addw    vc, vc, vd            # 18
    and     t0, t1, vd            # 19
    addw    vb, vb, t2            # 19
    and     t4, vc, va            # 19
    addw    vb, vb, t0            # 19
    addw    vb, vb, t4            # 19
    lw      t3, -48(table)        # 20
    slliw   t5, vb, 20            # 19
    srliw   vb, vb, 12            # 19
    or      vb, vb, t5            # 19
    not     t1, vd                # 20
    addw    t2, t3, w5            # 20
    addw    vb, vb, vc            # 19
    and     t0, t1, vc            # 20
    addw    va, va, t2            # 20
    and     t4, vb, vd            # 20
    addw    va, va, t0            # 20
    addw    va, va, t4            # 20
    lw      t5, -44(table)        # 21
    slliw   t3, va, 5             # 20
    srliw   va, va, 27            # 20
    or      va, va, t3            # 20
    not     t1, vc                # 21
    addw    t2, t5, w10           # 21
    addw    va, va, vb            # 20
    and     t0, t1, vb            # 21
    addw    vd, vd, t2            # 21
    and     t4, va, vc            # 21
    addw    vd, vd, t0            # 21
    addw    vd, vd, t4            # 21
    lw      t3, -40(table)        # 22
    slliw   t5, vd, 9             # 21
    srliw   vd, vd, 23            # 21
    or      vd, vd, t5            # 21
    not     t1, vb                # 22
    addw    t2, t3, w15           # 22
    addw    vd, vd, va            # 21
    and     t0, t1, va            # 22
    addw    vc, vc, t2            # 22
    and     t4, vd, vb            # 22
    addw    vc, vc, t0            # 22
    addw    vc, vc, t4            # 22
    lw      t5, -36(table)        # 23
    slliw   t3, vc, 14            # 22
    srliw   vc, vc, 18            # 22
    or      vc, vc, t3            # 22
    not     t1, va                # 23
    addw    t2, t5, w4            # 23
    addw    vc, vc, vd            # 22
    and     t0, t1, vd            # 23
    addw    vb, vb, t2            # 23
    and     t4, vc, va            # 23
    addw    vb, vb, t0            # 23
    addw    vb, vb, t4            # 23
    lw      t3, -32(table)        # 24
    slliw   t5, vb, 20            # 23
    srliw   vb, vb, 12            # 23
    or      vb, vb, t5            # 23
    not     t1, vd                # 24
    addw    t2, t3, w9            # 24
    addw    vb, vb, vc            # 23
    and     t0, t1, vc            # 24
    addw    va, va, t2            # 24
    and     t4, vb, vd            # 24
    addw    va, va, t0            # 24
    addw    va, va, t4            # 24
    lw      t5, -28(table)        # 25
    slliw   t3, va, 5             # 24
    srliw   va, va, 27            # 24
    or      va, va, t3            # 24
    not     t1, vc                # 25
    addw    t2, t5, w14           # 25
    addw    va, va, vb            # 24
    and     t0, t1, vb            # 25
    addw    vd, vd, t2            # 25
    and     t4, va, vc            # 25
    addw    vd, vd, t0            # 25
    addw    vd, vd, t4            # 25
    lw      t3, -24(table)        # 26
    slliw   t5, vd, 9             # 25
    srliw   vd, vd, 23            # 25
    or      vd, vd, t5            # 25
    not     t1, vb                # 26
    addw    t2, t3, w3            # 26
    addw    vd, vd, va            # 25
    and     t0, t1, va            # 26
    addw    vc, vc, t2            # 26
    and     t4, vd, vb            # 26
    addw    vc, vc, t0            # 26
    addw    vc, vc, t4            # 26
    lw      t5, -20(table)        # 27
    slliw   t3, vc, 14            # 26
    srliw   vc, vc, 18            # 26
    or      vc, vc, t3            # 26
    not     t1, va                # 27
    addw    t2, t5, w8            # 27
    addw    vc, vc, vd            # 26
    and     t0, t1, vd            # 27
    addw    vb, vb, t2            # 27
    and     t4, vc, va            # 27
    addw    vb, vb, t0            # 27
    addw    vb, vb, t4            # 27
    lw      t3, -16(table)        # 28
    slliw   t5, vb, 20            # 27
    srliw   vb, vb, 12            # 27
    or      vb, vb, t5            # 27
    not     t1, vd                # 28
    addw    t2, t3, w13           # 28
    addw    vb, vb, vc            # 27
    and     t0, t1, vc            # 28
    addw    va, va, t2            # 28
    and     t4, vb, vd            # 28
    addw    va, va, t0            # 28
    addw    va, va, t4            # 28
    lw      t5, -12(table)        # 29
    slliw   t3, va, 5             # 28
    srliw   va, va, 27            # 28
    or      va, va, t3            # 28
    not     t1, vc                # 29
    addw    t2, t5, w2            # 29
    addw    va, va, vb            # 28
    and     t0, t1, vb            # 29
    addw    vd, vd, t2            # 29
    and     t4, va, vc            # 29
    addw    vd, vd, t0            # 29
    addw    vd, vd, t4            # 29
    lw      t3, -8(table)         # 30
    slliw   t5, vd, 9             # 29
    srliw   vd, vd, 23            # 29
    or      vd, vd, t5            # 29
    not     t1, vb                # 30
    addw    t2, t3, w7            # 30
    addw    vd, vd, va            # 29
    and     t0, t1, va            # 30
    addw    vc, vc, t2            # 30
    and     t4, vd, vb            # 30
    addw    vc, vc, t0            # 30
    addw    vc, vc, t4            # 30
    lw      t5, -4(table)         # 31
    slliw   t3, vc, 14            # 30
    srliw   vc, vc, 18            # 30
    or      vc, vc, t3            # 30
    not     t1, va                # 31
    addw    t2, t5, w12           # 31
    addw    vc, vc, vd            # 30
    and     t0, t1, vd            # 31
    addw    vb, vb, t2            # 31
    and     t4, vc, va            # 31
    addw    vb, vb, t0            # 31
    addw    vb, vb, t4            # 31
    lw      t3, 0(table)          # 32
    slliw   t5, vb, 20            # 31
    srliw   vb, vb, 12            # 31
    or      vb, vb, t5            # 31
    xor     t1, vc, vd            # 32
    addw    vb, vb, vc            # 31
    addw    t2, t3, w5            # 32
    xor     t0, t1, vb            # 32
    addw    va, va, t2            # 32
    addw    va, va, t0            # 32
    lw      t4, 4(table)          # 33
    slliw   t5, va, 4             # 32
    srliw   va, va, 28            # 32
    or      va, va, t5            # 32
    xor     t3, vb, vc            # 33
    addw    va, va, vb            # 32
    addw    t1, t4, w8            # 33
    xor     t2, t3, va            # 33
    addw    vd, vd, t1            # 33
    addw    vd, vd, t2            # 33
    lw      t0, 8(table)          # 34
    slliw   t5, vd, 11            # 33
    srliw   vd, vd, 21            # 33
    or      vd, vd, t5            # 33
    xor     t4, va, vb            # 34
    addw    vd, vd, va            # 33
    addw    t3, t0, w11           # 34
    xor     t1, t4, vd            # 34
    addw    vc, vc, t3            # 34
    addw    vc, vc, t1            # 34
    lw      t2, 12(table)         # 35
    slliw   t5, vc, 16            # 34
    srliw   vc, vc, 16            # 34
    or      vc, vc, t5            # 34
    xor     t0, vd, va            # 35
    addw    vc, vc, vd            # 34
    addw    t4, t2, w14           # 35
    xor     t3, t0, vc            # 35
    addw    vb, vb, t4            # 35
    addw    vb, vb, t3            # 35
    lw      t1, 16(table)         # 36
    slliw   t5, vb, 23            # 35
    srliw   vb, vb, 9             # 35
    or      vb, vb, t5            # 35
    xor     t2, vc, vd            # 36
    addw    vb, vb, vc            # 35
    addw    t0, t1, w1            # 36
    xor     t4, t2, vb            # 36
    addw    va, va, t0            # 36
    addw    va, va, t4            # 36
    lw      t3, 20(table)         # 37
    slliw   t5, va, 4             # 36
    srliw   va, va, 28            # 36
    or      va, va, t5            # 36
    xor     t1, vb, vc            # 37
    addw    va, va, vb            # 36
    addw    t2, t3, w4            # 37
    xor     t0, t1, va            # 37
    addw    vd, vd, t2            # 37
    addw    vd, vd, t0            # 37
    lw      t4, 24(table)         # 38
    slliw   t5, vd, 11            # 37
    srliw   vd, vd, 21            # 37
    or      vd, vd, t5            # 37
    xor     t3, va, vb            # 38
    addw    vd, vd, va            # 37
    addw    t1, t4, w7            # 38
    xor     t2, t3, vd            # 38
    addw    vc, vc, t1            # 38
    addw    vc, vc, t2            # 38
    lw      t0, 28(table)         # 39
    slliw   t5, vc, 16            # 38
    srliw   vc, vc, 16            # 38
    or      vc, vc, t5            # 38
    xor     t4, vd, va            # 39
    addw    vc, vc, vd            # 38
    addw    t3, t0, w10           # 39
    xor     t1, t4, vc            # 39
    addw    vb, vb, t3            # 39
    addw    vb, vb, t1            # 39
    lw      t2, 32(table)         # 40
    slliw   t5, vb, 23            # 39
    srliw   vb, vb, 9             # 39
    or      vb, vb, t5            # 39
    xor     t0, vc, vd            # 40
    addw    vb, vb, vc            # 39
    addw    t4, t2, w13           # 40
    xor     t3, t0, vb            # 40
    addw    va, va, t4            # 40
    addw    va, va, t3            # 40
    lw      t1, 36(table)         # 41
    slliw   t5, va, 4             # 40
    srliw   va, va, 28            # 40
    or      va, va, t5            # 40
    xor     t2, vb, vc            # 41
    addw    va, va, vb            # 40
    addw    t0, t1, w0            # 41
    xor     t4, t2, va            # 41
    addw    vd, vd, t0            # 41
    addw    vd, vd, t4            # 41
    lw      t3, 40(table)         # 42
    slliw   t5, vd, 11            # 41
    srliw   vd, vd, 21            # 41
    or      vd, vd, t5            # 41
    xor     t1, va, vb            # 42
    addw    vd, vd, va            # 41
    addw    t2, t3, w3            # 42
    xor     t0, t1, vd            # 42
    addw    vc, vc, t2            # 42
    addw    vc, vc, t0            # 42
    lw      t4, 44(table)         # 43
    slliw   t5, vc, 16            # 42
    srliw   vc, vc, 16            # 42
    or      vc, vc, t5            # 42
    xor     t3, vd, va            # 43
    addw    vc, vc, vd            # 42
    addw    t1, t4, w6            # 43
    xor     t2, t3, vc            # 43
    addw    vb, vb, t1            # 43
    addw    vb, vb, t2            # 43
    lw      t0, 48(table)         # 44
    slliw   t5, vb, 23            # 43
    srliw   vb, vb, 9             # 43
    or      vb, vb, t5            # 43
    xor     t4, vc, vd            # 44
    addw    vb, vb, vc            # 43
    addw    t3, t0, w9            # 44
    xor     t1, t4, vb            # 44
    addw    va, va, t3            # 44
    addw    va, va, t1            # 44
    lw      t2, 52(table)         # 45
    slliw   t5, va, 4             # 44
    srliw   va, va, 28            # 44
    or      va, va, t5            # 44
    xor     t0, vb, vc            # 45
    addw    va, va, vb            # 44
    addw    t4, t2, w12           # 45
    xor     t3, t0, va            # 45
    addw    vd, vd, t4            # 45
    addw    vd, vd, t3            # 45
    lw      t1, 56(table)         # 46
    slliw   t5, vd, 11            # 45
    srliw   vd, vd, 21            # 45
    or      vd, vd, t5            # 45
    xor     t2, va, vb            # 46
    addw    vd, vd, va            # 45
    addw    t0, t1, w15           # 46
    xor     t4, t2, vd            # 46
    addw    vc, vc, t0            # 46
    addw    vc, vc, t4            # 46
    lw      t3, 60(table)         # 47
    slliw   t5, vc, 16            # 46
    srliw   vc, vc, 16            # 46
    or      vc, vc, t5            # 46
    xor     t1, vd, va            # 47
    addw    vc, vc, vd            # 46
    subw    t2, t3, w2            # 47
    xor     t0, t1, vc            # 47
    subw    vb, t2, vb            # 47
    subw    vb, vb, t0            # 47
    lw      t4, 64(table)         # 48
    slliw   t5, vb, 23            # 47
    srliw   vb, vb, 9             # 47
    or      vb, vb, t5            # 47
    lw      t3, 68(table)         # 49
    subw    vb, vb, vc            # 47
    addw    t1, t4, w0            # 48
    and     t2, vb, vd            # 48
    addw    va, va, t1            # 48
    xor     t0, t2, vc            # 48
    addw    t5, t3, w7            # 49
    subw    va, va, t0            # 48
    addw    vd, vd, t5            # 49
    slliw   t4, va, 6             # 48
    srliw   va, va, 26            # 48
    or      va, va, t4            # 48
    lw      t1, 72(table)         # 50
    subw    va, vb, va            # 48
    lw      t2, 76(table)         # 51
    and     t3, va, vc            # 49
    not     t0, va                # 49
    xor     t5, t3, vb            # 49
    addw    t4, t1, w14           # 50
    addw    vd, vd, t5            # 49
    addw    vc, vc, t4            # 50
    slliw   t3, vd, 10            # 49
    srliw   vd, vd, 22            # 49
    or      vd, vd, t3            # 49
    subw    t1, t2, w5            # 51
    addw    vd, vd, t0            # 49
    lw      t5, 80(table)         # 52
    or      t4, vd, vb            # 50
    addw    vb, vb, t1            # 51
    xor     t3, t4, va            # 50
    lw      t2, 84(table)         # 53
    subw    vc, vc, t3            # 50
    addw    t0, t5, w12           # 52
    slliw   t1, vc, 15            # 50
    srliw   vc, vc, 17            # 50
    or      vc, vc, t1            # 50
    addw    t4, t2, w3            # 53
    addw    vc, vc, vd            # 50
    lw      t3, 88(table)         # 54
    or      t5, vc, va            # 51
    subw    va, t0, va            # 52
    xor     t1, t5, vd            # 51
    subw    vb, vb, t1            # 51
    addw    t2, t3, w10           # 54
    slliw   t0, vb, 21            # 51
    srliw   vb, vb, 11            # 51
    or      vb, vb, t0            # 51
    lw      t5, 92(table)         # 55
    subw    vb, vb, vc            # 51
    and     t1, vb, vd            # 52
    addw    vd, vd, t4            # 53
    xor     t3, t1, vc            # 52
    subw    t0, t5, w1            # 55
    subw    va, va, t3            # 52
    slliw   t4, va, 6             # 52
    srliw   va, va, 26            # 52
    or      va, va, t4            # 52
    lw      t1, 96(table)         # 56
    subw    va, vb, va            # 52
    and     t5, va, vc            # 53
    not     t3, va                # 53
    xor     t4, t5, vb            # 53
    addw    vc, vc, t2            # 54
    addw    vd, vd, t4            # 53
    addw    t5, t1, w8            # 56
    slliw   t2, vd, 10            # 53
    srliw   vd, vd, 22            # 53
    or      vd, vd, t2            # 53
    lw      t4, 100(table)        # 57
    addw    vd, vd, t3            # 53
    or      t1, vd, vb            # 54
    addw    vb, vb, t0            # 55
    xor     t2, t1, va            # 54
    addw    t3, t4, w15           # 57
    subw    vc, vc, t2            # 54
    slliw   t0, vc, 15            # 54
    srliw   vc, vc, 17            # 54
    or      vc, vc, t0            # 54
    lw      t1, 104(table)        # 58
    addw    vc, vc, vd            # 54
    or      t4, vc, va            # 55
    subw    va, t5, va            # 56
    xor     t2, t4, vd            # 55
    addw    t0, t1, w6            # 58
    subw    vb, vb, t2            # 55
    slliw   t5, vb, 21            # 55
    srliw   vb, vb, 11            # 55
    or      vb, vb, t5            # 55
    lw      t4, 108(table)        # 59
    subw    vb, vb, vc            # 55
    and     t1, vb, vd            # 56
    addw    vd, vd, t3            # 57
    xor     t2, t1, vc            # 56
    subw    t5, t4, w13           # 59
    subw    va, va, t2            # 56
    slliw   t3, va, 6             # 56
    srliw   va, va, 26            # 56
    or      va, va, t3            # 56
    lw      t1, 112(table)        # 60
    subw    va, vb, va            # 56
    and     t4, va, vc            # 57
    not     t2, va                # 57
    xor     t3, t4, vb            # 57
    addw    vc, vc, t0            # 58
    addw    vd, vd, t3            # 57
    addw    t4, t1, w4            # 60
    slliw   t0, vd, 10            # 57
    srliw   vd, vd, 22            # 57
    or      vd, vd, t0            # 57
    lw      t3, 116(table)        # 61
    addw    vd, vd, t2            # 57
    or      t1, vd, vb            # 58
    addw    vb, vb, t5            # 59
    xor     t0, t1, va            # 58
    addw    t2, t3, w11           # 61
    subw    vc, vc, t0            # 58
    slliw   t5, vc, 15            # 58
    srliw   vc, vc, 17            # 58
    or      vc, vc, t5            # 58
    lw      t1, 120(table)        # 62
    addw    vc, vc, vd            # 58
    or      t3, vc, va            # 59
    subw    va, t4, va            # 60
    xor     t0, t3, vd            # 59
    addw    t5, t1, w2            # 62
    subw    vb, vb, t0            # 59
    slliw   t4, vb, 21            # 59
    srliw   vb, vb, 11            # 59
    or      vb, vb, t4            # 59
    lw      t3, 124(table)        # 63
    subw    vb, vb, vc            # 59
    and     t1, vb, vd            # 60
    addw    vd, vd, t2            # 61
    xor     t0, t1, vc            # 60
    addw    t4, t3, w9            # 63
    subw    va, va, t0            # 60
    slliw   t2, va, 6             # 60
    srliw   va, va, 26            # 60
    or      va, va, t2            # 60
    lw      t1, 0(sp)             # state
    subw    va, vb, va            # 60
    and     t3, va, vc            # 61
    not     t0, va                # 61
    xor     t2, t3, vb            # 61
    addw    vc, vc, t5            # 62
    addw    vd, vd, t2            # 61
    lw      t3, 12(sp)            # state
    slliw   t5, vd, 10            # 61
    srliw   vd, vd, 22            # 61
    or      vd, vd, t5            # 61
    lw      t2, 8(sp)             # state
    addw    vd, vd, t0            # 61
    lw      t5, 4(sp)             # state
    or      t0, vd, vb            # 62
    subw    vb, t4, vb            # 63
    xor     t4, t0, va            # 62
    addi    data, data, 64        # next
    subw    vc, vc, t4            # 62
    slliw   t0, vc, 15            # 62
    srliw   vc, vc, 17            # 62
    or      vc, vc, t0            # 62
    addw    vc, vc, vd            # 62
    or      t4, vc, va            # 63
    not     va, va                # state
    xor     t0, t4, vd            # 63
    addw    va, va, t1            # state
    addw    vb, vb, t0            # 63
    addw    vd, vd, t3            # state
    slliw   t4, vb, 21            # 63
    srliw   vb, vb, 11            # 63
    or      vb, vb, t4            # 63
    sw      va, 0(sp)             # state
    addw    vb, vb, vc            # 63
    addw    vc, vc, t2            # state
    addw    vb, vb, t5            # state
    sw      vd, 12(sp)            # state
    sw      vc, 8(sp)             # state
    sw      vb, 4(sp)             # state
    ld      t0, 16(sp)            # next
    bltu    data, t0, .Lunaligned_block
kp_mark kp_md5_rv64_compress_unaligned_loop_end
    bne     data, t0, .Ldone
    ld      w0, 0(data)
.Llast_block:
    ld      t2, 24(sp)
    srli    t2, t2, 3
    addi    t0, data, 64
    add     t2, t2, t0          # where the data end
    li      w15, 0
.Llast_bytes:
    addi    t2, t2, -1
    lbu     t3, 0(t2)
    slli    w15, w15, 8
    or      w15, w15, t3
    bne     t2, t0, .Llast_bytes
    j       .Lunaligned_words
    kp_end kp_md5_rv64_compress

    /* RFC 1321's constants; those of the last round fit the complements (generate.py). */
    .section .rodata
    .p2align 6
.Lconstants:
    .word   0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501
    .word   0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821
    .word   0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8
    .word   0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a
    .word   0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70
    .word   0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0x3b53a99a
    .word   0xf4292243, 0x432aff97, 0xab9423a6, 0x036c5fc7, 0x655b59c1, 0x8f0ccc92, 0xffeff47c, 0x7a7ba22f
    .word   0x6fa87e4d, 0xfe2ce6e0, 0xa3014313, 0xb1f7ee5f, 0xf7537e80, 0xbd3af235, 0x2ad7d2ba, 0xeb86d390
