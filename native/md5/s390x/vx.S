/* MD5 (RFC 1321) of sixteen streams at once, in four groups of four lanes, with the vectors of the z13.
 *
 * void kp_md5_many_vx_compress(uint32_t *state, const uint8_t *const *data, size_t blocks, size_t busy);
 *
 * r2 state, r3 pointers to the data, r4 blocks left; r5 to r8 the data of four lanes, r9 the next pointers, r10 the
 * place for them, r11 the constants, r12 offset in the data, r13 groups left; v0 to v15 a, b, c, d of the four
 * groups, v16 to v19 the round function, v20 to v23 the words, v24 the constant, v30, v31 the order of bytes. 1 KiB
 * of stack, wiped: sixteen blocks, transposed.
 *
 * One stream leaves most of the processor idle, since every step waits for the one before. Here a vector holds one
 * word of four streams, and four groups take turns. VSEL is F and G in one instruction, and VERLLF rotates. Words are
 * reversed by the same VPERM that begins the transposition. */
#include "../../asm/s390x.h"

    .machine "z13"

#define A %v0, %v1, %v2, %v3
#define B %v4, %v5, %v6, %v7
#define C %v8, %v9, %v10, %v11
#define D %v12, %v13, %v14, %v15

#define FRAME 1248 /* 160 of the ABI, 1024 of blocks, 64 of f8 to f15 */

/* F = (b & c) | (~b & d) */
.macro kp_f a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3, word, s, step
    vlrepf %v24, 4 * \step(%r11)
    vl %v20, 160 + 64 * \word + 0(%r15)
    vl %v21, 160 + 64 * \word + 16(%r15)
    vl %v22, 160 + 64 * \word + 32(%r15)
    vl %v23, 160 + 64 * \word + 48(%r15)
    vaf \a0, \a0, %v24
    vaf \a1, \a1, %v24
    vaf \a2, \a2, %v24
    vaf \a3, \a3, %v24
    vaf %v20, %v20, \a0
    vaf %v21, %v21, \a1
    vaf %v22, %v22, \a2
    vaf %v23, %v23, \a3
    vsel %v16, \c0, \d0, \b0
    vsel %v17, \c1, \d1, \b1
    vsel %v18, \c2, \d2, \b2
    vsel %v19, \c3, \d3, \b3
    vaf %v20, %v20, %v16
    vaf %v21, %v21, %v17
    vaf %v22, %v22, %v18
    vaf %v23, %v23, %v19
    verllf %v20, %v20, \s
    verllf %v21, %v21, \s
    verllf %v22, %v22, \s
    verllf %v23, %v23, \s
    vaf \a0, %v20, \b0
    vaf \a1, %v21, \b1
    vaf \a2, %v22, \b2
    vaf \a3, %v23, \b3
.endm

/* G = (d & b) | (~d & c) */
.macro kp_g a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3, word, s, step
    vlrepf %v24, 4 * \step(%r11)
    vl %v20, 160 + 64 * \word + 0(%r15)
    vl %v21, 160 + 64 * \word + 16(%r15)
    vl %v22, 160 + 64 * \word + 32(%r15)
    vl %v23, 160 + 64 * \word + 48(%r15)
    vaf \a0, \a0, %v24
    vaf \a1, \a1, %v24
    vaf \a2, \a2, %v24
    vaf \a3, \a3, %v24
    vaf %v20, %v20, \a0
    vaf %v21, %v21, \a1
    vaf %v22, %v22, \a2
    vaf %v23, %v23, \a3
    vsel %v16, \b0, \c0, \d0
    vsel %v17, \b1, \c1, \d1
    vsel %v18, \b2, \c2, \d2
    vsel %v19, \b3, \c3, \d3
    vaf %v20, %v20, %v16
    vaf %v21, %v21, %v17
    vaf %v22, %v22, %v18
    vaf %v23, %v23, %v19
    verllf %v20, %v20, \s
    verllf %v21, %v21, \s
    verllf %v22, %v22, \s
    verllf %v23, %v23, \s
    vaf \a0, %v20, \b0
    vaf \a1, %v21, \b1
    vaf \a2, %v22, \b2
    vaf \a3, %v23, \b3
.endm

/* H = b ^ c ^ d */
.macro kp_h a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3, word, s, step
    vlrepf %v24, 4 * \step(%r11)
    vl %v20, 160 + 64 * \word + 0(%r15)
    vl %v21, 160 + 64 * \word + 16(%r15)
    vl %v22, 160 + 64 * \word + 32(%r15)
    vl %v23, 160 + 64 * \word + 48(%r15)
    vaf \a0, \a0, %v24
    vaf \a1, \a1, %v24
    vaf \a2, \a2, %v24
    vaf \a3, \a3, %v24
    vaf %v20, %v20, \a0
    vaf %v21, %v21, \a1
    vaf %v22, %v22, \a2
    vaf %v23, %v23, \a3
    vx %v16, \c0, \d0
    vx %v17, \c1, \d1
    vx %v18, \c2, \d2
    vx %v19, \c3, \d3
    vx %v16, %v16, \b0
    vx %v17, %v17, \b1
    vx %v18, %v18, \b2
    vx %v19, %v19, \b3
    vaf %v20, %v20, %v16
    vaf %v21, %v21, %v17
    vaf %v22, %v22, %v18
    vaf %v23, %v23, %v19
    verllf %v20, %v20, \s
    verllf %v21, %v21, \s
    verllf %v22, %v22, \s
    verllf %v23, %v23, \s
    vaf \a0, %v20, \b0
    vaf \a1, %v21, \b1
    vaf \a2, %v22, \b2
    vaf \a3, %v23, \b3
.endm

/* I = c ^ (b | ~d) */
.macro kp_i a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3, word, s, step
    vlrepf %v24, 4 * \step(%r11)
    vl %v20, 160 + 64 * \word + 0(%r15)
    vl %v21, 160 + 64 * \word + 16(%r15)
    vl %v22, 160 + 64 * \word + 32(%r15)
    vl %v23, 160 + 64 * \word + 48(%r15)
    vaf \a0, \a0, %v24
    vaf \a1, \a1, %v24
    vaf \a2, \a2, %v24
    vaf \a3, \a3, %v24
    vaf %v20, %v20, \a0
    vaf %v21, %v21, \a1
    vaf %v22, %v22, \a2
    vaf %v23, %v23, \a3
    vno %v16, \d0, \d0
    vno %v17, \d1, \d1
    vno %v18, \d2, \d2
    vno %v19, \d3, \d3
    vo %v16, %v16, \b0
    vo %v17, %v17, \b1
    vo %v18, %v18, \b2
    vo %v19, %v19, \b3
    vx %v16, %v16, \c0
    vx %v17, %v17, \c1
    vx %v18, %v18, \c2
    vx %v19, %v19, \c3
    vaf %v20, %v20, %v16
    vaf %v21, %v21, %v17
    vaf %v22, %v22, %v18
    vaf %v23, %v23, %v19
    verllf %v20, %v20, \s
    verllf %v21, %v21, \s
    verllf %v22, %v22, \s
    verllf %v23, %v23, \s
    vaf \a0, %v20, \b0
    vaf \a1, %v21, \b1
    vaf \a2, %v22, \b2
    vaf \a3, %v23, \b3
.endm

kp_function kp_md5_many_vx_compress
    ltgr %r4, %r4
    ber %r14
    stmg %r6, %r15, 48(%r15)
    .cfi_rel_offset %r6, 48
    .cfi_rel_offset %r7, 56
    .cfi_rel_offset %r8, 64
    .cfi_rel_offset %r9, 72
    .cfi_rel_offset %r10, 80
    .cfi_rel_offset %r11, 88
    .cfi_rel_offset %r12, 96
    .cfi_rel_offset %r13, 104
    .cfi_rel_offset %r14, 112
    .cfi_rel_offset %r15, 120
    aghi %r15, -FRAME
    .cfi_adjust_cfa_offset FRAME
    std %f8, 1184(%r15)
    .cfi_rel_offset %f8, 1184
    std %f9, 1192(%r15)
    .cfi_rel_offset %f9, 1192
    std %f10, 1200(%r15)
    .cfi_rel_offset %f10, 1200
    std %f11, 1208(%r15)
    .cfi_rel_offset %f11, 1208
    std %f12, 1216(%r15)
    .cfi_rel_offset %f12, 1216
    std %f13, 1224(%r15)
    .cfi_rel_offset %f13, 1224
    std %f14, 1232(%r15)
    .cfi_rel_offset %f14, 1232
    std %f15, 1240(%r15)
    .cfi_rel_offset %f15, 1240
    larl %r11, kp_md5_many_vx_constants
    lghi %r12, 0
kp_md5_many_vx_compress_loop_begin:
1:
    // Word w of lane l goes to place 16 w + l.
    vl %v30, 256(%r11)
    vl %v31, 272(%r11)
    lgr %r9, %r3
    lgr %r10, %r15
    lghi %r13, 4
2:
    lg %r5, 0(%r9)
    lg %r6, 8(%r9)
    lg %r7, 16(%r9)
    lg %r8, 24(%r9)
    agr %r5, %r12
    agr %r6, %r12
    agr %r7, %r12
    agr %r8, %r12
    vl %v0, 0(%r5)
    vl %v1, 0(%r6)
    vl %v2, 0(%r7)
    vl %v3, 0(%r8)
    vperm %v4, %v0, %v1, %v30
    vperm %v5, %v0, %v1, %v31
    vperm %v6, %v2, %v3, %v30
    vperm %v7, %v2, %v3, %v31
    vmrhg %v16, %v4, %v6
    vmrlg %v17, %v4, %v6
    vmrhg %v18, %v5, %v7
    vmrlg %v19, %v5, %v7
    vst %v16, 160(%r10)
    vst %v17, 224(%r10)
    vst %v18, 288(%r10)
    vst %v19, 352(%r10)
    vl %v0, 16(%r5)
    vl %v1, 16(%r6)
    vl %v2, 16(%r7)
    vl %v3, 16(%r8)
    vperm %v4, %v0, %v1, %v30
    vperm %v5, %v0, %v1, %v31
    vperm %v6, %v2, %v3, %v30
    vperm %v7, %v2, %v3, %v31
    vmrhg %v16, %v4, %v6
    vmrlg %v17, %v4, %v6
    vmrhg %v18, %v5, %v7
    vmrlg %v19, %v5, %v7
    vst %v16, 416(%r10)
    vst %v17, 480(%r10)
    vst %v18, 544(%r10)
    vst %v19, 608(%r10)
    vl %v0, 32(%r5)
    vl %v1, 32(%r6)
    vl %v2, 32(%r7)
    vl %v3, 32(%r8)
    vperm %v4, %v0, %v1, %v30
    vperm %v5, %v0, %v1, %v31
    vperm %v6, %v2, %v3, %v30
    vperm %v7, %v2, %v3, %v31
    vmrhg %v16, %v4, %v6
    vmrlg %v17, %v4, %v6
    vmrhg %v18, %v5, %v7
    vmrlg %v19, %v5, %v7
    vst %v16, 672(%r10)
    vst %v17, 736(%r10)
    vst %v18, 800(%r10)
    vst %v19, 864(%r10)
    vl %v0, 48(%r5)
    vl %v1, 48(%r6)
    vl %v2, 48(%r7)
    vl %v3, 48(%r8)
    vperm %v4, %v0, %v1, %v30
    vperm %v5, %v0, %v1, %v31
    vperm %v6, %v2, %v3, %v30
    vperm %v7, %v2, %v3, %v31
    vmrhg %v16, %v4, %v6
    vmrlg %v17, %v4, %v6
    vmrhg %v18, %v5, %v7
    vmrlg %v19, %v5, %v7
    vst %v16, 928(%r10)
    vst %v17, 992(%r10)
    vst %v18, 1056(%r10)
    vst %v19, 1120(%r10)
    la %r9, 32(%r9)
    la %r10, 16(%r10)
    brctg %r13, 2b
    vl %v0, 0(%r2)
    vl %v1, 16(%r2)
    vl %v2, 32(%r2)
    vl %v3, 48(%r2)
    vl %v4, 64(%r2)
    vl %v5, 80(%r2)
    vl %v6, 96(%r2)
    vl %v7, 112(%r2)
    vl %v8, 128(%r2)
    vl %v9, 144(%r2)
    vl %v10, 160(%r2)
    vl %v11, 176(%r2)
    vl %v12, 192(%r2)
    vl %v13, 208(%r2)
    vl %v14, 224(%r2)
    vl %v15, 240(%r2)
    kp_f A, B, C, D, 0, 7, 0
    kp_f D, A, B, C, 1, 12, 1
    kp_f C, D, A, B, 2, 17, 2
    kp_f B, C, D, A, 3, 22, 3
    kp_f A, B, C, D, 4, 7, 4
    kp_f D, A, B, C, 5, 12, 5
    kp_f C, D, A, B, 6, 17, 6
    kp_f B, C, D, A, 7, 22, 7
    kp_f A, B, C, D, 8, 7, 8
    kp_f D, A, B, C, 9, 12, 9
    kp_f C, D, A, B, 10, 17, 10
    kp_f B, C, D, A, 11, 22, 11
    kp_f A, B, C, D, 12, 7, 12
    kp_f D, A, B, C, 13, 12, 13
    kp_f C, D, A, B, 14, 17, 14
    kp_f B, C, D, A, 15, 22, 15
    kp_g A, B, C, D, 1, 5, 16
    kp_g D, A, B, C, 6, 9, 17
    kp_g C, D, A, B, 11, 14, 18
    kp_g B, C, D, A, 0, 20, 19
    kp_g A, B, C, D, 5, 5, 20
    kp_g D, A, B, C, 10, 9, 21
    kp_g C, D, A, B, 15, 14, 22
    kp_g B, C, D, A, 4, 20, 23
    kp_g A, B, C, D, 9, 5, 24
    kp_g D, A, B, C, 14, 9, 25
    kp_g C, D, A, B, 3, 14, 26
    kp_g B, C, D, A, 8, 20, 27
    kp_g A, B, C, D, 13, 5, 28
    kp_g D, A, B, C, 2, 9, 29
    kp_g C, D, A, B, 7, 14, 30
    kp_g B, C, D, A, 12, 20, 31
    kp_h A, B, C, D, 5, 4, 32
    kp_h D, A, B, C, 8, 11, 33
    kp_h C, D, A, B, 11, 16, 34
    kp_h B, C, D, A, 14, 23, 35
    kp_h A, B, C, D, 1, 4, 36
    kp_h D, A, B, C, 4, 11, 37
    kp_h C, D, A, B, 7, 16, 38
    kp_h B, C, D, A, 10, 23, 39
    kp_h A, B, C, D, 13, 4, 40
    kp_h D, A, B, C, 0, 11, 41
    kp_h C, D, A, B, 3, 16, 42
    kp_h B, C, D, A, 6, 23, 43
    kp_h A, B, C, D, 9, 4, 44
    kp_h D, A, B, C, 12, 11, 45
    kp_h C, D, A, B, 15, 16, 46
    kp_h B, C, D, A, 2, 23, 47
    kp_i A, B, C, D, 0, 6, 48
    kp_i D, A, B, C, 7, 10, 49
    kp_i C, D, A, B, 14, 15, 50
    kp_i B, C, D, A, 5, 21, 51
    kp_i A, B, C, D, 12, 6, 52
    kp_i D, A, B, C, 3, 10, 53
    kp_i C, D, A, B, 10, 15, 54
    kp_i B, C, D, A, 1, 21, 55
    kp_i A, B, C, D, 8, 6, 56
    kp_i D, A, B, C, 15, 10, 57
    kp_i C, D, A, B, 6, 15, 58
    kp_i B, C, D, A, 13, 21, 59
    kp_i A, B, C, D, 4, 6, 60
    kp_i D, A, B, C, 11, 10, 61
    kp_i C, D, A, B, 2, 15, 62
    kp_i B, C, D, A, 9, 21, 63
    vl %v16, 0(%r2)
    vaf %v0, %v0, %v16
    vst %v0, 0(%r2)
    vl %v17, 16(%r2)
    vaf %v1, %v1, %v17
    vst %v1, 16(%r2)
    vl %v18, 32(%r2)
    vaf %v2, %v2, %v18
    vst %v2, 32(%r2)
    vl %v19, 48(%r2)
    vaf %v3, %v3, %v19
    vst %v3, 48(%r2)
    vl %v20, 64(%r2)
    vaf %v4, %v4, %v20
    vst %v4, 64(%r2)
    vl %v21, 80(%r2)
    vaf %v5, %v5, %v21
    vst %v5, 80(%r2)
    vl %v22, 96(%r2)
    vaf %v6, %v6, %v22
    vst %v6, 96(%r2)
    vl %v23, 112(%r2)
    vaf %v7, %v7, %v23
    vst %v7, 112(%r2)
    vl %v16, 128(%r2)
    vaf %v8, %v8, %v16
    vst %v8, 128(%r2)
    vl %v17, 144(%r2)
    vaf %v9, %v9, %v17
    vst %v9, 144(%r2)
    vl %v18, 160(%r2)
    vaf %v10, %v10, %v18
    vst %v10, 160(%r2)
    vl %v19, 176(%r2)
    vaf %v11, %v11, %v19
    vst %v11, 176(%r2)
    vl %v20, 192(%r2)
    vaf %v12, %v12, %v20
    vst %v12, 192(%r2)
    vl %v21, 208(%r2)
    vaf %v13, %v13, %v21
    vst %v13, 208(%r2)
    vl %v22, 224(%r2)
    vaf %v14, %v14, %v22
    vst %v14, 224(%r2)
    vl %v23, 240(%r2)
    vaf %v15, %v15, %v23
    vst %v15, 240(%r2)
    la %r12, 64(%r12)
    brctg %r4, 1b
kp_md5_many_vx_compress_loop_end:
    xc 160(256, %r15), 160(%r15)
    xc 416(256, %r15), 416(%r15)
    xc 672(256, %r15), 672(%r15)
    xc 928(256, %r15), 928(%r15)
    ld %f8, 1184(%r15)
    .cfi_restore %f8
    ld %f9, 1192(%r15)
    .cfi_restore %f9
    ld %f10, 1200(%r15)
    .cfi_restore %f10
    ld %f11, 1208(%r15)
    .cfi_restore %f11
    ld %f12, 1216(%r15)
    .cfi_restore %f12
    ld %f13, 1224(%r15)
    .cfi_restore %f13
    ld %f14, 1232(%r15)
    .cfi_restore %f14
    ld %f15, 1240(%r15)
    .cfi_restore %f15
    lmg %r6, %r15, FRAME + 48(%r15)
    .cfi_adjust_cfa_offset -FRAME
    .cfi_restore %r6
    .cfi_restore %r7
    .cfi_restore %r8
    .cfi_restore %r9
    .cfi_restore %r10
    .cfi_restore %r11
    .cfi_restore %r12
    .cfi_restore %r13
    .cfi_restore %r14
    .cfi_restore %r15
    br %r14
kp_end kp_md5_many_vx_compress

    .section .rodata
    .p2align 4
kp_md5_many_vx_constants:
// floor(2^32 |sin i|) for i = 1 to 64.
    .long 0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee
    .long 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501
    .long 0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be
    .long 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821
    .long 0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa
    .long 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8
    .long 0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed
    .long 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a
    .long 0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c
    .long 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70
    .long 0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05
    .long 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665
    .long 0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039
    .long 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1
    .long 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1
    .long 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391
// Words 0 of two vectors and words 1, each reversed; then words 2 and 3.
    .byte 3, 2, 1, 0, 19, 18, 17, 16, 7, 6, 5, 4, 23, 22, 21, 20
    .byte 11, 10, 9, 8, 27, 26, 25, 24, 15, 14, 13, 12, 31, 30, 29, 28
