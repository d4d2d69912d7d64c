/* GHASH by KIMD, for the kernels of both families. */
#ifndef KP_GHASH_S390X_KIMD_H
#define KP_GHASH_S390X_KIMD_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "native/asm/s390x_cpacf.h"
#include "native/wipe.h"

/* The parameter block of KIMD-GHASH. */
struct kp_cpacf_ghash_parameters {
    uint8_t y[16];
    uint8_t h[16];
};

static inline void kp_cpacf_ghash(const uint8_t h[16], uint8_t y[16], const uint8_t *data, size_t length) {
    struct kp_cpacf_ghash_parameters parameters;
    const size_t rest = length % 16;
    uint64_t whole = length - rest;
    memcpy(parameters.y, y, 16);
    memcpy(parameters.h, h, 16);
    if (whole != 0) {
        while (kp_cpacf_kimd(KP_CPACF_GHASH, &parameters, &data, &whole) == KP_CPACF_PARTIAL)
            ;
    }
    if (rest != 0) {
        uint8_t last[16] = {0};
        const uint8_t *next = last;
        uint64_t left = sizeof last;
        memcpy(last, data, rest);
        while (kp_cpacf_kimd(KP_CPACF_GHASH, &parameters, &next, &left) == KP_CPACF_PARTIAL)
            ;
        kp_wipe(last, sizeof last);
    }
    memcpy(y, parameters.y, 16);
    kp_wipe(&parameters, sizeof parameters);
}

#endif
