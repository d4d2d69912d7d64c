/* The input of the self-tests, so simple that a test in another language can say it again. */
#ifndef KP_PATTERN_H
#define KP_PATTERN_H

#include <stddef.h>
#include <stdint.h>

/* Byte i is 131 i + 29 floor(i / 256) + 7 modulo 256. */
static inline void kp_fill_pattern(uint8_t *bytes, size_t length) {
    for (size_t i = 0; i < length; i++)
        bytes[i] = (uint8_t)(131 * i + 29 * (i >> 8) + 7);
}

#endif
