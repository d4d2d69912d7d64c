"""What APKBUILD and PKGBUILD have in common: patches beside a shell file that lists them with checksums."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from kernport.errors import UsageError


def locate(path: Path, name: str) -> Path:
    """The shell file: `path` itself, or the file `name` in the folder `path`."""
    file = path / name if path.is_dir() else path
    if not file.is_file():
        raise UsageError(f"{file}: no such file")
    return file


def checksum(algorithm: str, content: bytes) -> str:
    """The checksum in hexadecimal."""
    return hashlib.new(algorithm, content).hexdigest()


def read_beside(file: Path, sums: Mapping[str, str | None], algorithm: str) -> dict[str, bytes]:
    """The patches named in `sums`, each checked. Raises UsageError for one that is missing or differs."""
    found = {}
    for name, wanted in sums.items():
        patch = file.parent / name
        if not patch.is_file():
            raise UsageError(f"{file}: it lists {name}, which does not lie beside it")
        found[name] = patch.read_bytes()
        if wanted not in (None, "SKIP") and checksum(algorithm, found[name]) != wanted:
            raise UsageError(f"{file}: the {algorithm} of {name} is another than it says")
    if not found:
        raise UsageError(f"{file}: it lists no *.patch")
    return found
