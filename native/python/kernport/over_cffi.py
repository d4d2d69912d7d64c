"""The calls that do the work, over cffi: for interpreters that do not have kernport._fast."""

import threading
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from kernport._cffi import ffi, lib
from kernport.buffers import checked, content, kernel_name, readable, room, writable
from kernport.errors import InvalidTag, InvalidTags
from kernport.types import AAD, Buffer

TAG_LENGTHS = (4, 8, 12, 13, 14, 15, 16)
MOST_TEXT = (1 << 36) - 32  # SP 800-38D, section 5.2.1.1, in bytes
DIGEST_BYTES = 16


class _Nothing(bytes):
    """Of a type of its own, so that no other is the same object."""


NOTHING = _Nothing()


class _Keyed:
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
        if not hasattr(tag_length, "__index__"):
            raise TypeError(f"tag_length must be a number of bytes, 4, 8 or 12 to 16, not {tag_length!r}")
        if tag_length not in TAG_LENGTHS:
            raise ValueError(f"tag_length must be 4, 8 or 12 to 16 bytes, not {tag_length}")
        handle = ffi.new("kp_aes_gcm_key **")
        checked(lib.kp_aes_gcm_key_new(handle, view, len(view), kernel_name(kernel)))
        self._key = ffi.gc(handle[0], lib.kp_aes_gcm_key_free)
        self._tag_length = tag_length
        self._any_nonce_length = any_nonce_length

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"cannot pickle '{type(self).__name__}' object")

    @property
    def kernel(self) -> str:
        """The name of the kernel at work."""
        return str(ffi.string(lib.kp_aes_gcm_key_kernel(self._key)).decode())

    @property
    def tag_length(self) -> int:
        """The length of every tag, in bytes."""
        return self._tag_length

    @property
    def any_nonce_length(self) -> bool:
        """Whether nonces of fewer than 8 or more than 128 bytes may be used."""
        return self._any_nonce_length

    @property
    def _address(self) -> int:
        return int(ffi.cast("uintptr_t", self._key))

    def _seal(self, iv: Any, text: Any, aad: Any, out: Any, tag: Any) -> None:
        """Of C arrays; `aad` is one or a list of them."""
        length = len(text)
        if isinstance(aad, list):
            stream = self._stream(lib.KP_ENCRYPT, iv, aad)
            checked(lib.kp_aes_gcm_stream_text(stream, text, length, out))
            checked(lib.kp_aes_gcm_stream_tag(stream, tag, self._tag_length))
            return
        checked(
            lib.kp_aes_gcm_seal(
                self._key, iv, len(iv), aad, len(aad), text, length, out, tag, self._tag_length
            )
        )

    def _open(self, iv: Any, text: Any, length: int, aad: Any, out: Any, tag: Any, tag_length: int) -> None:
        if tag_length != self._tag_length:
            checked(lib.KP_INVALID_TAG)
        if isinstance(aad, list):
            stream = self._stream(lib.KP_DECRYPT, iv, aad)
            checked(lib.kp_aes_gcm_stream_text(stream, text, length, out))
            status = lib.kp_aes_gcm_stream_verify(stream, tag, tag_length)
            if status != lib.KP_OK:
                ffi.memmove(out, bytes(length), length)
            checked(status)
            return
        checked(
            lib.kp_aes_gcm_open(self._key, iv, len(iv), aad, len(aad), text, length, out, tag, tag_length)
        )

    def _check_nonce(self, iv: Any, number: int | None = None) -> None:
        if len(iv) == 0 if self._any_nonce_length else not 8 <= len(iv) <= 128:
            allowed = "have at least 1 byte" if self._any_nonce_length else "be between 8 and 128 bytes"
            which = "" if number is None else f": nonces[{number}] has {len(iv)}"
            raise ValueError(f"Nonce must {allowed}{which}")

    def _stream(self, direction: int, iv: Any, pieces: Sequence[Any]) -> Any:
        handle = ffi.new("kp_aes_gcm_stream **")
        checked(lib.kp_aes_gcm_stream_new(handle, self._key, direction, iv, len(iv)))
        stream = ffi.gc(handle[0], lib.kp_aes_gcm_stream_free)
        for aad in pieces:
            checked(lib.kp_aes_gcm_stream_aad(stream, aad, len(aad)))
        return stream

    def _batch(
        self, nonces: Iterable[Buffer], messages: Iterable[Buffer], aads: Iterable[AAD] | None
    ) -> list[tuple[Any, Any, Any]]:
        """The C arrays of each message; every input is checked before any work begins."""
        batch_nonces, batch_messages = (
            tuple(_several(nonces, "nonces")),
            tuple(_several(messages, "messages")),
        )
        batch_aads = (None,) * len(batch_nonces) if aads is None else tuple(_several(aads, "aads"))
        if not len(batch_nonces) == len(batch_messages) == len(batch_aads):
            raise ValueError(
                "each message needs a nonce"
                + (
                    f": there are {len(batch_nonces)} nonces and {len(batch_messages)} messages"
                    if aads is None
                    else f" and associated data or None: there are {len(batch_nonces)} nonces, "
                    f"{len(batch_messages)} messages and {len(batch_aads)} aads"
                )
            )
        batch = []
        for number, nonce in enumerate(batch_nonces):
            iv = readable(nonce, "nonces", number)
            text = readable(batch_messages[number], "messages", number)
            self._check_nonce(iv, number)
            batch.append((iv, text, _associated(batch_aads[number], "aads", number)))
        return batch


class AESGCM(_Keyed):
    """Whole messages, one a call."""

    __slots__ = ()

    def encrypt(self, nonce: Buffer, data: Buffer, associated_data: AAD) -> bytes:
        """Encrypt `data`; returns the ciphertext (as long as `data`) followed by the tag.

        Raises ValueError for a nonce of the wrong length, OverflowError beyond 2^36 - 32 bytes.
        """
        iv, text, aad = _taken(nonce, data, associated_data)
        self._check_nonce(iv)
        return self._encrypt(iv, text, aad)

    def _encrypt(self, iv: Any, text: Any, aad: Any) -> bytes:
        if len(text) > MOST_TEXT:
            checked(lib.KP_TOO_LONG)
        out = room(len(text) + self._tag_length)
        self._seal(iv, text, aad, out, out + len(text))
        return content(out)

    def encrypt_into(self, nonce: Buffer, data: Buffer, associated_data: AAD, buf: Buffer) -> int:
        """As `encrypt`, but write to `buf`, which must have exactly the result's length; returns that length.

        `buf` may begin at the very bytes of `data` (in place); any other overlap is a ValueError.
        """
        iv, text, aad = _taken(nonce, data, associated_data)
        out = writable(buf, "buf")
        self._check_nonce(iv)
        if len(out) != len(text) + self._tag_length:
            raise ValueError(f"buffer must be {len(text) + self._tag_length} bytes")
        self._seal(iv, text, aad, out, out + len(text))
        return len(out)

    def encrypt_detached(self, nonce: Buffer, data: Buffer, associated_data: AAD) -> tuple[bytes, bytes]:
        """As `encrypt`; returns ciphertext and tag apart."""
        sealed = self.encrypt(nonce, data, associated_data)
        return sealed[: -self._tag_length], sealed[-self._tag_length :]

    def decrypt(self, nonce: Buffer, data: Buffer, associated_data: AAD) -> bytes:
        """Verify and decrypt `data`, ciphertext followed by tag; returns the text.

        Raises InvalidTag when the tag does not match, or `data` is shorter than a tag.
        """
        iv, sealed, aad = _taken(nonce, data, associated_data)
        self._check_nonce(iv)
        return self._decrypt(iv, sealed, aad)

    def _decrypt(self, iv: Any, sealed: Any, aad: Any) -> bytes:
        length = self._text_length(sealed)
        if length > MOST_TEXT:
            checked(lib.KP_TOO_LONG)
        out = room(length)
        self._open(iv, sealed, length, aad, out, sealed + length, self._tag_length)
        return content(out)

    def decrypt_into(self, nonce: Buffer, data: Buffer, associated_data: AAD, buf: Buffer) -> int:
        """As `decrypt`, but write to `buf`, which must have exactly the text's length; returns that length.

        When the tag does not match, `buf` holds zeros.
        """
        iv, sealed, aad = _taken(nonce, data, associated_data)
        out = writable(buf, "buf")
        self._check_nonce(iv)
        length = self._text_length(sealed)
        if len(out) != length:
            raise ValueError(f"buffer must be {length} bytes")
        self._open(iv, sealed, length, aad, out, sealed + length, self._tag_length)
        return length

    def decrypt_detached(self, nonce: Buffer, data: Buffer, tag: Buffer, associated_data: AAD) -> bytes:
        """As `decrypt`, the tag given apart."""
        iv, text, aad = _taken(nonce, data, associated_data)
        self._check_nonce(iv)
        expected = readable(tag, "tag")
        out = room(len(text))
        self._open(iv, text, len(text), aad, out, expected, len(expected))
        return content(out)

    def encrypt_many(
        self, nonces: Iterable[Buffer], messages: Iterable[Buffer], aads: Iterable[AAD] | None = None
    ) -> list[bytes]:
        """Encrypt many messages in one call; returns a list of what `encrypt` returns for each, in order.

        There is a nonce for each message and, if `aads` is given, associated data or None. Raises ValueError
        if they are not equally many or a nonce has the wrong length.
        """
        return [self._encrypt(*message) for message in self._batch(nonces, messages, aads)]

    def decrypt_many(
        self, nonces: Iterable[Buffer], messages: Iterable[Buffer], aads: Iterable[AAD] | None = None
    ) -> list[bytes]:
        """Verify and decrypt many messages in one call; returns a list of their texts, in order.

        Raises InvalidTags if some tags do not match: its `indices` says which, its `texts` has the others.
        """
        texts: list[Any] = []
        for message in self._batch(nonces, messages, aads):
            try:
                texts.append(self._decrypt(*message))
            except InvalidTag:
                texts.append(None)
        wrong = tuple(number for number, text in enumerate(texts) if text is None)
        if wrong:
            raise InvalidTags(wrong, texts)
        return texts

    def _text_length(self, sealed: Any) -> int:
        length: int = len(sealed) - self._tag_length
        if length < 0:
            checked(lib.KP_INVALID_TAG)
        return length


class GMAC(_Keyed):
    """Tags of whole messages."""

    __slots__ = ()

    def sign(self, nonce: Buffer, data: Buffer) -> bytes:
        """Return the tag of `data`. Raises ValueError for a nonce of the wrong length."""
        iv, aad, _ = _taken(nonce, data, None)
        self._check_nonce(iv)
        return self._sign(iv, aad)

    def _sign(self, iv: Any, aad: Any) -> bytes:
        tag = room(self._tag_length)
        self._seal(iv, b"", aad, ffi.NULL, tag)
        return content(tag)

    def verify(self, nonce: Buffer, data: Buffer, tag: Buffer) -> None:
        """Return if the tag is that of `data`; raise InvalidTag otherwise."""
        iv, aad, _ = _taken(nonce, data, None)
        self._check_nonce(iv)
        expected = readable(tag, "tag")
        self._open(iv, b"", 0, aad, ffi.NULL, expected, len(expected))

    def sign_many(self, nonces: Iterable[Buffer], messages: Iterable[Buffer]) -> list[bytes]:
        """Return a list of the tags of many messages, in order, each under its nonce.

        Raises ValueError if they are not equally many or a nonce has the wrong length.
        """
        return [self._sign(iv, aad) for iv, aad, _ in self._batch(nonces, messages, None)]


class MD5:
    """A message in pieces, as hashlib's objects; made by md5(). Several threads may use one."""

    __slots__ = ("_lock", "_state")

    name = "md5"
    digest_size = DIGEST_BYTES
    block_size = 64

    def __init__(self, state: Any) -> None:
        self._state = ffi.gc(state, lib.kp_md5_free)
        # The C call gives up the GIL, so two threads could change one state at once.
        self._lock = threading.Lock()

    def update(self, data: Buffer, /) -> None:
        """Take in the next piece, a contiguous bytes-like object."""
        view = _hashable(data)
        with self._lock:
            lib.kp_md5_update(self._state, view, len(view))

    def digest(self) -> bytes:
        """Return the 16 bytes for what was taken in so far; more may follow."""
        out = room(DIGEST_BYTES)
        with self._lock:
            lib.kp_md5_digest(self._state, out)
        return content(out)

    def hexdigest(self) -> str:
        """Return `digest` as 32 hexadecimal digits."""
        return self.digest().hex()

    def copy(self) -> "MD5":
        """Return an object that goes on from the same state."""
        handle = ffi.new("kp_md5_state **")
        with self._lock:
            checked(lib.kp_md5_copy(handle, self._state))
        return MD5(handle[0])

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"cannot pickle '{type(self).__name__}' object")

    def __repr__(self) -> str:
        return f"<md5 kernport object @ {id(self):#x}>"


def md5(
    data: Buffer = NOTHING,
    *,
    usedforsecurity: bool = True,
    kernel: str | None = None,
    string: Buffer = NOTHING,
) -> MD5:
    """Begin an MD5, as hashlib.md5 does.

    `usedforsecurity` is accepted and makes no difference; `string` is hashlib's other name for `data`.
    """
    if data is not NOTHING and string is not NOTHING:
        raise TypeError("md5() takes 'data' or 'string', not both")
    view = _hashable(string if data is NOTHING else data)
    handle = ffi.new("kp_md5_state **")
    checked(lib.kp_md5_new(handle, kernel_name(kernel)))
    lib.kp_md5_update(handle[0], view, len(view))
    return MD5(handle[0])


def md5_many(buffers: Iterable[Buffer], *, kernel: str | None = None) -> list[bytes]:
    """Hash many messages at once; returns a list of their digests (16 bytes each) in order.

    Several messages go through the processor side by side, which is several times faster than one
    after the other. Raises TypeError or BufferError for what is not a contiguous bytes-like object.
    """
    views = [
        readable(buffer, "buffers", number) for number, buffer in enumerate(_several(buffers, "buffers"))
    ]
    data = ffi.new("uint8_t *[]", views)
    lengths = ffi.new("size_t[]", [len(view) for view in views])
    digests = room(DIGEST_BYTES * len(views))
    checked(lib.kp_md5_many(data, lengths, len(views), digests, kernel_name(kernel)))
    whole = content(digests)
    return [whole[at : at + DIGEST_BYTES] for at in range(0, len(whole), DIGEST_BYTES)]


def md5_files(paths: Iterable[bytes], threads: int, progress: Any) -> list[bytes | int]:
    """Hash files, whose paths are bytes; returns a list of a digest or an errno for each.

    `progress` is an array of three unsigned longs: files and bytes done, which are counted up meanwhile,
    and whether to stop early, which another thread may set.
    """
    names = [ffi.new("char[]", path) for path in paths]
    files = ffi.new("struct kp_file[]", len(names))
    for file, name in zip(files, names, strict=True):
        file.path = name
    shared = ffi.from_buffer("unsigned long[3]", progress, require_writable=True)
    checked(lib.kp_md5_files(files, len(names), threads, shared))
    return [file.error or content(file.digest) for file in files]


def _taken(nonce: Buffer, data: Buffer, associated_data: AAD) -> tuple[Any, Any, Any]:
    """The C arrays of a message. First comes what the arguments are, then how long they are, as with pyca."""
    return readable(nonce, "nonce"), readable(data, "data"), _associated(associated_data, "associated_data")


def _associated(associated_data: AAD, name: str, number: int | None = None) -> Any:
    """Associated data as a C array, or pieces of it as a list of them.

    A wrong piece is called by its number, or, in a batch, by that of its message.
    """
    if associated_data is None:
        return b""
    if isinstance(associated_data, (list, tuple)):
        return [
            readable(piece, name, at if number is None else number)
            for at, piece in enumerate(associated_data)
        ]
    return readable(associated_data, name, number)  # type: ignore[arg-type]


def _hashable(data: Any) -> Any:
    if isinstance(data, str):
        raise TypeError("Strings must be encoded before hashing")
    return readable(data, "data")


def _several(buffers: Iterable[Any], name: str) -> Iterable[Any]:
    try:
        memoryview(buffers)  # type: ignore[arg-type]
    except TypeError:
        try:
            return iter(buffers)
        except TypeError:
            pass
    kind = type(buffers).__name__
    raise TypeError(f"{name} must be a sequence of bytes-like objects, not {kind}")
