"""Alpine's APKBUILD: patches in `source`, their SHA-512 in `sha512sums`; default_prepare applies them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from kernport.backport.formats import checksummed
from kernport.backport.mail import Patch


def write(patches: Sequence[Patch]) -> dict[str, bytes]:
    """The patches, and the lines of an APKBUILD that carry them."""
    names = "".join(f"\t{patch.name}\n" for patch in patches)
    sums = "".join(f"{checksummed.checksum('sha512', patch.raw)}  {patch.name}\n" for patch in patches)
    text = f'source="$source\n{names}\t"\nsha512sums="$sha512sums\n{sums}"\n'
    return {"APKBUILD": text.encode()} | {patch.name: patch.raw for patch in patches}


def read(path: Path) -> dict[str, bytes]:
    """The patches that an APKBUILD lists, checked against its checksums."""
    file = checksummed.locate(path, "APKBUILD")
    text = file.read_text("utf-8")
    listed = [name for block in re.findall(r'^source="(.*?)"', text, re.M | re.S) for name in block.split()]
    sums = {name: digest for digest, name in re.findall(r"^([0-9a-f]{128})\s+(\S+)$", text, re.M)}
    patches = [name for name in listed if name.endswith(".patch") and "/" not in name]
    return checksummed.read_beside(file, {name: sums.get(name) for name in patches}, "sha512")
