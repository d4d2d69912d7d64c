/* void checkasm_checked_call(void (*function)(void), const uintptr_t arguments[8]);
 *
 * 64-bit POWER, both ABIs (_CALL_ELF) and both byte orders: arguments in r3 to r10; r1, r2 (within a
 * program), r13 to r31, f14 to f31, v20 to v31, CR2 to CR4, VRSAVE and the back chain are preserved.
 * vs14 to vs31 keep only the half that is f14 to f31: the other half is poisoned like v0 to v19.
 */
#include "abi.h"

#define FRAME 640
#define SAVE_R14 112
#define SAVE_F14 256
#define SAVE_V20 400

#if _CALL_ELF == 2
    .abiversion 2
#endif
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
#if _CALL_ELF == 2
    .type checkasm_checked_call, @function
checkasm_checked_call:
#else
    .section ".opd", "aw"
    .p2align 3
checkasm_checked_call:
    .quad .Lchecked_call, .TOC.@tocbase, 0
    .previous
    .type checkasm_checked_call, @function
.Lchecked_call:
#endif
    .cfi_startproc
    mflr %r0
    std %r0, 16(%r1)
    .cfi_offset lr, 16
    mfcr %r0
    stw %r0, 8(%r1)
    stdu %r1, -FRAME(%r1)
    .cfi_def_cfa_offset FRAME
    .irp n, 14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    std %r\n, SAVE_R14+8*(\n-14)(%r1)
    stfd %f\n, SAVE_F14+8*(\n-14)(%r1)
    .endr
    find_state
    mfspr %r12, 256
    stw %r12, SAVE_V20+192(%r1)
    ld %r12, ABI_FLAGS(%r11)
    andi. %r0, %r12, ABI_VECTOR
    beq 2f
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

    /* The caller of the checked function: this frame, the TOC and the thread pointer are as they are. */
    std %r1, ABI_SAVED(%r11)
    std %r2, ABI_BEFORE+2*ABI_GPR(%r11)
    std %r13, ABI_BEFORE+13*ABI_GPR(%r11)
    mfspr %r12, 256
    stw %r12, ABI_BEFORE+ABI_VRSAVE(%r11)
    ld %r12, ABI_STACK(%r11)
    std %r1, 0(%r12)
    std %r1, ABI_BEFORE+ABI_BACK_CHAIN(%r11)
    mr %r1, %r12
    std %r1, ABI_BEFORE+ABI_GPR(%r11)
    .irp n, 14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    ld %r\n, ABI_BEFORE+8*\n(%r11)
    .endr
    lwz %r12, ABI_BEFORE+ABI_CR(%r11)
    mtcrf 0xff, %r12
#if _CALL_ELF == 2
    mr %r12, %r3
    mtctr %r12
#else
    ld %r12, 0(%r3)
    mtctr %r12
    ld %r2, 8(%r3)
    ld %r12, ABI_POISON+8(%r11)
#endif
    ld %r3, 0(%r4)
    ld %r5, 16(%r4)
    ld %r6, 24(%r4)
    ld %r7, 32(%r4)
    ld %r8, 40(%r4)
    ld %r9, 48(%r4)
    ld %r10, 56(%r4)
    ld %r4, 8(%r4)
    ld %r0, ABI_POISON+16(%r11)
    mtxer %r0
    ld %r11, ABI_POISON+24(%r11)
    bctrl

    find_state
    std %r3, ABI_AFTER+ABI_RESULT(%r11)
    mfcr %r0
    stw %r0, ABI_AFTER+ABI_CR(%r11)
    .irp n, 1,2,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    std %r\n, ABI_AFTER+8*\n(%r11)
    .endr
    ld %r12, ABI_STACK(%r11)
    ld %r0, 0(%r12)
    std %r0, ABI_AFTER+ABI_BACK_CHAIN(%r11)
    ld %r1, ABI_SAVED(%r11)
    ld %r2, ABI_BEFORE+2*ABI_GPR(%r11)
    ld %r13, ABI_BEFORE+13*ABI_GPR(%r11)
    mfspr %r0, 256
    stw %r0, ABI_AFTER+ABI_VRSAVE(%r11)
    .irp n, 14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    stfd %f\n, ABI_AFTER+ABI_F14+8*(\n-14)(%r11)
    .endr
    ld %r12, ABI_FLAGS(%r11)
    andi. %r0, %r12, ABI_VECTOR
    beq 1f
    .irp n, 20,21,22,23,24,25,26,27,28,29,30,31
    li %r0, ABI_AFTER+ABI_V20+16*(\n-20)
    stvx %v\n, %r11, %r0
    li %r0, SAVE_V20+16*(\n-20)
    lvx %v\n, %r1, %r0
    .endr
    b 2f
1:  .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23
    ld %r0, ABI_BEFORE+ABI_V20+8*\n(%r11)
    std %r0, ABI_AFTER+ABI_V20+8*\n(%r11)
    .endr
2:  lwz %r12, SAVE_V20+192(%r1)
    mtspr 256, %r12
    .irp n, 14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    ld %r\n, SAVE_R14+8*(\n-14)(%r1)
    lfd %f\n, SAVE_F14+8*(\n-14)(%r1)
    .endr
    addi %r1, %r1, FRAME
    .cfi_def_cfa_offset 0
    lwz %r0, 8(%r1)
    mtcrf 0xff, %r0
    ld %r0, 16(%r1)
    mtlr %r0
    blr
    .cfi_endproc
#if _CALL_ELF == 2
    .size checkasm_checked_call, .-checkasm_checked_call
#endif

    .section .note.GNU-stack, "", @progbits
