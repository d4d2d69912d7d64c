/* Instructions of RISC-V's vector crypto extensions. clang knows them since 18; GNU as 2.40 does not, so for it
 * they are encoded here, as macros with the instructions' own names. KP_ENCODE_VECTOR_CRYPTO asks for the macros
 * whatever the assembler; a test compares the two.
 *
 * Source: The RISC-V Cryptography Extensions Volume II (vector instructions), 1.0.
 */
#ifndef KP_ASM_RISCV64_VECTOR_CRYPTO_H
#define KP_ASM_RISCV64_VECTOR_CRYPTO_H

#if defined(__clang_major__) && __clang_major__ >= 18 && !defined(KP_ENCODE_VECTOR_CRYPTO)

    .option arch, +v, +zvkned, +zvkg, +zvkb, +zvbc

#else

    .option arch, +v

.irp number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    .set kp_number_v\number, \number
.endr
.irp number, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    .set kp_number_v\number, \number
.endr
.irp number, 0, 1, 2, 3, 4, 5, 6, 7
    .set kp_number_a\number, 10 + \number
.endr
.irp number, 0, 1, 2
    .set kp_number_t\number, 5 + \number
.endr
.irp number, 3, 4, 5, 6
    .set kp_number_t\number, 25 + \number
.endr

/* An unmasked instruction; vs1 is a number, which may be a register's or part of the operation. */
.macro kp_op opcode, funct6, funct3, vd, vs2, vs1
    .set kp_operands, (kp_number_\vs2 << 20) | ((\vs1) << 15) | (kp_number_\vd << 7)
    .4byte (\funct6 << 26) | (1 << 25) | (\funct3 << 12) | \opcode | kp_operands
.endm

#define OP_V 0x57
#define OP_VE 0x77

/* Zvkned */
.macro vaesz.vs vd, vs2
    kp_op OP_VE, 0x29, 2, \vd, \vs2, 7
.endm
.macro vaesem.vs vd, vs2
    kp_op OP_VE, 0x29, 2, \vd, \vs2, 2
.endm
.macro vaesef.vs vd, vs2
    kp_op OP_VE, 0x29, 2, \vd, \vs2, 3
.endm
.macro vaeskf1.vi vd, vs2, round
    kp_op OP_VE, 0x22, 2, \vd, \vs2, \round
.endm
.macro vaeskf2.vi vd, vs2, round
    kp_op OP_VE, 0x2a, 2, \vd, \vs2, \round
.endm

/* Zvkg */
.macro vghsh.vv vd, vs2, vs1
    kp_op OP_VE, 0x2c, 2, \vd, \vs2, kp_number_\vs1
.endm
.macro vgmul.vv vd, vs2
    kp_op OP_VE, 0x28, 2, \vd, \vs2, 17
.endm

/* Zvkb */
.macro vrev8.v vd, vs2
    kp_op OP_V, 0x12, 2, \vd, \vs2, 9
.endm

.macro vandn.vv vd, vs2, vs1
    kp_op OP_V, 0x01, 0, \vd, \vs2, kp_number_\vs1
.endm
.macro vror.vi vd, vs2, amount
    kp_op OP_V, 0x14, 3, \vd, \vs2, \amount
.endm

/* Zvbc */
.macro vclmul.vv vd, vs2, vs1
    kp_op OP_V, 0x0c, 2, \vd, \vs2, kp_number_\vs1
.endm
.macro vclmulh.vv vd, vs2, vs1
    kp_op OP_V, 0x0d, 2, \vd, \vs2, kp_number_\vs1
.endm
.macro vclmul.vx vd, vs2, rs1
    kp_op OP_V, 0x0c, 6, \vd, \vs2, kp_number_\rs1
.endm
.macro vclmulh.vx vd, vs2, rs1
    kp_op OP_V, 0x0d, 6, \vd, \vs2, kp_number_\rs1
.endm

#endif

#endif
