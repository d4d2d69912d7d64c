#!/usr/bin/env python3
"""Write rv64.S and zbb.S: MD5 (RFC 1321) for dual-issue in-order RISC-V cores.

The 64 steps are described here operation by operation and put in order by a list scheduler. The
assembly files are what is read and built; this program is how they are changed:

    python native/md5/riscv64/generate.py           writes both files
    python native/md5/riscv64/generate.py --check   exits with 1 if a file is not what would be written

How the description saves operations and time:

- G(b, c, d) is (d & b) + (~d & c): the two parts share no bit, so they can be added one by one,
  and only `b & d` and one addition lie between b and the rotation.
- Base RV64 has no `orn`. I(b, c, d) = c ^ (b | ~d) would take a `not` in each step, so some results
  are kept complemented: with ~d in a register, b | ~d is one operation; with ~b there, it is the
  complement of ~b & d. A complement costs a subtraction in place of an addition, as ~x = -x - 1, and
  the ones go into the table of constants.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

STEPS = 64
WORDS = 16
ROTATIONS = ((7, 12, 17, 22), (5, 9, 14, 20), (4, 11, 16, 23), (6, 10, 15, 21))
WORD_ORDER = ((1, 0), (5, 1), (3, 5), (7, 0))  # word = (factor * step + start) % 16, a pair a round
SINES = tuple(int(abs(math.sin(step + 1)) * 2**32) for step in range(STEPS))
VALUES = ("va", "vb", "vc", "vd")
SCRATCH = ("t0", "t1", "t2", "t3", "t4", "t5")
# Steps of base RV64 whose result is kept complemented: b and d of every step of the last round
# then differ in this, at the cost of five operations instead of sixteen.
COMPLEMENTED = frozenset({47, 48, 51, 52, 55, 56, 59, 60})

STATE_OFFSET = 0  # in the frame: A, B, C, D
LAST_OFFSET = 16  # where the loop's pointer ends
SHIFT_OFFSET = 24  # 8 * (data % 8)
TABLE_MIDDLE = 128  # the table's register points at its middle

ISSUE_WIDTH = 2
LOAD_LATENCY = 3


@dataclass(frozen=True)
class Variant:
    """A kernel, and how many operations its scheduler may look ahead in either loop."""

    name: str
    has_zbb: bool
    aligned_window: int
    unaligned_window: int
    processor: str
    headline: str
    gain: str
    table_remark: str


VARIANTS = (
    Variant(
        name="rv64",
        has_zbb=False,
        aligned_window=64,
        unaligned_window=36,
        processor="RV64I",
        headline="no extension is needed",
        gain="Against the steps in their own order, the schedule wins a quarter.",
        table_remark="RFC 1321's constants; those of the last round fit the complements (generate.py).",
    ),
    Variant(
        name="zbb",
        has_zbb=True,
        aligned_window=80,
        unaligned_window=60,
        processor="RV64I with Zbb",
        headline="roriw, andn and orn",
        gain="Against RV64I alone, Zbb wins a fifth.",
        table_remark="RFC 1321's constants.",
    ),
)


@dataclass(frozen=True)
class Operation:
    """One instruction. `text` has {0} where it writes and {1}, {2} where it reads."""

    text: str
    writes: str | None
    reads: tuple[str, ...]
    remark: str
    unit: str = "any"
    latency: int = 1


@dataclass
class Program:
    """Operations in an order that is right. A name that starts with % is a value of its own, written once."""

    operations: list[Operation] = field(default_factory=list)
    remark: str = ""
    temporaries: int = 0

    def new(self) -> str:
        """A name for a value that does not have one."""
        self.temporaries += 1
        return f"%{self.temporaries}"

    def do(self, mnemonic: str, writes: str, *reads: str, immediate: int | None = None) -> str:
        """Append an operation between registers; returns what it writes."""
        operands = [f"{{{number}}}" for number in range(len(reads) + 1)]
        if immediate is not None:
            operands.append(str(immediate))
        unit = "rotate" if mnemonic == "roriw" else "any"
        self.operations.append(
            Operation(f"{mnemonic} {', '.join(operands)}", writes, reads, self.remark, unit)
        )
        return writes

    def load(self, mnemonic: str, writes: str, base: str, offset: int) -> str:
        """Append a load; returns what it writes."""
        text = f"{mnemonic} {{0}}, {offset}({{1}})"
        self.operations.append(Operation(text, writes, (base,), self.remark, "memory", LOAD_LATENCY))
        return writes

    def store(self, mnemonic: str, value: str, base: str, offset: int) -> None:
        """Append a store."""
        text = f"{mnemonic} {{1}}, {offset}({{2}})"
        self.operations.append(Operation(text, None, (value, base), self.remark, "memory"))


def is_complemented(variant: Variant, step: int) -> bool:
    """Whether the result of a step is kept complemented."""
    return not variant.has_zbb and step in COMPLEMENTED


def mix(program: Program, variant: Variant, step: int) -> list[tuple[str, bool]]:
    """The parts to add for F, G, H or I of the step, each with whether it stands for its complement."""
    b, c, d = (VALUES[(number - step) % 4] for number in (1, 2, 3))
    not_b, not_c, not_d = (is_complemented(variant, step - back) for back in (1, 2, 3))
    do, new = program.do, program.new
    if step < 16:
        difference = do("xor", new(), c, d)
        chosen = do("and", new(), b, difference)
        return [(do("xor", new(), chosen, d), False)]
    if step < 32:
        not_d_and_c = ("andn", c, d) if variant.has_zbb else ("and", do("not", new(), d), c)
        from_c = do(not_d_and_c[0], new(), *not_d_and_c[1:])
        return [(from_c, False), (do("and", new(), b, d), False)]
    if step < 48:
        difference = do("xor", new(), c, d)
        return [(do("xor", new(), difference, b), not_b ^ not_c ^ not_d)]
    if variant.has_zbb:
        return [(do("xor", new(), do("orn", new(), b, d), c), False)]
    if not_b == not_d:
        raise ValueError(f"step {step}: exactly one of b and d has to be kept complemented")
    either = do("and", new(), b, d) if not_b else do("or", new(), b, d)
    return [(do("xor", new(), either, c), not_b ^ not_c)]


def add_step(program: Program, variant: Variant, step: int) -> int:
    """a = b + rotl(a + mix(b, c, d) + word + constant, s). Returns the constant for the table."""
    a, b = VALUES[-step % 4], VALUES[(1 - step) % 4]
    round_number = step // 16
    factor, start = WORD_ORDER[round_number]
    word = (factor * step + start) % WORDS
    amount = ROTATIONS[round_number][step % 4]
    program.remark = f"{step}"
    do, new = program.do, program.new

    not_a, not_b = is_complemented(variant, step - 4), is_complemented(variant, step - 1)
    not_result = is_complemented(variant, step)
    # With b plain and the result complemented, the sum is made complemented: ~(b + r) = ~r - b.
    not_sum = not_result and not not_b
    parts = mix(program, variant, step)
    # -x - 1 for each complement that goes in, and for the sum.
    constant = SINES[step] - (1 if not_a else 0) - sum(1 for _, is_negative in parts if is_negative)
    if not_sum:
        constant = -constant - 1

    addend = program.load("lw", new(), "table", 4 * step - TABLE_MIDDLE)
    addend = do("subw" if not_sum else "addw", new(), addend, f"w{word}")
    if not_a == not_sum:
        do("addw", a, a, addend)
    else:
        do("subw", a, addend, a)
    for part, is_negative in parts:
        do("addw" if is_negative == not_sum else "subw", a, a, part)

    if variant.has_zbb:
        do("roriw", a, a, immediate=32 - amount)
    else:
        high = do("slliw", new(), a, immediate=amount)
        do("srliw", a, a, immediate=32 - amount)
        do("or", a, a, high)
    if not_b and not_result:
        do("subw", a, b, a)  # ~(b + r) = ~b - r
    elif not_b:
        do("addw", a, a, do("not", new(), b))
    elif not_result:
        do("subw", a, a, b)
    else:
        do("addw", a, a, b)
    return constant % 2**32


def load_aligned(program: Program) -> None:
    """The sixteen words by sixteen loads; the data lie on a multiple of 4."""
    program.remark = "words"
    for word in range(WORDS):
        program.load("lw", f"w{word}", "data", 4 * word)


def load_unaligned(program: Program) -> None:
    """The sixteen words from aligned doublewords. The first is in w0 and the ninth in w15 already.

    The upper half of an even word's register is left over from the shift: only additions of 32 bits
    read the words.
    """
    program.remark = "words"
    shift = program.load("ld", program.new(), "sp", SHIFT_OFFSET)
    counter_shift = program.do("neg", program.new(), shift)
    for word in range(0, WORDS, 2):
        following = "w15"
        if word < WORDS - 2:
            following = program.load("ld", f"w{word + 2}", "data", 4 * word + 8)
        program.do("sll", f"w{word + 1}", following, counter_shift)
        program.do("srl", f"w{word}", f"w{word}", shift)
        program.do("or", f"w{word}", f"w{word}", f"w{word + 1}")
        program.do("srli", f"w{word + 1}", f"w{word}", immediate=32)


def add_state(program: Program, variant: Variant) -> None:
    """Add and keep the chaining state, move on to the next block."""
    program.remark = "state"
    for number, step in ((0, 60), (3, 61), (2, 62), (1, 63)):
        value, offset = VALUES[number], STATE_OFFSET + 4 * number
        before = program.load("lw", program.new(), "sp", offset)
        if is_complemented(variant, step):
            program.do("not", value, value)
        program.do("addw", value, value, before)
        program.store("sw", value, "sp", offset)
    program.remark = "next"
    program.do("addi", "data", "data", immediate=64)


def dependences(operations: list[Operation]) -> list[dict[int, int]]:
    """For each operation, those it has to follow and by how many cycles."""
    before: list[dict[int, int]] = [{} for _ in operations]
    writer: dict[str, int] = {}
    readers: dict[str, list[int]] = {}

    def follow(later: int, earlier: int, cycles: int) -> None:
        if later != earlier:
            before[later][earlier] = max(before[later].get(earlier, 0), cycles)

    for number, operation in enumerate(operations):
        reads = operation.reads
        is_frame = "sp" in reads
        slot = f"frame {operation.text.split(', ')[1].split('(')[0]}" if is_frame else ""
        for name in reads + ((slot,) if is_frame and operation.writes else ()):
            if name in writer:
                follow(number, writer[name], operations[writer[name]].latency)
            readers.setdefault(name, []).append(number)
        written = operation.writes or slot
        if written in writer:
            follow(number, writer[written], 1)
        for reader in readers.get(written, []):
            follow(number, reader, 0)
        writer[written] = number
        readers[written] = []
    return before


def schedule(operations: list[Operation], window: int) -> list[Operation]:
    """List scheduling: each cycle takes the ready operations that the longest chain hangs on.

    An operation that needs a scratch register leaves one for the oldest operation, which can
    therefore always go on.
    """
    before = dependences(operations)
    after: list[list[tuple[int, int]]] = [[] for _ in operations]
    for later, earlier_ones in enumerate(before):
        for earlier, cycles in earlier_ones.items():
            after[earlier].append((later, cycles))
    height = [0] * len(operations)
    for number in reversed(range(len(operations))):
        height[number] = operations[number].latency
        for later, cycles in after[number]:
            height[number] = max(height[number], height[later] + max(cycles, 1))

    uses = Counter(name for operation in operations for name in set(operation.reads))
    free = len(SCRATCH)
    issued: dict[int, int] = {}
    order: list[Operation] = []
    waiting = list(range(len(operations)))
    cycle = 0
    while waiting:
        taken: dict[str, int] = {}
        candidates = [number for number in waiting if number < waiting[0] + window]
        for number in sorted(candidates, key=lambda one: (-height[one], one)):
            operation = operations[number]
            if sum(taken.values()) == ISSUE_WIDTH:
                break
            if operation.unit != "any" and taken.get(operation.unit):
                continue
            if any(
                issued.get(earlier, cycle + 1) + cycles > cycle for earlier, cycles in before[number].items()
            ):
                continue
            freed = sum(1 for name in set(operation.reads) if name[0] == "%" and uses[name] == 1)
            takes = 1 if operation.writes and operation.writes[0] == "%" else 0
            reserve = 0 if number == waiting[0] else 1
            if takes and free + freed - takes < reserve:
                continue
            free += freed - takes
            for name in set(operation.reads):
                uses[name] -= 1
            taken[operation.unit] = taken.get(operation.unit, 0) + 1
            issued[number] = cycle
            waiting.remove(number)
            order.append(operation)
        cycle += 1
    return order


def line(text: str, remark: str) -> str:
    """An instruction in columns."""
    mnemonic, operands = text.split(" ", 1)
    return f"    {mnemonic:<7} {operands:<22}# {remark}"


def assign(order: list[Operation]) -> list[str]:
    """Lines of assembly; a temporary value has a scratch register from its writing to its last reading."""
    last = {name: number for number, operation in enumerate(order) for name in operation.reads}
    free = list(reversed(SCRATCH))
    held: dict[str, str] = {}
    lines = []
    for number, operation in enumerate(order):
        names = [held.get(name, name) for name in operation.reads]
        for name in dict.fromkeys(operation.reads):
            if name in held and last[name] == number:
                free.append(held.pop(name))
        writes = operation.writes or ""
        if writes.startswith("%"):
            # The register that has been free for longest, to keep writes away from earlier readings.
            held[writes] = free.pop(0)
            writes = held[writes]
        lines.append(line(operation.text.format(writes, *names), operation.remark))
    return lines


def body(variant: Variant, is_aligned: bool) -> tuple[list[str], list[int]]:
    """The lines of one loop but for its branch, which compares data with t0; and the table of constants."""
    program = Program()
    (load_aligned if is_aligned else load_unaligned)(program)
    constants = [add_step(program, variant, step) for step in range(STEPS)]
    add_state(program, variant)
    window = variant.aligned_window if is_aligned else variant.unaligned_window
    lines = assign(schedule(program.operations, window))
    lines.append(line(f"ld t0, {LAST_OFFSET}(sp)", "next"))
    return lines, constants


HEADER = """\
/* MD5 (RFC 1321) on {processor}, one stream: {headline}.
 *
 *     void kp_md5_{name}_compress(uint32_t state[4], const uint8_t *data, size_t blocks);
 *
 * Written by generate.py beside it, which also explains how the operations were chosen.
 *
 * Registers: a0 state, a1 data, a2 blocks on entry; below they have the names of the definitions
 * that follow. t0..t5 hold what lives for a few instructions. ra and s0..s11 hold words of the
 * block and are saved.
 * Frame: 0 the chaining state (wiped at the end), 16 where `data` ends, 24 the shift of unaligned
 * data, 32 the state's address, 40 the saved registers.
 *
 * Idea: a core that issues two instructions a cycle in order waits whenever neighbours depend on
 * each other, so the steps overlap: loads and additions that do not need the step before stand in
 * its gaps. The number after an instruction is its step. Data that are not on a multiple of 4 come
 * in by aligned doublewords that are shifted together; the first and the last of them are put
 * together from their bytes, so that nothing outside the data is read.
 *
 * Source: RFC 1321, section 3.4. {gain}
 */
#include "../../asm/riscv64.h"

{definitions}

"""

OPENING = """\
    kp_function {symbol}
{extension}    beqz    a2, .Lnothing
    addi    sp, sp, -144
    .cfi_def_cfa_offset 144
{saves}
    sd      a0, 32(sp)
    slli    t1, a2, 6
    add     t1, t1, data
    lw      va, 0(a0)
    lw      vb, 4(a0)
    lw      vc, 8(a0)
    lw      vd, 12(a0)
    sw      va, 0(sp)
    sw      vb, 4(sp)
    sw      vc, 8(sp)
    sw      vd, 12(sp)
    lla     table, .Lconstants + {middle}
    andi    t0, data, 3
    bnez    t0, .Lunaligned
    sd      t1, 16(sp)

    .p2align 4
kp_mark {symbol}_aligned_loop_begin
.Laligned:
"""

BETWEEN = """\
    bne     data, t0, .Laligned
kp_mark {symbol}_aligned_loop_end

.Ldone:
    ld      a0, 32(sp)
    sw      va, 0(a0)
    sw      vb, 4(a0)
    sw      vc, 8(a0)
    sw      vd, 12(a0)
    sd      zero, 0(sp)
    sd      zero, 8(sp)
    .cfi_remember_state
{restores}
    addi    sp, sp, 144
    .cfi_def_cfa_offset 0
.Lnothing:
    ret
    .cfi_restore_state

.Lunaligned:
    andi    t0, data, 7
    slli    t2, t0, 3
    sd      t2, 24(sp)
    addi    t3, t1, -64         # the last block, rounded down
    andi    t3, t3, -8
    sd      t3, 16(sp)
    ori     t4, data, 7
    addi    t4, t4, 1
    li      w0, 0
.Lfirst_bytes:
    addi    t4, t4, -1
    lbu     t0, 0(t4)
    slli    w0, w0, 8
    or      w0, w0, t0
    bne     t4, data, .Lfirst_bytes
    sll     w0, w0, t2
    andi    data, data, -8
    bne     data, t3, .Lninth
    j       .Llast_block

    .p2align 4
kp_mark {symbol}_unaligned_loop_begin
.Lunaligned_block:
    ld      w0, 0(data)
.Lninth:
    ld      w15, 64(data)
.Lunaligned_words:
"""

ENDING = """\
    bltu    data, t0, .Lunaligned_block
kp_mark {symbol}_unaligned_loop_end
    bne     data, t0, .Ldone
    ld      w0, 0(data)
.Llast_block:
    ld      t2, 24(sp)
    srli    t2, t2, 3
    addi    t0, data, 64
    add     t2, t2, t0          # where the data end
    li      w15, 0
.Llast_bytes:
    addi    t2, t2, -1
    lbu     t3, 0(t2)
    slli    w15, w15, 8
    or      w15, w15, t3
    bne     t2, t0, .Llast_bytes
    j       .Lunaligned_words
    kp_end {symbol}

    /* {table_remark} */
    .section .rodata
    .p2align 6
.Lconstants:
{table}
"""

WORD_REGISTERS = ("a0", "a6", "a7", "ra", *(f"s{number}" for number in range(12)))
NAMES = {"data": "a1", "va": "a2", "vb": "a3", "vc": "a4", "vd": "a5", "table": "t6"}
SAVED = ("ra", *(f"s{number}" for number in range(12)))
SAVED_OFFSET = 40


def write(variant: Variant) -> str:
    """The whole assembly file of a kernel."""
    aligned, constants = body(variant, True)
    unaligned, _ = body(variant, False)
    names = NAMES | {f"w{word}": register for word, register in enumerate(WORD_REGISTERS)}
    saves, restores = [], []
    for number, register in enumerate(SAVED):
        offset = SAVED_OFFSET + 8 * number
        saves += [f"    sd      {register}, {offset}(sp)", f"    .cfi_offset {register}, {offset - 144}"]
        restores += [f"    ld      {register}, {offset}(sp)", f"    .cfi_restore {register}"]
    fields = {
        "name": variant.name,
        "symbol": f"kp_md5_{variant.name}_compress",
        "processor": variant.processor,
        "headline": variant.headline,
        "gain": variant.gain,
        "extension": "    .option arch, +zbb\n" if variant.has_zbb else "",
        "definitions": "\n".join(f"#define {name} {register}" for name, register in names.items()),
        "saves": "\n".join(saves),
        "restores": "\n".join(restores),
        "middle": TABLE_MIDDLE,
        "table_remark": variant.table_remark,
        "table": "\n".join(
            "    .word   " + ", ".join(f"0x{constant:08x}" for constant in constants[row : row + 8])
            for row in range(0, STEPS, 8)
        ),
    }
    parts = [HEADER, OPENING, "\n".join(aligned) + "\n", BETWEEN, "\n".join(unaligned) + "\n", ENDING]
    return "".join(part.format(**fields) if "{" in part else part for part in parts)


def main() -> int:
    """Write or check both files; returns the exit code."""
    parser = argparse.ArgumentParser(description="Write the MD5 kernels of riscv64.")
    parser.add_argument("--check", action="store_true", help="compare with the files instead of writing them")
    is_check = parser.parse_args().check
    status = 0
    for variant in VARIANTS:
        path = Path(__file__).with_name(f"{variant.name}.S")
        text = write(variant)
        if not is_check:
            path.write_text(text, encoding="utf-8")
        elif not path.is_file() or path.read_text(encoding="utf-8") != text:
            print(f"{path}: not what {Path(__file__).name} writes: run it without --check", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
