"""checkasm for any target: build it, run it on every CPU row, count instructions, predict cycles.

The program itself is tests/checkasm of a tree; docs/checkasm.md says what it checks.
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from kernport.build.dispatcher import identifier
from kernport.build.folder import locked
from kernport.build.native import NativeBuild
from kernport.build.recipe import Tree
from kernport.build.target import Target, host_target, load_targets
from kernport.build.toolkit import toolkit
from kernport.errors import AnswerNo, EnvironmentLacks, UsageError

HOST = "host"  # the CPU of a row that runs without an emulator
OPTIONS = ("-Dcheckasm=true", "-Dpython=false")
PATIENCE_SECONDS = 7200  # for what runs a long sweep under emulation on a busy machine
# A multiple of what a turn of any loop takes, up to 48 blocks.
LOOP_SPAN_BYTES = 3072
BLOCK_BYTES = 16
# Messages shorter than this are counted over several runs, at most so many more than one.
SHORT_BYTES, MOST_RUNS = 4096, 16


@dataclass(frozen=True)
class Verdict:
    """What became of one kernel ("family/name") on one CPU row: passed, refused, failed or not run."""

    target: str
    cpu: str
    kernel: str
    state: str
    reason: str
    checks: int

    def sentence(self) -> str:
        """The state, and why."""
        return f"{self.state} because {self.reason}" if self.reason else self.state


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


@dataclass(frozen=True)
class Loop:
    """A main loop that the assembly marks, from address `begin` to `end` in the program."""

    name: str
    kernel: str
    begin: int
    end: int


@dataclass(frozen=True)
class Program:
    """checkasm, or checkasm-faults, built for a target."""

    tree: Tree
    target: Target
    path: Path

    def command(self, cpu: str) -> list[str]:
        """How it is run on a CPU row, up to its own arguments. Raises EnvironmentLacks, UsageError."""
        return [*self._emulated(cpu), str(self.path)]

    def _emulated(self, cpu: str) -> list[str]:
        if cpu not in self.target.cpus:
            rows = ", ".join(self.target.cpus) or "none"
            raise UsageError(
                f"{self.target.name}: no CPU row '{cpu}' in recipes/targets.yaml; it has: {rows}"
            )
        row = self.target.cpus[cpu]
        host = host_target(load_targets(self.tree))
        if self.target.libc == "glibc" and self.target.zig and self.target.name != host:
            raise EnvironmentLacks(
                "zig cannot link glibc statically and there is no such system here; "
                "the target with musl has the same kernels"
            )
        if row.cpu != HOST:
            variable = f"{identifier(self.tree.name).upper()}_DISABLE={','.join(row.disable)}"
            disabled = ["-E", variable] if row.disable else []
            return [emulator(row.qemu), "-cpu", row.cpu, *disabled]
        if load_targets(self.tree)[host].variant != self.target.variant:
            raise EnvironmentLacks(f"this machine is not {self.target.variant.name}")
        return []

    def verdicts(self, cpu: str, *arguments: str) -> list[Verdict]:
        """Run it; one verdict a kernel. Raises AnswerNo if the program itself dies."""
        process = subprocess.run(
            [*self.command(cpu), "--json", *arguments],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=PATIENCE_SECONDS,
        )
        rows = [json.loads(line) for line in process.stdout.splitlines() if line.startswith("{")]
        verdicts = [
            Verdict(
                self.target.name,
                cpu,
                f"{row['family']}/{row['kernel']}",
                row["state"],
                row["reason"],
                row["checks"],
            )
            for row in rows
        ]
        if process.returncode == 2:
            raise UsageError(f"{self.target.name}: {process.stderr.strip()}")
        if process.returncode not in (0, 1) or (process.returncode == 0) != all(
            verdict.state != "failed" for verdict in verdicts
        ):
            said = process.stderr.strip().splitlines()[-3:]
            raise AnswerNo(
                f"{self.target.name} on {cpu}: checkasm ended with {process.returncode}: {' '.join(said)}"
            )
        return verdicts

    def operations(self, cpu: str) -> dict[str, list[str]]:
        """The operations that can be counted, by family."""
        process = subprocess.run(
            [*self.command(cpu), "--bench-loop"], capture_output=True, text=True, check=True, timeout=60
        )
        operations: dict[str, list[str]] = {}
        for line in process.stdout.splitlines():
            family, operation = line.split(": ", 1)
            operations.setdefault(family, []).append(operation)
        return operations

    def executed(
        self, cpu: str, kernel: str, operation: str, size: int, runs: int, at: int = 0
    ) -> tuple[int, int]:
        """Instructions executed by `runs` runs over `size` bytes, start of the program included, and
        how often the one at address `at` was reached. With an emulator and `at` only the latter counts."""
        loop = ["--kernel", kernel, "--bench-loop", operation, str(size), str(runs)]
        command = self.command(cpu)
        if len(command) == 1:
            offset = at - self.symbols()["main"] if at else 0
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

    def symbols(self) -> dict[str, int]:
        """The program's symbols and their addresses."""
        with self.path.open("rb") as stream:
            table = ELFFile(stream).get_section_by_name(".symtab")
            if not isinstance(table, SymbolTableSection):
                return {}
            return {symbol.name: symbol["st_value"] for symbol in table.iter_symbols()}

    def loops(self) -> list[Loop]:
        """The marked main loops of all kernels, by address."""
        symbols = self.symbols()
        names = {
            "_".join((self.tree.prefix, identifier(family.name), identifier(kernel.name), "")): "/".join(
                (family.name, kernel.name)
            )
            for family in self.tree.families
            for kernel in family.kernels
        }
        loops = []
        for symbol, begin in symbols.items():
            stem = symbol.removesuffix("_loop_begin")
            owners = [prefix for prefix in names if stem.startswith(prefix)]
            if stem != symbol and owners and f"{stem}_loop_end" in symbols:
                owner = max(owners, key=len)
                loops.append(Loop(stem.removeprefix(owner), names[owner], begin, symbols[f"{stem}_loop_end"]))
        return sorted(loops, key=lambda loop: loop.begin)


def emulator(name: str) -> str:
    """The qemu-user program qemu-NAME: installed, or built by tests/rigs/qemu-NAME.sh.

    Raises EnvironmentLacks with how to get it.
    """
    for candidate in (f"qemu-{name}-static", f"qemu-{name}"):
        if found := shutil.which(candidate):
            return found
    rig = toolkit() / "tests" / "rigs" / f"qemu-{name}.sh"
    if not rig.is_file():
        raise EnvironmentLacks(f"qemu-{name} is missing; apt-get install qemu-user-static (10 or newer)")
    process = subprocess.run(
        ["sh", str(rig), "--find"], capture_output=True, text=True, check=False, timeout=60
    )
    if process.returncode != 0:
        raise EnvironmentLacks(f"qemu-{name} is not built; run tests/rigs/{rig.name} of kernport's sources")
    return process.stdout.strip()


def build_checkasm(
    tree: Tree, target: Target, work: Path, program: str = "tests/checkasm/checkasm"
) -> Program:
    """Build the program for a target below work/checkasm. Raises AnswerNo, EnvironmentLacks."""
    build = NativeBuild(tree, target, work / "checkasm" / target.name)
    path = build.folder / program
    build.build(OPTIONS, [path.name])
    return Program(tree, target, path)


def run_target(
    tree: Tree, target: Target, work: Path, rows: Sequence[str], arguments: Sequence[str]
) -> Iterator[list[Verdict]]:
    """Build for a target and run it with the arguments on each CPU row, all if none is named.

    What cannot be run here gets a verdict that says why.
    """
    if not target.cpus:
        yield [Verdict(target.name, "-", "*", "not run", f"qemu-user runs no {target.os} programs", 0)]
        return
    try:
        program = build_checkasm(tree, target, work)
    except EnvironmentLacks as error:
        yield [Verdict(target.name, "*", "*", "not run", str(error), 0)]
        return
    for cpu in rows or target.cpus:
        try:
            yield program.verdicts(cpu, *arguments)
        except EnvironmentLacks as error:
            yield [Verdict(target.name, cpu, "*", "not run", str(error), 0)]


def accounts(tree: Tree, target: Target, work: Path, rows: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The CPU rows of a target, all if none is named, and what the dispatcher prints there.

    Where a row cannot be run here, that says why.
    """
    for cpu in rows or target.cpus:
        try:
            command = build_checkasm(tree, target, work, "tests/checkasm/show").command(cpu)
        except EnvironmentLacks as error:
            yield cpu, f"not run: {error}\n"
            continue
        yield cpu, subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout


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


def figures(program: Program, cpu: str, kernel: str, sizes: Sequence[int]) -> Iterator[Figure]:
    """Executed instructions of each operation of the kernels that run on the CPU row, for each length."""
    operations = program.operations(cpu)
    for name in available(program, cpu, kernel):
        for operation in operations[name.split("/")[0]]:
            for size in sizes:
                insns = instructions_a_call(program, cpu, name, operation, size)
                a_byte = insns / size if size > 0 else None
                yield Figure(program.target.name, cpu, name, operation, size, insns, a_byte, None, None)


def instructions_a_call(program: Program, cpu: str, kernel: str, operation: str, size: int) -> int:
    """Executed instructions of one call: many runs less one, since starts differ by a few instructions."""
    more = max(1, SHORT_BYTES // max(size, SHORT_BYTES // MOST_RUNS))
    once = program.executed(cpu, kernel, operation, size, 1)[0]
    return round((program.executed(cpu, kernel, operation, size, 1 + more)[0] - once) / more)


def available(program: Program, cpu: str, kernel: str) -> list[str]:
    """The kernels that the CPU row can run, of those asked for."""
    arguments = ["--list", "--json", *(["--kernel", kernel] if kernel else [])]
    process = subprocess.run(
        [*program.command(cpu), *arguments], capture_output=True, text=True, check=False, timeout=60
    )
    if process.returncode != 0:
        raise UsageError(process.stderr.strip())
    rows = [json.loads(line) for line in process.stdout.splitlines()]
    return [f"{row['family']}/{row['kernel']}" for row in rows if row["state"] == "available"]


def loop_figures(program: Program, cpu: str, kernel: str) -> Iterator[Figure]:
    """Cycles a byte of each marked main loop for each CPU model of the target, by llvm-mca.

    How many bytes a turn takes is counted: how often the loop begins for two lengths. Raises
    EnvironmentLacks where llvm is missing.
    """
    analyser, disassembler = llvm_tool("llvm-mca"), llvm_tool("llvm-objdump")
    names = available(program, cpu, kernel)
    operations = program.operations(cpu)
    for loop in program.loops():
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


def step(program: Program, cpu: str, loop: Loop, operations: Sequence[str]) -> tuple[str, int] | None:
    """The operation that a loop belongs to, and the bytes that a turn takes; None if none reaches it."""
    for operation in operations:
        few, many = (
            program.executed(cpu, loop.kernel, operation, size, 1, loop.begin)[1]
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


def matrix_text(verdicts: Sequence[Verdict]) -> str:
    """The table target x CPU row x kernel, one line each, and the kernels that no row could run."""
    header = ("target", "cpu", "kernel", "")
    rows = [(each.target, each.cpu, each.kernel, each.sentence()) for each in verdicts]
    widths = [max(len(row[column]) for row in (header, *rows)) for column in range(3)]
    lines = []
    for row in (header, *rows):
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        lines.append("  ".join((*cells, row[3])).rstrip())
    refused = {each.kernel for each in verdicts if each.state == "refused"}
    unseen = sorted(refused - {each.kernel for each in verdicts if each.state in ("passed", "failed")})
    lines += [f"no row here could run {kernel}" for kernel in unseen]
    return "\n".join(lines) + "\n"


def merge_matrix(path: Path, verdicts: Sequence[Verdict]) -> None:
    """Put verdicts into the file beside those of other targets and CPU rows; whole file or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = path.with_suffix(".json")
    with locked(data):
        known = [Verdict(**row) for row in json.loads(data.read_text())] if data.is_file() else []
        replaced = {(each.target, each.cpu) for each in verdicts}
        merged = [each for each in known if (each.target, each.cpu) not in replaced] + list(verdicts)
        merged.sort(key=lambda each: (each.target, each.cpu))
        for file, text in (
            (data, json.dumps([each.__dict__ for each in merged], indent=1) + "\n"),
            (path, matrix_text(merged)),
        ):
            new = file.with_name(f"{file.name}.{os.getpid()}")
            new.write_text(text, encoding="utf-8")
            new.replace(file)
