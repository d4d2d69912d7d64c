/* AArch64: what every assembly file of this architecture shares. For ELF and Mach-O, GNU as and
 * clang, both byte orders. One instruction a line: a semicolon begins a comment on Mach-O.
 *
 * No kernel stores its return address in memory (one that calls keeps it in a register), so there is
 * nothing for pointer authentication to sign: a landing pad (bti c) is all they need, and the property
 * note says that both are kept. */
#ifndef KP_ASM_AARCH64_H
#define KP_ASM_AARCH64_H

#if defined(__AARCH64EB__)
#define KP_BIG_ENDIAN 1
#else
#define KP_BIG_ENDIAN 0
#endif

#if defined(__APPLE__)
#define KP_SYMBOL(name) _##name
#else
#define KP_SYMBOL(name) name
#endif

/* A function that the library calls, hidden from its users. */
.macro kp_function name
    .text
    .p2align 5
    .globl KP_SYMBOL(\name)
#if defined(__APPLE__)
    .private_extern KP_SYMBOL(\name)
#else
    .hidden KP_SYMBOL(\name)
    .type KP_SYMBOL(\name), %function
#endif
KP_SYMBOL(\name):
    .cfi_startproc
    hint #34 // bti c
.endm

.macro kp_end name
    .cfi_endproc
#if !defined(__APPLE__)
    .size KP_SYMBOL(\name), . - KP_SYMBOL(\name)
#endif
.endm

/* A function for this file alone, with registers of its own; only `bl` reaches it. */
.macro kp_local name
    .p2align 5
#if !defined(__APPLE__)
    .type \name, %function
#endif
\name:
    .cfi_startproc
.endm

.macro kp_end_local name
    .cfi_endproc
#if !defined(__APPLE__)
    .size \name, . - \name
#endif
.endm

/* register = the address of a symbol of this file. */
.macro kp_address register, name
#if defined(__APPLE__)
    adrp \register, \name@PAGE
    add \register, \register, \name@PAGEOFF
#else
    adrp \register, \name
    add \register, \register, :lo12:\name
#endif
.endm

/* Data that nobody changes. */
.macro kp_constants name
#if defined(__APPLE__)
    .section __TEXT,__const
#else
    .section .rodata
#endif
    .p2align 6
\name:
.endm

/* A symbol inside a function that stays in the object for tools, and means nothing to the linker. */
.macro kp_mark name
#if !defined(__APPLE__) // where a symbol would cut the function in two
\name:
#endif
.endm

/* The low halves of v8 to v15 belong to the caller (AAPCS64, section 6.1.2). */
.macro kp_save_vectors
    stp d8, d9, [sp, #-64]!
    .cfi_adjust_cfa_offset 64
    .cfi_rel_offset b8, 0
    .cfi_rel_offset b9, 8
    stp d10, d11, [sp, #16]
    .cfi_rel_offset b10, 16
    .cfi_rel_offset b11, 24
    stp d12, d13, [sp, #32]
    .cfi_rel_offset b12, 32
    .cfi_rel_offset b13, 40
    stp d14, d15, [sp, #48]
    .cfi_rel_offset b14, 48
    .cfi_rel_offset b15, 56
.endm

.macro kp_restore_vectors
    ldp d10, d11, [sp, #16]
    ldp d12, d13, [sp, #32]
    ldp d14, d15, [sp, #48]
    ldp d8, d9, [sp], #64
    .cfi_adjust_cfa_offset -64
    .cfi_restore b8
    .cfi_restore b9
    .cfi_restore b10
    .cfi_restore b11
    .cfi_restore b12
    .cfi_restore b13
    .cfi_restore b14
    .cfi_restore b15
.endm

/* After a load and before a store: a number kept in memory in little-endian order, or big-endian. */
.macro kp_from_little register
#if KP_BIG_ENDIAN
    rev \register, \register
#endif
.endm

.macro kp_from_big register
#if !KP_BIG_ENDIAN
    rev \register, \register
#endif
.endm

/* x14, x15 = the x13 (1 to 15) bytes at `pointer`, as a 128-bit little-endian number, read with
 * loads that overlap and touch nothing else. Clobbers x16, x17, flags. */
.macro kp_load_partial pointer
    mov x15, #0
    cmp x13, #8
    b.lo 1f
    sub x16, x13, #8
    ldr x14, [\pointer]
    ldr x15, [\pointer, x16]
    kp_from_little x14
    kp_from_little x15
    mov x16, #120
    sub x16, x16, x13, lsl #3
    lsr x15, x15, #8
    lsr x15, x15, x16
    b 3f
1:
    tbz x13, #2, 2f
    sub x16, x13, #4
    ldr w14, [\pointer]
    ldr w17, [\pointer, x16]
    kp_from_little w14
    kp_from_little w17
    lsl x16, x16, #3
    lsl x17, x17, x16
    orr x14, x14, x17
    b 3f
2:
    lsr x16, x13, #1
    ldrb w14, [\pointer]
    ldrb w17, [\pointer, x16]
    lsl x16, x16, #3
    lsl x17, x17, x16
    orr x14, x14, x17
    sub x16, x13, #1
    ldrb w17, [\pointer, x16]
    lsl x16, x16, #3
    lsl x17, x17, x16
    orr x14, x14, x17
3:
.endm

/* Clears what lies beyond the first x13 (1 to 15) bytes of x14, x15. Clobbers x16, x17, flags. */
.macro kp_mask_partial
    mov x16, #-1
    lsl x17, x13, #3
    lsl x16, x16, x17 // the count is taken modulo 64: of 8 bytes or more this is the mask of x15
    cmp x13, #8
    bic x17, x15, x16
    csel x15, x17, xzr, hs
    bic x17, x14, x16
    csel x14, x14, x17, hs
.endm

/* Stores the first x13 (1 to 15) bytes of x14, x15, which are zero beyond. Clobbers x14 to x17, flags. */
.macro kp_store_partial pointer
    lsl x17, x13, #3
    cmp x13, #8
    b.lo 1f
    lsr x16, x14, x17
    neg x17, x17
    lsl x15, x15, x17
    orr x15, x15, x16
    sub x16, x13, #8
    kp_from_little x14
    kp_from_little x15
    str x14, [\pointer]
    str x15, [\pointer, x16]
    b 3f
1:
    tbz x13, #2, 2f
    sub x16, x13, #4
    sub x17, x17, #32
    lsr x15, x14, x17
    kp_from_little w14
    kp_from_little w15
    str w14, [\pointer]
    str w15, [\pointer, x16]
    b 3f
2:
    strb w14, [\pointer]
    lsr x16, x13, #1
    lsl x17, x16, #3
    lsr x15, x14, x17
    strb w15, [\pointer, x16]
    sub x16, x13, #1
    lsl x17, x16, #3
    lsr x15, x14, x17
    strb w15, [\pointer, x16]
3:
.endm

#if !defined(__APPLE__)
    .section .note.gnu.property, "a", %note
    .p2align 3
    .word 4          // length of the name
    .word 16         // length of the description
    .word 5          // NT_GNU_PROPERTY_TYPE_0
    .asciz "GNU"
    .word 0xc0000000 // GNU_PROPERTY_AARCH64_FEATURE_1_AND
    .word 4
    .word 3          // BTI, PAC
    .word 0
    .section .note.GNU-stack, "", %progbits
#endif
    .text

#endif
