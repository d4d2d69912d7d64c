"""How many instructions an operation of a kernel executes: by an emulator's log, or step by step here."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kernport.build.checkasm.program import PATIENCE_SECONDS, Program
from kernport.errors import AnswerNo, EnvironmentLacks

# Messages shorter than this are counted over several runs, at most so many more than one.
SHORT_BYTES, MOST_RUNS = 4096, 16


@dataclass(frozen=True)
class Figure:
    """Executed instructions of an operation, or the predicted cycles a byte of a main loop."""

    target: str
    cpu: str
    kernel: str
    operation: str
    bytes: int
    insns: int | None
    insns_per_byte: float | None
    model: str | None
    cycles_per_byte: float | None


def figures(program: Program, cpu: str, kernel: str, sizes: Sequence[int]) -> Iterator[Figure]:
    """Executed instructions of each operation of the kernels that run on the CPU row, for each length."""
    operations = program.operations(cpu)
    for name in program.available(cpu, kernel):
        for operation in operations[name.split("/")[0]]:
            for size in sizes:
                insns = instructions_a_call(program, cpu, name, operation, size)
                a_byte = insns / size if size > 0 else None
                yield Figure(program.target.name, cpu, name, operation, size, insns, a_byte, None, None)


def instructions_a_call(program: Program, cpu: str, kernel: str, operation: str, size: int) -> int:
    """Executed instructions of one call: many runs less one, since starts differ by a few instructions."""
    more = max(1, SHORT_BYTES // max(size, SHORT_BYTES // MOST_RUNS))
    once = executed(program, cpu, kernel, operation, size, 1)[0]
    return round((executed(program, cpu, kernel, operation, size, 1 + more)[0] - once) / more)


def executed(
    program: Program, cpu: str, kernel: str, operation: str, size: int, runs: int, at: int = 0
) -> tuple[int, int]:
    """Instructions executed by `runs` runs over `size` bytes, start of the program included, and
    how often the one at address `at` was reached. With an emulator and `at` only the latter counts."""
    loop = ["--kernel", kernel, "--bench-loop", operation, str(size), str(runs)]
    command = program.command(cpu)
    if len(command) == 1:
        offset = at - program.symbols()["main"] if at else 0
        process = subprocess.run(
            [*command, "--count", str(offset), *loop],
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE_SECONDS,
        )
        if process.returncode != 0:
            raise EnvironmentLacks(process.stderr.strip())
        total, hits = process.stdout.split()
        return int(total), int(hits)
    single = "-singlestep" if "ppc64abi32" in command[0] else "-one-insn-per-tb"
    options = [single, "-d", "exec,nochain", *(["-dfilter", f"{at:#x}+1"] if at else [])]
    lines = logged_lines([*command[:-1], *options, command[-1], *loop])
    return lines, lines


def logged_lines(command: Sequence[str]) -> int:
    """The number of lines "Trace …" that qemu logs while it runs the command: one an instruction."""
    lines = 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        rest = b"\n"
        while part := process.stderr.read(1 << 20):
            text = rest + part
            lines += text.count(b"\nTrace ")
            rest = text[text.rindex(b"\n") :] if not text.endswith(b"\n") else b"\n"
            if rest.startswith(b"\nTrace "):
                lines -= 1
    if rest.startswith(b"\nTrace "):
        lines += 1
    if process.returncode != 0:
        raise AnswerNo(f"{' '.join(command)} ended with {process.returncode}")
    return lines
