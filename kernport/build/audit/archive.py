"""The files inside an archive: ar and tar, with any compression that packages use."""

import io
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass

from kernport.errors import EnvironmentLacks, UsageError

AR_MAGIC = b"!<arch>\n"
ZSTD = b"\x28\xb5\x2f\xfd"
# How an archive begins that is compressed: gzip, xz, bzip2, zstd.
GZIP = b"\x1f\x8b"
COMPRESSED = (GZIP, b"\xfd7zXZ", b"BZh", ZSTD)


@dataclass(frozen=True)
class Member:
    """A file in an archive: its name, the permission bits of its mode, and its bytes."""

    name: str
    mode: int
    content: bytes


def ar_members(content: bytes, place: str) -> Iterator[Member]:
    """The members of an ar archive (ar(5)); GNU's long names are resolved."""
    long_names = b""
    offset = len(AR_MAGIC)
    while offset + 60 <= len(content):
        header = content[offset : offset + 60]
        try:
            size = int(header[48:58])
        except ValueError as error:
            raise UsageError(f"{place}: damaged archive at byte {offset}") from error
        body = content[offset + 60 : offset + 60 + size]
        offset += 60 + size + size % 2
        name = header[:16].decode("latin-1").rstrip()
        if name == "//":
            long_names = body
        elif name not in ("/", "/SYM64/"):
            if name.startswith("/") and name[1:].isdecimal():
                name = long_names[int(name[1:]) :].partition(b"\n")[0].decode("latin-1")
            yield Member(name.rstrip("/"), 0o644, body)


def tar_members(content: bytes, place: str, partial: bool = False) -> Iterator[Member]:
    """The regular files of a tar archive, compressed by gzip, xz, bzip2 or zstd, or not at all.

    A partial one may lack the blocks that end an archive.
    """
    if partial:
        content += bytes(1024)
    if content.startswith(ZSTD):
        content = unpack_zstd(content, place)
    try:
        with tarfile.open(fileobj=io.BytesIO(content)) as archive:
            for entry in archive:
                stream = archive.extractfile(entry) if entry.isfile() else None
                if stream is not None:
                    yield Member(entry.name.removeprefix("./"), entry.mode, stream.read())
    except tarfile.TarError as error:
        raise UsageError(f"{place}: damaged archive: {error}") from error


def unpack_zstd(content: bytes, place: str) -> bytes:
    """What zstd compressed, in one frame or several."""
    try:
        import zstandard
    except ImportError as error:
        raise EnvironmentLacks(f"{place} is compressed by zstd; pip install zstandard") from error
    stream = zstandard.ZstdDecompressor().stream_reader(content, read_across_frames=True)
    return bytes(stream.read())
