/* AES-GCM (NIST SP 800-38D) with VAES, vpclmulqdq and AVX-512, in 512-bit registers.
 *
 * The entries of native/aes_gcm/aes_gcm.h but encipher, which is that of aesni-pclmul:
 *   void prepare(void *prepared, const uint8_t *key, size_t key_length);
 *   void hash(const void *prepared, uint8_t y[16], const uint8_t *data, size_t length);
 *   void encrypt, decrypt(const void *prepared, uint8_t counter[16], uint8_t y[16], const uint8_t *in, uint8_t *out,
 *                         size_t length);
 *   void seal_message, open_message(const void *prepared, const uint8_t j0[16], const uint8_t *aad, size_t aad_length,
 *                         const uint8_t *in, uint8_t *out, size_t length, uint8_t tag[16]);
 *
 * For processors whose multiplier is the bottleneck (AMD's, two cycles a multiply): three multiplies a register. By
 * llvm-mca's model of Zen 4 the loop takes 12.9 cycles for 64 bytes with a key of 128 bits and 14.9 with one of 256,
 * where four multiplies take 14.6 and 16.4. The idea, its source and the registers are in
 * native/asm/x86_64_vaes_avx512.h.
 */
#define KERNEL kp_aes_gcm_vaes_avx512_karatsuba
#define KP_VPCLMUL_KARATSUBA
#include "../../asm/x86_64_vaes_avx512.h"
