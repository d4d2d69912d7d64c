/* MD5 of one stream. */
#include <stdlib.h>

#include "native/md5/padding.h"
#include "native/md5/state.h"
#include "native/status.h"
#include "native/wipe.h"

kp_status kp_md5_begin(struct kp_md5_state *state, const char *kernel) {
    const struct kp_kernel *chosen;
    const kp_status status = kp_choose(KP_FAMILY_MD5, kernel, &chosen);
    if (status != KP_OK)
        return status;
    state->compress = ((const struct kp_md5_kernel *)chosen->entries)->compress;
    state->total = 0;
    memcpy(state->words, kp_md5_start, sizeof state->words);
    return KP_OK;
}

kp_status kp_md5_new(kp_md5_state **state, const char *kernel) {
    *state = malloc(sizeof **state);
    if (*state == NULL)
        return KP_NO_MEMORY;
    const kp_status status = kp_md5_begin(*state, kernel);
    if (status != KP_OK) {
        free(*state);
        *state = NULL;
    }
    return status;
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

/* A word of a state. A kernel has just written it, and words that are read together, as compilers like to do, would
 * have to wait until all are in the cache: the empty statement keeps them apart. */
static uint32_t word_of(const uint32_t words[4], int number) {
    uint32_t word = words[number];
    __asm__("" : "+r"(word));
    return word;
}

void kp_md5_digest(const kp_md5_state *state, uint8_t *digest) {
    uint8_t last[KP_MD5_MOST_LAST_BLOCKS * KP_MD5_BLOCK_BYTES];
    uint32_t words[4];
    for (int i = 0; i < 4; i++)
        words[i] = word_of(state->words, i);
    state->compress(words, last, kp_md5_pad(last, state->rest, state->total));
    for (int i = 0; i < 4; i++)
        kp_store_le32(digest + 4 * i, word_of(words, i));
    kp_wipe(words, sizeof words);
    kp_wipe(last, sizeof last);
}
