"""MD5 (RFC 1321) with hashlib's interface, and many messages at once.

MD5 is broken as a secure hash; it remains for checksums that exist.
"""

from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from kernport.buffers import Buffer
from kernport.calls import MD5, md5, md5_many

__all__ = ["MD5", "file_digest", "md5", "md5_files", "md5_many", "new"]

READ_BYTES = 1 << 18


def new(name: str, data: Buffer = b"", *, usedforsecurity: bool = True) -> MD5:
    """Begin a digest by its name, as hashlib.new does. Raises ValueError for any name but md5."""
    if name.lower() != "md5":
        raise ValueError(f"unsupported hash type {name}: kernport has md5; hashlib has others")
    return md5(data, usedforsecurity=usedforsecurity)


def file_digest(
    fileobj: BinaryIO, digest: str | Callable[[], MD5] = "md5", /, *, buffer_bytes: int = READ_BYTES
) -> MD5:
    """Hash what is left of a file opened for reading bytes, as hashlib.file_digest does; returns the object.

    Reads `buffer_bytes` at a time. Raises ValueError for a file in text mode or one that does not block.
    """
    result = new(digest) if isinstance(digest, str) else digest()
    if not hasattr(fileobj, "readinto"):
        raise ValueError(f"'{fileobj!r}' is not a file opened for reading bytes: open it in mode 'rb'")
    room = memoryview(bytearray(buffer_bytes))
    while True:
        length = fileobj.readinto(room)
        if length is None:
            raise BlockingIOError(f"'{fileobj!r}' does not block, and has nothing to read yet")
        if length == 0:
            return result
        result.update(room[:length])


def md5_files(paths: Sequence[str | PathLike[str]], *, at_once: int = 64) -> list[bytes]:
    """Hash the contents of many files; returns their digests (16 bytes each) in order.

    Reads `at_once` files at a time into memory. Raises OSError for the first that cannot be read.
    """
    digests: list[bytes] = []
    for start in range(0, len(paths), at_once):
        digests += md5_many([Path(path).read_bytes() for path in paths[start : start + at_once]])
    return digests
