"""FreeBSD's packages, by pkg-create(8), pkg-repository(5) and pkg.conf(5): faults of one, in words."""

import hashlib
import json
import re
from collections.abc import Callable
from typing import Any

import zstandard
from tar_blocks import Entry, read_tar

ORDER = ["+COMPACT_MANIFEST", "+MANIFEST"]
# What `arch` called a word of `abi` before pkg 1.20: the machine, its word size, byte order and floats.
OLD_ARCHITECTURES = {
    "amd64": "x86:64",
    "aarch64": "aarch64:64",
    "riscv64": "riscv:64:hf",
    "powerpc64": "powerpc:64:eb",
    "powerpc64le": "powerpc:64:el",
}
NOT_COMPACT = {"files", "directories", "config", "scripts", "lua_scripts"}


def _text(pattern: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value, re.DOTALL) is not None


def _list(pattern: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and bool(value) and all(map(_text(pattern), value))


def _map(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, dict) and bool(value) and all(map(check, value.values()))


def _is_dependency(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and set(value) == {"origin", "version"}
        and _text(r"[\w-]+/[\w.-]+")(value["origin"])
    )


REQUIRED: dict[str, Callable[[Any], bool]] = {
    "name": _text(r"[A-Za-z0-9][\w.+-]*"),
    "origin": _text(r"[\w-]+/[\w.+-]+"),
    "version": _text(r"[0-9][\w.+]*(_\d+)?(,\d+)?"),
    "comment": _text(r"[^\n]+[^\n.]"),
    "maintainer": _text(r"[^@\s]+@[^@\s]+"),
    "www": _text(r"UNKNOWN|https?://\S+"),
    "abi": _text(r"FreeBSD:\d+:\w+"),
    "arch": _text(r"freebsd:\d+:[\w:]+"),
    "prefix": _text(r"/[\w/]+"),
    "flatsize": lambda value: isinstance(value, int) and value > 0,
    "desc": _text(r".+"),
    "categories": _list(r"[\w-]+"),
    "licenselogic": _text(r"single|and|or|dual|multi"),
    "licenses": _list(r"[A-Z0-9.+-]+"),
}
OPTIONAL: dict[str, Callable[[Any], bool]] = {
    "deps": _map(_is_dependency),
    "shlibs_required": _list(r"\S+\.so\S*"),
    "shlibs_provided": _list(r"\S+\.so\S*"),
    "provides": _list(r"\S+"),
    "requires": _list(r"\S+"),
    "files": _map(_text(r"1\$[0-9a-f]{64}")),
    "directories": _map(_text(r"y")),
    "scripts": lambda value: (
        set(value) <= {f"{w}-{i}" for w in ("pre", "post") for i in ("install", "deinstall")}
    ),
}


def read_pkg(data: bytes) -> tuple[dict[str, Any], list[Entry], list[str]]:
    """The full manifest, the files, and everything that is wrong."""
    faults: list[str] = []
    if data[:4] != b"\x28\xb5\x2f\xfd":
        return {}, [], ["it is not compressed by zstd"]
    with zstandard.ZstdDecompressor().stream_reader(data) as stream:
        entries, ending = read_tar(stream.read(), faults)
    if ending < 2:
        faults.append("the archive does not end with two empty blocks")
    if [entry.name for entry in entries[:2]] != ORDER:
        return {}, [], [*faults, f"it begins with {[entry.name for entry in entries[:2]]}"]
    texts = [entry.data.decode() for entry in entries[:2]]
    compact, manifest = (json.loads(text) for text in texts)
    for text, value in zip(texts, (compact, manifest), strict=True):
        if text != json.dumps(value, separators=(",", ":"), ensure_ascii=False):
            faults.append("a manifest is not compact JSON, or has a key twice")
    if compact != {key: value for key, value in manifest.items() if key not in NOT_COMPACT}:
        faults.append("+COMPACT_MANIFEST differs from +MANIFEST in more than what only that has")
    _check_manifest(manifest, faults)
    _check_entries(manifest, entries, faults)
    return manifest, entries[2:], faults


def _check_manifest(manifest: dict[str, Any], faults: list[str]) -> None:
    for key, check in (REQUIRED | OPTIONAL).items():
        if key in manifest and not check(manifest[key]):
            faults.append(f"{key}: {manifest[key]!r}")
    faults += [f"no {key}" for key in REQUIRED if key not in manifest]
    faults += [f"unknown key {key}" for key in manifest if key not in REQUIRED | OPTIONAL]
    _, version, machine = str(manifest.get("abi", "::")).split(":")
    if manifest.get("arch") != f"freebsd:{version}:{OLD_ARCHITECTURES.get(machine)}":
        faults.append(f"arch {manifest.get('arch')} is not what {manifest.get('abi')} was called")


def _check_entries(manifest: dict[str, Any], entries: list[Entry], faults: list[str]) -> None:
    payload = entries[2:]
    for entry in entries:
        if entry.owner[2:] != ("root", "wheel"):
            faults.append(f"{entry.name} belongs to {entry.owner}")
    for entry in payload:
        if not entry.name.startswith(f"{manifest.get('prefix')}/") or "/../" in entry.name:
            faults.append(f"{entry.name} lies outside of the prefix")
        if entry.kind not in ("file", "link", "folder"):
            faults.append(f"{entry.name}: {entry.kind}")
    size = sum(len(entry.data) for entry in payload if entry.kind == "file")
    if manifest.get("flatsize") != size:
        faults.append(f"flatsize is {manifest.get('flatsize')}, the files have {size} bytes")
    sums = {
        entry.name.replace("%", "%25"): "1$"
        + hashlib.sha256(entry.target.encode() if entry.kind == "link" else entry.data).hexdigest()
        for entry in payload
        if entry.kind != "folder"
    }
    listed = manifest.get("files", {})
    faults += [f"{name} is in one of archive and manifest only" for name in sorted(set(sums) ^ set(listed))]
    faults += [
        f"{name}: another sum" for name in sorted(set(sums) & set(listed)) if sums[name] != listed[name]
    ]
    if list(listed) != [name for name in sums if name in listed]:
        faults.append("the files are in another order than the manifest's")
    folders = {entry.name.rstrip("/").replace("%", "%25") for entry in payload if entry.kind == "folder"}
    if folders != {name.rstrip("/") for name in manifest.get("directories", {})}:
        faults.append("the folders are others than the manifest's")
