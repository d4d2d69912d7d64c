/* GHASH (NIST SP 800-38D, section 6.4) with vpmsumd of Power ISA 3.0 (POWER9, 10, 11).
 *
 * The entries of native/ghash/ghash.h:
 *   void prepare(void *prepared, const uint8_t h[16]);
 *   void update(const void *prepared, uint8_t y[16], const uint8_t *data, size_t length);
 *
 * Beside power8-crypto it loads data in the order of memory on little-endian (lxvb16x), a permute a block
 * fewer there.
 * Idea, registers and sources: asm/power_ghash.h; what it costs: docs/power.md.
 */
#define KP_ISA 300
#define KERNEL(entry) kp_ghash_power9_crypto_##entry
#include "vpmsumd.h"
