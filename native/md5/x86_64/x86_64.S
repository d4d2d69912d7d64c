/* MD5 (RFC 1321) with plain x86-64 instructions.
 *
 * void compress(uint32_t state[4], const uint8_t *data, size_t blocks);
 *
 * Every step waits for the one before: the time is the length of the chain from b to b. All that needs older words only
 * (a + constant + message word, c xor d, c and not d) is computed beside it. What is left of the chain is five
 * instructions in rounds F and I and four in G and H: in G the two halves of (b and d) or (c and not d) have no bit in
 * common, so that they may be added to a one after the other, and only the half with b lies on the chain. 288 cycles a
 * block, 4.5 a byte, where the usual form of G takes 304.
 *
 * Registers: rdi state, rsi data, rdx blocks left; eax, ecx, r8d, r9d a, b, c, d in turn; r10d, r11d scratch.
 */
#include "../../asm/x86_64.h"
#include "../../asm/x86_64_md5.h"

/* a = b + rotate(a + f(b, c, d) + word + constant), for each of the four f. Constants are added as signed numbers. */
.macro step_begin a, word, constant
add \a, dword ptr [rsi + 4 * \word]
lea \a, [\a + \constant - ((\constant >> 31) << 32)]
.endm

.macro step_end a, b, rotation
rol \a, \rotation
add \a, \b
.endm

.macro step_f a, b, c, d, word, rotation, constant, number
mov r10d, \c
step_begin \a, \word, \constant
xor r10d, \d
and r10d, \b
xor r10d, \d
add \a, r10d
step_end \a, \b, \rotation
.endm

.macro step_g a, b, c, d, word, rotation, constant, number
mov r11d, \d
mov r10d, \d
not r11d
step_begin \a, \word, \constant
and r11d, \c
and r10d, \b
add \a, r11d
add \a, r10d
step_end \a, \b, \rotation
.endm

.macro step_h a, b, c, d, word, rotation, constant, number
mov r10d, \c
step_begin \a, \word, \constant
xor r10d, \d
xor r10d, \b
add \a, r10d
step_end \a, \b, \rotation
.endm

.macro step_i a, b, c, d, word, rotation, constant, number
mov r10d, \d
not r10d
step_begin \a, \word, \constant
or r10d, \b
xor r10d, \c
add \a, r10d
step_end \a, \b, \rotation
.endm

kp_function kp_md5_x86_64_compress
test rdx, rdx
jz .Ldone
mov eax, [rdi]
mov ecx, [rdi + 4]
mov r8d, [rdi + 8]
mov r9d, [rdi + 12]
.p2align 5
kp_mark kp_md5_x86_64_compress_loop_begin
.Lblock:
kp_md5_steps step, eax, ecx, r8d, r9d
add eax, [rdi]
add ecx, [rdi + 4]
add r8d, [rdi + 8]
add r9d, [rdi + 12]
mov [rdi], eax
mov [rdi + 4], ecx
mov [rdi + 8], r8d
mov [rdi + 12], r9d
add rsi, 64
dec rdx
jnz .Lblock
kp_mark kp_md5_x86_64_compress_loop_end
.Ldone:
ret
kp_end kp_md5_x86_64_compress
