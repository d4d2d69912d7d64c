/* AES-GCM (NIST SP 800-38D) with AES by KM and KMCTR, and GHASH by KIMD: from the z196 on.
 *
 * It has run with a model of these instructions (tests/cpacf), not on a processor: QEMU has none of the functions. */
#include "native/aes_gcm/s390x/cpacf.h"
#include "native/ghash/s390x/kimd.h"

kp_aes_gcm_kernel_prepare kp_aes_gcm_cpacf_kimd_prepare;
kp_aes_gcm_kernel_encipher kp_aes_gcm_cpacf_kimd_encipher;
kp_aes_gcm_kernel_hash kp_aes_gcm_cpacf_kimd_hash;
kp_aes_gcm_kernel_encrypt kp_aes_gcm_cpacf_kimd_encrypt;
kp_aes_gcm_kernel_decrypt kp_aes_gcm_cpacf_kimd_decrypt;

void kp_aes_gcm_cpacf_kimd_prepare(void *prepared, const uint8_t *bytes, size_t length) {
    kp_cpacf_prepare(prepared, bytes, length);
}

void kp_aes_gcm_cpacf_kimd_encipher(const void *prepared, const uint8_t in[16], uint8_t out[16]) {
    kp_cpacf_encipher(prepared, in, out);
}

void kp_aes_gcm_cpacf_kimd_hash(const void *prepared, uint8_t y[16], const uint8_t *data, size_t length) {
    const struct kp_cpacf_key *key = prepared;
    kp_cpacf_ghash(key->h, y, data, length);
}

void kp_aes_gcm_cpacf_kimd_encrypt(const void *prepared, uint8_t counter[16], uint8_t y[16], const uint8_t *in,
                                   uint8_t *out, size_t length) {
    kp_cpacf_text(prepared, kp_aes_gcm_cpacf_kimd_hash, 0, counter, y, in, out, length);
}

void kp_aes_gcm_cpacf_kimd_decrypt(const void *prepared, uint8_t counter[16], uint8_t y[16], const uint8_t *in,
                                   uint8_t *out, size_t length) {
    kp_cpacf_text(prepared, kp_aes_gcm_cpacf_kimd_hash, 1, counter, y, in, out, length);
}
