/* The end of a message (RFC 1321, sections 3.1 and 3.2), and the state at its beginning. */
#ifndef KP_MD5_PADDING_H
#define KP_MD5_PADDING_H

#include "native/bytes.h"
#include "native/md5/md5.h"

/* The most blocks that kp_md5_pad writes. */
#define KP_MD5_MOST_LAST_BLOCKS 2

static const uint32_t kp_md5_start[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};

/* Writes the last blocks of a message of `total` bytes, of which `rest` (the last total % 64 bytes) are not yet
 * taken in, and returns how many blocks these are: 1 or 2. */
static inline size_t kp_md5_pad(uint8_t last[KP_MD5_MOST_LAST_BLOCKS * KP_MD5_BLOCK_BYTES], const uint8_t *rest,
                                uint64_t total) {
    const size_t length = total % KP_MD5_BLOCK_BYTES;
    const size_t blocks = length < KP_MD5_BLOCK_BYTES - 8 ? 1 : 2;
    const size_t end = blocks * KP_MD5_BLOCK_BYTES;
    if (length != 0)
        memcpy(last, rest, length);
    last[length] = 0x80;
    memset(last + length + 1, 0, end - 8 - length - 1);
    kp_store_le64(last + end - 8, 8 * total);
    return blocks;
}

#endif
