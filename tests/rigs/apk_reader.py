"""Alpine's packages of version 2, by apk-v2(5) and Alpine's page on the format: faults of one, in words."""

import hashlib
import re
import zlib
from pathlib import PurePosixPath

from tar_blocks import Entry, read_tar

# abuild(1) writes these; the ones that a package must have, and those that may be there several times.
REQUIRED = {"pkgname", "pkgver", "pkgdesc", "size", "arch", "datahash"}
ONCE = REQUIRED | {
    "url",
    "license",
    "origin",
    "builddate",
    "packager",
    "maintainer",
    "commit",
    "provider_priority",
}
OFTEN = {"depend", "provides", "replaces", "install_if", "triggers", "conflicts"}
SCRIPTS = {f".{when}-{what}" for when in ("pre", "post") for what in ("install", "deinstall", "upgrade")}
NAME = r"(so:|pc:|cmd:|py3\.\d+:)?[\w.+-]+"
DEPENDENCY = re.compile(rf"!?{NAME}((=|<|>|<=|>=|~|=~)[\w.-]+)?")
VERSION = re.compile(r"\d+(\.\d+)*[a-z]?(_(alpha|beta|pre|rc|cvs|svn|git|hg|p)\d*)*-r\d+")


def read_apk(data: bytes) -> tuple[dict[str, list[str]], list[Entry], list[str]]:
    """The fields of .PKGINFO, the members of the data section, and everything that is wrong."""
    faults: list[str] = []
    sections = _streams(data)
    if len(sections) != 2:
        return {}, [], [f"{len(sections)} gzip streams instead of two: nothing is signed"]
    (_, control), (packed, payload) = sections
    members, ending = read_tar(control, faults)
    if ending != 0:
        faults.append("the control section ends as an archive does, so apk would read no further")
    if [entry.name for entry in members][:1] != [".PKGINFO"]:
        return {}, [], [*faults, "the control section does not begin with .PKGINFO"]
    faults += [f"{entry.name} in the control section" for entry in members[1:] if entry.name not in SCRIPTS]
    faults += [f"{each.name} cannot be run" for each in members[1:] if not each.mode & 0o100]
    entries, ending = read_tar(payload, faults)
    if ending < 2:
        faults.append("the data section does not end with two empty blocks")
    fields = _fields(members[0].data.decode(), faults)
    if fields.get("datahash") != [hashlib.sha256(packed).hexdigest()]:
        faults.append("datahash is not the SHA-256 of the data section")
    if fields.get("size") != [str(sum(len(entry.data) for entry in entries if entry.kind == "file"))]:
        faults.append("size is not that of the files")
    _check_entries(entries, faults)
    return fields, entries, faults


def _streams(data: bytes) -> list[tuple[bytes, bytes]]:
    """Each gzip stream, packed and unpacked."""
    found = []
    while data:
        stream = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
        content = stream.decompress(data) + stream.flush()
        found.append((data[: len(data) - len(stream.unused_data)], content))
        data = stream.unused_data
    return found


def _fields(text: str, faults: list[str]) -> dict[str, list[str]]:
    fields: dict[str, list[str]] = {}
    for line in text.splitlines():
        key, equals, value = line.partition(" = ")
        if line.startswith("#"):
            continue
        if not equals or not value or key not in ONCE | OFTEN:
            faults.append(f".PKGINFO: {line!r}")
        fields.setdefault(key, []).append(value)
    faults += [f".PKGINFO: no {key}" for key in sorted(REQUIRED - set(fields))]
    faults += [f".PKGINFO: {key} twice" for key in sorted(ONCE & set(fields)) if len(fields[key]) > 1]
    if not all(VERSION.fullmatch(each) for each in fields.get("pkgver", [])):
        faults.append(f".PKGINFO: pkgver {fields['pkgver']}")
    for key in ("depend", "provides"):
        faults += [
            f".PKGINFO: {key} {each}" for each in fields.get(key, []) if not DEPENDENCY.fullmatch(each)
        ]
    return fields


def _check_entries(entries: list[Entry], faults: list[str]) -> None:
    seen: set[PurePosixPath] = {PurePosixPath(".")}
    for entry in entries:
        path = PurePosixPath(entry.name)
        if entry.kind not in ("file", "link", "folder"):
            faults.append(f"{entry.name}: {entry.kind}")
        if path.is_absolute() or ".." in path.parts:
            faults.append(f"{entry.name} is not relative to the root")
        if path.parent not in seen:
            faults.append(f"{entry.name} stands before its folder")
        seen.add(path)
        if entry.owner != (0, 0, "root", "root"):
            faults.append(f"{entry.name} belongs to {entry.owner}")
        if entry.kind != "folder":
            content = entry.target.encode() if entry.kind == "link" else entry.data
            wanted = hashlib.sha1(content, usedforsecurity=False).hexdigest()
            if entry.pax.get("APK-TOOLS.checksum.SHA1") != wanted:
                faults.append(f"{entry.name}: the checksum of apk-tools is {entry.pax or 'missing'}")
