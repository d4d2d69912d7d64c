/* AES-GCM (NIST SP 800-38D) with AES by KM and KMCTR, and GHASH in plain C.
 *
 * For guests whose hypervisor offers KMCTR and hides KIMD-GHASH; processors have both. It has run with a model of the
 * two instructions (tests/cpacf), not on a processor: QEMU 10 and 11 have neither function. */
#include "native/aes_gcm/s390x/cpacf.h"
#include "native/ghash/portable.h"

kp_aes_gcm_kernel_prepare kp_aes_gcm_cpacf_ctr_prepare;
kp_aes_gcm_kernel_encipher kp_aes_gcm_cpacf_ctr_encipher;
kp_aes_gcm_kernel_hash kp_aes_gcm_cpacf_ctr_hash;
kp_aes_gcm_kernel_encrypt kp_aes_gcm_cpacf_ctr_encrypt;
kp_aes_gcm_kernel_decrypt kp_aes_gcm_cpacf_ctr_decrypt;

void kp_aes_gcm_cpacf_ctr_prepare(void *prepared, const uint8_t *bytes, size_t length) {
    struct kp_cpacf_key *key = prepared;
    kp_cpacf_prepare(key, bytes, length);
    kp_ghash_portable_prepare(key->ghash, key->h);
}

void kp_aes_gcm_cpacf_ctr_encipher(const void *prepared, const uint8_t in[16], uint8_t out[16]) {
    kp_cpacf_encipher(prepared, in, out);
}

void kp_aes_gcm_cpacf_ctr_hash(const void *prepared, uint8_t y[16], const uint8_t *data, size_t length) {
    const struct kp_cpacf_key *key = prepared;
    kp_ghash_portable_update(key->ghash, y, data, length);
}

void kp_aes_gcm_cpacf_ctr_encrypt(const void *prepared, uint8_t counter[16], uint8_t y[16], const uint8_t *in,
                                  uint8_t *out, size_t length) {
    kp_cpacf_text(prepared, kp_aes_gcm_cpacf_ctr_hash, 0, counter, y, in, out, length);
}

void kp_aes_gcm_cpacf_ctr_decrypt(const void *prepared, uint8_t counter[16], uint8_t y[16], const uint8_t *in,
                                  uint8_t *out, size_t length) {
    kp_cpacf_text(prepared, kp_aes_gcm_cpacf_ctr_hash, 1, counter, y, in, out, length);
}
