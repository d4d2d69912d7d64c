/* Carryless multiplication of 128-bit words by integer multiplication, constant time wherever the multiplier is.
 *
 * An integer product is a carryless one where no two of its terms meet. So every word is split into four, of which
 * each keeps every fourth bit: in the product of two such words up to 16 terms meet in a place, and as the three
 * places above are empty, their sum's lowest bit, which is the carryless sum, is intact (16 terms meet only in the
 * highest place of those looked at, whose carry leaves the word). The holes are masked out at the end, once for the sum
 * of many products. (The idea: Thomas Pornin, "Constant-time mul", and others before.)
 *
 * A 64-bit machine takes the lower half of the product of 64-bit words, and finds the upper half as the lower half of
 * the product of the words with their bits in reverse order. A 32-bit machine takes 32-bit words and whole products.
 * Larger words are put together from these by Karatsuba's method.
 *
 * GHASH numbers bits from the left: loaded big-endian, the coefficient of x^0 is the highest bit, and a product comes
 * out one bit too low. */
#ifndef KP_CARRYLESS_H
#define KP_CARRYLESS_H

#include <stdint.h>

#include "native/bytes.h"

/* The size of the words that are multiplied. The tests build both by defining it. */
#ifndef KP_CARRYLESS_BITS
#if UINTPTR_MAX > 0xffffffff
#define KP_CARRYLESS_BITS 64
#else
#define KP_CARRYLESS_BITS 32
#endif
#endif

#if KP_CARRYLESS_BITS == 64
#define KP_CARRYLESS_WORDS 6
typedef uint64_t kp_carryless_word;
#else
#define KP_CARRYLESS_WORDS 9
typedef uint32_t kp_carryless_word;
#endif

/* A factor in two halves, highest first. */
struct kp_element {
    uint64_t high, low;
};

/* A factor as the words that Karatsuba's method multiplies, each split into four. */
struct kp_factor {
    kp_carryless_word parts[KP_CARRYLESS_WORDS][4];
};

/* A sum of products, the holes not yet masked out. */
struct kp_product {
    uint64_t sums[KP_CARRYLESS_WORDS][4];
};

static inline struct kp_element kp_element_load(const uint8_t bytes[16]) {
    return (struct kp_element){kp_load_be64(bytes), kp_load_be64(bytes + 8)};
}

static inline void kp_element_store(uint8_t bytes[16], struct kp_element x) {
    kp_store_be64(bytes, x.high);
    kp_store_be64(bytes + 8, x.low);
}

#if KP_CARRYLESS_BITS == 64

static inline uint64_t kp_reverse_bits(uint64_t x) {
    x = (x & 0x5555555555555555) << 1 | (x >> 1 & 0x5555555555555555);
    x = (x & 0x3333333333333333) << 2 | (x >> 2 & 0x3333333333333333);
    x = (x & 0x0f0f0f0f0f0f0f0f) << 4 | (x >> 4 & 0x0f0f0f0f0f0f0f0f);
    return __builtin_bswap64(x);
}

static inline void kp_carryless_words(kp_carryless_word words[KP_CARRYLESS_WORDS], struct kp_element x) {
    words[0] = x.low;
    words[1] = x.high;
    words[2] = x.low ^ x.high;
    words[3] = kp_reverse_bits(x.low);
    words[4] = kp_reverse_bits(x.high);
    words[5] = words[3] ^ words[4];
}

/* The three products of 64-bit words, each in two halves, lower half first: of the low words, the high, the sums. */
static inline void kp_carryless_halves(uint64_t halves[3][2], const uint64_t products[KP_CARRYLESS_WORDS]) {
    for (int i = 0; i < 3; i++) {
        halves[i][0] = products[i];
        halves[i][1] = kp_reverse_bits(products[i + 3]) >> 1;
    }
}

#else

static inline void kp_carryless_words(kp_carryless_word words[KP_CARRYLESS_WORDS], struct kp_element x) {
    const uint64_t halves[3] = {x.low, x.high, x.low ^ x.high};
    for (int i = 0; i < 3; i++) {
        words[3 * i] = (uint32_t)halves[i];
        words[3 * i + 1] = (uint32_t)(halves[i] >> 32);
        words[3 * i + 2] = words[3 * i] ^ words[3 * i + 1];
    }
}

/* The three products of 64-bit words, each in two halves, lower half first: of the low words, the high, the sums. */
static inline void kp_carryless_halves(uint64_t halves[3][2], const uint64_t products[KP_CARRYLESS_WORDS]) {
    for (int i = 0; i < 3; i++) {
        const uint64_t low = products[3 * i], high = products[3 * i + 1], middle = products[3 * i + 2] ^ low ^ high;
        halves[i][0] = low ^ middle << 32;
        halves[i][1] = high ^ middle >> 32;
    }
}

#endif

static inline void kp_carryless_split(kp_carryless_word parts[4], kp_carryless_word word) {
    const kp_carryless_word mask = (kp_carryless_word)0x1111111111111111;
    for (int i = 0; i < 4; i++)
        parts[i] = word & mask << i;
}

static inline void kp_factor_set(struct kp_factor *factor, struct kp_element x) {
    kp_carryless_word words[KP_CARRYLESS_WORDS];
    kp_carryless_words(words, x);
    for (int i = 0; i < KP_CARRYLESS_WORDS; i++)
        kp_carryless_split(factor->parts[i], words[i]);
}

/* The sum of x[i] * factors[-i], with the holes. */
static inline __attribute__((always_inline)) void kp_product_set(struct kp_product *product, const struct kp_element *x,
                                                                 const struct kp_factor *factors, size_t count) {
    kp_carryless_word words[4][KP_CARRYLESS_WORDS];
    for (size_t k = 0; k < count; k++)
        kp_carryless_words(words[k], x[k]);
    for (int i = 0; i < KP_CARRYLESS_WORDS; i++) {
        uint64_t sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;
#pragma GCC unroll 4
        for (size_t k = 0; k < count; k++) {
            kp_carryless_word a[4];
            kp_carryless_split(a, words[k][i]);
            const kp_carryless_word *b = factors[-(ptrdiff_t)k].parts[i];
            const uint64_t a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3];
            sum0 ^= a0 * b[0] ^ a1 * b[3] ^ a2 * b[2] ^ a3 * b[1];
            sum1 ^= a0 * b[1] ^ a1 * b[0] ^ a2 * b[3] ^ a3 * b[2];
            sum2 ^= a0 * b[2] ^ a1 * b[1] ^ a2 * b[0] ^ a3 * b[3];
            sum3 ^= a0 * b[3] ^ a1 * b[2] ^ a2 * b[1] ^ a3 * b[0];
        }
        product->sums[i][0] = sum0;
        product->sums[i][1] = sum1;
        product->sums[i][2] = sum2;
        product->sums[i][3] = sum3;
    }
}

/* The sum of products modulo x^128 + x^7 + x^2 + x + 1. */
static inline struct kp_element kp_product_reduce(const struct kp_product *product) {
    const uint64_t mask = 0x1111111111111111;
    uint64_t products[KP_CARRYLESS_WORDS], halves[3][2];
    for (int i = 0; i < KP_CARRYLESS_WORDS; i++) {
        const uint64_t *sums = product->sums[i];
        products[i] = (sums[0] & mask) | (sums[1] & mask << 1) | (sums[2] & mask << 2) | (sums[3] & mask << 3);
    }
    kp_carryless_halves(halves, products);
    uint64_t v0 = halves[0][0], v3 = halves[1][1];
    uint64_t v1 = halves[0][1] ^ halves[0][0] ^ halves[1][0] ^ halves[2][0];
    uint64_t v2 = halves[1][0] ^ halves[0][1] ^ halves[1][1] ^ halves[2][1];
    v3 = v3 << 1 | v2 >> 63;
    v2 = v2 << 1 | v1 >> 63;
    v1 = v1 << 1 | v0 >> 63;
    v0 <<= 1;
    v2 ^= v0 ^ v0 >> 1 ^ v0 >> 2 ^ v0 >> 7;
    v1 ^= v0 << 63 ^ v0 << 62 ^ v0 << 57;
    v3 ^= v1 ^ v1 >> 1 ^ v1 >> 2 ^ v1 >> 7;
    v2 ^= v1 << 63 ^ v1 << 62 ^ v1 << 57;
    return (struct kp_element){v3, v2};
}

#endif
