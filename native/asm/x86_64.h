/* Assembly for x86-64 (System V ABI): what every file needs. Intel syntax, for GNU as and clang.
 *
 * Including this file writes the notes that say the object keeps to CET (indirect branches land on
 * endbr64, returns match calls) and needs no executable stack, and leaves the assembler in .text.
 */
#ifndef KP_ASM_X86_64_H
#define KP_ASM_X86_64_H

.intel_syntax noprefix

.section .note.gnu.property, "a", @note
.p2align 3
.long 4, 16, 5 /* sizes of the name and of the description; NT_GNU_PROPERTY_TYPE_0 */
.asciz "GNU"
.long 0xc0000002, 4, 3, 0 /* GNU_PROPERTY_X86_FEATURE_1_AND: IBT and SHSTK */

.section .note.GNU-stack, "", @progbits

/* A function that C calls. */
.macro kp_function name
.globl \name
.hidden \name
.type \name, @function
.p2align 5
\name :
.cfi_startproc
endbr64
.endm

/* A function that only this file calls, by registers of its own choice. */
.macro kp_local_function name
.type \name, @function
.p2align 5
\name :
.cfi_startproc
.endm

.macro kp_end name
.cfi_endproc
.size \name, . - \name
.endm

.macro kp_push register
push \register
.cfi_adjust_cfa_offset 8
.cfi_rel_offset \register, 0
.endm

.macro kp_pop register
pop \register
.cfi_adjust_cfa_offset -8
.cfi_restore \register
.endm

/* Marks for tools: the main loop of an operation lies between these two symbols. */
.macro kp_mark name
.type \name, @notype
\name :
.endm

.text

#endif
