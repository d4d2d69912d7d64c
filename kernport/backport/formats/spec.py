"""An RPM spec: a `PatchN:` line a patch; %autosetup -p1 applies them in the order of N."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from kernport.backport.mail import Patch
from kernport.errors import UsageError

_PATCH = re.compile(r"^Patch(\d*)\s*:\s*(\S+)\s*$", re.MULTILINE | re.IGNORECASE)


def write(patches: Sequence[Patch]) -> dict[str, bytes]:
    """The patches, and the lines of a spec that carry and apply them."""
    lines = "".join(f"Patch{number:04}: {patch.name}\n" for number, patch in enumerate(patches, 1))
    return {"patches.spec": f"{lines}\n%prep\n%autosetup -p1\n".encode()} | {
        patch.name: patch.raw for patch in patches
    }


def read(path: Path) -> dict[str, bytes]:
    """The patches that a spec names, in the order of their numbers."""
    files = sorted(path.glob("*.spec")) if path.is_dir() else [path]
    if len(files) != 1 or not files[0].is_file():
        raise UsageError(f"{path}: expected one spec file, found {len(files) if path.is_dir() else 'none'}")
    numbered: list[tuple[int, str]] = []
    for number, name in _PATCH.findall(files[0].read_text("utf-8")):
        numbered.append((int(number) if number else len(numbered), name.rsplit("/", 1)[-1]))
    found = {}
    for _, name in sorted(numbered, key=lambda pair: pair[0]):
        patch = files[0].parent / name
        if not patch.is_file():
            raise UsageError(f"{files[0]}: it names {name}, which does not lie beside it")
        found[name] = patch.read_bytes()
    if not found:
        raise UsageError(f"{files[0]}: it has no PatchN line")
    return found
