/* Words that hold one bit of many bytes: the state of 2, 4 or 8 AES blocks in eight words.
 *
 * Word b holds bit b of every byte. Within a word the byte in row r, column c of block k has the place
 * (4 r + c) BLOCKS + k. So a row is a quarter of the word, the next row is a rotation of the word, and
 * the next column is a rotation of its quarters.
 *
 * KP_SLICE_BITS is the size of a word: 32, 64 or 128. The tests build every size by defining it. */
#ifndef KP_AES_SLICE_H
#define KP_AES_SLICE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "native/bytes.h"

#ifndef KP_SLICE_BITS
#if defined(__has_builtin) && (defined(__SSE2__) || (defined(__ARM_NEON) && defined(__AARCH64EL__)))
#if __has_builtin(__builtin_shufflevector)
#define KP_SLICE_BITS 128
#endif
#endif
#endif
#ifndef KP_SLICE_BITS
#if UINTPTR_MAX > 0xffffffff
#define KP_SLICE_BITS 64
#else
#define KP_SLICE_BITS 32
#endif
#endif

#define KP_SLICE_BLOCKS (KP_SLICE_BITS / 16)
#define KP_SLICE_BYTES (16 * KP_SLICE_BLOCKS)
#define KP_INLINE static inline __attribute__((always_inline))

#if KP_SLICE_BITS == 128

typedef uint32_t kp_slice __attribute__((vector_size(16)));
typedef uint8_t kp_slice_bytes __attribute__((vector_size(16)));

KP_INLINE kp_slice kp_slice_repeat(uint8_t byte) {
    const uint32_t word = 0x01010101u * byte;
    return (kp_slice){word, word, word, word};
}

/* The place (r, c) gets what is at (r + rows, c + columns); rows is 1 or 2, columns 0 to 3. */
KP_INLINE kp_slice kp_slice_move(kp_slice x, int rows, int columns) {
    x = rows == 1 ? __builtin_shufflevector(x, x, 1, 2, 3, 0) : __builtin_shufflevector(x, x, 2, 3, 0, 1);
    return columns == 0 ? x : x >> 8 * columns | x << (32 - 8 * columns);
}

/* Rows 1 and 3 move by two columns: ShiftRows done twice. */
KP_INLINE kp_slice kp_slice_shift_rows_twice(kp_slice x) {
    const kp_slice moving = {0, 0xffffffff, 0, 0xffffffff};
    return (x & ~moving) | ((x >> 16 | x << 16) & moving);
}

/* Exchanges rows and columns: places are counted in four bits, and each interleaving of the two halves
 * rotates these by one. */
KP_INLINE kp_slice kp_slice_transpose(kp_slice x) {
    for (int i = 0; i < 2; i++) {
        const kp_slice_bytes low = (kp_slice_bytes)x, high = (kp_slice_bytes)kp_slice_move(x, 2, 0);
        x = (kp_slice)__builtin_shufflevector(low, high, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    }
    return x;
}

/* Block k is word k. */
KP_INLINE void kp_slice_load(kp_slice q[8], const uint8_t *blocks) {
    for (int i = 0; i < 8; i++) {
        memcpy(&q[i], blocks + 16 * i, 16);
        q[i] = kp_slice_transpose(q[i]);
    }
}

KP_INLINE void kp_slice_store(uint8_t *blocks, const kp_slice q[8]) {
    for (int i = 0; i < 8; i++) {
        const kp_slice block = kp_slice_transpose(q[i]);
        memcpy(blocks + 16 * i, &block, 16);
    }
}

#else

#if KP_SLICE_BITS == 64
typedef uint64_t kp_slice;
#else
typedef uint32_t kp_slice;
#endif

#define KP_SLICE_ROW (KP_SLICE_BITS / 4)
#define KP_SLICE_COLUMN (KP_SLICE_BITS / 16)

KP_INLINE kp_slice kp_slice_repeat(uint8_t byte) {
    return (kp_slice)-1 / 255 * byte;
}

/* The lowest `bits` bits of each row. */
KP_INLINE kp_slice kp_slice_low_bits(int bits) {
    const kp_slice lowest = (kp_slice)-1 / (((kp_slice)1 << KP_SLICE_ROW) - 1);
    return lowest * (((kp_slice)1 << bits) - 1);
}

/* The place (r, c) gets what is at (r + rows, c + columns); rows is 1 or 2, columns 0 to 3. */
KP_INLINE kp_slice kp_slice_move(kp_slice x, int rows, int columns) {
    x = x >> rows * KP_SLICE_ROW | x << (KP_SLICE_BITS - rows * KP_SLICE_ROW);
    if (columns == 0)
        return x;
    const int right = columns * KP_SLICE_COLUMN, left = KP_SLICE_ROW - right;
    return (x >> right & kp_slice_low_bits(left)) | (x & kp_slice_low_bits(right)) << left;
}

/* Rows 1 and 3 move by two columns: ShiftRows done twice. */
KP_INLINE kp_slice kp_slice_shift_rows_twice(kp_slice x) {
    const int half = KP_SLICE_ROW / 2;
    const kp_slice odd_rows = ((kp_slice)-1 / (((kp_slice)1 << 2 * KP_SLICE_ROW) - 1)) << KP_SLICE_ROW;
    const kp_slice low_halves = odd_rows * (((kp_slice)1 << half) - 1);
    const kp_slice swapped = (x >> half ^ x) & low_halves;
    return x ^ swapped ^ swapped << half;
}

#if KP_SLICE_BITS == 64

/* Puts a zero byte after each byte, and takes it away again. */
KP_INLINE uint64_t kp_slice_spread(uint32_t column) {
    uint64_t x = column;
    x = (x | x << 16) & 0x0000ffff0000ffff;
    return (x | x << 8) & 0x00ff00ff00ff00ff;
}

KP_INLINE uint32_t kp_slice_gather(uint64_t x) {
    x &= 0x00ff00ff00ff00ff;
    x = (x | x >> 8) & 0x0000ffff0000ffff;
    return (uint32_t)(x | x >> 16);
}

/* Words k and k + 4 are block k: its columns 0 and 2 byte by byte, and its columns 1 and 3. */
KP_INLINE void kp_slice_load(kp_slice q[8], const uint8_t *blocks) {
    for (int k = 0; k < 4; k++) {
        const uint8_t *block = blocks + 16 * k;
        q[k] = kp_slice_spread(kp_load_le32(block)) | kp_slice_spread(kp_load_le32(block + 8)) << 8;
        q[k + 4] = kp_slice_spread(kp_load_le32(block + 4)) | kp_slice_spread(kp_load_le32(block + 12)) << 8;
    }
}

KP_INLINE void kp_slice_store(uint8_t *blocks, const kp_slice q[8]) {
    for (int k = 0; k < 4; k++) {
        uint8_t *block = blocks + 16 * k;
        kp_store_le32(block, kp_slice_gather(q[k]));
        kp_store_le32(block + 4, kp_slice_gather(q[k + 4]));
        kp_store_le32(block + 8, kp_slice_gather(q[k] >> 8));
        kp_store_le32(block + 12, kp_slice_gather(q[k + 4] >> 8));
    }
}

#else

/* Word 2 c + k is column c of block k. */
KP_INLINE void kp_slice_load(kp_slice q[8], const uint8_t *blocks) {
    for (int i = 0; i < 8; i++)
        q[i] = kp_load_le32(blocks + 16 * (i % 2) + 4 * (i / 2));
}

KP_INLINE void kp_slice_store(uint8_t *blocks, const kp_slice q[8]) {
    for (int i = 0; i < 8; i++)
        kp_store_le32(blocks + 16 * (i % 2) + 4 * (i / 2), q[i]);
}

#endif
#endif

/* Exchanges the bits of `high` in the places of the mask moved up by `shift` with those of `low` in the mask. */
#define KP_SLICE_SWAP(high, low, shift, mask)                                                                          \
    do {                                                                                                               \
        const kp_slice swapped = ((high) >> (shift) ^ (low)) & (mask);                                                 \
        (low) ^= swapped;                                                                                              \
        (high) ^= swapped << (shift);                                                                                  \
    } while (0)

/* Turns loaded blocks into slices and slices into blocks to be stored: the three bits that number a word change
 * places with the three that number a bit within its byte. */
KP_INLINE void kp_slice_turn(kp_slice q[8]) {
    const kp_slice m1 = kp_slice_repeat(0x55), m2 = kp_slice_repeat(0x33), m4 = kp_slice_repeat(0x0f);
    KP_SLICE_SWAP(q[0], q[1], 1, m1);
    KP_SLICE_SWAP(q[2], q[3], 1, m1);
    KP_SLICE_SWAP(q[4], q[5], 1, m1);
    KP_SLICE_SWAP(q[6], q[7], 1, m1);
    KP_SLICE_SWAP(q[0], q[2], 2, m2);
    KP_SLICE_SWAP(q[1], q[3], 2, m2);
    KP_SLICE_SWAP(q[4], q[6], 2, m2);
    KP_SLICE_SWAP(q[5], q[7], 2, m2);
    KP_SLICE_SWAP(q[0], q[4], 4, m4);
    KP_SLICE_SWAP(q[1], q[5], 4, m4);
    KP_SLICE_SWAP(q[2], q[6], 4, m4);
    KP_SLICE_SWAP(q[3], q[7], 4, m4);
}

#endif
