"""A user's project passes mypy --strict, and mistakes in it are found."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = """
import hashlib
import hmac
import io
from pathlib import Path
from typing import assert_type

import kernport
from kernport import AESGCM, GMAC, InvalidTag, InvalidTags, file_digest, md5, md5_files, md5_many

aead = AESGCM(AESGCM.generate_key(bit_length=256), tag_length=12)
assert_type(aead, AESGCM)
assert_type(aead.encrypt(b"nonce", bytearray(b"data"), None), bytes)
assert_type(aead.encrypt(b"nonce", memoryview(b"data"), [b"a", bytearray(b"b")]), bytes)
assert_type(aead.encrypt_into(b"nonce", b"data", b"aad", bytearray(20)), int)
assert_type(aead.encrypt_detached(b"nonce", b"data", None), tuple[bytes, bytes])
assert_type(aead.decrypt_detached(b"nonce", b"data", b"tag", None), bytes)
assert_type(aead.encrypt_many([b"nonce"], (b"data",), [None]), list[bytes])
assert_type(aead.tag_length, int)
try:
    aead.decrypt_many([b"nonce"], [b"data"])
except InvalidTags as error:
    assert_type(error.indices, tuple[int, ...])
    assert_type(error.texts, list[bytes | None])
except InvalidTag:
    pass
encryptor = aead.encryptor(b"nonce", b"aad")
assert_type(encryptor.update(b"data") + encryptor.finalize() + encryptor.tag, bytes)
assert_type(aead.decryptor(b"nonce").finalize_with_tag(b"tag"), bytes)
assert_type(GMAC(b"key").sign(b"nonce", b"data"), bytes)
GMAC(b"key").verify(b"nonce", b"data", b"tag")
stream = GMAC(b"key").stream(b"nonce")
stream.update(b"data")
assert_type(stream.finalize(), bytes)
assert_type(md5(b"data", usedforsecurity=False).copy().hexdigest(), str)
assert_type(md5_many(bytearray(b"x") for _ in range(3)), list[bytes])
assert_type(md5_files([Path("a"), "b"]), list[bytes])
assert_type(file_digest(io.BytesIO()).digest(), bytes)
assert_type(kernport.host().version, str)
"""
MISTAKES = (
    'AESGCM("key")',
    "AESGCM(bytes(16)).encrypt(None, b'', None)",
    "AESGCM(bytes(16)).encrypt(b'nonce', 'text', None)",
    "AESGCM(bytes(16)).encrypt(b'nonce', b'')",
    "AESGCM(bytes(16), tag_length='16')",
    "AESGCM(bytes(16)).encrypt_many([b'nonce'], ['text'])",
    "GMAC(bytes(16)).verify(b'nonce', b'data')",
    "md5('text')",
    "md5(b'').update('text')",
)


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="needs mypy: pip install mypy")
def test_a_users_project(tmp_path: Path) -> None:
    (tmp_path / "fine.py").write_text(PROJECT)
    lines = ["from kernport import AESGCM, GMAC, md5", *MISTAKES]
    (tmp_path / "wrong.py").write_text("\n".join(lines) + "\n")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--config-file="]
    fine = subprocess.run([*command, "fine.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert fine.returncode == 0, fine.stdout + fine.stderr
    wrong = subprocess.run([*command, "wrong.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    found = {int(line.split(":")[1]) for line in wrong.stdout.splitlines() if ": error:" in line}
    assert found == set(range(2, 2 + len(MISTAKES))), wrong.stdout + wrong.stderr
