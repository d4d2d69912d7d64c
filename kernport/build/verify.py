"""Whether artefacts are reproducible: they are built again elsewhere, otherwise, and compared."""

import hashlib
import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

from kernport.build.contents import copy_tree
from kernport.build.native import environment
from kernport.build.recipe import Tree
from kernport.errors import AnswerNo

# What a second builder would have otherwise: all of it must leave no trace.
OTHERWISE = {
    "TZ": "Pacific/Kiritimati",
    "LC_ALL": "C",
    "USER": "another",
    "LOGNAME": "another",
    "HOSTNAME": "elsewhere",
}


def verify(tree: Tree, form: str, target: str, paths: Sequence[Path]) -> list[str]:
    """Build a format for a target again and compare with `paths`; returns a line a file with its SHA-256.

    The second build is of a copy of the tree with other dates, in a folder of another depth, with another
    umask, time zone and user name, and makes the compiler's own parts anew. Raises AnswerNo naming the first
    file in which the builds differ.
    """
    with tempfile.TemporaryDirectory(prefix="kernport-verify-") as scratch:
        copy = Path(scratch) / "another" / "place" / "for-the-tree"
        copy_tree(tree.root, copy)
        for path in copy.rglob("*"):
            if path.is_file():
                path.chmod(0o700 if os.access(path, os.X_OK) else 0o600)
        out = Path(scratch) / "out"
        elsewhere = OTHERWISE | {
            "PYTHONPATH": str(Path(__file__).resolve().parents[2]),
            "ZIG_GLOBAL_CACHE_DIR": str(Path(scratch) / "compiler"),
        }
        command = [sys.executable, "-m", "kernport", "build", form, "--tree", str(copy), "--out", str(out)]
        command += ["--target", target] if target else []
        process = subprocess.run(
            command,
            cwd=copy,
            env=environment() | elsewhere,
            umask=0o077,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if process.returncode != 0:
            raise AnswerNo(f"{target or form}: the second build failed:\n{process.stdout.rstrip()}")
        return [_compare(path, out / path.name) for path in paths]


def _compare(first: Path, second: Path) -> str:
    if not second.is_file():
        raise AnswerNo(f"{first.name}: the second build did not make it")
    digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in (first, second)]
    if digests[0] == digests[1]:
        return f"{first.name}: identical twice, sha256 {digests[0]}"
    inside = [_members(path) for path in (first, second)]
    names = sorted(inside[0].keys() | inside[1].keys())
    different = [name for name in names if inside[0].get(name) != inside[1].get(name)]
    raise AnswerNo(
        f"{first.name}: two builds differ, in {', '.join(different) or 'the order or dates of its files'}"
    )


def _members(path: Path) -> dict[str, bytes]:
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            return {name: archive.read(name) for name in archive.namelist()}
    if tarfile.is_tarfile(path):
        with tarfile.open(path) as archive:
            files = {entry.name: archive.extractfile(entry) for entry in archive}
            return {name: stream.read() if stream else b"" for name, stream in files.items()}
    return {}
