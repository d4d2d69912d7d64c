/* Data-independent timing (Armv8.4 FEAT_DIT): while PSTATE.DIT is set, the processor promises that the instructions
 * which kernels are made of take a time that does not depend on their data.
 *
 * Set once a call of the C API, around all that touches a key: not in the kernels, which would do it several times a
 * message and cannot know whether the register is there, since no other feature they need brings it. A caller who has
 * set it already finds it set afterwards, and pays for one read of a register. */
#ifndef KP_TIMING_H
#define KP_TIMING_H

#include <stdint.h>

#include "dispatch/dispatch.h"

#if defined(__aarch64__)
#define KP_TIMING_BIT (UINT64_C(1) << 24)
/* The register DIT by its number, for assemblers that know only older architectures. */
#define KP_TIMING_REGISTER "s3_3_c4_c2_5"

/* Returns what kp_timing_end wants. */
static inline uint64_t kp_timing_begin(void) {
    const struct kp_host *host = kp_this_host();
    uint64_t before;
    if ((host->detected & ~host->overrides.features & (kp_feature_set)1 << KP_FEATURE_DIT) == 0)
        return KP_TIMING_BIT;
    __asm__ volatile("mrs %0, " KP_TIMING_REGISTER : "=r"(before) : : "memory");
    if (before == 0)
        __asm__ volatile("msr " KP_TIMING_REGISTER ", %0" : : "r"(KP_TIMING_BIT) : "memory");
    return before;
}

static inline void kp_timing_end(uint64_t before) {
    if (before == 0)
        __asm__ volatile("msr " KP_TIMING_REGISTER ", %0" : : "r"(before) : "memory");
}
#else
static inline uint64_t kp_timing_begin(void) {
    return 0;
}

static inline void kp_timing_end(uint64_t before) {
    (void)before;
}
#endif

#endif
