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

/* a = b + rotate(a + f(b, c, d) + word + constant), for each of the four f. Constants are added as signed numbers. */
.macro step_begin a, word, constant
add \a, dword ptr [rsi + 4 * \word]
lea \a, [\a + \constant - ((\constant >> 31) << 32)]
.endm

.macro step_end a, b, rotation
rol \a, \rotation
add \a, \b
.endm

.macro step_f a, b, c, d, word, rotation, constant
mov r10d, \c
step_begin \a, \word, \constant
xor r10d, \d
and r10d, \b
xor r10d, \d
add \a, r10d
step_end \a, \b, \rotation
.endm

.macro step_g a, b, c, d, word, rotation, constant
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

.macro step_h a, b, c, d, word, rotation, constant
mov r10d, \c
step_begin \a, \word, \constant
xor r10d, \d
xor r10d, \b
add \a, r10d
step_end \a, \b, \rotation
.endm

.macro step_i a, b, c, d, word, rotation, constant
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
step_f eax, ecx, r8d, r9d, 0, 7, 0xd76aa478
step_f r9d, eax, ecx, r8d, 1, 12, 0xe8c7b756
step_f r8d, r9d, eax, ecx, 2, 17, 0x242070db
step_f ecx, r8d, r9d, eax, 3, 22, 0xc1bdceee
step_f eax, ecx, r8d, r9d, 4, 7, 0xf57c0faf
step_f r9d, eax, ecx, r8d, 5, 12, 0x4787c62a
step_f r8d, r9d, eax, ecx, 6, 17, 0xa8304613
step_f ecx, r8d, r9d, eax, 7, 22, 0xfd469501
step_f eax, ecx, r8d, r9d, 8, 7, 0x698098d8
step_f r9d, eax, ecx, r8d, 9, 12, 0x8b44f7af
step_f r8d, r9d, eax, ecx, 10, 17, 0xffff5bb1
step_f ecx, r8d, r9d, eax, 11, 22, 0x895cd7be
step_f eax, ecx, r8d, r9d, 12, 7, 0x6b901122
step_f r9d, eax, ecx, r8d, 13, 12, 0xfd987193
step_f r8d, r9d, eax, ecx, 14, 17, 0xa679438e
step_f ecx, r8d, r9d, eax, 15, 22, 0x49b40821
step_g eax, ecx, r8d, r9d, 1, 5, 0xf61e2562
step_g r9d, eax, ecx, r8d, 6, 9, 0xc040b340
step_g r8d, r9d, eax, ecx, 11, 14, 0x265e5a51
step_g ecx, r8d, r9d, eax, 0, 20, 0xe9b6c7aa
step_g eax, ecx, r8d, r9d, 5, 5, 0xd62f105d
step_g r9d, eax, ecx, r8d, 10, 9, 0x02441453
step_g r8d, r9d, eax, ecx, 15, 14, 0xd8a1e681
step_g ecx, r8d, r9d, eax, 4, 20, 0xe7d3fbc8
step_g eax, ecx, r8d, r9d, 9, 5, 0x21e1cde6
step_g r9d, eax, ecx, r8d, 14, 9, 0xc33707d6
step_g r8d, r9d, eax, ecx, 3, 14, 0xf4d50d87
step_g ecx, r8d, r9d, eax, 8, 20, 0x455a14ed
step_g eax, ecx, r8d, r9d, 13, 5, 0xa9e3e905
step_g r9d, eax, ecx, r8d, 2, 9, 0xfcefa3f8
step_g r8d, r9d, eax, ecx, 7, 14, 0x676f02d9
step_g ecx, r8d, r9d, eax, 12, 20, 0x8d2a4c8a
step_h eax, ecx, r8d, r9d, 5, 4, 0xfffa3942
step_h r9d, eax, ecx, r8d, 8, 11, 0x8771f681
step_h r8d, r9d, eax, ecx, 11, 16, 0x6d9d6122
step_h ecx, r8d, r9d, eax, 14, 23, 0xfde5380c
step_h eax, ecx, r8d, r9d, 1, 4, 0xa4beea44
step_h r9d, eax, ecx, r8d, 4, 11, 0x4bdecfa9
step_h r8d, r9d, eax, ecx, 7, 16, 0xf6bb4b60
step_h ecx, r8d, r9d, eax, 10, 23, 0xbebfbc70
step_h eax, ecx, r8d, r9d, 13, 4, 0x289b7ec6
step_h r9d, eax, ecx, r8d, 0, 11, 0xeaa127fa
step_h r8d, r9d, eax, ecx, 3, 16, 0xd4ef3085
step_h ecx, r8d, r9d, eax, 6, 23, 0x04881d05
step_h eax, ecx, r8d, r9d, 9, 4, 0xd9d4d039
step_h r9d, eax, ecx, r8d, 12, 11, 0xe6db99e5
step_h r8d, r9d, eax, ecx, 15, 16, 0x1fa27cf8
step_h ecx, r8d, r9d, eax, 2, 23, 0xc4ac5665
step_i eax, ecx, r8d, r9d, 0, 6, 0xf4292244
step_i r9d, eax, ecx, r8d, 7, 10, 0x432aff97
step_i r8d, r9d, eax, ecx, 14, 15, 0xab9423a7
step_i ecx, r8d, r9d, eax, 5, 21, 0xfc93a039
step_i eax, ecx, r8d, r9d, 12, 6, 0x655b59c3
step_i r9d, eax, ecx, r8d, 3, 10, 0x8f0ccc92
step_i r8d, r9d, eax, ecx, 10, 15, 0xffeff47d
step_i ecx, r8d, r9d, eax, 1, 21, 0x85845dd1
step_i eax, ecx, r8d, r9d, 8, 6, 0x6fa87e4f
step_i r9d, eax, ecx, r8d, 15, 10, 0xfe2ce6e0
step_i r8d, r9d, eax, ecx, 6, 15, 0xa3014314
step_i ecx, r8d, r9d, eax, 13, 21, 0x4e0811a1
step_i eax, ecx, r8d, r9d, 4, 6, 0xf7537e82
step_i r9d, eax, ecx, r8d, 11, 10, 0xbd3af235
step_i r8d, r9d, eax, ecx, 2, 15, 0x2ad7d2bb
step_i ecx, r8d, r9d, eax, 9, 21, 0xeb86d391
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
