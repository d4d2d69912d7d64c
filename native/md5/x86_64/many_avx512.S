/* MD5 (RFC 1321) of thirty-two streams at once with AVX-512.
 *
 * void compress(uint32_t *state, const uint8_t *const *data, size_t blocks, size_t busy);
 *
 * A register holds one word of sixteen streams. Two groups of sixteen go step by step side by side, since the chain of
 * one group alone leaves half of the processor idle: one vpternlogd computes any of the four functions and one
 * instruction rotates, six instructions a step and group. For up to sixteen streams there is a loop without the second
 * group, which takes as long as the chain. A block of all streams is first turned, so that a register holds the same
 * message word of sixteen streams; the turned words lie on the stack and are wiped at the end.
 *
 * Registers: rdi state, rsi data, rdx blocks left, r9 busy, rax offset of the block, rcx constants, r8 a row;
 * zmm0-zmm3 a, b, c, d of the first group, zmm10-zmm13 of the second; zmm4, zmm14 scratch; zmm0-zmm31 turning.
 */
#include "../../asm/x86_64.h"
#include "../../asm/x86_64_md5.h"

.section .rodata
kp_md5_constants
.text

/* An instruction of the second group, where the symbol .Lgroups says that there is one. */
.macro second instruction:vararg
.if .Lgroups > 1
\instruction
.endif
.endm

/* a = b + rotate(a + f(b, c, d) + word + constant), for both groups; `table` is f as the truth table of vpternlogd for
 * the operands d, c, b. */
.macro step table, a, b, c, d, word, rotation, number
vmovdqa32 zmm4, zmm\d
second vmovdqa32 zmm14, zmm1\d
vpaddd zmm\a, zmm\a, [rsp + 64 * \word]
second vpaddd zmm1\a, zmm1\a, [rsp + 1024 + 64 * \word]
vpaddd zmm\a, zmm\a, dword ptr [rcx + 4 * \number]{1to16}
second vpaddd zmm1\a, zmm1\a, dword ptr [rcx + 4 * \number]{1to16}
vpternlogd zmm4, zmm\c, zmm\b, \table
second vpternlogd zmm14, zmm1\c, zmm1\b, \table
vpaddd zmm\a, zmm\a, zmm4
second vpaddd zmm1\a, zmm1\a, zmm14
vprold zmm\a, zmm\a, \rotation
second vprold zmm1\a, zmm1\a, \rotation
vpaddd zmm\a, zmm\a, zmm\b
second vpaddd zmm1\a, zmm1\a, zmm1\b
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

/* The sixteen streams whose pointers begin at rsi + pointers, turned and stored at rsp + place. */
.macro turn pointers, place
.irp row, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
mov r8, [rsi + \pointers + 8 * \row]
vmovdqu32 zmm\row, [r8 + rax]
.endr
/* Pairs of rows, then fours of rows: register 4 q + w has words w, 4 + w, 8 + w, 12 + w of rows 4 q to 4 q + 3. */
vpunpckldq zmm16, zmm0, zmm1
vpunpckhdq zmm17, zmm0, zmm1
vpunpckldq zmm18, zmm2, zmm3
vpunpckhdq zmm19, zmm2, zmm3
vpunpckldq zmm20, zmm4, zmm5
vpunpckhdq zmm21, zmm4, zmm5
vpunpckldq zmm22, zmm6, zmm7
vpunpckhdq zmm23, zmm6, zmm7
vpunpckldq zmm24, zmm8, zmm9
vpunpckhdq zmm25, zmm8, zmm9
vpunpckldq zmm26, zmm10, zmm11
vpunpckhdq zmm27, zmm10, zmm11
vpunpckldq zmm28, zmm12, zmm13
vpunpckhdq zmm29, zmm12, zmm13
vpunpckldq zmm30, zmm14, zmm15
vpunpckhdq zmm31, zmm14, zmm15
vpunpcklqdq zmm0, zmm16, zmm18
vpunpckhqdq zmm1, zmm16, zmm18
vpunpcklqdq zmm2, zmm17, zmm19
vpunpckhqdq zmm3, zmm17, zmm19
vpunpcklqdq zmm4, zmm20, zmm22
vpunpckhqdq zmm5, zmm20, zmm22
vpunpcklqdq zmm6, zmm21, zmm23
vpunpckhqdq zmm7, zmm21, zmm23
vpunpcklqdq zmm8, zmm24, zmm26
vpunpckhqdq zmm9, zmm24, zmm26
vpunpcklqdq zmm10, zmm25, zmm27
vpunpckhqdq zmm11, zmm25, zmm27
vpunpcklqdq zmm12, zmm28, zmm30
vpunpckhqdq zmm13, zmm28, zmm30
vpunpcklqdq zmm14, zmm29, zmm31
vpunpckhqdq zmm15, zmm29, zmm31
/* Then lanes change places. */
turn_lanes 0, 4, 8, 12, \place+64*0
turn_lanes 1, 5, 9, 13, \place+64*1
turn_lanes 2, 6, 10, 14, \place+64*2
turn_lanes 3, 7, 11, 15, \place+64*3
.endm

.macro turn_lanes first, second, third, fourth, place
vshufi32x4 zmm16, zmm\first, zmm\second, 0x88
vshufi32x4 zmm17, zmm\first, zmm\second, 0xdd
vshufi32x4 zmm18, zmm\third, zmm\fourth, 0x88
vshufi32x4 zmm19, zmm\third, zmm\fourth, 0xdd
vshufi32x4 zmm20, zmm16, zmm18, 0x88
vshufi32x4 zmm21, zmm17, zmm19, 0x88
vshufi32x4 zmm22, zmm16, zmm18, 0xdd
vshufi32x4 zmm23, zmm17, zmm19, 0xdd
vmovdqa32 [rsp + \place], zmm20
vmovdqa32 [rsp + \place + 256], zmm21
vmovdqa32 [rsp + \place + 512], zmm22
vmovdqa32 [rsp + \place + 768], zmm23
.endm

/* All blocks of the groups; ends at .Lend. */
.macro all_blocks number
.set .Lgroups, \number
second kp_mark kp_md5_many_avx512_compress_loop_begin
.Lblock_\number:
turn 0, 0
second turn 128, 1024
.irp word, 0, 1, 2, 3
vmovdqa32 zmm\word, [rdi + 128 * \word]
second vmovdqa32 zmm1\word, [rdi + 128 * \word + 64]
.endr
kp_md5_steps step, 0, 1, 2, 3
.irp word, 0, 1, 2, 3
vpaddd zmm\word, zmm\word, [rdi + 128 * \word]
vmovdqa32 [rdi + 128 * \word], zmm\word
second vpaddd zmm1\word, zmm1\word, [rdi + 128 * \word + 64]
second vmovdqa32 [rdi + 128 * \word + 64], zmm1\word
.endr
add rax, 64
dec rdx
jnz .Lblock_\number
second kp_mark kp_md5_many_avx512_compress_loop_end
.endm

kp_function kp_md5_many_avx512_compress
test rdx, rdx
jz .Ldone
mov r9, rcx
kp_push rbp
mov rbp, rsp
.cfi_def_cfa_register rbp
sub rsp, 2048
and rsp, -64
lea rcx, [rip + .Lconstants]
xor eax, eax
cmp r9, 16
ja .Lboth
all_blocks 1
jmp .Lend
.Lboth:
all_blocks 2
.Lend:
vpxor xmm4, xmm4, xmm4
mov ecx, 32
.Lwipe:
vmovdqa32 [rsp], zmm4
add rsp, 64
dec ecx
jnz .Lwipe
mov rsp, rbp
.cfi_def_cfa_register rsp
vzeroupper
kp_pop rbp
.Ldone:
ret
kp_end kp_md5_many_avx512_compress
