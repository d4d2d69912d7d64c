/* MD5 (RFC 1321) of sixteen streams at once on RISC-V with RVV 1.0, any VLEN from 128.
 *
 *     void kp_md5_many_rvv_compress(uint32_t *state, const uint8_t *const *data, size_t blocks, size_t busy);
 *
 * Registers, frame, idea and source: asm/riscv64_md5_many.h.
 * A byte takes 0.90 instructions at any VLEN, where one stream takes 9 to 11.
 */
#include "../../asm/riscv64_md5_many.h"

    kp_md5_many_function kp_md5_many_rvv_compress, 0
