"""GMAC, against pyca's AESGCM with nothing to encrypt."""

import os
from typing import Any

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers import aead as pyca

NONCE = bytes(range(12))


@pytest.mark.parametrize("bits", [128, 192, 256])
def test_sign_verify_and_stream_agree_with_pyca(form: Any, bits: int) -> None:
    key = os.urandom(bits // 8)
    mac, theirs = form.GMAC(key), pyca.AESGCM(key)
    for size in (0, 1, 16, 100, 8192, 8193, 40000):
        data = os.urandom(size)
        tag = theirs.encrypt(NONCE, b"", data)
        assert mac.sign(NONCE, data) == tag
        assert mac.sign(data=bytearray(data), nonce=bytearray(NONCE)) == tag
        mac.verify(NONCE, data, tag)
        mac.verify(nonce=NONCE, data=memoryview(data), tag=bytearray(tag))
        stream = mac.stream(NONCE)
        for start in range(0, size, 777):
            stream.update(data[start : start + 777])
        assert stream.finalize() == tag


def test_invalid_tag(form: Any) -> None:
    mac = form.GMAC(bytes(16))
    tag = mac.sign(NONCE, b"data")
    for nonce, data, wrong in (
        (NONCE, b"Data", tag),
        (bytes(12), b"data", tag),
        (NONCE, b"data", tag[:15]),
        (NONCE, b"data", tag + b"x"),
        (NONCE, b"data", b""),
        (NONCE, b"data", bytes([tag[0] ^ 1]) + tag[1:]),
    ):
        with pytest.raises(InvalidTag):
            mac.verify(nonce, data, wrong)
        stream = mac.stream(nonce)
        stream.update(data)
        with pytest.raises(InvalidTag):
            stream.verify(wrong)


def test_a_stream_ends(form: Any) -> None:
    mac = form.GMAC(bytes(16), tag_length=12)
    stream = mac.stream(NONCE)
    stream.update(b"data")
    stream.verify(mac.sign(NONCE, b"data"))
    for call in (stream.finalize, lambda: stream.update(b""), lambda: stream.verify(bytes(12))):
        with pytest.raises(ValueError, match="finished"):
            call()


def test_wrong_arguments(form: Any) -> None:
    mac = form.GMAC(bytes(16))
    with pytest.raises(ValueError, match="Nonce must be between 8 and 128 bytes"):
        mac.sign(bytes(7), b"")
    with pytest.raises(ValueError, match="Nonce must be between 8 and 128 bytes"):
        mac.stream(bytes(7))
    for call, said in (
        (lambda: mac.sign(NONCE, "text"), "^data must be"),
        (lambda: mac.sign(NONCE, None), "^data must be"),
        (lambda: mac.sign("text", b""), "^nonce must be"),
        (lambda: mac.verify(NONCE, b"", "text"), "^tag must be"),
        (lambda: mac.verify(NONCE, b""), "tag"),
        (lambda: mac.stream(NONCE).update("text"), r"^data must be"),
        (lambda: mac.stream(NONCE).verify("text"), r"^tag must be"),
    ):
        with pytest.raises(TypeError, match=said):
            call()


def test_sign_many(form: Any) -> None:
    mac = form.GMAC(bytes(16), tag_length=13)
    messages = [os.urandom(size) for size in (0, 1, 5000, 16, 20000)]
    nonces = [os.urandom(12) for _ in messages]
    assert mac.sign_many(nonces, messages) == list(map(mac.sign, nonces, messages))
    with pytest.raises(ValueError, match="5 nonces and 0 messages"):
        mac.sign_many(nonces, [])
