/* MD5 (RFC 1321) of twenty-four streams at once with AVX2.
 *
 * void compress(uint32_t *state, const uint8_t *const *data, size_t blocks, size_t busy);
 *
 * A register holds one word of eight streams. Three groups of eight go step by step side by side: the chain of a step
 * is five or six instructions, so that one group alone leaves most of the processor idle. A block of all streams is
 * first turned, so that a register holds the same message word of eight streams; the turned words lie on the stack.
 * With fewer streams there are loops for one and two groups: on Zen 4 a block takes 372, 469 and 647 cycles.
 *
 * The rows of the next block are brought to the stack during the steps of this one. Streams that begin at equal offsets
 * of a page share one set of a cache of eight ways, so that all twenty-four rows miss it: read where they are needed,
 * they cost a third of the speed. Everything on the stack is wiped at the end.
 *
 * Registers: rdi state, rsi data, rdx blocks left, r9 busy, rax offset of the next block, rcx constants, r8 a row;
 * ymm0-ymm3, ymm4-ymm7, ymm8-ymm11 a, b, c, d of the groups; ymm12-ymm14 scratch, one a group; ymm15 the constant.
 */
#include "../../asm/x86_64.h"
#include "../../asm/x86_64_md5.h"

.section .rodata
kp_md5_constants
.Lrotate_16:
.byte 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13
.byte 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13
.Lones:
.quad -1, -1, -1, -1
.text

/* a = b + rotate(a + f(b, c, d) + word + constant), for one group: its registers by number, its turned words at rsp +
 * words. */
.macro group_begin a, word, words
vpaddd ymm\a, ymm\a, [rsp + 32 * \word + \words]
vpaddd ymm\a, ymm\a, ymm15
.endm

.macro group_end a, b, rotation, t
vpaddd ymm\a, ymm\a, ymm\t
.if \rotation == 16
vpshufb ymm\a, ymm\a, [rip + .Lrotate_16]
.else
vpslld ymm\t, ymm\a, \rotation
vpsrld ymm\a, ymm\a, 32 - \rotation
vpor ymm\a, ymm\a, ymm\t
.endif
vpaddd ymm\a, ymm\a, ymm\b
.endm

.macro group_f a, b, c, d, word, rotation, words, t
vpxor ymm\t, ymm\c, ymm\d
group_begin \a, \word, \words
vpand ymm\t, ymm\t, ymm\b
vpxor ymm\t, ymm\t, ymm\d
group_end \a, \b, \rotation, \t
.endm

/* The two halves have no bit in common: each is added by itself, and only that with b waits for b. */
.macro group_g a, b, c, d, word, rotation, words, t
vpandn ymm\t, ymm\d, ymm\c
group_begin \a, \word, \words
vpaddd ymm\a, ymm\a, ymm\t
vpand ymm\t, ymm\d, ymm\b
group_end \a, \b, \rotation, \t
.endm

.macro group_h a, b, c, d, word, rotation, words, t
vpxor ymm\t, ymm\c, ymm\d
group_begin \a, \word, \words
vpxor ymm\t, ymm\t, ymm\b
group_end \a, \b, \rotation, \t
.endm

.macro group_i a, b, c, d, word, rotation, words, t
vpxor ymm\t, ymm\d, [rip + .Lones]
group_begin \a, \word, \words
vpor ymm\t, ymm\t, ymm\b
vpxor ymm\t, ymm\t, ymm\c
group_end \a, \b, \rotation, \t
.endm

/* Half a row of the next block to its place on the stack. */
.macro fetch number
mov r8, [rsi + 8 * ((\number) / 2)]
vmovdqu ymm15, [r8 + rax + 32 * ((\number) % 2)]
vmovdqa [rsp + 1536 + 32 * (\number)], ymm15
.endm

/* The same for so many groups as the symbol .Lgroups says. */
.macro groups function, a, b, c, d, word, rotation, number
.if \number < 16 * .Lgroups
fetch \number
.endif
vpbroadcastd ymm15, dword ptr [rcx + 4 * \number]
group_\function \a, \b, \c, \d, \word, \rotation, 0, 12
.altmacro
.if .Lgroups > 1
group_\function %\a+4, %\b+4, %\c+4, %\d+4, \word, \rotation, 512, 13
.endif
.if .Lgroups > 2
group_\function %\a+8, %\b+8, %\c+8, %\d+8, \word, \rotation, 1024, 14
.endif
.noaltmacro
.endm

.macro step_f a, b, c, d, word, rotation, constant, number
groups f, \a, \b, \c, \d, \word, \rotation, \number
.endm

.macro step_g a, b, c, d, word, rotation, constant, number
groups g, \a, \b, \c, \d, \word, \rotation, \number
.endm

.macro step_h a, b, c, d, word, rotation, constant, number
groups h, \a, \b, \c, \d, \word, \rotation, \number
.endm

.macro step_i a, b, c, d, word, rotation, constant, number
groups i, \a, \b, \c, \d, \word, \rotation, \number
.endm

/* Eight words of eight streams, turned and stored at rsp + place: from byte `offset` of the data whose pointers begin
 * at rsi + pointers, or from the rows that begin at rsp + rows. */
.macro turn_data pointers, offset, place
.irp row, 0, 1, 2, 3, 4, 5, 6, 7
mov r8, [rsi + \pointers + 8 * \row]
vmovdqu ymm\row, [r8 + \offset]
.endr
turn \place
.endm

.macro turn_rows rows, place
.irp row, 0, 1, 2, 3, 4, 5, 6, 7
vmovdqa ymm\row, [rsp + \rows + 64 * \row]
.endr
turn \place
.endm

/* What is in ymm0-ymm7, turned and stored at rsp + place. */
.macro turn place
/* Pairs of rows, then fours of rows, then both halves. */
vpunpckldq ymm8, ymm0, ymm1
vpunpckhdq ymm9, ymm0, ymm1
vpunpckldq ymm10, ymm2, ymm3
vpunpckhdq ymm11, ymm2, ymm3
vpunpckldq ymm12, ymm4, ymm5
vpunpckhdq ymm13, ymm4, ymm5
vpunpckldq ymm14, ymm6, ymm7
vpunpckhdq ymm15, ymm6, ymm7
vpunpcklqdq ymm0, ymm8, ymm10
vpunpckhqdq ymm1, ymm8, ymm10
vpunpcklqdq ymm2, ymm9, ymm11
vpunpckhqdq ymm3, ymm9, ymm11
vpunpcklqdq ymm4, ymm12, ymm14
vpunpckhqdq ymm5, ymm12, ymm14
vpunpcklqdq ymm6, ymm13, ymm15
vpunpckhqdq ymm7, ymm13, ymm15
turn_store 0, 4, \place
turn_store 1, 5, \place + 32
turn_store 2, 6, \place + 64
turn_store 3, 7, \place + 96
.endm

.macro turn_store low, high, place:vararg
vinserti128 ymm8, ymm\low, xmm\high, 1
vperm2i128 ymm9, ymm\low, ymm\high, 0x31
vmovdqa [rsp + \place], ymm8
vmovdqa [rsp + \place + 128], ymm9
.endm

.macro state_words do
.irp word, 0, 1, 2, 3
\do \word, 96 * \word
.altmacro
.if .Lgroups > 1
\do %\word+4, 96 * \word + 32
.endif
.if .Lgroups > 2
\do %\word+8, 96 * \word + 64
.endif
.noaltmacro
.endr
.endm

.macro state_load number, place:vararg
vmovdqa ymm\number, [rdi + \place]
.endm

.macro state_add number, place:vararg
vpaddd ymm\number, ymm\number, [rdi + \place]
vmovdqa [rdi + \place], ymm\number
.endm

/* All blocks of the groups; ends at .Lwipe. */
.macro all_blocks number
.set .Lgroups, \number
turn_data 0, 0, 0
turn_data 0, 32, 256
.if .Lgroups > 1
turn_data 64, 0, 512
turn_data 64, 32, 768
.endif
.if .Lgroups > 2
turn_data 128, 0, 1024
turn_data 128, 32, 1280
kp_mark kp_md5_many_avx2_compress_loop_begin
.endif
.Lblock_\number:
add rax, 64
cmp rdx, 1
jne .Lfetch_\number
/* After the last block there are zeros to fetch, which wipe the rows. */
lea rsi, [rsp + 3072]
xor eax, eax
.Lfetch_\number:
state_words state_load
kp_md5_steps step, 0, 1, 2, 3
state_words state_add
dec rdx
jz .Lwipe
turn_rows 1536, 0
turn_rows 1568, 256
.if .Lgroups > 1
turn_rows 2048, 512
turn_rows 2080, 768
.endif
.if .Lgroups > 2
turn_rows 2560, 1024
turn_rows 2592, 1280
.endif
jmp .Lblock_\number
.if .Lgroups > 2
kp_mark kp_md5_many_avx2_compress_loop_end
.endif
.endm

kp_function kp_md5_many_avx2_compress
test rdx, rdx
jz .Ldone
mov r9, rcx
kp_push rbp
mov rbp, rsp
.cfi_def_cfa_register rbp
sub rsp, 3328
and rsp, -64
vpxor xmm0, xmm0, xmm0
lea r8, [rsp + 3264]
vmovq xmm1, r8
vpbroadcastq ymm1, xmm1
vmovdqa [rsp + 3264], ymm0
vmovdqa [rsp + 3296], ymm0
.irp place, 0, 32, 64, 96, 128, 160
vmovdqa [rsp + 3072 + \place], ymm1
.endr
lea rcx, [rip + .Lconstants]
xor eax, eax
cmp r9, 16
ja .Lturn_3
cmp r9, 8
ja .Lturn_2
all_blocks 1
.Lturn_2:
all_blocks 2
.Lturn_3:
all_blocks 3
.Lwipe:
vpxor xmm0, xmm0, xmm0
mov ecx, 1536
.Lwipe_next:
vmovdqa [rsp + rcx - 32], ymm0
vmovdqa [rsp + rcx - 64], ymm0
sub ecx, 64
jnz .Lwipe_next
mov rsp, rbp
.cfi_def_cfa_register rsp
vzeroupper
kp_pop rbp
.Ldone:
ret
kp_end kp_md5_many_avx2_compress
