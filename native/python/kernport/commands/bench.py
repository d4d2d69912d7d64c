"""Measure every kernel that can run here, beside pyca/cryptography, hashlib and the processor's limits.

examples:
  kernport bench
  kernport bench --size 64 --size 16384
  kernport bench --operation md5 --level python
  kernport bench --kernel aes-gcm/portable --json
  kernport bench --plot throughput.svg
  kernport bench --start
"""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from kernport.cli.table import table
from kernport.errors import EnvironmentLacks, UsageError

if TYPE_CHECKING:
    from kernport.bench import Limit, Row

NAME = "bench"
HELP = "how fast each kernel is here, beside other libraries and the processor's limits"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the subcommand's arguments."""
    parser.add_argument(
        "--size", type=_size, action="append", metavar="BYTES", help="message sizes to measure"
    )
    parser.add_argument(
        "--kernel", action="append", default=[], metavar="FAMILY/KERNEL", help="only these kernels"
    )
    parser.add_argument(
        "--operation", action="append", default=[], metavar="NAME", help="only these operations"
    )
    parser.add_argument(
        "--level",
        choices=("c", "python"),
        help="only calls from C, where a call costs next to nothing, or only from Python",
    )
    parser.add_argument(
        "--turns", type=_turns, metavar="N", help="the best of so many is kept: more on a busy machine"
    )
    parser.add_argument(
        "--start", action="store_true", help="instead: what imports and first calls cost a fresh process"
    )
    parser.add_argument("--json", action="store_true", help="for machines")
    parser.add_argument("--plot", type=Path, metavar="FILE.svg", help="draw throughput over size")


def _size(text: str) -> int:
    return _at_least(0, text, "a size is 0 bytes or more")


def _turns(text: str) -> int:
    return _at_least(1, text, "there is 1 turn or more")


def _at_least(least: int, text: str, rule: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if number < least:
        raise argparse.ArgumentTypeError(f"'{text}': {rule}, in digits")
    return number


def run(arguments: argparse.Namespace) -> int:
    """Print a table an operation, or JSON with the rows under "rows" and the limits under "limits".

    With --start, print one table of steps, or a JSON array of them.
    """
    from kernport.bench import SIZES, TURNS, Bench, Row, operations
    from kernport.cpu import host

    if arguments.start:
        return _start(arguments)
    for name in arguments.kernel:
        host().why_not(name)  # an unknown name is an error that lists the known ones
    chosen = [each for each in operations() if arguments.level in (None, each.level)]
    known = dict.fromkeys(each.name for each in chosen)
    for name in arguments.operation:
        if name not in known:
            raise UsageError(f"there is no operation '{name}'; known: {', '.join(known)}")
    if arguments.operation:
        chosen = [each for each in chosen if each.name in arguments.operation]
    if arguments.plot is not None:
        _check_plot(arguments.plot)
    bench = Bench(arguments.turns or TURNS)
    rows: list[Row] = []
    for row in bench.measure(chosen, arguments.size or SIZES, arguments.kernel):
        rows.append(row)
        if sys.stderr.isatty():
            print(f"\r\x1b[K{row.operation}, {row.level}, {row.bytes} bytes", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr)
    if arguments.plot is not None:
        from kernport.plot import plot

        plot(rows, bench.limits, arguments.plot)
    if arguments.json:
        limits = {name: asdict(limit) for name, limit in bench.limits.items()}
        print(json.dumps({"limits": limits, "rows": [asdict(row) for row in rows]}, indent=2))
    else:
        _print_tables(rows, bench.limits)
    return 0


def _start(arguments: argparse.Namespace) -> int:
    from kernport.start import PROCESSES, measure

    figures = measure()
    if arguments.json:
        print(json.dumps([asdict(each) for each in figures], indent=2))
        return 0
    print(f"Microseconds in {PROCESSES} fresh processes.\n")
    cells = [[each.step, f"{each.least_ns / 1000:.0f}", f"{each.median_ns / 1000:.0f}"] for each in figures]
    print(table(["step", "least", "median"], cells, numbers=(1, 2)))
    return 0


def _check_plot(path: Path) -> None:
    """Find out before the measuring whether the drawing can be made."""
    import importlib.util

    if importlib.util.find_spec("matplotlib") is None:
        raise EnvironmentLacks("--plot needs matplotlib: pip install 'kernport[plot]'")
    if path.suffix != ".svg":
        raise UsageError(f"--plot {path}: the drawing is an SVG: name it {path.stem}.svg")
    if not path.parent.is_dir():
        raise UsageError(f"--plot {path}: there is no folder {path.parent}")


def _print_tables(rows: "list[Row]", limits: "dict[str, Limit]") -> None:
    print("Best of several turns in one run; compare ratios, not times.\n")
    for operation, level in dict.fromkeys((row.operation, row.level) for row in rows):
        chosen = [row for row in rows if (row.operation, row.level) == (operation, level)]
        peer = chosen[0].peer
        title = f"{operation}, called from {'C' if level == 'c' else 'Python'}"
        header, numbers = ["bytes", "kernel", "ns a call", "GB/s"], [0, 2, 3]
        cells = [[str(row.bytes), row.kernel, f"{row.ns:.0f}", f"{row.gb_per_s:.2f}"] for row in chosen]
        if operation in limits:
            limit = limits[operation]
            title += (
                f"; limit {limit.gb_per_s:.1f} GB/s: {limit.per_block} {limit.instruction} for 16 bytes each"
            )
            if limit.beside_multiplies is not None:
                title += f" ({limit.beside_multiplies:.1f} beside 3 multiplies)"
            numbers.append(len(header))
            header.append("of limit")
            for row, cell in zip(chosen, cells, strict=True):
                cell.append("" if row.of_limit is None else f"{row.of_limit:.2f}")
        if peer is not None:
            numbers += [len(header), len(header) + 1]
            header += [f"{peer}, ns", f"times {peer}"]
            for row, cell in zip(chosen, cells, strict=True):
                cell += [f"{row.peer_ns:.0f}", f"{row.ratio:.2f}"]
        print(title)
        print(table(header, cells, numbers=numbers), end="\n\n")
