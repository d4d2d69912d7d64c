/* AES-GCM (NIST SP 800-38D) with the AES and PMULL instructions of Armv8-A.
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
 * Method, layout of `prepared` and registers: asm/aarch64_aes_gcm.h and asm/aarch64_ghash.h. Against one multiplication
 * scheme of eight and a computed first round, caching that round saves two AES instructions, a counter's addition and
 * its byte swap a block, and Karatsuba's middle products two of eight multiplications for two blocks, which counts where
 * AES and PMULL share one pipe (Neoverse N1, Cortex-A72). */
#define KP_EOR3 0
#include "../../asm/aarch64_aes_gcm.h"

#if !defined(__APPLE__)
    .arch armv8-a+crypto
#endif

kp_aes_gcm armv8_crypto
