/* The AES key schedule (FIPS 197, section 5.2). */
#ifndef KP_AES_EXPAND_H
#define KP_AES_EXPAND_H

#include <stddef.h>
#include <stdint.h>

#define KP_AES_ROUND_KEYS_BYTES 240

/* Writes the round keys in the byte order of FIPS 197, 16 bytes each, and returns the number of rounds:
 * 10, 12 or 14 for a key of 16, 24 or 32 bytes, which means 11, 13 or 15 round keys. The rest of
 * `round_keys` is left alone. Constant time in the key. */
unsigned kp_aes_expand_key(uint8_t round_keys[KP_AES_ROUND_KEYS_BYTES], const uint8_t *key, size_t key_length);

#endif
