/* AES-GCM (NIST SP 800-38D) with AES, PMULL and the three-way exclusive or of FEAT_SHA3.
 *
 * The entries of native/aes_gcm/aes_gcm.h:
 *   void prepare(void *prepared, const uint8_t *key, size_t key_length);
 *   void encipher(const void *prepared, const uint8_t in[16], uint8_t out[16]);
 *   void hash(const void *prepared, uint8_t y[16], const uint8_t *data, size_t length);
 *   void encrypt, decrypt(const void *prepared, uint8_t counter[16], uint8_t y[16], const uint8_t *in, uint8_t *out,
 *                         size_t length);
 *   void seal_message, open_message(const void *prepared, const uint8_t j0[16], const uint8_t *aad, size_t aad_length,
 *                         const uint8_t *in, uint8_t *out, size_t length, uint8_t tag[16]);
 *
 * Method, layout of `prepared` and registers: asm/aarch64_aes_gcm.h and asm/aarch64_ghash.h. It is armv8_crypto.S with
 * EOR3, which does the last round key and the text in one instruction, and two products and their sum: 20 instructions
 * of 250 for eight blocks, and as much of the time where four vector pipes share all the work (Neoverse V1, V2). */
#define KP_EOR3 1
#include "../../asm/aarch64_aes_gcm.h"

#if !defined(__APPLE__)
    .arch armv8.2-a+crypto+sha3
#endif

kp_aes_gcm armv8_eor3
