/* CRC-32C (RFC 3720, section 12.1) with the CRC32 instructions.
 *
 * uint32_t crc_crc32c_crc32_update(uint32_t crc, const uint8_t *data, size_t length);
 *
 * CRC32CX takes a word of 8 bytes a cycle but its result only comes two or three cycles later. So blocks are cut into
 * three streams that take turns. The first goes on from the checksum so far, the others begin at zero; at the end of a
 * block a checksum moves on by the length of a stream, which is a product by a power of x, and the next is added.
 * Not every processor with CRC32 has PMULL (Cortex-A53 and A72 in Raspberry Pi's), so the product is eight look-ups,
 * one a nibble, in a table for that length. The tables are indexed by the checksum, which is no secret.
 *
 * Registers: w0, w8, w9 the three checksums; x1, x3, x4 streams; x2 length left; x5 end of the first stream; x10 to x15
 * words and scratch; x16 a table. No stack.
 *
 * Source: Arm Architecture Reference Manual, CRC32CX; three streams: V. Gopal and others, "Fast CRC Computation for
 * iSCSI Polynomial Using CRC32 Instruction", 2011. Three streams take a third to half of the time of one. */
#include "native/asm/aarch64.h"
#include "../asm/powers.h"
#include "../asm/aarch64_crc.h"

#if !defined(__APPLE__)
    .arch armv8-a+crc
#endif

    kp_constants crc_crc32c_crc32_shift_128
    crc_stream_shifts_128
    kp_constants crc_crc32c_crc32_shift_1024
    crc_stream_shifts_1024

/* w0 moves on by a stream and takes in another. */
.macro crc_join other
    and w10, w0, #15
    ldr w11, [x16, w10, uxtw #2]
    .irp nibble, 1, 2, 3, 4, 5, 6, 7
    ubfx w10, w0, #4 * \nibble, #4
    add w10, w10, #16 * \nibble
    ldr w12, [x16, w10, uxtw #2]
    eor w11, w11, w12
    .endr
    eor w0, w11, \other
.endm

/* Blocks of three streams of `length` bytes, while there are. */
.macro crc_streams length, mark
    cmp x2, #3 * \length
    b.lo 3f
    kp_address x16, crc_crc32c_crc32_shift_\length
    .if \mark
    kp_mark crc_crc32c_crc32_update_loop_begin
    .endif
1:
    add x3, x1, #\length
    add x4, x3, #\length
    mov x5, x3
    mov w8, #0
    mov w9, #0
    .p2align 5
2:
    .rept 2
    ldp x10, x11, [x1], #16
    ldp x12, x13, [x3], #16
    ldp x14, x15, [x4], #16
    .irp word, x10, x11, x12, x13, x14, x15
    kp_from_little \word
    .endr
    crc32cx w0, w0, x10
    crc32cx w8, w8, x12
    crc32cx w9, w9, x14
    crc32cx w0, w0, x11
    crc32cx w8, w8, x13
    crc32cx w9, w9, x15
    .endr
    cmp x1, x5
    b.ne 2b
    crc_join w8
    crc_join w9
    mov x1, x4
    sub x2, x2, #3 * \length
    cmp x2, #3 * \length
    b.hs 1b
    .if \mark
    kp_mark crc_crc32c_crc32_update_loop_end
    .endif
3:
.endm

    kp_function crc_crc32c_crc32_update
    mvn w0, w0
    crc_streams 1024, 1
    crc_streams 128, 0
    crc_rest
    mvn w0, w0
    ret
    kp_end crc_crc32c_crc32_update
