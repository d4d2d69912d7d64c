/* GHASH (NIST SP 800-38D, section 6.4) with vpclmulqdq and AVX2, in 256-bit registers.
 *
 * void prepare(void *prepared, const uint8_t h[16]);
 * void update(const void *prepared, uint8_t y[16], const uint8_t *data, size_t length);
 *
 * Groups of sixteen blocks, reduced every second time; what is left, 0 to 255 bytes, is one more group, two blocks a
 * step. The arithmetic, its registers and its source are in native/asm/x86_64_vpclmul_avx2.h.
 *
 * Registers: rdi prepared, rsi y, rdx data, rcx length, then rcx data, r9 length left, rdx and r11 powers; ymm8-ymm12,
 * ymm15 as there. `prepared` is a table of powers.
 */
#include "../../asm/x86_64.h"
#include "../../asm/x86_64_vpclmul_avx2.h"

.section .rodata
kp_vpclmul_constants
.text

kp_function kp_ghash_vpclmulqdq_avx2_prepare
vmovdqu xmm0, [rsi]
kp_vpclmul_powers rdi
vzeroupper
ret
kp_end kp_ghash_vpclmulqdq_avx2_prepare

kp_function kp_ghash_vpclmulqdq_avx2_update
vmovdqu xmm15, [rsi]
mov r9, rcx
mov rcx, rdx
vpshufb xmm15, xmm15, [rip + .Lreverse_bytes]
kp_vpclmul_hash kp_ghash_vpclmulqdq_avx2_update, rdi
vpshufb xmm15, xmm15, [rip + .Lreverse_bytes]
vmovdqu [rsi], xmm15
vzeroupper
ret
kp_vpclmul_hash_aside
kp_end kp_ghash_vpclmulqdq_avx2_update
