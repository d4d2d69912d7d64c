/* MD5 (RFC 1321): the 64 steps of a block, for every kernel to say what a step is.
 *
 * kp_md5_steps step, a, b, c, d calls step_f, step_g, step_h or step_i with the names of the four words in the step's
 * order, the number of the message word, the rotation, the constant, floor(2^32 |sin(n + 1)|), and n, the number of the
 * step.
 */
#ifndef KP_ASM_X86_64_MD5_H
#define KP_ASM_X86_64_MD5_H

.macro kp_md5_steps step, a, b, c, d
\step\()_f \a, \b, \c, \d, 0, 7, 0xd76aa478, 0
\step\()_f \d, \a, \b, \c, 1, 12, 0xe8c7b756, 1
\step\()_f \c, \d, \a, \b, 2, 17, 0x242070db, 2
\step\()_f \b, \c, \d, \a, 3, 22, 0xc1bdceee, 3
\step\()_f \a, \b, \c, \d, 4, 7, 0xf57c0faf, 4
\step\()_f \d, \a, \b, \c, 5, 12, 0x4787c62a, 5
\step\()_f \c, \d, \a, \b, 6, 17, 0xa8304613, 6
\step\()_f \b, \c, \d, \a, 7, 22, 0xfd469501, 7
\step\()_f \a, \b, \c, \d, 8, 7, 0x698098d8, 8
\step\()_f \d, \a, \b, \c, 9, 12, 0x8b44f7af, 9
\step\()_f \c, \d, \a, \b, 10, 17, 0xffff5bb1, 10
\step\()_f \b, \c, \d, \a, 11, 22, 0x895cd7be, 11
\step\()_f \a, \b, \c, \d, 12, 7, 0x6b901122, 12
\step\()_f \d, \a, \b, \c, 13, 12, 0xfd987193, 13
\step\()_f \c, \d, \a, \b, 14, 17, 0xa679438e, 14
\step\()_f \b, \c, \d, \a, 15, 22, 0x49b40821, 15
\step\()_g \a, \b, \c, \d, 1, 5, 0xf61e2562, 16
\step\()_g \d, \a, \b, \c, 6, 9, 0xc040b340, 17
\step\()_g \c, \d, \a, \b, 11, 14, 0x265e5a51, 18
\step\()_g \b, \c, \d, \a, 0, 20, 0xe9b6c7aa, 19
\step\()_g \a, \b, \c, \d, 5, 5, 0xd62f105d, 20
\step\()_g \d, \a, \b, \c, 10, 9, 0x02441453, 21
\step\()_g \c, \d, \a, \b, 15, 14, 0xd8a1e681, 22
\step\()_g \b, \c, \d, \a, 4, 20, 0xe7d3fbc8, 23
\step\()_g \a, \b, \c, \d, 9, 5, 0x21e1cde6, 24
\step\()_g \d, \a, \b, \c, 14, 9, 0xc33707d6, 25
\step\()_g \c, \d, \a, \b, 3, 14, 0xf4d50d87, 26
\step\()_g \b, \c, \d, \a, 8, 20, 0x455a14ed, 27
\step\()_g \a, \b, \c, \d, 13, 5, 0xa9e3e905, 28
\step\()_g \d, \a, \b, \c, 2, 9, 0xfcefa3f8, 29
\step\()_g \c, \d, \a, \b, 7, 14, 0x676f02d9, 30
\step\()_g \b, \c, \d, \a, 12, 20, 0x8d2a4c8a, 31
\step\()_h \a, \b, \c, \d, 5, 4, 0xfffa3942, 32
\step\()_h \d, \a, \b, \c, 8, 11, 0x8771f681, 33
\step\()_h \c, \d, \a, \b, 11, 16, 0x6d9d6122, 34
\step\()_h \b, \c, \d, \a, 14, 23, 0xfde5380c, 35
\step\()_h \a, \b, \c, \d, 1, 4, 0xa4beea44, 36
\step\()_h \d, \a, \b, \c, 4, 11, 0x4bdecfa9, 37
\step\()_h \c, \d, \a, \b, 7, 16, 0xf6bb4b60, 38
\step\()_h \b, \c, \d, \a, 10, 23, 0xbebfbc70, 39
\step\()_h \a, \b, \c, \d, 13, 4, 0x289b7ec6, 40
\step\()_h \d, \a, \b, \c, 0, 11, 0xeaa127fa, 41
\step\()_h \c, \d, \a, \b, 3, 16, 0xd4ef3085, 42
\step\()_h \b, \c, \d, \a, 6, 23, 0x04881d05, 43
\step\()_h \a, \b, \c, \d, 9, 4, 0xd9d4d039, 44
\step\()_h \d, \a, \b, \c, 12, 11, 0xe6db99e5, 45
\step\()_h \c, \d, \a, \b, 15, 16, 0x1fa27cf8, 46
\step\()_h \b, \c, \d, \a, 2, 23, 0xc4ac5665, 47
\step\()_i \a, \b, \c, \d, 0, 6, 0xf4292244, 48
\step\()_i \d, \a, \b, \c, 7, 10, 0x432aff97, 49
\step\()_i \c, \d, \a, \b, 14, 15, 0xab9423a7, 50
\step\()_i \b, \c, \d, \a, 5, 21, 0xfc93a039, 51
\step\()_i \a, \b, \c, \d, 12, 6, 0x655b59c3, 52
\step\()_i \d, \a, \b, \c, 3, 10, 0x8f0ccc92, 53
\step\()_i \c, \d, \a, \b, 10, 15, 0xffeff47d, 54
\step\()_i \b, \c, \d, \a, 1, 21, 0x85845dd1, 55
\step\()_i \a, \b, \c, \d, 8, 6, 0x6fa87e4f, 56
\step\()_i \d, \a, \b, \c, 15, 10, 0xfe2ce6e0, 57
\step\()_i \c, \d, \a, \b, 6, 15, 0xa3014314, 58
\step\()_i \b, \c, \d, \a, 13, 21, 0x4e0811a1, 59
\step\()_i \a, \b, \c, \d, 4, 6, 0xf7537e82, 60
\step\()_i \d, \a, \b, \c, 11, 10, 0xbd3af235, 61
\step\()_i \c, \d, \a, \b, 2, 15, 0x2ad7d2bb, 62
\step\()_i \b, \c, \d, \a, 9, 21, 0xeb86d391, 63
.endm

/* The constants as a table, put into .rodata. */
.macro kp_md5_constant_f a, b, c, d, word, rotation, constant, number
.long \constant
.endm
.macro kp_md5_constant_g a, b, c, d, word, rotation, constant, number
.long \constant
.endm
.macro kp_md5_constant_h a, b, c, d, word, rotation, constant, number
.long \constant
.endm
.macro kp_md5_constant_i a, b, c, d, word, rotation, constant, number
.long \constant
.endm
.macro kp_md5_constants
.p2align 6
.Lconstants:
kp_md5_steps kp_md5_constant, 0, 0, 0, 0
.endm

#endif
