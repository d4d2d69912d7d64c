/* What the parts of the mode share: a key, the limits of SP 800-38D, and the blocks around the text. */
#ifndef KP_AES_GCM_MODE_H
#define KP_AES_GCM_MODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernport.h"
#include "native/aes_gcm/aes_gcm.h"

/* SP 800-38D, section 5.2.1.1, in bytes. */
#define KP_AES_GCM_MOST_TEXT ((UINT64_C(1) << 36) - 32)
#define KP_AES_GCM_MOST_AAD ((UINT64_C(1) << 61) - 1)
#define KP_AES_GCM_MOST_IV ((UINT64_C(1) << 61) - 1)

struct kp_aes_gcm_key {
    _Alignas(64) uint8_t prepared[KP_AES_GCM_PREPARED_BYTES];
    const struct kp_aes_gcm_kernel *kernel;
    const char *name;
};

/* What a stream knows between two calls. A part of a block is already in y, not yet multiplied by H. */
struct kp_aes_gcm_stream {
    const struct kp_aes_gcm_key *key;
    kp_direction direction;
    enum { KP_STREAM_AAD, KP_STREAM_TEXT, KP_STREAM_DONE } phase;
    size_t iv_length;
    uint64_t aad_length, text_length;
    uint8_t counter[16];
    uint8_t y[16];
    uint8_t mask[16];       /* AES(J0), which hides the tag */
    uint8_t key_stream[16]; /* of the block that the text so far ends in */
};

/* Whether `more` bytes may follow `before` bytes, of which there are at most `most`. */
static inline bool kp_aes_gcm_fits(uint64_t before, uint64_t more, uint64_t most) {
    return more <= most - before;
}

static inline bool kp_aes_gcm_is_tag_length(size_t length) {
    return length == 16 || length == 4 || length == 8 || (length >= 12 && length <= 15);
}

static inline bool kp_aes_gcm_is_iv_length(size_t length) {
    return length != 0 && kp_aes_gcm_fits(0, length, KP_AES_GCM_MOST_IV);
}

/* Whether J0 is the IV and a count, and so as public as the IV. */
static inline bool kp_aes_gcm_is_counter_public(size_t iv_length) {
    return iv_length == 12;
}

/* The pre-counter block (section 7.1, step 2) of an IV of any allowed length. */
void kp_aes_gcm_derive_j0(const struct kp_aes_gcm_key *key, uint8_t j0[16], const uint8_t *iv, size_t iv_length);

/* The counter block after this one: the last four bytes count modulo 2^32. */
void kp_aes_gcm_increment(uint8_t counter[16]);

/* Encrypts or decrypts text that begins with a block, as the kernel's entries of that name do. The IV's length says
 * whether the counter is public. */
void kp_aes_gcm_crypt(const struct kp_aes_gcm_key *key, kp_direction direction, size_t iv_length, uint8_t counter[16],
                      uint8_t y[16], const uint8_t *in, uint8_t *out, size_t length);

/* y takes in the lengths and becomes the tag: it is hidden by the mask, AES(J0). */
void kp_aes_gcm_finish(const struct kp_aes_gcm_key *key, uint8_t y[16], uint64_t aad_length, uint64_t text_length,
                       const uint8_t mask[16]);

#endif
