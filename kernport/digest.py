"""MD5 (RFC 1321) with hashlib's interface, and many messages at once.

MD5 is broken as a secure hash; it remains for checksums that exist.
"""

from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from kernport.calls import MD5, md5, md5_many

__all__ = ["MD5", "md5", "md5_files", "md5_many"]


def md5_files(paths: Sequence[str | PathLike[str]], *, at_once: int = 64) -> list[bytes]:
    """Hash the contents of many files; returns their digests (16 bytes each) in order.

    Reads `at_once` files at a time into memory. Raises OSError for the first that cannot be read.
    """
    digests: list[bytes] = []
    for start in range(0, len(paths), at_once):
        digests += md5_many([Path(path).read_bytes() for path in paths[start : start + at_once]])
    return digests
