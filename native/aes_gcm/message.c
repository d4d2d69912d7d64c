/* AES-GCM of a whole message in one call (SP 800-38D, sections 7.1 and 7.2). */
#include "native/aes_gcm/mode.h"

#include "native/bytes.h"
#include "native/timing.h"
#include "native/wipe.h"

static kp_status check(size_t iv_length, const uint8_t *aad, size_t aad_length, const uint8_t *in, size_t length,
                       const uint8_t *out, size_t tag_length) {
    if (!kp_aes_gcm_is_tag_length(tag_length))
        return KP_BAD_TAG_LENGTH;
    if (!kp_aes_gcm_is_iv_length(iv_length))
        return KP_BAD_IV_LENGTH;
    if (!kp_aes_gcm_fits(0, length, KP_AES_GCM_MOST_TEXT) || !kp_aes_gcm_fits(0, aad_length, KP_AES_GCM_MOST_AAD))
        return KP_TOO_LONG;
    if (kp_overlaps(in, out, length) || kp_ranges_meet(aad, aad_length, out, length))
        return KP_OVERLAP;
    return KP_OK;
}

/* Writes the text and the tag in full. */
static void run(const kp_aes_gcm_key *key, kp_direction direction, const uint8_t *iv, size_t iv_length,
                const uint8_t *aad, size_t aad_length, const uint8_t *in, size_t length, uint8_t *out,
                uint8_t tag[16]) {
    const struct kp_aes_gcm_kernel *kernel = key->kernel;
    uint8_t counter[16];
    kp_aes_gcm_derive_j0(key, counter, iv, iv_length);
    if (kernel->seal_message != NULL && kp_aes_gcm_is_counter_public(iv_length)) {
        (direction == KP_ENCRYPT ? kernel->seal_message : kernel->open_message)(key->prepared, counter, aad, aad_length,
                                                                                in, out, length, tag);
        return;
    }
    uint8_t mask[16];
    kernel->encipher(key->prepared, counter, mask);
    kp_aes_gcm_increment(counter);
    memset(tag, 0, 16);
    if (aad_length != 0)
        kernel->hash(key->prepared, tag, aad, aad_length);
    kp_aes_gcm_crypt(key, direction, iv_length, counter, tag, in, out, length);
    kp_aes_gcm_finish(key, tag, aad_length, length, mask);
    kp_wipe(mask, sizeof mask);
}

kp_status kp_aes_gcm_seal(const kp_aes_gcm_key *key, const uint8_t *iv, size_t iv_length, const uint8_t *aad,
                          size_t aad_length, const uint8_t *in, size_t length, uint8_t *out, uint8_t *tag,
                          size_t tag_length) {
    const kp_status status = check(iv_length, aad, aad_length, in, length, out, tag_length);
    if (status != KP_OK)
        return status;
    if (kp_ranges_meet(tag, tag_length, out, length))
        return KP_OVERLAP;
    uint8_t whole_tag[16];
    const uint64_t timing = kp_timing_begin();
    run(key, KP_ENCRYPT, iv, iv_length, aad, aad_length, in, length, out, whole_tag);
    kp_timing_end(timing);
    memcpy(tag, whole_tag, tag_length);
    kp_wipe(whole_tag, sizeof whole_tag);
    return KP_OK;
}

kp_status kp_aes_gcm_open(const kp_aes_gcm_key *key, const uint8_t *iv, size_t iv_length, const uint8_t *aad,
                          size_t aad_length, const uint8_t *in, size_t length, uint8_t *out, const uint8_t *tag,
                          size_t tag_length) {
    const kp_status status = check(iv_length, aad, aad_length, in, length, out, tag_length);
    if (status != KP_OK)
        return status;
    if (kp_ranges_meet(tag, tag_length, out, length))
        return KP_OVERLAP;
    uint8_t whole_tag[16];
    const uint64_t timing = kp_timing_begin();
    run(key, KP_DECRYPT, iv, iv_length, aad, aad_length, in, length, out, whole_tag);
    const bool right = kp_equal(whole_tag, tag, tag_length);
    kp_timing_end(timing);
    kp_wipe(whole_tag, sizeof whole_tag);
    if (right)
        return KP_OK;
    kp_wipe(out, length);
    return KP_INVALID_TAG;
}
