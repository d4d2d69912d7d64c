"""Check every kernel of a target as docs/checkasm.md says: registers, memory, results, on each CPU row.

examples:
  kernport checkasm                                         this host
  kernport checkasm --target powerpc64le-linux-musl --cpu power8
  kernport checkasm --kernel FAMILY/portable --bench        instructions and cycles a byte
  kernport checkasm --target all --matrix                   everything, as a table
  kernport checkasm --target powerpc64-linux-musl --show    what the dispatcher finds and chooses there
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kernport.cli.tree import add_tree_arguments, open_tree

if TYPE_CHECKING:
    from kernport.build.recipe import Tree
    from kernport.build.target import Target

NAME = "checkasm"
HELP = "check kernels on any target and CPU"
BENCH_BYTES = 8192


def length(text: str) -> int:
    """A number of bytes, from 0 on, of the command line."""
    value = int(text)
    if value < 0:
        raise ValueError(text)
    return value


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the subcommand's arguments."""
    parser.add_argument(
        "--target", action="append", default=[], metavar="T", help="a target of recipes/targets.yaml, or all"
    )
    parser.add_argument("--kernel", default="", metavar="FAMILY[/NAME]", help="only this kernel or family")
    parser.add_argument(
        "--cpu", action="append", default=[], metavar="ROW", help="only this CPU row of the target"
    )
    parser.add_argument("--full", action="store_true", help="the long sweep")
    parser.add_argument(
        "--bench",
        action="store_true",
        help="instead: executed instructions a byte, and cycles a byte of the main loops where llvm is",
    )
    parser.add_argument(
        "--bytes", action="append", type=length, default=[], metavar="N", help="a length for --bench (8192)"
    )
    parser.add_argument(
        "--show", action="store_true", help="instead: what the dispatcher reads, finds and chooses"
    )
    parser.add_argument(
        "--matrix",
        action="store_true",
        help="print the table target x CPU row x kernel; without --target, of the last runs",
    )
    add_tree_arguments(parser)
    parser.add_argument("--json", action="store_true", help="for machines: one array of rows")


def run(arguments: argparse.Namespace) -> int:
    """Run the checks or the counts; exit code 1 if a kernel failed, 3 if nothing could be run."""
    from kernport.build.checkasm.program import run_target
    from kernport.build.checkasm.verdict import matrix_text, merge_matrix
    from kernport.build.target import choose_targets, load_targets
    from kernport.errors import UsageError

    tree, work = open_tree(arguments)
    matrix = work / "checkasm-matrix.txt"
    if arguments.matrix and not arguments.target:
        if not matrix.is_file():
            raise UsageError(f"{matrix}: nothing was run yet; add --target all")
        print((matrix.with_suffix(".json") if arguments.json else matrix).read_text(), end="")
        return 0
    targets = choose_targets(load_targets(tree), arguments.target)
    if arguments.show:
        return show(arguments, tree, work, targets)
    if arguments.bench:
        return bench(arguments, tree, work, targets)
    verdicts = []
    options = ["--full"] if arguments.full else []
    if arguments.kernel:
        options += ["--kernel", arguments.kernel]
    for target in targets:
        for row in run_target(tree, target, work, arguments.cpu, options):
            verdicts += row
            if not arguments.kernel:
                merge_matrix(matrix, row)
            if not arguments.json and not arguments.matrix:
                for each in row:
                    print(f"{each.target} {each.cpu} {each.kernel}: {each.sentence()}", flush=True)
    if arguments.json:
        print(json.dumps([each.__dict__ for each in verdicts], indent=1))
    elif arguments.matrix:
        print(matrix_text(verdicts), end="")
    if any(each.state == "failed" for each in verdicts):
        return 1
    return 0 if any(each.state == "passed" for each in verdicts) else 3


def show(arguments: argparse.Namespace, tree: Tree, work: Path, targets: Sequence[Target]) -> int:
    """Print the dispatcher's own account on each CPU row; exit code 3 if there is no row."""
    from kernport.build.checkasm.program import accounts

    count = 0
    for target in targets:
        for cpu, text in accounts(tree, target, work, arguments.cpu):
            count += 1
            if arguments.json:
                print(json.dumps({"target": target.name, "cpu": cpu, "lines": text.splitlines()}), flush=True)
            else:
                print(f"== {target.name}, {cpu}\n{text}", flush=True)
    return 0 if count else 3


def bench(arguments: argparse.Namespace, tree: Tree, work: Path, targets: Sequence[Target]) -> int:
    """Print the figures of each target's last CPU row, or of those that were asked for."""
    from kernport.build.checkasm.cycles import loop_figures
    from kernport.build.checkasm.instructions import figures
    from kernport.build.checkasm.program import build_checkasm
    from kernport.cli.table import table
    from kernport.errors import EnvironmentLacks

    rows = []
    for target in targets:
        program = build_checkasm(tree, target, work)
        for cpu in arguments.cpu or list(target.cpus)[:1]:
            rows += list(figures(program, cpu, arguments.kernel, arguments.bytes or [BENCH_BYTES]))
            try:
                rows += list(loop_figures(program, cpu, arguments.kernel))
            except EnvironmentLacks as error:
                print(f"kernport checkasm: no cycles: {error}", file=sys.stderr)
    if arguments.json:
        print(json.dumps([each.__dict__ for each in rows], indent=1))
        return 0
    cells = [
        [
            each.target,
            each.cpu,
            each.kernel,
            each.operation,
            str(each.bytes),
            "" if each.insns is None else str(each.insns),
            "" if each.insns_per_byte is None else f"{each.insns_per_byte:.3f}",
            each.model or "",
            "" if each.cycles_per_byte is None else f"{each.cycles_per_byte:.3f}",
        ]
        for each in rows
    ]
    header = ["target", "cpu", "kernel", "operation", "bytes", "insns", "insns/byte", "model", "cycles/byte"]
    print(table(header, cells, numbers=(4, 5, 6, 8)))
    return 0
