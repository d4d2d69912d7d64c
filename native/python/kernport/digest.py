"""MD5 (RFC 1321) with hashlib's interface, and many messages at once.

MD5 is broken as a secure hash; it remains for checksums that exist.
"""

import operator
import os
from array import array
from collections.abc import Callable, Iterable
from os import PathLike

from kernport import calls
from kernport.calls import MD5, md5, md5_many
from kernport.types import Buffer

TYPE_CHECKING = False  # typing's, without the milliseconds that its import takes
if TYPE_CHECKING:
    from typing import BinaryIO

__all__ = ["MD5", "file_digest", "hash_files", "md5", "md5_files", "md5_many", "new"]

READ_BYTES = 1 << 18
MOST_THREADS = 8  # as the extension has it


def new(name: str, data: Buffer = b"", *, usedforsecurity: bool = True) -> MD5:
    """Begin a digest by its name, as hashlib.new does. Raises ValueError for any name but md5."""
    if name.lower() != "md5":
        raise ValueError(f"unsupported hash type {name}: kernport has md5; hashlib has others")
    return md5(data, usedforsecurity=usedforsecurity)


def file_digest(
    fileobj: "BinaryIO", digest: str | Callable[[], MD5] = "md5", /, *, buffer_bytes: int = READ_BYTES
) -> MD5:
    """Hash what is left of a file opened for reading bytes, as hashlib.file_digest does; returns the object.

    Reads `buffer_bytes` at a time. Raises ValueError for a file in text mode or one that does not block.
    """
    result = new(digest) if isinstance(digest, str) else digest()
    if not hasattr(fileobj, "readinto"):
        raise ValueError(f"{fileobj!r} is not a file opened for reading bytes: open it in mode 'rb'")
    if buffer_bytes < 1:
        raise ValueError(f"buffer_bytes must be 1 or more, not {buffer_bytes}")
    room = memoryview(bytearray(buffer_bytes))
    while True:
        length = fileobj.readinto(room)
        if length is None:
            raise BlockingIOError(f"'{fileobj!r}' does not block, and has nothing to read yet")
        if length == 0:
            return result
        result.update(room[:length])


def md5_files(paths: Iterable[str | PathLike[str]], *, threads: int | None = None) -> list[bytes]:
    """Hash the contents of many files; returns their digests (16 bytes each) in order.

    Many files are read and hashed at once, by `threads` threads (at most 8): as many as there are
    processors, if None. Raises OSError for the first that cannot be read.
    """
    names = [os.fspath(path) for path in _several(paths)]
    results = hash_files(names, threads=threads)
    for name, result in zip(names, results, strict=True):
        if isinstance(result, int):
            raise OSError(result, os.strerror(result), name)
    return [result for result in results if isinstance(result, bytes)]


def hash_files(
    paths: Iterable[str | PathLike[str]], *, threads: int | None = None, progress: "array[int] | None" = None
) -> list[bytes | int]:
    """As `md5_files`, but return an errno in the place of a digest for a file that cannot be read.

    `progress`, if given, is an array("L") of three numbers: how many files and bytes are done, which
    another thread may look at meanwhile, and whether to stop early, which it may set. Files that were
    not reached then have errno.ECANCELED.
    """
    if threads is None:
        threads = _processors()
    if operator.index(threads) < 1:
        raise ValueError(f"threads must be 1 or more, not {threads}")
    names = [os.fsencode(path) for path in _several(paths)]
    for name in names:
        if b"\0" in name:
            raise ValueError(f"a path has no zero bytes in it: {name!r}")
    return calls.md5_files(
        names, min(threads, MOST_THREADS), array("L", [0, 0, 0]) if progress is None else progress
    )


def _several(paths: Iterable[str | PathLike[str]]) -> Iterable[str | PathLike[str]]:
    if isinstance(paths, (str, bytes, PathLike)):
        raise TypeError(f"paths must be a list of paths, not one {type(paths).__name__}: write [path]")
    return paths


def _processors() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1
