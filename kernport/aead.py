"""AES-GCM with the interface of `cryptography.hazmat.primitives.ciphers.aead.AESGCM`, and more."""

import operator
import os
from collections.abc import Sequence
from typing import Any, SupportsIndex

from kernport._cffi import ffi, lib
from kernport.buffers import Buffer, checked, kernel_name, readable, writable
from kernport.errors import InvalidTag

AAD = Buffer | Sequence[Buffer] | None

TAG_LENGTHS = (4, 8, 12, 13, 14, 15, 16)


class AESGCM:
    """AES-GCM (NIST SP 800-38D) under one key.

    `key` has 16, 24 or 32 bytes. `tag_length` is the length of every tag in bytes: 4, 8 or 12 to 16;
    fewer than 16 only where a protocol asks for it. A nonce has 8 to 128 bytes, 12 being the fast and
    usual length, or any number from 1 on with `any_nonce_length`; no nonce may serve twice under a
    key. `kernel` names the kernel to use instead of the dispatcher's choice.

    Texts, nonces and associated data are contiguous bytes-like objects, read without a copy;
    associated data may also be a list or tuple of them, which counts as their concatenation, or None.
    An instance may be used from several threads at once.
    """

    __slots__ = ("_any_nonce_length", "_key", "_tag_length")

    def __init__(
        self,
        key: Buffer,
        *,
        tag_length: int = 16,
        any_nonce_length: bool = False,
        kernel: str | None = None,
    ) -> None:
        view = readable(key, "key")
        if len(view) not in (16, 24, 32):
            raise ValueError("AESGCM key must be 128, 192, or 256 bits.")
        if tag_length not in TAG_LENGTHS:
            raise ValueError(f"tag_length must be 4, 8 or 12 to 16 bytes, not {tag_length}")
        handle = ffi.new("kp_aes_gcm_key **")
        checked(lib.kp_aes_gcm_key_new(handle, view, len(view), kernel_name(kernel)))
        self._key = ffi.gc(handle[0], lib.kp_aes_gcm_key_free)
        self._tag_length = tag_length
        self._any_nonce_length = any_nonce_length

    @staticmethod
    def generate_key(bit_length: SupportsIndex) -> bytes:
        """Return a fresh random key of 128, 192 or 256 bits, as bytes."""
        if operator.index(bit_length) not in (128, 192, 256):
            raise ValueError("bit_length must be 128, 192, or 256")
        return os.urandom(operator.index(bit_length) // 8)

    @property
    def kernel(self) -> str:
        """The name of the kernel at work."""
        return str(ffi.string(lib.kp_aes_gcm_key_kernel(self._key)).decode())

    @property
    def tag_length(self) -> int:
        """The length of every tag, in bytes."""
        return self._tag_length

    def encrypt(self, nonce: Buffer, data: Buffer, associated_data: AAD) -> bytes:
        """Encrypt `data`; returns the ciphertext (as long as `data`) followed by the tag.

        Raises ValueError for a nonce of the wrong length, OverflowError beyond 2^36 - 32 bytes.
        """
        text = readable(data, "data")
        out = bytearray(len(text) + self._tag_length)
        self._seal(nonce, text, associated_data, ffi.from_buffer(out))
        return bytes(out)

    def encrypt_into(self, nonce: Buffer, data: Buffer, associated_data: AAD, buf: Buffer) -> int:
        """As `encrypt`, but write to `buf`, which must have exactly the result's length; returns that length.

        `buf` may begin at the very bytes of `data` (in place); any other overlap is a ValueError.
        """
        text = readable(data, "data")
        out = writable(buf, "buf")
        if len(out) != len(text) + self._tag_length:
            raise ValueError(f"buffer must be {len(text) + self._tag_length} bytes")
        self._seal(nonce, text, associated_data, out)
        return len(out)

    def encrypt_detached(self, nonce: Buffer, data: Buffer, associated_data: AAD) -> tuple[bytes, bytes]:
        """As `encrypt`; returns ciphertext and tag apart."""
        sealed = self.encrypt(nonce, data, associated_data)
        return sealed[: -self._tag_length], sealed[-self._tag_length :]

    def decrypt(self, nonce: Buffer, data: Buffer, associated_data: AAD) -> bytes:
        """Verify and decrypt `data`, ciphertext followed by tag; returns the text.

        Raises InvalidTag when the tag does not match, or `data` is shorter than a tag.
        """
        sealed = readable(data, "data")
        out = bytearray(max(len(sealed) - self._tag_length, 0))
        self._open(nonce, sealed, associated_data, ffi.from_buffer(out))
        return bytes(out)

    def decrypt_into(self, nonce: Buffer, data: Buffer, associated_data: AAD, buf: Buffer) -> int:
        """As `decrypt`, but write to `buf`, which must have exactly the text's length; returns that length.

        When the tag does not match, `buf` holds zeros.
        """
        sealed = readable(data, "data")
        out = writable(buf, "buf")
        if len(sealed) >= self._tag_length and len(out) != len(sealed) - self._tag_length:
            raise ValueError(f"buffer must be {len(sealed) - self._tag_length} bytes")
        return self._open(nonce, sealed, associated_data, out)

    def decrypt_detached(self, nonce: Buffer, data: Buffer, tag: Buffer, associated_data: AAD) -> bytes:
        """As `decrypt`, the tag given apart."""
        text = readable(data, "data")
        expected = readable(tag, "tag")
        out = bytearray(len(text))
        self._open_detached(
            nonce, text, len(text), associated_data, ffi.from_buffer(out), expected, len(expected)
        )
        return bytes(out)

    def _seal(self, nonce: Buffer, text: Any, associated_data: AAD, out: Any) -> None:
        iv = self._nonce(nonce)
        length = len(text)
        tag = out + length
        if isinstance(associated_data, (list, tuple)):
            stream = self._stream(lib.KP_ENCRYPT, iv, associated_data)
            checked(lib.kp_aes_gcm_stream_text(stream, text, length, out))
            checked(lib.kp_aes_gcm_stream_tag(stream, tag, self._tag_length))
            return
        aad = _associated(associated_data)
        checked(
            lib.kp_aes_gcm_seal(
                self._key, iv, len(iv), aad, len(aad), text, length, out, tag, self._tag_length
            )
        )

    def _open(self, nonce: Buffer, sealed: Any, associated_data: AAD, out: Any) -> int:
        length: int = len(sealed) - self._tag_length
        if length < 0:
            self._nonce(nonce)
            raise InvalidTag
        self._open_detached(nonce, sealed, length, associated_data, out, sealed + length, self._tag_length)
        return length

    def _open_detached(
        self, nonce: Buffer, text: Any, length: int, associated_data: AAD, out: Any, tag: Any, tag_length: int
    ) -> None:
        iv = self._nonce(nonce)
        if tag_length != self._tag_length:
            raise InvalidTag
        if isinstance(associated_data, (list, tuple)):
            stream = self._stream(lib.KP_DECRYPT, iv, associated_data)
            checked(lib.kp_aes_gcm_stream_text(stream, text, length, out))
            status = lib.kp_aes_gcm_stream_verify(stream, tag, tag_length)
            if status != lib.KP_OK:
                ffi.memmove(out, bytes(length), length)
            checked(status)
            return
        aad = _associated(associated_data)
        checked(
            lib.kp_aes_gcm_open(self._key, iv, len(iv), aad, len(aad), text, length, out, tag, tag_length)
        )

    def _nonce(self, nonce: Buffer) -> Any:
        iv = readable(nonce, "nonce")
        if not self._any_nonce_length and not 8 <= len(iv) <= 128:
            raise ValueError("Nonce must be between 8 and 128 bytes")
        if len(iv) == 0:
            raise ValueError("Nonce must have at least 1 byte")
        return iv

    def _stream(self, direction: int, iv: Any, pieces: Sequence[Buffer]) -> Any:
        handle = ffi.new("kp_aes_gcm_stream **")
        checked(lib.kp_aes_gcm_stream_new(handle, self._key, direction, iv, len(iv)))
        stream = ffi.gc(handle[0], lib.kp_aes_gcm_stream_free)
        for number, piece in enumerate(pieces):
            aad = readable(piece, f"associated_data[{number}]")
            checked(lib.kp_aes_gcm_stream_aad(stream, aad, len(aad)))
        return stream


def _associated(associated_data: AAD) -> Any:
    if associated_data is None:
        return b""
    assert not isinstance(associated_data, (list, tuple))
    return readable(associated_data, "associated_data")  # type: ignore[arg-type]
