/* GHASH (NIST SP 800-38D, section 6.4) with pclmulqdq and SSSE3, in 128-bit registers.
 *
 * void prepare(void *prepared, const uint8_t h[16]);
 * void update(const void *prepared, uint8_t y[16], const uint8_t *data, size_t length);
 *
 * Groups of eight blocks times H^8 ... H^1, three multiplies a block and one reduction a group; what is left, up to
 * seven blocks and a part of one, is one more group, as long as it needs to be. The arithmetic, its registers and its
 * source are in native/asm/x86_64_pclmul.h. On a processor that starts a multiply every two cycles (Zen 4) a group
 * takes the 52 cycles of its 26 multiplies.
 *
 * Registers: rdi prepared, rsi y, rdx data, rcx length left, r11 the power for the next block; xmm8-xmm12, xmm15 as
 * there; xmm14 what is added to the next block. `prepared` is a table of powers.
 */
#include "../../asm/x86_64.h"
#include "../../asm/x86_64_pclmul.h"

.section .rodata
kp_pclmul_constants
.text

kp_function kp_ghash_pclmul_prepare
movdqu xmm0, [rsi]
kp_pclmul_powers rdi
ret
kp_end kp_ghash_pclmul_prepare

kp_function kp_ghash_pclmul_update
movdqu xmm10, [rsi]
mov r9, rcx
mov rcx, rdx
pshufb xmm10, [rip + .Lreverse_bytes]
kp_pclmul_hash rdi, kp_ghash_pclmul_update
pshufb xmm10, [rip + .Lreverse_bytes]
movdqu [rsi], xmm10
ret
kp_end kp_ghash_pclmul_update
