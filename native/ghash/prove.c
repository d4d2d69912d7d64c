/* The self-test of a GHASH kernel before its first use. */
#include "native/bytes.h"
#include "native/ghash/ghash.h"
#include "native/ghash/known_answers.h"
#include "native/pattern.h"

bool kp_ghash_prove(const void *entries);

bool kp_ghash_prove(const void *entries) {
    const struct kp_ghash_kernel *kernel = entries;
    _Alignas(64) uint8_t prepared[KP_GHASH_PREPARED_BYTES];
    uint8_t pattern[KP_GHASH_KNOWN_BYTES], lengths[16] = {0}, y[16] = {0};
    kp_fill_pattern(pattern, sizeof pattern);
    kp_store_be64(lengths, 8 * sizeof pattern);
    kernel->prepare(prepared, kp_ghash_known_subkey);
    kernel->update(prepared, y, pattern, sizeof pattern);
    kernel->update(prepared, y, lengths, sizeof lengths);
    return kp_equal(y, kp_ghash_known_answer, 16);
}
