"""What llvm-mca makes of the loops that an object file marks by `..._loop_begin` and `..._loop_end`.

python tests/rigs/loop_model.py OBJECT --cpu sifive-u74 [--bytes 64] [--attributes=+zbb]

prints the instructions and the cycles of a pass through each loop and, given the bytes that a pass takes
in, both of them a byte. Needs llvm-objdump and llvm-mca (Debian: llvm-19).
"""

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PASSES = 100


@dataclass(frozen=True)
class Loop:
    """A marked loop: its name without the marks, and its instructions."""

    name: str
    instructions: tuple[str, ...]


def find_tool(name: str) -> str:
    """The newest of LLVM's tools of a name; FileNotFoundError says what brings it."""
    for version in ("-22", "-21", "-20", "-19", ""):
        if path := shutil.which(f"{name}{version}"):
            return path
    raise FileNotFoundError(f"{name} is missing: install LLVM's tools (Debian: llvm-19)")


def loops(path: Path, attributes: str) -> Iterator[Loop]:
    """The marked loops of an object file; a loop may contain another."""
    command = [find_tool("llvm-objdump"), "-d", "--no-show-raw-insn", f"--mattr={attributes}", str(path)]
    listing = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    open_loops: dict[str, list[str]] = {}
    for line in listing.splitlines():
        if label := re.fullmatch(r"[0-9a-f]+ <(.*)>:", line):
            name = label[1]
            if name.endswith("_loop_begin"):
                open_loops[name.removesuffix("_loop_begin")] = []
            elif name.endswith("_loop_end") and (stem := name.removesuffix("_loop_end")) in open_loops:
                yield Loop(stem, tuple(open_loops.pop(stem)))
        elif instruction := re.match(r"\s*[0-9a-f]+:\s+(\S.*)", line):
            text = re.sub(r"0x[0-9a-f]+ <.*>", "loop_model_begin", instruction[1])
            for body in open_loops.values():
                body.append(text.split(" #")[0])


def cycles(loop: Loop, triple: str, cpu: str, attributes: str) -> float:
    """Cycles of a pass, the first one's start-up spread over many."""
    command = [find_tool("llvm-mca"), f"-mtriple={triple}", f"-mcpu={cpu}", f"-mattr={attributes}"]
    source = "loop_model_begin:\n" + "\n".join(loop.instructions) + "\n"
    result = subprocess.run(
        [*command, f"-iterations={PASSES}"], check=False, input=source, capture_output=True, text=True
    )
    total = re.search(r"Total Cycles:\s+(\d+)", result.stdout)
    if total is None:
        raise ValueError(f"{loop.name}: llvm-mca says: {result.stderr.strip()}")
    return int(total[1]) / PASSES


def main(arguments: list[str]) -> int:
    """Run the command above; returns the exit code."""
    parser = argparse.ArgumentParser(description="Model the marked loops of an object file by llvm-mca.")
    parser.add_argument("object", type=Path)
    parser.add_argument("--cpu", required=True, help="as llvm-mca names it: sifive-u74, pwr10, znver4")
    parser.add_argument("--triple", default="riscv64")
    parser.add_argument("--attributes", default="")
    parser.add_argument("--bytes", type=int, help="bytes that a pass takes in")
    options = parser.parse_args(arguments)
    try:
        found = list(loops(options.object, options.attributes))
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return 3
    if not found:
        print(f"{options.object}: no marked loop", file=sys.stderr)
        return 1
    status = 0
    for loop in found:
        count = len(loop.instructions)
        try:
            taken = cycles(loop, options.triple, options.cpu, options.attributes)
        except ValueError as error:
            print(error, file=sys.stderr)
            status = 1
            continue
        line = f"{loop.name}: {count} instructions, {taken:.1f} cycles"
        if options.bytes:
            line += f"; {count / options.bytes:.2f} and {taken / options.bytes:.2f} a byte"
        print(line)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
