"""Folders that are gone at the end, also where a signal ends the work."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kernport.signals import signals_held

# Those that are there now: a signal can come just where the work in one is over and its end not yet begun.
_present: set[Path] = set()


@contextmanager
def temporary_folder(purpose: str, beside: Path | None = None) -> Iterator[Path]:
    """A new folder whose name tells its purpose, among the temporary ones or in the folder `beside`."""
    folder = None
    try:
        with signals_held():
            folder = Path(tempfile.mkdtemp(prefix=f"kernport-{purpose}-", dir=beside))
            _present.add(folder)
        yield folder
    finally:
        if folder is not None:
            remove(folder)


@contextmanager
def gone_at_the_end(folder: Path) -> Iterator[Path]:
    """The same for a folder of that name, which the work makes and may rename."""
    try:
        _present.add(folder)
        yield folder
    finally:
        remove(folder)


def remove(folder: Path) -> None:
    """Remove a folder that may be gone, with everything in it."""
    with signals_held():
        shutil.rmtree(folder, ignore_errors=True)
        _present.discard(folder)


def remove_all() -> None:
    """Remove every folder that is still there, when all the work has ended."""
    for folder in list(_present):
        remove(folder)


def move_into_place(made: Path, place: Path) -> None:
    """Give a folder its lasting name, unless another process has made the same meanwhile."""
    try:
        made.rename(place)
    except OSError:
        if not place.is_dir():
            raise
