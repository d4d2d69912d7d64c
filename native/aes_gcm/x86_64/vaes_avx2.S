/* AES-GCM (NIST SP 800-38D) with VAES, vpclmulqdq and AVX2, in 256-bit registers.
 *
 * The entries of native/aes_gcm/aes_gcm.h but encipher, which is that of aesni-pclmul:
 *   void prepare(void *prepared, const uint8_t *key, size_t key_length);
 *   void hash(const void *prepared, uint8_t y[16], const uint8_t *data, size_t length);
 *   void encrypt, decrypt(const void *prepared, uint8_t counter[16], uint8_t y[16], const uint8_t *in, uint8_t *out,
 *                         size_t length);
 *   void seal_message, open_message(const void *prepared, const uint8_t j0[16], const uint8_t *aad, size_t aad_length,
 *                         const uint8_t *in, uint8_t *out, size_t length, uint8_t tag[16]);
 *
 * Groups of sixteen blocks, two a register: the states go through rounds 2 to 9 while sixteen blocks of ciphertext
 * (when encrypting those of the group before, when decrypting those of the same group) are multiplied between the
 * rounds; every second group reduces. What is left, 0 to 255 bytes, goes with E(J0) and the block of lengths through
 * one pass of AES and one reduction: a short message consists of nothing else. The arithmetic of GHASH is in
 * native/asm/x86_64_vpclmul_avx2.h.
 *
 * The first round is cached (Park and Lee, "FACE: Fast AES CTR mode Encryption Techniques based on the Reuse of
 * Repetitive Data", TCHES 2018): the last counter byte reaches one column of round 1, so that the state after it is C
 * xor D[last byte], where C changes once in 256 blocks and D depends on the key alone. One xor replaces the counter's
 * add, its byte swap, the whitening and a round: on Zen 4 that is 7 % of the throughput with a key of 128 bits and 5 %
 * with one of 256. A group that crosses a multiple of 256 is made without.
 *
 * Registers between the local functions:
 *   rdi prepared   rsi counter block (its first twelve bytes)   r10d counter of the next block, as a number
 *   rcx in   r8 out   r9 length left   xmm15 y, byte-reversed   ymm0-ymm7 states   ymm8-ymm12, ymm15 GHASH
 *   ymm13 round key   ymm14 C   rdx, r11 powers of H   rax scratch
 *
 * Layout of `prepared`: round keys at 0, number of rounds at 240, table of powers at 256, D at 1280 (4096 bytes).
 */
#include "../../asm/x86_64.h"
#include "../../asm/x86_64_aes.h"
#include "../../asm/x86_64_vpclmul_avx2.h"

#define POWERS 256
#define FIRST_ROUND 1280

.section .rodata
kp_vpclmul_constants
kp_aes_constants
.p2align 5
.Lnumbers:
.irp number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
.long \number, 0, 0, 0
.endr
/* 32 bytes from .Lmask + 32 - n keep the first n bytes. */
.Lmask:
.quad -1, -1, -1, -1, 0, 0, 0, 0
.Lkeep_12:
.long -1, -1, -1, 0
.Lkeep_15:
.byte 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0
.Llast_bytes:
.irp number, 0, 1, 2, 3, 4, 5, 6, 7
.quad 0, \number << 56
.endr
.Llast_byte_8:
.quad 0, 8 << 56
.text

/* States through the round whose key is at `offset`, and xmm14 with them. Changes ymm11. */
.macro one_round offset, states:vararg
vbroadcasti128 ymm11, [rdi + \offset]
.irp state, \states
vaesenc \state, \state, ymm11
.endr
vaesenc xmm14, xmm14, xmm11
.endm

/* Whitened states, and xmm14, through all rounds. Changes eax, ymm11. */
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
vbroadcasti128 ymm11, [rdi + rax]
.irp state, \states
vaesenclast \state, \state, ymm11
.endr
vaesenclast xmm14, xmm14, xmm11
.endm

kp_function kp_aes_gcm_vaes_avx2_prepare
kp_aes_expand_key
/* D[c] = the part of the state after round 1 that comes from last byte c, less that of a last byte of 0 after
 * whitening, which C has. */
vmovdqa xmm0, [rip + .Lkeep_15]
vpandn xmm0, xmm0, [rdi]
vpxor xmm7, xmm7, xmm7
vaesenc xmm7, xmm7, xmm7
vinserti128 ymm0, ymm0, xmm0, 1
vinserti128 ymm7, ymm7, xmm7, 1
vbroadcasti128 ymm6, [rip + .Llast_byte_8]
.irp number, 3, 2, 1, 0
vpxor ymm\number, ymm0, [rip + .Llast_bytes + 32 * \number]
.endr
vpxor xmm4, xmm4, xmm4
lea rax, [rdi + FIRST_ROUND]
lea rdx, [rdi + FIRST_ROUND + 4096]
.Lfirst_round_next:
.irp number, 0, 1, 2, 3
vpxor ymm5, ymm4, ymm\number
vaesenc ymm5, ymm5, ymm7
vmovdqa [rax + 32 * \number], ymm5
.endr
vpaddb ymm4, ymm4, ymm6
sub rax, -128
cmp rax, rdx
jb .Lfirst_round_next
/* H = AES(0), and from it the powers. */
vpxor xmm14, xmm14, xmm14
vmovdqa xmm0, [rdi]
all_rounds ymm0
kp_vpclmul_powers rdi + POWERS
vzeroupper
ret
kp_end kp_aes_gcm_vaes_avx2_prepare

/* y takes in the r9 bytes at rcx. */
kp_local_function .Lhash
kp_vpclmul_hash kp_aes_gcm_vaes_avx2_hash, rdi + POWERS
ret
kp_vpclmul_hash_aside
kp_end .Lhash

/* ymm14 = the block for r10d, byte-reversed, in both lanes; ymm13 = the first round key. */
.macro reversed_counter
vmovdqu xmm14, [rsi]
vpand xmm14, xmm14, [rip + .Lkeep_12]
vpshufb xmm14, xmm14, [rip + .Lreverse_bytes]
vmovd xmm13, r10d
vpor xmm14, xmm14, xmm13
vinserti128 ymm14, ymm14, xmm14, 1
vbroadcasti128 ymm13, [rdi]
.endm

/* A whitened state for two blocks, from what reversed_counter left. */
.macro counter_blocks number
vpaddd ymm\number, ymm14, [rip + .Lnumbers + 32 * \number]
vpshufb ymm\number, ymm\number, [rip + .Lreverse_bytes]
vpxor ymm\number, ymm\number, ymm13
.endm

/* ymm14 = C for the counter r10d. Changes eax, xmm13. */
.macro first_round_constant
mov eax, r10d
xor al, al
bswap eax
vmovd xmm13, eax
vpslldq xmm13, xmm13, 12
vmovdqu xmm14, [rsi]
vpand xmm14, xmm14, [rip + .Lkeep_12]
vpor xmm14, xmm14, xmm13
vpxor xmm14, xmm14, [rdi]
vpand xmm14, xmm14, [rip + .Lkeep_15]
vaesenc xmm14, xmm14, [rdi + 16]
vinserti128 ymm14, ymm14, xmm14, 1
.endm

/* ymm0-ymm7 = the states of the sixteen blocks from r10d after round 1; r10d counts on. */
.macro first_round name
movzx eax, r10b
cmp eax, 239
ja .Lcross_\name
shl eax, 4
lea rax, [rdi + rax + FIRST_ROUND]
add r10d, 16
.irp number, 0, 1, 2, 3, 4, 5, 6, 7
vpxor ymm\number, ymm14, [rax + 32 * \number]
.endr
.Lcrossed_\name:
.endm

/* The same where the group crosses, or ends at, a multiple of 256; to be put out of the way. */
.macro first_round_crossing name
.Lcross_\name:
reversed_counter
.irp number, 0, 1, 2, 3, 4, 5, 6, 7
counter_blocks \number
.endr
round_of_eight 16
add r10d, 16
first_round_constant
jmp .Lcrossed_\name
.endm

/* One round of the eight states. */
.macro round_of_eight offset
vbroadcasti128 ymm13, [rdi + \offset]
.irp number, 0, 1, 2, 3, 4, 5, 6, 7
vaesenc ymm\number, ymm\number, ymm13
.endr
.endm

/* Rounds 10 to 13, as many as the key has; ymm13 = the last round key. */
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
vbroadcasti128 ymm13, [rdi + rax]
.endm

/* The last round, whose key takes the text in: that xor waits for nothing. In and out advance. Changes ymm11. */
.macro last_round_and_text
.irp number, 0, 1, 2, 3, 4, 5, 6, 7
vpxor ymm11, ymm13, [rcx + 32 * \number]
vaesenclast ymm\number, ymm\number, ymm11
vmovdqu [r8 + 32 * \number], ymm\number
.endr
add rcx, 256
add r8, 256
.endm

/* The rounds with the keys at `round` and after it, with the GHASH of four blocks at `data` between the states. */
.macro two_rounds_and_hash round, first, offset, data:vararg
vbroadcasti128 ymm13, [rdi + \round]
.irp number, 0, 1, 2, 3
woven_pair \number
kp_vpclmul_four_part \number, \first, \offset, \data
.endr
vbroadcasti128 ymm13, [rdi + \round + 16]
.irp number, 0, 1, 2, 3
woven_pair \number
kp_vpclmul_four_part \number+4, \first, \offset, \data
.endr
.endm

.macro woven_pair number
.if \number == 0
vaesenc ymm0, ymm0, ymm13
vaesenc ymm1, ymm1, ymm13
.elseif \number == 1
vaesenc ymm2, ymm2, ymm13
vaesenc ymm3, ymm3, ymm13
.elseif \number == 2
vaesenc ymm4, ymm4, ymm13
vaesenc ymm5, ymm5, ymm13
.else
vaesenc ymm6, ymm6, ymm13
vaesenc ymm7, ymm7, ymm13
.endif
.endm

/* Rounds 2 to 9 with the GHASH of the sixteen blocks at `data` between them. */
.macro rounds_and_hash data:vararg
two_rounds_and_hash 32, 1, 0, \data
two_rounds_and_hash 64, 0, 64, \data + 64
two_rounds_and_hash 96, 0, 128, \data + 128
two_rounds_and_hash 128, 0, 192, \data + 192
.endm

/* Whole groups of sixteen blocks, at least one; r9 keeps what is left. */
kp_local_function .Lencrypt_groups
first_round_constant
kp_vpclmul_first_group r9, rdi + POWERS
first_round encrypt_first
.irp number, 2, 3, 4, 5, 6, 7, 8, 9
round_of_eight 16*\number
.endr
more_rounds_of_eight
last_round_and_text
sub r9, 512
jb .Lencrypt_last
.p2align 5
kp_mark kp_aes_gcm_vaes_avx2_encrypt_loop_begin
.Lencrypt_group:
first_round encrypt_next
rounds_and_hash r8 - 256
kp_vpclmul_next_group encrypt
more_rounds_of_eight
last_round_and_text
sub r9, 256
jae .Lencrypt_group
kp_mark kp_aes_gcm_vaes_avx2_encrypt_loop_end
.Lencrypt_last:
add r9, 256
kp_vpclmul_four 1, 0, r8 - 256
kp_vpclmul_four 0, 64, r8 - 192
kp_vpclmul_four 0, 128, r8 - 128
kp_vpclmul_four 0, 192, r8 - 64
kp_vpclmul_reduce
ret
first_round_crossing encrypt_first
first_round_crossing encrypt_next
kp_vpclmul_lower_powers encrypt
kp_end .Lencrypt_groups

kp_local_function .Ldecrypt_groups
first_round_constant
kp_vpclmul_first_group r9, rdi + POWERS
sub r9, 256
.p2align 5
kp_mark kp_aes_gcm_vaes_avx2_decrypt_loop_begin
.Ldecrypt_group:
first_round decrypt
rounds_and_hash rcx
kp_vpclmul_next_group decrypt
more_rounds_of_eight
last_round_and_text
sub r9, 256
jae .Ldecrypt_group
kp_mark kp_aes_gcm_vaes_avx2_decrypt_loop_end
add r9, 256
ret
first_round_crossing decrypt
kp_vpclmul_lower_powers decrypt
kp_end .Ldecrypt_groups

/* The last 0 to 255 bytes, at rcx, and in the same pass of AES the block at rsi, which ends up in xmm14. The caller has
 * set the sums, xmm15 to what is added to the first block (y, or zero where the sums have it), and r11 to the power for
 * that block. Leaves the sums unreduced and xmm15 for a block that follows. */
.macro rest name
reversed_counter
lea eax, [r9 + 15]
shr eax, 4
add r10d, eax
.irp number, 0, 1, 2, 3
counter_blocks \number
.endr
cmp r9d, 128
ja .Lrest_many_\name
vpxor xmm14, xmm13, [rsi]
all_rounds ymm0, ymm1, ymm2, ymm3
jmp .Lrest_enciphered_\name
.Lrest_many_\name:
.irp number, 4, 5, 6, 7
counter_blocks \number
.endr
vpxor xmm14, xmm13, [rsi]
all_rounds ymm0, ymm1, ymm2, ymm3, ymm4, ymm5, ymm6, ymm7
.Lrest_enciphered_\name:
sub r9, 32
jb .Lrest_part_\name
.Lrest_block_\name:
.ifc \name, encrypt
vpxor ymm11, ymm0, [rcx]
vmovdqu [r8], ymm11
.else
vmovdqu ymm11, [rcx]
vpxor ymm0, ymm0, ymm11
vmovdqu [r8], ymm0
.endif
vpshufb ymm11, ymm11, [rip + .Lreverse_bytes]
vpxor ymm11, ymm11, ymm15
vpxor xmm15, xmm15, xmm15
kp_vpclmul_add ymm, r11
vmovdqa ymm0, ymm1
vmovdqa ymm1, ymm2
vmovdqa ymm2, ymm3
vmovdqa ymm3, ymm4
vmovdqa ymm4, ymm5
vmovdqa ymm5, ymm6
vmovdqa ymm6, ymm7
add rcx, 32
add r8, 32
add r11, 32
sub r9, 32
jae .Lrest_block_\name
.Lrest_part_\name:
add r9, 32
jz .Lrest_done_\name
kp_load_partial_32 rcx, r9
lea rax, [rip + .Lmask + 32]
sub rax, r9
vpand ymm0, ymm0, [rax]
vpxor ymm0, ymm0, ymm11
.ifc \name, encrypt
vpshufb ymm11, ymm0, [rip + .Lreverse_bytes]
.else
vpshufb ymm11, ymm11, [rip + .Lreverse_bytes]
.endif
vpxor ymm11, ymm11, ymm15
vpxor xmm15, xmm15, xmm15
kp_vpclmul_add ymm, r11
kp_store_partial_32 r8, r9
.Lrest_done_\name:
ret
.endm

kp_local_function .Lencrypt_rest
rest encrypt
kp_end .Lencrypt_rest

kp_local_function .Ldecrypt_rest
rest decrypt
kp_end .Ldecrypt_rest

kp_function kp_aes_gcm_vaes_avx2_hash
vmovdqu xmm15, [rsi]
mov r9, rcx
mov rcx, rdx
vpshufb xmm15, xmm15, [rip + .Lreverse_bytes]
call .Lhash
vpshufb xmm15, xmm15, [rip + .Lreverse_bytes]
vmovdqu [rsi], xmm15
vzeroupper
ret
kp_end kp_aes_gcm_vaes_avx2_hash

.macro stream name
kp_function kp_aes_gcm_vaes_avx2_\name
kp_push rbx
mov rbx, rdx
mov r10d, [rsi + 12]
bswap r10d
vmovdqu xmm15, [rdx]
vpshufb xmm15, xmm15, [rip + .Lreverse_bytes]
cmp r9, 256
jb .Lstream_rest_\name
call .L\name\()_groups
.Lstream_rest_\name:
test r9, r9
jz .Lstream_done_\name
kp_vpclmul_clear
kp_vpclmul_power_for_rest 0, rdi + POWERS
call .L\name\()_rest
kp_vpclmul_reduce
.Lstream_done_\name:
vpshufb xmm15, xmm15, [rip + .Lreverse_bytes]
vmovdqu [rbx], xmm15
bswap r10d
mov [rsi + 12], r10d
vzeroupper
kp_pop rbx
ret
kp_end kp_aes_gcm_vaes_avx2_\name
.endm

stream encrypt
stream decrypt

/* rbx length of the AAD, rbp out until r8 is free for it; two arguments are on the stack. */
.macro message name, direction
kp_function kp_aes_gcm_vaes_avx2_\name\()_message
kp_push rbx
kp_push rbp
mov rbx, rcx
mov rcx, rdx
mov rbp, r9
mov r9, [rsp + 24]
mov r10d, [rsi + 12]
bswap r10d
inc r10d
vpxor xmm15, xmm15, xmm15
cmp rbx, 16
ja .Lmessage_long_\name
cmp r9, 256
jae .Lmessage_long_\name
/* One group: the block of AAD, the text and the lengths. */
kp_vpclmul_clear
kp_vpclmul_power_for_rest 1, rdi + POWERS
test rbx, rbx
jz .Lmessage_rest_\name
cmp rbx, 16
je .Lmessage_aad_block_\name
kp_load_partial_16 rcx, rbx
jmp .Lmessage_aad_\name
.Lmessage_aad_block_\name:
vmovdqu xmm11, [rcx]
.Lmessage_aad_\name:
vpshufb xmm11, xmm11, [rip + .Lreverse_bytes]
kp_vpclmul_add xmm, r11 - 16
.Lmessage_rest_\name:
mov rcx, r8
mov r8, rbp
jmp .Lmessage_last_\name
.Lmessage_long_\name:
mov r9, rbx
call .Lhash
mov rcx, r8
mov r8, rbp
mov r9, [rsp + 24]
cmp r9, 256
jb .Lmessage_short_text_\name
call .L\direction\()_groups
.Lmessage_short_text_\name:
kp_vpclmul_clear
kp_vpclmul_power_for_rest 1, rdi + POWERS
.Lmessage_last_\name:
call .L\direction\()_rest
mov rax, [rsp + 24]
shl rax, 3
shl rbx, 3
vmovq xmm11, rax
vmovq xmm12, rbx
vpunpcklqdq xmm11, xmm11, xmm12
vpxor xmm11, xmm11, xmm15
kp_vpclmul_add xmm, rdi + POWERS + 496
kp_vpclmul_reduce
vpshufb xmm15, xmm15, [rip + .Lreverse_bytes]
vpxor xmm15, xmm15, xmm14
mov rax, [rsp + 32]
vmovdqu [rax], xmm15
vzeroupper
kp_pop rbp
kp_pop rbx
ret
kp_end kp_aes_gcm_vaes_avx2_\name\()_message
.endm

message seal, encrypt
message open, decrypt
