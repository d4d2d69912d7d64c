/* void checkasm_checked_call(void (*function)(void), const uintptr_t arguments[8]);
 *
 * s390x: arguments in r2 to r6 and on the stack; r6 to r13, r15, f8 to f15, the floating-point
 * control register and the access registers a0 and a1 (the thread pointer) are preserved. Of v8 to
 * v15 only the half that is f8 to f15 is.
 */
#include "abi.h"

    .machine "z13"
    .text
    .globl checkasm_checked_call
    .hidden checkasm_checked_call
    .type checkasm_checked_call, @function
    .p2align 4
checkasm_checked_call:
    .cfi_startproc
    stmg %r6, %r15, 48(%r15)
    .cfi_offset %r14, -48
    .cfi_offset %r15, -40
    lgr %r1, %r15
    aghi %r15, -224
    .cfi_def_cfa_offset 384
    stg %r1, 0(%r15)
    .irp n, 8,9,10,11,12,13,14,15
    std %f\n, 160+8*(\n-8)(%r15)
    .endr
    larl %r1, checkasm_state
    stg %r15, ABI_SAVED(%r1)
    stfpc ABI_BEFORE+ABI_FPC(%r1)
    stam %a0, %a1, ABI_BEFORE+ABI_A0(%r1)
    lg %r0, ABI_FLAGS(%r1)
    tmll %r0, ABI_VECTOR
    jz 1f
    vlm %v0, %v15, ABI_POISON(%r1)
    vlm %v16, %v31, ABI_POISON+256(%r1)
    j 2f
1:  .irp n, 0,1,2,3,4,5,6,7
    ld %f\n, ABI_POISON+8*\n(%r1)
    .endr
2:  .irp n, 8,9,10,11,12,13,14,15
    ld %f\n, ABI_BEFORE+ABI_F8+8*(\n-8)(%r1)
    .endr

    /* Sixth to eighth argument. */
    .cfi_remember_state
    .cfi_undefined %r14
    lg %r15, ABI_STACK(%r1)
    stg %r15, ABI_BEFORE+15*8(%r1)
    mvc 160(24, %r15), 40(%r3)
    lgr %r14, %r2
    lg %r2, 0(%r3)
    lg %r4, 16(%r3)
    lg %r5, 24(%r3)
    lg %r6, 32(%r3)
    lg %r3, 8(%r3)
    stg %r6, ABI_BEFORE+6*8(%r1)
    lmg %r7, %r13, ABI_BEFORE+7*8(%r1)
    lg %r0, ABI_POISON+520(%r1)
    lg %r1, ABI_POISON+528(%r1)
    basr %r14, %r14

    larl %r1, checkasm_state
    stg %r2, ABI_AFTER+ABI_RESULT(%r1)
    stmg %r6, %r13, ABI_AFTER+6*8(%r1)
    stg %r15, ABI_AFTER+15*8(%r1)
    lg %r15, ABI_SAVED(%r1)
    .cfi_restore_state
    stfpc ABI_AFTER+ABI_FPC(%r1)
    lfpc ABI_BEFORE+ABI_FPC(%r1)
    stam %a0, %a1, ABI_AFTER+ABI_A0(%r1)
    lam %a0, %a1, ABI_BEFORE+ABI_A0(%r1)
    .irp n, 8,9,10,11,12,13,14,15
    std %f\n, ABI_AFTER+ABI_F8+8*(\n-8)(%r1)
    ld %f\n, 160+8*(\n-8)(%r15)
    .endr
    lmg %r6, %r15, 272(%r15)
    .cfi_restore %r15
    .cfi_restore %r14
    .cfi_def_cfa_offset 160
    br %r14
    .cfi_endproc
    .size checkasm_checked_call, .-checkasm_checked_call

    .section .note.GNU-stack, "", @progbits
