/* GHASH (NIST SP 800-38D, section 6.4) with vpmsumd of Power ISA 2.07 (POWER8).
 *
 * The entries of native/ghash/ghash.h:
 *   void prepare(void *prepared, const uint8_t h[16]);
 *   void update(const void *prepared, uint8_t y[16], const uint8_t *data, size_t length);
 *
 * Idea, registers and sources: asm/power_ghash.h; what it costs: docs/power.md.
 */
#define KP_ISA 207
#define KERNEL(entry) kp_ghash_power8_crypto_##entry
#include "vpmsumd.h"
