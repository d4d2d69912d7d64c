"""Measure every kernel that can run here, beside pyca/cryptography and hashlib.

examples:
  kernport bench
  kernport bench --size 64 --size 16384
  kernport bench --kernel aes-gcm/portable --json
"""

import argparse
import json
import sys
from dataclasses import asdict

from kernport.cli.table import table

NAME = "bench"
HELP = "how fast each kernel is here, beside other libraries"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the subcommand's arguments."""
    parser.add_argument("--size", type=int, action="append", metavar="BYTES", help="message sizes to measure")
    parser.add_argument(
        "--kernel", action="append", default=[], metavar="FAMILY/KERNEL", help="only these kernels"
    )
    parser.add_argument("--json", action="store_true", help="for machines")


def run(arguments: argparse.Namespace) -> int:
    """Print a table an operation, or JSON with the rows under "rows"."""
    from kernport.bench import SIZES, Row, measure
    from kernport.cpu import host

    for name in arguments.kernel:
        host().why_not(name)  # an unknown name is an error that lists the known ones
    rows: list[Row] = []
    for row in measure(arguments.size or SIZES, arguments.kernel):
        rows.append(row)
        if sys.stderr.isatty():
            print(f"\r\x1b[K{row.operation}, {row.bytes} bytes", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr)
    if arguments.json:
        print(json.dumps({"rows": [asdict(row) for row in rows]}, indent=2))
        return 0
    for operation in dict.fromkeys(row.operation for row in rows):
        chosen = [row for row in rows if row.operation == operation]
        peer = chosen[0].peer
        print(f"{operation}, best of several turns in one run")
        header = ["bytes", "kernel", "ns a call", "GB/s", f"{peer}, ns", f"times {peer}"]
        cells = [
            [
                str(row.bytes),
                row.kernel,
                f"{row.ns:.0f}",
                f"{row.gb_per_s:.2f}",
                f"{row.peer_ns:.0f}",
                f"{row.ratio:.2f}",
            ]
            for row in chosen
        ]
        print(table(header, cells, numbers=(0, 2, 3, 4, 5)), end="\n\n")
    return 0
