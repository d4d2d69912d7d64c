/* The self-test of an MD5 kernel for one stream before its first use. */
#include "native/md5/known_answers.h"
#include "native/md5/padding.h"
#include "native/pattern.h"

bool kp_md5_prove(const void *entries);

bool kp_md5_prove(const void *entries) {
    const struct kp_md5_kernel *kernel = entries;
    enum { WHOLE = KP_MD5_KNOWN_BYTES / KP_MD5_BLOCK_BYTES };
    uint8_t message[(WHOLE + KP_MD5_MOST_LAST_BLOCKS) * KP_MD5_BLOCK_BYTES], digest[16];
    uint8_t *const last = message + WHOLE * KP_MD5_BLOCK_BYTES, rest[KP_MD5_BLOCK_BYTES];
    uint32_t state[4];
    kp_fill_pattern(message, KP_MD5_KNOWN_BYTES);
    memcpy(rest, last, sizeof rest);
    const size_t blocks = WHOLE + kp_md5_pad(last, rest, KP_MD5_KNOWN_BYTES);
    memcpy(state, kp_md5_start, sizeof state);
    kernel->compress(state, message, blocks);
    for (int i = 0; i < 4; i++)
        kp_store_le32(digest + 4 * i, state[i]);
    return kp_equal(digest, kp_md5_known_answer, 16);
}
