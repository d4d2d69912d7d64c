/* GHASH (NIST SP 800-38D, section 6.4) by PMULL, eight blocks a reduction.
 *
 * void kp_ghash_pmull_prepare(void *prepared, const uint8_t h[16]);
 * void kp_ghash_pmull_update(const void *prepared, uint8_t y[16], const uint8_t *data, size_t length);
 *
 * prepare: x0, x1; clobbers x9 to x17, v0 to v7.
 * update: x0 to x3; clobbers x9 to x11, x13 to x17, v0 to v7, v16 to v31. No stack.
 *
 * The twelve registers of powers stay loaded; a pair of blocks costs six multiplications instead of
 * the eight of the schoolbook, and eight blocks share one reduction. Field and method: see
 * asm/aarch64_ghash.h. */
#define KP_EOR3 0
#include "../../asm/aarch64_ghash.h"

#if !defined(__APPLE__)
    .arch armv8-a+crypto
#endif

kp_function kp_ghash_pmull_prepare
    ld1 {v0.16b}, [x1]
    kp_ghash_powers
    ret
kp_end kp_ghash_pmull_prepare

kp_function kp_ghash_pmull_update
    cbz x3, 10f
    ld1 {v28.16b}, [x1]
    mov x9, x0
    mov x10, x2
    mov x11, x3
    rev64 v28.16b, v28.16b
    kp_ghash_blocks kp_ghash_pmull_update
    rev64 v28.16b, v28.16b
    st1 {v28.16b}, [x1]
10:
    ret
kp_end kp_ghash_pmull_update
