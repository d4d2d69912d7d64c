/* void checkasm_checked_call(void (*function)(void), const uintptr_t arguments[8]);
 *
 * RISC-V, LP64D: arguments in a0 to a7; sp, gp, tp, s0 to s11 and fs0 to fs11 are preserved. The
 * vector registers, vl and vtype are the callee's.
 */
#include "abi.h"

    .text
    .globl checkasm_checked_call
    .hidden checkasm_checked_call
    .type checkasm_checked_call, @function
    .p2align 2
checkasm_checked_call:
    .cfi_startproc
    addi sp, sp, -208
    .cfi_def_cfa_offset 208
    sd ra, 200(sp)
    .cfi_offset ra, -8
    sd s0, 0(sp)
    sd s1, 8(sp)
    fsd fs0, 96(sp)
    fsd fs1, 104(sp)
    .irp n, 2,3,4,5,6,7,8,9,10,11
    sd s\n, 8*\n(sp)
    fsd fs\n, 96+8*\n(sp)
    .endr
    lla t0, checkasm_state
    li t1, ABI_SAVED
    add t1, t0, t1
    sd sp, 0(t1)
    ld t2, ABI_FLAGS-ABI_SAVED(t1)
    andi t2, t2, ABI_VECTOR
    beqz t2, 1f
    .option push
    .option arch, +v
    li t2, ABI_POISON
    add t2, t0, t2
    vsetvli t3, zero, e8, m8, ta, ma
    vle8.v v0, (t2)
    addi t2, t2, 256
    vle8.v v8, (t2)
    addi t2, t2, 256
    vle8.v v16, (t2)
    addi t2, t2, 256
    vle8.v v24, (t2)
    vsetvli t3, zero, e16, m2, tu, mu
    .option pop
1:  sd gp, 3*8(t0)
    sd tp, 4*8(t0)
    .irp n, 0,1,2,3,4,5,6,7,10,11,12,13,14,15,16,17,28,29,30,31
    fld f\n, ABI_POISON+16+8*\n-ABI_SAVED(t1)
    .endr
    .irp n, 8,9,18,19,20,21,22,23,24,25,26,27
    fld f\n, ABI_BEFORE+ABI_F0+8*\n(t0)
    .endr
    .irp n, 8,9,18,19,20,21,22,23,24,25,26,27
    ld x\n, 8*\n(t0)
    .endr
    .cfi_remember_state
    .cfi_undefined ra
    ld sp, ABI_STACK-ABI_SAVED(t1)
    sd sp, 2*8(t0)
    .irp n, 2,3,4,5,6
    ld t\n, ABI_POISON+512+8*\n-ABI_SAVED(t1)
    .endr
    ld t0, ABI_POISON+512-ABI_SAVED(t1)
    mv t1, a0
    ld a0, 0(a1)
    ld a2, 16(a1)
    ld a3, 24(a1)
    ld a4, 32(a1)
    ld a5, 40(a1)
    ld a6, 48(a1)
    ld a7, 56(a1)
    ld a1, 8(a1)
    jalr t1

    lla t0, checkasm_state
    sd a0, ABI_AFTER+ABI_RESULT(t0)
    sd sp, ABI_AFTER+2*8(t0)
    li t1, ABI_SAVED
    add t1, t0, t1
    ld sp, 0(t1)
    .cfi_restore_state
    sd gp, ABI_AFTER+3*8(t0)
    sd tp, ABI_AFTER+4*8(t0)
    ld gp, 3*8(t0)
    ld tp, 4*8(t0)
    .irp n, 8,9,18,19,20,21,22,23,24,25,26,27
    sd x\n, ABI_AFTER+8*\n(t0)
    fsd f\n, ABI_AFTER+ABI_F0+8*\n(t0)
    .endr
    ld s0, 0(sp)
    ld s1, 8(sp)
    fld fs0, 96(sp)
    fld fs1, 104(sp)
    .irp n, 2,3,4,5,6,7,8,9,10,11
    ld s\n, 8*\n(sp)
    fld fs\n, 96+8*\n(sp)
    .endr
    ld ra, 200(sp)
    addi sp, sp, 208
    .cfi_def_cfa_offset 0
    .cfi_restore ra
    ret
    .cfi_endproc
    .size checkasm_checked_call, .-checkasm_checked_call

    .section .note.GNU-stack, "", @progbits
