"""Messages in pieces, against pyca's whole messages."""

import os
from typing import Any

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers import aead as pyca

NONCE = bytes(range(12))


def pieces(data: bytes, size: int) -> list[bytes]:
    return [data[start : start + size] for start in range(0, len(data), size)]


@pytest.mark.parametrize("size", [1, 7, 16, 100, 4096])
def test_pieces_make_the_whole(form: Any, size: int) -> None:
    key, text, aad = os.urandom(32), os.urandom(5000), os.urandom(77)
    sealed = pyca.AESGCM(key).encrypt(NONCE, text, aad)
    encryptor = form.AESGCM(key).encryptor(NONCE, aad[:50])
    for piece in pieces(aad[50:], size):
        encryptor.authenticate_additional_data(piece)
    out = b"".join(map(encryptor.update, pieces(text, size))) + encryptor.finalize()
    assert out + encryptor.tag == sealed
    decryptor = form.AESGCM(key).decryptor(NONCE, [aad[:3], aad[3:]])
    assert [decryptor.update(piece) for piece in pieces(sealed[:-16], size)].count(b"") == -(-5000 // size)
    assert decryptor.finalize_with_tag(sealed[-16:]) == text
    hasty = form.AESGCM(key).decryptor(NONCE, aad)
    assert b"".join(map(hasty.update_unverified, pieces(sealed[:-16], size))) == text
    assert hasty.finalize_with_tag(sealed[-16:]) == b""


def test_code_written_for_pyca(form: Any) -> None:
    def through(encryptor: Any, decryptor: Any) -> tuple[bytes, bytes, bytes]:
        encryptor.authenticate_additional_data(b"aad")
        sealed = encryptor.update(b"some ") + encryptor.update(b"text") + encryptor.finalize()
        decryptor.authenticate_additional_data(b"aad")
        text = decryptor.update(sealed) + decryptor.finalize_with_tag(encryptor.tag)
        return sealed, encryptor.tag, text

    cipher = Cipher(algorithms.AES(bytes(16)), modes.GCM(NONCE))
    aead = form.AESGCM(bytes(16))
    theirs = through(cipher.encryptor(), cipher.decryptor())
    assert through(aead.encryptor(NONCE), aead.decryptor(NONCE)) == theirs
    assert theirs[2] == b"some text"


def test_update_into(form: Any) -> None:
    aead = form.AESGCM(bytes(16))
    encryptor, room = aead.encryptor(NONCE), bytearray(b"text and more")
    assert encryptor.update_into(memoryview(room)[:4], room) == 4
    encryptor.finalize()
    assert bytes(room[:4]) + encryptor.tag == aead.encrypt(NONCE, b"text", None)
    assert room[4:] == b" and more"
    with pytest.raises(ValueError, match="buffer must be at least 5 bytes"):
        aead.encryptor(NONCE).update_into(b"texts", bytearray(4))
    with pytest.raises(TypeError, match=r"^buf must be .*read-only"):
        aead.encryptor(NONCE).update_into(b"text", b"text")


def test_a_wrong_tag_gives_no_text(form: Any) -> None:
    aead = form.AESGCM(bytes(16))
    sealed = aead.encrypt(NONCE, b"secret", None)
    for tag in (bytes(16), sealed[-16:-1], b"", sealed[-16:] + b"x"):
        decryptor = aead.decryptor(NONCE)
        decryptor.update(sealed[:-16])
        with pytest.raises(InvalidTag):
            decryptor.finalize_with_tag(tag)
        with pytest.raises(ValueError, match="finished"):
            decryptor.finalize_with_tag(sealed[-16:])
        assert not decryptor._held


def test_order_of_calls(form: Any) -> None:
    aead = form.AESGCM(bytes(16))
    encryptor = aead.encryptor(NONCE)
    with pytest.raises(ValueError, match="no tag before finalize"):
        _ = encryptor.tag
    encryptor.update(b"text")
    with pytest.raises(ValueError, match="additional data"):
        encryptor.authenticate_additional_data(b"late")
    encryptor.finalize()
    for call in (lambda: encryptor.update(b""), encryptor.finalize):
        with pytest.raises(ValueError, match="finished"):
            call()
    with pytest.raises(ValueError, match="Nonce must be between 8 and 128 bytes"):
        aead.decryptor(b"short")
    with pytest.raises(TypeError, match=r"^data must be .* not str"):
        aead.encryptor(NONCE).update("text")
    with pytest.raises(TypeError, match=r"^associated_data\[1\] must be .* not str"):
        aead.encryptor(NONCE, [b"fine", "text"])


def test_a_stream_keeps_its_key(form: Any) -> None:
    encryptor = form.AESGCM(bytes(16)).encryptor(NONCE)
    assert encryptor.update(b"text") == form.AESGCM(bytes(16)).encrypt(NONCE, b"text", None)[:4]
