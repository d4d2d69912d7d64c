"""An rpm (version 3 and 4 of the format): lead, signature, header and a cpio archive.

Sources: the format's description in rpm's manual ("V4 Package Format", "RPM Tags"), and cpio(5) for newc.
"""

import bz2
import gzip
import hashlib
import lzma
import struct
from collections.abc import Iterator
from typing import Any

from kernport.build.audit.archive import Member, unpack_zstd
from kernport.build.audit.finding import Audit
from kernport.build.audit.package import Package
from kernport.errors import UsageError

MAGIC = b"\xed\xab\xee\xdb"
HEADER_MAGIC = b"\x8e\xad\xe8\x01"
LEAD = 96
NAME, VERSION, RELEASE, ARCH = 1000, 1001, 1002, 1022
FLAGS, DIGESTS, DIGEST_ALGORITHM = 1037, 1035, 5011
DIRECTORIES, BASENAMES, DIRECTORY_NUMBERS = 1118, 1117, 1116
REQUIRES, PROVIDES = 1049, 1047
COMPRESSOR, PAYLOAD_DIGEST = 1125, 5092
SIGNATURE_SHA256 = 273
GHOST = 1 << 6
ALGORITHMS = {1: "md5", 2: "sha1", 8: "sha256", 9: "sha384", 10: "sha512"}  # RFC 4880's numbers
SIZES = {1: "B", 2: "B", 3: "H", 4: "I", 5: "Q"}


def read_rpm(audit: Audit, content: bytes, place: str) -> Package:
    """Read an rpm; its own digests, of header and payload, are checked into `audit`."""
    try:
        signature, end = _header(content, LEAD)
        begin = -(-end // 8) * 8
        header, end = _header(content, begin)
        names = [
            header[DIRECTORIES][number] + base
            for number, base in zip(header.get(DIRECTORY_NUMBERS, []), header.get(BASENAMES, []), strict=True)
        ]
        algorithm = ALGORITHMS[header.get(DIGEST_ALGORITHM, [1])[0]]
        facts = dict(zip(names, zip(header[DIGESTS], header[FLAGS], strict=True), strict=True))
        payload = content[end:]
        files = tuple(_cpio(_unpacked(payload, header.get(COMPRESSOR, "gzip"), place), place))
    except (struct.error, IndexError, KeyError, ValueError, OSError, lzma.LZMAError) as error:
        raise UsageError(f"{place}: damaged rpm: {error}") from error
    for what, said, actual in (
        ("header", signature.get(SIGNATURE_SHA256, ""), content[begin:end]),
        ("payload", header.get(PAYLOAD_DIGEST, [""])[0], payload),
    ):
        digest = hashlib.sha256(actual).hexdigest()
        if said and said != digest:
            audit.find("digest", "", f"the {what}'s sha256 is {digest}, and the package says {said}")
    present = {f"/{member.name}" for member in files}
    for name, (digest, flags) in facts.items():
        if digest and not flags & GHOST and name not in present:
            audit.find("files", name, "the header has it, and the payload has not")
    return Package(
        form="rpm",
        name=header[NAME],
        version=f"{header[VERSION]}-{header[RELEASE]}",
        architecture=header[ARCH],
        depends=tuple(header.get(REQUIRES, [])),
        provides=tuple(header.get(PROVIDES, [])),
        files=files,
        digests={name[1:]: (algorithm, digest) for name, (digest, _) in facts.items() if digest},
    )


def _header(content: bytes, offset: int) -> tuple[dict[int, Any], int]:
    """A header structure: its values by tag, and where it ends."""
    magic, _, count, size = struct.unpack_from(">4sIII", content, offset)
    if magic != HEADER_MAGIC:
        raise ValueError(f"no header at byte {offset}")
    store = offset + 16 + 16 * count
    values: dict[int, Any] = {}
    for number in range(count):
        tag, kind, place, length = struct.unpack_from(">IIII", content, offset + 16 + 16 * number)
        begin = store + place
        if kind in SIZES:
            values[tag] = list(struct.unpack_from(f">{length}{SIZES[kind]}", content, begin))
        elif kind in (6, 8, 9):
            words = content[begin : store + size].split(b"\0", length)[:length]
            texts = [word.decode() for word in words]
            values[tag] = texts[0] if kind == 6 else texts
        else:
            values[tag] = content[begin : begin + length]
    return values, store + size


def _unpacked(payload: bytes, compressor: str, place: str) -> bytes:
    if compressor == "zstd":
        return unpack_zstd(payload, place)
    return {"gzip": gzip.decompress, "xz": lzma.decompress, "lzma": lzma.decompress, "bzip2": bz2.decompress}[
        compressor
    ](payload)


def _cpio(content: bytes, place: str) -> Iterator[Member]:
    """The regular files of a cpio archive of the new form (cpio(5))."""
    offset = 0
    while content[offset : offset + 6] in (b"070701", b"070702"):
        fields = [int(content[offset + at : offset + at + 8], 16) for at in range(6, 110, 8)]
        mode, size, name_size = fields[1], fields[6], fields[11]
        name = content[offset + 110 : offset + 110 + name_size - 1].decode()
        begin = offset + 110 + name_size
        begin += -begin % 4
        if name == "TRAILER!!!":
            return
        if mode & 0o170000 == 0o100000:
            yield Member(name.removeprefix("./").lstrip("/"), mode & 0o7777, content[begin : begin + size])
        offset = begin + size + -(begin + size) % 4
    raise UsageError(f"{place}: damaged payload at byte {offset}")
