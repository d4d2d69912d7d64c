/* MD5 (RFC 1321) of one stream with AVX-512VL.
 *
 * void compress(uint32_t state[4], const uint8_t *data, size_t blocks);
 *
 * The words are in one lane of vector registers, for the sake of two instructions: vpternlogd computes any of the four
 * functions in one cycle, and vprold rotates. Four instructions from b to b in every step, 256 cycles a block, 4 a
 * byte, where the scalar chain is 4.5: but only where a vector rotates in one cycle, which it does on Intel's
 * processors and not on AMD's. Operands in memory are broadcast, so that exactly four bytes are read.
 *
 * Registers: rdi state, rsi data, rdx blocks left, rcx constants; xmm0-xmm3 a, b, c, d in turn; xmm4 scratch.
 */
#include "../../asm/x86_64.h"
#include "../../asm/x86_64_md5.h"

.section .rodata
kp_md5_constants
.text

/* a = b + rotate(a + f(b, c, d) + word + constant); `table` is f as the truth table of vpternlogd for the operands d,
 * c, b. */
.macro step table, a, b, c, d, word, rotation, number
vmovdqa xmm4, \d
vpaddd \a, \a, dword ptr [rsi + 4 * \word]{1to4}
vpaddd \a, \a, dword ptr [rcx + 4 * \number]{1to4}
vpternlogd xmm4, \c, \b, \table
vpaddd \a, \a, xmm4
vprold \a, \a, \rotation
vpaddd \a, \a, \b
.endm

.macro step_f a, b, c, d, word, rotation, constant, number
step 0xd8, \a, \b, \c, \d, \word, \rotation, \number
.endm
.macro step_g a, b, c, d, word, rotation, constant, number
step 0xac, \a, \b, \c, \d, \word, \rotation, \number
.endm
.macro step_h a, b, c, d, word, rotation, constant, number
step 0x96, \a, \b, \c, \d, \word, \rotation, \number
.endm
.macro step_i a, b, c, d, word, rotation, constant, number
step 0x63, \a, \b, \c, \d, \word, \rotation, \number
.endm

kp_function kp_md5_avx512vl_compress
test rdx, rdx
jz .Ldone
lea rcx, [rip + .Lconstants]
.irp word, 0, 1, 2, 3
vmovd xmm\word, dword ptr [rdi + 4 * \word]
.endr
kp_mark kp_md5_avx512vl_compress_loop_begin
.Lblock:
kp_md5_steps step, xmm0, xmm1, xmm2, xmm3
.irp word, 0, 1, 2, 3
vpaddd xmm\word, xmm\word, dword ptr [rdi + 4 * \word]{1to4}
.endr
.irp word, 0, 1, 2, 3
vmovd dword ptr [rdi + 4 * \word], xmm\word
.endr
add rsi, 64
dec rdx
jnz .Lblock
kp_mark kp_md5_avx512vl_compress_loop_end
vzeroupper
.Ldone:
ret
kp_end kp_md5_avx512vl_compress
