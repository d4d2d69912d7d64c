/* Multiplication in GHASH's field, for kernels that prepare powers of the hash subkey. */
#ifndef KP_GHASH_MULTIPLY_H
#define KP_GHASH_MULTIPLY_H

#include <stdint.h>

/* z = x * y in GF(2^128) as SP 800-38D numbers its bits (section 6.3). Constant time. Any of them may be the same. */
void kp_ghash_multiply(uint8_t z[16], const uint8_t x[16], const uint8_t y[16]);

#endif
