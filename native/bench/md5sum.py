"""Time `kernport md5sum --recursive` beside md5sum on files of mixed size: python md5sum.py FOLDER.

The first run makes the files in FOLDER, the sizes evenly spread by their logarithm. Both commands take turns
and each keeps its best, so that what else the machine does matters little; before, all files are read once.
"""

import argparse
import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

A_FOLDER = 100
DESCRIPTION, _, MORE = (__doc__ or "").partition("\n\n")


@dataclass(frozen=True)
class Cost:
    """Seconds, and those of all processors together."""

    elapsed: float
    processor: float


def make(folder: Path, count: int, largest: int) -> None:
    """Write `count` files of 0 to `largest` bytes, a hundred a folder."""
    source = random.Random(count)  # noqa: S311
    content = source.randbytes(largest)
    for number in range(count):
        path = folder / f"{number // A_FOLDER:03}" / f"{number % A_FOLDER:02}"
        path.parent.mkdir(parents=True, exist_ok=True)
        length = int((largest + 1) ** source.random()) - 1
        start = source.randrange(largest - length + 1)
        path.write_bytes(content[start : start + length])


def run(command: str) -> tuple[Cost, list[bytes]]:
    """Run a command line; what it cost, and its output's lines in order."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    output = subprocess.run(["sh", "-c", command], stdout=subprocess.PIPE, check=True).stdout
    elapsed, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return Cost(elapsed, processor), sorted(output.splitlines())


def main(words: Sequence[str] | None = None) -> None:
    """Make the files unless they are there, and print a table."""
    parser = argparse.ArgumentParser(description=DESCRIPTION, epilog=MORE)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", type=int, default=20_000, help="how many there are (default: %(default)s)")
    parser.add_argument("--largest", type=int, default=1 << 20, help="bytes (default: %(default)s)")
    parser.add_argument("--turns", type=int, default=20, help="of each command (default: %(default)s)")
    arguments = parser.parse_args(words)
    folder = arguments.folder.resolve()
    if not folder.exists():
        make(folder, arguments.files, arguments.largest)
    sizes = [path.stat().st_size for path in folder.rglob("*") if path.is_file()]
    commands = {
        "md5sum": f"find '{folder}' -type f -print0 | xargs -0 md5sum",
        "kernport md5sum": f"'{sys.executable}' -P -m kernport md5sum --recursive '{folder}'",
    }
    expected = run(commands["md5sum"])[1]
    costs: dict[str, list[Cost]] = {name: [] for name in commands}
    for _ in range(arguments.turns):
        for name, command in commands.items():
            cost, lines = run(command)
            if lines != expected:
                sys.exit(f"{name} printed other checksums")
            costs[name].append(cost)
    print(f"{len(sizes)} files of 0 to {max(sizes)} bytes, {sum(sizes) / 1e6:.0f} MB; ", end="")
    print(f"{arguments.turns} turns, load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors\n")
    print(f"{'':15}  elapsed     ratio  processor  ratio")
    theirs = least(costs["md5sum"])
    for name, all_costs in costs.items():
        ours = least(all_costs)
        print(
            f"{name:15}  {ours.elapsed * 1e3:7.0f} ms  {theirs.elapsed / ours.elapsed:5.2f}"
            f"  {ours.processor * 1e3:7.0f} ms  {theirs.processor / ours.processor:4.2f}"
        )


def least(costs: Sequence[Cost]) -> Cost:
    """The least of either time."""
    return Cost(min(cost.elapsed for cost in costs), min(cost.processor for cost in costs))


if __name__ == "__main__":
    main()
