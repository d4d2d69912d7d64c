"""MD5 (RFC 1321) with hashlib's interface, and many messages at once.

MD5 is broken as a secure hash; it remains for checksums that exist.
"""

import threading
from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path

from kernport._cffi import ffi, lib
from kernport.buffers import Buffer, checked, kernel_name, readable

DIGEST_BYTES = 16


class MD5:
    """A message in pieces, as hashlib's objects: `update`, `digest`, `hexdigest`, `copy`."""

    __slots__ = ("_lock", "_state")

    name = "md5"
    digest_size = DIGEST_BYTES
    block_size = 64

    def __init__(self, data: Buffer = b"", *, kernel: str | None = None) -> None:
        handle = ffi.new("kp_md5_state **")
        checked(lib.kp_md5_new(handle, kernel_name(kernel)))
        self._state = ffi.gc(handle[0], lib.kp_md5_free)
        # The C call gives up the GIL, so two threads could change one state at once.
        self._lock = threading.Lock()
        if data != b"":
            self.update(data)

    def update(self, data: Buffer) -> None:
        """Take in the next piece, a contiguous bytes-like object."""
        if isinstance(data, str):
            raise TypeError("Strings must be encoded before hashing")
        view = readable(data, "data")
        with self._lock:
            lib.kp_md5_update(self._state, view, len(view))

    def digest(self) -> bytes:
        """Return the 16 bytes for what was taken in so far; more may follow."""
        out = bytearray(DIGEST_BYTES)
        with self._lock:
            lib.kp_md5_digest(self._state, ffi.from_buffer(out))
        return bytes(out)

    def hexdigest(self) -> str:
        """Return `digest` as 32 hexadecimal digits."""
        return self.digest().hex()

    def copy(self) -> "MD5":
        """Return an object that goes on from the same state."""
        handle = ffi.new("kp_md5_state **")
        with self._lock:
            checked(lib.kp_md5_copy(handle, self._state))
        twin = MD5.__new__(MD5)
        twin._state = ffi.gc(handle[0], lib.kp_md5_free)
        twin._lock = threading.Lock()
        return twin

    def __repr__(self) -> str:
        return f"<md5 kernport object @ {id(self):#x}>"


def md5(data: Buffer = b"", *, usedforsecurity: bool = True, kernel: str | None = None) -> MD5:
    """Begin an MD5, as hashlib.md5 does. `usedforsecurity` is accepted and makes no difference."""
    return MD5(data, kernel=kernel)


def md5_many(buffers: Iterable[Buffer], *, kernel: str | None = None) -> list[bytes]:
    """Hash many messages at once; returns their digests (16 bytes each) in order.

    Several messages go through the processor side by side, which is several times faster than one
    after the other.
    """
    views = [readable(buffer, f"buffers[{number}]") for number, buffer in enumerate(buffers)]
    data = ffi.new("uint8_t *[]", views)
    lengths = ffi.new("size_t[]", [len(view) for view in views])
    digests = bytearray(DIGEST_BYTES * len(views))
    checked(lib.kp_md5_many(data, lengths, len(views), ffi.from_buffer(digests), kernel_name(kernel)))
    return [bytes(digests[at : at + DIGEST_BYTES]) for at in range(0, len(digests), DIGEST_BYTES)]


def md5_files(paths: Sequence[str | PathLike[str]], *, at_once: int = 64) -> list[bytes]:
    """Hash the contents of many files; returns their digests (16 bytes each) in order.

    Reads `at_once` files at a time into memory. Raises OSError for the first that cannot be read.
    """
    digests: list[bytes] = []
    for start in range(0, len(paths), at_once):
        digests += md5_many([Path(path).read_bytes() for path in paths[start : start + at_once]])
    return digests
