/* GHASH (SP 800-38D, section 6.4) on RISC-V with scalar carry-less multiplication, without misaligned loads.
 *
 *     void kp_ghash_zbc_aligned_prepare(void *prepared, const uint8_t h[16]);
 *     void kp_ghash_zbc_aligned_update(const void *prepared, uint8_t y[16], const uint8_t *data, size_t length);
 *
 * Needs clmul and clmulh (Zbc or Zbkc) and rev8 (Zbb or Zbkb).
 *
 * Registers: a0 prepared (the table of powers), a1 h or y, a2 data, a3 length, t0..t6 and a4..a7 as
 * asm/riscv64_clmul.h names them, s0 and s1 (saved) the end of the groups and a place in the table.
 *
 * Idea: asm/riscv64_clmul.h, eight blocks a reduction. Misaligned data go through an aligned buffer on the
 * stack, which is wiped.
 *
 * Source: SP 800-38D. A byte takes 1.4 instructions where the data lie on a multiple of 8, else 2.4.
 */
#include "../../asm/riscv64.h"
#include "../../asm/riscv64_clmul.h"

    .option arch, +zbb, +zbc

    kp_function kp_ghash_zbc_aligned_prepare
    kp_load_block a1, ghash_scratch0
    kp_clmul_fill a0
    ret
    kp_end kp_ghash_zbc_aligned_prepare

    kp_clmul_hash_function kp_ghash_zbc_aligned_update, 0, 0
