"""FreeBSD's format: a tar compressed by zstd, first +COMPACT_MANIFEST and +MANIFEST, then the files.

The manifests are JSON without spaces, which the reader of pkg(8) takes as the UCL it is a part of;
the names of the keys are those of pkg-create(8). Names of files are absolute in the archive, and a
percent sign in one is written %25 in the manifest.
"""

import hashlib
import io
import json
import tarfile
from pathlib import Path
from typing import Any

import zstandard

from kernport.build.native import environment
from kernport.build.packages import Contents

OS_VERSION = "14"


def write(contents: Contents, out: Path) -> Path:
    """Make one package, NAME-VERSION.pkg."""
    manifest = _manifest(contents)
    compact = {key: value for key, value in manifest.items() if key not in ("files", "directories")}
    path = out / f"{manifest['name']}-{manifest['version']}.pkg"
    date = int(environment()["SOURCE_DATE_EPOCH"])
    with (
        path.open("wb") as file,
        zstandard.ZstdCompressor(level=19, threads=0).stream_writer(file) as packed,
        tarfile.open(fileobj=packed, mode="w|", format=tarfile.PAX_FORMAT) as archive,
    ):
        for name, value in (("+COMPACT_MANIFEST", compact), ("+MANIFEST", manifest)):
            data = json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()
            _add(archive, name, data, 0o644, date)
        for source in contents.files:
            place = f"/{source.relative_to(contents.stage)}"
            if source.is_symlink():
                _add(archive, place, b"", 0o755, date, link=str(source.readlink()))
            else:
                mode = 0o755 if source.stat().st_mode & 0o111 else 0o644
                _add(archive, place, source.read_bytes(), mode, date)
    return path


def _manifest(contents: Contents) -> dict[str, Any]:
    tree, output, files = contents.tree, contents.output, contents.files
    provided = sorted({library.soname for library in contents.libraries} - {""})
    required = sorted({name for library in contents.libraries for name in library.needed} - set(provided))
    prefix = next(option for option in contents.form.layout if option.startswith("--prefix=")).partition("=")[
        2
    ]
    depends = [each.split() for each in contents.depends]
    revision = "" if contents.form.release == "0" else f"_{contents.form.release}"
    manifest: dict[str, Any] = {
        "name": output.name,
        "origin": f"{output.section}/{tree.name}",
        "version": f"{tree.version}{revision}",
        "comment": output.summary,
        "maintainer": tree.maintainer.partition("<")[2].rstrip(">"),
        "www": "UNKNOWN",
        "abi": f"FreeBSD:{OS_VERSION}:{contents.arch}",
        "prefix": prefix,
        "flatsize": sum(path.stat().st_size for path in files if not path.is_symlink()),
        "licenselogic": "single",
        "licenses": [{"BSD-2-Clause": "BSD2CLAUSE"}.get(tree.licence, tree.licence)],
        "desc": f"{output.summary}.",
        "deps": {name: {"origin": origin, "version": version} for name, origin, version in depends},
        "categories": [output.section],
        "shlibs_required": required,
        "shlibs_provided": provided,
        "files": {_escaped(path, contents.stage): _checksum(path) for path in files},
    }
    return {key: value for key, value in manifest.items() if value not in ([], {})}


def _escaped(path: Path, stage: Path) -> str:
    return f"/{path.relative_to(stage)}".replace("%", "%25")


def _checksum(path: Path) -> str:
    data = str(path.readlink()).encode() if path.is_symlink() else path.read_bytes()
    return f"1${hashlib.sha256(data).hexdigest()}"


def _add(archive: tarfile.TarFile, name: str, data: bytes, mode: int, date: int, link: str = "") -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode, entry.mtime = len(data), mode, date
    entry.uname, entry.gname = "root", "wheel"
    if link:
        entry.type, entry.linkname = tarfile.SYMTYPE, link
    archive.addfile(entry, io.BytesIO(data))
