/* MD5 (RFC 1321) of sixteen streams at once, in vector registers: POWER7 and later.
 *
 *   void compress(uint32_t *state, const uint8_t *const *data, size_t blocks, size_t busy);
 *
 * A register holds a word of four streams; four such groups go through the steps side by side, which hides the
 * latency of the chain. A block of each stream is first turned word by word into registers' order and laid in the
 * frame, 1 KiB that is wiped at the end. Of the four functions F and G are one vsel each. I = c ^ (b | ~d) is
 * -1 - (c ^ (d & ~b)): it is subtracted, and the constants of the last round are less by one.
 * 2.3 instructions a byte, where one stream takes 8.9.
 *
 * Source: RFC 1321.
 *
 * Registers: r3 state, r14 to r29 where each stream's data begins, r9 to r12 the offset of the block and of its other
 * quarters, CTR blocks, r31 constants, r5 scratch address, r6 to r8 16, 32 and 48, r4, r30 and r0 64, 128 and 192.
 * v0 to v3 word a of the four groups, v4 to v7 b, v8 to v11 c, v12 to v15 d, v16 to v19 the message words, v20 to v23
 * the functions, v24 the constant, v25 to v28 the shifts of a round, v29 and v30 masks, v31 four constants.
 */
#include "../../asm/power.h"

    .machine power7

#define KERNEL(entry) kp_md5_many_vsx_##entry

#define rState 3
#define rAddress 5
#define r16 6
#define r32 7
#define r48 8
#define rBlock 9
#define rStream 14
#define r64 4
#define r128 30
#define r192 0
#define rConstants 31

#define vWords 16
#define vFunctions 20
#define vConstant 24
#define vShift 25
#define vMaskHigh 29
#define vMaskLow 30
#define vConstants 31

#define FRAME_WORDS KP_FRAME_HEADER
#define FRAME_VECTORS (FRAME_WORDS + 1024)
#define FRAME_GENERAL (FRAME_VECTORS + 192)
#if KP_WORD == 8
#define FRAME_VRSAVE (FRAME_GENERAL + 144)
#else
#define FRAME_VRSAVE (FRAME_GENERAL + 72)
#endif
#if KP_WORD == 8
#define FRAME_BYTES (FRAME_VRSAVE + 16)
#else
#define FRAME_BYTES (FRAME_VRSAVE + 8)
#endif

/* 16 times \n, by a register. */
.macro AT16 instruction, register, n, base
    .if (\n) == 0
    \instruction \register, 0, \base
    .elseif (\n) == 1
    \instruction \register, \base, r16
    .elseif (\n) == 2
    \instruction \register, \base, r32
    .else
    \instruction \register, \base, r48
    .endif
.endm

/* Words 4 q to 4 q + 3 of the four streams of a group, from one register a stream to one a word. The first merge
 * also turns the bytes around where the processor is big-endian. */
.macro MERGE_HIGH to, a, b
#if KP_LITTLE
    vmrghw \to, \a, \b
#else
    vperm \to, \a, \b, vMaskHigh
#endif
.endm

.macro MERGE_LOW to, a, b
#if KP_LITTLE
    vmrglw \to, \a, \b
#else
    vperm \to, \a, \b, vMaskLow
#endif
.endm

.macro TRANSPOSE group, quarter
    .irp lane, 0, 1, 2, 3
    lxvw4x 32 + vWords + \lane, rBlock + \quarter, rStream + 4 * \group + \lane
    .endr
    addi rAddress, 1, FRAME_WORDS + 256 * \quarter + 64 * \group
    MERGE_HIGH 20, 16, 18
    MERGE_HIGH 21, 17, 19
    MERGE_LOW 22, 16, 18
    MERGE_LOW 23, 17, 19
    vmrghw 16, 20, 21
    vmrglw 17, 20, 21
    vmrghw 18, 22, 23
    vmrglw 19, 22, 23
    .irp word, 0, 1, 2, 3
    AT16 stvx, vWords + \word, \word, rAddress
    .endr
.endm

/* One step of all groups; a, b, c and d are the first of four registers. `i` is the message word, k the step. */
.macro STEP a, b, c, d, i, k, function
    addi rAddress, 1, FRAME_WORDS + 256 * (\i / 4) + 16 * (\i & 3)
    lvx vWords, 0, rAddress
    lvx vWords + 1, rAddress, r64
    lvx vWords + 2, rAddress, r128
    lvx vWords + 3, rAddress, r192
    .if (\k & 3) == 0
    lxvw4x 32 + vConstants, 0, rConstants
    addi rConstants, rConstants, 16
    .endif
    vspltw vConstant, vConstants, \k & 3
    .irp group, 0, 1, 2, 3
    vadduwm vWords + \group, vWords + \group, vConstant
    .endr
    .irp group, 0, 1, 2, 3
    FUNCTION_\function \b + \group, \c + \group, \d + \group, vFunctions + \group
    .endr
    .irp group, 0, 1, 2, 3
    vadduwm \a + \group, \a + \group, vWords + \group
    .endr
    .irp group, 0, 1, 2, 3
    .ifc \function, I
    vsubuwm \a + \group, \a + \group, vFunctions + \group
    .else
    vadduwm \a + \group, \a + \group, vFunctions + \group
    .endif
    .endr
    .irp group, 0, 1, 2, 3
    vrlw \a + \group, \a + \group, vShift + (\k & 3)
    .endr
    .irp group, 0, 1, 2, 3
    vadduwm \a + \group, \a + \group, \b + \group
    .endr
.endm

.macro FUNCTION_F b, c, d, to
    vsel \to, \d, \c, \b
.endm

.macro FUNCTION_G b, c, d, to
    vsel \to, \c, \b, \d
.endm

.macro FUNCTION_H b, c, d, to
    vxor \to, \c, \d
    vxor \to, \to, \b
.endm

.macro FUNCTION_I b, c, d, to
    vandc \to, \d, \b
    vxor \to, \to, \c
.endm

/* The four shifts of a round; vrlw takes five bits, so that 17 may be said as -15. */
.macro SHIFTS first, second, third, fourth
    vspltisw vShift, \first
    vspltisw vShift + 1, \second
    vspltisw vShift + 2, \third
    vspltisw vShift + 3, \fourth
.endm

    KP_BEGIN KERNEL(compress)
    KP_COMPARE_IMMEDIATE 5, 0
    beqlr
    mtctr 5
    KP_STORE_UPDATE 1, -FRAME_BYTES(1)
    .cfi_def_cfa_offset FRAME_BYTES
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    KP_STORE 14 + \n, FRAME_GENERAL + KP_WORD * \n(1)
    .cfi_offset 14 + \n, FRAME_GENERAL + KP_WORD * \n - FRAME_BYTES
    .endr
    li r16, 16
    li r32, 32
    li r48, 48
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    .if (\n & 3) == 0
    addi rAddress, 1, FRAME_VECTORS + 16 * \n
    .endif
    AT16 stvx, 20 + \n, \n & 3, rAddress
    .cfi_offset KP_DWARF_V0 + 20 + \n, FRAME_VECTORS + 16 * \n - FRAME_BYTES
    .endr
#if defined(KP_VRSAVE)
    mfspr 0, 256
    stw 0, FRAME_VRSAVE(1)
    li 0, -1
    mtspr 256, 0
#endif
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    KP_LOAD rStream + \n, KP_WORD * \n(4)
    .endr
    /* The constants follow the code: their address from the program counter, the same way in every ABI. */
    mflr 12
    .cfi_register KP_DWARF_LR, 12
    bcl 20, 31, .Lhere
.Lhere:
    mflr rConstants
    mtlr 12
    .cfi_restore KP_DWARF_LR
    addi rConstants, rConstants, kp_md5_many_vsx_constants - .Lhere
    li r64, 64
    li r128, 128
    li r192, 192
    .irp quarter, 0, 1, 2, 3
    li rBlock + \quarter, 16 * \quarter
    .endr
#if !KP_LITTLE
    addi rAddress, rConstants, 256
    lxvw4x 32 + vMaskHigh, 0, rAddress
    lxvw4x 32 + vMaskLow, rAddress, r16
#endif
    .irp word, 0, 1, 2, 3
    addi rAddress, rState, 64 * \word
    .irp group, 0, 1, 2, 3
    AT16 lxvw4x, 32 + 4 * \word + \group, \group, rAddress
    .endr
    .endr
    .balign 32
kp_md5_many_vsx_compress_loop_begin:
    .irp group, 0, 1, 2, 3
    .irp quarter, 0, 1, 2, 3
    TRANSPOSE \group, \quarter
    .endr
    .endr
    SHIFTS 7, 12, -15, -10
    STEP 0, 4, 8, 12, 0, 0, F
    STEP 12, 0, 4, 8, 1, 1, F
    STEP 8, 12, 0, 4, 2, 2, F
    STEP 4, 8, 12, 0, 3, 3, F
    STEP 0, 4, 8, 12, 4, 4, F
    STEP 12, 0, 4, 8, 5, 5, F
    STEP 8, 12, 0, 4, 6, 6, F
    STEP 4, 8, 12, 0, 7, 7, F
    STEP 0, 4, 8, 12, 8, 8, F
    STEP 12, 0, 4, 8, 9, 9, F
    STEP 8, 12, 0, 4, 10, 10, F
    STEP 4, 8, 12, 0, 11, 11, F
    STEP 0, 4, 8, 12, 12, 12, F
    STEP 12, 0, 4, 8, 13, 13, F
    STEP 8, 12, 0, 4, 14, 14, F
    STEP 4, 8, 12, 0, 15, 15, F
    SHIFTS 5, 9, 14, -12
    STEP 0, 4, 8, 12, 1, 16, G
    STEP 12, 0, 4, 8, 6, 17, G
    STEP 8, 12, 0, 4, 11, 18, G
    STEP 4, 8, 12, 0, 0, 19, G
    STEP 0, 4, 8, 12, 5, 20, G
    STEP 12, 0, 4, 8, 10, 21, G
    STEP 8, 12, 0, 4, 15, 22, G
    STEP 4, 8, 12, 0, 4, 23, G
    STEP 0, 4, 8, 12, 9, 24, G
    STEP 12, 0, 4, 8, 14, 25, G
    STEP 8, 12, 0, 4, 3, 26, G
    STEP 4, 8, 12, 0, 8, 27, G
    STEP 0, 4, 8, 12, 13, 28, G
    STEP 12, 0, 4, 8, 2, 29, G
    STEP 8, 12, 0, 4, 7, 30, G
    STEP 4, 8, 12, 0, 12, 31, G
    SHIFTS 4, 11, -16, -9
    STEP 0, 4, 8, 12, 5, 32, H
    STEP 12, 0, 4, 8, 8, 33, H
    STEP 8, 12, 0, 4, 11, 34, H
    STEP 4, 8, 12, 0, 14, 35, H
    STEP 0, 4, 8, 12, 1, 36, H
    STEP 12, 0, 4, 8, 4, 37, H
    STEP 8, 12, 0, 4, 7, 38, H
    STEP 4, 8, 12, 0, 10, 39, H
    STEP 0, 4, 8, 12, 13, 40, H
    STEP 12, 0, 4, 8, 0, 41, H
    STEP 8, 12, 0, 4, 3, 42, H
    STEP 4, 8, 12, 0, 6, 43, H
    STEP 0, 4, 8, 12, 9, 44, H
    STEP 12, 0, 4, 8, 12, 45, H
    STEP 8, 12, 0, 4, 15, 46, H
    STEP 4, 8, 12, 0, 2, 47, H
    SHIFTS 6, 10, 15, -11
    STEP 0, 4, 8, 12, 0, 48, I
    STEP 12, 0, 4, 8, 7, 49, I
    STEP 8, 12, 0, 4, 14, 50, I
    STEP 4, 8, 12, 0, 5, 51, I
    STEP 0, 4, 8, 12, 12, 52, I
    STEP 12, 0, 4, 8, 3, 53, I
    STEP 8, 12, 0, 4, 10, 54, I
    STEP 4, 8, 12, 0, 1, 55, I
    STEP 0, 4, 8, 12, 8, 56, I
    STEP 12, 0, 4, 8, 15, 57, I
    STEP 8, 12, 0, 4, 6, 58, I
    STEP 4, 8, 12, 0, 13, 59, I
    STEP 0, 4, 8, 12, 4, 60, I
    STEP 12, 0, 4, 8, 11, 61, I
    STEP 8, 12, 0, 4, 2, 62, I
    STEP 4, 8, 12, 0, 9, 63, I
    addi rConstants, rConstants, -256
    .irp quarter, 0, 1, 2, 3
    addi rBlock + \quarter, rBlock + \quarter, 64
    .endr
    .irp word, 0, 1, 2, 3
    addi rAddress, rState, 64 * \word
    .irp group, 0, 1, 2, 3
    AT16 lxvw4x, 32 + vWords + \group, \group, rAddress
    vadduwm 4 * \word + \group, 4 * \word + \group, vWords + \group
    AT16 stxvw4x, 32 + 4 * \word + \group, \group, rAddress
    .endr
    .endr
    bdnz kp_md5_many_vsx_compress_loop_begin
kp_md5_many_vsx_compress_loop_end:
    vxor 0, 0, 0
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    addi rAddress, 1, FRAME_WORDS + 64 * \n
    .irp word, 0, 1, 2, 3
    AT16 stvx, 0, \word, rAddress
    .endr
    .endr
#if defined(KP_VRSAVE)
    lwz 0, FRAME_VRSAVE(1)
#endif
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    .if (\n & 3) == 0
    addi rAddress, 1, FRAME_VECTORS + 16 * \n
    .endif
    AT16 lvx, 20 + \n, \n & 3, rAddress
    .cfi_restore KP_DWARF_V0 + 20 + \n
    .endr
#if defined(KP_VRSAVE)
    mtspr 256, 0
#endif
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    KP_LOAD 14 + \n, FRAME_GENERAL + KP_WORD * \n(1)
    .cfi_restore 14 + \n
    .endr
    addi 1, 1, FRAME_BYTES
    .cfi_def_cfa_offset 0
    blr
    .balign 16
    /* floor(2^32 |sin(n)|), n = 1 to 64; the last sixteen less one. */
kp_md5_many_vsx_constants:
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
    .long 0xf4292243, 0x432aff96, 0xab9423a6, 0xfc93a038
    .long 0x655b59c2, 0x8f0ccc91, 0xffeff47c, 0x85845dd0
    .long 0x6fa87e4e, 0xfe2ce6df, 0xa3014313, 0x4e0811a0
    .long 0xf7537e81, 0xbd3af234, 0x2ad7d2ba, 0xeb86d390
    .long 0x03020100, 0x13121110, 0x07060504, 0x17161514
    .long 0x0b0a0908, 0x1b1a1918, 0x0f0e0d0c, 0x1f1e1d1c
    .type kp_md5_many_vsx_constants, %object
    .size kp_md5_many_vsx_constants, . - kp_md5_many_vsx_constants
    KP_END KERNEL(compress)
