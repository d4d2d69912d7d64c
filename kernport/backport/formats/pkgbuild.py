"""Arch's PKGBUILD: patches in `source`, their SHA-256 in `sha256sums`, applied by prepare()."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from kernport.backport.formats import checksummed
from kernport.backport.mail import Patch


def write(patches: Sequence[Patch]) -> dict[str, bytes]:
    """The patches, and the lines of a PKGBUILD that carry and apply them."""
    names = "".join(f"  '{patch.name}'\n" for patch in patches)
    sums = "".join(f"  '{checksummed.checksum('sha256', patch.raw)}'\n" for patch in patches)
    steps = "".join(f'  patch -Np1 -i "$srcdir/{patch.name}"\n' for patch in patches)
    text = (
        f"source+=(\n{names})\nsha256sums+=(\n{sums})\n\n"
        f'prepare() {{\n  cd "$srcdir/$pkgname-$pkgver"\n{steps}}}\n'
    )
    return {"PKGBUILD": text.encode()} | {patch.name: patch.raw for patch in patches}


def read(path: Path) -> dict[str, bytes]:
    """The patches that a PKGBUILD lists, checked against its checksums."""
    file = checksummed.locate(path, "PKGBUILD")
    text = file.read_text("utf-8")
    names, sums = (_array(text, name) for name in ("source", "sha256sums"))
    paired = dict(zip(names, [*sums, *[None] * len(names)], strict=False))
    return checksummed.read_beside(
        file,
        {name: digest for name, digest in paired.items() if name.endswith(".patch") and "/" not in name},
        "sha256",
    )


def _array(text: str, name: str) -> list[str]:
    blocks = re.findall(rf"^{name}\+?=\((.*?)\)", text, re.M | re.S)
    return [word.strip("'\"") for block in blocks for word in re.sub(r"#.*", "", block).split()]
