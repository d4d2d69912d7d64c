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
    const size_t length = total % KP_MD5_BLOCK_BYTES, part = length % 4, words = length - part;
    const size_t blocks = length < KP_MD5_BLOCK_BYTES - 8 ? 1 : 2;
    /* Kernels read words, and a word that was written in pieces takes many cycles to arrive: so do sixteen bytes of a
     * rest that memcpy has just written by stores that overlap. */
    memset(last, 0, KP_MD5_MOST_LAST_BLOCKS * KP_MD5_BLOCK_BYTES);
    for (size_t i = 0; i < words; i += 4) {
        uint32_t word = kp_load_le32(rest + i);
        __asm__("" : "+r"(word));
        kp_store_le32(last + i, word);
    }
    uint32_t end_of_text = UINT32_C(0x80) << 8 * part;
    for (size_t i = 0; i < part; i++)
        end_of_text |= (uint32_t)rest[words + i] << 8 * i;
    kp_store_le32(last + words, end_of_text);
    kp_store_le64(last + blocks * KP_MD5_BLOCK_BYTES - 8, 8 * total);
    return blocks;
}

#endif
