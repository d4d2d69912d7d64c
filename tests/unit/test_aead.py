"""AESGCM: pyca's interface and its checks, checked against pyca; then what is ours alone."""

import os
import sys
import threading
from typing import Any

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers import aead as pyca

NONCE = bytes(range(12))
SIZES = (0, 1, 15, 16, 17, 64, 255, 1350, 8192, 8193, 16384, 70000)


@pytest.mark.parametrize("bits", [128, 192, 256])
def test_every_call_agrees_with_pyca(form: Any, bits: int) -> None:
    key = form.AESGCM.generate_key(bit_length=bits)
    ours, theirs = form.AESGCM(key), pyca.AESGCM(key)
    for size in SIZES:
        data, nonce = os.urandom(size), os.urandom(8 + size % 121)
        for aad in (None, b"", b"thirteen byte", os.urandom(size)):
            sealed = theirs.encrypt(nonce, data, aad)
            assert ours.encrypt(nonce, data, aad) == sealed
            assert ours.decrypt(nonce, sealed, aad) == data
            assert ours.encrypt_detached(nonce, data, aad) == (sealed[:-16], sealed[-16:])
            assert ours.decrypt_detached(nonce, sealed[:-16], sealed[-16:], aad) == data
            out = bytearray(size + 16)
            assert ours.encrypt_into(nonce, data, aad, out) == size + 16
            assert out == sealed
            text = bytearray(size)
            assert ours.decrypt_into(nonce, sealed, aad, text) == size
            assert text == data


def test_arguments_by_name(form: Any) -> None:
    aead = form.AESGCM(key=bytes(16))
    sealed = pyca.AESGCM(bytes(16)).encrypt(NONCE, b"text", b"aad")
    assert aead.encrypt(nonce=NONCE, data=b"text", associated_data=b"aad") == sealed
    assert aead.encrypt(NONCE, associated_data=b"aad", data=b"text") == sealed
    assert aead.decrypt(NONCE, sealed, associated_data=b"aad") == b"text"
    out = bytearray(20)
    assert aead.encrypt_into(nonce=NONCE, data=b"text", associated_data=b"aad", buf=out) == 20
    assert out == sealed
    assert aead.decrypt_into(nonce=NONCE, data=sealed, associated_data=b"aad", buf=bytearray(4)) == 4
    assert aead.decrypt_detached(NONCE, sealed[:4], associated_data=b"aad", tag=sealed[4:]) == b"text"


@pytest.mark.parametrize(
    ("positional", "named", "said"),
    [
        ((), {}, "nonce"),
        ((NONCE, b""), {}, "associated_data"),
        ((NONCE, b"", None, None), {}, "positional"),
        ((NONCE, b""), {"aad": None}, "aad"),
        ((NONCE, b"", None), {"nonce": NONCE}, "nonce"),
    ],
)
def test_wrong_arguments(form: Any, positional: Any, named: Any, said: str) -> None:
    with pytest.raises(TypeError, match=said):
        form.AESGCM(bytes(16)).encrypt(*positional, **named)


@pytest.mark.parametrize("length", [0, 5, 15, 17, 31, 33, 64])
def test_key_length(form: Any, length: int) -> None:
    with pytest.raises(ValueError, match=r"^AESGCM key must be 128, 192, or 256 bits\.$"):
        form.AESGCM(bytes(length))


@pytest.mark.parametrize("bits", [0, 127, 129, 512, -128])
def test_generate_key_refuses_other_lengths(form: Any, bits: int) -> None:
    with pytest.raises(ValueError, match="bit_length must be 128, 192, or 256"):
        form.AESGCM.generate_key(bits)


def test_generate_key_wants_a_number(form: Any) -> None:
    with pytest.raises(TypeError):
        form.AESGCM.generate_key("128")
    assert len({form.AESGCM.generate_key(128) for _ in range(20)}) == 20


@pytest.mark.parametrize("length", [0, 7, 129, 4096])
def test_nonce_length(form: Any, length: int) -> None:
    aead, nonce, said = form.AESGCM(bytes(16)), bytes(length), "Nonce must be between 8 and 128 bytes"
    for call in (
        lambda: aead.encrypt(nonce, b"text", None),
        lambda: aead.encrypt_into(nonce, b"text", None, bytearray(20)),
        lambda: aead.encrypt_detached(nonce, b"text", None),
        lambda: aead.decrypt(nonce, bytes(20), None),
        lambda: aead.decrypt(nonce, b"short", None),
        lambda: aead.decrypt_into(nonce, bytes(20), None, bytearray(4)),
        lambda: aead.decrypt_detached(nonce, bytes(4), bytes(16), None),
    ):
        with pytest.raises(ValueError, match=said):
            call()


def test_any_nonce_length(form: Any) -> None:
    aead = form.AESGCM(bytes(16), any_nonce_length=True)
    assert aead.any_nonce_length
    for length in (1, 7, 129, 5000):
        assert aead.decrypt(bytes(length), aead.encrypt(bytes(length), b"text", None), None) == b"text"
    with pytest.raises(ValueError, match="at least 1 byte"):
        aead.encrypt(b"", b"text", None)


@pytest.mark.parametrize("bad", ["text", None, 5, 1.5, object(), [b"text"]])
@pytest.mark.parametrize("place", ["nonce", "data"])
def test_what_is_no_buffer_is_named(form: Any, bad: Any, place: str) -> None:
    arguments = {"nonce": NONCE, "data": bytes(20), "associated_data": None, place: bad}
    aead = form.AESGCM(bytes(16))
    for call in (aead.encrypt, aead.decrypt):
        with pytest.raises(TypeError, match=f"^{place} must be a contiguous bytes-like object, not "):
            call(**arguments)


@pytest.mark.parametrize("bad", ["text", 5, object()])
def test_aad_that_is_no_buffer_is_named(form: Any, bad: Any) -> None:
    aead = form.AESGCM(bytes(16))
    with pytest.raises(TypeError, match=r"^associated_data must be"):
        aead.encrypt(NONCE, b"", bad)
    with pytest.raises(TypeError, match=r"^associated_data\[1\] must be"):
        aead.encrypt(NONCE, b"", [b"fine", bad])
    with pytest.raises(TypeError, match=r"^key must be"):
        form.AESGCM(bad)


def test_gaps_are_refused(form: Any) -> None:
    gaps = memoryview(bytearray(64))[::2]
    aead = form.AESGCM(bytes(16))
    for arguments in ((NONCE, gaps, None), (NONCE, b"", gaps), (gaps, b"", None), (NONCE, b"", [gaps])):
        with pytest.raises(BufferError, match="gaps"):
            aead.encrypt(*arguments)
    with pytest.raises(BufferError, match=r"^buf must be .*gaps"):
        aead.encrypt_into(NONCE, bytes(16), None, gaps)


def test_every_kind_of_buffer(form: Any) -> None:
    from array import array
    from mmap import mmap

    class Derived(bytes):
        pass

    aead = form.AESGCM(bytearray(16))
    sealed = pyca.AESGCM(bytes(16)).encrypt(NONCE, bytes(range(64)), bytes(range(32)))
    with mmap(-1, 64) as page:
        page[:] = bytes(range(64))
        for data in (
            bytearray(range(64)),
            memoryview(bytes(range(64))),
            memoryview(bytearray(range(64))).cast("I"),
            array("Q", bytes(range(64))),
            Derived(range(64)),
            page,
        ):
            for nonce in (NONCE, bytearray(NONCE), Derived(NONCE)):
                for aad in (bytearray(range(32)), memoryview(bytes(range(32))), Derived(range(32))):
                    assert aead.encrypt(nonce, data, aad) == sealed


def test_invalid_tag(form: Any) -> None:
    aead = form.AESGCM(bytes(16))
    sealed = aead.encrypt(NONCE, bytes(100), b"aad")
    for at in range(len(sealed)):
        damaged = bytearray(sealed)
        damaged[at] ^= 0x40
        with pytest.raises(InvalidTag):
            aead.decrypt(NONCE, damaged, b"aad")
    for nonce, data, aad in (
        (bytes(12), sealed, b"aad"),
        (NONCE, sealed, b"AAD"),
        (NONCE, sealed, None),
        (NONCE, sealed[:-1], b"aad"),
        (NONCE, sealed[:15], b"aad"),
        (NONCE, b"", b"aad"),
    ):
        with pytest.raises(InvalidTag):
            aead.decrypt(nonce, data, aad)


def test_a_wrong_tag_leaves_no_text(form: Any) -> None:
    aead = form.AESGCM(bytes(16))
    for aad in (b"aad", [b"a", b"ad"]):
        sealed = bytearray(aead.encrypt(NONCE, b"secret" * 3000, aad))
        sealed[-1] ^= 1
        out = bytearray(b"x" * 18000)
        with pytest.raises(InvalidTag):
            aead.decrypt_into(NONCE, sealed, aad, out)
        assert out == bytes(18000)


@pytest.mark.parametrize("length", [0, 19, 21])
def test_output_length(form: Any, length: int) -> None:
    aead = form.AESGCM(bytes(16))
    with pytest.raises(ValueError, match="buffer must be 20 bytes"):
        aead.encrypt_into(NONCE, b"text", None, bytearray(length))
    with pytest.raises(ValueError, match="buffer must be 4 bytes"):
        aead.decrypt_into(NONCE, bytes(20), None, bytearray(length))
    with pytest.raises(InvalidTag):
        aead.decrypt_into(NONCE, bytes(15), None, bytearray(length))


def test_output_must_be_writable(form: Any) -> None:
    aead = form.AESGCM(bytes(16))
    with pytest.raises(TypeError, match=r"^buf must be a contiguous, writable buffer.*read-only"):
        aead.encrypt_into(NONCE, b"text", None, bytes(20))
    with pytest.raises(
        TypeError, match=r"^buf must be a contiguous, writable buffer such as bytearray, not str"
    ):
        aead.encrypt_into(NONCE, b"text", None, "twenty characters...")


def test_in_place_and_overlaps(form: Any) -> None:
    aead, text = form.AESGCM(bytes(16)), os.urandom(1000)
    sealed = aead.encrypt(NONCE, text, None)
    room = bytearray(text) + bytearray(16)
    view = memoryview(room)
    assert aead.encrypt_into(NONCE, view[:1000], None, view) == 1016
    assert room == sealed
    assert aead.decrypt_into(NONCE, view, None, view[:1000]) == 1000
    assert room[:1000] == text
    for data, out in ((view[1:101], view[:116]), (view[:100], view[1:117])):
        with pytest.raises(ValueError, match="overlap"):
            aead.encrypt_into(NONCE, data, None, out)


@pytest.mark.parametrize("length", [4, 8, 12, 13, 14, 15, 16])
def test_tag_length(form: Any, length: int) -> None:
    aead = form.AESGCM(bytes(16), tag_length=length)
    whole = pyca.AESGCM(bytes(16)).encrypt(NONCE, b"text", b"aad")
    assert aead.tag_length == length
    assert aead.encrypt(NONCE, b"text", b"aad") == whole[: 4 + length]
    assert aead.decrypt(NONCE, whole[: 4 + length], b"aad") == b"text"
    assert aead.encrypt_detached(NONCE, b"text", b"aad")[1] == whole[4 : 4 + length]
    with pytest.raises(InvalidTag):
        aead.decrypt_detached(NONCE, whole[:4], whole[4 : 3 + length], b"aad")


@pytest.mark.parametrize("length", [-1, 0, 3, 5, 11, 17, 1 << 40])
def test_other_tag_lengths(form: Any, length: int) -> None:
    with pytest.raises(ValueError, match="tag_length must be 4, 8 or 12 to 16 bytes, not "):
        form.AESGCM(bytes(16), tag_length=length)


def test_aad_in_pieces(form: Any) -> None:
    aead, aad, text = form.AESGCM(bytes(32)), os.urandom(1000), os.urandom(333)
    sealed = pyca.AESGCM(bytes(32)).encrypt(NONCE, text, aad)
    for cuts in ([], [0], [1], [16, 32], [5, 5, 999], list(range(1000))):
        pieces = [aad[a:b] for a, b in zip([0, *cuts], [*cuts, 1000], strict=True)]
        assert aead.encrypt(NONCE, text, pieces) == sealed
        assert aead.decrypt(NONCE, sealed, tuple(map(bytearray, pieces))) == text
    assert aead.encrypt(NONCE, text, []) == aead.encrypt(NONCE, text, None)
    with pytest.raises(InvalidTag):
        aead.decrypt(NONCE, sealed, [aad, b"more"])


def test_each_kernel_by_name(form: Any) -> None:
    from kernport import host
    from kernport.errors import UnavailableKernel

    sealed = pyca.AESGCM(bytes(16)).encrypt(NONCE, bytes(500), b"aad")
    kernels = [kernel for kernel in host().kernels if kernel.family == "aes-gcm"]
    for kernel in kernels:
        if kernel.state in ("chosen", "eligible"):
            aead = form.AESGCM(bytes(16), kernel=kernel.name)
            assert aead.kernel == kernel.name
            assert aead.encrypt(NONCE, bytes(500), b"aad") == sealed
        else:
            with pytest.raises(UnavailableKernel):
                form.AESGCM(bytes(16), kernel=kernel.name)
    with pytest.raises(UnavailableKernel, match="no kernel of that name"):
        form.AESGCM(bytes(16), kernel="nobody")


def test_one_object_in_many_threads(form: Any) -> None:
    aead, failures = form.AESGCM(bytes(16)), []
    theirs = pyca.AESGCM(bytes(16))

    def work(number: int) -> None:
        for turn in range(60):
            nonce, data = bytes([number] * 12), os.urandom(turn * 700)
            if aead.encrypt(nonce, data, None) != theirs.encrypt(nonce, data, None):
                failures.append((number, turn))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


@pytest.mark.skipif(not hasattr(sys, "getrefcount"), reason="this interpreter counts no references")
def test_no_reference_is_lost_or_kept(form: Any) -> None:
    aead = form.AESGCM(bytes(16))
    nonce, data, out, aad = bytearray(12), bytearray(100), bytearray(116), [bytearray(5), b"x" * 7]
    things: Any = (nonce, data, out, aad, *aad)

    def once() -> None:
        sealed = aead.encrypt(nonce, data, aad)
        aead.encrypt_into(nonce, data, aad, out)
        aead.decrypt(nonce, sealed, aad)
        for call in (
            lambda: aead.decrypt(nonce, data, aad),
            lambda: aead.encrypt(nonce, "text", aad),
            lambda: aead.encrypt(nonce, data, [*aad, "text"]),
            lambda: aead.encrypt_into(nonce, data, aad, bytearray(5)),
            lambda: aead.encrypt(bytearray(5), data, aad),
        ):
            with pytest.raises((InvalidTag, TypeError, ValueError)):
                call()

    once()
    before = [sys.getrefcount(thing) for thing in things]
    for _ in range(10):
        once()
    assert [sys.getrefcount(thing) for thing in things] == before
    for buffer in (nonce, data, out, things[4]):
        buffer.append(0)  # a buffer that somebody still looks at cannot grow


def test_many(form: Any) -> None:
    aead, theirs = form.AESGCM(bytes(16)), pyca.AESGCM(bytes(16))
    texts = [os.urandom(size) for size in (*SIZES, *range(100))]
    nonces = [os.urandom(12) for _ in texts]
    aads = [None if number % 3 == 0 else os.urandom(number) for number in range(len(texts))]
    sealed = [theirs.encrypt(*message) for message in zip(nonces, texts, aads, strict=True)]
    assert aead.encrypt_many(nonces, texts, aads) == sealed
    assert aead.encrypt_many(nonces=iter(nonces), messages=map(bytearray, texts), aads=tuple(aads)) == sealed
    assert aead.decrypt_many(nonces, sealed, aads) == texts
    views = [memoryview(each) for each in sealed]
    assert aead.decrypt_many(map(bytearray, nonces), views, iter(aads)) == texts
    assert aead.encrypt_many(nonces, texts) == aead.encrypt_many(nonces, texts, [None] * len(texts))
    pieces = [[b"a", bytearray(b"ad")] for _ in texts]
    assert aead.encrypt_many(nonces, texts, pieces) == aead.encrypt_many(nonces, texts, [b"aad"] * len(texts))
    assert aead.encrypt_many([], []) == aead.decrypt_many([], [], []) == []


def test_many_says_which_tag_is_wrong(form: Any) -> None:
    from kernport import InvalidTags

    aead = form.AESGCM(bytes(16))
    texts = [bytes([number]) * 2000 for number in range(20)]
    nonces = [bytes([number]) * 12 for number in range(20)]
    sealed = [bytearray(each) for each in aead.encrypt_many(nonces, texts)]
    sealed[3][5] ^= 1
    sealed[17] = sealed[17][:9]
    with pytest.raises(InvalidTags, match=r"2 of 20 messages do not match: 3, 17$") as caught:
        aead.decrypt_many(nonces, sealed)
    assert isinstance(caught.value, InvalidTag)
    assert caught.value.indices == (3, 17)
    assert caught.value.texts == [None if number in (3, 17) else text for number, text in enumerate(texts)]


def test_many_says_what_is_wrong(form: Any) -> None:
    aead = form.AESGCM(bytes(16))
    for call in (aead.encrypt_many, aead.decrypt_many):
        for arguments, error, said in (
            (([NONCE], []), ValueError, "1 nonces and 0 messages"),
            (([NONCE], [b""], []), ValueError, "1 nonces, 1 messages and 0 aads"),
            (([NONCE, b"short"], [b"", b""]), ValueError, r"8 and 128 bytes: nonces\[1\] has 5"),
            (([NONCE, NONCE], [b"", "text"]), TypeError, r"^messages\[1\] must be .* not str"),
            (([NONCE, 5], [b"", b""]), TypeError, r"^nonces\[1\] must be .* not int"),
            (([NONCE], [b""], ["text"]), TypeError, r"^aads\[0\] must be .* not str"),
            (([NONCE], [b""], [[b"fine", "text"]]), TypeError, r"^aads\[0\] must be .* not str"),
            ((NONCE, [b""]), TypeError, "^nonces must be a sequence .* not bytes"),
            (([NONCE], None), TypeError, "^messages must be a sequence .* not NoneType"),
        ):
            with pytest.raises(error, match=said):
                call(*arguments)
