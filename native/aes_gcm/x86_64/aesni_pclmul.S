/* AES-GCM (NIST SP 800-38D) with AES-NI, pclmulqdq and SSSE3, in 128-bit registers.
 *
 * The entries of native/aes_gcm/aes_gcm.h:
 *   void prepare(void *prepared, const uint8_t *key, size_t key_length);
 *   void encipher(const void *prepared, const uint8_t in[16], uint8_t out[16]);
 *   void hash(const void *prepared, uint8_t y[16], const uint8_t *data, size_t length);
 *   void encrypt, decrypt(const void *prepared, uint8_t counter[16], uint8_t y[16], const uint8_t *in, uint8_t *out,
 *                         size_t length);
 *   void seal_message, open_message(const void *prepared, const uint8_t j0[16], const uint8_t *aad, size_t aad_length,
 *                         const uint8_t *in, uint8_t *out, size_t length, uint8_t tag[16]);
 *
 * Groups of eight blocks: eight AES states go through rounds 2 to 9 while eight blocks of ciphertext (when encrypting
 * those of the group before, when decrypting those of the same group) are multiplied by H^8 ... H^1 between the rounds
 * and reduced once. What is left, 0 to 127 bytes, goes with E(J0) and the block of lengths through one pass of AES and
 * one reduction: a short message consists of nothing else.
 *
 * The first round is cached (Park and Lee, "FACE: Fast AES CTR mode Encryption Techniques based on the Reuse of
 * Repetitive Data", TCHES 2018): the last counter byte reaches one column of round 1, so that the state after it is
 * C xor D[last byte], where C changes once in 256 blocks and D depends on the key alone. One load and one xor replace
 * the counter's add, its byte swap, the whitening and a round. A group that crosses a multiple of 256 is made without.
 * By llvm-mca's model of Skylake the loop takes 9.0 cycles a block with a key of 128 bits, where ten rounds alone would
 * take ten; on Zen 4, which multiplies every other cycle, it takes 8.9.
 *
 * Registers between the local functions:
 *   rdi prepared   rsi counter block (its first twelve bytes)   r10d counter of the next block, as a number
 *   rcx in   r8 out   r9 length left   xmm10 y, byte-reversed   xmm0-xmm7 states   xmm8, xmm9, xmm11, xmm12, xmm15 GHASH
 *   xmm13 round key   xmm14 C   rax, rdx, r11 scratch
 *
 * Layout of `prepared`: round keys at 0, number of rounds at 240, table of powers at 256, D at 768 (4096 bytes).
 */
#include "../../asm/x86_64.h"
#include "../../asm/x86_64_aes.h"
#include "../../asm/x86_64_pclmul.h"

#define POWERS 256
#define FIRST_ROUND 768

.section .rodata
kp_pclmul_constants
kp_aes_constants
/* 16 bytes from .Lmask + 16 - n keep the first n bytes. */
.Lmask:
.quad -1, -1, 0, 0
.Lnumbers:
.irp number, 0, 1, 2, 3, 4, 5, 6, 7, 8
.long \number, 0, 0, 0
.endr
.Lkeep_12:
.long -1, -1, -1, 0
.Llast_byte_1:
.quad 0, 0x0100000000000000
.Lkeep_15:
.byte 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0
.text

/* States through the round whose key is at `offset`. */
.macro one_round offset, states:vararg
.irp state, \states
aesenc \state, [rdi + \offset]
.endr
.endm

/* Whitened states through all rounds. Changes eax. */
.macro all_rounds states:vararg
.irp offset, 16, 32, 48, 64, 80, 96, 112, 128, 144
one_round \offset, \states
.endr
mov eax, [rdi + KP_AES_ROUNDS]
cmp eax, 12
jb .Llast_\@
one_round 160, \states
one_round 176, \states
je .Llast_\@
one_round 192, \states
one_round 208, \states
.Llast_\@:
shl eax, 4
.irp state, \states
aesenclast \state, [rdi + rax]
.endr
.endm

kp_function kp_aes_gcm_aesni_pclmul_prepare
kp_aes_expand_key
/* H = AES(0), and from it the powers. */
movdqa xmm0, [rdi]
all_rounds xmm0
lea rdx, [rdi + POWERS]
kp_pclmul_powers rdx

/* D[c] = the part of the state after round 1 that comes from last byte c, less that of a last byte of 0 after
 * whitening, which C has. */
movdqa xmm0, [rip + .Lkeep_15]
pandn xmm0, [rdi]
pxor xmm7, xmm7
aesenc xmm7, xmm7
movdqa xmm1, [rip + .Llast_byte_1]
movdqa xmm2, xmm1
paddb xmm2, xmm2
movdqa xmm3, xmm2
paddb xmm3, xmm2
pxor xmm4, xmm4
mov eax, FIRST_ROUND
.Lfirst_round_next:
movdqa xmm8, xmm0
pxor xmm8, xmm4
movdqa xmm9, xmm8
movdqa xmm10, xmm8
pxor xmm9, xmm1
pxor xmm10, xmm2
movdqa xmm11, xmm9
pxor xmm11, xmm2
.irp number, 8, 9, 10, 11
aesenc xmm\number, xmm7
movdqa [rdi + rax + 16 * (\number - 8)], xmm\number
.endr
paddb xmm4, xmm3
add eax, 64
cmp eax, FIRST_ROUND + 4096
jb .Lfirst_round_next
ret
kp_end kp_aes_gcm_aesni_pclmul_prepare

kp_function kp_aes_gcm_aesni_pclmul_encipher
movdqu xmm0, [rsi]
pxor xmm0, [rdi]
all_rounds xmm0
movdqu [rdx], xmm0
ret
kp_end kp_aes_gcm_aesni_pclmul_encipher

/* y takes in the r9 bytes at rcx. */
kp_local_function .Lhash
kp_pclmul_hash rdi+POWERS, kp_aes_gcm_aesni_pclmul_hash
ret
kp_end .Lhash

/* state = the counter block r10d + index, byte-reversed; xmm14 is the block for r10d, byte-reversed. */
.macro counter_block state, index
movdqa \state, [rip + .Lnumbers + 16 * \index]
paddd \state, xmm14
pshufb \state, [rip + .Lreverse_bytes]
pxor \state, [rdi]
.endm

/* xmm14 = the block for r10d, byte-reversed. Changes xmm13. */
.macro reversed_counter
movdqu xmm14, [rsi]
pand xmm14, [rip + .Lkeep_12]
pshufb xmm14, [rip + .Lreverse_bytes]
movd xmm13, r10d
por xmm14, xmm13
.endm

/* xmm14 = C for the counter `number`. Changes eax, xmm13. */
.macro first_round_constant number
mov eax, \number
xor al, al
bswap eax
movd xmm13, eax
pslldq xmm13, 12
movdqu xmm14, [rsi]
pand xmm14, [rip + .Lkeep_12]
por xmm14, xmm13
pxor xmm14, [rdi]
pand xmm14, [rip + .Lkeep_15]
aesenc xmm14, [rdi + 16]
.endm

/* xmm0-xmm7 = the states of the eight blocks from r10d after round 1; r10d counts on. .Lcross_\@ is reached when the
 * group crosses, or ends at, a multiple of 256. */
.macro first_round name
movzx eax, r10b
cmp eax, 247
ja .Lcross_\name
shl eax, 4
lea rax, [rdi + rax + FIRST_ROUND]
add r10d, 8
.irp number, 0, 1, 2, 3, 4, 5, 6, 7
movdqa xmm\number, [rax + 16 * \number]
pxor xmm\number, xmm14
.endr
.Lcrossed_\name:
.endm

.macro first_round_crossing name
.Lcross_\name:
reversed_counter
.irp number, 0, 1, 2, 3, 4, 5, 6, 7
counter_block xmm\number, \number
.endr
one_round 16, xmm0, xmm1, xmm2, xmm3, xmm4, xmm5, xmm6, xmm7
add r10d, 8
first_round_constant r10d
jmp .Lcrossed_\name
.endm

/* One round of the eight states. */
.macro round_of_eight offset
movdqa xmm13, [rdi + \offset]
.irp number, 0, 1, 2, 3, 4, 5, 6, 7
aesenc xmm\number, xmm13
.endr
.endm

/* Rounds 10 to 13, as many as the key has. */
.macro more_rounds_of_eight
mov eax, [rdi + KP_AES_ROUNDS]
cmp eax, 12
jb .Lenough_\@
round_of_eight 160
round_of_eight 176
je .Lenough_\@
round_of_eight 192
round_of_eight 208
.Lenough_\@:
shl eax, 4
movdqa xmm13, [rdi + rax]
.endm

/* The last round and the text; in and out advance. */
.macro last_round_and_text
.irp number, 0, 1, 2, 3, 4, 5, 6, 7
movdqu xmm11, [rcx + 16 * \number]
pxor xmm11, xmm13
aesenclast xmm\number, xmm11
.endr
.irp number, 0, 1, 2, 3, 4, 5, 6, 7
movdqu [r8 + 16 * \number], xmm\number
.endr
sub rcx, -128
sub r8, -128
.endm

/* Rounds 2 to 9 with the GHASH of the eight blocks at `data` between them, and the reduction. */
.macro rounds_and_hash data:vararg
round_of_eight 32
movdqu xmm11, [\data]
pshufb xmm11, [rip + .Lreverse_bytes]
pxor xmm11, xmm10
kp_pclmul_first rdi + POWERS + 128
.irp number, 1, 2, 3, 4, 5, 6, 7
round_of_eight 32+16*\number
movdqu xmm11, [\data + 16 * \number]
pshufb xmm11, [rip + .Lreverse_bytes]
kp_pclmul_add rdi + POWERS + 128 + 16 * \number
.endr
kp_pclmul_reduce
.endm

/* Whole groups of eight blocks, at least one; r9 keeps what is left. */
kp_local_function .Lencrypt_groups
first_round_constant r10d
first_round encrypt_first
.irp number, 2, 3, 4, 5, 6, 7, 8, 9
round_of_eight 16*\number
.endr
more_rounds_of_eight
last_round_and_text
add r9, -256
jnc .Lencrypt_last
.p2align 5
kp_mark kp_aes_gcm_aesni_pclmul_encrypt_loop_begin
.Lencrypt_group:
first_round encrypt_next
rounds_and_hash r8 - 128
more_rounds_of_eight
last_round_and_text
add r9, -128
jc .Lencrypt_group
kp_mark kp_aes_gcm_aesni_pclmul_encrypt_loop_end
.Lencrypt_last:
sub r9, -128
kp_pclmul_eight r8-128, rdi+POWERS
ret
first_round_crossing encrypt_first
first_round_crossing encrypt_next
kp_end .Lencrypt_groups

kp_local_function .Ldecrypt_groups
first_round_constant r10d
add r9, -128
.p2align 5
kp_mark kp_aes_gcm_aesni_pclmul_decrypt_loop_begin
.Ldecrypt_group:
first_round decrypt
rounds_and_hash rcx
more_rounds_of_eight
last_round_and_text
add r9, -128
jc .Ldecrypt_group
kp_mark kp_aes_gcm_aesni_pclmul_decrypt_loop_end
sub r9, -128
ret
first_round_crossing decrypt
kp_end .Ldecrypt_groups

/* The last 0 to 127 bytes, at rcx, and in the same pass of AES the block at rsi, which ends up in xmm7. The caller has
 * set the sums, xmm14 to what is added to the first block (y, or zero where the sums have it), and r11 to the power for
 * that block. Leaves the sums unreduced, xmm14 for the block that follows and r11 at its power. */
.macro rest name
movdqa xmm15, xmm14
reversed_counter
movdqu xmm7, [rsi]
pxor xmm7, [rdi]
lea eax, [r9 + 15]
shr eax, 4
add r10d, eax
.irp number, 0, 1, 2
counter_block xmm\number, \number
.endr
cmp r9d, 48
ja .Lrest_more_\name
all_rounds xmm0, xmm1, xmm2, xmm7
jmp .Lrest_enciphered_\name
.Lrest_more_\name:
counter_block xmm3, 3
counter_block xmm4, 4
cmp r9d, 80
ja .Lrest_many_\name
all_rounds xmm0, xmm1, xmm2, xmm3, xmm4, xmm7
jmp .Lrest_enciphered_\name
.Lrest_many_\name:
counter_block xmm5, 5
counter_block xmm6, 6
counter_block xmm13, 7
all_rounds xmm0, xmm1, xmm2, xmm3, xmm4, xmm5, xmm6, xmm13, xmm7
.Lrest_enciphered_\name:
movdqa xmm14, xmm15
sub r9, 16
jb .Lrest_part_\name
.Lrest_block_\name:
movdqu xmm11, [rcx]
pxor xmm0, xmm11
movdqu [r8], xmm0
.ifc \name, encrypt
movdqa xmm11, xmm0
.endif
pshufb xmm11, [rip + .Lreverse_bytes]
pxor xmm11, xmm14
pxor xmm14, xmm14
kp_pclmul_add r11
movdqa xmm0, xmm1
movdqa xmm1, xmm2
movdqa xmm2, xmm3
movdqa xmm3, xmm4
movdqa xmm4, xmm5
movdqa xmm5, xmm6
movdqa xmm6, xmm13
add rcx, 16
add r8, 16
add r11, 16
sub r9, 16
jae .Lrest_block_\name
.Lrest_part_\name:
add r9, 16
jz .Lrest_done_\name
kp_pclmul_load_partial rcx, r9
lea rax, [rip + .Lmask + 16]
sub rax, r9
movdqu xmm12, [rax]
pand xmm0, xmm12
pxor xmm0, xmm11
.ifc \name, encrypt
movdqa xmm11, xmm0
.endif
pshufb xmm11, [rip + .Lreverse_bytes]
pxor xmm11, xmm14
pxor xmm14, xmm14
kp_pclmul_add r11
add r11, 16
kp_pclmul_store_partial r8, r9, xmm0
.Lrest_done_\name:
ret
.endm

kp_local_function .Lencrypt_rest
rest encrypt
kp_end .Lencrypt_rest

kp_local_function .Ldecrypt_rest
rest decrypt
kp_end .Ldecrypt_rest

/* r11 = the power for the first of `blocks` blocks more than hold the r9 bytes left. */
.macro power_for_rest blocks
lea r11, [r9 + 15 + 16 * \blocks]
and r11, -16
neg r11
lea r11, [rdi + r11 + POWERS + 256]
.endm

.macro clear_sums
pxor xmm8, xmm8
pxor xmm9, xmm9
pxor xmm10, xmm10
.endm

kp_function kp_aes_gcm_aesni_pclmul_hash
movdqu xmm10, [rsi]
mov r9, rcx
mov rcx, rdx
pshufb xmm10, [rip + .Lreverse_bytes]
call .Lhash
pshufb xmm10, [rip + .Lreverse_bytes]
movdqu [rsi], xmm10
ret
kp_end kp_aes_gcm_aesni_pclmul_hash

.macro stream name
kp_function kp_aes_gcm_aesni_pclmul_\name
kp_push rbx
mov rbx, rdx
mov r10d, [rsi + 12]
bswap r10d
movdqu xmm10, [rdx]
pshufb xmm10, [rip + .Lreverse_bytes]
cmp r9, 128
jb .Lstream_rest_\name
call .L\name\()_groups
.Lstream_rest_\name:
test r9, r9
jz .Lstream_done_\name
movdqa xmm14, xmm10
clear_sums
power_for_rest 0
call .L\name\()_rest
kp_pclmul_reduce
.Lstream_done_\name:
pshufb xmm10, [rip + .Lreverse_bytes]
movdqu [rbx], xmm10
bswap r10d
mov [rsi + 12], r10d
kp_pop rbx
ret
kp_end kp_aes_gcm_aesni_pclmul_\name
.endm

stream encrypt
stream decrypt

/* rbx length of the AAD, rbp out until r8 is free for it; two arguments are on the stack. */
.macro message name, direction
kp_function kp_aes_gcm_aesni_pclmul_\name\()_message
kp_push rbx
kp_push rbp
mov rbx, rcx
mov rcx, rdx
mov rbp, r9
mov r9, [rsp + 24]
mov r10d, [rsi + 12]
bswap r10d
inc r10d
cmp rbx, 16
ja .Lmessage_long_\name
cmp r9, 128
jae .Lmessage_long_\name
/* One group: the block of AAD, the text and the lengths. */
clear_sums
pxor xmm14, xmm14
power_for_rest 1
test rbx, rbx
jz .Lmessage_rest_\name
sub r11, 16
cmp rbx, 16
je .Lmessage_aad_block_\name
kp_pclmul_load_partial rcx, rbx
jmp .Lmessage_aad_\name
.Lmessage_aad_block_\name:
movdqu xmm11, [rcx]
.Lmessage_aad_\name:
pshufb xmm11, [rip + .Lreverse_bytes]
kp_pclmul_first r11
add r11, 16
.Lmessage_rest_\name:
mov rcx, r8
mov r8, rbp
jmp .Lmessage_last_\name
.Lmessage_long_\name:
mov r9, rbx
pxor xmm10, xmm10
call .Lhash
mov rcx, r8
mov r8, rbp
mov r9, [rsp + 24]
cmp r9, 128
jb .Lmessage_short_text_\name
call .L\direction\()_groups
.Lmessage_short_text_\name:
movdqa xmm14, xmm10
clear_sums
power_for_rest 1
.Lmessage_last_\name:
call .L\direction\()_rest
mov rax, [rsp + 24]
shl rax, 3
shl rbx, 3
movq xmm11, rax
movq xmm12, rbx
punpcklqdq xmm11, xmm12
pxor xmm11, xmm14
kp_pclmul_add r11
kp_pclmul_reduce
pshufb xmm10, [rip + .Lreverse_bytes]
pxor xmm10, xmm7
mov rax, [rsp + 32]
movdqu [rax], xmm10
kp_pop rbp
kp_pop rbx
ret
kp_end kp_aes_gcm_aesni_pclmul_\name\()_message
.endm

message seal, encrypt
message open, decrypt
