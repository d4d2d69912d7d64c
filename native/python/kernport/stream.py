"""One message of AES-GCM in pieces, as far as encrypting, decrypting and GMAC have it in common."""

import hmac
import threading
from typing import Any

from kernport import calls
from kernport._cffi import ffi, lib
from kernport.buffers import checked, content, readable, room, writable
from kernport.types import Buffer


class Stream:
    """A kp_aes_gcm_stream: associated data, then text, then the tag, under the key of an AESGCM or GMAC.

    Raises ValueError for a nonce of the wrong length and for calls after the end. Threads that use
    one stream take turns.
    """

    __slots__ = ("_lock", "_owner", "_stream")

    def __init__(self, owner: calls.AESGCM | calls.GMAC, nonce: Buffer, *, decrypt: bool) -> None:
        iv = readable(nonce, "nonce")
        if not owner.any_nonce_length and not 8 <= len(iv) <= 128:
            raise ValueError("Nonce must be between 8 and 128 bytes")
        if len(iv) == 0:
            raise ValueError("Nonce must have at least 1 byte")
        handle = ffi.new("kp_aes_gcm_stream **")
        key = ffi.cast("kp_aes_gcm_key *", owner._address)
        direction = lib.KP_DECRYPT if decrypt else lib.KP_ENCRYPT
        checked(lib.kp_aes_gcm_stream_new(handle, key, direction, iv, len(iv)))
        self._owner = owner  # keeps the key alive
        self._stream: Any = ffi.gc(handle[0], lib.kp_aes_gcm_stream_free)
        self._lock = threading.Lock()

    def authenticate(self, data: Buffer, name: str) -> None:
        """Take in associated data; `name` is what an error calls it."""
        view = readable(data, name)
        with self._lock:
            checked(lib.kp_aes_gcm_stream_aad(self._alive(), view, len(view)))

    def transform(self, data: Buffer) -> bytes:
        """Encrypt or decrypt the next piece of text."""
        view = readable(data, "data")
        out = room(len(view))
        self._text(view, out)
        return content(out)

    def transform_into(self, data: Buffer, buf: Buffer) -> int:
        """As `transform`, but write to `buf`; returns how many bytes were written."""
        view, out = readable(data, "data"), writable(buf, "buf")
        if len(out) < len(view):
            raise ValueError(f"buffer must be at least {len(view)} bytes")
        self._text(view, out)
        return len(view)

    def _text(self, view: Any, out: Any) -> None:
        with self._lock:
            checked(lib.kp_aes_gcm_stream_text(self._alive(), view, len(view), out))

    def tag(self) -> bytes:
        """Return the tag of what was encrypted or authenticated; ends the stream."""
        tag = room(self._owner.tag_length)
        with self._lock:
            checked(lib.kp_aes_gcm_stream_tag(self._alive(), tag, len(tag)))
            self._stream = None
        return content(tag)

    def compare(self, tag: Buffer) -> None:
        """Return if `tag` is that of what was authenticated, else raise InvalidTag; ends the stream."""
        expected = bytes(ffi.buffer(readable(tag, "tag")))
        if not hmac.compare_digest(self.tag(), expected):
            checked(lib.KP_INVALID_TAG)

    def verify(self, tag: Buffer) -> None:
        """Return if `tag` is that of what was decrypted, else raise InvalidTag; ends the stream."""
        expected = readable(tag, "tag")
        with self._lock:
            stream, self._stream = self._alive(), None
            if len(expected) != self._owner.tag_length:
                checked(lib.KP_INVALID_TAG)
            checked(lib.kp_aes_gcm_stream_verify(stream, expected, len(expected)))

    def _alive(self) -> Any:
        if self._stream is None:
            raise ValueError("this message is finished: begin another, under another nonce")
        return self._stream
