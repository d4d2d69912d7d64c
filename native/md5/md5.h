/* What a kernel of the families md5 (one stream) and md5-many (several streams at once) provides.
 *
 * A kernel `some-name` of family md5 defines kp_md5_some_name_compress, one of family md5-many
 * defines kp_md5_many_some_name_compress and states its number of lanes in the recipe. State
 * words are in the machine's own byte order; data may have any alignment.
 */
#ifndef KP_MD5_H
#define KP_MD5_H

#include <stddef.h>
#include <stdint.h>

#define KP_MD5_BLOCK_BYTES 64
#define KP_MD5_MOST_LANES 64

/* Takes `blocks` blocks of 64 bytes into the state (A, B, C, D). */
typedef void kp_md5_kernel_compress(uint32_t state[4], const uint8_t *data, size_t blocks);

struct kp_md5_kernel {
    kp_md5_kernel_compress *compress;
};

/* Takes `blocks` blocks of each lane's data into that lane's state. Word w of lane l is
 * state[w * lanes + l]; the state is aligned to 64 bytes. Only the first `busy` lanes, one at least, matter: of the
 * others the data are read, or not, and the state may become anything. */
typedef void kp_md5_many_kernel_compress(uint32_t *state, const uint8_t *const *data, size_t blocks, size_t busy);

struct kp_md5_many_kernel {
    size_t lanes; /* 1 to KP_MD5_MOST_LANES */
    size_t group; /* the time a call takes is that of whole groups of lanes; `lanes` where it is always the same */
    kp_md5_many_kernel_compress *compress;
};

#endif
