/* MD5 (RFC 1321), one stream, in general registers: every POWER processor from PowerPC 601 on.
 *
 *   void compress(uint32_t state[4], const uint8_t *data, size_t blocks);
 *
 * MD5 is one chain of additions, rotations and Boolean functions, so that what counts is the steps between
 * the newest of the four words (b) and the next one. a, the constant and the message word are added ahead; what
 * depends on b comes last:
 *   F = ((c ^ d) & b) ^ d                five steps
 *   G = (b & d) + (c & ~d)               four: the two never have a bit in common, and the second half is added ahead
 *   H = (c ^ d) ^ b                      four
 *   I = c ^ (b | ~d)                     five
 * POWER10 runs the last logical instruction and the addition after it as one, where they stand together. The sixteen
 * words of a block stay in registers, loaded once: lwz, or lwbrx where the processor is big-endian (not ldbrx, which
 * came with ISA 2.06). Nine instructions a step at most, 8.9 a byte in all on little-endian and 9.2 on big-endian.
 *
 * Source: RFC 1321; that G may be added in halves is folklore of MD5 implementations.
 *
 * Registers: r3 state, r4 data, CTR blocks, r5 to r8 a, b, c, d, r9 and r10 scratch, r14 to r29 the block,
 * r0, r12, r30, r31 the state before the block.
 */
#include "../../asm/power.h"

#define KERNEL(entry) kp_md5_power_##entry

#define rState 3
#define rData 4
#define rA 5
#define rB 6
#define rC 7
#define rD 8
#define rSum 9
#define rFunction 10
#define rOldA 0
#define rOldB 12
#define rOldC 30
#define rOldD 31
#define WORD_FIRST 14

#define FRAME_BYTES (KP_FRAME_HEADER + 18 * KP_WORD + KP_FRAME_PAD)
#if KP_WORD == 8
#define KP_FRAME_PAD 0
#else
#define KP_FRAME_PAD 8
#endif

.macro LOAD_WORD i
#if KP_LITTLE
    lwz WORD_FIRST + \i, 4 * \i(rData)
#else
    li WORD_FIRST + \i, 4 * \i
    lwbrx WORD_FIRST + \i, WORD_FIRST + \i, rData
#endif
.endm

/* rSum = a + constant + word. In 64-bit registers the upper halves are rubbish: the rotation drops them. */
.macro ADD_AHEAD a, i, constant
    addis rSum, \a, ((\constant + 0x8000) >> 16) & 0xffff
    addi rSum, rSum, ((\constant & 0xffff) ^ 0x8000) - 0x8000
    add rSum, rSum, WORD_FIRST + \i
.endm

.macro ROTATE_AND_ADD a, b, shift
    rotlwi rSum, rSum, \shift
    add \a, rSum, \b
.endm

.macro ROUND_F a, b, c, d, i, shift, constant
    LOAD_WORD \i
    xor rFunction, \c, \d
    ADD_AHEAD \a, \i, \constant
    and rFunction, rFunction, \b
    xor rFunction, rFunction, \d
    add rSum, rFunction, rSum
    ROTATE_AND_ADD \a, \b, \shift
.endm

.macro ROUND_G a, b, c, d, i, shift, constant
    andc rFunction, \c, \d
    ADD_AHEAD \a, \i, \constant
    add rSum, rSum, rFunction
    and rFunction, \b, \d
    add rSum, rFunction, rSum
    ROTATE_AND_ADD \a, \b, \shift
.endm

.macro ROUND_H a, b, c, d, i, shift, constant
    xor rFunction, \c, \d
    ADD_AHEAD \a, \i, \constant
    xor rFunction, rFunction, \b
    add rSum, rFunction, rSum
    ROTATE_AND_ADD \a, \b, \shift
.endm

.macro ROUND_I a, b, c, d, i, shift, constant
    ADD_AHEAD \a, \i, \constant
    orc rFunction, \b, \d
    xor rFunction, rFunction, \c
    add rSum, rFunction, rSum
    ROTATE_AND_ADD \a, \b, \shift
.endm

    KP_BEGIN KERNEL(compress)
    KP_COMPARE_IMMEDIATE 5, 0
    beqlr
    mtctr 5
    KP_STORE_UPDATE 1, -FRAME_BYTES(1)
    .cfi_def_cfa_offset FRAME_BYTES
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    KP_STORE 14 + \n, KP_FRAME_HEADER + KP_WORD * \n(1)
    .cfi_offset 14 + \n, KP_FRAME_HEADER + KP_WORD * \n - FRAME_BYTES
    .endr
    lwz rA, 0(rState)
    lwz rB, 4(rState)
    lwz rC, 8(rState)
    lwz rD, 12(rState)
    .balign 32
kp_md5_power_compress_loop_begin:
    mr rOldA, rA
    mr rOldB, rB
    mr rOldC, rC
    mr rOldD, rD
    ROUND_F rA, rB, rC, rD, 0, 7, 0xd76aa478
    ROUND_F rD, rA, rB, rC, 1, 12, 0xe8c7b756
    ROUND_F rC, rD, rA, rB, 2, 17, 0x242070db
    ROUND_F rB, rC, rD, rA, 3, 22, 0xc1bdceee
    ROUND_F rA, rB, rC, rD, 4, 7, 0xf57c0faf
    ROUND_F rD, rA, rB, rC, 5, 12, 0x4787c62a
    ROUND_F rC, rD, rA, rB, 6, 17, 0xa8304613
    ROUND_F rB, rC, rD, rA, 7, 22, 0xfd469501
    ROUND_F rA, rB, rC, rD, 8, 7, 0x698098d8
    ROUND_F rD, rA, rB, rC, 9, 12, 0x8b44f7af
    ROUND_F rC, rD, rA, rB, 10, 17, 0xffff5bb1
    ROUND_F rB, rC, rD, rA, 11, 22, 0x895cd7be
    ROUND_F rA, rB, rC, rD, 12, 7, 0x6b901122
    ROUND_F rD, rA, rB, rC, 13, 12, 0xfd987193
    ROUND_F rC, rD, rA, rB, 14, 17, 0xa679438e
    ROUND_F rB, rC, rD, rA, 15, 22, 0x49b40821
    ROUND_G rA, rB, rC, rD, 1, 5, 0xf61e2562
    ROUND_G rD, rA, rB, rC, 6, 9, 0xc040b340
    ROUND_G rC, rD, rA, rB, 11, 14, 0x265e5a51
    ROUND_G rB, rC, rD, rA, 0, 20, 0xe9b6c7aa
    ROUND_G rA, rB, rC, rD, 5, 5, 0xd62f105d
    ROUND_G rD, rA, rB, rC, 10, 9, 0x02441453
    ROUND_G rC, rD, rA, rB, 15, 14, 0xd8a1e681
    ROUND_G rB, rC, rD, rA, 4, 20, 0xe7d3fbc8
    ROUND_G rA, rB, rC, rD, 9, 5, 0x21e1cde6
    ROUND_G rD, rA, rB, rC, 14, 9, 0xc33707d6
    ROUND_G rC, rD, rA, rB, 3, 14, 0xf4d50d87
    ROUND_G rB, rC, rD, rA, 8, 20, 0x455a14ed
    ROUND_G rA, rB, rC, rD, 13, 5, 0xa9e3e905
    ROUND_G rD, rA, rB, rC, 2, 9, 0xfcefa3f8
    ROUND_G rC, rD, rA, rB, 7, 14, 0x676f02d9
    ROUND_G rB, rC, rD, rA, 12, 20, 0x8d2a4c8a
    ROUND_H rA, rB, rC, rD, 5, 4, 0xfffa3942
    ROUND_H rD, rA, rB, rC, 8, 11, 0x8771f681
    ROUND_H rC, rD, rA, rB, 11, 16, 0x6d9d6122
    ROUND_H rB, rC, rD, rA, 14, 23, 0xfde5380c
    ROUND_H rA, rB, rC, rD, 1, 4, 0xa4beea44
    ROUND_H rD, rA, rB, rC, 4, 11, 0x4bdecfa9
    ROUND_H rC, rD, rA, rB, 7, 16, 0xf6bb4b60
    ROUND_H rB, rC, rD, rA, 10, 23, 0xbebfbc70
    ROUND_H rA, rB, rC, rD, 13, 4, 0x289b7ec6
    ROUND_H rD, rA, rB, rC, 0, 11, 0xeaa127fa
    ROUND_H rC, rD, rA, rB, 3, 16, 0xd4ef3085
    ROUND_H rB, rC, rD, rA, 6, 23, 0x04881d05
    ROUND_H rA, rB, rC, rD, 9, 4, 0xd9d4d039
    ROUND_H rD, rA, rB, rC, 12, 11, 0xe6db99e5
    ROUND_H rC, rD, rA, rB, 15, 16, 0x1fa27cf8
    ROUND_H rB, rC, rD, rA, 2, 23, 0xc4ac5665
    ROUND_I rA, rB, rC, rD, 0, 6, 0xf4292244
    ROUND_I rD, rA, rB, rC, 7, 10, 0x432aff97
    ROUND_I rC, rD, rA, rB, 14, 15, 0xab9423a7
    ROUND_I rB, rC, rD, rA, 5, 21, 0xfc93a039
    ROUND_I rA, rB, rC, rD, 12, 6, 0x655b59c3
    ROUND_I rD, rA, rB, rC, 3, 10, 0x8f0ccc92
    ROUND_I rC, rD, rA, rB, 10, 15, 0xffeff47d
    ROUND_I rB, rC, rD, rA, 1, 21, 0x85845dd1
    ROUND_I rA, rB, rC, rD, 8, 6, 0x6fa87e4f
    ROUND_I rD, rA, rB, rC, 15, 10, 0xfe2ce6e0
    ROUND_I rC, rD, rA, rB, 6, 15, 0xa3014314
    ROUND_I rB, rC, rD, rA, 13, 21, 0x4e0811a1
    ROUND_I rA, rB, rC, rD, 4, 6, 0xf7537e82
    ROUND_I rD, rA, rB, rC, 11, 10, 0xbd3af235
    ROUND_I rC, rD, rA, rB, 2, 15, 0x2ad7d2bb
    ROUND_I rB, rC, rD, rA, 9, 21, 0xeb86d391
    addi rData, rData, 64
    add rA, rA, rOldA
    add rB, rB, rOldB
    add rC, rC, rOldC
    add rD, rD, rOldD
    bdnz kp_md5_power_compress_loop_begin
kp_md5_power_compress_loop_end:
    stw rA, 0(rState)
    stw rB, 4(rState)
    stw rC, 8(rState)
    stw rD, 12(rState)
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    KP_LOAD 14 + \n, KP_FRAME_HEADER + KP_WORD * \n(1)
    .cfi_restore 14 + \n
    .endr
    addi 1, 1, FRAME_BYTES
    .cfi_def_cfa_offset 0
    blr
    KP_END KERNEL(compress)
