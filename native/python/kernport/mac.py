"""GMAC (NIST SP 800-38D): AES-GCM with nothing to encrypt, as a message authentication code."""

from kernport import calls
from kernport.types import Buffer


class GMAC(calls.GMAC):
    """GMAC under one key of 16, 24 or 32 bytes.

    Tags have `tag_length` bytes: 4, 8 or 12 to 16. A nonce has 8 to 128 bytes (any number from 1 on
    with `any_nonce_length`) and must never serve twice under a key: two messages under one nonce give
    the key of the authentication away. An instance may be used from several threads at once.
    """

    __slots__ = ()

    def stream(self, nonce: Buffer) -> "GMACStream":
        """Begin a message that comes in pieces."""
        return GMACStream(self, nonce)


class GMACStream:
    """A message in pieces of any size: `update` for each, then once `finalize` or `verify`."""

    __slots__ = ("_stream",)

    def __init__(self, mac: calls.GMAC, nonce: Buffer) -> None:
        # Not before it is needed: cffi takes longer to import than all of kernport.
        from kernport.stream import Stream

        self._stream = Stream(mac, nonce, decrypt=False)

    def update(self, data: Buffer) -> None:
        """Take in the next piece."""
        self._stream.authenticate(data, "data")

    def finalize(self) -> bytes:
        """Return the tag; the stream is then at its end."""
        return self._stream.tag()

    def verify(self, tag: Buffer) -> None:
        """Return if `tag` is that of what was taken in, else raise InvalidTag; ends the stream."""
        self._stream.compare(tag)
