"""Writes known_answers.c: what kernels must compute, by OpenSSL (pyca/cryptography) and hashlib.

python tests/checkasm/families/known_answers.py > tests/checkasm/families/known_answers.c
"""

import hashlib
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

WORD = (1 << 64) - 1
GAMMA = 0x9E3779B97F4A7C15

# Around the block, the widest loops (48 blocks of AES-GCM), and their sums.
TEXT_LENGTHS = (0, 1, 15, 16, 17, 31, 32, 63, 64, 65, 100, 127, 128, 129, 255, 256, 257, 383, 511, 512, 513,
                640, 767, 768, 769, 1024, 1025, 1535, 1536, 1553, 2048, 3083, 4096)  # fmt: skip
AAD_LENGTHS = (0, 16, 20, 32, 48, 1, 64, 13, 128, 112, 255, 768, 1024)


def pattern(label: int, length: int) -> bytes:
    """The bytes that pattern() in random.c makes: splitmix64 of a counter that starts at label << 32."""
    out = bytearray()
    counter = (label << 32) & WORD
    while len(out) < length:
        counter = (counter + GAMMA) & WORD
        word = counter
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & WORD
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & WORD
        out += (word ^ (word >> 31)).to_bytes(8, "little")
    return bytes(out[:length])


def multiply(a: int, b: int) -> int:
    """Product in GCM's field; bit 127 of the integer is the coefficient of x^0 (SP 800-38D, 6.3)."""
    product = 0
    for i in range(127, -1, -1):
        if b >> i & 1:
            product ^= a
        a = (a >> 1) ^ (0xE1 << 120 if a & 1 else 0)
    return product


def inverse(a: int) -> int:
    """a^(2^128 - 2)."""
    result = 1 << 127
    for _ in range(127):
        a = multiply(a, a)
        result = multiply(result, a)
    return result


def enciphered(key: bytes, block: bytes) -> bytes:
    """AES of one block."""
    encryptor = Cipher(algorithms.AES(key), modes.ECB()).encryptor()  # one block is AES itself
    return encryptor.update(block) + encryptor.finalize()


def iv_for(key: bytes, j0: bytes) -> bytes:
    """The IV of 16 bytes whose pre-counter block is j0: GHASH undone."""
    inverted = inverse(int.from_bytes(enciphered(key, bytes(16)), "big"))
    lengths = 128
    first = multiply(int.from_bytes(j0, "big"), inverted) ^ lengths
    return multiply(first, inverted).to_bytes(16, "big")


def sealed(key: bytes, iv: bytes, aad: bytes, text: bytes) -> tuple[bytes, bytes]:
    """Ciphertext and tag of 16 bytes."""
    encryptor = Cipher(algorithms.AES(key), modes.GCM(iv)).encryptor()
    encryptor.authenticate_additional_data(aad)
    cipher = encryptor.update(text) + encryptor.finalize()
    return cipher, encryptor.tag


@dataclass(frozen=True)
class Message:
    """One AES-GCM message; key, AAD and text are patterns."""

    key_length: int
    iv: bytes
    j0: bytes
    aad_length: int
    text_length: int


def messages() -> Iterator[Message]:
    """Every text length under every key size, then counters that wrap after 1 to 70 blocks."""
    number = 0
    for text_length in TEXT_LENGTHS:
        for key_length in (16, 24, 32):
            iv = pattern(1000 + number, 12)
            aad_length = AAD_LENGTHS[number % len(AAD_LENGTHS)]
            yield Message(key_length, iv, iv + bytes((0, 0, 0, 1)), aad_length, text_length)
            number += 1
    for blocks in (*range(1, 21), 24, 31, 32, 33, 47, 48, 49, 64, 70):
        key_length = (16, 32, 24)[blocks % 3]
        j0 = pattern(2000 + blocks, 8) + b"\xff" * 4 + (2**32 - 1 - blocks).to_bytes(4, "big")
        yield Message(
            key_length, iv_for(pattern(key_length, key_length), j0), j0, 20, 1200 + 13 * (blocks % 5)
        )


def literal(data: bytes) -> str:
    """A C initialiser."""
    return "{" + ", ".join(f"0x{byte:02x}" for byte in data) + "}"


def aes_gcm_rows() -> Iterator[str]:
    """One row a message: IV, J0, tag, and the CRC-32 of the ciphertext."""
    for message in messages():
        key = pattern(message.key_length, message.key_length)
        cipher, tag = sealed(key, message.iv, pattern(7, message.aad_length), pattern(8, message.text_length))
        yield (
            f"    {{{message.key_length}, {message.aad_length}, {message.text_length}, {len(message.iv)}, "
            f"{literal(message.iv)},\n     {literal(message.j0)},\n     "
            f"{literal(tag)}, 0x{zlib.crc32(cipher):08x}}},"
        )


def ghash_rows() -> Iterator[str]:
    """GHASH of data and its length block: the tag of AAD alone, less the mask of the tag."""
    for length in TEXT_LENGTHS:
        key = pattern(length + 1, 16)
        iv = pattern(3, 12)
        tag = sealed(key, iv, pattern(9, length), b"")[1]
        mask = enciphered(key, iv + bytes((0, 0, 0, 1)))
        result = bytes(a ^ b for a, b in zip(tag, mask, strict=True))
        yield f"    {{{length}, {literal(enciphered(key, bytes(16)))},\n     {literal(result)}}},"


def md5_rows() -> Iterator[str]:
    """Digests of patterns."""
    for length in (*range(0, 130), 183, 184, 191, 192, 193, 247, 248, 511, 512, 513, 1000, 2048, 4000, 4096):
        digest = hashlib.md5(pattern(10, length), usedforsecurity=False).digest()
        yield f"    {{{length}, {literal(digest)}}},"


def array(kind: str, rows: Iterator[str]) -> str:
    """One table and its length."""
    body = "\n".join(rows)
    return (
        f"const struct known_{kind} known_{kind}[] = {{\n{body}\n}};\n"
        f"const size_t known_{kind}_count = sizeof known_{kind} / sizeof known_{kind}[0];\n"
    )


def source() -> str:
    """The whole of known_answers.c."""
    return "\n".join(
        (
            "/* Generated by known_answers.py from pyca/cryptography and hashlib. */",
            "/* clang-format off */",
            '#include "known_answers.h"\n',
            array("aes_gcm", aes_gcm_rows()),
            array("ghash", ghash_rows()),
            array("md5", md5_rows()),
        )
    )


if __name__ == "__main__":
    print(source(), end="")
