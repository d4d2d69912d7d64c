/* What GHASH must answer for the first bytes of the pattern (native/pattern.h) and a block of lengths after them.
 *
 * With the first 16 bytes of the pattern as an AES key, the subkey is AES(0), and the answer is the GMAC tag that
 * pyca/cryptography gives for these bytes and an IV of 12 zeros, xor AES(J0). tests/unit/test_known_answers.py computes
 * both again. */
#ifndef KP_GHASH_KNOWN_ANSWERS_H
#define KP_GHASH_KNOWN_ANSWERS_H

#include <stdint.h>

/* 64 blocks and 4 before them, the widest loop of any kernel, 32 blocks of the next widest, and a tail of a block and a
 * byte. */
#define KP_GHASH_KNOWN_BYTES 1617

static const uint8_t kp_ghash_known_subkey[16] = {0xe7, 0xc3, 0x29, 0xcb, 0xd0, 0x04, 0x62, 0x03,
                                                  0x7e, 0xeb, 0xb6, 0x47, 0x1b, 0x45, 0xce, 0xd3};
static const uint8_t kp_ghash_known_answer[16] = {0x49, 0xae, 0x42, 0xea, 0xcb, 0xf9, 0xbf, 0x10,
                                                  0x6d, 0x00, 0xe6, 0xde, 0xa1, 0x35, 0xdf, 0x0f};

#endif
