/* GHASH (NIST SP 800-38D, section 6.4) with vpclmulqdq and AVX-512, in 512-bit registers.
 *
 * void prepare(void *prepared, const uint8_t h[16]);
 * void update(const void *prepared, uint8_t y[16], const uint8_t *data, size_t length);
 *
 * For processors whose multiplier is the bottleneck (AMD's, two cycles a multiply): three multiplies a register. Groups
 * of thirty-two blocks; what is left, 0 to 511 bytes, is one more group, four blocks a step. The arithmetic, its
 * registers and its source are in native/asm/x86_64_vpclmul_avx512.h.
 *
 * Registers: rdi prepared, rsi y, rdx data, rcx length, then rcx data, r9 length left, r11 the power for the next
 * block; zmm8-zmm12, zmm15-zmm21 as there; k1 a part of a register. `prepared` is a table of powers.
 */
#define KP_VPCLMUL_KARATSUBA
#include "../../asm/x86_64.h"
#include "../../asm/x86_64_vpclmul_avx512.h"

.section .rodata
kp_vpclmul_constants
.text

kp_function kp_ghash_vpclmulqdq_avx512_karatsuba_prepare
vmovdqu xmm0, [rsi]
kp_vpclmul_powers rdi
vzeroupper
ret
kp_end kp_ghash_vpclmulqdq_avx512_karatsuba_prepare

kp_function kp_ghash_vpclmulqdq_avx512_karatsuba_update
vmovdqu xmm15, [rsi]
mov r9, rcx
mov rcx, rdx
kp_vpclmul_load_constants
vpshufb xmm15, xmm15, xmm20
kp_vpclmul_hash kp_ghash_vpclmulqdq_avx512_karatsuba, update, rdi
vpshufb xmm15, xmm15, xmm20
vmovdqu [rsi], xmm15
vzeroupper
ret
kp_end kp_ghash_vpclmulqdq_avx512_karatsuba_update
