"""Give a proof that compiles with zig a cache of its own, with the C library that zig builds already in it.

zig builds a target's C library from source, in a minute or so, and keeps it. What a set's commands could
write to must not be seen by other proofs, so each gets a copy of a cache in which zig itself has only ever
compiled an empty program.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

from kernport.backport import process
from kernport.backport.confine import Confinement
from kernport.backport.temporary import move_into_place, temporary_folder
from kernport.errors import EnvironmentLacks

_SECONDS = 1800


def version() -> str:
    """zig's version. Raises EnvironmentLacks where it is not installed."""
    if importlib.util.find_spec("ziglang") is None:
        raise EnvironmentLacks("zig is not installed: install the Python package ziglang")
    return importlib.metadata.version("ziglang")


def is_called_by(words: Iterable[str]) -> bool:
    """Whether one of the words of commands or of environments calls zig."""
    return any(re.search(r"(^|\s)zig\s", f"{word} ") for word in words)


def write_program(path: Path) -> None:
    """Write a program `zig` that is the one of the Python package."""
    path.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m ziglang "$@"\n')
    path.chmod(0o755)


def fill_cache(folder: Path, compilers: Iterable[str], kept: Path, confinement: Confinement) -> None:
    """Make `folder` a cache that holds the C libraries of the compilers, as "zig cc -target … -O1".

    They are built once and kept below `kept`. Each level of optimisation has libraries of its own. A compiler
    that cannot compile an empty program adds nothing.
    """
    folder.mkdir(parents=True)
    for compiler in compilers:
        key = hashlib.sha256(f"{version()} {compiler}".encode()).hexdigest()
        if not (kept / key).is_dir():
            _make_seed(kept / key, compiler, confinement)
        if (kept / key).is_dir():
            shutil.copytree(kept / key, folder, dirs_exist_ok=True)


def _make_seed(seed: Path, compiler: str, confinement: Confinement) -> None:
    seed.parent.mkdir(parents=True, exist_ok=True)
    with temporary_folder("zig", seed.parent) as fresh:
        made = fresh / "cache"
        made.mkdir()
        (fresh / "empty.c").write_text("int main(void) { return 0; }\n")
        command = [sys.executable, "-m", "ziglang", *shlex.split(compiler)[1:], "empty.c", "-o", "empty"]
        caches = {"ZIG_GLOBAL_CACHE_DIR": str(made), "ZIG_LOCAL_CACHE_DIR": str(fresh / "local")}
        confined = confinement.around(command, fresh)
        done = process.run(confined, fresh, os.environ | caches, timeout=_SECONDS)
        if done.returncode == 0 and not made.is_symlink():
            move_into_place(made, seed)
