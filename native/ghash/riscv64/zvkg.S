/* GHASH (SP 800-38D, section 6.4) on RISC-V with Zvkg, any VLEN from 128.
 *
 *     void kp_ghash_zvkg_prepare(void *prepared, const uint8_t h[16]);
 *     void kp_ghash_zvkg_update(const void *prepared, uint8_t y[16], const uint8_t *data, size_t length);
 *
 * Registers: a0 prepared (the table of powers), a1 h or y, a2 data, a3 length; t0..t6, a4, a5 counts;
 * v16 to v31 groups of four, of which v28 holds the sums. No stack.
 *
 * Idea: asm/riscv64_zvkg.h. Every place of a register group sums up its own blocks, so that one instruction takes in
 * a whole group, and the places are brought together once a call.
 *
 * Source: SP 800-38D and The RISC-V Cryptography Extensions Volume II. One instruction a group in place of one a
 * block wins what the multiplier's pipeline gives.
 */
#include "../../asm/riscv64_zvkg.h"

    kp_function kp_ghash_zvkg_prepare
    kp_zvkg_load v1, a1
    kp_zvkg_fill a0
    ret
    kp_end kp_ghash_zvkg_prepare

    kp_zvkg_hash_function kp_ghash_zvkg_update, 0
