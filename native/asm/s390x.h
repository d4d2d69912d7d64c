/* s390x (ELF ABI for 64 bits): what every assembly file of this architecture shares. The caller's frame has 160
 * bytes at r15 for the callee to save registers in; r6 to r13, r15 and f8 to f15 are preserved. */
#ifndef KP_ASM_S390X_H
#define KP_ASM_S390X_H

    .section .note.GNU-stack, "", @progbits
    .text

/* A function that the library calls, hidden from its users. The canonical frame address lies 160 above r15. */
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

#endif
