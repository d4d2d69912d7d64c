/* What a kp_md5_state consists of, for who has room for one of their own. */
#ifndef KP_MD5_STATE_H
#define KP_MD5_STATE_H

#include "kernport.h"
#include "native/md5/md5.h"

struct kp_md5_state {
    kp_md5_kernel_compress *compress;
    uint64_t total;
    uint32_t words[4];
    uint8_t rest[KP_MD5_BLOCK_BYTES]; /* the last total % 64 bytes, not yet taken in */
};

/* As kp_md5_new, in the caller's memory. */
kp_status kp_md5_begin(struct kp_md5_state *state, const char *kernel);

#endif
