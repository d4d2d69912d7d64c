/* What every POWER kernel needs: functions, frames and saved registers of the three ABIs, byte order.
 *
 * The ABI is told by _CALL_ELF and the word size, never by the byte order: _CALL_ELF is 2 on
 * powerpc64le everywhere and on big-endian musl and FreeBSD (ELFv2), 1 or undefined on big-endian
 * glibc (ELFv1, function descriptors), and there is no such thing on 32 bits (SVR4).
 *
 * Sources: Power ISA 2.07B and 3.0B; 64-Bit ELF V2 ABI Specification 1.4; 64-bit PowerPC ELF ABI
 * Supplement 1.9; System V ABI, PowerPC Processor Supplement.
 *
 * Registers are plain numbers, as GNU as and LLVM both take them without an option. `32 + v` is
 * vector register v as VSX instructions number it.
 */
#ifndef KP_ASM_POWER_H
#define KP_ASM_POWER_H

#if defined(__powerpc64__) && defined(_CALL_ELF) && _CALL_ELF == 2
#define KP_ELFV2 1
#define KP_FRAME_HEADER 32
#elif defined(__powerpc64__)
#define KP_ELFV1 1
#define KP_FRAME_HEADER 112
#else
#define KP_FRAME_HEADER 16
#endif

#if defined(__powerpc64__)
#define KP_WORD 8
#define KP_STORE std
#define KP_STORE_UPDATE stdu
#define KP_LOAD ld
#define KP_COMPARE cmpld
#define KP_COMPARE_IMMEDIATE cmpldi
#define KP_SHIFT_RIGHT srdi
#define KP_LR_SAVE 16
#else
#define KP_WORD 4
#define KP_STORE stw
#define KP_STORE_UPDATE stwu
#define KP_LOAD lwz
#define KP_COMPARE cmplw
#define KP_COMPARE_IMMEDIATE cmplwi
#define KP_SHIFT_RIGHT srwi
#define KP_LR_SAVE 4
#endif

/* LR and, from KP_DWARF_V0 on, the vector registers in unwinding information. */
#define KP_DWARF_LR 65
#define KP_DWARF_V0 77

/* ELFv2 has no VRSAVE; the other two ask for the bits of the vector registers in use. */
#if !defined(KP_ELFV2)
#define KP_VRSAVE 1
#endif

#if defined(__LITTLE_ENDIAN__)
#define KP_LITTLE 1
#else
#define KP_LITTLE 0
#endif

/* Opens and closes a global function that the library hides. */
.macro KP_BEGIN name
#if defined(KP_ELFV1)
    .globl \name
    .hidden \name
    .type \name, @function
    .section ".opd", "aw"
    .balign 8
\name:
    .quad .L.\name, .TOC.@tocbase, 0
    .previous
    .text
    .balign 32
.L.\name:
#else
    .globl \name
    .hidden \name
    .type \name, @function
    .text
    .balign 32
\name:
#if defined(KP_ELFV2)
    .localentry \name, 0
#endif
#endif
    .cfi_startproc
.endm

.macro KP_END name
    .cfi_endproc
#if defined(KP_ELFV1)
    .size \name, . - .L.\name
#else
    .size \name, . - \name
#endif
.endm

/* A function only this file calls, by `bl` to its label. */
.macro KP_BEGIN_LOCAL name
    .type \name, @function
    .text
    .balign 32
\name:
    .cfi_startproc
.endm

.macro KP_END_LOCAL name
    .cfi_endproc
    .size \name, . - \name
.endm

#if defined(KP_ELFV2)
    .abiversion 2
#endif
#if defined(__ELF__)
    .section .note.GNU-stack, "", @progbits
#endif
    .text

#endif
