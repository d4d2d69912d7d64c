/* AES-GCM with Zkne and scalar carry-less multiplication: the kernel, in two variants.
 *
 * Four blocks are enciphered at a time, two registers each, so that neither the AES instructions nor the
 * multiplications wait for each other, and then hashed straight from the registers with one reduction
 * (asm/riscv64_clmul.h). What the four counter blocks have in common enters the first round with its round key already
 * added. The rest of the text is taken block by block.
 *
 * Prepared: 0 the round keys, 240 the number of rounds (4 bytes), 256 the table of powers.
 *
 * Registers of encrypt and decrypt: a0 prepared, s0 in, s1 out, s2 bytes after the last group of four, a3 end of the
 * groups, s3 the counter in the upper half, s4 and s5 the rest of the counter block with the first round key,
 * s6..s11, a1, a2 four blocks, t0..t6 and a4..a7 as asm/riscv64_clmul.h names them; the cipher uses those of them that
 * do not hold y. Frame: 0 the saved registers s0..s11, 96 counter, 104 y, 112 a buffer of 64 bytes for misaligned text
 * where misaligned loads and stores are not fast, wiped at the end.
 *
 * Source: SP 800-38D, FIPS 197, The RISC-V Cryptography Extensions Volume I.
 */
#ifndef KP_ASM_RISCV64_ZKNE_H
#define KP_ASM_RISCV64_ZKNE_H

#include "riscv64.h"
#include "riscv64_clmul.h"

#define ROUNDS 240
#define TABLE 256
#define COUNTER_SLOT 96
#define Y_SLOT 104
#define BUFFER 112
#define LAST_POWER (TABLE + KP_CLMUL_POWER_BYTES * (KP_CLMUL_POWERS - 1))

/* Registers of the cipher: not those of y (t3, t5) and of the polynomial (t6). */
#define key0 t0
#define key1 t1
#define spare t2
#define last_key t4

.macro kp_zkne_add_key state0, state1
    xor     \state0, \state0, key0
    xor     \state1, \state1, key1
.endm

/* One block; the first round key is already added. Writes the cipher's registers and a7. */
.macro kp_zkne_block state0, state1
    lw      last_key, ROUNDS(a0)
    slli    last_key, last_key, 4
    add     last_key, last_key, a0
    addi    a7, a0, 16
.Lround\@:
    ld      key0, (a7)
    ld      key1, 8(a7)
    addi    a7, a7, 16
    aes64esm spare, \state0, \state1
    aes64esm \state1, \state1, \state0
    xor     \state0, spare, key0
    xor     \state1, \state1, key1
    bne     a7, last_key, .Lround\@
    ld      key0, (a7)
    ld      key1, 8(a7)
    aes64es spare, \state0, \state1
    aes64es \state1, \state1, \state0
    xor     \state0, spare, key0
    xor     \state1, \state1, key1
.endm

/* A round of the four blocks, with the round key in key0, key1. */
.macro kp_zkne_round instruction
    \instruction spare, s6, s7
    \instruction s7, s7, s6
    \instruction a4, s8, s9
    \instruction s9, s9, s8
    \instruction a5, s10, s11
    \instruction s11, s11, s10
    \instruction a6, a1, a2
    \instruction a2, a2, a1
    xor     s6, spare, key0
    xor     s7, s7, key1
    xor     s8, a4, key0
    xor     s9, s9, key1
    xor     s10, a5, key0
    xor     s11, s11, key1
    xor     a1, a6, key0
    xor     a2, a2, key1
.endm

.macro kp_zkne_rounds first, second
.irp round, \first, \second
    ld      key0, 16 * \round(a0)
    ld      key1, 16 * \round + 8(a0)
    kp_zkne_round aes64esm
.endr
.endm

/* The counter block for state1, the first round key added, and on to the next; one is 2^32. */
.macro kp_zkne_count state1, one
    srli    \state1, s3, 32
    add     s3, s3, \one
    rev8    \state1, \state1
    xor     \state1, \state1, s5
.endm

/* The key stream of four blocks: s6, s7, s8, s9, s10, s11, a1, a2. */
.macro kp_zkne_key_stream
    li      a7, 1
    slli    a7, a7, 32
    kp_zkne_count s7, a7
    kp_zkne_count s9, a7
    kp_zkne_count s11, a7
    kp_zkne_count a2, a7
    ld      key0, 16(a0)
    ld      key1, 24(a0)
    lw      last_key, ROUNDS(a0)
    aes64esm s6, s4, s7
    aes64esm s7, s7, s4
    aes64esm s8, s4, s9
    aes64esm s9, s9, s4
    aes64esm s10, s4, s11
    aes64esm s11, s11, s4
    aes64esm a1, s4, a2
    aes64esm a2, a2, s4
    kp_zkne_add_key s6, s7
    kp_zkne_add_key s8, s9
    kp_zkne_add_key s10, s11
    kp_zkne_add_key a1, a2
    kp_zkne_rounds 2, 3
    kp_zkne_rounds 4, 5
    kp_zkne_rounds 6, 7
    kp_zkne_rounds 8, 9
    addi    a7, last_key, -12
    slli    last_key, last_key, 4
    add     last_key, last_key, a0
    bltz    a7, .Lfinal\@
    kp_zkne_rounds 10, 11
    beqz    a7, .Lfinal\@
    kp_zkne_rounds 12, 13
.Lfinal\@:
    ld      key0, (last_key)
    ld      key1, 8(last_key)
    kp_zkne_round aes64es
.endm

/* A block of text at offset: its key stream is in state0, state1. */
.macro kp_zkne_text direction, state0, state1, in, out, offset, number
    ld      a6, \offset(\in)
    ld      a7, \offset + 8(\in)
    xor     \state0, \state0, a6
    xor     \state1, \state1, a7
    sd      \state0, \offset(\out)
    sd      \state1, \offset + 8(\out)
.ifc \direction, encrypt
    rev8    block_high, \state0
    rev8    block_low, \state1
.else
    rev8    block_high, a6
    rev8    block_low, a7
.endif
.if \number
    kp_clmul_add LAST_POWER - KP_CLMUL_POWER_BYTES * (3 - \number), a0
.else
    kp_clmul_add_y
    kp_clmul_first LAST_POWER - KP_CLMUL_POWER_BYTES * 3, a0
.endif
.endm

.macro kp_zkne_group direction, in, out, offset
    kp_zkne_key_stream
    kp_zkne_text \direction, s6, s7, \in, \out, \offset, 0
    kp_zkne_text \direction, s8, s9, \in, \out, \offset + 16, 1
    kp_zkne_text \direction, s10, s11, \in, \out, \offset + 32, 2
    kp_zkne_text \direction, a1, a2, \in, \out, \offset + 48, 3
    kp_clmul_reduce
.endm

/* Copies 64 bytes from the buffer to s1 at any alignment, and advances it: bytes up to a multiple of 8, doublewords
 * shifted together, bytes again. */
.macro kp_zkne_copy_out
    andi    a6, s1, 7
    bnez    a6, .Lshift\@
.irp offset, 0, 8, 16, 24, 32, 40, 48, 56
    ld      a6, BUFFER + \offset(sp)
    sd      a6, \offset(s1)
.endr
    addi    s1, s1, 64
    j       .Lcopied\@
.Lshift\@:
    andi    a4, s1, -8
    addi    a4, a4, 8
    sub     t0, a4, s1
    slli    t0, t0, 3
    neg     t1, t0
    ld      t2, BUFFER(sp)
    mv      a6, t2
.Lfirst\@:
    sb      a6, (s1)
    srli    a6, a6, 8
    addi    s1, s1, 1
    bne     s1, a4, .Lfirst\@
.irp offset, 0, 8, 16, 24, 32, 40, 48
    ld      t4, BUFFER + 8 + \offset(sp)
    srl     a6, t2, t0
    sll     a7, t4, t1
    or      a6, a6, a7
    sd      a6, \offset(a4)
    mv      t2, t4
.endr
    srl     a6, t2, t0
    srli    t0, t0, 3
    addi    s1, a4, 56
    addi    a7, a4, 64
    sub     a7, a7, t0
.Llast\@:
    sb      a6, (s1)
    srli    a6, a6, 8
    addi    s1, s1, 1
    bne     s1, a7, .Llast\@
.Lcopied\@:
.endm

/* A doubleword of the key, in the order of memory. */
.macro kp_zkne_load_key value, offset
    kp_load_bytes \value, a1, \offset, t0
    rev8    \value, \value
.endm

.macro kp_zkne_prepare_function name
    kp_function \name
    kp_zkne_load_key a4, 0
    kp_zkne_load_key a5, 8
    sd      a4, 0(a0)
    sd      a5, 8(a0)
    li      t1, 24
    beq     a2, t1, .Lkey192\@
    bgtu    a2, t1, .Lkey256\@

    li      t1, 10
.irp round, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
    aes64ks1i t0, a5, \round
    aes64ks2 a4, t0, a4
    aes64ks2 a5, a4, a5
    sd      a4, 16 * \round + 16(a0)
    sd      a5, 16 * \round + 24(a0)
.endr
    j       .Lexpanded\@

.Lkey192\@:
    kp_zkne_load_key a6, 16
    sd      a6, 16(a0)
    li      t1, 12
.irp round, 0, 1, 2, 3, 4, 5, 6, 7
    aes64ks1i t0, a6, \round
    aes64ks2 a4, t0, a4
    aes64ks2 a5, a4, a5
    sd      a4, 24 * \round + 24(a0)
    sd      a5, 24 * \round + 32(a0)
.if \round < 7
    aes64ks2 a6, a5, a6
    sd      a6, 24 * \round + 40(a0)
.endif
.endr
    j       .Lexpanded\@

.Lkey256\@:
    kp_zkne_load_key a6, 16
    kp_zkne_load_key a7, 24
    sd      a6, 16(a0)
    sd      a7, 24(a0)
    li      t1, 14
.irp round, 0, 1, 2, 3, 4, 5, 6
    aes64ks1i t0, a7, \round
    aes64ks2 a4, t0, a4
    aes64ks2 a5, a4, a5
    sd      a4, 32 * \round + 32(a0)
    sd      a5, 32 * \round + 40(a0)
.if \round < 6
    aes64ks1i t0, a5, 10
    aes64ks2 a6, t0, a6
    aes64ks2 a7, a6, a7
    sd      a6, 32 * \round + 48(a0)
    sd      a7, 32 * \round + 56(a0)
.endif
.endr

.Lexpanded\@:
    sw      t1, ROUNDS(a0)
    ld      block_high, 0(a0)       # H = AES(0)
    ld      block_low, 8(a0)
    kp_zkne_block block_high, block_low
    rev8    block_high, block_high
    rev8    block_low, block_low
    addi    a0, a0, TABLE
    kp_clmul_fill a0
    ret
    kp_end \name
.endm

.macro kp_zkne_encipher_function name
    kp_function \name
    kp_load_block a1, t0
    rev8    block_high, block_high
    rev8    block_low, block_low
    ld      key0, 0(a0)
    ld      key1, 8(a0)
    kp_zkne_add_key block_high, block_low
    kp_zkne_block block_high, block_low
    kp_store_block block_high, block_low, a2, t0
    ret
    kp_end \name
.endm

.macro kp_zkne_crypt_function name, direction, fast_misaligned
    kp_function \name
    beqz    a5, .Lnothing\@
    .set kp_frame, 112 + 64 * (1 - \fast_misaligned)
    addi    sp, sp, -kp_frame
    .cfi_adjust_cfa_offset 112 + 64 * (1 - \fast_misaligned)
.irp number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    sd      s\number, 8 * \number(sp)
    .cfi_rel_offset s\number, 8 * \number
.endr
    sd      a1, COUNTER_SLOT(sp)
    sd      a2, Y_SLOT(sp)
    mv      s0, a3
    mv      s1, a4
    andi    s2, a5, 63
    sub     a3, a5, s2
    add     a3, a3, s0
    kp_load_block a1, t0
    slli    s3, block_low, 32
    rev8    s4, block_high
    rev8    s5, block_low
    slli    s5, s5, 32
    srli    s5, s5, 32
    ld      key0, 0(a0)
    ld      key1, 8(a0)
    kp_zkne_add_key s4, s5
    kp_load_block a2, t0
    mv      ghash_y_high, block_high
    mv      ghash_y_low, block_low
    kp_clmul_polynomial
    beq     s0, a3, .Lrest\@
.if \fast_misaligned == 0
    or      t0, s0, s1
    andi    t0, t0, 7
    bnez    t0, .Lmisaligned\@
.endif

kp_mark \name\()_loop_begin
.Lgroup\@:
    kp_zkne_group \direction, s0, s1, 0
    addi    s0, s0, 64
    addi    s1, s1, 64
    bne     s0, a3, .Lgroup\@
kp_mark \name\()_loop_end

.Lrest\@:
    beqz    s2, .Lend\@
    li      t0, 1
    slli    t0, t0, 32
    mv      s6, s4
    kp_zkne_count s7, t0
    kp_zkne_block s6, s7
    rev8    s6, s6
    rev8    s7, s7
    addi    s2, s2, -16
    bltz    s2, .Lpart\@
    kp_load_block s0, a7
    addi    s0, s0, 16
    xor     s6, s6, block_high
    xor     s7, s7, block_low
    rev8    s8, s6
    rev8    s9, s7
    kp_store_block s8, s9, s1, a7
    addi    s1, s1, 16
    j       .Lhash\@

.Lpart\@:
    addi    s2, s2, 16
    kp_load_part s0, s2, a6, a7
    xor     s6, s6, block_high
    xor     s7, s7, block_low
    mv      s8, s6
    mv      s9, s7
    add     a7, s1, s2
.Lbyte\@:
    srli    a6, s8, 56
    sb      a6, (s1)
    slli    s8, s8, 8
    srli    a6, s9, 56
    or      s8, s8, a6
    slli    s9, s9, 8
    addi    s1, s1, 1
    bne     s1, a7, .Lbyte\@
.ifc \direction, encrypt
    /* The key stream beyond the text does not count. */
    li      a6, 16
    sub     a6, a6, s2
    slli    a6, a6, 3
    addi    a7, a6, -64
    bltz    a7, .Llow\@
    srl     s6, s6, a7
    sll     s6, s6, a7
    li      s7, 0
.Llow\@:
    srl     s7, s7, a6
    sll     s7, s7, a6
.endif
    li      s2, 0
.Lhash\@:
.ifc \direction, encrypt
    mv      block_high, s6
    mv      block_low, s7
.endif
    kp_clmul_add_y
    kp_clmul_first LAST_POWER, a0
    kp_clmul_reduce
    j       .Lrest\@

.if \fast_misaligned == 0
.Lmisaligned\@:
    kp_copy_in BUFFER, s0, 64
    kp_zkne_group \direction, sp, sp, BUFFER
    kp_zkne_copy_out
    bne     s0, a3, .Lmisaligned\@
.irp offset, 0, 8, 16, 24, 32, 40, 48, 56
    sd      zero, BUFFER + \offset(sp)
.endr
    j       .Lrest\@
.endif

.Lend\@:
    ld      a1, COUNTER_SLOT(sp)
    ld      a2, Y_SLOT(sp)
    rev8    ghash_y_high, ghash_y_high
    rev8    ghash_y_low, ghash_y_low
    kp_store_block ghash_y_high, ghash_y_low, a2, t0
    srli    s3, s3, 32
.irp byte, 15, 14, 13, 12
    sb      s3, \byte(a1)
    srli    s3, s3, 8
.endr
.irp number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    ld      s\number, 8 * \number(sp)
    .cfi_restore s\number
.endr
    addi    sp, sp, kp_frame
    .cfi_adjust_cfa_offset -112 - 64 * (1 - \fast_misaligned)
.Lnothing\@:
    ret
    kp_end \name
.endm

#endif
