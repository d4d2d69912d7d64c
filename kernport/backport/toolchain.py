"""Whether a branch's compiler and assembler can take a patch, and how to write what its assembler lacks."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from kernport.backport import process
from kernport.backport.confine import Confinement
from kernport.backport.diff import FileChange
from kernport.backport.series import Assembler, Requirements, Toolchain
from kernport.backport.temporary import temporary_folder
from kernport.errors import EnvironmentLacks

_C_STANDARDS = ("c89", "c99", "c11", "c17")
_ASSEMBLY = (".S", ".s", ".asm")
_UNKNOWN = re.compile(r":(\d+): Error: (?:unrecognized opcode|unknown pseudo-op|no such instruction)")
_STATEMENT = re.compile(r"^\s*(?:[\w.$]+:\s*)*([a-z.][a-z0-9_]*[.+-]?)(?=\s|$)")


@dataclass(frozen=True)
class Unknown:
    """A statement that the branch's assembler refuses; `encoding` is the .long that stands for it."""

    path: str
    word: str
    statement: str
    encoding: str | None


def misses(requires: Requirements, toolchain: Toolchain) -> tuple[str | None, str | None]:
    """Why ABI, and why compiler, of the branch cannot take it; None where nothing speaks against it."""
    abi = compiler = None
    if requires.abi and toolchain.abi is not None and toolchain.abi not in requires.abi:
        abi = f"the branch's ABI is {toolchain.abi}, the patch is for {' or '.join(requires.abi)}"
    elif requires.call_elf and toolchain.call_elf is False:
        abi = "the branch's compiler does not define _CALL_ELF, so the patch cannot tell ELFv1 from ELFv2"
    if requires.c and toolchain.c and _C_STANDARDS.index(requires.c) > _C_STANDARDS.index(toolchain.c):
        compiler = f"the patch is {requires.c.upper()}, the branch's compiler knows {toolchain.c.upper()}"
    return abi, compiler


def unknown_statements(
    assembler: Assembler, changes: Iterable[FileChange], confinement: Confinement
) -> list[Unknown]:
    """The added assembly that the branch's assembler does not know, with its encodings where they can be had.

    A word counts as an instruction if `encoder` knows it, so names of macros are left alone. Raises
    EnvironmentLacks where one of the two commands is not installed.
    """
    statements = [
        (change.path, word, statement)
        for change in changes
        if PurePosixPath(change.path).suffix in _ASSEMBLY
        for hunk in change.hunks
        for line in hunk.added()
        for word, statement in _statements(line.decode("utf-8", "replace"))
    ]
    words = sorted({word for _, word, _ in statements})
    lacking = {word for word in words if word in assembler.lacks}
    if assembler.like and words:
        lacking |= refuses(assembler.like, words, confinement)
        if assembler.encoder:
            lacking -= refuses(assembler.encoder, sorted(lacking), confinement) - set(assembler.lacks)

    def encoded(statement: str) -> str | None:
        return encode(assembler.encoder, statement, confinement) if assembler.encoder else None

    return [
        Unknown(path, word, statement, encoded(statement))
        for path, word, statement in statements
        if word in lacking
    ]


def refuses(command: Sequence[str], words: Sequence[str], confinement: Confinement) -> set[str]:
    """Those of `words` that the assembler `command` has never heard of; operands do not matter."""
    if not words:
        return set()
    done, _ = _assemble(command, "".join(f"\t{word}\n" for word in words), confinement)
    return {words[int(line) - 1] for line in _UNKNOWN.findall(done.stderr.decode(errors="replace"))}


def encode(command: Sequence[str], statement: str, confinement: Confinement) -> str | None:
    """`statement` as .long; None where it does not assemble alone, as with operands that are macros."""
    done, listing = _assemble(command, f"\t{statement}\n", confinement)
    words = re.search(r"^\s*1 [0-9a-f]{4} ([0-9A-Fa-f]{8})\s", listing, re.MULTILINE)
    return f".long 0x{words[1].lower()}" if done.returncode == 0 and words else None


def _assemble(
    command: Sequence[str], text: str, confinement: Confinement
) -> tuple[subprocess.CompletedProcess[bytes], str]:
    program = shutil.which(command[0])
    if program is None:
        package = f"binutils-{command[0].removesuffix('-as')}" if command[0].endswith("-as") else command[0]
        raise EnvironmentLacks(f"{command[0]} is not installed: install the package {package}")
    with temporary_folder("assembler") as folder:
        source, listing = folder / "words.s", folder / "listing"
        source.write_text(text)
        arguments = [program, *command[1:], f"-al={listing}", "-o", "/dev/null", str(source)]
        done = process.run(confinement.around(arguments, folder), folder, timeout=60)
        return done, listing.read_text(errors="replace") if listing.exists() else ""


def _statements(line: str) -> Iterable[tuple[str, str]]:
    if line.lstrip().startswith(("#", "//", "/*", "*")):
        return
    for part in line.split(";"):
        code = re.sub(r"/\*.*?(\*/|$)|\s#.*$|//.*$", "", part).rstrip("\\ \t\r\n")
        found = _STATEMENT.match(code)
        if found:
            yield found[1], re.sub(r"^\s*(?:[\w.$]+:\s*)*", "", code).strip()
