/* AES-GCM (SP 800-38D) on RISC-V with Zkne and scalar carry-less multiplication, without misaligned access.
 *
 *     void kp_aes_gcm_zkne_zbc_aligned_prepare(void *prepared, const uint8_t *key, size_t key_length);
 *     void kp_aes_gcm_zkne_zbc_aligned_encipher(const void *prepared, const uint8_t in[16], uint8_t out[16]);
 *     void kp_aes_gcm_zkne_zbc_aligned_hash(const void *prepared, uint8_t y[16], const uint8_t *data, size_t length);
 *     void kp_aes_gcm_zkne_zbc_aligned_encrypt(const void *prepared, uint8_t counter[16], uint8_t y[16],
 *                                 const uint8_t *in, uint8_t *out, size_t length);
 *     void kp_aes_gcm_zkne_zbc_aligned_decrypt: the same arguments.
 *
 * Needs Zkne, clmul and clmulh (Zbc or Zbkc) and rev8 (Zbb or Zbkb).
 *
 * Registers, layout, idea and source: asm/riscv64_zkne.h, of which this is the variant whose loads and stores are
 * aligned.
 * A byte of AES-128 takes 4.9 instructions where in and out lie on multiples of 8, else 7.7.
 */
#include "../../asm/riscv64_zkne.h"

    .option arch, +zbb, +zbc, +zkne

    kp_zkne_prepare_function kp_aes_gcm_zkne_zbc_aligned_prepare
    kp_zkne_encipher_function kp_aes_gcm_zkne_zbc_aligned_encipher
    kp_clmul_hash_function kp_aes_gcm_zkne_zbc_aligned_hash, TABLE, 0
    kp_zkne_crypt_function kp_aes_gcm_zkne_zbc_aligned_encrypt, encrypt, 0
    kp_zkne_crypt_function kp_aes_gcm_zkne_zbc_aligned_decrypt, decrypt, 0
