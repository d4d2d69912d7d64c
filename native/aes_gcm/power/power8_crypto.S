/* AES-GCM (NIST SP 800-38D) with the vector cryptography of Power ISA 2.07 (POWER8).
 *
 * The entries of native/aes_gcm/aes_gcm.h:
 *   void prepare(void *prepared, const uint8_t *key, size_t key_length);
 *   void encipher(const void *prepared, const uint8_t in[16], uint8_t out[16]);
 *   void hash(const void *prepared, uint8_t y[16], const uint8_t *data, size_t length);
 *   void encrypt, decrypt(const void *prepared, uint8_t counter[16], uint8_t y[16], const uint8_t *in,
 *                         uint8_t *out, size_t length);
 *   void seal_message, open_message(const void *prepared, const uint8_t j0[16], const uint8_t *aad,
 *                         size_t aad_length, const uint8_t *in, uint8_t *out, size_t length, uint8_t tag[16]);
 *
 * ISA 2.07 has no load of bytes in the order of memory on little-endian: there vpermxor and vperm
 * set it right, and the wide loop takes 1.30 instead of 1.22 instructions a byte.
 * Idea, registers and sources: stitched.h and asm/power_ghash.h; what it costs: docs/power.md.
 */
#define KP_ISA 207
#define KERNEL(entry) kp_aes_gcm_power8_crypto_##entry
#include "stitched.h"
