"""A package of FreeBSD: its manifests, which come first, its files with their sums, its libraries.

Sources: pkg-create(8), and FreeBSD's wiki on the format ("pkgng"); the old names of architectures are the
recipes'.
"""

import hashlib
import io
import json
import tarfile
from typing import Any
from urllib.parse import unquote

from kernport.build.audit.archive import ZSTD, Member, unpack_zstd
from kernport.build.audit.elf import ElfFacts
from kernport.build.audit.finding import Audit
from kernport.build.audit.package import Package
from kernport.build.recipe import Tree
from kernport.errors import UsageError

COMPACT, MANIFEST = "+COMPACT_MANIFEST", "+MANIFEST"
REQUIRED = (
    *("name", "origin", "version", "comment", "maintainer", "www"),
    *("abi", "arch", "prefix", "desc", "flatsize"),
)
# What the compact manifest leaves out.
FULL = ("files", "directories", "scripts", "lua_scripts", "config")


def read_freebsd(audit: Audit, tree: Tree, content: bytes, place: str) -> tuple[Package, dict[str, Any]]:
    """Read a package of FreeBSD and its manifest; all that they say of themselves is checked into `audit`."""
    if content.startswith(ZSTD):
        content = unpack_zstd(content, place)
    try:
        with tarfile.open(fileobj=io.BytesIO(content)) as archive:
            entries = archive.getmembers()
            streams = {entry.name: archive.extractfile(entry) for entry in entries if entry.isfile()}
            texts = {name: stream.read() for name, stream in streams.items() if stream}
        compact, manifest = (json.loads(texts[name]) for name in (COMPACT, MANIFEST))
    except (tarfile.TarError, KeyError, ValueError) as error:
        raise UsageError(f"{place}: not a package of FreeBSD: {error}") from error
    if [entry.name for entry in entries[:2]] != [COMPACT, MANIFEST]:
        audit.find("order", "", f"{COMPACT} and {MANIFEST} must be the first two members, in this order")
    if compact != {key: value for key, value in manifest.items() if key not in FULL}:
        audit.find("manifest", COMPACT, f"it is not {MANIFEST} without {', '.join(FULL)}")
    for key in REQUIRED:
        if key not in manifest:
            audit.find("manifest", MANIFEST, f"it lacks '{key}', which pkg(8) requires")
    architecture = str(manifest.get("abi", "")).rpartition(":")[2]
    _check_abi(audit, tree, manifest, architecture)
    contents = {entry.name: entry for entry in entries[2:] if not entry.isdir()}
    said = {unquote(name): value for name, value in manifest.get("files", {}).items()}
    for name in said.keys() ^ contents.keys():
        audit.find("files", name, f"it is in only one of the archive and {MANIFEST}")
    for name in said.keys() & contents.keys():
        entry = contents[name]
        data = entry.linkname.encode() if entry.issym() else texts[name]
        digest = f"1${hashlib.sha256(data).hexdigest()}"
        if said[name] != digest:
            audit.find("digest", name, f"its sum is {digest}, and {MANIFEST} says {said[name]}")
        if not name.startswith(f"{manifest.get('prefix')}/"):
            audit.find("place", name, f"it is outside the package's prefix, {manifest.get('prefix')}")
        if (entry.uname, entry.gname) != ("root", "wheel"):
            audit.find("owner", name, f"it belongs to {entry.uname}:{entry.gname}, not to root:wheel")
    folders = {entry.name.rstrip("/") for entry in entries if entry.isdir()}
    named = {unquote(name).rstrip("/") for name in manifest.get("directories", {})}
    for name in folders ^ named:
        audit.find("files", name, f"the folder is in only one of the archive and {MANIFEST}")
    size = sum(entry.size for entry in contents.values() if entry.isfile())
    if manifest.get("flatsize") != size:
        audit.find("manifest", MANIFEST, f"flatsize is {manifest.get('flatsize')}, and the files have {size}")
    package = Package(
        form="freebsd",
        name=str(manifest.get("name", "")),
        version=str(manifest.get("version", "")),
        architecture=architecture,
        depends=tuple(f"{name}-{each.get('version')}" for name, each in manifest.get("deps", {}).items()),
        provides=tuple(manifest.get("shlibs_provided", [])),
        files=tuple(
            Member(name.lstrip("/"), entry.mode, texts[name])
            for name, entry in contents.items()
            if entry.isfile()
        ),
    )
    return package, manifest


def check_libraries(audit: Audit, tree: Tree, manifest: dict[str, Any], found: list[ElfFacts]) -> None:
    """Whether the manifest has the libraries that the files provide and require, and no other.

    As in the packages of ports, the system's own libraries are not required: no package brings them.
    """
    provided = {each.soname for each in found} - {""}
    base = tree.format("freebsd").base_libraries
    required = {name for each in found for name in each.needed} - provided - set(base)
    for key, actual in (("shlibs_provided", provided), ("shlibs_required", required)):
        said = set(manifest.get(key, []))
        if said != actual:
            words = [", ".join(sorted(each)) or "nothing" for each in (said, actual)]
            audit.find("manifest", MANIFEST, f"{key} is {words[0]}; it has to be {words[1]}")


def _check_abi(audit: Audit, tree: Tree, manifest: dict[str, Any], architecture: str) -> None:
    words = str(manifest.get("abi", "")).split(":")
    old = tree.format("freebsd").old_architectures.get(architecture)
    if len(words) != 3 or words[0] != "FreeBSD" or not words[1].isdecimal() or old is None:
        audit.find("manifest", MANIFEST, f"abi is '{manifest.get('abi')}', not FreeBSD:RELEASE:ARCHITECTURE")
    elif manifest.get("arch") != f"freebsd:{words[1]}:{old}":
        audit.find(
            "manifest", MANIFEST, f"arch is '{manifest.get('arch')}'; it has to be freebsd:{words[1]}:{old}"
        )
