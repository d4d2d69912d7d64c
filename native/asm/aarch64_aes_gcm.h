/* AArch64: AES-GCM (NIST SP 800-38D), the AES and GHASH of eight blocks woven together.
 *
 * `kp_aes_gcm kernel` defines kp_aes_gcm_<kernel>_<entry> for every entry of native/aes_gcm/aes_gcm.h.
 * Define KP_EOR3 as 1 or 0 before including this: whether EOR3 (FEAT_SHA3) may be used.
 *
 * A round of the main loop enciphers eight counter blocks while it hashes the eight blocks of ciphertext
 * of the round before, which are still in registers.
 *
 * The first round of AES is not computed. Among 256 consecutive counters only the last byte of the
 * block changes, and that byte reaches only the first column: after the first round a block is
 * C xor D[last byte], where C depends on the key and on the rest of the counter block, and D on the
 * key alone (J. Park and D. Lee, "FACE: Fast AES CTR mode Encryption Techniques based on the Reuse of
 * Repetitive Data", TCHES 2018). An entry of D is one column, four bytes, so one load with a zero
 * extension starts two blocks; C is added to round key 1, where AESE adds it for nothing. D is indexed
 * by the counter, which is public. It runs on for eight entries, so that a group of eight may begin at
 * any counter; a group that reaches into the next 256 takes a detour that makes up for the two values
 * of C.
 *
 * What is left, fewer than 128 bytes, is enciphered up to four or eight blocks at once and hashed with as
 * many powers of H as there are blocks and a single reduction. In a whole message J0 and the block of
 * lengths go the same way, and short AAD too: a short message is one pass of AES and one reduction.
 *
 * Layout of `prepared`: round keys at 0, the number of rounds at 240, the powers of H at 256, D at 512.
 * Round keys and powers are kept as ldr q wants them, which is not the order of the bytes on a
 * big-endian system. */
#ifndef KP_ASM_AARCH64_AES_GCM_H
#define KP_ASM_AARCH64_AES_GCM_H

#include "aarch64_ghash.h"

#define KP_ROUNDS 240
#define KP_POWERS_TABLE 256
#define KP_POWERS (KP_POWERS_TABLE + KP_GHASH_POWERS)
#define KP_SUMS (KP_POWERS_TABLE + KP_GHASH_SUMS)
#define KP_FIRST_ROUND 512

/* One full round of AES on two blocks; AESMC right behind its AESE, since many cores fuse the two. */
.macro kp_aes_two a, b, key
    aese \a\().16b, \key\().16b
    aesmc \a\().16b, \a\().16b
    aese \b\().16b, \key\().16b
    aesmc \b\().16b, \b\().16b
.endm

/* What the rows below emit: set to 1 or 0 before each use. */
    .set kp_with_aes, 0
    .set kp_with_hash, 0

/* A round of AES on v0 to v7, with eight instructions of GHASH between its pairs. */
.macro kp_row key, i0, i1, i2, i3, i4, i5, i6, i7
    .if kp_with_aes
    kp_aes_two v0, v1, \key
    .endif
    .if kp_with_hash
    \i0
    \i1
    .endif
    .if kp_with_aes
    kp_aes_two v2, v3, \key
    .endif
    .if kp_with_hash
    \i2
    \i3
    .endif
    .if kp_with_aes
    kp_aes_two v4, v5, \key
    .endif
    .if kp_with_hash
    \i4
    \i5
    .endif
    .if kp_with_aes
    kp_aes_two v6, v7, \key
    .endif
    .if kp_with_hash
    \i6
    \i7
    .endif
.endm

/* Two powers of H from the table, and the register with the sums of the halves of two. */
.macro kp_powers a, b, offset
    ldp \a, \b, [x0, #KP_POWERS + \offset]
.endm

.macro kp_sums a, offset
    ldr \a, [x0, #KP_SUMS + \offset]
.endm

/* Rounds 2 to 9 of AES on v0 to v7, and into v29 (GHASH, half-swapped) the ciphertext in v8 to v15. */
.macro kp_rows
    kp_row v16, "rev64 v8.16b, v8.16b", "rev64 v9.16b, v9.16b", \
                "kp_sums q28, 0", "eor v8.16b, v8.16b, v29.16b", \
                "rev64 v10.16b, v10.16b", "rev64 v11.16b, v11.16b", \
                "zip1 v26.2d, v8.2d, v9.2d", "zip2 v27.2d, v8.2d, v9.2d"
    kp_row v17, "eor v26.16b, v26.16b, v27.16b", "rev64 v12.16b, v12.16b", \
                "pmull v31.1q, v26.1d, v28.1d", "pmull2 v26.1q, v26.2d, v28.2d", \
                "kp_powers q27, q28, 0", "rev64 v13.16b, v13.16b", \
                "eor v31.16b, v31.16b, v26.16b", "pmull v29.1q, v8.1d, v27.1d"
    kp_row v18, "pmull2 v30.1q, v8.2d, v27.2d", "pmull v26.1q, v9.1d, v28.1d", \
                "pmull2 v8.1q, v9.2d, v28.2d", "rev64 v14.16b, v14.16b", \
                "eor v29.16b, v29.16b, v26.16b", "eor v30.16b, v30.16b, v8.16b", \
                "kp_sums q28, 16", "zip1 v26.2d, v10.2d, v11.2d"
    kp_row v19, "zip2 v27.2d, v10.2d, v11.2d", "rev64 v15.16b, v15.16b", \
                "eor v26.16b, v26.16b, v27.16b", "pmull v27.1q, v26.1d, v28.1d", \
                "pmull2 v26.1q, v26.2d, v28.2d", "kp_powers q8, q9, 32", \
                "kp_add v31, v26, v27", "pmull v26.1q, v10.1d, v8.1d"
    kp_row v20, "pmull2 v10.1q, v10.2d, v8.2d", "pmull v27.1q, v11.1d, v9.1d", \
                "pmull2 v11.1q, v11.2d, v9.2d", "kp_sums q28, 32", \
                "kp_add v29, v26, v27", "kp_add v30, v10, v11", \
                "zip1 v26.2d, v12.2d, v13.2d", "zip2 v27.2d, v12.2d, v13.2d"
    kp_row v21, "eor v26.16b, v26.16b, v27.16b", "kp_powers q8, q9, 64", \
                "pmull v27.1q, v26.1d, v28.1d", "pmull2 v26.1q, v26.2d, v28.2d", \
                "pmull v10.1q, v12.1d, v8.1d", "pmull2 v12.1q, v12.2d, v8.2d", \
                "kp_add v31, v26, v27", "pmull v11.1q, v13.1d, v9.1d"
    kp_row v22, "pmull2 v13.1q, v13.2d, v9.2d", "kp_sums q28, 48", \
                "zip1 v26.2d, v14.2d, v15.2d", "zip2 v27.2d, v14.2d, v15.2d", \
                "eor v26.16b, v26.16b, v27.16b", "kp_powers q8, q9, 96", \
                "pmull v27.1q, v26.1d, v28.1d", "pmull2 v26.1q, v26.2d, v28.2d"
    kp_row v23, "kp_add v29, v10, v11", "kp_add v30, v12, v13", \
                "pmull v10.1q, v14.1d, v8.1d", "pmull2 v14.1q, v14.2d, v8.2d", \
                "pmull v11.1q, v15.1d, v9.1d", "pmull2 v15.1q, v15.2d, v9.2d", \
                "kp_add v31, v26, v27", "fmov d28, x12"
    .if kp_with_hash
    kp_add v29, v10, v11
    kp_add v30, v14, v15
    kp_xor3 v31, v31, v29, v30
    kp_ghash_reduce v29, v29, v30, v31, v28, v26
    .endif
.endm

/* All rounds but the first, and its last key into v25 unless it is there. */
.macro kp_rounds_10
    kp_rows
    kp_last_round v24
.endm

.macro kp_rounds_12
    kp_rows
    kp_row v24
    ldp q26, q27, [x0, #160]
    ldr q25, [x0, #192]
    kp_row v26
    kp_last_round v27
.endm

.macro kp_rounds_14
    kp_rows
    kp_row v24
    ldp q26, q27, [x0, #160]
    kp_row v26
    kp_row v27
    ldp q26, q27, [x0, #192]
    ldr q25, [x0, #224]
    kp_row v26
    kp_last_round v27
.endm

.macro kp_last_round key
    aese v0.16b, \key\().16b
    aese v1.16b, \key\().16b
    aese v2.16b, \key\().16b
    aese v3.16b, \key\().16b
    aese v4.16b, \key\().16b
    aese v5.16b, \key\().16b
    aese v6.16b, \key\().16b
    aese v7.16b, \key\().16b
.endm

/* v0 to v7 (without the last key) and eight blocks of text: ciphertext in v8 to v15, the result stored. */
.macro kp_cross_encrypt
    ld1 {v8.16b, v9.16b, v10.16b, v11.16b}, [x3], #64
    ld1 {v12.16b, v13.16b, v14.16b, v15.16b}, [x3], #64
    kp_xor3 v8, v8, v25, v0
    kp_xor3 v9, v9, v25, v1
    kp_xor3 v10, v10, v25, v2
    kp_xor3 v11, v11, v25, v3
    st1 {v8.16b, v9.16b, v10.16b, v11.16b}, [x4], #64
    kp_xor3 v12, v12, v25, v4
    kp_xor3 v13, v13, v25, v5
    kp_xor3 v14, v14, v25, v6
    kp_xor3 v15, v15, v25, v7
    st1 {v12.16b, v13.16b, v14.16b, v15.16b}, [x4], #64
.endm

.macro kp_cross_decrypt
    ld1 {v8.16b, v9.16b, v10.16b, v11.16b}, [x3], #64
    ld1 {v12.16b, v13.16b, v14.16b, v15.16b}, [x3], #64
    kp_xor3 v0, v0, v25, v8
    kp_xor3 v1, v1, v25, v9
    kp_xor3 v2, v2, v25, v10
    kp_xor3 v3, v3, v25, v11
    st1 {v0.16b, v1.16b, v2.16b, v3.16b}, [x4], #64
    kp_xor3 v4, v4, v25, v12
    kp_xor3 v5, v5, v25, v13
    kp_xor3 v6, v6, v25, v14
    kp_xor3 v7, v7, v25, v15
    st1 {v4.16b, v5.16b, v6.16b, v7.16b}, [x4], #64
.endm

/* v26 = C xor round key 1, for the counters from w11, a multiple of 256, on. Clobbers w13, v27, v28. */
.macro kp_first_round
    ld1 {v26.16b}, [x1]
    rev w13, w11
    ldp q27, q28, [x0]
    mov v26.s[3], w13
    aese v26.16b, v27.16b
    aesmc v26.16b, v26.16b
    eor v26.16b, v26.16b, v28.16b
.endm

/* The loop over x8 (at least 1) groups of eight blocks for one number of rounds. */
.macro kp_loop name, rounds, direction
    kp_mark \name\()_loop_begin
1:
    ldp s0, s1, [x9], #32
    ldp s2, s3, [x9, #-24]
    ldp s4, s5, [x9, #-16]
    ldp s6, s7, [x9, #-8]
    cmp x9, x10
    b.hi 3f
2:
    .set kp_with_aes, 1
    .set kp_with_hash, 1
    kp_rounds_\rounds
    kp_cross_\direction
    subs x8, x8, #1
    b.ne 1b
    kp_mark \name\()_loop_end
    b 9f
3:
    // The group has reached the next 256 counters: their C goes into the key, and the blocks before them make up for it.
    add w11, w11, #256
    sub x9, x9, #1024
    kp_first_round
    eor v27.16b, v16.16b, v26.16b
    mov v16.16b, v26.16b
    sub x13, x10, x9
    sub x13, x13, #1024 - 32
    cbz x13, 2b
    eor v0.16b, v0.16b, v27.16b
    cmp x13, #8
    b.lo 2b
    eor v1.16b, v1.16b, v27.16b
    b.eq 2b
    eor v2.16b, v2.16b, v27.16b
    cmp x13, #16
    b.lo 2b
    eor v3.16b, v3.16b, v27.16b
    b.eq 2b
    eor v4.16b, v4.16b, v27.16b
    cmp x13, #24
    b.lo 2b
    eor v5.16b, v5.16b, v27.16b
    b.eq 2b
    eor v6.16b, v6.16b, v27.16b
    b 2b
9:
.endm

/* One AES round on a block. */
.macro kp_aes_one a, key
    aese \a\().16b, \key\().16b
    aesmc \a\().16b, \a\().16b
.endm

.macro kp_xor_four a, b, c, d, with
    eor \a\().16b, \a\().16b, \with\().16b
    eor \b\().16b, \b\().16b, \with\().16b
    eor \c\().16b, \c\().16b, \with\().16b
    eor \d\().16b, \d\().16b, \with\().16b
.endm

/* v0, v0 to v3 or v0 to v7 = the next counter blocks, enciphered, and with J0 v22 = that of the block at x1. The
 * counter w7 stays. Clobbers x9, x13, v16, v17, v20, v21, flags. */
.macro kp_keystream name, blocks, with_j0
kp_local \name
    ld1 {v20.16b}, [x1]
    .if \with_j0
    mov v22.16b, v20.16b
    .endif
    .if \blocks == 1
    rev w13, w7
    mov v0.16b, v20.16b
    mov v0.s[3], w13
    .else
    movi v21.2d, #0
    mov w13, #1
    rev32 v20.16b, v20.16b
    mov v21.s[3], w13
    mov v20.s[3], w7
    rev32 v0.16b, v20.16b
    add v20.4s, v20.4s, v21.4s
    rev32 v1.16b, v20.16b
    add v20.4s, v20.4s, v21.4s
    rev32 v2.16b, v20.16b
    add v20.4s, v20.4s, v21.4s
    rev32 v3.16b, v20.16b
    .endif
    .if \blocks == 8
    add v20.4s, v20.4s, v21.4s
    rev32 v4.16b, v20.16b
    add v20.4s, v20.4s, v21.4s
    rev32 v5.16b, v20.16b
    add v20.4s, v20.4s, v21.4s
    rev32 v6.16b, v20.16b
    add v20.4s, v20.4s, v21.4s
    rev32 v7.16b, v20.16b
    .endif
    mov x9, x0
    sub w13, w6, #1
    ldr q16, [x9], #16
1:
    .if \with_j0
    kp_aes_one v22, v16
    .endif
    .if \blocks == 1
    kp_aes_one v0, v16
    .else
    kp_aes_two v0, v1, v16
    kp_aes_two v2, v3, v16
    .endif
    .if \blocks == 8
    kp_aes_two v4, v5, v16
    kp_aes_two v6, v7, v16
    .endif
    ldr q16, [x9], #16
    subs w13, w13, #1
    b.ne 1b
    ldr q17, [x9]
    .if \with_j0
    kp_last_one v22
    .endif
    .if \blocks == 1
    kp_last_one v0
    .else
    kp_last_four v0, v1, v2, v3
    .endif
    .if \blocks == 8
    kp_last_four v4, v5, v6, v7
    .endif
    ret
kp_end_local \name
.endm

/* The last round, by the keys in v16 and v17. */
.macro kp_last_one a
    aese \a\().16b, v16.16b
    eor \a\().16b, \a\().16b, v17.16b
.endm

.macro kp_last_four a, b, c, d
    aese \a\().16b, v16.16b
    aese \b\().16b, v16.16b
    aese \c\().16b, v16.16b
    aese \d\().16b, v16.16b
    eor \a\().16b, \a\().16b, v17.16b
    eor \b\().16b, \b\().16b, v17.16b
    eor \c\().16b, \c\().16b, v17.16b
    eor \d\().16b, \d\().16b, v17.16b
.endm

/* All whole groups of eight blocks: prepared x0, block with the IV x1, in x3, out x4, length x5, of which less
 * than a group is left, rounds w6, counter w7, groups x8 (at least one), GHASH v29. x9 place in D, x10 its end,
 * w11 counter that the group of 256 begins with, x12 the polynomial. Clobbers x8 to x14, v0 to v7, v16 to v31,
 * flags. `name` prefixes the marks of the loops. */
.macro kp_groups name, keystream, direction
kp_local \name\()_groups
    kp_save_vectors
    mov x14, x30
    .cfi_register x30, x14
    bl \keystream
    mov x30, x14
    .cfi_restore x30
    // The first group has nothing to hash yet; the last key is in its keystream.
    movi v25.16b, #0
    kp_cross_\direction
    and w13, w7, #255
    bic w11, w7, #255
    add x10, x0, #KP_FIRST_ROUND
    add w7, w7, w8, lsl #3
    and x5, x5, #127
    add x9, x10, w13, uxtw #2
    add x9, x9, #32
    add x10, x10, #1024
    mov x12, #0xc200000000000000
    subs x8, x8, #1
    b.eq 7f
    cmp x9, x10
    b.ls 4f
    // The first group alone has used up its 256 counters.
    add w11, w11, #256
    sub x9, x9, #1024
4:
    kp_first_round
    mov v16.16b, v26.16b
    ldp q17, q18, [x0, #32]
    ldp q19, q20, [x0, #64]
    ldp q21, q22, [x0, #96]
    ldp q23, q24, [x0, #128]
    cmp w6, #12
    b.hi 6f
    b.eq 5f
    ldr q25, [x0, #160]
    kp_loop \name\()128, 10, \direction
    b 7f
5:
    kp_loop \name\()192, 12, \direction
    b 7f
6:
    kp_loop \name\()256, 14, \direction
7:
    // The last group's ciphertext is still to be hashed.
    .set kp_with_aes, 0
    .set kp_with_hash, 1
    kp_rows
    kp_restore_vectors
    ret
kp_end_local \name\()_groups
.endm

/* What is left: x5 bytes, 0 to 127, in x3, out x4, keystream v0 to v7; hashed into v28 to v31 by the powers at x8
 * as kp_ghash_short does. Clobbers x3 to x5, x13 to x17, v16 to v19, v23, flags. */
.macro kp_tail name, direction
kp_local \name\()_tail
    kp_tail_block v0, \direction
    kp_tail_block v1, \direction
    kp_tail_block v2, \direction
    kp_tail_block v3, \direction
    kp_tail_block v4, \direction
    kp_tail_block v5, \direction
    kp_tail_block v6, \direction
    mov v23.16b, v7.16b
    sub x5, x5, #16
5:
    // Fewer than 16 bytes, and their keystream in v23.
    adds x13, x5, #16
    b.eq 6f
    kp_load_partial x3
    .ifc \direction, decrypt
    fmov d16, x14
    mov v16.d[1], x15
    .endif
    umov x16, v23.d[0]
    umov x17, v23.d[1]
    eor x14, x14, x16
    eor x15, x15, x17
    kp_mask_partial
    .ifc \direction, encrypt
    fmov d16, x14
    mov v16.d[1], x15
    .endif
    kp_store_partial x4
    kp_ghash_block x8
6:
    ret
kp_end_local \name\()_tail
.endm

/* The next block of text under the keystream in `stream`; when fewer than 16 bytes are left, 5 goes on. */
.macro kp_tail_block stream, direction
    mov v23.16b, \stream\().16b
    subs x5, x5, #16
    b.lo 5f
    ld1 {v16.16b}, [x3], #16
    eor v17.16b, v16.16b, v23.16b
    st1 {v17.16b}, [x4], #16
    .ifc \direction, encrypt
    mov v16.16b, v17.16b
    .endif
    kp_ghash_block x8
.endm

/* x8 = where the powers for x13 blocks begin. */
.macro kp_powers_for_x13
    add x8, x0, #KP_SUMS
    sub x8, x8, x13, lsl #4
    movi v29.16b, #0
    movi v30.16b, #0
    movi v31.16b, #0
.endm

/* The body of encrypt and decrypt: prepared x0, counter x1, y x2, in x3, out x4, length x5. */
.macro kp_text kernel, name, direction
    cbz x5, 4f
    mov x17, x30
    .cfi_register x30, x17
    ldr w7, [x1, #12]
    ld1 {v29.16b}, [x2]
    ldr w6, [x0, #KP_ROUNDS]
    kp_from_big w7
    rev64 v29.16b, v29.16b
    lsr x8, x5, #7
    cbz x8, 1f
    bl \name\()_groups
    cbz x5, 3f
1:
    mov x12, x17
    .cfi_register x30, x12
    mov v28.16b, v29.16b
    cmp x5, #64
    b.hi 2f
    bl \kernel\()_keystream_4
    b 5f
2:
    bl \kernel\()_keystream_8
5:
    add x13, x5, #15
    lsr x13, x13, #4
    add w7, w7, w13
    kp_powers_for_x13
    bl \name\()_tail
    mov x17, x12
    .cfi_register x30, x17
    mov x12, #0xc200000000000000
    fmov d18, x12
    kp_ghash_reduce v29, v29, v30, v31, v18, v17
3:
    mov x30, x17
    .cfi_restore x30
    kp_from_big w7
    rev64 v29.16b, v29.16b
    str w7, [x1, #12]
    st1 {v29.16b}, [x2]
4:
    ret
.endm

/* The body of seal_message and open_message: prepared x0, J0 x1, AAD x2, its length x3, in x4, out x5, length x6,
 * tag x7. AAD, text and the block of lengths share one reduction if they are nine blocks at most. */
.macro kp_message kernel, name, direction
    mov x10, x2 // AAD
    mov x11, x3
    mov x2, x7  // tag
    ldr w7, [x1, #12]
    add x13, x3, #15
    add x14, x6, #15
    lsr x13, x13, #4
    mov x12, x3
    mov x3, x4  // in
    mov x4, x5  // out
    mov x5, x6
    ldr w6, [x0, #KP_ROUNDS]
    add x14, x13, x14, lsr #4
    kp_from_big w7
    movi v28.16b, #0
    add w7, w7, #1
    cmp x14, #8
    lsr x13, x5, #7
    ccmp x13, #0, #2, ls
    b.hi 11f
    lsl x13, x12, #3
    lsl x15, x5, #3
    mov x12, x30
    .cfi_remember_state
    .cfi_register x30, x12
    fmov d24, x13
    mov v24.d[1], x15
    add x13, x14, #1
    kp_powers_for_x13
    kp_ghash_short x10, x11, x8
    b 14f
11:
    .cfi_restore_state
    mov x8, x30
    .cfi_register x30, x8
    cbz x11, 12f
    add x9, x0, #KP_POWERS_TABLE
    bl \kernel\()_blocks
12:
    mov v29.16b, v28.16b
    mov x15, x12
    mov x16, x5
    mov x17, x8
    .cfi_register x30, x17
    lsr x8, x5, #7
    cbz x8, 13f
    bl \name\()_groups
13:
    lsl x13, x15, #3
    lsl x16, x16, #3
    fmov d24, x13
    mov v24.d[1], x16
    mov x12, x17
    .cfi_register x30, x12
    mov v28.16b, v29.16b
    add x13, x5, #15
    lsr x13, x13, #4
    add x13, x13, #1
    kp_powers_for_x13
14:
    cmp x5, #64
    b.hi 15f
    cmp x5, #16
    b.ls 16f
    bl \kernel\()_keystream_4_j0
    bl \name\()_tail
    b 17f
15:
    bl \kernel\()_keystream_8_j0
    bl \name\()_tail
    b 17f
16:
    bl \kernel\()_keystream_1_j0
    cbz x5, 17f
    bl \name\()_tail
17:
    // The block of lengths is half-swapped as it stands.
    ldr q17, [x8]
    eor v24.16b, v24.16b, v28.16b
    kp_ghash_accumulate v24, v17, v29, v30, v31, v18, v19
    kp_ghash_polynomial d18
    kp_ghash_reduce v29, v29, v30, v31, v18, v17
    rev64 v29.16b, v29.16b
    eor v29.16b, v29.16b, v22.16b
    st1 {v29.16b}, [x2]
    ret x12
.endm

/* The block in v0, enciphered. Clobbers x9, x10, v1. */
.macro kp_encipher
    ldr w9, [x0, #KP_ROUNDS]
    mov x10, x0
    sub w9, w9, #1
1:
    ldr q1, [x10], #16
    kp_aes_one v0, v1
    subs w9, w9, #1
    b.ne 1b
    ldp q1, q2, [x10]
    aese v0.16b, v1.16b
    eor v0.16b, v0.16b, v2.16b
.endm

/* w9 = the S-box on each byte of w9. Clobbers v0, v1. */
.macro kp_sub_word
    dup v0.4s, w9
    movi v1.16b, #0
    aese v0.16b, v1.16b // four equal columns: the rows' shift changes nothing
    umov w9, v0.s[0]
.endm

/* The key schedule (FIPS 197, section 5.2) for the x2 bytes at x1 into x0. Words are little-endian
 * numbers. Clobbers x1, x2, x9 to x15, v0, v1, flags. */
.macro kp_expand_key
    lsr x10, x2, #2         // words of the key
    add w11, w10, #6        // rounds
    str w11, [x0, #KP_ROUNDS]
    mov x12, x0
    mov x13, x10
1:
    ldr w9, [x1], #4
    kp_from_little w9
    str w9, [x12], #4
    subs x13, x13, #1
    b.ne 1b
    add w11, w11, #1
    lsl w11, w11, #2
    sub w11, w11, w10       // words still to make
    mov w14, #1             // the round constant
    mov x13, #0             // the word's place in its turn of the key's length
2:
    cbz x13, 3f
    cmp x10, #8
    ccmp x13, #4, #0, eq
    b.ne 4f
    kp_sub_word
    b 4f
3:
    ror w9, w9, #8
    kp_sub_word
    eor w9, w9, w14
    lsl w14, w14, #1
    tbz w14, #8, 4f
    mov w15, #0x11b
    eor w14, w14, w15
4:
    sub x15, x12, x10, lsl #2
    ldr w15, [x15]
    eor w9, w9, w15
    str w9, [x12], #4
    add x13, x13, #1
    cmp x13, x10
    csel x13, xzr, x13, eq
    subs w11, w11, #1
    b.ne 2b
#if KP_BIG_ENDIAN
    // Words in a row become what ldr q reads.
    mov x13, x0
5:
    ld1 {v0.4s}, [x13]
    str q0, [x13], #16
    cmp x13, x12
    b.lo 5b
#endif
.endm

/* D. Sixteen entries a turn: the S-box on sixteen values of the last byte, then the last column of
 * MixColumns (1, 1, 3, 2), less what the value 0 gives. Clobbers x9 to x11, v0 to v7, v16 to v18, flags. */
.macro kp_first_round_table
    ldr q0, [x0]
    add x9, x0, #KP_FIRST_ROUND
    add x10, x9, #17 * 64
    dup v0.16b, v0.b[15]
    // Byte p of the block goes where ShiftRows takes it, so that it comes out in order.
    movz x11, #0x0d00
    movk x11, #0x070a, lsl #16
    movk x11, #0x0104, lsl #32
    movk x11, #0x0b0e, lsl #48
    fmov d1, x11
    movz x11, #0x0508
    movk x11, #0x0f02, lsl #16
    movk x11, #0x090c, lsl #32
    movk x11, #0x0306, lsl #48
    mov v1.d[1], x11
    mov w11, #0
    movi v16.16b, #0x1b
    movi v17.16b, #16
    movi v18.16b, #0
    mov v2.16b, v0.16b
    aese v2.16b, v18.16b
1:
    mov v3.16b, v1.16b
    aese v3.16b, v0.16b
    add v1.16b, v1.16b, v17.16b
    eor v3.16b, v3.16b, v2.16b
    sshr v7.16b, v3.16b, #7
    shl v6.16b, v3.16b, #1
    and v7.16b, v7.16b, v16.16b
    eor v6.16b, v6.16b, v7.16b
    eor v5.16b, v6.16b, v3.16b
    mov v4.16b, v3.16b
#if KP_BIG_ENDIAN
    // ldr s takes the first byte in memory for the highest.
    mov v7.16b, v3.16b
    mov v3.16b, v6.16b
    mov v4.16b, v5.16b
    mov v5.16b, v7.16b
    mov v6.16b, v7.16b
#endif
    st4 {v3.16b, v4.16b, v5.16b, v6.16b}, [x9], #64
    cmp x9, x10
    b.lo 1b
.endm

.macro kp_aes_gcm kernel
kp_function kp_aes_gcm_\kernel\()_prepare
    kp_expand_key
    kp_first_round_table
    movi v0.16b, #0
    kp_encipher
    add x0, x0, #KP_POWERS_TABLE
    kp_ghash_powers
    ret
kp_end kp_aes_gcm_\kernel\()_prepare

kp_function kp_aes_gcm_\kernel\()_encipher
    ld1 {v0.16b}, [x1]
    kp_encipher
    st1 {v0.16b}, [x2]
    ret
kp_end kp_aes_gcm_\kernel\()_encipher

kp_function kp_aes_gcm_\kernel\()_hash
    cbz x3, 1f
    mov x8, x30
    .cfi_register x30, x8
    ld1 {v28.16b}, [x1]
    add x9, x0, #KP_POWERS_TABLE
    mov x10, x2
    mov x11, x3
    rev64 v28.16b, v28.16b
    bl kp_aes_gcm_\kernel\()_blocks
    mov x30, x8
    .cfi_restore x30
    rev64 v28.16b, v28.16b
    st1 {v28.16b}, [x1]
1:
    ret
kp_end kp_aes_gcm_\kernel\()_hash

kp_function kp_aes_gcm_\kernel\()_encrypt
    kp_text kp_aes_gcm_\kernel, kp_aes_gcm_\kernel\()_encrypt, encrypt
kp_end kp_aes_gcm_\kernel\()_encrypt

kp_function kp_aes_gcm_\kernel\()_decrypt
    kp_text kp_aes_gcm_\kernel, kp_aes_gcm_\kernel\()_decrypt, decrypt
kp_end kp_aes_gcm_\kernel\()_decrypt

kp_function kp_aes_gcm_\kernel\()_seal_message
    kp_message kp_aes_gcm_\kernel, kp_aes_gcm_\kernel\()_encrypt, encrypt
kp_end kp_aes_gcm_\kernel\()_seal_message

kp_function kp_aes_gcm_\kernel\()_open_message
    kp_message kp_aes_gcm_\kernel, kp_aes_gcm_\kernel\()_decrypt, decrypt
kp_end kp_aes_gcm_\kernel\()_open_message

kp_local kp_aes_gcm_\kernel\()_blocks
    kp_ghash_blocks kp_aes_gcm_\kernel\()_hash
    ret
kp_end_local kp_aes_gcm_\kernel\()_blocks

    kp_keystream kp_aes_gcm_\kernel\()_keystream_4, 4, 0
    kp_keystream kp_aes_gcm_\kernel\()_keystream_8, 8, 0
    kp_keystream kp_aes_gcm_\kernel\()_keystream_1_j0, 1, 1
    kp_keystream kp_aes_gcm_\kernel\()_keystream_4_j0, 4, 1
    kp_keystream kp_aes_gcm_\kernel\()_keystream_8_j0, 8, 1
    kp_groups kp_aes_gcm_\kernel\()_encrypt, kp_aes_gcm_\kernel\()_keystream_8, encrypt
    kp_groups kp_aes_gcm_\kernel\()_decrypt, kp_aes_gcm_\kernel\()_keystream_8, decrypt
    kp_tail kp_aes_gcm_\kernel\()_encrypt, encrypt
    kp_tail kp_aes_gcm_\kernel\()_decrypt, decrypt
.endm

#endif
