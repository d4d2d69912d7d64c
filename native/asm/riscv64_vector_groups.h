/* How the vector kernels of GHASH split what they hash into groups, for any VLEN from 128.
 *
 * A group is what four registers hold: 4 blocks at VLEN 128, and from VLEN 512 on 16, which the tables of powers are
 * made for. Where the number of blocks is no multiple of that, it is the first group that is short, so that all groups
 * after it meet full sums; a last part of a block makes the last group shorter in bytes, not in blocks.
 */
#ifndef KP_ASM_RISCV64_VECTOR_GROUPS_H
#define KP_ASM_RISCV64_VECTOR_GROUPS_H

#define KP_GROUP_MOST_BLOCKS 16

/* Words in a full group: four times its blocks. Leaves vtype at 32-bit elements, groups of four. */
.macro kp_group_words words
    li      \words, 4 * KP_GROUP_MOST_BLOCKS
    vsetvli \words, \words, e32, m4, ta, mu
.endm

/* Splits `bytes` (not 0) into a short first group, full groups and a last group: first = blocks of the first group,
 * between = bytes of full groups after it but for the last, last = bytes of the last group, lanes = its places.
 * With no more than one group, it is the last: between and first are of no use, and only = 1. Else only = 0. */
.macro kp_group_split bytes, words, first, between, last, lanes, only
    addi    \first, \bytes, 15
    srli    \first, \first, 4
    srli    \lanes, \words, 2
    sgtu    \only, \first, \lanes
    xori    \only, \only, 1
    addi    \between, \first, -1        # blocks but one
    addi    \last, \lanes, -1
    and     \last, \last, \between
    sub     \between, \between, \last   # blocks of full groups after the first
    addi    \last, \last, 1             # blocks of the first group
    beqz    \only, .Lmany\@
    mv      \lanes, \first
    mv      \last, \bytes
    j       .Lsplit\@
.Lmany\@:
    mv      \first, \last
    sub     \between, \between, \lanes
    slli    \between, \between, 4
    slli    \last, \last, 4
    add     \last, \last, \between
    sub     \last, \bytes, \last
.Lsplit\@:
.endm

#endif
