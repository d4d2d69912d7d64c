/* GHASH (NIST SP 800-38D, section 6.4) by PMULL, with the three-way exclusive or of FEAT_SHA3.
 *
 * void kp_ghash_pmull_eor3_prepare(void *prepared, const uint8_t h[16]);
 * void kp_ghash_pmull_eor3_update(const void *prepared, uint8_t y[16], const uint8_t *data, size_t length);
 *
 * Registers and method: those of pmull.S. Two products and their sum take one EOR3, which leaves 69 instructions of 81
 * for eight blocks; where four vector pipes do all the work (Neoverse V1, V2) it takes two thirds of the time. */
#define KP_EOR3 1
#include "../../asm/aarch64_ghash.h"

#if !defined(__APPLE__)
    .arch armv8.2-a+crypto+sha3
#endif

kp_function kp_ghash_pmull_eor3_prepare
    ld1 {v0.16b}, [x1]
    kp_ghash_powers
    ret
kp_end kp_ghash_pmull_eor3_prepare

kp_function kp_ghash_pmull_eor3_update
    cbz x3, 10f
    ld1 {v28.16b}, [x1]
    mov x9, x0
    mov x10, x2
    mov x11, x3
    rev64 v28.16b, v28.16b
    kp_ghash_blocks kp_ghash_pmull_eor3_update
    rev64 v28.16b, v28.16b
    st1 {v28.16b}, [x1]
10:
    ret
kp_end kp_ghash_pmull_eor3_update
