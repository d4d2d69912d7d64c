/* AES-GCM keys: memory, the kernel's choice, preparation. */
#include "native/aes_gcm/mode.h"
#include "native/status.h"

#include <stdlib.h>

#include "native/timing.h"
#include "native/wipe.h"

kp_status kp_aes_gcm_key_new(kp_aes_gcm_key **key, const uint8_t *bytes, size_t length, const char *kernel) {
    *key = NULL;
    if (length != 16 && length != 24 && length != 32)
        return KP_BAD_KEY_LENGTH;
    const struct kp_kernel *chosen;
    const kp_status status = kp_choose(KP_FAMILY_AES_GCM, kernel, &chosen);
    if (status != KP_OK)
        return status;
    kp_aes_gcm_key *made = aligned_alloc(_Alignof(kp_aes_gcm_key), sizeof *made);
    if (made == NULL)
        return KP_NO_MEMORY;
    made->kernel = chosen->entries;
    made->name = chosen->name;
    const uint64_t timing = kp_timing_begin();
    made->kernel->prepare(made->prepared, bytes, length);
    kp_timing_end(timing);
    *key = made;
    return KP_OK;
}

void kp_aes_gcm_key_free(kp_aes_gcm_key *key) {
    if (key == NULL)
        return;
    kp_wipe(key, sizeof *key);
    free(key);
}

const char *kp_aes_gcm_key_kernel(const kp_aes_gcm_key *key) {
    return key->name;
}
