"""Packages that say what they are in .PKGINFO: Arch Linux's and Alpine's.

Sources: PKGBUILD(5), mtree(5), and Alpine's "Apk spec" (version 2 of the format): streams of gzip, of which
each is a part of one tar archive: a signature, if there is one, the control data, the files.
"""

import gzip
import hashlib
import io
import tarfile
import zlib
from collections.abc import Iterator, Mapping

from kernport.build.audit.archive import Member, tar_members
from kernport.build.audit.finding import Audit
from kernport.build.audit.package import Package
from kernport.errors import UsageError

INFO, TREE = ".PKGINFO", ".MTREE"
SHA1 = "APK-TOOLS.checksum.SHA1"
# What an Arch Linux package has beside its files.
META = (INFO, TREE, ".BUILDINFO", ".INSTALL", ".CHANGELOG")


def read_arch(audit: Audit, content: bytes, place: str) -> Package:
    """Read an Arch Linux package; its .MTREE is checked into `audit`."""
    members = list(tar_members(content, place))
    meta = {member.name: member.content for member in members if member.name in META}
    if INFO not in meta or TREE not in meta:
        raise UsageError(f"{place}: not a package of Arch Linux: it lacks {INFO} or {TREE}")
    files = tuple(member for member in members if member.name not in META)
    tree = {name: facts for name, facts in _mtree(meta[TREE]) if facts.get("type") == "file"}
    digests = {name: ("sha256", facts.get("sha256digest", "")) for name, facts in tree.items()}
    for name in {member.name for member in files} ^ (digests.keys() - set(META)):
        audit.find("files", name, f"it is in only one of the archive and {TREE}")
    for member in files:
        said = tree.get(member.name, {}).get("size", str(len(member.content)))
        if int(said) != len(member.content):
            audit.find("files", member.name, f"it has {len(member.content)} bytes, and {TREE} says {said}")
    return _package("arch", _info(meta[INFO]), files, digests)


def read_apk(audit: Audit, content: bytes, place: str) -> Package:
    """Read a package of Alpine Linux; the digest of its data and the order of its parts go into `audit`."""
    streams = list(_streams(content, place))
    names = [next(iter(tar_members(unpacked, place, partial=True)), None) for _, unpacked in streams]
    signed = bool(names) and names[0] is not None and names[0].name.startswith(".SIGN.")
    if len(streams) != 2 + signed:
        raise UsageError(f"{place}: not a package of Alpine Linux: it has {len(streams)} parts")
    control = {member.name: member.content for member in tar_members(streams[signed][1], place, partial=True)}
    if INFO not in control:
        raise UsageError(f"{place}: not a package of Alpine Linux: it lacks {INFO} in its control part")
    packed, data = streams[signed + 1]
    info = _info(control[INFO])
    digest = hashlib.sha256(packed).hexdigest()
    if info.get("datahash") != [digest]:
        audit.find("digest", "", f"the data's sha256 is {digest}, and {INFO} says {info.get('datahash')}")
    digests = {}
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for entry in archive:
            if entry.isfile():
                if SHA1 not in entry.pax_headers:
                    audit.find("digest", entry.name, f"it has no {SHA1}, without which apk refuses it")
                digests[entry.name] = ("sha1", entry.pax_headers.get(SHA1, ""))
            elif entry.issym():
                digest = hashlib.sha1(entry.linkname.encode(), usedforsecurity=False).hexdigest()
                if entry.pax_headers.get(SHA1) != digest:
                    said = entry.pax_headers.get(SHA1, "none")
                    audit.find(
                        "digest",
                        entry.name,
                        f"the sum of where it points is {digest}, and {SHA1} says {said}",
                    )
    files = tuple(tar_members(data, place))
    return _package("apk", info, files, {name: each for name, each in digests.items() if each[1]})


def _package(
    form: str,
    info: Mapping[str, list[str]],
    files: tuple[Member, ...],
    digests: Mapping[str, tuple[str, str]],
) -> Package:
    return Package(
        form=form,
        name="".join(info.get("pkgname", [])),
        version="".join(info.get("pkgver", [])),
        architecture="".join(info.get("arch", [])),
        depends=tuple(info.get("depend", [])),
        provides=tuple(info.get("provides", [])),
        files=files,
        digests=digests,
    )


def _info(content: bytes) -> dict[str, list[str]]:
    values: dict[str, list[str]] = {}
    for line in content.decode().splitlines():
        name, equals, value = line.partition("=")
        if equals and not line.startswith("#"):
            values.setdefault(name.strip(), []).append(value.strip())
    return values


def _mtree(content: bytes) -> Iterator[tuple[str, dict[str, str]]]:
    defaults: dict[str, str] = {}
    for line in gzip.decompress(content).decode().splitlines():
        name, *words = line.split()
        facts = dict(word.partition("=")[::2] for word in words)
        if name == "/set":
            defaults = facts
        elif not name.startswith("#"):
            yield name.removeprefix("./"), defaults | facts


def _streams(content: bytes, place: str) -> Iterator[tuple[bytes, bytes]]:
    """Each stream of gzip, as it is and unpacked."""
    while content:
        stream = zlib.decompressobj(wbits=31)
        try:
            unpacked = stream.decompress(content)
        except zlib.error as error:
            raise UsageError(f"{place}: damaged archive: {error}") from error
        yield content[: len(content) - len(stream.unused_data)], unpacked
        content = stream.unused_data
