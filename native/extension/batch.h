/* MD5 of a batch of messages, in whatever order is fastest. */
#ifndef KP_BATCH_H
#define KP_BATCH_H

#include <stddef.h>
#include <stdint.h>

#include "kernport.h"

struct kp_batch_message {
    const uint8_t *data;
    size_t length;
    uint8_t *digest; /* 16 bytes, to be written */
};

/* Hashes the messages, and changes their order in the array. */
kp_status kp_md5_batch(struct kp_batch_message *messages, size_t count, const char *kernel);

#endif
