/* A lane whose blocks are taken in is given more at once, so that all lanes have work for as long as there is any. */
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

void kp_lanes_run(const struct kp_lanes *lanes, size_t most, kp_lane_refill *refill, void *context) {
    _Alignas(64) uint32_t state[4 * KP_MD5_MOST_LANES];
    struct kp_lane_stream streams[KP_MD5_MOST_LANES];
    const uint8_t *data[KP_MD5_MOST_LANES];
    const size_t width = lanes->many->lanes, used = most < width ? most : width;
    bool idle[KP_MD5_MOST_LANES] = {false};
    memset(state, 0, sizeof state);
    memset(streams, 0, sizeof streams);
    for (;;) {
        size_t busy = 0, last = 0, blocks = SIZE_MAX, shortest = 0;
        for (size_t i = 0; i < used; i++) {
            if (streams[i].blocks == 0 && !idle[i]) {
                refill(context, i, &streams[i]);
                idle[i] = streams[i].blocks == 0;
                for (size_t word = 0; word < 4; word++)
                    state[word * width + i] = streams[i].words[word];
            }
            if (idle[i])
                continue;
            busy++;
            last = i;
            if (streams[i].blocks < blocks) {
                shortest = i;
                blocks = streams[i].blocks;
            }
        }
        if (busy == 0)
            return;
        /* A lane with nothing to do has to read something: what the shortest one reads. */
        for (size_t i = 0; i < width; i++)
            data[i] = streams[i < used && !idle[i] ? i : shortest].data;
        if (busy > 1)
            lanes->many->compress(state, data, blocks, last + 1);
        for (size_t i = 0; i < used; i++) {
            if (idle[i])
                continue;
            streams[i].data += blocks * KP_MD5_BLOCK_BYTES;
            streams[i].blocks -= blocks;
            for (size_t word = 0; word < 4 && streams[i].blocks == 0; word++)
                streams[i].words[word] = state[word * width + i];
        }
        if (busy == 1)
            lanes->one(streams[shortest].words, data[shortest], blocks);
    }
}
