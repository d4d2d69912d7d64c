"""How many cycles a byte a kernel's main loop takes on the CPU models of a target, as llvm-mca predicts."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kernport.build.checkasm.instructions import Figure, executed
from kernport.build.checkasm.program import Program
from kernport.build.dispatcher import identifier
from kernport.build.recipe import Tree
from kernport.build.target import Target
from kernport.errors import EnvironmentLacks

# A multiple of what a turn of any loop takes, up to 48 blocks.
LOOP_SPAN_BYTES = 3072
BLOCK_BYTES = 16


@dataclass(frozen=True)
class Loop:
    """A main loop that the assembly marks, from address `begin` to `end` in the program."""

    name: str
    kernel: str
    begin: int
    end: int


def loop_figures(program: Program, cpu: str, kernel: str) -> Iterator[Figure]:
    """Cycles a byte of each marked main loop for each CPU model of the target, by llvm-mca.

    How many bytes a turn takes is counted: how often the loop begins for two lengths. Raises
    EnvironmentLacks where llvm is missing.
    """
    analyser, disassembler = llvm_tool("llvm-mca"), llvm_tool("llvm-objdump")
    names = program.available(cpu, kernel)
    operations = program.operations(cpu)
    for loop in loops(program):
        if loop.kernel not in names:
            continue
        found = step(program, cpu, loop, operations[loop.kernel.split("/")[0]])
        if found is None:
            continue
        operation, bytes_a_turn = found
        code = loop_text(disassembler, program, loop)
        instructions = sum(not line.endswith(":") for line in code)
        for model in program.target.models:
            cycles = predicted_cycles(analyser, program.tree, program.target, model, code)
            yield Figure(
                program.target.name,
                cpu,
                loop.kernel,
                f"{operation}, loop {loop.name}",
                bytes_a_turn,
                instructions,
                instructions / bytes_a_turn,
                model,
                None if cycles is None else cycles / bytes_a_turn,
            )


def loops(program: Program) -> list[Loop]:
    """The marked main loops of all kernels in the program, by address."""
    symbols = program.symbols()
    names = {
        "_".join((program.tree.prefix, identifier(family.name), identifier(kernel.name), "")): "/".join(
            (family.name, kernel.name)
        )
        for family in program.tree.families
        for kernel in family.kernels
    }
    found = []
    for symbol, begin in symbols.items():
        stem = symbol.removesuffix("_loop_begin")
        owners = [prefix for prefix in names if stem.startswith(prefix)]
        if stem != symbol and owners and f"{stem}_loop_end" in symbols:
            owner = max(owners, key=len)
            found.append(Loop(stem.removeprefix(owner), names[owner], begin, symbols[f"{stem}_loop_end"]))
    return sorted(found, key=lambda loop: loop.begin)


def step(program: Program, cpu: str, loop: Loop, operations: Sequence[str]) -> tuple[str, int] | None:
    """The operation that a loop belongs to, and the bytes that a turn takes; None if none reaches it."""
    for operation in operations:
        few, many = (
            executed(program, cpu, loop.kernel, operation, size, 1, loop.begin)[1]
            for size in (LOOP_SPAN_BYTES, 2 * LOOP_SPAN_BYTES)
        )
        if many > few:
            # Some turns may go another way, as when the counter's low byte runs over: whole blocks.
            return operation, BLOCK_BYTES * round(LOOP_SPAN_BYTES / (many - few) / BLOCK_BYTES)
    return None


def llvm_tool(name: str) -> str:
    """The newest version of an llvm tool here. Raises EnvironmentLacks."""
    for candidate in (*(f"{name}-{version}" for version in range(30, 14, -1)), name):
        if found := shutil.which(candidate):
            return found
    raise EnvironmentLacks(f"{name} is missing; apt-get install llvm-19")


def loop_text(disassembler: str, program: Program, loop: Loop) -> list[str]:
    """The loop as assembly that llvm-mca reads: one instruction a line, the start labelled 0."""
    command = [
        disassembler,
        "-d",
        "--no-show-raw-insn",
        "--no-leading-addr",
        attributes(program.tree.architecture(program.target.variant.name).disassembler),
        f"--start-address={loop.begin:#x}",
        f"--stop-address={loop.end:#x}",
        str(program.path),
    ]
    process = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    lines = ["0:"]
    for line in process.stdout.splitlines():
        if line.startswith(("\t", " ")) and line.strip():
            text = re.sub(r"\s*(# |//).*$", "", line.strip().replace("\t", " "))
            lines.append(re.sub(r"\S+ <[^>]*>$", "0b", text))
    return lines


def attributes(names: Sequence[str]) -> str:
    """LLVM's option that adds these to what a processor has."""
    return f"--mattr={','.join(f'+{name}' for name in names)}"


def predicted_cycles(
    analyser: str, tree: Tree, target: Target, model: str, code: Sequence[str]
) -> float | None:
    """Cycles of one turn in the steady state, or None where the model lacks an instruction."""
    triple = f"{target.variant.name.replace('_be', '')}-linux-gnu".replace("powerpc64le", "ppc64le")
    optional = attributes(tree.architecture(target.variant.name).optional_in_models)
    totals = []
    for turns in (100, 200):
        process = subprocess.run(
            [analyser, f"-mtriple={triple}", f"-mcpu={model}", optional, f"-iterations={turns}",
             "--all-views=false", "--summary-view"],
            input="\n".join(code) + "\n",
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )  # fmt: skip
        found = re.search(r"^Total Cycles:\s+(\d+)", process.stdout, re.MULTILINE)
        if process.returncode != 0 or found is None:
            return None
        totals.append(int(found[1]))
    return (totals[1] - totals[0]) / 100
