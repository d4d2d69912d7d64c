/* MD5 (RFC 1321) on RV64I with Zbb, one stream: roriw, andn and orn.
 *
 *     void kp_md5_zbb_compress(uint32_t state[4], const uint8_t *data, size_t blocks);
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
 * Source: RFC 1321, section 3.4. Against RV64I alone, Zbb wins a fifth.
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

    kp_function kp_md5_zbb_compress
    .option arch, +zbb
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
kp_mark kp_md5_zbb_compress_aligned_loop_begin
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
    roriw   va, va, 25            # 0
    addw    vd, vd, t4            # 1
    addw    va, va, vb            # 0
    addw    t5, t3, w2            # 2
    and     t2, va, t0            # 1
    xor     t1, va, vb            # 2
    xor     t4, t2, vc            # 1
    addw    vc, vc, t5            # 2
    addw    vd, vd, t4            # 1
    lw      w3, 12(data)          # words
    roriw   vd, vd, 20            # 1
    lw      t3, -116(table)       # 3
    addw    vd, vd, va            # 1
    lw      w4, 16(data)          # words
    and     t0, vd, t1            # 2
    xor     t2, vd, va            # 3
    xor     t5, t0, vb            # 2
    addw    t4, t3, w3            # 3
    addw    vc, vc, t5            # 2
    addw    vb, vb, t4            # 3
    roriw   vc, vc, 15            # 2
    lw      t1, -112(table)       # 4
    addw    vc, vc, vd            # 2
    lw      w5, 20(data)          # words
    and     t0, vc, t2            # 3
    xor     t3, vc, vd            # 4
    xor     t5, t0, va            # 3
    addw    t4, t1, w4            # 4
    addw    vb, vb, t5            # 3
    addw    va, va, t4            # 4
    roriw   vb, vb, 10            # 3
    lw      t2, -108(table)       # 5
    addw    vb, vb, vc            # 3
    lw      w6, 24(data)          # words
    and     t0, vb, t3            # 4
    xor     t1, vb, vc            # 5
    xor     t5, t0, vd            # 4
    addw    t4, t2, w5            # 5
    addw    va, va, t5            # 4
    addw    vd, vd, t4            # 5
    roriw   va, va, 25            # 4
    lw      t3, -104(table)       # 6
    addw    va, va, vb            # 4
    lw      w7, 28(data)          # words
    and     t0, va, t1            # 5
    xor     t2, va, vb            # 6
    xor     t5, t0, vc            # 5
    addw    t4, t3, w6            # 6
    addw    vd, vd, t5            # 5
    addw    vc, vc, t4            # 6
    roriw   vd, vd, 20            # 5
    lw      t1, -100(table)       # 7
    addw    vd, vd, va            # 5
    lw      w8, 32(data)          # words
    and     t0, vd, t2            # 6
    xor     t3, vd, va            # 7
    xor     t5, t0, vb            # 6
    addw    t4, t1, w7            # 7
    addw    vc, vc, t5            # 6
    addw    vb, vb, t4            # 7
    roriw   vc, vc, 15            # 6
    lw      w9, 36(data)          # words
    addw    vc, vc, vd            # 6
    lw      w10, 40(data)         # words
    and     t2, vc, t3            # 7
    xor     t0, vc, vd            # 8
    xor     t1, t2, va            # 7
    lw      w11, 44(data)         # words
    addw    vb, vb, t1            # 7
    lw      t5, -96(table)        # 8
    roriw   vb, vb, 10            # 7
    lw      w12, 48(data)         # words
    addw    vb, vb, vc            # 7
    lw      w13, 52(data)         # words
    and     t4, vb, t0            # 8
    addw    t3, t5, w8            # 8
    xor     t2, t4, vd            # 8
    addw    va, va, t3            # 8
    lw      w14, 56(data)         # words
    addw    va, va, t2            # 8
    lw      w15, 60(data)         # words
    lw      t1, -92(table)        # 9
    roriw   va, va, 25            # 8
    addw    va, va, vb            # 8
    xor     t0, vb, vc            # 9
    and     t5, va, t0            # 9
    lw      t4, -88(table)        # 10
    addw    t3, t1, w9            # 9
    xor     t2, t5, vc            # 9
    addw    vd, vd, t3            # 9
    xor     t0, va, vb            # 10
    addw    vd, vd, t2            # 9
    addw    t1, t4, w10           # 10
    roriw   vd, vd, 20            # 9
    addw    vc, vc, t1            # 10
    addw    vd, vd, va            # 9
    lw      t5, -84(table)        # 11
    and     t3, vd, t0            # 10
    xor     t2, vd, va            # 11
    xor     t4, t3, vb            # 10
    lw      t1, -80(table)        # 12
    addw    vc, vc, t4            # 10
    addw    t0, t5, w11           # 11
    roriw   vc, vc, 15            # 10
    addw    vb, vb, t0            # 11
    addw    vc, vc, vd            # 10
    addw    t3, t1, w12           # 12
    and     t4, vc, t2            # 11
    xor     t5, vc, vd            # 12
    xor     t0, t4, va            # 11
    addw    va, va, t3            # 12
    addw    vb, vb, t0            # 11
    lw      t1, -76(table)        # 13
    roriw   vb, vb, 10            # 11
    lw      t2, -72(table)        # 14
    addw    vb, vb, vc            # 11
    lw      t4, -68(table)        # 15
    and     t3, vb, t5            # 12
    xor     t0, vb, vc            # 13
    xor     t5, t3, vd            # 12
    addw    t3, t1, w13           # 13
    addw    va, va, t5            # 12
    addw    vd, vd, t3            # 13
    roriw   va, va, 25            # 12
    addw    t1, t2, w14           # 14
    addw    va, va, vb            # 12
    addw    t5, t4, w15           # 15
    and     t3, va, t0            # 13
    xor     t2, va, vb            # 14
    xor     t4, t3, vc            # 13
    addw    vc, vc, t1            # 14
    addw    vd, vd, t4            # 13
    lw      t0, -64(table)        # 16
    roriw   vd, vd, 20            # 13
    lw      t3, -60(table)        # 17
    addw    vd, vd, va            # 13
    lw      t1, -56(table)        # 18
    and     t4, vd, t2            # 14
    addw    t2, t0, w1            # 16
    xor     t0, t4, vb            # 14
    addw    vb, vb, t5            # 15
    addw    vc, vc, t0            # 14
    xor     t4, vd, va            # 15
    roriw   vc, vc, 15            # 14
    addw    t5, t3, w6            # 17
    addw    vc, vc, vd            # 14
    addw    t0, t1, w11           # 18
    and     t3, vc, t4            # 15
    andn    t1, vc, vd            # 16
    xor     t4, t3, va            # 15
    addw    va, va, t2            # 16
    addw    vb, vb, t4            # 15
    addw    va, va, t1            # 16
    roriw   vb, vb, 10            # 15
    lw      t3, -52(table)        # 19
    addw    vb, vb, vc            # 15
    lw      t2, -48(table)        # 20
    and     t4, vb, vd            # 16
    addw    vd, vd, t5            # 17
    addw    va, va, t4            # 16
    andn    t1, vb, vc            # 17
    roriw   va, va, 27            # 16
    addw    vd, vd, t1            # 17
    addw    va, va, vb            # 16
    addw    t5, t3, w0            # 19
    and     t4, va, vc            # 17
    andn    t1, va, vb            # 18
    addw    vd, vd, t4            # 17
    addw    vc, vc, t0            # 18
    roriw   vd, vd, 23            # 17
    addw    vc, vc, t1            # 18
    addw    vd, vd, va            # 17
    addw    t3, t2, w5            # 20
    and     t4, vd, vb            # 18
    andn    t0, vd, va            # 19
    addw    vc, vc, t4            # 18
    addw    vb, vb, t5            # 19
    roriw   vc, vc, 18            # 18
    addw    vb, vb, t0            # 19
    addw    vc, vc, vd            # 18
    lw      t1, -44(table)        # 21
    and     t2, vc, va            # 19
    andn    t4, vc, vd            # 20
    addw    vb, vb, t2            # 19
    addw    va, va, t3            # 20
    roriw   vb, vb, 12            # 19
    addw    va, va, t4            # 20
    addw    vb, vb, vc            # 19
    addw    t5, t1, w10           # 21
    and     t0, vb, vd            # 20
    andn    t2, vb, vc            # 21
    addw    va, va, t0            # 20
    addw    vd, vd, t5            # 21
    roriw   va, va, 27            # 20
    lw      t3, -40(table)        # 22
    addw    va, va, vb            # 20
    addw    vd, vd, t2            # 21
    and     t4, va, vc            # 21
    andn    t1, va, vb            # 22
    addw    vd, vd, t4            # 21
    addw    t0, t3, w15           # 22
    roriw   vd, vd, 23            # 21
    addw    vc, vc, t0            # 22
    addw    vd, vd, va            # 21
    lw      t5, -36(table)        # 23
    and     t2, vd, vb            # 22
    addw    vc, vc, t1            # 22
    addw    vc, vc, t2            # 22
    andn    t4, vd, va            # 23
    roriw   vc, vc, 18            # 22
    addw    t3, t5, w4            # 23
    addw    vc, vc, vd            # 22
    addw    vb, vb, t3            # 23
    lw      t0, -32(table)        # 24
    and     t1, vc, va            # 23
    addw    vb, vb, t4            # 23
    andn    t2, vc, vd            # 24
    addw    vb, vb, t1            # 23
    lw      t5, -28(table)        # 25
    roriw   vb, vb, 12            # 23
    addw    t3, t0, w9            # 24
    addw    vb, vb, vc            # 23
    addw    va, va, t3            # 24
    and     t4, vb, vd            # 24
    addw    va, va, t2            # 24
    addw    va, va, t4            # 24
    addw    t1, t5, w14           # 25
    roriw   va, va, 27            # 24
    andn    t0, vb, vc            # 25
    addw    va, va, vb            # 24
    addw    vd, vd, t1            # 25
    lw      t3, -24(table)        # 26
    and     t2, va, vc            # 25
    addw    vd, vd, t0            # 25
    andn    t4, va, vb            # 26
    addw    vd, vd, t2            # 25
    lw      t5, -20(table)        # 27
    roriw   vd, vd, 23            # 25
    addw    t1, t3, w3            # 26
    addw    vd, vd, va            # 25
    addw    vc, vc, t1            # 26
    and     t0, vd, vb            # 26
    addw    vc, vc, t4            # 26
    addw    vc, vc, t0            # 26
    addw    t2, t5, w8            # 27
    roriw   vc, vc, 18            # 26
    andn    t3, vd, va            # 27
    addw    vc, vc, vd            # 26
    addw    vb, vb, t2            # 27
    lw      t1, -16(table)        # 28
    and     t4, vc, va            # 27
    addw    vb, vb, t3            # 27
    andn    t0, vc, vd            # 28
    addw    vb, vb, t4            # 27
    lw      t5, -12(table)        # 29
    roriw   vb, vb, 12            # 27
    addw    t2, t1, w13           # 28
    addw    vb, vb, vc            # 27
    addw    va, va, t2            # 28
    and     t3, vb, vd            # 28
    addw    va, va, t0            # 28
    addw    va, va, t3            # 28
    addw    t4, t5, w2            # 29
    roriw   va, va, 27            # 28
    andn    t1, vb, vc            # 29
    addw    va, va, vb            # 28
    addw    vd, vd, t4            # 29
    lw      t2, -8(table)         # 30
    and     t0, va, vc            # 29
    addw    vd, vd, t1            # 29
    andn    t3, va, vb            # 30
    addw    vd, vd, t0            # 29
    lw      t5, -4(table)         # 31
    roriw   vd, vd, 23            # 29
    addw    t4, t2, w7            # 30
    addw    vd, vd, va            # 29
    addw    vc, vc, t4            # 30
    and     t1, vd, vb            # 30
    addw    vc, vc, t3            # 30
    addw    vc, vc, t1            # 30
    addw    t0, t5, w12           # 31
    roriw   vc, vc, 18            # 30
    andn    t2, vd, va            # 31
    addw    vc, vc, vd            # 30
    addw    vb, vb, t0            # 31
    and     t4, vc, va            # 31
    addw    vb, vb, t2            # 31
    lw      t3, 0(table)          # 32
    addw    vb, vb, t4            # 31
    roriw   vb, vb, 12            # 31
    xor     t1, vc, vd            # 32
    addw    vb, vb, vc            # 31
    lw      t5, 4(table)          # 33
    addw    t0, t3, w5            # 32
    xor     t2, t1, vb            # 32
    addw    va, va, t0            # 32
    xor     t4, vb, vc            # 33
    addw    va, va, t2            # 32
    addw    t3, t5, w8            # 33
    roriw   va, va, 28            # 32
    addw    vd, vd, t3            # 33
    addw    va, va, vb            # 32
    lw      t1, 8(table)          # 34
    xor     t0, t4, va            # 33
    xor     t2, va, vb            # 34
    addw    vd, vd, t0            # 33
    lw      t5, 12(table)         # 35
    roriw   vd, vd, 21            # 33
    addw    t3, t1, w11           # 34
    addw    vd, vd, va            # 33
    addw    vc, vc, t3            # 34
    xor     t4, t2, vd            # 34
    xor     t0, vd, va            # 35
    addw    vc, vc, t4            # 34
    addw    t1, t5, w14           # 35
    roriw   vc, vc, 16            # 34
    addw    vb, vb, t1            # 35
    addw    vc, vc, vd            # 34
    lw      t3, 16(table)         # 36
    xor     t2, t0, vc            # 35
    xor     t4, vc, vd            # 36
    addw    vb, vb, t2            # 35
    lw      t5, 20(table)         # 37
    roriw   vb, vb, 9             # 35
    addw    t1, t3, w1            # 36
    addw    vb, vb, vc            # 35
    addw    va, va, t1            # 36
    xor     t0, t4, vb            # 36
    xor     t2, vb, vc            # 37
    addw    va, va, t0            # 36
    addw    t3, t5, w4            # 37
    roriw   va, va, 28            # 36
    addw    vd, vd, t3            # 37
    addw    va, va, vb            # 36
    lw      t1, 24(table)         # 38
    xor     t4, t2, va            # 37
    xor     t0, va, vb            # 38
    addw    vd, vd, t4            # 37
    lw      t5, 28(table)         # 39
    roriw   vd, vd, 21            # 37
    addw    t3, t1, w7            # 38
    addw    vd, vd, va            # 37
    addw    vc, vc, t3            # 38
    xor     t2, t0, vd            # 38
    xor     t4, vd, va            # 39
    addw    vc, vc, t2            # 38
    addw    t1, t5, w10           # 39
    roriw   vc, vc, 16            # 38
    addw    vb, vb, t1            # 39
    addw    vc, vc, vd            # 38
    lw      t3, 32(table)         # 40
    xor     t0, t4, vc            # 39
    xor     t2, vc, vd            # 40
    addw    vb, vb, t0            # 39
    lw      t5, 36(table)         # 41
    roriw   vb, vb, 9             # 39
    addw    t1, t3, w13           # 40
    addw    vb, vb, vc            # 39
    addw    va, va, t1            # 40
    xor     t4, t2, vb            # 40
    xor     t0, vb, vc            # 41
    addw    va, va, t4            # 40
    addw    t3, t5, w0            # 41
    roriw   va, va, 28            # 40
    addw    vd, vd, t3            # 41
    addw    va, va, vb            # 40
    lw      t1, 40(table)         # 42
    xor     t2, t0, va            # 41
    xor     t4, va, vb            # 42
    addw    vd, vd, t2            # 41
    lw      t5, 44(table)         # 43
    roriw   vd, vd, 21            # 41
    addw    t3, t1, w3            # 42
    addw    vd, vd, va            # 41
    addw    vc, vc, t3            # 42
    xor     t0, t4, vd            # 42
    xor     t2, vd, va            # 43
    addw    vc, vc, t0            # 42
    addw    t1, t5, w6            # 43
    roriw   vc, vc, 16            # 42
    addw    vb, vb, t1            # 43
    addw    vc, vc, vd            # 42
    lw      t3, 48(table)         # 44
    xor     t4, t2, vc            # 43
    xor     t0, vc, vd            # 44
    addw    vb, vb, t4            # 43
    lw      t5, 52(table)         # 45
    roriw   vb, vb, 9             # 43
    addw    t1, t3, w9            # 44
    addw    vb, vb, vc            # 43
    addw    va, va, t1            # 44
    xor     t2, t0, vb            # 44
    xor     t4, vb, vc            # 45
    addw    va, va, t2            # 44
    addw    t3, t5, w12           # 45
    roriw   va, va, 28            # 44
    addw    vd, vd, t3            # 45
    addw    va, va, vb            # 44
    lw      t1, 56(table)         # 46
    xor     t0, t4, va            # 45
    xor     t2, va, vb            # 46
    addw    vd, vd, t0            # 45
    lw      t5, 60(table)         # 47
    roriw   vd, vd, 21            # 45
    addw    t3, t1, w15           # 46
    addw    vd, vd, va            # 45
    addw    vc, vc, t3            # 46
    xor     t4, t2, vd            # 46
    xor     t0, vd, va            # 47
    addw    vc, vc, t4            # 46
    addw    t1, t5, w2            # 47
    roriw   vc, vc, 16            # 46
    addw    vb, vb, t1            # 47
    addw    vc, vc, vd            # 46
    lw      t3, 64(table)         # 48
    xor     t2, t0, vc            # 47
    lw      t4, 68(table)         # 49
    addw    vb, vb, t2            # 47
    lw      t5, 72(table)         # 50
    roriw   vb, vb, 9             # 47
    addw    t1, t3, w0            # 48
    addw    vb, vb, vc            # 47
    addw    va, va, t1            # 48
    orn     t0, vb, vd            # 48
    addw    t2, t4, w7            # 49
    xor     t3, t0, vc            # 48
    addw    vd, vd, t2            # 49
    addw    va, va, t3            # 48
    addw    t1, t5, w14           # 50
    roriw   va, va, 26            # 48
    lw      t4, 76(table)         # 51
    addw    va, va, vb            # 48
    lw      t0, 80(table)         # 52
    orn     t2, va, vc            # 49
    addw    vc, vc, t1            # 50
    xor     t3, t2, vb            # 49
    addw    t5, t4, w5            # 51
    addw    vd, vd, t3            # 49
    addw    t1, t0, w12           # 52
    roriw   vd, vd, 22            # 49
    lw      t2, 84(table)         # 53
    addw    vd, vd, va            # 49
    lw      t4, 88(table)         # 54
    orn     t3, vd, vb            # 50
    addw    vb, vb, t5            # 51
    xor     t0, t3, va            # 50
    addw    t5, t2, w3            # 53
    addw    vc, vc, t0            # 50
    addw    t3, t4, w10           # 54
    roriw   vc, vc, 17            # 50
    lw      t2, 92(table)         # 55
    addw    vc, vc, vd            # 50
    lw      t0, 96(table)         # 56
    orn     t4, vc, va            # 51
    addw    va, va, t1            # 52
    xor     t1, t4, vd            # 51
    addw    t4, t2, w1            # 55
    addw    vb, vb, t1            # 51
    addw    t2, t0, w8            # 56
    roriw   vb, vb, 11            # 51
    lw      t1, 100(table)        # 57
    addw    vb, vb, vc            # 51
    orn     t0, vb, vd            # 52
    addw    vd, vd, t5            # 53
    xor     t5, t0, vc            # 52
    addw    t0, t1, w15           # 57
    addw    va, va, t5            # 52
    lw      t1, 104(table)        # 58
    roriw   va, va, 26            # 52
    addw    va, va, vb            # 52
    orn     t5, va, vc            # 53
    addw    vc, vc, t3            # 54
    xor     t3, t5, vb            # 53
    addw    t5, t1, w6            # 58
    addw    vd, vd, t3            # 53
    lw      t1, 108(table)        # 59
    roriw   vd, vd, 22            # 53
    addw    vd, vd, va            # 53
    orn     t3, vd, vb            # 54
    addw    vb, vb, t4            # 55
    xor     t4, t3, va            # 54
    addw    t3, t1, w13           # 59
    addw    vc, vc, t4            # 54
    lw      t1, 112(table)        # 60
    roriw   vc, vc, 17            # 54
    addw    vc, vc, vd            # 54
    orn     t4, vc, va            # 55
    addw    va, va, t2            # 56
    xor     t2, t4, vd            # 55
    addw    t4, t1, w4            # 60
    addw    vb, vb, t2            # 55
    lw      t1, 116(table)        # 61
    roriw   vb, vb, 11            # 55
    addi    data, data, 64        # next
    addw    vb, vb, vc            # 55
    orn     t2, vb, vd            # 56
    addw    vd, vd, t0            # 57
    xor     t0, t2, vc            # 56
    addw    t2, t1, w11           # 61
    addw    va, va, t0            # 56
    lw      t1, 120(table)        # 62
    roriw   va, va, 26            # 56
    addw    va, va, vb            # 56
    orn     t0, va, vc            # 57
    addw    vc, vc, t5            # 58
    xor     t5, t0, vb            # 57
    addw    t0, t1, w2            # 62
    addw    vd, vd, t5            # 57
    lw      t1, 124(table)        # 63
    roriw   vd, vd, 22            # 57
    addw    vd, vd, va            # 57
    orn     t5, vd, vb            # 58
    addw    vb, vb, t3            # 59
    xor     t3, t5, va            # 58
    addw    t5, t1, w9            # 63
    addw    vc, vc, t3            # 58
    lw      t1, 0(sp)             # state
    roriw   vc, vc, 17            # 58
    addw    vc, vc, vd            # 58
    orn     t3, vc, va            # 59
    addw    va, va, t4            # 60
    xor     t4, t3, vd            # 59
    addw    vb, vb, t4            # 59
    lw      t3, 12(sp)            # state
    roriw   vb, vb, 11            # 59
    addw    vb, vb, vc            # 59
    orn     t4, vb, vd            # 60
    addw    vd, vd, t2            # 61
    xor     t2, t4, vc            # 60
    addw    va, va, t2            # 60
    lw      t4, 8(sp)             # state
    roriw   va, va, 26            # 60
    addw    va, va, vb            # 60
    orn     t2, va, vc            # 61
    addw    vc, vc, t0            # 62
    xor     t0, t2, vb            # 61
    addw    vd, vd, t0            # 61
    lw      t2, 4(sp)             # state
    roriw   vd, vd, 22            # 61
    addw    vd, vd, va            # 61
    orn     t0, vd, vb            # 62
    addw    vb, vb, t5            # 63
    xor     t5, t0, va            # 62
    addw    vc, vc, t5            # 62
    roriw   vc, vc, 17            # 62
    addw    vc, vc, vd            # 62
    orn     t0, vc, va            # 63
    addw    va, va, t1            # state
    xor     t5, t0, vd            # 63
    addw    vd, vd, t3            # state
    addw    vb, vb, t5            # 63
    sw      va, 0(sp)             # state
    roriw   vb, vb, 11            # 63
    sw      vd, 12(sp)            # state
    addw    vb, vb, vc            # 63
    addw    vc, vc, t4            # state
    addw    vb, vb, t2            # state
    sw      vc, 8(sp)             # state
    sw      vb, 4(sp)             # state
    ld      t0, 16(sp)            # next
    bne     data, t0, .Laligned
kp_mark kp_md5_zbb_compress_aligned_loop_end

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
kp_mark kp_md5_zbb_compress_unaligned_loop_begin
.Lunaligned_block:
    ld      w0, 0(data)
.Lninth:
    ld      w15, 64(data)
.Lunaligned_words:
    ld      t5, 24(sp)            # words
    xor     t4, vc, vd            # 0
    ld      w2, 8(data)           # words
    and     t3, vb, t4            # 0
    lw      t2, -128(table)       # 0
    xor     t1, t3, vd            # 0
    neg     t0, t5                # words
    srl     w0, w0, t5            # words
    sll     w1, w2, t0            # words
    lw      t4, -124(table)       # 1
    or      w0, w0, w1            # words
    ld      w4, 16(data)          # words
    addw    t3, t2, w0            # 0
    srli    w1, w0, 32            # words
    addw    va, va, t3            # 0
    xor     t2, vb, vc            # 1
    addw    va, va, t1            # 0
    addw    t3, t4, w1            # 1
    roriw   va, va, 25            # 0
    addw    vd, vd, t3            # 1
    addw    va, va, vb            # 0
    lw      t1, -120(table)       # 2
    and     t4, va, t2            # 1
    sll     w3, w4, t0            # words
    xor     t3, t4, vc            # 1
    srl     w2, w2, t5            # words
    addw    vd, vd, t3            # 1
    or      w2, w2, w3            # words
    roriw   vd, vd, 20            # 1
    xor     t2, va, vb            # 2
    addw    vd, vd, va            # 1
    addw    t4, t1, w2            # 2
    and     t3, vd, t2            # 2
    addw    vc, vc, t4            # 2
    xor     t1, t3, vb            # 2
    srli    w3, w2, 32            # words
    addw    vc, vc, t1            # 2
    lw      t2, -116(table)       # 3
    roriw   vc, vc, 15            # 2
    xor     t4, vd, va            # 3
    addw    vc, vc, vd            # 2
    ld      w6, 24(data)          # words
    and     t3, vc, t4            # 3
    addw    t1, t2, w3            # 3
    xor     t4, t3, va            # 3
    srl     w4, w4, t5            # words
    sll     w5, w6, t0            # words
    ld      w8, 32(data)          # words
    addw    vb, vb, t1            # 3
    or      w4, w4, w5            # words
    addw    vb, vb, t4            # 3
    srli    w5, w4, 32            # words
    roriw   vb, vb, 10            # 3
    xor     t2, vc, vd            # 4
    addw    vb, vb, vc            # 3
    sll     w7, w8, t0            # words
    and     t3, vb, t2            # 4
    srl     w6, w6, t5            # words
    xor     t1, t3, vd            # 4
    or      w6, w6, w7            # words
    lw      t4, -112(table)       # 4
    srli    w7, w6, 32            # words
    ld      w10, 40(data)         # words
    srl     w8, w8, t5            # words
    ld      w12, 48(data)         # words
    sll     w15, w15, t0          # words
    addw    t2, t4, w4            # 4
    ld      w14, 56(data)         # words
    addw    va, va, t2            # 4
    sll     w9, w10, t0           # words
    addw    va, va, t1            # 4
    or      w8, w8, w9            # words
    roriw   va, va, 25            # 4
    srli    w9, w8, 32            # words
    addw    va, va, vb            # 4
    xor     t3, vb, vc            # 5
    and     t4, va, t3            # 5
    sll     w11, w12, t0          # words
    xor     t2, t4, vc            # 5
    srl     w10, w10, t5          # words
    lw      t1, -108(table)       # 5
    or      w10, w10, w11         # words
    srli    w11, w10, 32          # words
    sll     w13, w14, t0          # words
    srl     w12, w12, t5          # words
    srl     w14, w14, t5          # words
    addw    t3, t1, w5            # 5
    or      w12, w12, w13         # words
    addw    vd, vd, t3            # 5
    xor     t4, va, vb            # 6
    addw    vd, vd, t2            # 5
    srli    w13, w12, 32          # words
    lw      t0, -104(table)       # 6
    roriw   vd, vd, 20            # 5
    addw    vd, vd, va            # 5
    or      w14, w14, w15         # words
    and     t5, vd, t4            # 6
    srli    w15, w14, 32          # words
    addw    t1, t0, w6            # 6
    xor     t3, t5, vb            # 6
    addw    vc, vc, t1            # 6
    lw      t2, -100(table)       # 7
    addw    vc, vc, t3            # 6
    xor     t4, vd, va            # 7
    roriw   vc, vc, 15            # 6
    lw      t0, -96(table)        # 8
    addw    vc, vc, vd            # 6
    addw    t5, t2, w7            # 7
    and     t1, vc, t4            # 7
    addw    vb, vb, t5            # 7
    xor     t3, t1, va            # 7
    xor     t2, vc, vd            # 8
    addw    vb, vb, t3            # 7
    addw    t4, t0, w8            # 8
    roriw   vb, vb, 10            # 7
    addw    va, va, t4            # 8
    addw    vb, vb, vc            # 7
    lw      t5, -92(table)        # 9
    and     t1, vb, t2            # 8
    xor     t3, vb, vc            # 9
    xor     t0, t1, vd            # 8
    lw      t4, -88(table)        # 10
    addw    va, va, t0            # 8
    addw    t2, t5, w9            # 9
    roriw   va, va, 25            # 8
    addw    vd, vd, t2            # 9
    addw    va, va, vb            # 8
    addw    t1, t4, w10           # 10
    and     t0, va, t3            # 9
    xor     t5, va, vb            # 10
    xor     t2, t0, vc            # 9
    addw    vc, vc, t1            # 10
    addw    vd, vd, t2            # 9
    lw      t4, -84(table)        # 11
    roriw   vd, vd, 20            # 9
    lw      t3, -80(table)        # 12
    addw    vd, vd, va            # 9
    lw      t0, -76(table)        # 13
    and     t1, vd, t5            # 10
    xor     t2, vd, va            # 11
    xor     t5, t1, vb            # 10
    addw    t1, t4, w11           # 11
    addw    vc, vc, t5            # 10
    addw    vb, vb, t1            # 11
    roriw   vc, vc, 15            # 10
    addw    t4, t3, w12           # 12
    addw    vc, vc, vd            # 10
    addw    t5, t0, w13           # 13
    and     t1, vc, t2            # 11
    xor     t3, vc, vd            # 12
    xor     t0, t1, va            # 11
    addw    va, va, t4            # 12
    addw    vb, vb, t0            # 11
    lw      t2, -72(table)        # 14
    roriw   vb, vb, 10            # 11
    lw      t1, -68(table)        # 15
    addw    vb, vb, vc            # 11
    lw      t4, -64(table)        # 16
    and     t0, vb, t3            # 12
    addw    t3, t2, w14           # 14
    xor     t2, t0, vd            # 12
    addw    vd, vd, t5            # 13
    addw    va, va, t2            # 12
    xor     t0, vb, vc            # 13
    roriw   va, va, 25            # 12
    addw    t5, t1, w15           # 15
    addw    va, va, vb            # 12
    addw    t2, t4, w1            # 16
    and     t1, va, t0            # 13
    xor     t4, va, vb            # 14
    xor     t0, t1, vc            # 13
    addw    vc, vc, t3            # 14
    addw    vd, vd, t0            # 13
    lw      t1, -60(table)        # 17
    roriw   vd, vd, 20            # 13
    lw      t3, -56(table)        # 18
    addw    vd, vd, va            # 13
    and     t0, vd, t4            # 14
    addw    t4, t1, w6            # 17
    xor     t1, t0, vb            # 14
    addw    vb, vb, t5            # 15
    addw    vc, vc, t1            # 14
    xor     t0, vd, va            # 15
    roriw   vc, vc, 15            # 14
    addw    t5, t3, w11           # 18
    addw    vc, vc, vd            # 14
    lw      t1, -52(table)        # 19
    and     t3, vc, t0            # 15
    xor     t0, t3, va            # 15
    addw    va, va, t2            # 16
    addw    vb, vb, t0            # 15
    andn    t3, vc, vd            # 16
    roriw   vb, vb, 10            # 15
    addw    va, va, t3            # 16
    addw    vb, vb, vc            # 15
    addw    t2, t1, w0            # 19
    and     t0, vb, vd            # 16
    andn    t3, vb, vc            # 17
    addw    va, va, t0            # 16
    addw    vd, vd, t4            # 17
    roriw   va, va, 27            # 16
    addw    vd, vd, t3            # 17
    addw    va, va, vb            # 16
    lw      t1, -48(table)        # 20
    and     t0, va, vc            # 17
    andn    t4, va, vb            # 18
    addw    vd, vd, t0            # 17
    addw    vc, vc, t5            # 18
    roriw   vd, vd, 23            # 17
    addw    vc, vc, t4            # 18
    addw    vd, vd, va            # 17
    addw    t3, t1, w5            # 20
    and     t0, vd, vb            # 18
    andn    t5, vd, va            # 19
    addw    vc, vc, t0            # 18
    addw    vb, vb, t2            # 19
    roriw   vc, vc, 18            # 18
    addw    vb, vb, t5            # 19
    addw    vc, vc, vd            # 18
    lw      t4, -44(table)        # 21
    and     t1, vc, va            # 19
    andn    t0, vc, vd            # 20
    addw    vb, vb, t1            # 19
    addw    va, va, t3            # 20
    roriw   vb, vb, 12            # 19
    addw    va, va, t0            # 20
    addw    vb, vb, vc            # 19
    addw    t2, t4, w10           # 21
    and     t5, vb, vd            # 20
    andn    t1, vb, vc            # 21
    addw    va, va, t5            # 20
    addw    vd, vd, t2            # 21
    roriw   va, va, 27            # 20
    lw      t3, -40(table)        # 22
    addw    va, va, vb            # 20
    addw    vd, vd, t1            # 21
    and     t0, va, vc            # 21
    andn    t4, va, vb            # 22
    addw    vd, vd, t0            # 21
    addw    t5, t3, w15           # 22
    roriw   vd, vd, 23            # 21
    addw    vc, vc, t5            # 22
    addw    vd, vd, va            # 21
    lw      t2, -36(table)        # 23
    and     t1, vd, vb            # 22
    addw    vc, vc, t4            # 22
    addw    vc, vc, t1            # 22
    andn    t0, vd, va            # 23
    roriw   vc, vc, 18            # 22
    addw    t3, t2, w4            # 23
    addw    vc, vc, vd            # 22
    addw    vb, vb, t3            # 23
    lw      t5, -32(table)        # 24
    and     t4, vc, va            # 23
    addw    vb, vb, t0            # 23
    andn    t1, vc, vd            # 24
    addw    vb, vb, t4            # 23
    lw      t2, -28(table)        # 25
    roriw   vb, vb, 12            # 23
    addw    t3, t5, w9            # 24
    addw    vb, vb, vc            # 23
    addw    va, va, t3            # 24
    and     t0, vb, vd            # 24
    addw    va, va, t1            # 24
    addw    va, va, t0            # 24
    addw    t4, t2, w14           # 25
    roriw   va, va, 27            # 24
    andn    t5, vb, vc            # 25
    addw    va, va, vb            # 24
    addw    vd, vd, t4            # 25
    lw      t3, -24(table)        # 26
    and     t1, va, vc            # 25
    addw    vd, vd, t5            # 25
    andn    t0, va, vb            # 26
    addw    vd, vd, t1            # 25
    lw      t2, -20(table)        # 27
    roriw   vd, vd, 23            # 25
    addw    t4, t3, w3            # 26
    addw    vd, vd, va            # 25
    addw    vc, vc, t4            # 26
    and     t5, vd, vb            # 26
    addw    vc, vc, t0            # 26
    addw    vc, vc, t5            # 26
    addw    t1, t2, w8            # 27
    roriw   vc, vc, 18            # 26
    andn    t3, vd, va            # 27
    addw    vc, vc, vd            # 26
    addw    vb, vb, t1            # 27
    lw      t4, -16(table)        # 28
    and     t0, vc, va            # 27
    addw    vb, vb, t3            # 27
    andn    t5, vc, vd            # 28
    addw    vb, vb, t0            # 27
    lw      t2, -12(table)        # 29
    roriw   vb, vb, 12            # 27
    addw    t1, t4, w13           # 28
    addw    vb, vb, vc            # 27
    addw    va, va, t1            # 28
    and     t3, vb, vd            # 28
    addw    va, va, t5            # 28
    addw    va, va, t3            # 28
    addw    t0, t2, w2            # 29
    roriw   va, va, 27            # 28
    andn    t4, vb, vc            # 29
    addw    va, va, vb            # 28
    addw    vd, vd, t0            # 29
    lw      t1, -8(table)         # 30
    and     t5, va, vc            # 29
    addw    vd, vd, t4            # 29
    andn    t3, va, vb            # 30
    addw    vd, vd, t5            # 29
    lw      t2, -4(table)         # 31
    roriw   vd, vd, 23            # 29
    addw    t0, t1, w7            # 30
    addw    vd, vd, va            # 29
    addw    vc, vc, t0            # 30
    and     t4, vd, vb            # 30
    addw    vc, vc, t3            # 30
    addw    vc, vc, t4            # 30
    addw    t5, t2, w12           # 31
    roriw   vc, vc, 18            # 30
    andn    t1, vd, va            # 31
    addw    vc, vc, vd            # 30
    addw    vb, vb, t5            # 31
    and     t0, vc, va            # 31
    addw    vb, vb, t1            # 31
    lw      t3, 0(table)          # 32
    addw    vb, vb, t0            # 31
    roriw   vb, vb, 12            # 31
    xor     t4, vc, vd            # 32
    addw    vb, vb, vc            # 31
    lw      t2, 4(table)          # 33
    addw    t5, t3, w5            # 32
    xor     t1, t4, vb            # 32
    addw    va, va, t5            # 32
    xor     t0, vb, vc            # 33
    addw    va, va, t1            # 32
    addw    t3, t2, w8            # 33
    roriw   va, va, 28            # 32
    addw    vd, vd, t3            # 33
    addw    va, va, vb            # 32
    lw      t4, 8(table)          # 34
    xor     t5, t0, va            # 33
    xor     t1, va, vb            # 34
    addw    vd, vd, t5            # 33
    lw      t2, 12(table)         # 35
    roriw   vd, vd, 21            # 33
    addw    t3, t4, w11           # 34
    addw    vd, vd, va            # 33
    addw    vc, vc, t3            # 34
    xor     t0, t1, vd            # 34
    xor     t5, vd, va            # 35
    addw    vc, vc, t0            # 34
    addw    t4, t2, w14           # 35
    roriw   vc, vc, 16            # 34
    addw    vb, vb, t4            # 35
    addw    vc, vc, vd            # 34
    lw      t3, 16(table)         # 36
    xor     t1, t5, vc            # 35
    xor     t0, vc, vd            # 36
    addw    vb, vb, t1            # 35
    lw      t2, 20(table)         # 37
    roriw   vb, vb, 9             # 35
    addw    t4, t3, w1            # 36
    addw    vb, vb, vc            # 35
    addw    va, va, t4            # 36
    xor     t5, t0, vb            # 36
    xor     t1, vb, vc            # 37
    addw    va, va, t5            # 36
    addw    t3, t2, w4            # 37
    roriw   va, va, 28            # 36
    addw    vd, vd, t3            # 37
    addw    va, va, vb            # 36
    lw      t4, 24(table)         # 38
    xor     t0, t1, va            # 37
    xor     t5, va, vb            # 38
    addw    vd, vd, t0            # 37
    lw      t2, 28(table)         # 39
    roriw   vd, vd, 21            # 37
    addw    t3, t4, w7            # 38
    addw    vd, vd, va            # 37
    addw    vc, vc, t3            # 38
    xor     t1, t5, vd            # 38
    xor     t0, vd, va            # 39
    addw    vc, vc, t1            # 38
    addw    t4, t2, w10           # 39
    roriw   vc, vc, 16            # 38
    addw    vb, vb, t4            # 39
    addw    vc, vc, vd            # 38
    lw      t3, 32(table)         # 40
    xor     t5, t0, vc            # 39
    xor     t1, vc, vd            # 40
    addw    vb, vb, t5            # 39
    lw      t2, 36(table)         # 41
    roriw   vb, vb, 9             # 39
    addw    t4, t3, w13           # 40
    addw    vb, vb, vc            # 39
    addw    va, va, t4            # 40
    xor     t0, t1, vb            # 40
    xor     t5, vb, vc            # 41
    addw    va, va, t0            # 40
    addw    t3, t2, w0            # 41
    roriw   va, va, 28            # 40
    addw    vd, vd, t3            # 41
    addw    va, va, vb            # 40
    lw      t4, 40(table)         # 42
    xor     t1, t5, va            # 41
    xor     t0, va, vb            # 42
    addw    vd, vd, t1            # 41
    lw      t2, 44(table)         # 43
    roriw   vd, vd, 21            # 41
    addw    t3, t4, w3            # 42
    addw    vd, vd, va            # 41
    addw    vc, vc, t3            # 42
    xor     t5, t0, vd            # 42
    xor     t1, vd, va            # 43
    addw    vc, vc, t5            # 42
    addw    t4, t2, w6            # 43
    roriw   vc, vc, 16            # 42
    addw    vb, vb, t4            # 43
    addw    vc, vc, vd            # 42
    lw      t3, 48(table)         # 44
    xor     t0, t1, vc            # 43
    xor     t5, vc, vd            # 44
    addw    vb, vb, t0            # 43
    lw      t2, 52(table)         # 45
    roriw   vb, vb, 9             # 43
    addw    t4, t3, w9            # 44
    addw    vb, vb, vc            # 43
    addw    va, va, t4            # 44
    xor     t1, t5, vb            # 44
    xor     t0, vb, vc            # 45
    addw    va, va, t1            # 44
    addw    t3, t2, w12           # 45
    roriw   va, va, 28            # 44
    addw    vd, vd, t3            # 45
    addw    va, va, vb            # 44
    lw      t4, 56(table)         # 46
    xor     t5, t0, va            # 45
    xor     t1, va, vb            # 46
    addw    vd, vd, t5            # 45
    lw      t2, 60(table)         # 47
    roriw   vd, vd, 21            # 45
    addw    t3, t4, w15           # 46
    addw    vd, vd, va            # 45
    addw    vc, vc, t3            # 46
    xor     t0, t1, vd            # 46
    xor     t5, vd, va            # 47
    addw    vc, vc, t0            # 46
    addw    t4, t2, w2            # 47
    roriw   vc, vc, 16            # 46
    addw    vb, vb, t4            # 47
    addw    vc, vc, vd            # 46
    lw      t3, 64(table)         # 48
    xor     t1, t5, vc            # 47
    lw      t0, 68(table)         # 49
    addw    vb, vb, t1            # 47
    lw      t2, 72(table)         # 50
    roriw   vb, vb, 9             # 47
    addw    t4, t3, w0            # 48
    addw    vb, vb, vc            # 47
    addw    va, va, t4            # 48
    orn     t5, vb, vd            # 48
    addw    t1, t0, w7            # 49
    xor     t3, t5, vc            # 48
    addw    vd, vd, t1            # 49
    addw    va, va, t3            # 48
    addw    t4, t2, w14           # 50
    roriw   va, va, 26            # 48
    lw      t0, 76(table)         # 51
    addw    va, va, vb            # 48
    lw      t5, 80(table)         # 52
    orn     t1, va, vc            # 49
    addw    vc, vc, t4            # 50
    xor     t3, t1, vb            # 49
    addw    t2, t0, w5            # 51
    addw    vd, vd, t3            # 49
    addw    t4, t5, w12           # 52
    roriw   vd, vd, 22            # 49
    lw      t1, 84(table)         # 53
    addw    vd, vd, va            # 49
    lw      t0, 88(table)         # 54
    orn     t3, vd, vb            # 50
    addw    vb, vb, t2            # 51
    xor     t5, t3, va            # 50
    addw    t2, t1, w3            # 53
    addw    vc, vc, t5            # 50
    addw    t3, t0, w10           # 54
    roriw   vc, vc, 17            # 50
    lw      t1, 92(table)         # 55
    addw    vc, vc, vd            # 50
    lw      t5, 96(table)         # 56
    orn     t0, vc, va            # 51
    addw    va, va, t4            # 52
    xor     t4, t0, vd            # 51
    addw    t0, t1, w1            # 55
    addw    vb, vb, t4            # 51
    addw    t1, t5, w8            # 56
    roriw   vb, vb, 11            # 51
    lw      t4, 100(table)        # 57
    addw    vb, vb, vc            # 51
    orn     t5, vb, vd            # 52
    addw    vd, vd, t2            # 53
    xor     t2, t5, vc            # 52
    addw    t5, t4, w15           # 57
    addw    va, va, t2            # 52
    lw      t4, 104(table)        # 58
    roriw   va, va, 26            # 52
    addw    va, va, vb            # 52
    orn     t2, va, vc            # 53
    addw    vc, vc, t3            # 54
    xor     t3, t2, vb            # 53
    addw    t2, t4, w6            # 58
    addw    vd, vd, t3            # 53
    lw      t4, 108(table)        # 59
    roriw   vd, vd, 22            # 53
    addw    vd, vd, va            # 53
    orn     t3, vd, vb            # 54
    addw    vb, vb, t0            # 55
    xor     t0, t3, va            # 54
    addw    t3, t4, w13           # 59
    addw    vc, vc, t0            # 54
    lw      t4, 112(table)        # 60
    roriw   vc, vc, 17            # 54
    addw    vc, vc, vd            # 54
    orn     t0, vc, va            # 55
    addw    va, va, t1            # 56
    xor     t1, t0, vd            # 55
    addw    t0, t4, w4            # 60
    addw    vb, vb, t1            # 55
    lw      t4, 116(table)        # 61
    roriw   vb, vb, 11            # 55
    addw    vb, vb, vc            # 55
    orn     t1, vb, vd            # 56
    addw    vd, vd, t5            # 57
    xor     t5, t1, vc            # 56
    addw    t1, t4, w11           # 61
    addw    va, va, t5            # 56
    lw      t4, 120(table)        # 62
    roriw   va, va, 26            # 56
    addw    va, va, vb            # 56
    orn     t5, va, vc            # 57
    addw    vc, vc, t2            # 58
    xor     t2, t5, vb            # 57
    addw    t5, t4, w2            # 62
    addw    vd, vd, t2            # 57
    lw      t4, 124(table)        # 63
    roriw   vd, vd, 22            # 57
    addw    vd, vd, va            # 57
    orn     t2, vd, vb            # 58
    addw    vb, vb, t3            # 59
    xor     t3, t2, va            # 58
    addw    t2, t4, w9            # 63
    addw    vc, vc, t3            # 58
    lw      t4, 0(sp)             # state
    roriw   vc, vc, 17            # 58
    addi    data, data, 64        # next
    addw    vc, vc, vd            # 58
    orn     t3, vc, va            # 59
    addw    va, va, t0            # 60
    xor     t0, t3, vd            # 59
    addw    vb, vb, t0            # 59
    lw      t3, 12(sp)            # state
    roriw   vb, vb, 11            # 59
    addw    vb, vb, vc            # 59
    orn     t0, vb, vd            # 60
    addw    vd, vd, t1            # 61
    xor     t1, t0, vc            # 60
    addw    va, va, t1            # 60
    lw      t0, 8(sp)             # state
    roriw   va, va, 26            # 60
    addw    va, va, vb            # 60
    orn     t1, va, vc            # 61
    addw    vc, vc, t5            # 62
    xor     t5, t1, vb            # 61
    addw    vd, vd, t5            # 61
    lw      t1, 4(sp)             # state
    roriw   vd, vd, 22            # 61
    addw    vd, vd, va            # 61
    orn     t5, vd, vb            # 62
    addw    vb, vb, t2            # 63
    xor     t2, t5, va            # 62
    addw    vc, vc, t2            # 62
    roriw   vc, vc, 17            # 62
    addw    vc, vc, vd            # 62
    orn     t5, vc, va            # 63
    addw    va, va, t4            # state
    xor     t2, t5, vd            # 63
    addw    vd, vd, t3            # state
    addw    vb, vb, t2            # 63
    sw      va, 0(sp)             # state
    roriw   vb, vb, 11            # 63
    sw      vd, 12(sp)            # state
    addw    vb, vb, vc            # 63
    addw    vc, vc, t0            # state
    addw    vb, vb, t1            # state
    sw      vc, 8(sp)             # state
    sw      vb, 4(sp)             # state
    ld      t0, 16(sp)            # next
    bltu    data, t0, .Lunaligned_block
kp_mark kp_md5_zbb_compress_unaligned_loop_end
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
    kp_end kp_md5_zbb_compress

    /* RFC 1321's constants. */
    .section .rodata
    .p2align 6
.Lconstants:
    .word   0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501
    .word   0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821
    .word   0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8
    .word   0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a
    .word   0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70
    .word   0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665
    .word   0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1
    .word   0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391
