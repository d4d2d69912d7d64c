"""The files of a tree, and archives of files that are the same whoever writes them, where and when."""

import email.utils
import gzip
import hashlib
import io
import os
import shutil
import tarfile
import time
import zipfile
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from kernport.build.native import environment, run

# What builds leave in a tree, at its top and anywhere.
MADE_AT_TOP, MADE_ANYWHERE = ("build", "dist"), "__pycache__"


def tree_files(root: Path) -> list[Path]:
    """The source files of a tree, relative to it, sorted: what git knows or would take, else all there are.

    Hidden files count, hidden folders but .ci do not; neither do folders that builds make.
    """
    if (root / ".git").exists():
        listed = run(
            ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            "git ls-files",
        )
        names = [Path(name) for name in listed.split("\0") if name]
    else:
        names = list(_walk(root, Path()))
    kept = {name for name in names if not _is_made(name) and (root / name).is_file()}
    return sorted(kept, key=lambda name: name.as_posix())


def copy_tree(root: Path, copy: Path) -> None:
    """Copy the source files of a tree into the folder `copy`, which is made where it is not."""
    for name in tree_files(root):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / name, copy / name)


def _walk(root: Path, folder: Path) -> Iterator[Path]:
    for entry in (root / folder).iterdir():
        name = folder / entry.name
        if entry.is_dir():
            if not _is_made(name) and (not entry.name.startswith(".") or entry.name == ".ci"):
                yield from _walk(root, name)
        elif not entry.is_symlink() and entry.suffix != ".pyc":
            yield name


def _is_made(name: Path) -> bool:
    return name.parts[0] in MADE_AT_TOP or MADE_ANYWHERE in name.parts


def digest_of(files: Mapping[str, bytes]) -> str:
    """The SHA-256, in hexadecimal, of some files with their names."""
    total = hashlib.sha256()
    for name, content in sorted(files.items()):
        total.update(f"{name}\0{len(content)}\0".encode())
        total.update(content)
    return total.hexdigest()


def epoch() -> int:
    """The date that archives bear, in seconds since 1970: SOURCE_DATE_EPOCH, or a fixed one."""
    return int(environment()["SOURCE_DATE_EPOCH"])


def date_of(released: str) -> str:
    """The date that texts bear, as mail has it (RFC 5322): a day, YYYY-MM-DD, if it is told, else `epoch`."""
    moment = datetime.fromisoformat(released).replace(tzinfo=UTC) if released else None
    return email.utils.format_datetime(moment or datetime.fromtimestamp(epoch(), UTC))


def write_zip(path: Path, files: Mapping[str, tuple[int, bytes]]) -> None:
    """Write a zip archive of files, name: (permission bits, content), in the order given."""
    # The format's dates begin in 1980.
    moment = time.gmtime(max(epoch(), 315532800))[:6]
    with zipfile.ZipFile(path, "w") as archive:
        for name, (mode, content) in files.items():
            entry = zipfile.ZipInfo(name, moment)
            entry.create_system = 3  # Unix, whatever this host is: permission bits count
            entry.external_attr = (0o100000 | mode) << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED, 9)


def write_tar_gz(path: Path, files: Mapping[str, tuple[int, bytes]]) -> None:
    """Write a tar archive, compressed by gzip, of files, name: (permission bits, content), in that order."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, (mode, content) in files.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode, entry.mtime = len(content), mode, epoch()
            archive.addfile(entry, io.BytesIO(content))
    path.write_bytes(gzip.compress(buffer.getvalue(), 9, mtime=0))


def mode_of(path: Path) -> int:
    """The permission bits that a file has in an archive: 0755 for what can be run, else 0644."""
    return 0o755 if os.access(path, os.X_OK) else 0o644
