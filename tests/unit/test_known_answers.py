"""The answers in native/*/known_answers.h, computed again by pyca/cryptography and hashlib."""

import hashlib
import re
from pathlib import Path

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

NATIVE = Path(__file__).resolve().parents[2] / "native"


def pattern(length: int) -> bytes:
    """The bytes of native/pattern.h."""
    return bytes((131 * i + 29 * (i >> 8) + 7) % 256 for i in range(length))


def byte_strings(header: Path) -> list[bytes]:
    """Every brace of nothing but hexadecimal bytes in a C header, in order."""
    groups = re.findall(r"\{((?:\s*0x[0-9a-f]{2},?)+)\s*\}", header.read_text(encoding="utf-8"))
    return [bytes(int(byte, 16) for byte in re.findall(r"0x[0-9a-f]{2}", group)) for group in groups]


def number(header: Path, name: str) -> int:
    """The value of a macro."""
    found = re.search(rf"#define {name} (\d+)\n", header.read_text(encoding="utf-8"))
    assert found is not None, f"{header} defines no {name}"
    return int(found[1])


def encipher(key: bytes, block: bytes) -> bytes:
    """One block of AES."""
    return Cipher(algorithms.AES(key), modes.ECB()).encryptor().update(block)


def multiply(x: int, y: int) -> int:
    """SP 800-38D, algorithm 1, on blocks read as big-endian numbers."""
    product = 0
    for position in range(127, -1, -1):
        if x >> position & 1:
            product ^= y
        y = y >> 1 ^ (0xE1 << 120 if y & 1 else 0)
    return product


def test_aes_gcm_answers() -> None:
    header = NATIVE / "aes_gcm" / "known_answers.h"
    length = number(header, "KP_AES_GCM_KNOWN_BYTES")
    strings = byte_strings(header)
    assert len(strings) == 6
    for key_length, iv, tag in zip((16, 24, 32), strings[::2], strings[1::2], strict=True):
        key, text = pattern(key_length), pattern(length)
        assert AESGCM(key).encrypt(iv, text, text)[-16:] == tag


def test_counter_wraps_within_the_text() -> None:
    for key_length, iv in zip(
        (16, 24, 32), byte_strings(NATIVE / "aes_gcm" / "known_answers.h")[::2], strict=True
    ):
        h = int.from_bytes(encipher(pattern(key_length), bytes(16)), "big")
        j0 = multiply(multiply(int.from_bytes(iv, "big"), h) ^ 128, h)
        assert j0 % 2**32 == 0xFFFFFFE7


def test_ghash_answer() -> None:
    header = NATIVE / "ghash" / "known_answers.h"
    subkey, answer = byte_strings(header)
    key, data = pattern(16), pattern(number(header, "KP_GHASH_KNOWN_BYTES"))
    assert encipher(key, bytes(16)) == subkey
    mask = encipher(key, bytes(15) + b"\1")
    tag = AESGCM(key).encrypt(bytes(12), b"", data)
    assert bytes(a ^ b for a, b in zip(tag, mask, strict=True)) == answer


def test_md5_answers() -> None:
    header = NATIVE / "md5" / "known_answers.h"
    one, *lanes = byte_strings(header)
    assert hashlib.md5(pattern(number(header, "KP_MD5_KNOWN_BYTES"))).digest() == one
    assert len(lanes) == 64
    length = number(header, "KP_MD5_MANY_KNOWN_BYTES")
    data = pattern(length + len(lanes))
    for lane, digest in enumerate(lanes):
        assert hashlib.md5(data[lane : lane + length]).digest() == digest
