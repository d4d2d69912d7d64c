"""Folders that are gone at the end, also where a signal ends the work."""

from __future__ import annotations

import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def signals_held() -> Iterator[None]:
    """A signal that would end the work comes when this is over."""
    held = {signal.SIGHUP, signal.SIGINT, signal.SIGTERM}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, held)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def temporary_folder(purpose: str, beside: Path | None = None) -> Iterator[Path]:
    """A new folder whose name tells its purpose, among the temporary ones or in the folder `beside`."""
    folder = None
    try:
        with signals_held():
            folder = Path(tempfile.mkdtemp(prefix=f"kernport-{purpose}-", dir=beside))
        yield folder
    finally:
        if folder is not None:
            remove(folder)


def remove(folder: Path) -> None:
    """Remove a folder that may be gone, with everything in it."""
    with signals_held():
        shutil.rmtree(folder, ignore_errors=True)


def move_into_place(made: Path, place: Path) -> None:
    """Give a folder its lasting name, unless another process has made the same meanwhile."""
    try:
        made.rename(place)
    except OSError:
        if not place.is_dir():
            raise
