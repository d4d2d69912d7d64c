"""What a user may hand over by mistake: a message says what to do, and nothing is written."""

import mmap
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from kernport import InvalidTag
from kernport.errors import UnavailableKernel

NONCE = bytes(12)
HUGE = (1 << 36) - 31


def test_a_released_view_is_refused(form: Any) -> None:
    view = memoryview(bytearray(16))
    view.release()
    page = mmap.mmap(-1, 4096)
    page.close()
    for gone in (view, page):
        for call in (
            lambda gone=gone: form.AESGCM(bytes(16)).encrypt(NONCE, gone, None),
            lambda gone=gone: form.AESGCM(bytes(16)).decrypt_into(NONCE, bytes(16), None, gone),
            lambda gone=gone: form.md5(gone),
            lambda gone=gone: form.md5_many([gone]),
        ):
            with pytest.raises(ValueError, match=r"released|closed"):
                call()


@pytest.mark.skipif(
    sys.implementation.name != "cpython",
    reason="PyPy lets a bytearray be resized while it is in use: only CPython can be asked",
)
def test_a_buffer_in_use_cannot_be_resized(form: Any) -> None:
    data = bytearray(1 << 24)
    state, done, refused = form.md5(), threading.Event(), []

    def hash_it() -> None:
        state.update(data)
        done.set()

    thread = threading.Thread(target=hash_it)
    thread.start()
    while not done.is_set():
        try:
            data.append(0)
            data.pop()
        except BufferError as error:
            refused.append(str(error))
    thread.join()
    assert refused, "the other thread never gave up the GIL"
    data.append(0)


def test_more_than_gcm_allows(form: Any, tmp_path: Path) -> None:
    # A file of nothing but a hole takes no room on the disk, and its pages are never touched.
    path = tmp_path / "hole"
    try:
        with path.open("wb+") as file:
            file.truncate(HUGE + 16)
            text = mmap.mmap(file.fileno(), HUGE + 16, prot=mmap.PROT_READ)
            room = mmap.mmap(file.fileno(), HUGE + 16)
    except (OSError, OverflowError) as error:
        pytest.skip(f"needs 128 GiB of address space and sparse files: {error}")
    with text, room:
        aead, whole = form.AESGCM(bytes(16)), memoryview(text)
        for call in (
            lambda: aead.encrypt(NONCE, whole[:HUGE], None),
            lambda: aead.encrypt_into(NONCE, whole[:HUGE], None, room),
            lambda: aead.encrypt_many([NONCE], [whole[:HUGE]]),
            lambda: aead.decrypt(NONCE, whole, None),
            lambda: aead.decrypt_into(NONCE, whole, None, memoryview(room)[:HUGE]),
        ):
            with pytest.raises(OverflowError, match=r"2\^36 - 32 bytes"):
                call()
        whole.release()


def test_a_refused_call_writes_nothing(form: Any) -> None:
    aead, room = form.AESGCM(bytes(16)), bytearray(b"x" * 100)
    view = memoryview(room)
    for arguments in (
        (b"short", bytes(84), None, room),
        (NONCE, bytes(83), None, room),
        (NONCE, "text", None, room),
        (NONCE, bytes(84), "text", room),
        (NONCE, view[1:85], None, view),
    ):
        with pytest.raises((TypeError, ValueError)):
            aead.encrypt_into(*arguments)
        assert room == b"x" * 100


def test_a_list_that_gives_other_things_than_it_holds(form: Any) -> None:
    class Changing(list[Any]):
        def __iter__(self) -> Any:
            yield from (b"first nonce", b"second nonce")

    aead = form.AESGCM(bytes(16))
    assert len(aead.encrypt_many(Changing([NONCE, NONCE]), Changing([1, 2, 3, 4]))) == 2


def test_objects_cannot_be_copied_into_files(form: Any) -> None:
    import pickle

    for thing in (form.AESGCM(bytes(16)), form.GMAC(bytes(16)), form.md5()):
        with pytest.raises(TypeError, match="pickle"):
            pickle.dumps(thing)


def test_messages_name_the_argument_and_the_remedy(form: Any) -> None:
    aead, gaps = form.AESGCM(bytes(16)), memoryview(bytearray(64))[::2]
    cases: tuple[tuple[Any, type[Exception], str], ...] = (
        (lambda: form.AESGCM(bytes(16), tag_length="16"), TypeError, "tag_length must be a number of bytes"),
        (lambda: form.AESGCM(bytes(16), tag_length=16.0), TypeError, "tag_length must be a number of bytes"),
        (lambda: form.GMAC(bytes(16), tag_length=1 << 80), ValueError, "12 to 16 bytes, not 12089258196146"),
        (lambda: form.AESGCM(bytes(16), kernel=5), TypeError, "kernel must be a kernel's name or None"),
        (lambda: form.md5(kernel=5), TypeError, "kernel must be a kernel's name or None"),
        (lambda: form.AESGCM(bytes(16), kernel="none"), UnavailableKernel, "kernport show lists them"),
        (lambda: aead.encrypt(NONCE, gaps, None), BufferError, r"has gaps; copy it by bytes\(\)"),
        (lambda: aead.encrypt_into(NONCE, bytes(16), None, gaps), BufferError, "write to a bytearray"),
        (lambda: aead.decrypt(NONCE, bytes(20), None), InvalidTag, "the tag does not match: the message, "),
        (lambda: aead.decrypt(NONCE, b"short", None), InvalidTag, "the tag does not match: the message, "),
        (lambda: aead.decrypt_detached(NONCE, b"", b"", None), InvalidTag, "the tag does not match"),
        (lambda: form.GMAC(bytes(16)).verify(NONCE, b"", bytes(16)), InvalidTag, "the tag does not match"),
        (lambda: form.GMAC(bytes(16)).stream(NONCE).verify(bytes(16)), InvalidTag, "the tag does not match"),
        (lambda: aead.decryptor(NONCE).finalize_with_tag(b""), InvalidTag, "the tag does not match"),
        (lambda: form.md5(None), TypeError, "data must be a contiguous bytes-like object, not NoneType"),
        (lambda: form.md5(b"", string=b"x"), TypeError, "not both"),
    )
    for call, error, said in cases:
        with pytest.raises(error, match=said):
            call()
