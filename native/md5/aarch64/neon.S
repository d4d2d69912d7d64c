/* MD5 (RFC 1321) of sixteen streams at once, in four groups of four lanes.
 *
 * void kp_md5_many_neon_compress(uint32_t *state, const uint8_t *const *data, size_t blocks, size_t busy);
 *
 * x0 state, x1 pointers to the data, x2 blocks left, x3 offset in the data, x4 the constants, x5 the next
 * of them, x6, x7, x9 to x12 for the moment; v0 to v15 a, b, c, d of the four groups, v16 to v19 the
 * round function, v20 to v23 the words, v24 the constant. 1 KiB of stack, wiped: sixteen blocks, transposed.
 *
 * One stream leaves most of the processor idle, since every step waits for the one before. Here a vector
 * holds one word of four streams, and four groups take turns, so that the vector pipes are full however
 * long one step takes: 8 vector instructions a step and group, about 2.2 a byte, so two pipes need 1.1
 * cycles a byte and four 0.6 where one stream takes 4.5. */
#include "../../asm/aarch64.h"

#define A v0, v1, v2, v3
#define B v4, v5, v6, v7
#define C v8, v9, v10, v11
#define D v12, v13, v14, v15

/* a = b + ((f + a) <<< s), with a + constant + word in v20 to v23 and f in v16 to v19. */
.macro kp_rotate a0, a1, a2, a3, b0, b1, b2, b3, s
    add v20.4s, v20.4s, v16.4s
    add v21.4s, v21.4s, v17.4s
    add v22.4s, v22.4s, v18.4s
    add v23.4s, v23.4s, v19.4s
    .if \s == 16
    rev32 v16.8h, v20.8h
    rev32 v17.8h, v21.8h
    rev32 v18.8h, v22.8h
    rev32 v19.8h, v23.8h
    .else
    shl v16.4s, v20.4s, #\s
    shl v17.4s, v21.4s, #\s
    shl v18.4s, v22.4s, #\s
    shl v19.4s, v23.4s, #\s
    sri v16.4s, v20.4s, #32 - \s
    sri v17.4s, v21.4s, #32 - \s
    sri v18.4s, v22.4s, #32 - \s
    sri v19.4s, v23.4s, #32 - \s
    .endif
    add \a0\().4s, v16.4s, \b0\().4s
    add \a1\().4s, v17.4s, \b1\().4s
    add \a2\().4s, v18.4s, \b2\().4s
    add \a3\().4s, v19.4s, \b3\().4s
.endm

/* F = (b & c) | (~b & d) */
.macro kp_f a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3, word, s
    ld1r {v24.4s}, [x5], #4
    ldp q20, q21, [sp, #64 * \word]
    ldp q22, q23, [sp, #64 * \word + 32]
    mov v16.16b, \d0\().16b
    mov v17.16b, \d1\().16b
    mov v18.16b, \d2\().16b
    mov v19.16b, \d3\().16b
    add \a0\().4s, \a0\().4s, v24.4s
    add \a1\().4s, \a1\().4s, v24.4s
    add \a2\().4s, \a2\().4s, v24.4s
    add \a3\().4s, \a3\().4s, v24.4s
    add v20.4s, v20.4s, \a0\().4s
    add v21.4s, v21.4s, \a1\().4s
    add v22.4s, v22.4s, \a2\().4s
    add v23.4s, v23.4s, \a3\().4s
    bit v16.16b, \c0\().16b, \b0\().16b
    bit v17.16b, \c1\().16b, \b1\().16b
    bit v18.16b, \c2\().16b, \b2\().16b
    bit v19.16b, \c3\().16b, \b3\().16b
    kp_rotate \a0, \a1, \a2, \a3, \b0, \b1, \b2, \b3, \s
.endm

/* G = (d & b) | (~d & c) */
.macro kp_g a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3, word, s
    ld1r {v24.4s}, [x5], #4
    ldp q20, q21, [sp, #64 * \word]
    ldp q22, q23, [sp, #64 * \word + 32]
    mov v16.16b, \d0\().16b
    mov v17.16b, \d1\().16b
    mov v18.16b, \d2\().16b
    mov v19.16b, \d3\().16b
    add \a0\().4s, \a0\().4s, v24.4s
    add \a1\().4s, \a1\().4s, v24.4s
    add \a2\().4s, \a2\().4s, v24.4s
    add \a3\().4s, \a3\().4s, v24.4s
    add v20.4s, v20.4s, \a0\().4s
    add v21.4s, v21.4s, \a1\().4s
    add v22.4s, v22.4s, \a2\().4s
    add v23.4s, v23.4s, \a3\().4s
    bsl v16.16b, \b0\().16b, \c0\().16b
    bsl v17.16b, \b1\().16b, \c1\().16b
    bsl v18.16b, \b2\().16b, \c2\().16b
    bsl v19.16b, \b3\().16b, \c3\().16b
    kp_rotate \a0, \a1, \a2, \a3, \b0, \b1, \b2, \b3, \s
.endm

/* H = b ^ c ^ d */
.macro kp_h a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3, word, s
    ld1r {v24.4s}, [x5], #4
    ldp q20, q21, [sp, #64 * \word]
    ldp q22, q23, [sp, #64 * \word + 32]
    eor v16.16b, \c0\().16b, \d0\().16b
    eor v17.16b, \c1\().16b, \d1\().16b
    eor v18.16b, \c2\().16b, \d2\().16b
    eor v19.16b, \c3\().16b, \d3\().16b
    add \a0\().4s, \a0\().4s, v24.4s
    add \a1\().4s, \a1\().4s, v24.4s
    add \a2\().4s, \a2\().4s, v24.4s
    add \a3\().4s, \a3\().4s, v24.4s
    add v20.4s, v20.4s, \a0\().4s
    add v21.4s, v21.4s, \a1\().4s
    add v22.4s, v22.4s, \a2\().4s
    add v23.4s, v23.4s, \a3\().4s
    eor v16.16b, v16.16b, \b0\().16b
    eor v17.16b, v17.16b, \b1\().16b
    eor v18.16b, v18.16b, \b2\().16b
    eor v19.16b, v19.16b, \b3\().16b
    kp_rotate \a0, \a1, \a2, \a3, \b0, \b1, \b2, \b3, \s
.endm

/* I = c ^ (b | ~d) */
.macro kp_i a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3, word, s
    ld1r {v24.4s}, [x5], #4
    ldp q20, q21, [sp, #64 * \word]
    ldp q22, q23, [sp, #64 * \word + 32]
    orn v16.16b, \b0\().16b, \d0\().16b
    orn v17.16b, \b1\().16b, \d1\().16b
    orn v18.16b, \b2\().16b, \d2\().16b
    orn v19.16b, \b3\().16b, \d3\().16b
    add \a0\().4s, \a0\().4s, v24.4s
    add \a1\().4s, \a1\().4s, v24.4s
    add \a2\().4s, \a2\().4s, v24.4s
    add \a3\().4s, \a3\().4s, v24.4s
    add v20.4s, v20.4s, \a0\().4s
    add v21.4s, v21.4s, \a1\().4s
    add v22.4s, v22.4s, \a2\().4s
    add v23.4s, v23.4s, \a3\().4s
    eor v16.16b, v16.16b, \c0\().16b
    eor v17.16b, v17.16b, \c1\().16b
    eor v18.16b, v18.16b, \c2\().16b
    eor v19.16b, v19.16b, \c3\().16b
    kp_rotate \a0, \a1, \a2, \a3, \b0, \b1, \b2, \b3, \s
.endm

kp_function kp_md5_many_neon_compress
    cbz x2, 4f
    kp_save_vectors
    sub sp, sp, #1024
    .cfi_adjust_cfa_offset 1024
    kp_address x4, kp_md5_many_neon_constants
    mov x3, #0
    kp_mark kp_md5_many_neon_compress_loop_begin
1:
    // Word w of lane l goes to place 16 w + l.
    mov x6, x1
    mov x7, sp
    mov x8, #4
2:
    ldp x9, x10, [x6], #32
    ldp x11, x12, [x6, #-16]
    add x9, x9, x3
    add x10, x10, x3
    add x11, x11, x3
    add x12, x12, x3
    ld1 {v16.16b, v17.16b, v18.16b, v19.16b}, [x9]
    ld1 {v20.16b, v21.16b, v22.16b, v23.16b}, [x10]
    ld1 {v24.16b, v25.16b, v26.16b, v27.16b}, [x11]
    ld1 {v28.16b, v29.16b, v30.16b, v31.16b}, [x12]
    trn1 v0.4s, v16.4s, v20.4s
    trn2 v1.4s, v16.4s, v20.4s
    trn1 v2.4s, v24.4s, v28.4s
    trn2 v3.4s, v24.4s, v28.4s
    trn1 v4.2d, v0.2d, v2.2d
    trn1 v5.2d, v1.2d, v3.2d
    trn2 v6.2d, v0.2d, v2.2d
    trn2 v7.2d, v1.2d, v3.2d
    str q4, [x7, #0]
    str q5, [x7, #64]
    str q6, [x7, #128]
    str q7, [x7, #192]
    trn1 v0.4s, v17.4s, v21.4s
    trn2 v1.4s, v17.4s, v21.4s
    trn1 v2.4s, v25.4s, v29.4s
    trn2 v3.4s, v25.4s, v29.4s
    trn1 v4.2d, v0.2d, v2.2d
    trn1 v5.2d, v1.2d, v3.2d
    trn2 v6.2d, v0.2d, v2.2d
    trn2 v7.2d, v1.2d, v3.2d
    str q4, [x7, #256]
    str q5, [x7, #320]
    str q6, [x7, #384]
    str q7, [x7, #448]
    trn1 v0.4s, v18.4s, v22.4s
    trn2 v1.4s, v18.4s, v22.4s
    trn1 v2.4s, v26.4s, v30.4s
    trn2 v3.4s, v26.4s, v30.4s
    trn1 v4.2d, v0.2d, v2.2d
    trn1 v5.2d, v1.2d, v3.2d
    trn2 v6.2d, v0.2d, v2.2d
    trn2 v7.2d, v1.2d, v3.2d
    str q4, [x7, #512]
    str q5, [x7, #576]
    str q6, [x7, #640]
    str q7, [x7, #704]
    trn1 v0.4s, v19.4s, v23.4s
    trn2 v1.4s, v19.4s, v23.4s
    trn1 v2.4s, v27.4s, v31.4s
    trn2 v3.4s, v27.4s, v31.4s
    trn1 v4.2d, v0.2d, v2.2d
    trn1 v5.2d, v1.2d, v3.2d
    trn2 v6.2d, v0.2d, v2.2d
    trn2 v7.2d, v1.2d, v3.2d
    str q4, [x7, #768]
    str q5, [x7, #832]
    str q6, [x7, #896]
    str q7, [x7, #960]
    add x7, x7, #16
    subs x8, x8, #1
    b.ne 2b
    mov x5, x4
    mov x6, x0
    ld1 {v0.4s, v1.4s, v2.4s, v3.4s}, [x6], #64
    ld1 {v4.4s, v5.4s, v6.4s, v7.4s}, [x6], #64
    ld1 {v8.4s, v9.4s, v10.4s, v11.4s}, [x6], #64
    ld1 {v12.4s, v13.4s, v14.4s, v15.4s}, [x6]
    kp_f A, B, C, D, 0, 7
    kp_f D, A, B, C, 1, 12
    kp_f C, D, A, B, 2, 17
    kp_f B, C, D, A, 3, 22
    kp_f A, B, C, D, 4, 7
    kp_f D, A, B, C, 5, 12
    kp_f C, D, A, B, 6, 17
    kp_f B, C, D, A, 7, 22
    kp_f A, B, C, D, 8, 7
    kp_f D, A, B, C, 9, 12
    kp_f C, D, A, B, 10, 17
    kp_f B, C, D, A, 11, 22
    kp_f A, B, C, D, 12, 7
    kp_f D, A, B, C, 13, 12
    kp_f C, D, A, B, 14, 17
    kp_f B, C, D, A, 15, 22
    kp_g A, B, C, D, 1, 5
    kp_g D, A, B, C, 6, 9
    kp_g C, D, A, B, 11, 14
    kp_g B, C, D, A, 0, 20
    kp_g A, B, C, D, 5, 5
    kp_g D, A, B, C, 10, 9
    kp_g C, D, A, B, 15, 14
    kp_g B, C, D, A, 4, 20
    kp_g A, B, C, D, 9, 5
    kp_g D, A, B, C, 14, 9
    kp_g C, D, A, B, 3, 14
    kp_g B, C, D, A, 8, 20
    kp_g A, B, C, D, 13, 5
    kp_g D, A, B, C, 2, 9
    kp_g C, D, A, B, 7, 14
    kp_g B, C, D, A, 12, 20
    kp_h A, B, C, D, 5, 4
    kp_h D, A, B, C, 8, 11
    kp_h C, D, A, B, 11, 16
    kp_h B, C, D, A, 14, 23
    kp_h A, B, C, D, 1, 4
    kp_h D, A, B, C, 4, 11
    kp_h C, D, A, B, 7, 16
    kp_h B, C, D, A, 10, 23
    kp_h A, B, C, D, 13, 4
    kp_h D, A, B, C, 0, 11
    kp_h C, D, A, B, 3, 16
    kp_h B, C, D, A, 6, 23
    kp_h A, B, C, D, 9, 4
    kp_h D, A, B, C, 12, 11
    kp_h C, D, A, B, 15, 16
    kp_h B, C, D, A, 2, 23
    kp_i A, B, C, D, 0, 6
    kp_i D, A, B, C, 7, 10
    kp_i C, D, A, B, 14, 15
    kp_i B, C, D, A, 5, 21
    kp_i A, B, C, D, 12, 6
    kp_i D, A, B, C, 3, 10
    kp_i C, D, A, B, 10, 15
    kp_i B, C, D, A, 1, 21
    kp_i A, B, C, D, 8, 6
    kp_i D, A, B, C, 15, 10
    kp_i C, D, A, B, 6, 15
    kp_i B, C, D, A, 13, 21
    kp_i A, B, C, D, 4, 6
    kp_i D, A, B, C, 11, 10
    kp_i C, D, A, B, 2, 15
    kp_i B, C, D, A, 9, 21
    mov x6, x0
    ld1 {v16.4s, v17.4s, v18.4s, v19.4s}, [x6], #64
    ld1 {v20.4s, v21.4s, v22.4s, v23.4s}, [x6], #64
    ld1 {v24.4s, v25.4s, v26.4s, v27.4s}, [x6], #64
    ld1 {v28.4s, v29.4s, v30.4s, v31.4s}, [x6]
    add v0.4s, v0.4s, v16.4s
    add v1.4s, v1.4s, v17.4s
    add v2.4s, v2.4s, v18.4s
    add v3.4s, v3.4s, v19.4s
    add v4.4s, v4.4s, v20.4s
    add v5.4s, v5.4s, v21.4s
    add v6.4s, v6.4s, v22.4s
    add v7.4s, v7.4s, v23.4s
    add v8.4s, v8.4s, v24.4s
    add v9.4s, v9.4s, v25.4s
    add v10.4s, v10.4s, v26.4s
    add v11.4s, v11.4s, v27.4s
    add v12.4s, v12.4s, v28.4s
    add v13.4s, v13.4s, v29.4s
    add v14.4s, v14.4s, v30.4s
    add v15.4s, v15.4s, v31.4s
    mov x6, x0
    st1 {v0.4s, v1.4s, v2.4s, v3.4s}, [x6], #64
    st1 {v4.4s, v5.4s, v6.4s, v7.4s}, [x6], #64
    st1 {v8.4s, v9.4s, v10.4s, v11.4s}, [x6], #64
    st1 {v12.4s, v13.4s, v14.4s, v15.4s}, [x6]
    add x3, x3, #64
    subs x2, x2, #1
    b.ne 1b
    kp_mark kp_md5_many_neon_compress_loop_end
    movi v0.2d, #0
    mov x7, sp
    mov x8, #16
3:
    stp q0, q0, [x7], #64
    stp q0, q0, [x7, #-32]
    subs x8, x8, #1
    b.ne 3b
    add sp, sp, #1024
    .cfi_adjust_cfa_offset -1024
    kp_restore_vectors
4:
    ret
kp_end kp_md5_many_neon_compress

// floor(2^32 |sin i|) for i = 1 to 64.
kp_constants kp_md5_many_neon_constants
    .word 0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee
    .word 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501
    .word 0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be
    .word 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821
    .word 0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa
    .word 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8
    .word 0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed
    .word 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a
    .word 0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c
    .word 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70
    .word 0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05
    .word 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665
    .word 0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039
    .word 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1
    .word 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1
    .word 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391
