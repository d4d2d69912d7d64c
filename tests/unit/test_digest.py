"""MD5, against hashlib."""

import hashlib
import hmac
import io
import os
import threading
from typing import Any

import pytest

SIZES = (0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 2048, 2049, 100_000)


def test_agrees_with_hashlib(form: Any) -> None:
    for size in SIZES:
        data = os.urandom(size)
        expected = hashlib.md5(data)
        assert form.md5(data).digest() == expected.digest()
        assert form.md5(bytearray(data)).hexdigest() == expected.hexdigest()
        assert form.md5(memoryview(data), usedforsecurity=False).digest() == expected.digest()
        pieces = form.md5()
        for start in range(0, size, 37):
            pieces.update(data[start : start + 37])
        assert pieces.digest() == pieces.digest() == expected.digest()


def test_attributes(form: Any) -> None:
    ours, theirs = form.md5(), hashlib.md5()
    assert (ours.name, ours.digest_size, ours.block_size) == (
        theirs.name,
        theirs.digest_size,
        theirs.block_size,
    )
    assert repr(ours).startswith("<md5 kernport object @ 0x")


def test_copies_go_their_own_ways(form: Any) -> None:
    one = form.md5(b"common ")
    two = one.copy()
    one.update(b"one")
    two.update(b"two")
    assert one.digest() == hashlib.md5(b"common one").digest()
    assert two.digest() == hashlib.md5(b"common two").digest()


def test_serves_the_standard_library(form: Any) -> None:
    assert hmac.new(b"key", b"message", form.md5).digest() == hmac.new(b"key", b"message", "md5").digest()
    file = io.BytesIO(os.urandom(300_000))
    assert hashlib.file_digest(file, form.md5).digest() == hashlib.md5(file.getvalue()).digest()


def test_wrong_arguments(form: Any) -> None:
    for bad in (None, 5, object()):
        with pytest.raises(TypeError, match=r"^data must be a contiguous bytes-like object"):
            form.md5().update(bad)
    for call in (lambda: form.md5("text"), lambda: form.md5().update("text")):
        with pytest.raises(TypeError, match="Strings must be encoded before hashing"):
            call()
    with pytest.raises(BufferError, match="gaps"):
        form.md5(memoryview(bytes(64))[::2])
    with pytest.raises(TypeError):
        form.md5().update()
    with pytest.raises(TypeError, match="not both"):
        form.md5(b"x", string=b"x")
    assert form.md5(string=b"x").digest() == form.md5(data=b"x").digest() == hashlib.md5(b"x").digest()


def test_many(form: Any) -> None:
    messages = [os.urandom(size) for size in (*SIZES, *range(200))]
    expected = [hashlib.md5(message).digest() for message in messages]
    assert form.md5_many(messages) == expected
    assert form.md5_many(map(bytearray, messages)) == expected
    assert form.md5_many([]) == []


def test_many_says_which_is_wrong(form: Any) -> None:
    with pytest.raises(TypeError, match=r"^buffers\[1\] must be a contiguous bytes-like object, not str"):
        form.md5_many([b"", "text"])
    for bad in (b"bytes", None, 5):
        with pytest.raises(TypeError, match=r"^buffers must be a sequence of bytes-like objects, not "):
            form.md5_many(bad)


def test_each_kernel_by_name(form: Any) -> None:
    from kernport import host
    from kernport.errors import UnavailableKernel

    messages = [os.urandom(size) for size in range(0, 3000, 37)]
    expected = [hashlib.md5(message).digest() for message in messages]
    for kernel in host().kernels:
        if kernel.state in ("chosen", "eligible") and kernel.family == "md5":
            assert [form.md5(message, kernel=kernel.name).digest() for message in messages] == expected
        if kernel.state in ("chosen", "eligible") and kernel.family == "md5-many":
            assert form.md5_many(messages, kernel=kernel.name) == expected
    calls: tuple[Any, ...] = (
        lambda: form.md5(kernel="nobody"),
        lambda: form.md5_many([b""], kernel="nobody"),
    )
    for call in calls:
        with pytest.raises(UnavailableKernel, match="no kernel of that name"):
            call()


def test_two_threads_may_feed_one_object(form: Any) -> None:
    # Equal pieces give one message whatever order they come in; a lost or torn one gives another.
    ours, piece = form.md5(), bytes(range(256)) * 64
    long_turns, short_turns = 60, 600

    def feed(data: bytes, turns: int) -> None:
        for _ in range(turns):
            ours.update(data)
            ours.copy().digest()

    threads = [
        *(threading.Thread(target=feed, args=(piece, long_turns)) for _ in range(3)),
        threading.Thread(target=feed, args=(piece[:256], short_turns)),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    whole = piece[:256] * (3 * long_turns * 64 + short_turns)
    assert ours.digest() == hashlib.md5(whole).digest()


def test_new_and_file_digest() -> None:
    import tempfile

    from kernport import digest

    data = os.urandom(1_000_000)
    assert digest.new("MD5", data).hexdigest() == hashlib.new("md5", data).hexdigest()
    with pytest.raises(ValueError, match="kernport has md5"):
        digest.new("sha256")
    assert digest.file_digest(io.BytesIO(data), "md5").digest() == hashlib.md5(data).digest()
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.seek(1)
        assert digest.file_digest(file, digest.md5).digest() == hashlib.md5(data[1:]).digest()
    with pytest.raises(ValueError, match="buffer_bytes must be 1 or more, not 0"):
        digest.file_digest(io.BytesIO(data), buffer_bytes=0)
    with pytest.raises(ValueError, match="mode 'rb'"):
        digest.file_digest(io.StringIO("text"))  # type: ignore[arg-type]
