/* GHASH with the scalar clmul and clmulh (Zbc or Zbkc): what the kernels of aes-gcm and ghash share.
 *
 * A block is two registers loaded big-endian (rev8, Zbb or Zbkb), so that the coefficient of x^i is bit 127 - i. The
 * product of two such numbers comes out as if multiplied by x; the powers of H are kept divided by x to make up for it.
 * Products are three multiplications each (Karatsuba) and are summed up unreduced. Two folds of 64 bits by the
 * polynomial's upper half, 0xc2 << 56, reduce a sum: bit b of the lowest word, the coefficient of x^(255 - b),
 * becomes the bits b + 121, b + 126, b + 127 and b + 128.
 *
 * A table of powers is 192 bytes, aligned to 8: for H^8 ... H^1 the high half, the low half and their sum.
 *
 * Registers of the macros, by the names below: sums, the block, the polynomial, and two for scratch. Between groups y
 * is in ghash_high1 and ghash_middle1.
 *
 * Source: SP 800-38D, section 6.4; Karatsuba and Ofman 1962; the reduction follows from x^128 = x^7 + x^2 + x + 1.
 */
#ifndef KP_ASM_RISCV64_CLMUL_H
#define KP_ASM_RISCV64_CLMUL_H

#define KP_CLMUL_POWERS 8
#define KP_CLMUL_POWER_BYTES 24

#define ghash_low0 t0
#define ghash_low1 t1
#define ghash_middle0 t2
#define ghash_middle1 t3
#define ghash_high0 t4
#define ghash_high1 t5
#define ghash_polynomial t6
#define block_high a4
#define block_low a5
#define ghash_scratch0 a6
#define ghash_scratch1 a7
#define ghash_y_high ghash_high1
#define ghash_y_low ghash_middle1

.macro kp_clmul_polynomial
    li      ghash_polynomial, 0xc2
    slli    ghash_polynomial, ghash_polynomial, 56
.endm

/* block += y, where a sum begins. */
.macro kp_clmul_add_y
    xor     block_high, block_high, ghash_y_high
    xor     block_low, block_low, ghash_y_low
.endm

/* The sums = block * the power at offset(pointer). The block is lost. */
.macro kp_clmul_first offset, pointer
    ld      ghash_scratch0, \offset(\pointer)
    ld      ghash_scratch1, \offset + 8(\pointer)
    clmul   ghash_high0, block_high, ghash_scratch0
    clmulh  ghash_high1, block_high, ghash_scratch0
    ld      ghash_scratch0, \offset + 16(\pointer)
    clmul   ghash_low0, block_low, ghash_scratch1
    clmulh  ghash_low1, block_low, ghash_scratch1
    xor     block_high, block_high, block_low
    clmul   ghash_middle0, block_high, ghash_scratch0
    clmulh  ghash_middle1, block_high, ghash_scratch0
.endm

/* The sums += block * the power at offset(pointer). The block is lost. */
.macro kp_clmul_add offset, pointer
    ld      ghash_scratch0, \offset(\pointer)
    clmul   ghash_scratch1, block_high, ghash_scratch0
    clmulh  ghash_scratch0, block_high, ghash_scratch0
    xor     block_high, block_high, block_low
    xor     ghash_high0, ghash_high0, ghash_scratch1
    ld      ghash_scratch1, \offset + 8(\pointer)
    xor     ghash_high1, ghash_high1, ghash_scratch0
    clmul   ghash_scratch0, block_low, ghash_scratch1
    clmulh  ghash_scratch1, block_low, ghash_scratch1
    ld      block_low, \offset + 16(\pointer)
    xor     ghash_low0, ghash_low0, ghash_scratch0
    xor     ghash_low1, ghash_low1, ghash_scratch1
    clmul   ghash_scratch0, block_high, block_low
    clmulh  ghash_scratch1, block_high, block_low
    xor     ghash_middle0, ghash_middle0, ghash_scratch0
    xor     ghash_middle1, ghash_middle1, ghash_scratch1
.endm

/* y = the sums, reduced. */
.macro kp_clmul_reduce
    xor     ghash_middle0, ghash_middle0, ghash_low0
    xor     ghash_middle1, ghash_middle1, ghash_high1
    clmul   ghash_scratch0, ghash_low0, ghash_polynomial
    xor     ghash_high0, ghash_high0, ghash_low1
    clmulh  ghash_scratch1, ghash_low0, ghash_polynomial
    xor     ghash_middle0, ghash_middle0, ghash_high0
    xor     ghash_middle1, ghash_middle1, ghash_high0
    xor     ghash_middle0, ghash_middle0, ghash_scratch0
    xor     ghash_middle1, ghash_middle1, ghash_low0
    xor     ghash_middle1, ghash_middle1, ghash_scratch1
    clmul   ghash_scratch0, ghash_middle0, ghash_polynomial
    clmulh  ghash_scratch1, ghash_middle0, ghash_polynomial
    xor     ghash_high1, ghash_high1, ghash_middle0
    xor     ghash_middle1, ghash_middle1, ghash_scratch0
    xor     ghash_high1, ghash_high1, ghash_scratch1
.endm

/* Fills the table from H in block_high and block_low. Writes all registers of the macros. */
.macro kp_clmul_fill table
    kp_clmul_polynomial
    /* H / x: a coefficient of x^0 becomes x^127 + x^6 + x + 1. */
    srai    ghash_scratch0, block_high, 63
    srli    ghash_scratch1, block_low, 63
    slli    block_high, block_high, 1
    slli    block_low, block_low, 1
    or      block_high, block_high, ghash_scratch1
    and     ghash_scratch1, ghash_scratch0, ghash_polynomial
    andi    ghash_scratch0, ghash_scratch0, 1
    xor     ghash_y_high, block_high, ghash_scratch1
    xor     ghash_y_low, block_low, ghash_scratch0
    .set kp_offset, KP_CLMUL_POWER_BYTES * (KP_CLMUL_POWERS - 1)
.rept KP_CLMUL_POWERS
    .if kp_offset < KP_CLMUL_POWER_BYTES * (KP_CLMUL_POWERS - 1)
    mv      block_high, ghash_y_high
    mv      block_low, ghash_y_low
    kp_clmul_first KP_CLMUL_POWER_BYTES * (KP_CLMUL_POWERS - 1), \table
    kp_clmul_reduce
    .endif
    xor     block_low, ghash_y_high, ghash_y_low
    sd      ghash_y_high, kp_offset(\table)
    sd      ghash_y_low, kp_offset + 8(\table)
    sd      block_low, kp_offset + 16(\table)
    .set kp_offset, kp_offset - KP_CLMUL_POWER_BYTES
.endr
.endm

/* A doubleword from bytes at any alignment, first byte highest. Writes scratch. */
.macro kp_load_bytes value, pointer, offset, scratch
    lbu     \value, \offset(\pointer)
.irp byte, 1, 2, 3, 4, 5, 6, 7
    lbu     \scratch, \offset + \byte(\pointer)
    slli    \value, \value, 8
    or      \value, \value, \scratch
.endr
.endm

/* A block of 16 bytes at any alignment. Writes scratch. */
.macro kp_load_block pointer, scratch
    andi    \scratch, \pointer, 7
    bnez    \scratch, .Lbytes\@
    ld      block_high, (\pointer)
    ld      block_low, 8(\pointer)
    rev8    block_high, block_high
    rev8    block_low, block_low
    j       .Lloaded\@
.Lbytes\@:
    kp_load_bytes block_high, \pointer, 0, \scratch
    kp_load_bytes block_low, \pointer, 8, \scratch
.Lloaded\@:
.endm

/* A block filled up with zeros: 1 to 15 bytes. Advances pointer, writes scratch0 and scratch1. */
.macro kp_load_part pointer, count, scratch0, scratch1
    li      block_high, 0
    li      block_low, 0
    add     \scratch1, \pointer, \count
.Lbyte\@:
    slli    block_high, block_high, 8
    srli    \scratch0, block_low, 56
    or      block_high, block_high, \scratch0
    lbu     \scratch0, (\pointer)
    slli    block_low, block_low, 8
    or      block_low, block_low, \scratch0
    addi    \pointer, \pointer, 1
    bne     \pointer, \scratch1, .Lbyte\@
    /* Up by the missing bytes. */
    li      \scratch0, 16
    sub     \scratch0, \scratch0, \count
    slli    \scratch0, \scratch0, 3
    addi    \scratch1, \scratch0, -64
    bltz    \scratch1, .Lbelow64\@
    sll     block_high, block_low, \scratch1
    li      block_low, 0
    j       .Lmoved\@
.Lbelow64\@:
    sll     block_high, block_high, \scratch0
    neg     \scratch1, \scratch0
    srl     \scratch1, block_low, \scratch1
    or      block_high, block_high, \scratch1
    sll     block_low, block_low, \scratch0
.Lmoved\@:
.endm

/* Stores 16 bytes at any alignment; the values, in the order of memory, are lost. Writes scratch. */
.macro kp_store_block value0, value1, pointer, scratch
    andi    \scratch, \pointer, 7
    bnez    \scratch, .Lbytes\@
    sd      \value0, (\pointer)
    sd      \value1, 8(\pointer)
    j       .Lstored\@
.Lbytes\@:
.irp byte, 0, 1, 2, 3, 4, 5, 6, 7
    sb      \value0, \byte(\pointer)
    sb      \value1, \byte + 8(\pointer)
    srli    \value0, \value0, 8
    srli    \value1, \value1, 8
.endr
.Lstored\@:
.endm

/* y = the sum of eight blocks at source, and of y before the first. */
.macro kp_clmul_group source, table
    .set kp_block, 0
.rept 8
    ld      block_high, 16 * kp_block(\source)
    ld      block_low, 16 * kp_block + 8(\source)
    rev8    block_high, block_high
    rev8    block_low, block_low
    .if kp_block == 0
    kp_clmul_add_y
    kp_clmul_first 0, \table
    .else
    kp_clmul_add KP_CLMUL_POWER_BYTES * kp_block, \table
    .endif
    .set kp_block, kp_block + 1
.endr
    kp_clmul_reduce
.endm

/* Copies bytes, a multiple of 16, from any alignment to offset(sp). Advances from; writes the registers of the sums but
 * for y, block_high and the scratch registers. The first and the last doubleword come by bytes, those between from
 * aligned ones, none of which lies even partly outside. The shift up is in two steps: it can be by 64 bits in all. */
.macro kp_copy_in offset, from, bytes
    kp_load_bytes ghash_scratch0, \from, 0, ghash_scratch1
    rev8    ghash_scratch0, ghash_scratch0
    sd      ghash_scratch0, \offset(sp)
    kp_load_bytes ghash_scratch0, \from, \bytes - 8, ghash_scratch1
    rev8    ghash_scratch0, ghash_scratch0
    sd      ghash_scratch0, \offset + \bytes - 8(sp)
    slli    ghash_low0, \from, 3
    andi    ghash_low0, ghash_low0, 56
    xori    ghash_low1, ghash_low0, 63
    andi    block_high, \from, -8
    ld      ghash_middle0, 8(block_high)
    .set kp_copied, 8
.rept \bytes / 16 - 1
    kp_copy_shifted \offset, ghash_middle0, ghash_high0
    kp_copy_shifted \offset, ghash_high0, ghash_middle0
.endr
    addi    \from, \from, \bytes
.endm

.macro kp_copy_shifted offset, low, high
    ld      \high, kp_copied + 8(block_high)
    srl     ghash_scratch0, \low, ghash_low0
    slli    ghash_scratch1, \high, 1
    sll     ghash_scratch1, ghash_scratch1, ghash_low1
    or      ghash_scratch0, ghash_scratch0, ghash_scratch1
    sd      ghash_scratch0, \offset + kp_copied(sp)
    .set kp_copied, kp_copied + 8
.endm

/* Loads the next block, which is the last if it is not full: then bytes is 0 or less afterwards. */
.macro kp_clmul_load_next data, bytes, fast_misaligned
    addi    \bytes, \bytes, -16
    bltz    \bytes, .Lpart\@
.if \fast_misaligned
    ld      block_high, (\data)
    ld      block_low, 8(\data)
    rev8    block_high, block_high
    rev8    block_low, block_low
.else
    kp_load_block \data, ghash_scratch0
.endif
    addi    \data, \data, 16
    j       .Lloaded\@
.Lpart\@:
    addi    \bytes, \bytes, 16
    kp_load_part \data, \bytes, ghash_scratch0, ghash_scratch1
    li      \bytes, 0
.Lloaded\@:
.endm

/* y takes in `bytes` bytes, not 0, at any alignment. Where misaligned loads are not fast, misaligned data go through
 * 128 bytes at buffer(sp). Writes all registers of the macros, data, bytes, end and power, which four differ from
 * them. The main loop lies between two marks. */
.macro kp_clmul_hash table, data, bytes, end, power, fast_misaligned, buffer, marks
    kp_clmul_polynomial
    srli    \end, \bytes, 7
    andi    \bytes, \bytes, 127
    beqz    \end, .Lrest\@
    slli    \end, \end, 7
    add     \end, \end, \data
.if \fast_misaligned == 0
    andi    ghash_scratch0, \data, 7
    bnez    ghash_scratch0, .Lmisaligned\@
.endif
kp_mark \marks\()_loop_begin
.Lgroup\@:
    kp_clmul_group \data, \table
    addi    \data, \data, 128
    bne     \data, \end, .Lgroup\@
kp_mark \marks\()_loop_end

.Lrest\@:
    beqz    \bytes, .Lhashed\@
    addi    \power, \bytes, 15
    srli    \power, \power, 4
    slli    \end, \power, 3
    slli    \power, \power, 4
    add     \power, \power, \end
    sub     \power, \table, \power
    addi    \power, \power, KP_CLMUL_POWER_BYTES * KP_CLMUL_POWERS
    kp_clmul_load_next \data, \bytes, \fast_misaligned
    kp_clmul_add_y
    kp_clmul_first 0, \power
    blez    \bytes, .Lreduce\@
.Lblock\@:
    addi    \power, \power, KP_CLMUL_POWER_BYTES
    kp_clmul_load_next \data, \bytes, \fast_misaligned
    kp_clmul_add 0, \power
    bgtz    \bytes, .Lblock\@
.Lreduce\@:
    kp_clmul_reduce
.if \fast_misaligned == 0
    j       .Lhashed\@

.Lmisaligned\@:
    kp_copy_in \buffer, \data, 128
    addi    \power, sp, \buffer
    kp_clmul_group \power, \table
    bne     \data, \end, .Lmisaligned\@
.irp offset, 0, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120
    sd      zero, \buffer + \offset(sp)
.endr
    j       .Lrest\@
.endif
.Lhashed\@:
.endm

/* A whole function(a0 prepared, a1 y, a2 data, a3 length), the table of powers at offset(a0). Frame: 0 and 8 saved
 * registers, 16 the buffer where one is needed. */
.macro kp_clmul_hash_function name, offset, fast_misaligned
    kp_function \name
    beqz    a3, .Lnothing\@
    .set kp_frame, 16 + 128 * (1 - \fast_misaligned)
    addi    sp, sp, -kp_frame
    .cfi_adjust_cfa_offset 16 + 128 * (1 - \fast_misaligned)
    sd      s0, 0(sp)
    .cfi_rel_offset s0, 0
    sd      s1, 8(sp)
    .cfi_rel_offset s1, 8
.if \offset
    addi    a0, a0, \offset
.endif
    kp_load_block a1, ghash_scratch0
    mv      ghash_y_high, block_high
    mv      ghash_y_low, block_low
    kp_clmul_hash a0, a2, a3, s0, s1, \fast_misaligned, 16, \name
    rev8    ghash_y_high, ghash_y_high
    rev8    ghash_y_low, ghash_y_low
    kp_store_block ghash_y_high, ghash_y_low, a1, ghash_scratch0
    ld      s0, 0(sp)
    .cfi_restore s0
    ld      s1, 8(sp)
    .cfi_restore s1
    addi    sp, sp, kp_frame
    .cfi_adjust_cfa_offset -16 - 128 * (1 - \fast_misaligned)
.Lnothing\@:
    ret
    kp_end \name
.endm

#endif
