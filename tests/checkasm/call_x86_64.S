/* void checkasm_checked_call(void (*function)(void), const uintptr_t arguments[8]);
 *
 * The System V convention for x86-64: six arguments in rdi, rsi, rdx, rcx, r8, r9, two on the stack;
 * rbx, rbp, r12 to r15, rsp, the control bits of MXCSR and the x87 control word are preserved, the
 * direction flag is clear and the x87 stack empty. Everything else is poisoned, zmm0 to zmm31 and
 * k0 to k7 included where the processor has them.
 */
#include "abi.h"

    .text
    .globl checkasm_checked_call
    .hidden checkasm_checked_call
    .type checkasm_checked_call, @function
    .p2align 4
checkasm_checked_call:
    .cfi_startproc
    endbr64
    push %rbx
    .cfi_adjust_cfa_offset 8
    push %rbp
    .cfi_adjust_cfa_offset 8
    push %r12
    .cfi_adjust_cfa_offset 8
    push %r13
    .cfi_adjust_cfa_offset 8
    push %r14
    .cfi_adjust_cfa_offset 8
    push %r15
    .cfi_adjust_cfa_offset 8
    lea checkasm_state(%rip), %rax
    mov %rsp, ABI_SAVED(%rax)
    stmxcsr ABI_BEFORE+ABI_MXCSR(%rax)
    fnstcw ABI_BEFORE+ABI_X87(%rax)
    mov ABI_FLAGS(%rax), %r10

    test $ABI_WIDE_VECTOR, %r10
    jz 1f
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    vmovdqu64 ABI_POISON+64*\n(%rax), %zmm\n
    .endr
    .irp n, 0,1,2,3,4,5,6,7
    kmovw ABI_POISON+3+2*\n(%rax), %k\n
    .endr
1:  test $ABI_VECTOR, %r10
    jz 1f
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    vmovdqu ABI_POISON+32+64*\n(%rax), %ymm\n
    .endr
    test $ABI_CLEAN_UPPER, %r10
    jz 2f
    vzeroupper
1:  .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    movdqu ABI_POISON+64*\n(%rax), %xmm\n
    .endr

2:  mov %rdi, %r11
    .cfi_remember_state
    .cfi_undefined %rip
    mov ABI_STACK(%rax), %rsp
    push 56(%rsi)
    push 48(%rsi)
    mov %rsp, ABI_BEFORE+ABI_RSP(%rax)
    mov ABI_BEFORE+0(%rax), %rbx
    mov ABI_BEFORE+8(%rax), %rbp
    mov ABI_BEFORE+16(%rax), %r12
    mov ABI_BEFORE+24(%rax), %r13
    mov ABI_BEFORE+32(%rax), %r14
    mov ABI_BEFORE+40(%rax), %r15
    mov 0(%rsi), %rdi
    mov 16(%rsi), %rdx
    mov 24(%rsi), %rcx
    mov 32(%rsi), %r8
    mov 40(%rsi), %r9
    mov 8(%rsi), %rsi
    mov ABI_POISON+16(%rax), %r10
    mov ABI_POISON+24(%rax), %rax
    call *%r11

    lea checkasm_state(%rip), %r11
    mov %rax, ABI_AFTER+ABI_RESULT(%r11)
    mov %rsp, ABI_AFTER+ABI_RSP(%r11)
    mov ABI_SAVED(%r11), %rsp
    .cfi_restore_state
    mov %rbx, ABI_AFTER+0(%r11)
    mov %rbp, ABI_AFTER+8(%r11)
    mov %r12, ABI_AFTER+16(%r11)
    mov %r13, ABI_AFTER+24(%r11)
    mov %r14, ABI_AFTER+32(%r11)
    mov %r15, ABI_AFTER+40(%r11)
    pushfq
    pop ABI_AFTER+ABI_RFLAGS(%r11)
    cld
    stmxcsr ABI_AFTER+ABI_MXCSR(%r11)
    ldmxcsr ABI_BEFORE+ABI_MXCSR(%r11)
    fnstenv ABI_AFTER+ABI_X87(%r11)
    fninit
    fldcw ABI_BEFORE+ABI_X87(%r11)
    mov ABI_FLAGS(%r11), %r10
    test $ABI_VECTOR, %r10
    jz 1f
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    vextractf128 $1, %ymm\n, ABI_AFTER+ABI_UPPER+16*\n(%r11)
    .endr
    test $ABI_WIDE_VECTOR, %r10
    jz 2f
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    vextracti64x4 $1, %zmm\n, ABI_AFTER+ABI_UPPER+256+32*\n(%r11)
    .endr
2:  vzeroupper
1:  pop %r15
    pop %r14
    pop %r13
    pop %r12
    pop %rbp
    pop %rbx
    ret
    .cfi_endproc
    .size checkasm_checked_call, .-checkasm_checked_call

    .section .note.GNU-stack, "", @progbits
