"""The forms in which packagers carry patches, one a file, each with `write` and `read`.

`write(patches)` gives the files of the form, by name. `read(path)` gives the patches in order, by name, as
mails; for what `write` wrote, the same bytes.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from kernport.backport.mail import Patch

NAMES = ("mail", "quilt", "ports", "spec", "apkbuild", "pkgbuild")


class Format(Protocol):
    """What each module of this package offers."""

    def write(self, patches: Sequence[Patch]) -> dict[str, bytes]:
        """The files of the form, by name."""

    def read(self, path: Path) -> dict[str, bytes]:
        """The patches in order, by file name, as mails."""


def get(name: str) -> Format:
    """The module for one of NAMES."""
    return cast(Format, importlib.import_module(f"kernport.backport.formats.{name}"))
