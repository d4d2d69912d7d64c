/* Faults against the POWER conventions (ELFv1, ELFv2, 32-bit): md5 kernels that are right but for one
 * register. The high half of a vector register is its first doubleword. */
    .machine "power8"
#if _CALL_ELF == 2
    .abiversion 2
#endif
    .text
    .macro fault name
    .globl fault_\name
    .hidden fault_\name
#if defined(__powerpc64__) && _CALL_ELF != 2
    .section ".opd", "aw"
    .p2align 3
fault_\name:
    .quad .Lfault_\name, .TOC.@tocbase, 0
    .previous
    .type fault_\name, @function
.Lfault_\name:
#else
    .type fault_\name, @function
fault_\name:
#if _CALL_ELF == 2
0:  addis %r2, %r12, (.TOC.-0b)@ha
    addi %r2, %r2, (.TOC.-0b)@l
    .localentry fault_\name, .-fault_\name
#endif
#endif
    .endm

    /* Goes on as the portable kernel, whose own return ends the call. */
    .macro portable
    b kp_md5_portable_compress
    .endm

    fault clobbers_r14
    not %r14, %r14
    portable

    fault clobbers_f20
    fneg %f20, %f20
    portable

    fault clobbers_v20_high
    xxpermdi 52, 0, 52, 1
    portable

    fault saves_vs20
    li %r0, -64
    stxvd2x 20, %r1, %r0
    vspltisw %v20, 3
    lxvd2x 20, %r1, %r0
    portable

    fault clobbers_cr3
    crnot 13, 13
    portable

    fault breaks_back_chain
    li %r0, 0
#if defined(__powerpc64__)
    std %r0, 0(%r1)
#else
    stw %r0, 0(%r1)
#endif
    portable

    fault writes_frame
    li %r0, 0
    stw %r0, 180(%r1)
    portable

    /* The 64-bit ABIs give 288 bytes (512 with what systems add), the 32-bit one none. This keeps the
     * state's address farther down, for long inputs for long. */
    fault below_stack
#if defined(__powerpc64__)
    std %r3, -600(%r1)
#else
    stw %r3, -600(%r1)
#endif
    cmplwi %r5, 1000
    li %r0, 1
    blt 1f
    lis %r0, 100
1:  mtctr %r0
2:  bdnz 2b
#if defined(__powerpc64__)
    ld %r3, -600(%r1)
#else
    lwz %r3, -600(%r1)
#endif
    portable

    .section .note.GNU-stack, "", @progbits
