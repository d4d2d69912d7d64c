/* GHASH by itself (SP 800-38D, section 6.4). */
#include <stdlib.h>

#include "kernport.h"
#include "native/ghash/ghash.h"
#include "native/status.h"
#include "native/timing.h"
#include "native/wipe.h"

struct kp_ghash_key {
    _Alignas(64) uint8_t prepared[KP_GHASH_PREPARED_BYTES];
    const struct kp_ghash_kernel *kernel;
};

kp_status kp_ghash_key_new(kp_ghash_key **key, const uint8_t *subkey, const char *kernel) {
    *key = NULL;
    const struct kp_kernel *chosen;
    const kp_status status = kp_choose(KP_FAMILY_GHASH, kernel, &chosen);
    if (status != KP_OK)
        return status;
    kp_ghash_key *made = aligned_alloc(_Alignof(kp_ghash_key), sizeof *made);
    if (made == NULL)
        return KP_NO_MEMORY;
    made->kernel = chosen->entries;
    const uint64_t timing = kp_timing_begin();
    made->kernel->prepare(made->prepared, subkey);
    kp_timing_end(timing);
    *key = made;
    return KP_OK;
}

void kp_ghash_key_free(kp_ghash_key *key) {
    if (key == NULL)
        return;
    kp_wipe(key, sizeof *key);
    free(key);
}

void kp_ghash_update(const kp_ghash_key *key, uint8_t *y, const uint8_t *data, size_t length) {
    if (length == 0)
        return;
    const uint64_t timing = kp_timing_begin();
    key->kernel->update(key->prepared, y, data, length);
    kp_timing_end(timing);
}
