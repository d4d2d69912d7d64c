/* Faults against LP64D: md5 kernels that are right but for one register. */
    .text
    .macro fault name
    .globl fault_\name
    .hidden fault_\name
    .type fault_\name, @function
    .p2align 2
fault_\name:
    .endm

    fault clobbers_s3
    not s3, s3
    tail kp_md5_portable_compress

    fault clobbers_fs2
    fneg.d fs2, fs2
    tail kp_md5_portable_compress

    fault writes_frame
    sd zero, 24(sp)
    tail kp_md5_portable_compress

    /* No byte below sp is safe; this keeps the state's address there, for long inputs for long. */
    fault below_stack
    sd a0, -64(sp)
    li t0, 1
    li t1, 1000
    bltu a2, t1, 1f
    li t0, 6000000
1:  addi t0, t0, -1
    bnez t0, 1b
    ld a0, -64(sp)
    tail kp_md5_portable_compress

    .section .note.GNU-stack, "", @progbits
