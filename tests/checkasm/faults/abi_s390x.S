/* Faults against the s390x convention: md5 kernels that are right but for one register. */
    .machine "z13"
    .text
    .macro fault name
    .globl fault_\name
    .hidden fault_\name
    .type fault_\name, @function
    .p2align 4
fault_\name:
    .endm

    fault clobbers_r9
    lghi %r9, 9
    jg kp_md5_portable_compress

    fault clobbers_f9
    lcdfr %f9, %f9
    jg kp_md5_portable_compress

    fault rounds_otherwise
    srnm 1
    jg kp_md5_portable_compress

    fault writes_frame
    mvi 200(%r15), 0
    jg kp_md5_portable_compress

    /* No byte below r15 is safe; this keeps the state's address there, for long inputs for long. */
    fault below_stack
    stg %r2, -64(%r15)
    lghi %r1, 1
    clgfi %r4, 1000
    jl 1f
    llilh %r1, 100
1:  brctg %r1, 1b
    lg %r2, -64(%r15)
    jg kp_md5_portable_compress

    .section .note.GNU-stack, "", @progbits
