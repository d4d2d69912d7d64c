/* Assembly for RISC-V, 64 bits: what every file needs.
 *
 * Including this file says that no executable stack is needed, and leaves the assembler in .text.
 *
 * A function is hidden (the library exports only kernport.h), carries CFI from its first to its
 * last instruction, and starts on a multiple of 16. The calling convention is lp64 or lp64d: a0..a7
 * and t0..t6 and every vector register, vl and vtype are free; ra, s0..s11 and sp are not; gp and tp are
 * never touched. There is no red zone below sp.
 */
#ifndef KP_ASM_RISCV64_H
#define KP_ASM_RISCV64_H

.macro kp_function name
    .text
    .p2align 4
    .globl \name
    .hidden \name
    .type \name, @function
\name:
    .cfi_startproc
.endm

.macro kp_end name
    .cfi_endproc
    .size \name, . - \name
.endm

/* A label that stays in the object's symbol table, for tools that look at a loop. */
.macro kp_mark name
    .type \name, @notype
\name:
.endm

/* No kernel needs an executable stack. */
    .section .note.GNU-stack, "", @progbits
    .text

#endif
