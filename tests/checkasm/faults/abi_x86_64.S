/* Faults against the System V convention for x86-64: md5 kernels that are right but for one register. */
    .text
    .macro fault name
    .globl fault_\name
    .hidden fault_\name
    .type fault_\name, @function
    .p2align 4
fault_\name:
    endbr64
    .endm

    fault clobbers_rbx
    not %rbx
    jmp kp_md5_portable_compress

    fault clobbers_r15
    mov %edi, %r15d
    jmp kp_md5_portable_compress

    fault leaves_upper
    vpcmpeqd %xmm3, %xmm3, %xmm3
    vinsertf128 $1, %xmm3, %ymm3, %ymm3
    jmp kp_md5_portable_compress

    fault sets_direction
    sub $8, %rsp
    call kp_md5_portable_compress
    add $8, %rsp
    std
    ret

    fault rounds_otherwise
    stmxcsr -8(%rsp)
    xorl $0x2000, -8(%rsp)
    ldmxcsr -8(%rsp)
    jmp kp_md5_portable_compress

    fault leaves_x87
    fld1
    jmp kp_md5_portable_compress

    fault writes_frame
    notq 40(%rsp)
    jmp kp_md5_portable_compress

    /* The ABI gives 128 bytes; this keeps the state's address 256 bytes down, for long inputs for long. */
    fault below_stack
    mov %rdi, -256(%rsp)
    mov $1, %eax
    mov $20000000, %ecx
    cmp $1000, %rdx
    cmovae %ecx, %eax
1:  dec %eax
    jnz 1b
    mov -256(%rsp), %rdi
    jmp kp_md5_portable_compress

    .section .note.GNU-stack, "", @progbits
