/* AES-GCM (NIST SP 800-38D) with VAES, vpclmulqdq, GFNI and AVX-512, in 512-bit registers.
 *
 * The entries of native/aes_gcm/aes_gcm.h but encipher, which is that of aesni-pclmul:
 *   void prepare(void *prepared, const uint8_t *key, size_t key_length);
 *   void hash(const void *prepared, uint8_t y[16], const uint8_t *data, size_t length);
 *   void encrypt, decrypt(const void *prepared, uint8_t counter[16], uint8_t y[16], const uint8_t *in, uint8_t *out,
 *                         size_t length);
 *   void seal_message, open_message(const void *prepared, const uint8_t j0[16], const uint8_t *aad, size_t aad_length,
 *                         const uint8_t *in, uint8_t *out, size_t length, uint8_t tag[16]);
 *
 * For processors whose multiplier shares its port with shuffles (Intel's): four multiplies a register, for Karatsuba
 * would trade one of them for a shuffle. By llvm-mca's model of Sapphire Rapids the loop takes 9.6 cycles for 64 bytes
 * with a key of 128 bits and 13.0 with one of 256. The idea, its source and the registers are in
 * native/asm/x86_64_vaes_avx512.h.
 */
#define KERNEL kp_aes_gcm_vaes_avx512
#include "../../asm/x86_64_vaes_avx512.h"
