/* AES-GCM (NIST SP 800-38D) of a whole message by one KMA: from the z14 on. The other entries are those of
 * cpacf-kimd.
 *
 * It has run with a model of the instruction (tests/cpacf), not on a processor: QEMU has no such function. */
#include "native/aes_gcm/s390x/cpacf.h"

kp_aes_gcm_kernel_seal_message kp_aes_gcm_cpacf_kma_seal_message;
kp_aes_gcm_kernel_open_message kp_aes_gcm_cpacf_kma_open_message;

/* The parameter block of KMA-GCM-AES. */
struct parameters {
    uint8_t reserved[12];
    uint8_t counter[4]; /* of the block before the text's first */
    uint8_t tag[16];
    uint8_t h[16];
    uint8_t aad_bits[8];
    uint8_t text_bits[8];
    uint8_t j0[16];
    uint8_t key[32];
};

_Static_assert(offsetof(struct parameters, key) == 80, "no holes");

static void message(const struct kp_cpacf_key *key, unsigned direction, const uint8_t j0[16], const uint8_t *aad,
                    size_t aad_length, const uint8_t *in, uint8_t *out, size_t length, uint8_t tag[16]) {
    struct parameters parameters = {{0}, {0}, {0}, {0}, {0}, {0}, {0}, {0}};
    uint64_t aad_left = aad_length, left = length;
    memcpy(parameters.counter, j0 + 12, 4);
    memcpy(parameters.h, key->h, 16);
    kp_store_be64(parameters.aad_bits, 8 * (uint64_t)aad_length);
    kp_store_be64(parameters.text_bits, 8 * (uint64_t)length);
    memcpy(parameters.j0, j0, 16);
    memcpy(parameters.key, key->key, 32);
    while (kp_cpacf_kma(key->function | direction | KP_CPACF_SUBKEY | KP_CPACF_LAST_AAD | KP_CPACF_LAST_TEXT,
                        &parameters, &out, &in, &left, &aad, &aad_left) == KP_CPACF_PARTIAL)
        ;
    memcpy(tag, parameters.tag, 16);
    kp_wipe(&parameters, sizeof parameters);
}

void kp_aes_gcm_cpacf_kma_seal_message(const void *prepared, const uint8_t j0[16], const uint8_t *aad,
                                       size_t aad_length, const uint8_t *in, uint8_t *out, size_t length,
                                       uint8_t tag[16]) {
    message(prepared, 0, j0, aad, aad_length, in, out, length, tag);
}

void kp_aes_gcm_cpacf_kma_open_message(const void *prepared, const uint8_t j0[16], const uint8_t *aad,
                                       size_t aad_length, const uint8_t *in, uint8_t *out, size_t length,
                                       uint8_t tag[16]) {
    message(prepared, KP_CPACF_DECIPHER, j0, aad, aad_length, in, out, length, tag);
}
