/* MD5 of several streams that go on: what kp_md5_many does for whole messages. */
#ifndef KP_LANES_H
#define KP_LANES_H

#include <stdbool.h>

#include "dispatch/dispatch.h"
#include "kernport.h"
#include "native/md5/md5.h"

/* The kernels for several streams and for one. */
struct kp_lanes {
    const struct kp_md5_many_kernel *many;
    kp_md5_kernel_compress *one;
};

struct kp_lane_stream {
    uint32_t words[4];
    const uint8_t *data;
    size_t blocks; /* to take in from `data` on; 0 afterwards */
};

kp_status kp_lanes_choose(struct kp_lanes *lanes);

/* Takes each stream's blocks into its words. */
void kp_lanes_run(const struct kp_lanes *lanes, struct kp_lane_stream *streams, size_t count);

#endif
