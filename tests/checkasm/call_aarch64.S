/* void checkasm_checked_call(void (*function)(void), const uintptr_t arguments[8]);
 *
 * AAPCS64, both byte orders: arguments in x0 to x7; x19 to x29, sp and the low halves of v8 to v15
 * are preserved, and the control bits of FPCR. x18 is left alone: it belongs to the platform.
 */
#include "abi.h"

    .text
    .globl checkasm_checked_call
    .hidden checkasm_checked_call
    .type checkasm_checked_call, %function
    .p2align 4
checkasm_checked_call:
    .cfi_startproc
    hint #34 // bti c
    stp x29, x30, [sp, #-160]!
    .cfi_def_cfa_offset 160
    .cfi_offset x29, -160
    .cfi_offset x30, -152
    stp x19, x20, [sp, #16]
    stp x21, x22, [sp, #32]
    stp x23, x24, [sp, #48]
    stp x25, x26, [sp, #64]
    stp x27, x28, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    adrp x9, checkasm_state
    add x9, x9, :lo12:checkasm_state
    mov x10, sp
    str x10, [x9, #ABI_SAVED]
    mrs x10, fpcr
    str x10, [x9, #ABI_BEFORE+ABI_FPCR]

    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    ldr q\n, [x9, #ABI_POISON+16*\n]
    .endr
    add x10, x9, #ABI_BEFORE+ABI_D8
    .irp n, 8,9,10,11,12,13,14,15
    ld1 {v\n\().d}[0], [x10], #8
    .endr
    ldp x19, x20, [x9, #0]
    ldp x21, x22, [x9, #16]
    ldp x23, x24, [x9, #32]
    ldp x25, x26, [x9, #48]
    ldp x27, x28, [x9, #64]
    ldr x29, [x9, #80]

    .cfi_remember_state
    .cfi_undefined x30
    ldr x10, [x9, #ABI_STACK]
    mov sp, x10
    str x10, [x9, #ABI_BEFORE+ABI_SP]
    mov x16, x0
    add x9, x9, #ABI_POISON
    ldp x10, x11, [x9, #464]
    ldp x12, x13, [x9, #496]
    ldp x14, x15, [x9, #480]
    ldr x17, [x9, #600]
    ldr x8, [x9, #608]
    ldp x6, x7, [x1, #48]
    ldp x4, x5, [x1, #32]
    ldp x2, x3, [x1, #16]
    ldp x0, x1, [x1]
    ldr x9, [x9, #616]
    blr x16

    adrp x9, checkasm_state
    add x9, x9, :lo12:checkasm_state
    str x0, [x9, #ABI_AFTER+ABI_RESULT]
    mov x10, sp
    str x10, [x9, #ABI_AFTER+ABI_SP]
    ldr x10, [x9, #ABI_SAVED]
    mov sp, x10
    .cfi_restore_state
    add x11, x9, #ABI_AFTER
    stp x19, x20, [x11, #0]
    stp x21, x22, [x11, #16]
    stp x23, x24, [x11, #32]
    stp x25, x26, [x11, #48]
    stp x27, x28, [x11, #64]
    str x29, [x11, #80]
    mrs x10, fpcr
    str x10, [x11, #ABI_FPCR]
    add x10, x11, #ABI_D8
    .irp n, 8,9,10,11,12,13,14,15
    st1 {v\n\().d}[0], [x10], #8
    .endr
    ldr x10, [x9, #ABI_BEFORE+ABI_FPCR]
    msr fpcr, x10

    ldp x19, x20, [sp, #16]
    ldp x21, x22, [sp, #32]
    ldp x23, x24, [sp, #48]
    ldp x25, x26, [sp, #64]
    ldp x27, x28, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    ldp x29, x30, [sp], #160
    .cfi_def_cfa_offset 0
    .cfi_restore x29
    .cfi_restore x30
    ret
    .cfi_endproc
    .size checkasm_checked_call, .-checkasm_checked_call

    .section .note.GNU-stack, "", %progbits
