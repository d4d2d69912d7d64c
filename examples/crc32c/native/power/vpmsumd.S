/* CRC-32C (RFC 3720, section 12.1) with vpmsumd of Power ISA 2.07: POWER8 and later, 64 and 32 bits, both byte orders.
 *
 * uint32_t crc_crc32c_vpmsumd_update(uint32_t crc, const uint8_t *data, size_t length);
 *
 * vpmsumd multiplies both doublewords of a block by those of another and adds the products, which is just what folding
 * a block takes: each half times the power of x that moves it on. Eight blocks are folded over the next eight, then onto
 * the last, then that block over what is left of whole blocks. Of a last part, the block's first bytes are folded over
 * the rest of it with that part behind. A block becomes a checksum word by word: the low half of a word's product by
 * the inverse of the polynomial is the multiple of the polynomial that clears the word, and the high half of that
 * multiple is what it leaves to the next. Fewer than 16 bytes are a last part behind a block that has the checksum.
 *
 * A block is held with its first byte lowest, so its first word is doubleword 1. ISA 2.07 loads doublewords (lxvd2x) and
 * needs one permute a block to come there, in either byte order.
 *
 * Registers: r3 crc, then constants, r4 data, r5 length, r6 to r12 16 to 112, r0 and CTR scratch; v0 to v7 sums, v8 to
 * v15 data, v16 powers, v17 (big-endian) the mask that reverses bytes, v18 the checksum, then the polynomial, v19 zero.
 * Fewer than 16 bytes in all are copied into the frame.
 *
 * Sources: Power ISA 2.07B; V. Gopal and others, "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ
 * Instruction", 2009; P. Montgomery, "Modular Multiplication Without Trial Division", 1985. By llvm-mca's
 * models 128 bytes take 14 cycles on POWER8, 12.5 on POWER9 and 10 on POWER10.
 */
#include "native/asm/power.h"
#include "../asm/powers.h"

    .machine power8

#define rCrc 3
#define rData 4
#define rLength 5
#define rConstants 3 /* once the checksum is in a vector */
#define r16 6 /* and so on to r12, which is 112 */

#define vPowers 16
#define vReverse 17
#define vScratch 18
#define vZero 19

/* Offsets of the constants. */
#define POWERS_8 0
#define POWERS_4 16
#define POWERS_2 32
#define POWERS_1 48
#define INVERSE_1 64
#define INVERSE_0 80
#define POLYNOMIAL 96
#define BACK 112
#define REVERSE 128

#define FRAME_BOUNCE KP_FRAME_HEADER
#define FRAME_VRSAVE (KP_FRAME_HEADER + 16)
#define FRAME_BYTES (KP_FRAME_HEADER + 32)

/* v = the block at an address, its first byte lowest. */
.macro LOAD_BLOCK v, base, index
    lxvd2x 32 + \v, \base, \index
    ORDER_BLOCK \v
.endm

.macro ORDER_BLOCK v
#if KP_LITTLE
    xxpermdi 32 + \v, 32 + \v, 32 + \v, 2
#else
    vperm \v, \v, \v, vReverse
#endif
.endm

/* to = v moved on + data. */
.macro FOLD to, v, data
    vpmsumd \to, \v, vPowers
    vxor \to, \to, \data
.endm

.macro LOAD_CONSTANT v, offset
    li 0, \offset
    lxvd2x 32 + \v, rConstants, 0
.endm

/* v1 = what clears one of the words of v0, and the checksum of that word in the other's place. */
.macro CLEAR_WORD inverse
    LOAD_CONSTANT vPowers, \inverse
    vpmsumd 1, 0, vPowers
    vpmsumd 1, 1, vScratch
.endm

KP_BEGIN crc_crc32c_vpmsumd_update
    KP_COMPARE_IMMEDIATE rLength, 0
    beqlr
    KP_STORE_UPDATE 1, -FRAME_BYTES(1)
    .cfi_def_cfa_offset FRAME_BYTES
#if defined(KP_VRSAVE)
    mfspr 0, 256
    stw 0, FRAME_VRSAVE(1)
    li 0, -1
    mtspr 256, 0
#endif
    /* v18 = the checksum as the first 32 bits of a block. */
    nor rCrc, rCrc, rCrc
    mtvsrwz 32 + vScratch, rCrc
    vxor vZero, vZero, vZero
    xxpermdi 32 + vScratch, 32 + vZero, 32 + vScratch, 0
    /* The constants follow the code: their address from the program counter, the same way in every ABI. */
    mflr 0
    .cfi_register KP_DWARF_LR, 0
    bcl 20, 31, .Lhere
.Lhere:
    mflr rConstants
    mtlr 0
    .cfi_restore KP_DWARF_LR
    addi rConstants, rConstants, .Lconstants - .Lhere
#if !KP_LITTLE
    LOAD_CONSTANT vReverse, REVERSE
#endif
    KP_COMPARE_IMMEDIATE rLength, 16
    blt .Lshort

    LOAD_BLOCK 0, 0, rData
    vxor 0, 0, vScratch
    KP_COMPARE_IMMEDIATE rLength, 128
    blt .Lone
    .irp n, 0, 1, 2, 3, 4, 5, 6
    li r16 + \n, 16 + 16 * \n
    .endr
    .irp n, 1, 2, 3, 4, 5, 6, 7
    LOAD_BLOCK \n, rData, 5 + \n
    .endr
    LOAD_CONSTANT vPowers, POWERS_8
    KP_SHIFT_RIGHT 0, rLength, 7
    mtctr 0
    addi rData, rData, 128
    bdz .Lfolded
    .balign 32
crc_crc32c_vpmsumd_update_loop_begin:
.Leight:
    lxvd2x 32 + 8, 0, rData
    .irp n, 1, 2, 3, 4, 5, 6, 7
    lxvd2x 32 + 8 + \n, rData, 5 + \n
    .endr
    addi rData, rData, 128
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    ORDER_BLOCK 8 + \n
    vpmsumd \n, \n, vPowers
    .endr
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    vxor \n, \n, 8 + \n
    .endr
    bdnz .Leight
crc_crc32c_vpmsumd_update_loop_end:
.Lfolded:
    LOAD_CONSTANT vPowers, POWERS_4
    .irp n, 0, 1, 2, 3
    FOLD \n, \n, 4 + \n
    .endr
    LOAD_CONSTANT vPowers, POWERS_2
    FOLD 0, 0, 2
    FOLD 1, 1, 3
    LOAD_CONSTANT vPowers, POWERS_1
    FOLD 0, 0, 1
    b .Lrest
.Lone:
    LOAD_CONSTANT vPowers, POWERS_1
    addi rData, rData, 16
    addi rLength, rLength, -16
.Lrest:
    rlwinm. 0, rLength, 28, 29, 31
    beq .Lpart
    mtctr 0
.Lblock:
    LOAD_BLOCK 1, 0, rData
    addi rData, rData, 16
    FOLD 0, 0, 1
    bdnz .Lblock
.Lpart:
    andi. rLength, rLength, 15
    beq .Lreduce
    /* The 16 bytes that end with the last part. */
    add rData, rData, rLength
    addi rData, rData, -16
    b .Lpart_behind

.Lshort:
    LOAD_CONSTANT vPowers, BACK
    vpmsumd 0, vScratch, vPowers
    LOAD_CONSTANT vPowers, POWERS_1
    addi 6, 1, FRAME_BOUNCE + 16
    subf 6, rLength, 6
    mtctr rLength
.Lbyte:
    lbz 0, 0(rData)
    stb 0, 0(6)
    addi rData, rData, 1
    addi 6, 6, 1
    bdnz .Lbyte
    addi rData, 1, FRAME_BOUNCE

/* The block v0 and behind it the last rLength (1 to 15) bytes of the block at rData. */
.Lpart_behind:
    LOAD_BLOCK 1, 0, rData
    subfic 6, rLength, 16
    lvsl 2, 0, 6
    vspltisb 3, -1
    vperm 4, 0, vZero, 2
    vperm 5, vZero, 0, 2
    vperm 3, vZero, 3, 2
    vsel 1, 1, 5, 3
    FOLD 0, 4, 1

.Lreduce:
    LOAD_CONSTANT vScratch, POLYNOMIAL
    CLEAR_WORD INVERSE_1
    vxor 0, 0, 1
    CLEAR_WORD INVERSE_0
    mfvsrwz 3, 32 + 1
    xoris 3, 3, 0xffff
    xori 3, 3, 0xffff
#if defined(KP_VRSAVE)
    lwz 0, FRAME_VRSAVE(1)
    mtspr 256, 0
#endif
    addi 1, 1, FRAME_BYTES
    .cfi_def_cfa_offset 0
    blr
KP_END crc_crc32c_vpmsumd_update

    .balign 16
.Lconstants:
    crc_block_shifts
    .quad 0, CRC_INVERSE
    .quad CRC_INVERSE, 0
    .quad 0, CRC_POLYNOMIAL
    .quad 0, CRC_BACK
    .quad 0x0f0e0d0c0b0a0908, 0x0706050403020100
