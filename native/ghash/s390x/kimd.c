/* GHASH (NIST SP 800-38D, section 6.4) by KIMD: from the z196 on. It has run with a model of the instruction
 * (tests/cpacf), not on a processor: QEMU has no such function. */
#include "native/ghash/s390x/kimd.h"

#include "native/ghash/ghash.h"

kp_ghash_kernel_prepare kp_ghash_kimd_prepare;
kp_ghash_kernel_update kp_ghash_kimd_update;

void kp_ghash_kimd_prepare(void *prepared, const uint8_t h[16]) {
    memcpy(prepared, h, 16);
}

void kp_ghash_kimd_update(const void *prepared, uint8_t y[16], const uint8_t *data, size_t length) {
    kp_cpacf_ghash(prepared, y, data, length);
}
