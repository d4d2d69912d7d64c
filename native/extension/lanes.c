/* Streams take turns in the lanes of a kernel: one that has no blocks left makes room for the next. */
#include "native/extension/lanes.h"
#include "native/status.h"

#include <string.h>

kp_status kp_lanes_choose(struct kp_lanes *lanes) {
    const struct kp_kernel *many, *one;
    kp_status status = kp_choose(KP_FAMILY_MD5_MANY, NULL, &many);
    if (status == KP_OK)
        status = kp_choose(KP_FAMILY_MD5, NULL, &one);
    if (status == KP_OK) {
        lanes->many = many->entries;
        lanes->one = ((const struct kp_md5_kernel *)one->entries)->compress;
    }
    return status;
}

void kp_lanes_run(const struct kp_lanes *lanes, struct kp_lane_stream *streams, size_t count) {
    _Alignas(64) uint32_t state[4 * KP_MD5_MOST_LANES];
    struct kp_lane_stream *lane[KP_MD5_MOST_LANES] = {NULL};
    const size_t width = lanes->many->lanes;
    size_t next = 0;
    memset(state, 0, sizeof state);
    for (;;) {
        size_t busy = 0, blocks = SIZE_MAX;
        struct kp_lane_stream *shortest = NULL;
        for (size_t i = 0; i < width; i++) {
            while (lane[i] == NULL && next < count) {
                if (streams[next].blocks != 0) {
                    lane[i] = &streams[next];
                    for (size_t word = 0; word < 4; word++)
                        state[word * width + i] = lane[i]->words[word];
                }
                next++;
            }
            if (lane[i] == NULL)
                continue;
            busy++;
            if (lane[i]->blocks < blocks) {
                shortest = lane[i];
                blocks = shortest->blocks;
            }
        }
        if (busy == 0)
            return;
        /* A lane with nothing to do has to read something: what the shortest one reads. */
        const uint8_t *data[KP_MD5_MOST_LANES];
        for (size_t i = 0; i < width; i++)
            data[i] = lane[i] != NULL ? lane[i]->data : shortest->data;
        if (busy > 1)
            lanes->many->compress(state, data, blocks);
        for (size_t i = 0; i < width; i++) {
            struct kp_lane_stream *stream = lane[i];
            if (stream == NULL)
                continue;
            for (size_t word = 0; word < 4; word++)
                stream->words[word] = state[word * width + i];
            if (busy == 1)
                lanes->one(stream->words, stream->data, blocks);
            stream->data += blocks * KP_MD5_BLOCK_BYTES;
            stream->blocks -= blocks;
            if (stream->blocks == 0)
                lane[i] = NULL;
        }
    }
}
