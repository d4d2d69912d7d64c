/* MD5 of one stream. */
#include <stdlib.h>

#include "dispatch/dispatch.h"
#include "kernport.h"
#include "native/md5/md5.h"
#include "native/md5/padding.h"
#include "native/wipe.h"

struct kp_md5_state {
    kp_md5_kernel_compress *compress;
    uint64_t total;
    uint32_t words[4];
    uint8_t rest[KP_MD5_BLOCK_BYTES]; /* the last total % 64 bytes, not yet taken in */
};

kp_status kp_md5_new(kp_md5_state **state, const char *kernel) {
    *state = NULL;
    const struct kp_kernel *chosen;
    const kp_status status = kp_dispatch(KP_FAMILY_MD5, kernel, &chosen);
    if (status != KP_OK)
        return status;
    kp_md5_state *made = malloc(sizeof *made);
    if (made == NULL)
        return KP_NO_MEMORY;
    made->compress = ((const struct kp_md5_kernel *)chosen->entries)->compress;
    made->total = 0;
    memcpy(made->words, kp_md5_start, sizeof made->words);
    *state = made;
    return KP_OK;
}

kp_status kp_md5_copy(kp_md5_state **copy, const kp_md5_state *state) {
    *copy = malloc(sizeof **copy);
    if (*copy == NULL)
        return KP_NO_MEMORY;
    memcpy(*copy, state, sizeof **copy);
    return KP_OK;
}

void kp_md5_free(kp_md5_state *state) {
    if (state == NULL)
        return;
    kp_wipe(state, sizeof *state);
    free(state);
}

void kp_md5_update(kp_md5_state *state, const uint8_t *data, size_t length) {
    if (length == 0)
        return;
    const size_t used = state->total % KP_MD5_BLOCK_BYTES, room = KP_MD5_BLOCK_BYTES - used;
    state->total += length;
    if (used != 0) {
        if (length < room) {
            memcpy(state->rest + used, data, length);
            return;
        }
        memcpy(state->rest + used, data, room);
        state->compress(state->words, state->rest, 1);
        data += room;
        length -= room;
    }
    const size_t blocks = length / KP_MD5_BLOCK_BYTES, rest = length % KP_MD5_BLOCK_BYTES;
    if (blocks != 0)
        state->compress(state->words, data, blocks);
    if (rest != 0)
        memcpy(state->rest, data + length - rest, rest);
}

void kp_md5_digest(const kp_md5_state *state, uint8_t *digest) {
    uint8_t last[KP_MD5_MOST_LAST_BLOCKS * KP_MD5_BLOCK_BYTES];
    uint32_t words[4];
    memcpy(words, state->words, sizeof words);
    state->compress(words, last, kp_md5_pad(last, state->rest, state->total));
    for (int i = 0; i < 4; i++)
        kp_store_le32(digest + 4 * i, words[i]);
    kp_wipe(words, sizeof words);
    kp_wipe(last, sizeof last);
}
