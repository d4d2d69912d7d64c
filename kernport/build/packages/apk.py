"""Alpine's packages: nfpm's, with what it leaves out of symbolic links.

apk-tools notes a checksum of every file and link that it installs, which `apk audit` compares: that of a
link is the SHA-1 of where it points (apk-v2(5), abuild's tar). nfpm gives links the sum of nothing, and an
owner without a name.
"""

import gzip
import hashlib
import io
import tarfile
import zlib
from pathlib import Path

from kernport.build.packages import Contents, nfpm

CHECKSUM = "APK-TOOLS.checksum.SHA1"
BLOCK = 512
# Of a header of POSIX's tar: where the names of owner and group are, and the sum of its bytes.
OWNER, GROUP, SUM = slice(265, 297), slice(297, 329), slice(148, 156)


def write(contents: Contents, out: Path) -> Path:
    """Make one package."""
    path = nfpm.write(contents, out)
    path.write_bytes(_with_links(path.read_bytes()))
    return path


def _with_links(package: bytes) -> bytes:
    """The package, whose control part names the sum of the data that follow it, with links made whole."""
    stream = zlib.decompressobj(wbits=31)
    control = stream.decompress(package)
    before = stream.unused_data
    after = gzip.compress(_mended(gzip.decompress(before)), 9, mtime=0)
    said, right = (hashlib.sha256(each).hexdigest().encode() for each in (before, after))
    return gzip.compress(control.replace(said, right), 9, mtime=0) + after


def _mended(data: bytes) -> bytes:
    """A tar archive, each of whose links is told by its header and by records before that."""
    blocks = bytearray(data)
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        links = [entry for entry in archive if entry.issym()]
    for entry in links:
        at = entry.offset_data - BLOCK
        records = slice(entry.offset, at)
        said = f"{CHECKSUM}={entry.pax_headers[CHECKSUM]}".encode()
        sum_of_target = hashlib.sha1(entry.linkname.encode(), usedforsecurity=False).hexdigest()
        blocks[records] = blocks[records].replace(said, f"{CHECKSUM}={sum_of_target}".encode())
        header = blocks[at : at + BLOCK]
        header[OWNER] = header[GROUP] = b"root".ljust(32, b"\0")
        header[SUM] = b" " * 8
        header[SUM] = f"{sum(header):06o}\0 ".encode()
        blocks[at : at + BLOCK] = header
    return bytes(blocks)
