"""FreeBSD's format: a tar compressed by zstd, first +COMPACT_MANIFEST and +MANIFEST, then the files.

The manifests are JSON without spaces, which the reader of pkg(8) takes as the UCL it is a part of;
the names of the keys are those of pkg-create(8). Names of files are absolute in the archive. In a
manifest what might be read as an escape, a percent sign, is written %25: in names of files, in the
description and in scripts.
"""

import hashlib
import io
import json
import re
import tarfile
from pathlib import Path
from typing import Any

import zstandard

from kernport.build.contents import epoch
from kernport.build.formats import Output
from kernport.build.packages import Contents
from kernport.build.packages.stage import inside

OS_VERSION = "14"
LICENCES = {"BSD-2-Clause": "BSD2CLAUSE", "BSD-3-Clause": "BSD3CLAUSE", "Apache-2.0": "APACHE20"}
SCRIPTS = {"postinstall": "post-install", "preremove": "pre-deinstall", "postremove": "post-deinstall"}
# What stands in +MANIFEST alone.
FULL = ("files", "directories", "scripts")


def write(contents: Contents, out: Path) -> Path:
    """Make one package, NAME-VERSION.pkg."""
    manifest = _manifest(contents)
    compact = {key: value for key, value in manifest.items() if key not in FULL}
    path = out / f"{manifest['name']}-{manifest['version']}.pkg"
    with (
        path.open("wb") as file,
        zstandard.ZstdCompressor(level=19, threads=0).stream_writer(file) as packed,
        tarfile.open(fileobj=packed, mode="w|", format=tarfile.PAX_FORMAT) as archive,
    ):
        for name, value in (("+COMPACT_MANIFEST", compact), ("+MANIFEST", manifest)):
            data = json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()
            _add(archive, name, data, 0o644)
        for source in contents.files:
            place = contents.place(source)
            if source.is_symlink():
                _add(archive, place, b"", 0o755, tarfile.SYMTYPE, str(source.readlink()))
            else:
                mode = 0o755 if source.stat().st_mode & 0o111 else 0o644
                _add(archive, place, source.read_bytes(), mode)
        for folder in _own_folders(contents):
            _add(archive, folder, b"", 0o755, tarfile.DIRTYPE)
    return path


def origin(output: Output) -> str:
    """The port of a package, CATEGORY/PORT: that of a Python package has no version of Python in its name."""
    return f"{output.section}/{re.sub(r'^py[0-9]+-', 'py-', output.name)}"


def _manifest(contents: Contents) -> dict[str, Any]:
    tree, form, output, files = contents.tree, contents.form, contents.output, contents.files
    provided = sorted({library.soname for library in contents.libraries} - {""})
    others = {*provided, *form.base_libraries}
    required = sorted({name for library in contents.libraries for name in library.needed} - others)
    depends = [each.split() for each in contents.depends]
    manifest: dict[str, Any] = {
        "name": output.name,
        "origin": origin(output),
        "version": contents.version,
        "comment": output.summary,
        "maintainer": tree.maintainer.partition("<")[2].rstrip(">"),
        "www": tree.homepage or "UNKNOWN",  # as ports without a home page have it
        "abi": f"FreeBSD:{OS_VERSION}:{contents.arch}",
        "arch": f"freebsd:{OS_VERSION}:{form.old_architectures[contents.arch]}",
        "prefix": form.prefix,
        "flatsize": sum(path.stat().st_size for path in files if not path.is_symlink()),
        "licenselogic": "single",
        "licenses": [LICENCES.get(tree.licence, tree.licence)],
        "desc": _escaped(tree.description.strip() or f"{output.summary}."),
        "deps": {name: {"origin": origin, "version": version} for name, origin, version in depends},
        "categories": [output.section],
        "shlibs_required": required,
        "shlibs_provided": provided,
        "provides": contents.provides,
        "files": {_escaped(contents.place(path)): _checksum(path) for path in files},
        "directories": {_escaped(folder): "y" for folder in _own_folders(contents)},
        "scripts": {SCRIPTS[when]: _escaped(text) for when, text in contents.scripts.items()},
    }
    return {key: value for key, value in manifest.items() if value not in ([], {})}


def _own_folders(contents: Contents) -> list[str]:
    """Folders without a file in them: those of files pkg(8) makes and removes by itself."""
    prefix = inside(contents.stage, contents.form.prefix)
    empty = [path for path in prefix.rglob("*") if path.is_dir() and not any(path.iterdir())]
    return sorted(contents.place(path) for path in empty)


def _escaped(text: str) -> str:
    return text.replace("%", "%25")


def _checksum(path: Path) -> str:
    data = str(path.readlink()).encode() if path.is_symlink() else path.read_bytes()
    return f"1${hashlib.sha256(data).hexdigest()}"


def _add(
    archive: tarfile.TarFile, name: str, data: bytes, mode: int, kind: bytes = tarfile.REGTYPE, link: str = ""
) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode, entry.mtime = len(data), mode, epoch()
    entry.uname, entry.gname = "root", "wheel"
    entry.type, entry.linkname = kind, link
    archive.addfile(entry, io.BytesIO(data))
