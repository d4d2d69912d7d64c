/* Bytes in memory: words in either byte order at any alignment, comparison, overlap. */
#ifndef KP_BYTES_H
#define KP_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t kp_load_be32(const uint8_t *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline uint32_t kp_load_le32(const uint8_t *p) {
    return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

/* Spelled out in full: compilers see one load in this, but not in two halves put together. */
static inline uint64_t kp_load_be64(const uint8_t *p) {
    return (uint64_t)p[0] << 56 | (uint64_t)p[1] << 48 | (uint64_t)p[2] << 40 | (uint64_t)p[3] << 32 |
           (uint64_t)p[4] << 24 | (uint64_t)p[5] << 16 | (uint64_t)p[6] << 8 | p[7];
}

static inline void kp_store_be32(uint8_t *p, uint32_t value) {
    p[0] = (uint8_t)(value >> 24);
    p[1] = (uint8_t)(value >> 16);
    p[2] = (uint8_t)(value >> 8);
    p[3] = (uint8_t)value;
}

static inline void kp_store_le32(uint8_t *p, uint32_t value) {
    p[0] = (uint8_t)value;
    p[1] = (uint8_t)(value >> 8);
    p[2] = (uint8_t)(value >> 16);
    p[3] = (uint8_t)(value >> 24);
}

static inline void kp_store_be64(uint8_t *p, uint64_t value) {
    kp_store_be32(p, (uint32_t)(value >> 32));
    kp_store_be32(p + 4, (uint32_t)value);
}

static inline void kp_store_le64(uint8_t *p, uint64_t value) {
    kp_store_le32(p, (uint32_t)value);
    kp_store_le32(p + 4, (uint32_t)(value >> 32));
}

/* out = a xor b, 16 bytes; any of them may be the same. */
static inline void kp_xor_block(uint8_t out[16], const uint8_t a[16], const uint8_t b[16]) {
    uint64_t x[2], y[2];
    memcpy(x, a, 16);
    memcpy(y, b, 16);
    x[0] ^= y[0];
    x[1] ^= y[1];
    memcpy(out, x, 16);
}

/* Whether two byte strings are the same, in a time that depends on the length alone. */
static inline bool kp_equal(const uint8_t *a, const uint8_t *b, size_t length) {
    uint32_t difference = 0;
    for (size_t i = 0; i < length; i++)
        difference |= (uint32_t)(a[i] ^ b[i]);
    return ((difference - 1) >> 31) != 0;
}

/* Whether two ranges share a byte. */
static inline bool kp_ranges_meet(const void *a, size_t a_length, const void *b, size_t b_length) {
    uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
    return a_length != 0 && b_length != 0 && (x < y ? y - x < a_length : x - y < b_length);
}

/* Whether an output overlaps an input of the same length in another way than being the same. */
static inline bool kp_overlaps(const void *in, const void *out, size_t length) {
    return in != out && kp_ranges_meet(in, length, out, length);
}

#endif
