/* Faults against AAPCS64: md5 kernels that are right but for one register. */
    .text
    .macro fault name
    .globl fault_\name
    .hidden fault_\name
    .type fault_\name, %function
    .p2align 4
fault_\name:
    hint #34 // bti c
    .endm

    fault clobbers_x19
    mvn x19, x19
    b kp_md5_portable_compress

    fault clobbers_d8
    mvn v8.8b, v8.8b
    b kp_md5_portable_compress

    fault writes_frame
    str xzr, [sp, #24]
    b kp_md5_portable_compress

    /* No byte below sp is safe; this keeps the state's address there, for long inputs for long. */
    fault below_stack
    str x0, [sp, #-64]
    mov w9, #1
    movz w10, #100, lsl #16
    cmp x2, #1000
    csel w9, w10, w9, hs
1:  subs w9, w9, #1
    b.ne 1b
    ldr x0, [sp, #-64]
    b kp_md5_portable_compress

    .section .note.GNU-stack, "", %progbits
