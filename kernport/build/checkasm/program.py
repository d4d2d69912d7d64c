"""checkasm built for a target, and how it is run on a CPU row of that target."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from kernport.build.checkasm.verdict import Verdict
from kernport.build.dispatcher import identifier
from kernport.build.emulator import emulator
from kernport.build.native import NativeBuild
from kernport.build.recipe import Tree
from kernport.build.target import Target, host_target, load_targets
from kernport.errors import AnswerNo, EnvironmentLacks, UsageError

HOST = "host"  # the CPU of a row that runs without an emulator
OPTIONS = ("-Dcheckasm=true", "-Dpython=false")
PATIENCE_SECONDS = 7200  # for what runs a long sweep under emulation on a busy machine


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

    def available(self, cpu: str, kernel: str) -> list[str]:
        """The kernels that the CPU row can run, of those asked for."""
        arguments = ["--list", "--json", *(["--kernel", kernel] if kernel else [])]
        process = subprocess.run(
            [*self.command(cpu), *arguments], capture_output=True, text=True, check=False, timeout=60
        )
        if process.returncode != 0:
            raise UsageError(process.stderr.strip())
        rows = [json.loads(line) for line in process.stdout.splitlines()]
        return [f"{row['family']}/{row['kernel']}" for row in rows if row["state"] == "available"]

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

    def symbols(self) -> dict[str, int]:
        """The program's symbols and their addresses."""
        with self.path.open("rb") as stream:
            table = ELFFile(stream).get_section_by_name(".symtab")
            if not isinstance(table, SymbolTableSection):
                return {}
            return {symbol.name: symbol["st_value"] for symbol in table.iter_symbols()}


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
