/* MD5 (RFC 1321), one stream, in general registers, with the three-operand instructions of the z196.
 *
 * void kp_md5_z196_compress(uint32_t state[4], const uint8_t *data, size_t blocks);
 *
 * r2 state, r3 data, r4 blocks left; r5 to r8 a, b, c, d; r1, r9 to r11 temporaries; r12 all ones. 64 bytes
 * of stack hold the block in the machine's byte order, wiped at the end.
 *
 * LRV loads a word in reverse, and a step adds its word straight from the stack. Each step waits for the one
 * before, so what decides is the way from b to the next b. G is a sum of two disjoint masks, not a
 * selection: only one of them depends on b, and the other is added before b is there. That way F and I take
 * five instructions in a row and G and H four, 288 for a block of 64 bytes. */
#include "../../asm/s390x.h"

    .machine "z196"

/* a = a + word + constant. */
.macro kp_add a, word, constant
    al \a, 160 + 4 * \word(%r15)
    alfi \a, \constant
.endm

/* a = b + (a <<< s). */
.macro kp_rotate a, b, s
    rll \a, \a, \s
    alr \a, \b
.endm

.macro kp_f a, b, c, d, word, s, constant
    xrk %r1, \c, \d
    kp_add \a, \word, \constant
    nr %r1, \b
    xr %r1, \d
    alr \a, %r1
    kp_rotate \a, \b, \s
.endm

.macro kp_g a, b, c, d, word, s, constant
    ork %r9, \c, \d
    kp_add \a, \word, \constant
    xr %r9, \d
    alr \a, %r9
    nrk %r1, \b, \d
    alr \a, %r1
    kp_rotate \a, \b, \s
.endm

.macro kp_h a, b, c, d, word, s, constant
    xrk %r1, \c, \d
    kp_add \a, \word, \constant
    xr %r1, \b
    alr \a, %r1
    kp_rotate \a, \b, \s
.endm

.macro kp_i a, b, c, d, word, s, constant
    xrk %r1, \d, %r12
    kp_add \a, \word, \constant
    or %r1, \b
    xr %r1, \c
    alr \a, %r1
    kp_rotate \a, \b, \s
.endm

kp_function kp_md5_z196_compress
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
    aghi %r15, -224
    .cfi_adjust_cfa_offset 224
    lghi %r12, -1
    lm %r5, %r8, 0(%r2)
kp_md5_z196_compress_loop_begin:
1:
    lrv %r1, 0(%r3)
    lrv %r9, 4(%r3)
    lrv %r10, 8(%r3)
    lrv %r11, 12(%r3)
    st %r1, 160(%r15)
    stm %r9, %r11, 164(%r15)
    lrv %r1, 16(%r3)
    lrv %r9, 20(%r3)
    lrv %r10, 24(%r3)
    lrv %r11, 28(%r3)
    st %r1, 176(%r15)
    stm %r9, %r11, 180(%r15)
    lrv %r1, 32(%r3)
    lrv %r9, 36(%r3)
    lrv %r10, 40(%r3)
    lrv %r11, 44(%r3)
    st %r1, 192(%r15)
    stm %r9, %r11, 196(%r15)
    lrv %r1, 48(%r3)
    lrv %r9, 52(%r3)
    lrv %r10, 56(%r3)
    lrv %r11, 60(%r3)
    st %r1, 208(%r15)
    stm %r9, %r11, 212(%r15)
    la %r3, 64(%r3)
    // F = ((c ^ d) & b) ^ d
    kp_f %r5, %r6, %r7, %r8, 0, 7, 0xd76aa478
    kp_f %r8, %r5, %r6, %r7, 1, 12, 0xe8c7b756
    kp_f %r7, %r8, %r5, %r6, 2, 17, 0x242070db
    kp_f %r6, %r7, %r8, %r5, 3, 22, 0xc1bdceee
    kp_f %r5, %r6, %r7, %r8, 4, 7, 0xf57c0faf
    kp_f %r8, %r5, %r6, %r7, 5, 12, 0x4787c62a
    kp_f %r7, %r8, %r5, %r6, 6, 17, 0xa8304613
    kp_f %r6, %r7, %r8, %r5, 7, 22, 0xfd469501
    kp_f %r5, %r6, %r7, %r8, 8, 7, 0x698098d8
    kp_f %r8, %r5, %r6, %r7, 9, 12, 0x8b44f7af
    kp_f %r7, %r8, %r5, %r6, 10, 17, 0xffff5bb1
    kp_f %r6, %r7, %r8, %r5, 11, 22, 0x895cd7be
    kp_f %r5, %r6, %r7, %r8, 12, 7, 0x6b901122
    kp_f %r8, %r5, %r6, %r7, 13, 12, 0xfd987193
    kp_f %r7, %r8, %r5, %r6, 14, 17, 0xa679438e
    kp_f %r6, %r7, %r8, %r5, 15, 22, 0x49b40821
    // G = (b & d) + (c & ~d)
    kp_g %r5, %r6, %r7, %r8, 1, 5, 0xf61e2562
    kp_g %r8, %r5, %r6, %r7, 6, 9, 0xc040b340
    kp_g %r7, %r8, %r5, %r6, 11, 14, 0x265e5a51
    kp_g %r6, %r7, %r8, %r5, 0, 20, 0xe9b6c7aa
    kp_g %r5, %r6, %r7, %r8, 5, 5, 0xd62f105d
    kp_g %r8, %r5, %r6, %r7, 10, 9, 0x02441453
    kp_g %r7, %r8, %r5, %r6, 15, 14, 0xd8a1e681
    kp_g %r6, %r7, %r8, %r5, 4, 20, 0xe7d3fbc8
    kp_g %r5, %r6, %r7, %r8, 9, 5, 0x21e1cde6
    kp_g %r8, %r5, %r6, %r7, 14, 9, 0xc33707d6
    kp_g %r7, %r8, %r5, %r6, 3, 14, 0xf4d50d87
    kp_g %r6, %r7, %r8, %r5, 8, 20, 0x455a14ed
    kp_g %r5, %r6, %r7, %r8, 13, 5, 0xa9e3e905
    kp_g %r8, %r5, %r6, %r7, 2, 9, 0xfcefa3f8
    kp_g %r7, %r8, %r5, %r6, 7, 14, 0x676f02d9
    kp_g %r6, %r7, %r8, %r5, 12, 20, 0x8d2a4c8a
    // H = b ^ c ^ d
    kp_h %r5, %r6, %r7, %r8, 5, 4, 0xfffa3942
    kp_h %r8, %r5, %r6, %r7, 8, 11, 0x8771f681
    kp_h %r7, %r8, %r5, %r6, 11, 16, 0x6d9d6122
    kp_h %r6, %r7, %r8, %r5, 14, 23, 0xfde5380c
    kp_h %r5, %r6, %r7, %r8, 1, 4, 0xa4beea44
    kp_h %r8, %r5, %r6, %r7, 4, 11, 0x4bdecfa9
    kp_h %r7, %r8, %r5, %r6, 7, 16, 0xf6bb4b60
    kp_h %r6, %r7, %r8, %r5, 10, 23, 0xbebfbc70
    kp_h %r5, %r6, %r7, %r8, 13, 4, 0x289b7ec6
    kp_h %r8, %r5, %r6, %r7, 0, 11, 0xeaa127fa
    kp_h %r7, %r8, %r5, %r6, 3, 16, 0xd4ef3085
    kp_h %r6, %r7, %r8, %r5, 6, 23, 0x04881d05
    kp_h %r5, %r6, %r7, %r8, 9, 4, 0xd9d4d039
    kp_h %r8, %r5, %r6, %r7, 12, 11, 0xe6db99e5
    kp_h %r7, %r8, %r5, %r6, 15, 16, 0x1fa27cf8
    kp_h %r6, %r7, %r8, %r5, 2, 23, 0xc4ac5665
    // I = c ^ (b | ~d)
    kp_i %r5, %r6, %r7, %r8, 0, 6, 0xf4292244
    kp_i %r8, %r5, %r6, %r7, 7, 10, 0x432aff97
    kp_i %r7, %r8, %r5, %r6, 14, 15, 0xab9423a7
    kp_i %r6, %r7, %r8, %r5, 5, 21, 0xfc93a039
    kp_i %r5, %r6, %r7, %r8, 12, 6, 0x655b59c3
    kp_i %r8, %r5, %r6, %r7, 3, 10, 0x8f0ccc92
    kp_i %r7, %r8, %r5, %r6, 10, 15, 0xffeff47d
    kp_i %r6, %r7, %r8, %r5, 1, 21, 0x85845dd1
    kp_i %r5, %r6, %r7, %r8, 8, 6, 0x6fa87e4f
    kp_i %r8, %r5, %r6, %r7, 15, 10, 0xfe2ce6e0
    kp_i %r7, %r8, %r5, %r6, 6, 15, 0xa3014314
    kp_i %r6, %r7, %r8, %r5, 13, 21, 0x4e0811a1
    kp_i %r5, %r6, %r7, %r8, 4, 6, 0xf7537e82
    kp_i %r8, %r5, %r6, %r7, 11, 10, 0xbd3af235
    kp_i %r7, %r8, %r5, %r6, 2, 15, 0x2ad7d2bb
    kp_i %r6, %r7, %r8, %r5, 9, 21, 0xeb86d391
    al %r5, 0(%r2)
    al %r6, 4(%r2)
    al %r7, 8(%r2)
    al %r8, 12(%r2)
    stm %r5, %r8, 0(%r2)
    brctg %r4, 1b
kp_md5_z196_compress_loop_end:
    xc 160(64, %r15), 160(%r15)
    lmg %r6, %r15, 224 + 48(%r15)
    .cfi_adjust_cfa_offset -224
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
kp_end kp_md5_z196_compress
