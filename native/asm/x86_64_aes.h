/* The AES key schedule (FIPS 197, section 5.2) with AES-NI: what the kernels of aes-gcm share.
 *
 * Round keys lie at 0 of `prepared`, as many as the key has, and their number less one at KP_AES_ROUNDS. SubWord is one
 * aesenclast on a register whose columns are all alike, so that ShiftRows changes nothing: four cycles instead of the
 * dozen of aeskeygenassist.
 */
#ifndef KP_ASM_X86_64_AES_H
#define KP_ASM_X86_64_AES_H

#define KP_AES_ROUNDS 240

/* What the macros read from memory; a file that uses them puts it once into .rodata. */
.macro kp_aes_constants
.p2align 4
/* The bytes that RotWord makes of word 3, or of word 1, in all columns. */
.Lrotate_word_3:
.long 0x0c0f0e0d, 0x0c0f0e0d, 0x0c0f0e0d, 0x0c0f0e0d
.Lrotate_word_1:
.long 0x04070605, 0x04070605, 0x04070605, 0x04070605
.endm

/* key = the next round key of its kind. `how` brings the word before it into all columns of xmm2; the round constant is
 * in all columns of xmm4. Changes xmm3. */
.macro kp_aes_expand key, constant, how:vararg
\how
movdqa xmm3, \key
pslldq xmm3, 4
pxor \key, xmm3
movdqa xmm3, \key
aesenclast xmm2, \constant
pslldq xmm3, 8
pxor \key, xmm3
pxor \key, xmm2
.endm

.macro kp_aes_spread_rotated from, mask
movdqa xmm2, \from
pshufb xmm2, [rip + \mask]
.endm

.macro kp_aes_spread from
pshufd xmm2, \from, 0xff
.endm

/* Expands the key of rdx bytes at rsi into the round keys at rdi. Changes eax, edx, xmm0-xmm5. */
.macro kp_aes_expand_key
movdqu xmm0, [rsi]
movdqa [rdi], xmm0
pxor xmm5, xmm5
mov eax, 1
movd xmm4, eax
pshufd xmm4, xmm4, 0
cmp rdx, 24
ja .Lexpand_256
je .Lexpand_192

mov dword ptr [rdi + KP_AES_ROUNDS], 10
mov eax, 16
.Lexpand_128_next:
kp_aes_expand xmm0, xmm4, kp_aes_spread_rotated xmm0, .Lrotate_word_3
movdqa [rdi + rax], xmm0
pslld xmm4, 1
add eax, 16
cmp eax, 144
jb .Lexpand_128_next
mov edx, 0x1b
movd xmm4, edx
pshufd xmm4, xmm4, 0
kp_aes_expand xmm0, xmm4, kp_aes_spread_rotated xmm0, .Lrotate_word_3
movdqa [rdi + 144], xmm0
pslld xmm4, 1
kp_aes_expand xmm0, xmm4, kp_aes_spread_rotated xmm0, .Lrotate_word_3
movdqa [rdi + 160], xmm0
jmp .Lexpanded

.Lexpand_192:
mov dword ptr [rdi + KP_AES_ROUNDS], 12
movq xmm1, qword ptr [rsi + 16]
movq qword ptr [rdi + 16], xmm1
mov eax, 24
.Lexpand_192_next:
kp_aes_expand xmm0, xmm4, kp_aes_spread_rotated xmm1, .Lrotate_word_1
movdqu [rdi + rax], xmm0
movdqa xmm3, xmm1
pshufd xmm2, xmm0, 0xff
pslldq xmm3, 4
pxor xmm1, xmm3
pxor xmm1, xmm2
movq qword ptr [rdi + rax + 16], xmm1
pslld xmm4, 1
add eax, 24
cmp eax, 216
jb .Lexpand_192_next
jmp .Lexpanded

.Lexpand_256:
mov dword ptr [rdi + KP_AES_ROUNDS], 14
movdqu xmm1, [rsi + 16]
movdqa [rdi + 16], xmm1
mov eax, 32
.Lexpand_256_next:
kp_aes_expand xmm0, xmm4, kp_aes_spread_rotated xmm1, .Lrotate_word_3
movdqa [rdi + rax], xmm0
cmp eax, 224
je .Lexpanded
kp_aes_expand xmm1, xmm5, kp_aes_spread xmm0
movdqa [rdi + rax + 16], xmm1
pslld xmm4, 1
add eax, 32
jmp .Lexpand_256_next

.Lexpanded:
.endm

#endif
