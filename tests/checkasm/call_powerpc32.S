/* void checkasm_checked_call(void (*function)(void), const uintptr_t arguments[8]);
 *
 * 32-bit POWER, System V: arguments in r3 to r10; r1, r2 (the thread pointer), r13 to r31, f14 to
 * f31, v20 to v31, CR2 to CR4, VRSAVE and the back chain are preserved. Where there is VSX, the
 * halves of vs14 to vs31 that are not f14 to f31 are poisoned like v0 to v19.
 */
#include "abi.h"

#define FRAME 512
#define SAVE_R14 16
#define SAVE_F14 96
#define SAVE_V20 240

    .machine "power8"

    /* r11 = checkasm_state, by the address of this code; uses LR. */
    .macro find_state
    bcl 20, 31, 0f
0:  mflr %r11
    addis %r11, %r11, (checkasm_state-0b)@ha
    addi %r11, %r11, (checkasm_state-0b)@l
    .endm

    .text
    .globl checkasm_checked_call
    .hidden checkasm_checked_call
    .type checkasm_checked_call, @function
checkasm_checked_call:
    .cfi_startproc
    mflr %r0
    stw %r0, 4(%r1)
    .cfi_offset lr, 4
    stwu %r1, -FRAME(%r1)
    .cfi_def_cfa_offset FRAME
    mfcr %r0
    stw %r0, 8(%r1)
    .irp n, 14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    stw %r\n, SAVE_R14+4*(\n-14)(%r1)
    stfd %f\n, SAVE_F14+8*(\n-14)(%r1)
    .endr
    find_state
    lwz %r12, ABI_FLAGS(%r11)
    andi. %r0, %r12, ABI_VECTOR
    beq 2f
    mfspr %r0, 256
    stw %r0, SAVE_V20+192(%r1)
    stw %r0, ABI_BEFORE+ABI_VRSAVE(%r11)
    .irp n, 20,21,22,23,24,25,26,27,28,29,30,31
    li %r0, SAVE_V20+16*(\n-20)
    stvx %v\n, %r1, %r0
    .endr
    andi. %r0, %r12, ABI_WIDE_VECTOR
    beq 1f
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    li %r0, ABI_POISON+16*\n
    lxvd2x \n, %r11, %r0
    .endr
1:  .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19
    li %r0, ABI_POISON+512+16*\n
    lvx %v\n, %r11, %r0
    .endr
    .irp n, 20,21,22,23,24,25,26,27,28,29,30,31
    li %r0, ABI_BEFORE+ABI_V20+16*(\n-20)
    lvx %v\n, %r11, %r0
    .endr
2:  .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13
    lfd %f\n, ABI_POISON+1024+8*\n(%r11)
    .endr
    .irp n, 14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    lfd %f\n, ABI_BEFORE+ABI_F14+8*(\n-14)(%r11)
    .endr

    stw %r1, ABI_SAVED(%r11)
    stw %r2, ABI_BEFORE+2*ABI_GPR(%r11)
    lwz %r12, ABI_STACK(%r11)
    stw %r1, 0(%r12)
    stw %r1, ABI_BEFORE+ABI_BACK_CHAIN(%r11)
    mr %r1, %r12
    stw %r1, ABI_BEFORE+ABI_GPR(%r11)
    /* r13 is the base of small data, which the program may use: it stays as it is. */
    stw %r13, ABI_BEFORE+13*ABI_GPR(%r11)
    .irp n, 14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    lwz %r\n, ABI_BEFORE+4*\n(%r11)
    .endr
    lwz %r12, ABI_BEFORE+ABI_CR(%r11)
    /* CR1 bit 6 says whether a variadic call passes floats: it does not. */
    mtcrf 0xff, %r12
    crclr 6
    mtctr %r3
    lwz %r3, 0(%r4)
    lwz %r5, 8(%r4)
    lwz %r6, 12(%r4)
    lwz %r7, 16(%r4)
    lwz %r8, 20(%r4)
    lwz %r9, 24(%r4)
    lwz %r10, 28(%r4)
    lwz %r4, 4(%r4)
    lwz %r0, ABI_POISON+16(%r11)
    mtxer %r0
    lwz %r12, ABI_POISON+8(%r11)
    lwz %r11, ABI_POISON+24(%r11)
    bctrl

    find_state
    stw %r3, ABI_AFTER+ABI_RESULT(%r11)
    mfcr %r0
    stw %r0, ABI_AFTER+ABI_CR(%r11)
    .irp n, 1,2,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    stw %r\n, ABI_AFTER+4*\n(%r11)
    .endr
    lwz %r12, ABI_STACK(%r11)
    lwz %r0, 0(%r12)
    stw %r0, ABI_AFTER+ABI_BACK_CHAIN(%r11)
    lwz %r1, ABI_SAVED(%r11)
    lwz %r2, ABI_BEFORE+2*ABI_GPR(%r11)
    lwz %r13, ABI_BEFORE+13*ABI_GPR(%r11)
    .irp n, 14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    stfd %f\n, ABI_AFTER+ABI_F14+8*(\n-14)(%r11)
    .endr
    lwz %r12, ABI_FLAGS(%r11)
    andi. %r0, %r12, ABI_VECTOR
    beq 1f
    mfspr %r0, 256
    stw %r0, ABI_AFTER+ABI_VRSAVE(%r11)
    lwz %r12, SAVE_V20+192(%r1)
    mtspr 256, %r12
    .irp n, 20,21,22,23,24,25,26,27,28,29,30,31
    li %r0, ABI_AFTER+ABI_V20+16*(\n-20)
    stvx %v\n, %r11, %r0
    li %r0, SAVE_V20+16*(\n-20)
    lvx %v\n, %r1, %r0
    .endr
    b 2f
    /* No AltiVec: nothing to compare. */
1:  .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23
    lfd %f0, ABI_BEFORE+ABI_V20+8*\n(%r11)
    stfd %f0, ABI_AFTER+ABI_V20+8*\n(%r11)
    .endr
    lwz %r0, ABI_BEFORE+ABI_VRSAVE(%r11)
    stw %r0, ABI_AFTER+ABI_VRSAVE(%r11)
2:  .irp n, 14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    lwz %r\n, SAVE_R14+4*(\n-14)(%r1)
    lfd %f\n, SAVE_F14+8*(\n-14)(%r1)
    .endr
    lwz %r0, 8(%r1)
    mtcrf 0xff, %r0
    addi %r1, %r1, FRAME
    .cfi_def_cfa_offset 0
    lwz %r0, 4(%r1)
    mtlr %r0
    blr
    .cfi_endproc
    .size checkasm_checked_call, .-checkasm_checked_call

    .section .note.GNU-stack, "", @progbits
