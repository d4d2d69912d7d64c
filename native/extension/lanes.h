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
    size_t blocks; /* to take in from `data` on; 0 once they are in `words` */
};

/* Gives a lane more: the next piece of its stream, or, with other words, another stream's. Leaves `blocks` at 0 where
 * nothing is left for it; it is not asked again then. */
typedef void kp_lane_refill(void *context, size_t lane, struct kp_lane_stream *stream);

kp_status kp_lanes_choose(struct kp_lanes *lanes);

/* Goes on until no lane is given more. At most `most` lanes are used, and the kernel's number of lanes. */
void kp_lanes_run(const struct kp_lanes *lanes, size_t most, kp_lane_refill *refill, void *context);

#endif
