"""What pyca's AESGCM refuses, ours refuses with the same kind of error, and what it takes, ours takes."""

import copy
import itertools
import pickle
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers import aead as pyca

NONCE, TEXT, AAD = bytes(12), b"hello", b"a header"
GAPS = memoryview(bytearray(42))[::2]
NONCES = ["n" * 12, None, 5, b"", bytes(7), bytes(8), bytes(128), bytes(129), bytearray(12), GAPS[:12]]
TEXTS = ["text", None, 5, b"", bytes(15), bytearray(30), memoryview(bytes(30)), GAPS, [b"text"]]
AADS = ["aad", 5, None, b"", bytearray(9), memoryview(b"aad"), GAPS, {}]
# For 5 bytes of text: too short, right, too long; read-only; with gaps; no buffer.
ROOMS: list[Any] = [
    bytearray(20),
    bytearray(21),
    bytearray(22),
    bytes(21),
    memoryview(bytes(21)),
    GAPS,
    "x" * 21,
    None,
]
KEYS = ["k" * 16, None, 5, b"", *(bytes(length) for length in (15, 16, 17, 24, 32, 33)), bytearray(16), GAPS]
BITS = [128, 192, 256, 127, 0, "128", 128.0, None, True]


def outcome(call: Callable[[], Any]) -> tuple[str, object]:
    """The name of the error, or what was returned unless that is another object each time."""
    try:
        result = call()
    except Exception as error:
        return type(error).__name__, None
    return "returned", result if isinstance(result, (bytes, int)) else None


def calls(cls: Any) -> Iterator[partial[Any]]:
    def under(key: Any) -> bytes:
        sealed: bytes = cls(key).encrypt(NONCE, TEXT, AAD)
        return sealed

    def key_length(bits: Any) -> int:
        return len(cls.generate_key(bits))

    aead = cls(bytes(16))
    sealed = under(bytes(16))
    yield from (partial(under, key) for key in KEYS)
    yield from (partial(key_length, bits) for bits in BITS)
    yield from (
        partial(cls),
        partial(cls, bytes(16), 16),
        partial(cls, secret=bytes(16)),
        partial(cls.generate_key),
    )
    for name, text in itertools.product(("encrypt", "decrypt"), (TEXT, sealed)):
        method, into = getattr(aead, name), getattr(aead, f"{name}_into")
        for arguments in (
            *((nonce, text, AAD) for nonce in NONCES),
            *((NONCE, other, AAD) for other in TEXTS),
            *((NONCE, text, aad) for aad in AADS),
            *itertools.product(NONCES[:3], TEXTS[:3], AADS[:2]),
            *((), (NONCE,), (NONCE, text), (NONCE, text, AAD, None)),
        ):
            yield partial(method, *arguments)
            yield from (partial(into, *arguments, bytearray(length)) for length in (5, 21))
        yield partial(method, nonce=NONCE, data=text, associated_data=AAD)
        yield partial(method, nonce=NONCE, data=text, aad=AAD)
        yield partial(method, nonce=NONCE, data=text)
        yield partial(method, NONCE, text, AAD, nonce=NONCE)
    for room in ROOMS:
        yield partial(aead.encrypt_into, NONCE, TEXT, AAD, room)
        yield partial(aead.encrypt_into, NONCE, TEXT, AAD, buf=room)
        yield partial(aead.decrypt_into, NONCE, sealed, AAD, room)
        yield partial(aead.encrypt_into, b"short", TEXT, AAD, room)
        yield partial(aead.decrypt_into, b"short", sealed, AAD, room)
        yield partial(aead.decrypt_into, NONCE, b"short", AAD, room)
    for room in (bytearray(4), bytearray(5), bytearray(6), bytes(5)):
        yield partial(aead.decrypt_into, NONCE, sealed, AAD, room)
        yield partial(aead.decrypt_into, NONCE, sealed, b"another", room)
    yield from (partial(copy.copy, aead), partial(pickle.dumps, aead), partial(getattr, aead, "nothing"))


def test_each_call_ends_alike(form: Any) -> None:
    count = 0
    for theirs, ours in zip(calls(pyca.AESGCM), calls(form.AESGCM), strict=True):
        expected = outcome(theirs)
        assert outcome(ours) == expected, (ours.func, ours.args, ours.keywords)
        count += 1
    assert count > 500


def test_a_call_that_ends_otherwise_is_seen(form: Any) -> None:
    class Careless:
        generate_key = staticmethod(form.AESGCM.generate_key)

        def __init__(self, key: Any) -> None:
            self._aead = form.AESGCM(key)

        def __getattr__(self, name: str) -> Any:
            return getattr(self._aead, name)

        def encrypt(self, nonce: Any, data: Any, associated_data: Any) -> bytes:
            sealed: bytes = self._aead.encrypt(bytes(nonce), data, associated_data)
            return sealed

    with pytest.raises(AssertionError):
        for theirs, ours in zip(calls(pyca.AESGCM), calls(Careless), strict=True):
            assert outcome(ours) == outcome(theirs)
