"""AES-GCM with the interface of `cryptography.hazmat.primitives.ciphers.aead.AESGCM`, and more."""

import operator
import os

from kernport import calls, errors
from kernport.types import AAD, Buffer

TYPE_CHECKING = False  # typing's, without the milliseconds that its import takes
if TYPE_CHECKING:
    from typing import SupportsIndex


class AESGCM(calls.AESGCM):
    """AES-GCM (NIST SP 800-38D) under one key.

    `key` has 16, 24 or 32 bytes. `tag_length` is the length of every tag in bytes: 4, 8 or 12 to 16;
    fewer than 16 only where a protocol asks for it. A nonce has 8 to 128 bytes, 12 being the fast and
    usual length, or any number from 1 on with `any_nonce_length`; no nonce may serve twice under a
    key. `kernel` names the kernel to use instead of the dispatcher's choice.

    Texts, nonces and associated data are contiguous bytes-like objects, read without a copy;
    associated data may also be a list or tuple of them, which counts as their concatenation, or None.
    An instance may be used from several threads at once.
    """

    __slots__ = ()

    @staticmethod
    def generate_key(bit_length: "SupportsIndex") -> bytes:
        """Return a fresh random key of 128, 192 or 256 bits, as bytes."""
        if operator.index(bit_length) not in (128, 192, 256):
            raise ValueError("bit_length must be 128, 192, or 256")
        return os.urandom(operator.index(bit_length) // 8)

    def encryptor(self, nonce: Buffer, associated_data: AAD = None) -> "Encryptor":
        """Begin a message in pieces: see Encryptor. Raises ValueError for a nonce of the wrong length."""
        return Encryptor(self, nonce, associated_data)

    def decryptor(self, nonce: Buffer, associated_data: AAD = None) -> "Decryptor":
        """Begin a message in pieces: see Decryptor. Raises ValueError for a nonce of the wrong length."""
        return Decryptor(self, nonce, associated_data)


class _Pieces:
    __slots__ = ("_stream",)

    def __init__(self, aead: calls.AESGCM, nonce: Buffer, associated_data: AAD, *, decrypt: bool) -> None:
        # Not before it is needed: cffi takes longer to import than all of kernport.
        from kernport.stream import Stream

        self._stream = Stream(aead, nonce, decrypt=decrypt)
        if isinstance(associated_data, (list, tuple)):
            for number, piece in enumerate(associated_data):
                self._stream.authenticate(piece, f"associated_data[{number}]")
        elif associated_data is not None:
            self._stream.authenticate(associated_data, "associated_data")  # type: ignore[arg-type]

    def authenticate_additional_data(self, data: Buffer) -> None:
        """Take in more associated data. Raises ValueError once there was text."""
        self._stream.authenticate(data, "data")


class Encryptor(_Pieces):
    """A message to encrypt in pieces of any size: `update` for each, then `finalize`, then `tag`.

    It has the calls of pyca's encryptor for `Cipher(AES(key), GCM(nonce))`. Made by AESGCM.encryptor.
    """

    __slots__ = ("_tag",)

    def __init__(self, aead: calls.AESGCM, nonce: Buffer, associated_data: AAD) -> None:
        super().__init__(aead, nonce, associated_data, decrypt=False)
        self._tag: bytes | None = None

    def update(self, data: Buffer) -> bytes:
        """Encrypt the next piece; returns as many bytes as `data` has."""
        return self._stream.transform(data)

    def update_into(self, data: Buffer, buf: Buffer) -> int:
        """As `update`, but write to `buf`, which must have room for as many bytes; returns how many."""
        return self._stream.transform_into(data, buf)

    def finalize(self) -> bytes:
        """End the message; returns no bytes, as all were handed out already. The tag is then in `tag`."""
        self._tag = self._stream.tag()
        return b""

    @property
    def tag(self) -> bytes:
        """The tag. Raises ValueError before `finalize`."""
        if self._tag is None:
            raise ValueError("there is no tag before finalize()")
        return self._tag


class Decryptor(_Pieces):
    """A message to decrypt in pieces of any size, whose text is kept back until the tag was verified.

    `update` takes in a piece and returns no bytes; `finalize_with_tag` returns the whole text, or
    raises InvalidTag and forgets it. So code written for pyca's decryptor, which adds up what the
    calls return, works as it is and never sees text that nobody verified; it takes the memory of the
    whole text. `update_unverified` hands text out at once. Made by AESGCM.decryptor.
    """

    __slots__ = ("_held",)

    def __init__(self, aead: calls.AESGCM, nonce: Buffer, associated_data: AAD) -> None:
        super().__init__(aead, nonce, associated_data, decrypt=True)
        self._held = bytearray()

    def update(self, data: Buffer) -> bytes:
        """Decrypt the next piece and hold its text back; returns no bytes."""
        self._held += self._stream.transform(data)
        return b""

    def update_unverified(self, data: Buffer) -> bytes:
        """Decrypt the next piece; returns its text, which anybody may have forged.

        Nothing must be done with it that cannot be undone before `finalize_with_tag` has returned.
        """
        return self._stream.transform(data)

    def finalize_with_tag(self, tag: Buffer) -> bytes:
        """Verify the tag and end the message; returns the text that was held back. Raises InvalidTag."""
        held = self._held
        self._held = bytearray()
        try:
            self._stream.verify(tag)
        except errors.InvalidTag:
            held[:] = bytes(len(held))
            raise
        return bytes(held)
