"""Folders that later builds find again, one process at a time."""

import fcntl
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from kernport.build.target import Target
from kernport.build.toolchain import machine_file


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep other processes that ask for the same lock out meanwhile; the lock is a file beside `path`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with Path(f"{path}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextmanager
def build_folder(target: Target, folder: Path, options: Sequence[str] = ()) -> Iterator[Path]:
    """Keep other processes out of the build in `folder`, and yield the machine file for it.

    Meson reads a machine file only when it sets a build up, so a build that was set up with another
    one, or with other options, is begun anew.
    """
    with locked(folder):
        path = Path(f"{folder}.ini")
        text = "".join(f"# {option}\n" for option in options) + machine_file(target)
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            if folder.exists():
                shutil.rmtree(folder)
            path.write_text(text, encoding="utf-8")
        yield path
