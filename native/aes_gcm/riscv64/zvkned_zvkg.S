/* AES-GCM (SP 800-38D) on RISC-V with Zvkned, Zvkg and Zvkb, any VLEN from 128.
 *
 *     void kp_aes_gcm_zvkned_zvkg_prepare(void *prepared, const uint8_t *key, size_t key_length);
 *     void kp_aes_gcm_zvkned_zvkg_encipher(const void *prepared, const uint8_t in[16], uint8_t out[16]);
 *     void kp_aes_gcm_zvkned_zvkg_hash(const void *prepared, uint8_t y[16], const uint8_t *data, size_t length);
 *     void kp_aes_gcm_zvkned_zvkg_encrypt(const void *prepared, uint8_t counter[16], uint8_t y[16],
 *                                         const uint8_t *in, uint8_t *out, size_t length);
 *     void kp_aes_gcm_zvkned_zvkg_decrypt: the same arguments.
 *     void kp_aes_gcm_zvkned_zvkg_seal_message(const void *prepared, const uint8_t j0[16], const uint8_t *aad,
 *                                              size_t aad_length, const uint8_t *in, uint8_t *out, size_t length,
 *                                              uint8_t tag[16]);
 *     void kp_aes_gcm_zvkned_zvkg_open_message: the same arguments.
 *
 * Prepared: 0 the round keys, 240 the number of rounds (4 bytes), 256 the table of powers (asm/riscv64_zvkg.h).
 *
 * Registers where there is text: a0 prepared, a1 counter, a2 y, a3 in, a4 out, a5 whether there is one group
 * only, a6 words and a7 bytes of a full group, t2 words to slide the first group by, t3 blocks of the first group,
 * t4 end of the full groups, t5 bytes and t6 blocks of the last, t0 and t1 scratch. v0 masks the word that counts,
 * v1..v15 round keys, v16 the counter blocks, each word in the machine's byte order, v20 key stream, v24 text,
 * v28 the sums of GHASH, each of the last four a group of four. Whole messages keep their arguments in s0..s5, saved in
 * the frame; else there is no stack.
 *
 * Idea: a group of four registers, 4 blocks at VLEN 128 and up to 16, goes through each round in one instruction.
 * Counter blocks are kept with the bytes of each word swapped: one masked addition counts, one vrev8 makes the blocks.
 * The ciphertext is multiplied where it lies; nothing is moved between the cipher and the hash but in the first group,
 * which is the short one (asm/riscv64_vector_groups.h). A last part of a block is filled up with zeros there.
 *
 * Source: SP 800-38D, FIPS 197 and The RISC-V Cryptography Extensions Volume II.
 * At VLEN 128 a byte takes 0.38 instructions; the portable kernel takes 88 (AES-128).
 */
#include "../../asm/riscv64_zvkg.h"

#define ROUNDS 240
#define TABLE 256

/* v1 = AES(v1). vtype is e32, m1 with vl 4. Writes t0, t1, v2. */
.macro kp_encipher prepared
    lw      t0, ROUNDS(\prepared)
    addi    t0, t0, -1
    mv      t1, \prepared
    vle32.v v2, (t1)
    vaesz.vs v1, v2
.Lround\@:
    addi    t1, t1, 16
    vle32.v v2, (t1)
    vaesem.vs v1, v2
    addi    t0, t0, -1
    bnez    t0, .Lround\@
    addi    t1, t1, 16
    vle32.v v2, (t1)
    vaesef.vs v1, v2
.endm

    kp_function kp_aes_gcm_zvkned_zvkg_prepare
    kp_zvkg_load v1, a1
    vse8.v  v1, (a0)
    addi    a1, a1, 16
    addi    t0, a0, 16
    li      t1, 24
    beq     a2, t1, .Lkey192
    bgtu    a2, t1, .Lkey256

    li      t2, 10
    vsetivli zero, 4, e32, m1, ta, ma
.irp round, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
    vaeskf1.vi v1, v1, \round
    vse32.v v1, (t0)
    addi    t0, t0, 16
.endr
    j       .Lexpanded

    /* There is no instruction for 192-bit keys; the one for 128-bit keys gives the nonlinear word of each six. */
.Lkey192:
    vsetivli zero, 8, e8, m1, ta, ma
    vle8.v  v1, (a1)
    vse8.v  v1, (t0)
    lw      a2, 0(a0)
    lw      a3, 4(a0)
    lw      a4, 8(a0)
    lw      a5, 12(a0)
    lw      a6, 16(a0)
    lw      a7, 20(a0)
    li      t2, 12
    vsetivli zero, 4, e32, m1, ta, ma
.irp round, 1, 2, 3, 4, 5, 6, 7, 8
    vmv.v.x v1, a7
    vaeskf1.vi v1, v1, \round
    vmv.x.s t1, v1
    xor     t1, t1, a7
    xor     a2, a2, t1
    xor     a3, a3, a2
    xor     a4, a4, a3
    xor     a5, a5, a4
    sw      a2, 24 * \round + 0(a0)
    sw      a3, 24 * \round + 4(a0)
    sw      a4, 24 * \round + 8(a0)
    sw      a5, 24 * \round + 12(a0)
.if \round < 8
    xor     a6, a6, a5
    xor     a7, a7, a6
    sw      a6, 24 * \round + 16(a0)
    sw      a7, 24 * \round + 20(a0)
.endif
.endr
    j       .Lexpanded

.Lkey256:
    li      t2, 14
    vle8.v  v2, (a1)
    vse8.v  v2, (t0)
    addi    t0, t0, 16
    vsetivli zero, 4, e32, m1, ta, ma
.irp round, 2, 4, 6, 8, 10, 12, 14
    vaeskf2.vi v1, v2, \round
    vse32.v v1, (t0)
.if \round < 14
    vaeskf2.vi v2, v1, \round + 1
    addi    t0, t0, 16
    vse32.v v2, (t0)
    addi    t0, t0, 16
.endif
.endr

.Lexpanded:
    sw      t2, ROUNDS(a0)
    vmv.v.i v1, 0
    kp_encipher a0
    addi    a0, a0, TABLE
    kp_zvkg_fill a0
    ret
    kp_end kp_aes_gcm_zvkned_zvkg_prepare

    kp_function kp_aes_gcm_zvkned_zvkg_encipher
    kp_zvkg_load v1, a1
    vsetivli zero, 4, e32, m1, ta, ma
    kp_encipher a0
    kp_zvkg_store v1, a2
    ret
    kp_end kp_aes_gcm_zvkned_zvkg_encipher

    kp_zvkg_hash_function kp_aes_gcm_zvkned_zvkg_hash, TABLE

/* The rounds after the key is added to v20: all of them, or as many as ROUNDS(a0) says, and then writes t0, t1. */
.macro kp_rounds rounds=0
.irp key, v2, v3, v4, v5, v6, v7, v8, v9, v10
    vaesem.vs v20, \key
.endr
.if \rounds == 0
    lw      t0, ROUNDS(a0)
    li      t1, 12
    bltu    t0, t1, .Lrounds10\@
    vaesem.vs v20, v11
    vaesem.vs v20, v12
    beq     t0, t1, .Lrounds12\@
    vaesem.vs v20, v13
    vaesem.vs v20, v14
    vaesef.vs v20, v15
    j       .Lrounds\@
.Lrounds12\@:
    vaesef.vs v20, v13
    j       .Lrounds\@
.Lrounds10\@:
    vaesef.vs v20, v11
.Lrounds\@:
.else
.if \rounds > 10
    vaesem.vs v20, v11
    vaesem.vs v20, v12
.endif
.if \rounds > 12
    vaesem.vs v20, v13
    vaesem.vs v20, v14
.endif
.if \rounds == 10
    vaesef.vs v20, v11
.elseif \rounds == 12
    vaesef.vs v20, v13
.else
    vaesef.vs v20, v15
.endif
.endif
.endm

/* v20 = the key stream of the counters in v16; vtype is e32, m4, mu. Writes t0, t1 where the rounds are not known. */
.macro kp_key_stream rounds=0
    vrev8.v v20, v16
    vaesz.vs v20, v1
    kp_rounds \rounds
.endm

/* The round keys, v0, a6, a7; v16 = counters from that in v24 on, `ahead` blocks further. Writes t0. */
.macro kp_start ahead
    kp_group_words a6
    slli    a7, a6, 2
    vid.v   v20
    vand.vi v16, v20, 3
    vmseq.vi v0, v16, 3
    vsrl.vi v20, v20, 2
    vmv.v.i v16, 0
    vaesz.vs v16, v24                   # the counter in each place
    vrev8.v v16, v16
.if \ahead
    vadd.vi v20, v20, \ahead
.endif
    vadd.vv v16, v16, v20, v0.t
    vsetivli zero, 4, e32, m1, ta, ma
    mv      t0, a0
.irp key, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15
    vle32.v \key, (t0)
    addi    t0, t0, 16
.endr
.endm

/* Full groups up to t4; t0 = H^lanes in all places, t1 = the places. */
.macro kp_full_groups direction, rounds, mark
kp_mark \mark\()_loop_begin
.Lloop\@:
    kp_key_stream \rounds
    vadd.vx v16, v16, t1, v0.t
    vsetvli zero, a7, e8, m4, ta, ma
    vle8.v  v24, (a3)
    add     a3, a3, a7
    vxor.vv v20, v20, v24
    vse8.v  v20, (a4)
    add     a4, a4, a7
.ifc \direction, encrypt
    vle8.v  v24, (t0)
    vsetvli zero, a6, e32, m4, ta, mu
    vghsh.vv v28, v24, v20
.else
    vle8.v  v20, (t0)
    vsetvli zero, a6, e32, m4, ta, mu
    vghsh.vv v28, v20, v24
.endif
    bne     a3, t4, .Lloop\@
kp_mark \mark\()_loop_end
.endm

/* The text of a5 bytes, not 0, after kp_start; y is in v24 and afterwards in v28. */
.macro kp_text direction, name
    kp_group_split a5, a6, t3, t4, t5, t6, t1
    mv      a5, t1
    li      t2, 0
    bnez    a5, .Lbegin\@
    sub     t2, t6, t3
    slli    t2, t2, 2
.Lbegin\@:
    kp_zvkg_begin a6, t2
    bnez    a5, .Llast\@

    slli    t0, t3, 2
    vsetvli zero, t0, e32, m4, ta, mu
    kp_key_stream
    slli    t0, t3, 4
    vsetvli zero, t0, e8, m4, ta, ma
    vle8.v  v24, (a3)
    add     a3, a3, t0
    vxor.vv v20, v20, v24
    vse8.v  v20, (a4)
    add     a4, a4, t0
    vsetvli zero, a6, e32, m4, ta, mu
    vadd.vx v16, v16, t3, v0.t
    addi    t0, a0, TABLE + 256
.ifc \direction, encrypt
    vmv.v.i v24, 0
    vslideup.vx v24, v20, t2
    vle32.v v20, (t0)
    vghsh.vv v28, v20, v24
.else
    vmv.v.i v20, 0
    vslideup.vx v20, v24, t2
    vle32.v v24, (t0)
    vghsh.vv v28, v24, v20
.endif
    beqz    t4, .Llast\@
    add     t4, t4, a3
    lw      t2, ROUNDS(a0)
    srli    t1, a6, 2
    addi    t2, t2, -12
    bltz    t2, .Lfull10\@
    beqz    t2, .Lfull12\@
    kp_full_groups \direction, 14, \name\()256
    j       .Llast\@
.Lfull12\@:
    kp_full_groups \direction, 12, \name\()192
    j       .Llast\@
.Lfull10\@:
    kp_full_groups \direction, 10, \name\()128

.Llast\@:
    slli    t2, t6, 2
    vsetvli zero, t2, e32, m4, ta, mu
    kp_key_stream
    vadd.vx v16, v16, t6, v0.t
    vmv.v.i v24, 0
    vsetvli zero, t5, e8, m4, tu, ma
    vle8.v  v24, (a3)
    vxor.vv v20, v20, v24
    vse8.v  v20, (a4)
.ifc \direction, encrypt
    vmv.v.v v24, v20
.endif
    vsetvli zero, t2, e32, m4, ta, mu
    slli    t0, t6, 4
    sub     t0, a0, t0
    addi    t0, t0, TABLE + 256
    vle32.v v20, (t0)
    vghsh.vv v28, v20, v24
    kp_zvkg_fold t6
.endm

.macro kp_crypt_function direction
    kp_function kp_aes_gcm_zvkned_zvkg_\direction
    beqz    a5, .Lnothing\@
    kp_zvkg_load v24, a1
    kp_start 0
    kp_zvkg_load v24, a2
    kp_text \direction, kp_aes_gcm_zvkned_zvkg_\direction
    kp_zvkg_store v28, a2
    vsetivli zero, 4, e32, m1, ta, ma
    vrev8.v v16, v16
    kp_zvkg_store v16, a1
.Lnothing\@:
    ret
    kp_end kp_aes_gcm_zvkned_zvkg_\direction
.endm

/* A whole message; y stays in registers between its parts. s0 in, s1 out, s2 length, s3 AAD's length, s4 J0, s5 tag. */
.macro kp_message_function name, direction
    kp_function kp_aes_gcm_zvkned_zvkg_\name
    addi    sp, sp, -48
    .cfi_adjust_cfa_offset 48
.irp number, 0, 1, 2, 3, 4, 5
    sd      s\number, 8 * \number(sp)
    .cfi_rel_offset s\number, 8 * \number
.endr
    mv      s0, a4
    mv      s1, a5
    mv      s2, a6
    mv      s3, a3
    mv      s4, a1
    mv      s5, a7
    vsetivli zero, 4, e32, m1, ta, ma
    vmv.v.i v28, 0
    beqz    a3, .Lno_aad\@
    vmv.v.i v24, 0
    addi    a1, a0, TABLE
    kp_zvkg_hash a1, a2, a3, kp_aes_gcm_zvkned_zvkg_\name\()_aad
.Lno_aad\@:
    kp_zvkg_load v24, s4
    kp_start 1
    beqz    s2, .Lno_text\@
    mv      a3, s0
    mv      a4, s1
    mv      a5, s2
    vmv.v.v v24, v28
    kp_text \direction, kp_aes_gcm_zvkned_zvkg_\name
.Lno_text\@:
    kp_zvkg_load v20, s4
    vsetivli zero, 4, e32, m1, ta, ma
    vaesz.vs v20, v1
    kp_rounds                           # AES(J0), which hides the tag
    slli    s3, s3, 3
    slli    s2, s2, 3
    vsetivli zero, 2, e64, m1, ta, ma
    vmv.v.x v17, s2
    vslide1up.vx v16, v17, s3
    vrev8.v v16, v16                    # the lengths in bits
    addi    t0, a0, TABLE + 256 - 16
    vsetivli zero, 4, e32, m1, ta, ma
    vle32.v v24, (t0)
    vghsh.vv v28, v24, v16
    vxor.vv v28, v28, v20
    kp_zvkg_store v28, s5
.irp number, 0, 1, 2, 3, 4, 5
    ld      s\number, 8 * \number(sp)
    .cfi_restore s\number
.endr
    addi    sp, sp, 48
    .cfi_adjust_cfa_offset -48
    ret
    kp_end kp_aes_gcm_zvkned_zvkg_\name
.endm

    kp_crypt_function encrypt
    kp_crypt_function decrypt
    kp_message_function seal_message, encrypt
    kp_message_function open_message, decrypt
