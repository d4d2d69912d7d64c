"""The test suite of RFC 1321, from PyPI's cryptography-vectors."""

from pathlib import Path

import cryptography_vectors

from kernport import md5, md5_many

FILE = Path(cryptography_vectors.__file__).parent / "hashes" / "MD5" / "rfc-1321.txt"


def cases() -> list[tuple[bytes, bytes]]:
    rows: list[dict[str, str]] = []
    for line in FILE.read_text(encoding="ascii").splitlines():
        key, separator, value = line.partition(" = ")
        if separator and key == "Len":
            rows.append({})
        if separator:
            rows[-1][key] = value
    return [(bytes.fromhex(row["Msg"])[: int(row["Len"]) // 8], bytes.fromhex(row["MD"])) for row in rows]


def test_one_stream(md5_kernel: str) -> None:
    assert len(cases()) == 7
    for message, digest in cases():
        assert md5(message, kernel=md5_kernel).digest() == digest
        pieces = md5(kernel=md5_kernel)
        for byte in message:
            pieces.update(bytes([byte]))
        assert pieces.hexdigest() == digest.hex()


def test_many_streams(md5_many_kernel: str) -> None:
    messages, digests = zip(*cases() * 9, strict=True)
    assert md5_many(messages, kernel=md5_many_kernel) == list(digests)
