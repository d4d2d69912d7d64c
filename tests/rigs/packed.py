"""Small packages of every format, by the real writers: of a library of a few lines of C."""

import importlib
import os
from dataclasses import replace
from pathlib import Path

import planted

from kernport.build.formats import Format, Output
from kernport.build.packages import Contents
from kernport.build.packages.stage import inside
from kernport.build.recipe import Tree
from kernport.build.target import Target

ROOT = planted.ROOT
TREE = planted.TREE
TARGETS = planted.TARGETS
LIBRARY = planted.MODULE.replace("PyInit__x", "kp_status_text")
# One target a format.
SOME = {
    "deb": "powerpc64le-linux-gnu",
    "rpm": "s390x-linux-gnu",
    "apk": "riscv64-linux-musl",
    "arch": "x86_64-linux-gnu",
    "freebsd": "powerpc64-freebsd",
}
PERCENT = "/share/100%25-sure.txt"


def library(folder: Path, target: Target, number: str = "0") -> bytes:
    """A shared library for a target, with the soname of the real one and that number."""
    folder.mkdir(parents=True, exist_ok=True)
    note = [str(planted.ROOT / "wheels" / "freebsd_note.S")] if target.os == "freebsd" else []
    return planted.compile_zig(folder, target.zig, LIBRARY, f"-Wl,-soname,libkernport.so.{number}", *note)


def folder_of_libraries(form: Format, target: Target) -> str:
    """Where a format has libraries."""
    option = next(each for each in form.layout if each.startswith("--libdir="))
    return f"{form.prefix}/{option.removeprefix('--libdir=').format(arch=target.variant.name)}"


def stage_library(stage: Path, form: Format, target: Target, content: bytes, number: str = "0") -> None:
    """Install a library below `stage`, with its link, and a file whose name is to be escaped."""
    folder = inside(stage, folder_of_libraries(form, target))
    folder.mkdir(parents=True)
    full = folder / f"libkernport.so.{number}.0.0"
    full.write_bytes(content)
    full.chmod(0o755)
    (folder / f"libkernport.so.{number}").symlink_to(full.name)
    strange = inside(stage, form.prefix + PERCENT)
    strange.parent.mkdir()
    strange.write_text("a name to be escaped\n", encoding="ascii")


def first_output(form: Format) -> Output:
    """The package of a format that has the library."""
    return next(each for each in form.outputs if "runtime" in each.tags)


def contents(
    stage: Path, form: Format, target: Target, output: Output | None = None, tree: Tree = TREE
) -> Contents:
    """What a writer packs."""
    return Contents(tree, target, form, output or first_output(form), stage)


def pack(what: Contents, out: Path) -> Path:
    """Write a package by the format's own writer."""
    out.mkdir(parents=True, exist_ok=True)
    path = importlib.import_module(f"kernport.build.packages.{what.form.writer}").write(what, out)
    assert isinstance(path, Path)
    return path


def with_version(version: str) -> Tree:
    """The tree as of another version."""
    return replace(TREE, version=version)


def age(stage: Path) -> None:
    """Give files other dates and modes, as another builder's would have."""
    for path in stage.rglob("*"):
        if not path.is_symlink():
            os.utime(path, (1, 1))
            path.chmod(0o700 if path.is_dir() or path.stat().st_mode & 0o100 else 0o600)
