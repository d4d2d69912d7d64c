/* Splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014). */
#include <string.h>

#include "checkasm.h"

static uint64_t state;

static uint64_t mix(uint64_t word) {
    word = (word ^ (word >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    word = (word ^ (word >> 27)) * UINT64_C(0x94d049bb133111eb);
    return word ^ (word >> 31);
}

void seed_random(uint64_t seed) {
    state = seed;
}

uint64_t random_word(void) {
    state += UINT64_C(0x9e3779b97f4a7c15);
    return mix(state);
}

size_t random_below(size_t bound) {
    return (size_t)(random_word() % bound);
}

void random_bytes(void *out, size_t length) {
    uint8_t *bytes = out;
    for (size_t i = 0; i < length; i += 8) {
        uint64_t word = random_word();
        memcpy(bytes + i, &word, length - i < 8 ? length - i : 8);
    }
}

void pattern(uint8_t *out, uint64_t label, size_t length) {
    uint64_t counter = label << 32;
    uint64_t word = 0;
    for (size_t i = 0; i < length; i++) {
        if (i % 8 == 0) {
            counter += UINT64_C(0x9e3779b97f4a7c15);
            word = mix(counter);
        }
        out[i] = (uint8_t)(word >> (8 * (i % 8)));
    }
}
