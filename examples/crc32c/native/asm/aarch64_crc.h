/* CRC-32C on AArch64: what is left of the data, and vectors folded by PMULL while CRC32CX takes words elsewhere.
 *
 * The two use different pipes, so together they take what each takes alone. A chunk is n turns: first n times
 * 16 CRC_SUMS bytes for the vector sums, then three streams of n times 8 CRC_STREAM_WORDS bytes for CRC32CX. A sum is
 * folded: each half is multiplied by the power of x that moves it on over a turn, and takes in the data there. What is
 * left of the sums and of the streams moves on to the end of the chunk by products with powers of x, which are looked
 * up in a table by n. A short chunk takes what is left of the data but for less than a turn, which goes word by word.
 *
 * A kernel defines CRC_SUMS (4 or 8), CRC_STREAM_WORDS (even) and CRC_EOR3 (1 or 0, whether EOR3 may be used) before
 * including this, and uses crc_update once. One that defines nothing gets crc_rest alone.
 *
 * Registers: w0, w8, w9 checksums of the streams; x1 vectors; x2 length left; x3, x5, x6 streams; x4 length of a
 * stream; x7 end of the vectors; x10 to x15 words and scratch; x16 the table of powers; v0 to v7 sums, v16 to v23 data,
 * v24 the powers for a turn, v25 to v27 scratch. No stack.
 *
 * Sources: V. Gopal and others, "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction", 2009, which
 * needs nothing of the processor it was written for; Arm Architecture Reference Manual, CRC32CX: bits are reflected. */
#ifndef CRC_ASM_AARCH64_CRC_H
#define CRC_ASM_AARCH64_CRC_H

/* w0 moves on over the x2 bytes at x1, one stream. Changes x1, x2, x10, flags. */
.macro crc_rest
    subs x2, x2, #8
    b.lo 2f
1:
    ldr x10, [x1], #8
    kp_from_little x10
    crc32cx w0, w0, x10
    subs x2, x2, #8
    b.hs 1b
2:
    tbz x2, #2, 3f
    ldr w10, [x1], #4
    kp_from_little w10
    crc32cw w0, w0, w10
3:
    tbz x2, #1, 4f
    ldrh w10, [x1], #2
#if KP_BIG_ENDIAN
    rev16 w10, w10
#endif
    crc32ch w0, w0, w10
4:
    tbz x2, #0, 5f
    ldrb w10, [x1]
    crc32cb w0, w0, w10
5:
.endm

#ifdef CRC_SUMS

#include "powers.h"

#define CRC_VECTOR_BYTES (16 * CRC_SUMS)
#define CRC_STREAM_BYTES (8 * CRC_STREAM_WORDS)
#define CRC_TURN_BYTES (CRC_VECTOR_BYTES + 3 * CRC_STREAM_BYTES)
/* The vectors move on over three streams: that far the table of powers must reach. */
#define CRC_MOST_TURNS (CRC_WORD_SHIFTS / (3 * CRC_STREAM_WORDS))

/* v\number = the powers that move the two words of a block on. Changes x10, x11. */
.macro crc_load_powers number, words
    ldp w10, w11, [x16, #4 * (\words) - 4]
    fmov d\number, x11
    mov v\number\().d[1], x10
.endm

/* to = to, moved on by the powers in v\powers, + data. Changes v25. */
.macro crc_fold to, data, powers
    pmull v25.1q, v\to\().1d, v\powers\().1d
    pmull2 v\to\().1q, v\to\().2d, v\powers\().2d
#if CRC_EOR3
    eor3 v\to\().16b, v\to\().16b, v25.16b, v\data\().16b
#else
    eor v25.16b, v25.16b, v\data\().16b
    eor v\to\().16b, v\to\().16b, v25.16b
#endif
.endm

/* Two words of each stream. */
.macro crc_stream_words
    ldp x10, x11, [x3], #16
    ldp x12, x13, [x5], #16
    ldp x14, x15, [x6], #16
    .irp word, x10, x11, x12, x13, x14, x15
    kp_from_little \word
    .endr
    crc32cx w0, w0, x10
    crc32cx w8, w8, x12
    crc32cx w9, w9, x14
    crc32cx w0, w0, x11
    crc32cx w8, w8, x13
    crc32cx w9, w9, x15
.endm

/* v\number = the checksum in a register times the power at x11 + offset. Changes x10, v26. */
.macro crc_product number, checksum, offset
    fmov s\number, \checksum
    ldr w10, [x11, \offset]
    fmov s26, w10
    pmull v\number\().1q, v\number\().1d, v26.1d
.endm

.macro crc_update name
    kp_constants \name\()_powers
    crc_word_shifts

    kp_function \name
    mvn w0, w0
    cmp x2, #CRC_TURN_BYTES
    b.lo 5f
    kp_address x16, \name\()_powers
    crc_load_powers 24, CRC_VECTOR_BYTES / 8
1:
    mov x10, #CRC_TURN_BYTES
    mov x11, #CRC_MOST_TURNS
    udiv x3, x2, x10
    cmp x3, x11
    csel x3, x3, x11, lo
    msub x2, x3, x10, x2
    mov x10, #CRC_STREAM_BYTES
    mul x4, x3, x10
    mov x10, #CRC_VECTOR_BYTES
    madd x3, x3, x10, x1
    mov x7, x3
    add x5, x3, x4
    add x6, x5, x4
    ld1 {v0.16b, v1.16b, v2.16b, v3.16b}, [x1], #64
    .if CRC_SUMS == 8
    ld1 {v4.16b, v5.16b, v6.16b, v7.16b}, [x1], #64
    .endif
    fmov s25, w0
    eor v0.16b, v0.16b, v25.16b
    mov w0, #0
    mov w8, #0
    mov w9, #0
    .rept CRC_STREAM_WORDS / 2
    crc_stream_words
    .endr
    cmp x1, x7
    b.eq 3f
    .p2align 5
    kp_mark \name\()_loop_begin
2:
    ld1 {v16.16b, v17.16b, v18.16b, v19.16b}, [x1], #64
    .if CRC_SUMS == 8
    ld1 {v20.16b, v21.16b, v22.16b, v23.16b}, [x1], #64
    .endif
    crc_fold 0, 16, 24
    crc_fold 1, 17, 24
    .rept CRC_STREAM_WORDS / 2
    crc_stream_words
    .endr
    cmp x1, x7
    crc_fold 2, 18, 24
    crc_fold 3, 19, 24
    .if CRC_SUMS == 8
    crc_fold 4, 20, 24
    crc_fold 5, 21, 24
    crc_fold 6, 22, 24
    crc_fold 7, 23, 24
    .endif
    b.ne 2b
    kp_mark \name\()_loop_end
3:
    mov x1, x6
    /* All sums into v0. */
    .if CRC_SUMS == 8
    crc_load_powers 27, 8
    crc_fold 0, 4, 27
    crc_fold 1, 5, 27
    crc_fold 2, 6, 27
    crc_fold 3, 7, 27
    .endif
    crc_load_powers 27, 4
    crc_fold 0, 2, 27
    crc_fold 1, 3, 27
    crc_load_powers 27, 2
    crc_fold 0, 1, 27
    /* The streams and the block move on to the end: by one, two and three times x4 bytes, which is halved as a power is
     * half as long as a word. */
    umov x12, v0.d[0]
    umov x13, v0.d[1]
    lsr x4, x4, #1
    sub x11, x16, #4
    crc_product 1, w8, x4
    add x14, x4, x4
    crc_product 2, w0, x14
    add x14, x14, x4
    crc32cx w12, wzr, x12
    crc32cx w12, w12, x13
    crc_product 3, w12, x14
    eor v1.16b, v1.16b, v2.16b
    eor v1.16b, v1.16b, v3.16b
    umov x12, v1.d[0]
    crc32cx w0, wzr, x12
    eor w0, w0, w9
    cmp x2, #CRC_TURN_BYTES
    b.hs 1b
5:
    crc_rest
    mvn w0, w0
    ret
    kp_end \name
.endm

#endif

#endif
