/* The self-test of an MD5 kernel for several streams before its first use: every lane has a message of its own. */
#include "native/md5/known_answers.h"
#include "native/md5/padding.h"
#include "native/pattern.h"

bool kp_md5_many_prove(const void *entries);

bool kp_md5_many_prove(const void *entries) {
    const struct kp_md5_many_kernel *kernel = entries;
    _Alignas(64) uint32_t state[4 * KP_MD5_MOST_LANES];
    uint8_t pattern[KP_MD5_MANY_KNOWN_BYTES + KP_MD5_MOST_LANES];
    uint8_t last[KP_MD5_MOST_LAST_BLOCKS * KP_MD5_BLOCK_BYTES];
    const uint8_t *data[KP_MD5_MOST_LANES] = {NULL};
    const size_t lanes = kernel->lanes;
    kp_fill_pattern(pattern, sizeof pattern);
    for (size_t lane = 0; lane < lanes; lane++) {
        for (size_t i = 0; i < 4; i++)
            state[i * lanes + lane] = kp_md5_start[i];
        data[lane] = pattern + lane;
    }
    kernel->compress(state, data, KP_MD5_MANY_KNOWN_BYTES / KP_MD5_BLOCK_BYTES, lanes);
    const size_t blocks = kp_md5_pad(last, NULL, KP_MD5_MANY_KNOWN_BYTES);
    for (size_t lane = 0; lane < lanes; lane++)
        data[lane] = last;
    kernel->compress(state, data, blocks, lanes);
    bool right = true;
    for (size_t lane = 0; lane < lanes; lane++) {
        uint8_t digest[16];
        for (size_t i = 0; i < 4; i++)
            kp_store_le32(digest + 4 * i, state[i * lanes + lane]);
        right &= kp_equal(digest, kp_md5_many_known_answers[lane], 16);
    }
    return right;
}
