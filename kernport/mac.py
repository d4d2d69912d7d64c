"""GMAC (NIST SP 800-38D): AES-GCM with nothing to encrypt, as a message authentication code."""

import hmac
from typing import Any

from kernport._cffi import ffi, lib
from kernport.aead import AESGCM
from kernport.buffers import Buffer, checked, readable
from kernport.errors import InvalidTag


class GMAC:
    """GMAC under one key of 16, 24 or 32 bytes.

    Tags have `tag_length` bytes: 4, 8 or 12 to 16. A nonce has 8 to 128 bytes (any number from 1 on
    with `any_nonce_length`) and must never serve twice under a key: two messages under one nonce give
    the key of the authentication away.
    """

    __slots__ = ("_aead",)

    def __init__(
        self,
        key: Buffer,
        *,
        tag_length: int = 16,
        any_nonce_length: bool = False,
        kernel: str | None = None,
    ) -> None:
        self._aead = AESGCM(key, tag_length=tag_length, any_nonce_length=any_nonce_length, kernel=kernel)

    @property
    def kernel(self) -> str:
        """The name of the kernel at work."""
        return self._aead.kernel

    @property
    def tag_length(self) -> int:
        """The length of every tag, in bytes."""
        return self._aead.tag_length

    def sign(self, nonce: Buffer, data: Buffer) -> bytes:
        """Return the tag of `data`. Raises ValueError for a nonce of the wrong length."""
        return self._aead.encrypt(nonce, b"", data)

    def verify(self, nonce: Buffer, data: Buffer, tag: Buffer) -> None:
        """Return if the tag is that of `data`; raise InvalidTag otherwise."""
        self._aead.decrypt_detached(nonce, b"", tag, data)

    def stream(self, nonce: Buffer) -> "GMACStream":
        """Begin a message that comes in pieces."""
        return GMACStream(self._aead, nonce)


class GMACStream:
    """A message in pieces of any size: `update` for each, then once `finalize` or `verify`."""

    __slots__ = ("_aead", "_stream")

    def __init__(self, aead: AESGCM, nonce: Buffer) -> None:
        self._aead = aead  # keeps the key alive
        self._stream: Any = aead._stream(lib.KP_ENCRYPT, aead._nonce(nonce), ())

    def update(self, data: Buffer) -> None:
        """Take in the next piece."""
        view = readable(data, "data")
        checked(lib.kp_aes_gcm_stream_aad(self._open(), view, len(view)))

    def finalize(self) -> bytes:
        """Return the tag; the stream is then at its end."""
        tag = bytearray(self._aead.tag_length)
        checked(lib.kp_aes_gcm_stream_tag(self._open(), ffi.from_buffer(tag), len(tag)))
        self._stream = None
        return bytes(tag)

    def verify(self, tag: Buffer) -> None:
        """Return if `tag` is that of what was taken in, else raise InvalidTag; ends the stream."""
        expected = bytes(readable(tag, "tag"))
        if not hmac.compare_digest(self.finalize(), expected):
            raise InvalidTag

    def _open(self) -> Any:
        if self._stream is None:
            raise ValueError("this message was finished; begin another by GMAC.stream(nonce)")
        return self._stream
