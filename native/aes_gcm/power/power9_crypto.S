/* AES-GCM (NIST SP 800-38D) with the vector cryptography of Power ISA 3.0 (POWER9, 10, 11).
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
 * Beside power8-crypto it loads text in the order of memory on little-endian (lxvb16x) and its own
 * tables without an index register (lxv): one permute a block fewer there, the same on big-endian.
 * Idea, registers and sources: stitched.h and asm/power_ghash.h; what it costs: docs/power.md.
 */
#define KP_ISA 300
#define KERNEL(entry) kp_aes_gcm_power9_crypto_##entry
#include "stitched.h"
