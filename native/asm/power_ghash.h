/* GHASH on vpmsumd, shared by the AES-GCM and GHASH kernels of POWER.
 *
 * Before it is included KP_ISA says which instructions may be used (207 or 300: Power ISA 2.07 or
 * 3.0), and GHASH_TABLE where in the prepared key the table is.
 *
 * Idea. A block A = A0 + x^64 A1 has its first eight bytes in doubleword 0 of the register, bit 0
 * of the polynomial first. vpmsumd multiplies both doublewords of one register by those of another
 * and adds the two products; read in GCM's order the sum comes out multiplied by x. The table
 * holds for each power of H the value g = H^n / x and g' = x^64 g, the halves of both regrouped:
 * (g0, g'0) and (g1, g'1). Then
 *     U = vpmsumd(A, (g0, g'0))   and   V = vpmsumd(A, (g1, g'1))
 * are all of A H^n = U + x^64 V, a polynomial of 192 bits: two multiplications a block, no lane
 * moved. Since x^128 = 1 + x + x^2 + x^7, the half of V that sticks out comes back as
 *     A H^n = U + swap(V) + vpmsumd(V, (0, c)),   c = the bits of 1 + x + x^6,
 * swap exchanging the doublewords. So one more multiplication reduces a sum of any number of
 * products; eight blocks share one. Schoolbook with a reduction in two steps takes three
 * multiplications a block and eleven instructions to reduce.
 *
 * Sources: NIST SP 800-38D, section 6.3; S. Gueron, M. Kounavis, "Intel Carry-Less Multiplication
 * and its Usage for Computing the GCM Mode", for the reflected order. Premultiplying by x^64 is
 * what the 64-bit step of Montgomery's reduction becomes when done ahead, on the key.
 *
 * Registers: see the names below. The secret values y and the products stay in registers; a last
 * part of a block goes through 16 bytes of the frame, which are overwritten.
 */
#ifndef KP_ASM_POWER_GHASH_H
#define KP_ASM_POWER_GHASH_H

#include "power.h"

#if KP_ISA >= 300
    .machine power9
#else
    .machine power8
#endif

/* The table: (0, c), the mask that swaps bytes, and the powers 8 to 1, 32 bytes each. */
#define GHASH_C (GHASH_TABLE)
#define GHASH_SWAP (GHASH_TABLE + 16)
#define GHASH_POWERS (GHASH_TABLE + 48)

/* General registers that every routine agrees on. */
#define rFrame 1
#define rPrepared 3
#define rIn 6
#define rOut 7
#define rLength 8
#define r16 9
#define r32 10
#define r48 11
#define r64 12
#define r80 29
#define r96 30
#define r112 31

/* Vector registers that every routine agrees on, and VSX registers that are not vector registers. */
#define vPower0 5
#define vPower1 6
#define vU 8
#define vV 9
#define vBlock 16
#define vProduct 17
#define vReducer 18
#define vSwap 19
#define xY 0
#define xU 5
#define xV 6

/* The frame: header of the ABI, 32 bytes to bounce parts of blocks, the registers saved, spare words. */
#define FRAME_BOUNCE (KP_FRAME_HEADER)
#define FRAME_GENERAL (KP_FRAME_HEADER + 32)
#define FRAME_VRSAVE (KP_FRAME_HEADER + 80)
#define FRAME_WORDS (KP_FRAME_HEADER + 96)
#define FRAME_VECTORS (KP_FRAME_HEADER + 160)
#define FRAME_BYTES (KP_FRAME_HEADER + 352)
#define FRAME_ARGUMENT(n) (FRAME_WORDS + 16 + KP_WORD * (n))

.macro SAVE register, at
    KP_STORE \register, (\at)(rFrame)
    .cfi_offset \register, \at - FRAME_BYTES
.endm

/* Opens the frame: saves LR and r26 to r31. */
.macro ENTER
    mflr 0
    KP_STORE 0, KP_LR_SAVE(rFrame)
    KP_STORE_UPDATE rFrame, -FRAME_BYTES(rFrame)
    .cfi_def_cfa_offset FRAME_BYTES
    .cfi_offset KP_DWARF_LR, KP_LR_SAVE
    .irp n, 0, 1, 2, 3, 4, 5
    SAVE 26 + \n, FRAME_GENERAL + KP_WORD * \n
    .endr
#if defined(KP_VRSAVE)
    mfspr 0, 256
    stw 0, FRAME_VRSAVE(rFrame)
    li 0, -1
    mtspr 256, 0
#endif
.endm

.macro SET_OFFSETS
    li r16, 16
    li r32, 32
    li r48, 48
    li r64, 64
    li r80, 80
    li r96, 96
    li r112, 112
.endm

.macro LEAVE
#if defined(KP_VRSAVE)
    lwz 0, FRAME_VRSAVE(rFrame)
    mtspr 256, 0
#endif
    KP_LOAD 0, FRAME_BYTES + KP_LR_SAVE(rFrame)
    .irp n, 0, 1, 2, 3, 4, 5
    KP_LOAD 26 + \n, FRAME_GENERAL + KP_WORD * \n(rFrame)
    .endr
    addi rFrame, rFrame, FRAME_BYTES
    .cfi_def_cfa_offset 0
    .irp n, 26, 27, 28, 29, 30, 31
    .cfi_restore \n
    .endr
    mtlr 0
    .cfi_restore KP_DWARF_LR
    blr
.endm

/* A memory instruction indexed by one of the offsets 0 to 112. */
.macro INDEXED instruction, register, offset, base
    .if (\offset) == 0
    \instruction \register, 0, \base
    .elseif (\offset) == 16
    \instruction \register, r16, \base
    .elseif (\offset) == 32
    \instruction \register, r32, \base
    .elseif (\offset) == 48
    \instruction \register, r48, \base
    .elseif (\offset) == 64
    \instruction \register, r64, \base
    .elseif (\offset) == 80
    \instruction \register, r80, \base
    .elseif (\offset) == 96
    \instruction \register, r96, \base
    .elseif (\offset) == 112
    \instruction \register, r112, \base
    .else
    .error "an offset without a register"
    .endif
.endm

/* VSX registers to and from memory of our own, whose order is nobody else's business. */
.macro LOAD_OWN register, offset, base
#if KP_ISA >= 300
    lxv \register, \offset(\base)
#else
    INDEXED lxvd2x, \register, \offset, \base
#endif
.endm

.macro STORE_OWN register, offset, base
#if KP_ISA >= 300
    stxv \register, \offset(\base)
#else
    INDEXED stxvd2x, \register, \offset, \base
#endif
.endm

/* Bytes in the order of memory to and from vector register v. ISA 2.07 has no such load on little-endian:
 * each doubleword comes reversed, and vSwap holds the mask that undoes it. STORE_BYTES spoils v there. */
#define KP_SWAPS (KP_LITTLE && KP_ISA < 300)

.macro LOAD_BYTES v, offset, base
#if KP_ISA >= 300
    INDEXED lxvb16x, 32 + \v, \offset, \base
#else
    INDEXED lxvd2x, 32 + \v, \offset, \base
#if KP_SWAPS
    vperm \v, \v, \v, vSwap
#endif
#endif
.endm

.macro STORE_BYTES v, offset, base
#if KP_ISA >= 300
    INDEXED stxvb16x, 32 + \v, \offset, \base
#else
#if KP_SWAPS
    vperm \v, \v, \v, vSwap
#endif
    INDEXED stxvd2x, 32 + \v, \offset, \base
#endif
.endm

/* Copies r0 = 1 to 15 bytes from `from` to `to`; both move on. Spoils `spare` and cr7. */
.macro COPY_PART to, from, spare
    mtcrf 0x01, 0
    bf 28, .Lcopy4\@
#if KP_WORD == 8
    ld \spare, 0(\from)
    std \spare, 0(\to)
#else
    lwz \spare, 0(\from)
    stw \spare, 0(\to)
    lwz \spare, 4(\from)
    stw \spare, 4(\to)
#endif
    addi \from, \from, 8
    addi \to, \to, 8
.Lcopy4\@:
    bf 29, .Lcopy2\@
    lwz \spare, 0(\from)
    stw \spare, 0(\to)
    addi \from, \from, 4
    addi \to, \to, 4
.Lcopy2\@:
    bf 30, .Lcopy1\@
    lhz \spare, 0(\from)
    sth \spare, 0(\to)
    addi \from, \from, 2
    addi \to, \to, 2
.Lcopy1\@:
    bf 31, .Lcopied\@
    lbz \spare, 0(\from)
    stb \spare, 0(\to)
.Lcopied\@:
.endm

/* v = the rLength = 1 to 15 bytes at rIn, filled up with zeros. Spoils r0, r4, r5 and rIn. */
.macro LOAD_PART v
    addi 4, rFrame, FRAME_BOUNCE
    vxor \v, \v, \v
    stxvd2x 32 + \v, 0, 4
    mr 0, rLength
    COPY_PART 4, rIn, 5
    addi 4, rFrame, FRAME_BOUNCE
    LOAD_BYTES \v, 0, 4
.endm

/* Overwrites what LOAD_PART and STORE_PART left in the frame. Spoils r4 and v. */
.macro WIPE_PART v
    addi 4, rFrame, FRAME_BOUNCE
    vxor \v, \v, \v
    stxvd2x 32 + \v, 0, 4
.endm

/* y = u + swap(v) + vpmsumd(v, c). y and u are VSX registers; v and `spare`, spoiled, vector registers. */
.macro GHASH_REDUCE y, u, v, spare
    vpmsumd \spare, \v, vReducer
    xxpermdi 32 + \v, 32 + \v, 32 + \v, 2
    xxlxor \y, \u, 32 + \v
    xxlxor \y, \y, 32 + \spare
.endm

/* Block j of n, at most four: vU, vV += block times its power. r5 holds the address of the fourth power. */
.macro GHASH_FEW_ADD n, j, block
    LOAD_OWN 32 + vPower0, 32 * (4 - \n + \j), 5
    LOAD_OWN 32 + vPower1, 32 * (4 - \n + \j) + 16, 5
    .if \j == 0
    vpmsumd vU, \block, vPower0
    vpmsumd vV, \block, vPower1
    .else
    vpmsumd vPower0, \block, vPower0
    vpmsumd vPower1, \block, vPower1
    vxor vU, vU, vPower0
    vxor vV, vV, vPower1
    .endif
.endm

/* The constants of a key: rPrepared to vReducer and vSwap. Spoils r4. */
.macro LOAD_CONSTANTS
    addi 4, rPrepared, GHASH_C
    LOAD_OWN 32 + vReducer, 0, 4
#if KP_SWAPS
    LOAD_OWN 32 + vSwap, 16, 4
#endif
.endm

/* vSwap alone, before LOAD_BYTES may be used. Spoils r28. */
.macro LOAD_SWAP
#if KP_SWAPS
    addi 28, rPrepared, GHASH_SWAP
    LOAD_OWN 32 + vSwap, 0, 28
#endif
.endm

.macro GHASH_FEW n
    KP_COMPARE_IMMEDIATE rLength, 16 * \n
    blt .Lghash_fewer\@
    .irp j, 0, 1, 2, 3
    .if \j < \n
    LOAD_BYTES vBlock, 16 * \j, rIn
    .if \j == 0
    xxlxor 32 + vBlock, 32 + vBlock, xY
    .endif
    GHASH_FEW_ADD \n, \j, vBlock
    .endif
    .endr
    GHASH_REDUCE xY, 32 + vU, vV, vPower0
    addi rIn, rIn, 16 * \n
    addi rLength, rLength, -16 * \n
.Lghash_fewer\@:
.endm

/* A routine that takes the rLength bytes at rIn into y, in VSX register xY. Its main loop lies between the
 * labels `begin` and `end`. Spoils r0, r4, r5, rIn, rLength, CTR, cr0, cr7, v0 to v19, vs5, vs6. */
.macro GHASH_ROUTINE name, begin, end
    KP_BEGIN_LOCAL \name
    LOAD_CONSTANTS
    addi 4, rPrepared, GHASH_POWERS
    addi 5, rPrepared, GHASH_POWERS + 128
    KP_SHIFT_RIGHT 0, rLength, 7
    KP_COMPARE_IMMEDIATE 0, 0
    beq .Lghash_few\@
    mtctr 0
    andi. rLength, rLength, 127
    .irp m, 0, 1, 2, 3, 4, 5, 6, 7
    LOAD_OWN 32 + \m, 16 * \m, 4
    LOAD_OWN 40 + \m, 16 * \m, 5
    .endr
    .balign 32
\begin:
    .irp j, 0, 1, 2, 3, 4, 5, 6, 7
    LOAD_BYTES vBlock, 16 * \j, rIn
    .if \j == 0
    xxlxor 32 + vBlock, 32 + vBlock, xY
    .endif
    vpmsumd vProduct, vBlock, 2 * \j
    .if \j == 0
    xxlor xU, 32 + vProduct, 32 + vProduct
    .else
    xxlxor xU, xU, 32 + vProduct
    .endif
    vpmsumd vProduct, vBlock, 2 * \j + 1
    .if \j == 0
    xxlor xV, 32 + vProduct, 32 + vProduct
    .elseif \j < 7
    xxlxor xV, xV, 32 + vProduct
    .else
    xxlxor 32 + vProduct, xV, 32 + vProduct
    .endif
    .endr
    GHASH_REDUCE xY, xU, vProduct, vBlock
    addi rIn, rIn, 128
    bdnz \begin
\end:
.Lghash_few\@:
    GHASH_FEW 4
    GHASH_FEW 2
    GHASH_FEW 1
    KP_COMPARE_IMMEDIATE rLength, 0
    beqlr
    LOAD_PART vBlock
    WIPE_PART vPower0
    addi 5, rPrepared, GHASH_POWERS + 128
    xxlxor 32 + vBlock, 32 + vBlock, xY
    GHASH_FEW_ADD 1, 0, vBlock
    GHASH_REDUCE xY, 32 + vU, vV, vPower0
    blr
    KP_END_LOCAL \name
.endm

/* The body of the entry (const void *prepared, uint8_t y[16], const uint8_t *data, size_t length). */
.macro GHASH_ENTRY routine
    ENTER
    SET_OFFSETS
    KP_STORE 4, FRAME_ARGUMENT(0)(rFrame)
    LOAD_SWAP
    LOAD_BYTES vBlock, 0, 4
    xxlor xY, 32 + vBlock, 32 + vBlock
    mr rLength, 6
    mr rIn, 5
    bl \routine
    KP_LOAD 4, FRAME_ARGUMENT(0)(rFrame)
    xxlor 32 + vBlock, xY, xY
    STORE_BYTES vBlock, 0, 4
    LEAVE
.endm

/* What GHASH needs of a key: the powers of H (in v9) and the constants, into the table of rPrepared.
 * vSwap holds the mask of SWAP_MASK. Spoils r0, r4, CTR, v0 to v8 and vReducer. */
.macro GHASH_PREPARE
    vxor 0, 0, 0
    lis 0, -0x3e00 /* 0xc200 */
    mtvsrwz 33, 0
    xxpermdi 33, 32, 33, 0
    vsldoi vReducer, 1, 0, 4
    addi 4, rPrepared, GHASH_C
    STORE_OWN 32 + vReducer, 0, 4
    STORE_OWN 32 + vSwap, 16, 4
    /* v2 = H / x: one bit up; what falls out comes back as x^127 + x^6 + x + 1. */
    vspltisb 3, 7
    vsrab 3, 9, 3
    vspltb 3, 3, 0
    vspltisb 4, 1
    vsl 2, 9, 4
    vspltisw 4, 1
    vsldoi 4, 0, 4, 4
    xxpermdi 37, 32 + vReducer, 32 + vReducer, 2
    vor 4, 4, 5
    vand 3, 3, 4
    vxor 2, 2, 3
    /* v2 = H^n / x, v3 = x^64 v2; regrouped, the first of them (v6, v7) takes each to the next. */
    addi 4, rPrepared, GHASH_POWERS + 224
    li 0, 8
    mtctr 0
.Lpower\@:
    vpmsumd 3, 2, vReducer
    xxpermdi 36, 34, 34, 2
    vxor 3, 3, 4
    xxpermdi 36, 34, 35, 0
    xxpermdi 37, 34, 35, 3
    STORE_OWN 36, 0, 4
    STORE_OWN 37, 16, 4
    addi 4, 4, -32
    mfctr 0
    cmpwi 0, 8
    bne .Lnot_first\@
    vor 6, 4, 4
    vor 7, 5, 5
.Lnot_first\@:
    vpmsumd 4, 2, 6
    vpmsumd 5, 2, 7
    GHASH_REDUCE 34, 36, 5, 3
    bdnz .Lpower\@
.endm

/* vSwap = the mask of LOAD_BYTES: byte i holds i ^ 7 in its low bits, which swaps the bytes of each
 * doubleword, and i above, which keeps them: vperm looks at the former, vpermxor at both. Spoils r0, v0. */
.macro SWAP_MASK
    li 0, 0
    lvsl 0, 0, 0
    vspltisb vSwap, 4
    vslb vSwap, 0, vSwap
    vor vSwap, vSwap, 0
    vspltisb 0, 7
    vxor vSwap, vSwap, 0
.endm

#endif
