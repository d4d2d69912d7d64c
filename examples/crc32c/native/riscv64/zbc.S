/* CRC-32C (RFC 3720, section 12.1) on RISC-V with carry-less multiplication.
 *
 *     uint32_t crc_crc32c_zbc_update(uint32_t crc, const uint8_t *data, size_t length);
 *
 * Needs clmul and clmulh (Zbc or Zbkc).
 *
 * A word of 8 bytes goes into the checksum by two products: the low half of its product by the inverse of the
 * polynomial is the multiple of the polynomial that clears it, and the high half of that multiple is what it leaves.
 * Each waits for the one before, so a chunk is cut into four streams that take turns. The first goes on from the
 * checksum so far, the others begin at zero; at the end each moves on over those behind it, by a product with a power of
 * x that is looked up in a table by the length of a stream, and the sum of these products goes into the checksum as a
 * word. Folding blocks of 16 bytes takes as many products and more additions, ten instructions where these are eight.
 *
 * Before the first chunk as many bytes as lead to a multiple of 8 go into the checksum, so no load is misaligned.
 *
 * Registers: a0, a3, a4, a5 checksums; a1, a6, a7, t0 streams; a2 length left; t1 end of the first stream; t2 the inverse
 * and t3 the polynomial; t4 to t6 words and scratch.
 *
 * Source: P. Montgomery, "Modular Multiplication Without Trial Division", 1985, whose reduction from the low end is what
 * a reflected CRC needs; RISC-V Bit-Manipulation ISA-extensions 1.0, Zbc. A byte takes 0.6 instructions.
 */
#include "native/asm/riscv64.h"
#include "../asm/powers.h"

    .option arch, +zbc

#define MOST_PAIRS (CRC_WORD_SHIFTS / 6) /* of words in a stream: the first moves on over three */

    .section .rodata
    .p2align 6
.Lpowers:
    crc_word_shifts
.Linverse:
    .dword CRC_INVERSE, CRC_POLYNOMIAL
    .text

/* The register = the checksum of the word in it. */
.macro crc_reduce register
    clmul   \register, \register, t2
    clmulh  \register, \register, t3
.endm

/* a0 takes in t0 (1 to 7) bytes at a1, which goes on. Changes t0, t4 to t6. */
.macro crc_bytes
    li      t4, 0
    li      t5, 0
1:
    lbu     t6, 0(a1)
    addi    a1, a1, 1
    sll     t6, t6, t5
    or      t4, t4, t6
    addi    t5, t5, 8
    addi    t0, t0, -1
    bnez    t0, 1b
    /* The bytes, with as much of the checksum, to the end of a word; what is left of the checksum has moved on. */
    xor     t4, t4, a0
    neg     t6, t5
    sll     t4, t4, t6
    crc_reduce t4
    srl     a0, a0, t5
    xor     a0, a0, t4
.endm

/* One word of each stream. */
.macro crc_stream_words offset
    ld      t4, \offset(a1)
    ld      t5, \offset(a6)
    ld      t6, \offset(a7)
    xor     a0, a0, t4
    ld      t4, \offset(t0)
    xor     a3, a3, t5
    xor     a4, a4, t6
    xor     a5, a5, t4
    clmul   a0, a0, t2
    clmul   a3, a3, t2
    clmul   a4, a4, t2
    clmul   a5, a5, t2
    clmulh  a0, a0, t3
    clmulh  a3, a3, t3
    clmulh  a4, a4, t3
    clmulh  a5, a5, t3
.endm

    kp_function crc_crc32c_zbc_update
    not     a0, a0
    slli    a0, a0, 32
    srli    a0, a0, 32
    lla     t3, .Linverse
    ld      t2, 0(t3)
    ld      t3, 8(t3)

    neg     t0, a1
    andi    t0, t0, 7
    bleu    t0, a2, 2f
    mv      t0, a2
2:
    beqz    t0, 3f
    sub     a2, a2, t0
    crc_bytes
3:
    li      t0, 64
    bltu    a2, t0, .Lrest
.Lchunk:
    srli    t0, a2, 6
    li      t1, MOST_PAIRS
    bleu    t0, t1, 4f
    mv      t0, t1
4:
    slli    t1, t0, 6
    sub     a2, a2, t1
    slli    t0, t0, 4
    add     a6, a1, t0
    add     a7, a6, t0
    add     t0, a7, t0
    mv      t1, a6
    li      a3, 0
    li      a4, 0
    li      a5, 0
    .p2align 4
    kp_mark crc_crc32c_zbc_update_loop_begin
5:
    crc_stream_words 0
    crc_stream_words 8
    addi    a1, a1, 16
    addi    a6, a6, 16
    addi    a7, a7, 16
    addi    t0, t0, 16
    bne     a1, t1, 5b
    kp_mark crc_crc32c_zbc_update_loop_end
    /* A power is half as long as a word, so half a stream is the way from the power for one stream to that for two. */
    mv      a1, t0
    sub     t0, t0, a7
    srli    t0, t0, 1
    lla     t1, .Lpowers
    add     t1, t1, t0
    lwu     t4, -4(t1)
    add     t1, t1, t0
    lwu     t5, -4(t1)
    add     t1, t1, t0
    lwu     t6, -4(t1)
    clmul   a4, a4, t4
    clmul   a3, a3, t5
    clmul   a0, a0, t6
    xor     a3, a3, a4
    xor     a0, a0, a3
    crc_reduce a0
    xor     a0, a0, a5
    li      t0, 64
    bgeu    a2, t0, .Lchunk
.Lrest:
    andi    t0, a2, 7
    sub     a2, a2, t0
    beqz    a2, 7f
    add     a2, a1, a2
6:
    ld      t4, 0(a1)
    addi    a1, a1, 8
    xor     a0, a0, t4
    crc_reduce a0
    bne     a1, a2, 6b
7:
    beqz    t0, 8f
    crc_bytes
8:
    not     a0, a0
    sext.w  a0, a0
    ret
    kp_end crc_crc32c_zbc_update
