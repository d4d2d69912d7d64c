/* AES-GCM on vcipher and vpmsumd: the body of the kernels of POWER, one for each KP_ISA.
 *
 * Before it is included KP_ISA says which instructions may be used (207 or 300) and KERNEL(entry)
 * names the symbols.
 *
 * Idea, beside the multiplication of asm/power_ghash.h: the wide loop takes eight blocks.
 * - First-round caching. Within 256 blocks only byte 15 of the counter block changes, and in round
 *   one it reaches one column: round1(block) = C + D[byte 15], where C belongs to the other fifteen
 *   bytes and D, 256 entries, to the key alone. A load and an exclusive or replace the count, the
 *   whitening and a round. The index is the counter, which is public. Eight more entries repeat the
 *   first ones, so that eight blocks may run past the end; those past it take the next C. The loop begins with the
 *   second round and ends with the first of the next group; after the last group its work is thrown away.
 * - The ciphertext of a block is multiplied right after it is stored, in the register where it
 *   was made; nothing waits for the sum, so that the next eight blocks' rounds run beside it.
 * - ISA 2.07 on little-endian: vpermxor swaps the key stream's bytes and adds the text at once,
 *   so that text needs one permute a block and not two.
 *
 * Sources: FIPS 197; NIST SP 800-38D; J. H. Park, D. H. Lee, "FACE: Fast AES CTR mode Encryption
 * Techniques based on the Reuse of Repetitive Data", TCHES 2018(3), for the first-round table.
 *
 * Registers of the wide loop: v0 to v7 the blocks, v8 and up the keys of rounds 2 and on, then as
 * many powers of H as there is room for (the others are loaded), the rest as named below.
 */
#define GHASH_TABLE 240
#include "../../asm/power_ghash.h"

/* The prepared key: round keys 0 to 13, the last one, GHASH's table, D; the number of rounds. */
#define KEYS 0
#define KEYS_HIGH 128
#define KEY_LAST 224
#define KEYS_ROUNDS (GHASH_TABLE + 32)
#define FIRST_ROUND_TABLE 576

#define rGroups 26
#define rLowByte 27
#define rTable 28

#define vKey 4
#define vText 10
#define vCounter 13
#define vOne 14

#define xCounter 1
#define xTagMask 2
#define xC 3
#define xKeyLast 4

/* cr6 and cr5 are "greater" where there are more than 10 and 12 rounds. */
.macro COMPARE_ROUNDS
    lwz 0, KEYS_ROUNDS(rPrepared)
    cmplwi 6, 0, 10
    cmplwi 5, 0, 12
.endm

.macro CIPHER_FEW n, offset, base
    LOAD_OWN 32 + vKey, \offset, \base
    .irp j, 0, 1, 2, 3
    .if \j < \n
    vcipher \j, \j, vKey
    .endif
    .endr
.endm

/* All rounds but the last on v0 to v(n-1), already whitened; vKey = the last round's key. r4 = keys + 128. */
.macro ROUNDS_FEW n
    .irp k, 1, 2, 3, 4, 5, 6, 7
    CIPHER_FEW \n, 16 * \k, rPrepared
    .endr
    CIPHER_FEW \n, 0, 4
    CIPHER_FEW \n, 16, 4
    ble 6, .Llast_round\@
    CIPHER_FEW \n, 32, 4
    CIPHER_FEW \n, 48, 4
    ble 5, .Llast_round\@
    CIPHER_FEW \n, 64, 4
    CIPHER_FEW \n, 80, 4
.Llast_round\@:
    LOAD_OWN 32 + vKey, KEY_LAST - KEYS_HIGH, 4
.endm

/* v0 to v(n-1) = the next counter blocks after all rounds but the last. */
.macro KEY_STREAM_FEW n
    LOAD_OWN 32 + vKey, KEYS, rPrepared
    .irp j, 0, 1, 2, 3
    .if \j < \n
    vxor \j, vCounter, vKey
    vadduwm vCounter, vCounter, vOne
    .endif
    .endr
    ROUNDS_FEW \n
.endm

/* The last round of block j with the text at `offset`(rIn); vBlock = the ciphertext. */
.macro TEXT_encrypt j, offset, block, last, swap
#if KP_SWAPS
    INDEXED lxvd2x, 32 + \block, \offset, rIn
    vcipherlast \j, \j, \last
    vpermxor \block, \block, \j, \swap
    INDEXED stxvd2x, 32 + \block, \offset, rOut
    vperm \block, \block, \block, \swap
#else
    LOAD_BYTES \block, \offset, rIn
    vxor \block, \block, \last
    vcipherlast \block, \j, \block
    STORE_BYTES \block, \offset, rOut
#endif
.endm

.macro TEXT_decrypt j, offset, block, last, swap
#if KP_SWAPS
    INDEXED lxvd2x, 32 + \block, \offset, rIn
    vcipherlast \j, \j, \last
    vpermxor \j, \block, \j, \swap
    INDEXED stxvd2x, 32 + \j, \offset, rOut
    vperm \block, \block, \block, \swap
#else
    LOAD_BYTES \block, \offset, rIn
    vxor vText, \block, \last
    vcipherlast \j, \j, vText
    STORE_BYTES \j, \offset, rOut
#endif
.endm

.macro TEXT_FEW direction, n
    KP_COMPARE_IMMEDIATE rLength, 16 * \n
    blt .Ltext_fewer\@
    KEY_STREAM_FEW \n
    .irp j, 0, 1, 2, 3
    .if \j < \n
    TEXT_\direction \j, 16 * \j, vBlock, vKey, vSwap
    .if \j == 0
    xxlxor 32 + vBlock, 32 + vBlock, xY
    .endif
    GHASH_FEW_ADD \n, \j, vBlock
    .endif
    .endr
    GHASH_REDUCE xY, 32 + vU, vV, vPower0
    addi rIn, rIn, 16 * \n
    addi rOut, rOut, 16 * \n
    addi rLength, rLength, -16 * \n
.Ltext_fewer\@:
.endm

/* The last rLength = 1 to 15 bytes. */
.macro TEXT_PART direction
    KEY_STREAM_FEW 1
    vcipherlast 0, 0, vKey
    /* The first rLength bytes of the key stream, the others zero: all ones, shifted up by 16 - rLength bytes. */
    subfic 0, rLength, 16
    slwi 0, 0, 3
    mtvsrwz 32 + vText, 0
    vspltb vText, vText, 7
    vspltisb vKey, -1
    vslo vKey, vKey, vText
    vand 0, 0, vKey
    LOAD_PART vBlock
    vxor 0, 0, vBlock
    .ifc \direction, encrypt
    vor vBlock, 0, 0
    .endif
    addi 4, rFrame, FRAME_BOUNCE
    STORE_BYTES 0, 0, 4
    mr 0, rLength
    COPY_PART rOut, 4, 5
    WIPE_PART 0
    addi 5, rPrepared, GHASH_POWERS + 128
    xxlxor 32 + vBlock, 32 + vBlock, xY
    GHASH_FEW_ADD 1, 0, vBlock
    GHASH_REDUCE xY, 32 + vU, vV, vPower0
.endm

/* Names of the wide loop, where v16 and up are keys and powers. */
#define vWideReducer 31
#define vWideProduct 30
#define vWideText 29
#define vWideSwap 28
#define vWideKeyLast 27
#define vWideSum 28

/* The last vector register that holds a power of H in the wide loop. */
#if KP_SWAPS
    .set .Ltop_encrypt, 26
    .set .Ltop_decrypt, 26
#else
    .set .Ltop_encrypt, 28
    .set .Ltop_decrypt, 27
#endif

/* Moves xCounter, whose low byte is clear, to the next 256 blocks and sets xC. Spoils v29, v30. */
.macro NEXT_C
    vxor vWideText, vWideText, vWideText
    vspltisw vWideProduct, 1
    vsldoi vWideProduct, vWideText, vWideProduct, 4
    vsldoi vWideProduct, vWideProduct, vWideText, 1
    xxlor 32 + vWideText, xCounter, xCounter
    vadduwm vWideText, vWideText, vWideProduct
    xxlor xCounter, 32 + vWideText, 32 + vWideText
    SET_C
.endm

/* xC = round one of the counter block in v29. Spoils v29, v30. */
.macro SET_C
    LOAD_OWN 32 + vWideProduct, 0, rPrepared
    vxor vWideText, vWideText, vWideProduct
    LOAD_OWN 32 + vWideProduct, 16, rPrepared
    vcipher vWideText, vWideText, vWideProduct
    xxlor xC, 32 + vWideText, 32 + vWideText
.endm

/* Round one of block j of the next group. */
.macro FIRST_ROUND j
    LOAD_OWN 32 + \j, 16 * \j, rTable
    xxlxor 32 + \j, 32 + \j, xC
.endm

.macro FIRST_ROUND_WIDE
    .irp j, 0, 1, 2, 3, 4, 5, 6, 7
    FIRST_ROUND \j
    .endr
.endm

/* xU, xV += block times power vectors 2 j and 2 j + 1; the last sum of V goes to v30 and then on to y. */
.macro MULTIPLY_WIDE rounds, top, j, block
    .if \j == 0
    xxlxor 32 + \block, 32 + \block, xY
    .endif
    MULTIPLY_WIDE_HALF \rounds, \top, \j, 0, \block, xU
    MULTIPLY_WIDE_HALF \rounds, \top, \j, 1, \block, xV
.endm

.macro MULTIPLY_WIDE_HALF rounds, top, j, half, block, sum
    .if (6 + \rounds + 2 * \j + \half) <= \top
    vpmsumd vWideProduct, \block, 6 + \rounds + 2 * \j + \half
    .elseif \j < 4
    LOAD_OWN 32 + vWideProduct, 32 * \j + 16 * \half, 4
    vpmsumd vWideProduct, \block, vWideProduct
    .else
    LOAD_OWN 32 + vWideProduct, 32 * \j + 16 * \half - 128, 5
    vpmsumd vWideProduct, \block, vWideProduct
    .endif
    .if \j == 0
    xxlor \sum, 32 + vWideProduct, 32 + vWideProduct
    .elseif \j == 7 && \half == 1
    xxlxor 32 + vWideProduct, \sum, 32 + vWideProduct
    .else
    xxlxor \sum, \sum, 32 + vWideProduct
    .endif
.endm

/* The last round, the text and the products, in the order that keeps the units of POWER9 and 10 busy.
 * VSX registers vs7 to vs13 and xU, not yet in use, hold the text until then. */
.macro LOADS_encrypt
#if !KP_SWAPS
    .irp j, 0, 1, 2, 3, 4, 5, 6
    LOAD_TEXT_LOW 7 + \j, 16 * \j
    .endr
    LOAD_TEXT_LOW xU, 112
#endif
.endm

.macro LOAD_TEXT_LOW register, offset
#if KP_ISA >= 300
    INDEXED lxvb16x, \register, \offset, rIn
#else
    INDEXED lxvd2x, \register, \offset, rIn
#endif
.endm

.macro LOADS_decrypt
.endm

.macro FINISH_encrypt rounds
    .irp j, 0, 1, 2, 3, 4, 5, 6, 7
#if KP_SWAPS
    INDEXED lxvd2x, 32 + vWideText, 16 * \j, rIn
    vcipherlast \j, \j, vWideKeyLast
    vpermxor vWideText, vWideText, \j, vWideSwap
    INDEXED stxvd2x, 32 + vWideText, 16 * \j, rOut
    vperm \j, vWideText, vWideText, vWideSwap
#else
    .if \j < 7
    xxlxor 32 + vWideText, 7 + \j, xKeyLast
    .else
    xxlxor 32 + vWideText, xU, xKeyLast
    .endif
    vcipherlast \j, \j, vWideText
    STORE_BYTES \j, 16 * \j, rOut
#endif
    .endr
    .irp j, 0, 1, 2, 3, 4, 5, 6, 7
    MULTIPLY_WIDE \rounds, .Ltop_encrypt, \j, \j
    FIRST_ROUND \j
    .endr
.endm

.macro FINISH_decrypt rounds
    .irp j, 0, 1, 2, 3, 4, 5, 6, 7
#if KP_SWAPS
    INDEXED lxvd2x, 32 + vWideText, 16 * \j, rIn
    vcipherlast \j, \j, vWideKeyLast
    vpermxor \j, vWideText, \j, vWideSwap
    vperm vWideText, vWideText, vWideText, vWideSwap
    MULTIPLY_WIDE \rounds, .Ltop_decrypt, \j, vWideText
    INDEXED stxvd2x, 32 + \j, 16 * \j, rOut
    FIRST_ROUND \j
#else
    LOAD_BYTES vWideText, 16 * \j, rIn
    xxlxor 32 + vWideSum, 32 + vWideText, xKeyLast
    MULTIPLY_WIDE \rounds, .Ltop_decrypt, \j, vWideText
    vcipherlast \j, \j, vWideSum
    STORE_BYTES \j, 16 * \j, rOut
    FIRST_ROUND \j
#endif
    .endr
.endm

.macro CIPHER_WIDE key
    .irp j, 0, 1, 2, 3, 4, 5, 6, 7
    vcipher \j, \j, \key
    .endr
.endm

.macro LOAD_WIDE_KEY rounds, k
    .if \k < \rounds
    .if (\k) < 8
    LOAD_OWN 32 + 6 + \k, 16 * \k, rPrepared
    .else
    LOAD_OWN 32 + 6 + \k, 16 * \k - 128, 4
    .endif
    .endif
.endm

.macro LOAD_WIDE_POWER rounds, top, m
    .if (6 + \rounds + \m) <= \top
    .if \m < 8
    LOAD_OWN 32 + 6 + \rounds + \m, 16 * \m, 4
    .else
    LOAD_OWN 32 + 6 + \rounds + \m, 16 * \m - 128, 5
    .endif
    .endif
.endm

/* rGroups groups of eight blocks, one at least, then on to `done`. */
.macro TEXT_WIDE direction, rounds, begin, end, done
    addi 4, rPrepared, KEYS_HIGH
    .irp k, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
    LOAD_WIDE_KEY \rounds, \k
    .endr
    LOAD_OWN 32 + vWideKeyLast, KEY_LAST - KEYS_HIGH, 4
    xxlor xKeyLast, 32 + vWideKeyLast, 32 + vWideKeyLast
    addi 4, rPrepared, GHASH_POWERS
    addi 5, rPrepared, GHASH_POWERS + 128
    .irp m, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    LOAD_WIDE_POWER \rounds, .Ltop_\direction, \m
    .endr
.Lsegment\@:
    /* As many groups as stay below the next multiple of 256 blocks. */
    slwi 0, rLowByte, 4
    add rTable, rPrepared, 0
    addi rTable, rTable, FIRST_ROUND_TABLE
    subfic 0, rLowByte, 256
    srwi. 0, 0, 3
    beq .Lstraddle\@
    KP_COMPARE 0, rGroups
    ble .Lwithin\@
    mr 0, rGroups
.Lwithin\@:
    subf rGroups, 0, rGroups
    mtctr 0
    slwi 0, 0, 3
    add rLowByte, rLowByte, 0
    FIRST_ROUND_WIDE
    .balign 32
\begin:
    addi rTable, rTable, 128
    .irp k, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
    .if \k == (\rounds - 1)
    LOADS_\direction
    .endif
    .if \k < \rounds
    CIPHER_WIDE 6 + \k
    .endif
    .endr
    FINISH_\direction \rounds
    vpmsumd vWideText, vWideProduct, vWideReducer
    xxpermdi 32 + vWideProduct, 32 + vWideProduct, 32 + vWideProduct, 2
    addi rIn, rIn, 128
    addi rOut, rOut, 128
    xxlxor xY, xU, 32 + vWideProduct
    xxlxor xY, xY, 32 + vWideText
    bdnz \begin
\end:
    KP_COMPARE_IMMEDIATE rGroups, 0
    beq \done
    cmplwi rLowByte, 256
    blt .Lsegment\@
    li rLowByte, 0
    NEXT_C
    b .Lsegment\@
.Lstraddle\@:
    FIRST_ROUND_WIDE
    xxlor xU, xC, xC
    NEXT_C
    xxlxor xU, xU, xC
    .irp j, 7, 6, 5, 4, 3, 2, 1
    .if \j < 7
    cmplwi rLowByte, 256 - \j
    blt .Lstraddled\@
    .endif
    xxlxor 32 + \j, 32 + \j, xU
    .endr
.Lstraddled\@:
    /* This group, then those up to the next multiple of 256, 32 at most. */
    addi rTable, rTable, -256 * 16
    addi rLowByte, rLowByte, -256
    li 0, 32
    KP_COMPARE 0, rGroups
    ble .Lcounted\@
    mr 0, rGroups
.Lcounted\@:
    subf rGroups, 0, rGroups
    mtctr 0
    slwi 0, 0, 3
    add rLowByte, rLowByte, 0
    b \begin
.endm

/* A routine that encrypts or decrypts rLength bytes from rIn to rOut and takes the ciphertext into y. xCounter
 * is the counter block of the first of them and rLowByte its last byte; xCounter is left at the next one.
 * Spoils everything that may be spoilt but r3 and xTagMask. */
.macro TEXT_ROUTINE direction, name, begin128, end128, begin192, end192, begin256, end256
    KP_BEGIN_LOCAL \name
    LOAD_CONSTANTS
    COMPARE_ROUNDS
    xxlor 32 + vCounter, xCounter, xCounter
    vxor 0, 0, 0
    vspltisw vOne, 1
    vsldoi vOne, 0, vOne, 4
    KP_SHIFT_RIGHT rGroups, rLength, 7
    KP_COMPARE_IMMEDIATE rGroups, 0
    beq .Lfew\@
    addi 4, rFrame, FRAME_VECTORS
    addi 5, rFrame, FRAME_VECTORS + 128
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    INDEXED stvx, 20 + \n, 16 * \n, 4
    .cfi_offset KP_DWARF_V0 + 20 + \n, FRAME_VECTORS + 16 * \n
    .endr
    .irp n, 0, 1, 2, 3
    INDEXED stvx, 28 + \n, 16 * \n, 5
    .cfi_offset KP_DWARF_V0 + 28 + \n, FRAME_VECTORS + 128 + 16 * \n
    .endr
    /* The counter after the wide loop waits in the frame. */
    slwi 0, rGroups, 3
    mtvsrwz 32 + vText, 0
    xxpermdi 32 + vText, 32, 32 + vText, 0
    vadduwm vText, vCounter, vText
    addi 4, rFrame, FRAME_WORDS
    stxvd2x 32 + vText, 0, 4
    vsldoi vCounter, 0, vCounter, 15
    vsldoi vWideText, vCounter, 0, 1
    xxlor xCounter, 32 + vWideText, 32 + vWideText
    SET_C
    xxlor 32 + vWideReducer, 32 + vReducer, 32 + vReducer
#if KP_SWAPS
    xxlor 32 + vWideSwap, 32 + vSwap, 32 + vSwap
#endif
    andi. rLength, rLength, 127
    bgt 5, .Lwide256\@
    bgt 6, .Lwide192\@
    TEXT_WIDE \direction, 10, \begin128, \end128, .Lwide_done\@
.Lwide192\@:
    TEXT_WIDE \direction, 12, \begin192, \end192, .Lwide_done\@
.Lwide256\@:
    TEXT_WIDE \direction, 14, \begin256, \end256, .Lwide_done\@
.Lwide_done\@:
    addi 4, rFrame, FRAME_WORDS
    lxvd2x 32 + vCounter, 0, 4
    addi 4, rFrame, FRAME_VECTORS
    addi 5, rFrame, FRAME_VECTORS + 128
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7
    INDEXED lvx, 20 + \n, 16 * \n, 4
    .endr
    .irp n, 0, 1, 2, 3
    INDEXED lvx, 28 + \n, 16 * \n, 5
    .endr
    .irp n, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    .cfi_restore KP_DWARF_V0 + \n
    .endr
    KP_COMPARE_IMMEDIATE rLength, 0
    beq .Ltext_done\@
    LOAD_CONSTANTS
    vxor 0, 0, 0
    vspltisw vOne, 1
    vsldoi vOne, 0, vOne, 4
.Lfew\@:
    addi 4, rPrepared, KEYS_HIGH
    addi 5, rPrepared, GHASH_POWERS + 128
    TEXT_FEW \direction, 4
    TEXT_FEW \direction, 2
    TEXT_FEW \direction, 1
    KP_COMPARE_IMMEDIATE rLength, 0
    beq .Ltext_done\@
    TEXT_PART \direction
.Ltext_done\@:
    xxlor xCounter, 32 + vCounter, 32 + vCounter
    blr
    KP_END_LOCAL \name
.endm

    GHASH_ROUTINE KERNEL(hash_any), KERNEL(hash_loop_begin), KERNEL(hash_loop_end)
    TEXT_ROUTINE encrypt, KERNEL(encrypt_any), KERNEL(encrypt128_loop_begin), KERNEL(encrypt128_loop_end), \
        KERNEL(encrypt192_loop_begin), KERNEL(encrypt192_loop_end), \
        KERNEL(encrypt256_loop_begin), KERNEL(encrypt256_loop_end)
    TEXT_ROUTINE decrypt, KERNEL(decrypt_any), KERNEL(decrypt128_loop_begin), KERNEL(decrypt128_loop_end), \
        KERNEL(decrypt192_loop_begin), KERNEL(decrypt192_loop_end), \
        KERNEL(decrypt256_loop_begin), KERNEL(decrypt256_loop_end)

/* void encrypt(const void *prepared, uint8_t counter[16], uint8_t y[16], const uint8_t *in, uint8_t *out, size_t length) */
.macro TEXT_ENTRY name, routine
    KP_BEGIN \name
    ENTER
    SET_OFFSETS
    KP_STORE 4, FRAME_ARGUMENT(0)(rFrame)
    KP_STORE 5, FRAME_ARGUMENT(1)(rFrame)
    LOAD_SWAP
    lbz rLowByte, 15(4)
    LOAD_BYTES vCounter, 0, 4
    LOAD_BYTES vBlock, 0, 5
    xxlor xCounter, 32 + vCounter, 32 + vCounter
    xxlor xY, 32 + vBlock, 32 + vBlock
    bl \routine
    LOAD_SWAP
    KP_LOAD 4, FRAME_ARGUMENT(0)(rFrame)
    KP_LOAD 5, FRAME_ARGUMENT(1)(rFrame)
    xxlor 32 + vCounter, xCounter, xCounter
    xxlor 32 + vBlock, xY, xY
    STORE_BYTES vCounter, 0, 4
    STORE_BYTES vBlock, 0, 5
    LEAVE
    KP_END \name
.endm

    TEXT_ENTRY KERNEL(encrypt), KERNEL(encrypt_any)
    TEXT_ENTRY KERNEL(decrypt), KERNEL(decrypt_any)

/* void hash(const void *prepared, uint8_t y[16], const uint8_t *data, size_t length) */
    KP_BEGIN KERNEL(hash)
    GHASH_ENTRY KERNEL(hash_any)
    KP_END KERNEL(hash)

/* void encipher(const void *prepared, const uint8_t in[16], uint8_t out[16]) */
    KP_BEGIN KERNEL(encipher)
    ENTER
    SET_OFFSETS
    LOAD_SWAP
    COMPARE_ROUNDS
    LOAD_BYTES 0, 0, 4
    addi 4, rPrepared, KEYS_HIGH
    LOAD_OWN 32 + vKey, KEYS, rPrepared
    vxor 0, 0, vKey
    ROUNDS_FEW 1
    vcipherlast 0, 0, vKey
    STORE_BYTES 0, 0, 5
    LEAVE
    KP_END KERNEL(encipher)

/* void seal_message(const void *prepared, const uint8_t j0[16], const uint8_t *aad, size_t aad_length,
 *                   const uint8_t *in, uint8_t *out, size_t length, uint8_t tag[16]) */
.macro MESSAGE_ENTRY name, routine
    KP_BEGIN \name
    ENTER
    KP_STORE 6, FRAME_ARGUMENT(0)(rFrame)
    KP_STORE 7, FRAME_ARGUMENT(1)(rFrame)
    KP_STORE 8, FRAME_ARGUMENT(2)(rFrame)
    KP_STORE 9, FRAME_ARGUMENT(3)(rFrame)
    KP_STORE 10, FRAME_ARGUMENT(4)(rFrame)
    mr rLength, 6
    mr rIn, 5
    SET_OFFSETS
    LOAD_SWAP
    COMPARE_ROUNDS
    lbz rLowByte, 15(4)
    LOAD_BYTES vCounter, 0, 4
    vxor vBlock, vBlock, vBlock
    vspltisw vOne, 1
    vsldoi vOne, vBlock, vOne, 4
    xxlor xY, 32 + vBlock, 32 + vBlock
    addi 4, rPrepared, KEYS_HIGH
    KEY_STREAM_FEW 1
    vcipherlast 0, 0, vKey
    xxlor xTagMask, 32, 32
    xxlor xCounter, 32 + vCounter, 32 + vCounter
    addi rLowByte, rLowByte, 1
    clrlwi rLowByte, rLowByte, 24
    KP_COMPARE_IMMEDIATE rLength, 0
    beq .Lno_aad\@
    bl KERNEL(hash_any)
.Lno_aad\@:
    KP_LOAD rIn, FRAME_ARGUMENT(1)(rFrame)
    KP_LOAD rOut, FRAME_ARGUMENT(2)(rFrame)
    KP_LOAD rLength, FRAME_ARGUMENT(3)(rFrame)
    bl \routine
    /* The block of both lengths in bits, then the tag. */
    LOAD_CONSTANTS
    KP_LOAD 4, FRAME_ARGUMENT(0)(rFrame)
    KP_LOAD 5, FRAME_ARGUMENT(3)(rFrame)
#if KP_WORD == 8
    sldi 4, 4, 3
    sldi 5, 5, 3
    mtvsrd 32, 4
    mtvsrd 33, 5
    xxpermdi 32 + vBlock, 32, 33, 0
#else
    srwi 0, 4, 29
    slwi 4, 4, 3
    mtvsrwz 32, 0
    mtvsrwz 33, 4
    vmrghw vBlock, 0, 1
    srwi 0, 5, 29
    slwi 5, 5, 3
    mtvsrwz 32, 0
    mtvsrwz 33, 5
    vmrghw 0, 0, 1
    xxpermdi 32 + vBlock, 32 + vBlock, 32, 3
#endif
    addi 5, rPrepared, GHASH_POWERS + 128
    KP_LOAD 4, FRAME_ARGUMENT(4)(rFrame)
    xxlxor 32 + vBlock, 32 + vBlock, xY
    GHASH_FEW_ADD 1, 0, vBlock
    GHASH_REDUCE 32, 32 + vU, vV, vPower0
    xxlxor 32, 32, xTagMask
    STORE_BYTES 0, 0, 4
    LEAVE
    KP_END \name
.endm

    MESSAGE_ENTRY KERNEL(seal_message), KERNEL(encrypt_any)
    MESSAGE_ENTRY KERNEL(open_message), KERNEL(decrypt_any)

/* The next round key: each word of `key` becomes the sum of itself and those before it, plus the substituted
 * word that `word` holds in all four places. v1 is zero. Spoils v2. */
.macro NEXT_KEY key, word
    vsldoi 2, 1, \key, 12
    vxor \key, \key, 2
    vsldoi 2, 1, 2, 12
    vxor \key, \key, 2
    vsldoi 2, 1, 2, 12
    vxor \key, \key, 2
    vxor \key, \key, \word
.endm

/* `to` = the last word of `from`, rotated by a byte, substituted, plus the round constant, four times over. v4 holds
 * the mask that rotates and copies, v5 the round constant. */
.macro KEY_WORD to, from
    vperm \to, \from, \from, 4
    vsbox \to, \to
    vxor \to, \to, 5
    vadduwm 5, 5, 5
.endm

/* The word in r0, in all four places of the register. */
.macro SPLAT register
    mtvsrwz 32 + \register, 0
    vspltw \register, \register, 1
.endm

.macro STORE_KEY register, k
    .if (\k) < 8
    STORE_OWN 32 + \register, 16 * (\k), rPrepared
    .else
    STORE_OWN 32 + \register, 16 * (\k) - 128, 7
    .endif
.endm

/* void prepare(void *prepared, const uint8_t *key, size_t key_length) */
    KP_BEGIN KERNEL(prepare)
    ENTER
    SET_OFFSETS
    SWAP_MASK
    addi 7, rPrepared, KEYS_HIGH
    cmplwi 6, 5, 16
    cmplwi 5, 5, 24
    LOAD_BYTES 6, 0, 4
    vxor 1, 1, 1
    lis 0, 0x0d0e
    ori 0, 0, 0x0f0c
    SPLAT 4
    lis 0, 0x0100
    SPLAT 5
    STORE_KEY 6, 0
    bgt 5, .Lexpand256
    bgt 6, .Lexpand192

    .irp k, 1, 2, 3, 4, 5, 6, 7, 8
    KEY_WORD 8, 6
    NEXT_KEY 6, 8
    STORE_KEY 6, \k
    .endr
    lis 0, 0x1b00
    SPLAT 5
    KEY_WORD 8, 6
    NEXT_KEY 6, 8
    STORE_KEY 6, 9
    KEY_WORD 8, 6
    NEXT_KEY 6, 8
    li 6, 10
    b .Lexpanded

    /* Words 4 and 5 are v7, twice. Six words a step: keys are pieced together from v6, v7 and the v7 before. */
.Lexpand192:
    addi 8, 4, 16
#if KP_ISA >= 300
    addi 8, 4, 8
    LOAD_BYTES 7, 0, 8
    xxpermdi 39, 39, 39, 3
#else
    lxsdx 39, 0, 8
#if KP_SWAPS
    vperm 7, 7, 7, vSwap
#endif
    xxpermdi 39, 39, 39, 0
#endif
    .irp k, 1, 4, 7, 10
    KEY_WORD 8, 7
    vor 9, 7, 7
    vor 10, 6, 6
    NEXT_KEY 10, 8
    vspltw 2, 10, 3
    vsldoi 3, 1, 7, 12
    vxor 7, 7, 3
    vxor 7, 7, 2
    xxpermdi 39, 39, 39, 0
    xxpermdi 41, 41, 42, 0
    STORE_KEY 9, \k
    xxpermdi 41, 42, 39, 2
    STORE_KEY 9, \k + 1
    KEY_WORD 8, 7
    vor 6, 10, 10
    NEXT_KEY 6, 8
    vspltw 2, 6, 3
    vsldoi 3, 1, 7, 12
    vxor 7, 7, 3
    vxor 7, 7, 2
    xxpermdi 39, 39, 39, 0
    .if \k < 10
    STORE_KEY 6, \k + 2
    .endif
    .endr
    li 6, 12
    b .Lexpanded

.Lexpand256:
    addi 8, 4, 16
    LOAD_BYTES 7, 0, 8
    STORE_KEY 7, 1
    .irp k, 2, 4, 6, 8, 10, 12
    KEY_WORD 8, 7
    NEXT_KEY 6, 8
    STORE_KEY 6, \k
    vspltw 8, 6, 3
    vsbox 8, 8
    NEXT_KEY 7, 8
    STORE_KEY 7, \k + 1
    .endr
    KEY_WORD 8, 7
    NEXT_KEY 6, 8
    li 6, 14

    /* H = AES(0). */
.Lexpanded:
    STORE_OWN 32 + 6, KEY_LAST - KEYS_HIGH, 7
    stw 6, KEYS_ROUNDS(rPrepared)
    COMPARE_ROUNDS
    mr 4, 7
    LOAD_OWN 32, KEYS, rPrepared
    ROUNDS_FEW 1
    vcipherlast 9, 0, vKey
    GHASH_PREPARE

    /* D[i] = round one of i in byte 15, less round one of 0, neither with a key: eight entries a turn. */
    LOAD_OWN 32 + 16, KEYS, rPrepared
    vxor 17, 17, 17
    vcipher 17, 16, 17
    vxor 0, 0, 0
    vspltisw vOne, 1
    vsldoi vOne, 0, vOne, 4
    .irp j, 1, 2, 3, 4, 5, 6, 7
    vadduwm \j, \j - 1, vOne
    .endr
    vadduwm vCounter, 7, vOne
    vxor vOne, vOne, vOne
    addi 4, rPrepared, FIRST_ROUND_TABLE
    li 0, 32
    mtctr 0
.Lfirst_round:
    vxor vText, 16, vOne
    vadduwm vOne, vOne, vCounter
    .irp j, 0, 1, 2, 3, 4, 5, 6, 7
    vxor 8, vText, \j
    vcipher 8, 8, 17
    STORE_OWN 32 + 8, 16 * \j, 4
    .endr
    addi 4, 4, 128
    bdnz .Lfirst_round
    addi 5, rPrepared, FIRST_ROUND_TABLE
    .irp j, 0, 1, 2, 3, 4, 5, 6, 7
    LOAD_OWN 32, 16 * \j, 5
    STORE_OWN 32, 16 * \j, 4
    .endr
    LEAVE
    KP_END KERNEL(prepare)
