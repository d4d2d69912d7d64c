/* The operations of the public API, each repeated under one clock. */
#include "native/bench/timing.h"

#include "native/bench/clock.h"

static const uint8_t iv[12];

uint64_t kp_time_seal(const kp_aes_gcm_key *key, const uint8_t *in, size_t length, uint8_t *out, size_t repeats) {
    const uint64_t start = kp_nanoseconds();
    for (size_t i = 0; i < repeats; i++)
        kp_aes_gcm_seal(key, iv, sizeof iv, NULL, 0, in, length, out, out + length, 16);
    return kp_nanoseconds() - start;
}

uint64_t kp_time_open(const kp_aes_gcm_key *key, uint8_t *in, size_t length, uint8_t *out, size_t repeats) {
    kp_aes_gcm_seal(key, iv, sizeof iv, NULL, 0, in, length, in, in + length, 16);
    const uint64_t start = kp_nanoseconds();
    for (size_t i = 0; i < repeats; i++)
        kp_aes_gcm_open(key, iv, sizeof iv, NULL, 0, in, length, out, in + length, 16);
    return kp_nanoseconds() - start;
}

uint64_t kp_time_gmac(const kp_aes_gcm_key *key, const uint8_t *aad, size_t length, size_t repeats) {
    uint8_t tag[16];
    const uint64_t start = kp_nanoseconds();
    for (size_t i = 0; i < repeats; i++)
        kp_aes_gcm_seal(key, iv, sizeof iv, aad, length, NULL, 0, NULL, tag, sizeof tag);
    return kp_nanoseconds() - start;
}

uint64_t kp_time_ghash(const kp_ghash_key *key, const uint8_t *data, size_t length, size_t repeats) {
    uint8_t y[16] = {0};
    const uint64_t start = kp_nanoseconds();
    for (size_t i = 0; i < repeats; i++)
        kp_ghash_update(key, y, data, length);
    return kp_nanoseconds() - start;
}

uint64_t kp_time_md5(const char *kernel, const uint8_t *data, size_t length, size_t repeats) {
    uint8_t digest[16];
    const uint64_t start = kp_nanoseconds();
    for (size_t i = 0; i < repeats; i++) {
        kp_md5_state *state;
        if (kp_md5_new(&state, kernel) != KP_OK)
            return 0;
        kp_md5_update(state, data, length);
        kp_md5_digest(state, digest);
        kp_md5_free(state);
    }
    return kp_nanoseconds() - start;
}

uint64_t kp_time_md5_many(const char *kernel, const uint8_t *const *data, const size_t *lengths, size_t count,
                          uint8_t *digests, size_t repeats) {
    const uint64_t start = kp_nanoseconds();
    for (size_t i = 0; i < repeats; i++)
        kp_md5_many(data, lengths, count, digests, kernel);
    return kp_nanoseconds() - start;
}
