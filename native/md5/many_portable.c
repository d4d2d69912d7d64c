/* MD5 of many streams where no kernel does several at once: one lane. */
#include "native/md5/portable.h"

void kp_md5_many_portable_compress(uint32_t *state, const uint8_t *const *data, size_t blocks, size_t busy) {
    (void)busy;
    kp_md5_portable_compress(state, data[0], blocks);
}
