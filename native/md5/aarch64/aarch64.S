/* MD5 (RFC 1321), one stream, in general registers of any AArch64 processor.
 *
 * void kp_md5_aarch64_compress(uint32_t state[4], const uint8_t *data, size_t blocks);
 *
 * x0 state, x1 data, x2 blocks left, x3 constants; w4 to w7 a, b, c, d; w8 to w17 and w19 to w24 the
 * block; w25, w26 two constants; w27, w28 temporaries.
 *
 * Each step waits for the one before, so the way from b to the next b decides, not the number of
 * instructions. F and G are sums of two disjoint masks, not selections: in G only one of them depends
 * on b, and the other is added before b is there. That way F and I take five instructions in a row and
 * G and H four, 288 for a block of 64 bytes, 4.5 cycles a byte. Constants come two a load and the
 * block's words are loaded once: 531 instructions a block, 8.3 a byte. */
#include "../../asm/aarch64.h"

/* A step: a = b + ((a + f + word + constant) <<< s). What does not need b comes first. */
.macro kp_rotate a, b, s
    ror \a, \a, #32 - \s
    add \a, \a, \b
.endm

.macro kp_f a, b, c, d, word, constant, s
    add \a, \a, \constant
    add \a, \a, \word
    bic w28, \d, \b
    and w27, \c, \b
    add \a, \a, w28
    add \a, \a, w27
    kp_rotate \a, \b, \s
.endm

.macro kp_g a, b, c, d, word, constant, s
    add \a, \a, \constant
    bic w28, \c, \d
    add \a, \a, \word
    and w27, \d, \b
    add \a, \a, w28
    add \a, \a, w27
    kp_rotate \a, \b, \s
.endm

.macro kp_h a, b, c, d, word, constant, s
    add \a, \a, \constant
    eor w27, \c, \d
    add \a, \a, \word
    eor w27, w27, \b
    add \a, \a, w27
    kp_rotate \a, \b, \s
.endm

.macro kp_i a, b, c, d, word, constant, s
    add \a, \a, \constant
    orn w27, \b, \d
    add \a, \a, \word
    eor w27, w27, \c
    add \a, \a, w27
    kp_rotate \a, \b, \s
.endm

kp_function kp_md5_aarch64_compress
    cbz x2, 2f
    stp x19, x20, [sp, #-80]!
    .cfi_adjust_cfa_offset 80
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    .cfi_rel_offset x19, 0
    .cfi_rel_offset x20, 8
    .cfi_rel_offset x21, 16
    .cfi_rel_offset x22, 24
    .cfi_rel_offset x23, 32
    .cfi_rel_offset x24, 40
    .cfi_rel_offset x25, 48
    .cfi_rel_offset x26, 56
    .cfi_rel_offset x27, 64
    .cfi_rel_offset x28, 72
    kp_address x3, kp_md5_aarch64_constants
    ldp w4, w5, [x0]
    ldp w6, w7, [x0, #8]
    kp_mark kp_md5_aarch64_compress_loop_begin
1:
    ldp w8, w9, [x1]
    ldp w10, w11, [x1, #8]
    ldp w12, w13, [x1, #16]
    ldp w14, w15, [x1, #24]
    ldp w16, w17, [x1, #32]
    ldp w19, w20, [x1, #40]
    ldp w21, w22, [x1, #48]
    ldp w23, w24, [x1, #56]
    add x1, x1, #64
#if KP_BIG_ENDIAN
    kp_from_little w8
    kp_from_little w9
    kp_from_little w10
    kp_from_little w11
    kp_from_little w12
    kp_from_little w13
    kp_from_little w14
    kp_from_little w15
    kp_from_little w16
    kp_from_little w17
    kp_from_little w19
    kp_from_little w20
    kp_from_little w21
    kp_from_little w22
    kp_from_little w23
    kp_from_little w24
#endif
    // F = (b & c) + (d & ~b)
    ldp w25, w26, [x3, #0]
    kp_f w4, w5, w6, w7, w8, w25, 7
    kp_f w7, w4, w5, w6, w9, w26, 12
    ldp w25, w26, [x3, #8]
    kp_f w6, w7, w4, w5, w10, w25, 17
    kp_f w5, w6, w7, w4, w11, w26, 22
    ldp w25, w26, [x3, #16]
    kp_f w4, w5, w6, w7, w12, w25, 7
    kp_f w7, w4, w5, w6, w13, w26, 12
    ldp w25, w26, [x3, #24]
    kp_f w6, w7, w4, w5, w14, w25, 17
    kp_f w5, w6, w7, w4, w15, w26, 22
    ldp w25, w26, [x3, #32]
    kp_f w4, w5, w6, w7, w16, w25, 7
    kp_f w7, w4, w5, w6, w17, w26, 12
    ldp w25, w26, [x3, #40]
    kp_f w6, w7, w4, w5, w19, w25, 17
    kp_f w5, w6, w7, w4, w20, w26, 22
    ldp w25, w26, [x3, #48]
    kp_f w4, w5, w6, w7, w21, w25, 7
    kp_f w7, w4, w5, w6, w22, w26, 12
    ldp w25, w26, [x3, #56]
    kp_f w6, w7, w4, w5, w23, w25, 17
    kp_f w5, w6, w7, w4, w24, w26, 22
    // G = (b & d) + (c & ~d)
    ldp w25, w26, [x3, #64]
    kp_g w4, w5, w6, w7, w9, w25, 5
    kp_g w7, w4, w5, w6, w14, w26, 9
    ldp w25, w26, [x3, #72]
    kp_g w6, w7, w4, w5, w20, w25, 14
    kp_g w5, w6, w7, w4, w8, w26, 20
    ldp w25, w26, [x3, #80]
    kp_g w4, w5, w6, w7, w13, w25, 5
    kp_g w7, w4, w5, w6, w19, w26, 9
    ldp w25, w26, [x3, #88]
    kp_g w6, w7, w4, w5, w24, w25, 14
    kp_g w5, w6, w7, w4, w12, w26, 20
    ldp w25, w26, [x3, #96]
    kp_g w4, w5, w6, w7, w17, w25, 5
    kp_g w7, w4, w5, w6, w23, w26, 9
    ldp w25, w26, [x3, #104]
    kp_g w6, w7, w4, w5, w11, w25, 14
    kp_g w5, w6, w7, w4, w16, w26, 20
    ldp w25, w26, [x3, #112]
    kp_g w4, w5, w6, w7, w22, w25, 5
    kp_g w7, w4, w5, w6, w10, w26, 9
    ldp w25, w26, [x3, #120]
    kp_g w6, w7, w4, w5, w15, w25, 14
    kp_g w5, w6, w7, w4, w21, w26, 20
    // H = b ^ c ^ d
    ldp w25, w26, [x3, #128]
    kp_h w4, w5, w6, w7, w13, w25, 4
    kp_h w7, w4, w5, w6, w16, w26, 11
    ldp w25, w26, [x3, #136]
    kp_h w6, w7, w4, w5, w20, w25, 16
    kp_h w5, w6, w7, w4, w23, w26, 23
    ldp w25, w26, [x3, #144]
    kp_h w4, w5, w6, w7, w9, w25, 4
    kp_h w7, w4, w5, w6, w12, w26, 11
    ldp w25, w26, [x3, #152]
    kp_h w6, w7, w4, w5, w15, w25, 16
    kp_h w5, w6, w7, w4, w19, w26, 23
    ldp w25, w26, [x3, #160]
    kp_h w4, w5, w6, w7, w22, w25, 4
    kp_h w7, w4, w5, w6, w8, w26, 11
    ldp w25, w26, [x3, #168]
    kp_h w6, w7, w4, w5, w11, w25, 16
    kp_h w5, w6, w7, w4, w14, w26, 23
    ldp w25, w26, [x3, #176]
    kp_h w4, w5, w6, w7, w17, w25, 4
    kp_h w7, w4, w5, w6, w21, w26, 11
    ldp w25, w26, [x3, #184]
    kp_h w6, w7, w4, w5, w24, w25, 16
    kp_h w5, w6, w7, w4, w10, w26, 23
    // I = c ^ (b | ~d)
    ldp w25, w26, [x3, #192]
    kp_i w4, w5, w6, w7, w8, w25, 6
    kp_i w7, w4, w5, w6, w15, w26, 10
    ldp w25, w26, [x3, #200]
    kp_i w6, w7, w4, w5, w23, w25, 15
    kp_i w5, w6, w7, w4, w13, w26, 21
    ldp w25, w26, [x3, #208]
    kp_i w4, w5, w6, w7, w21, w25, 6
    kp_i w7, w4, w5, w6, w11, w26, 10
    ldp w25, w26, [x3, #216]
    kp_i w6, w7, w4, w5, w19, w25, 15
    kp_i w5, w6, w7, w4, w9, w26, 21
    ldp w25, w26, [x3, #224]
    kp_i w4, w5, w6, w7, w16, w25, 6
    kp_i w7, w4, w5, w6, w24, w26, 10
    ldp w25, w26, [x3, #232]
    kp_i w6, w7, w4, w5, w14, w25, 15
    kp_i w5, w6, w7, w4, w22, w26, 21
    ldp w25, w26, [x3, #240]
    kp_i w4, w5, w6, w7, w12, w25, 6
    kp_i w7, w4, w5, w6, w20, w26, 10
    ldp w25, w26, [x3, #248]
    kp_i w6, w7, w4, w5, w10, w25, 15
    kp_i w5, w6, w7, w4, w17, w26, 21
    ldp w25, w26, [x0]
    ldp w27, w28, [x0, #8]
    add w4, w4, w25
    add w5, w5, w26
    add w6, w6, w27
    add w7, w7, w28
    stp w4, w5, [x0]
    stp w6, w7, [x0, #8]
    subs x2, x2, #1
    b.ne 1b
    kp_mark kp_md5_aarch64_compress_loop_end
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x19, x20, [sp], #80
    .cfi_adjust_cfa_offset -80
    .cfi_restore x19
    .cfi_restore x20
    .cfi_restore x21
    .cfi_restore x22
    .cfi_restore x23
    .cfi_restore x24
    .cfi_restore x25
    .cfi_restore x26
    .cfi_restore x27
    .cfi_restore x28
2:
    ret
kp_end kp_md5_aarch64_compress

// floor(2^32 |sin i|) for i = 1 to 64.
kp_constants kp_md5_aarch64_constants
    .word 0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee
    .word 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501
    .word 0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be
    .word 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821
    .word 0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa
    .word 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8
    .word 0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed
    .word 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a
    .word 0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c
    .word 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70
    .word 0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05
    .word 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665
    .word 0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039
    .word 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1
    .word 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1
    .word 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391
