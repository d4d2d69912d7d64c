"""A package index as files: pages from which pip installs, with hashes (PEP 503, PEP 629, PEP 691)."""

import hashlib
import html
import json
import re
import zipfile
from collections.abc import Sequence
from email.parser import BytesHeaderParser
from pathlib import Path
from typing import Any

from kernport.errors import UsageError

API_VERSION = "1.1"  # the first with the sizes of files and the list of versions (PEP 700)


def write_index(folder: Path) -> list[Path]:
    """Write pages for the wheels and source distributions in `folder`, in simple/; returns their paths.

    Each project gets simple/NAME/index.html and index.json; each wheel its metadata beside it (PEP 658),
    so that pip can choose without downloading. Raises UsageError where there is nothing to list.
    """
    files = sorted([*folder.glob("*.whl"), *folder.glob("*.tar.gz")])
    if not files:
        raise UsageError(f"{folder}: no wheel and no source distribution in it")
    projects: dict[str, list[dict[str, Any]]] = {}
    written = []
    for path in files:
        name, version = _name_and_version(path)
        content = path.read_bytes()
        entry: dict[str, Any] = {
            "filename": path.name,
            "url": f"../../{path.name}",
            "hashes": {"sha256": hashlib.sha256(content).hexdigest()},
            "size": len(content),
            "version": version,
        }
        if path.suffix == ".whl":
            metadata = _metadata(path)
            beside = path.with_name(f"{path.name}.metadata")
            beside.write_bytes(metadata)
            written.append(beside)
            entry["core-metadata"] = {"sha256": hashlib.sha256(metadata).hexdigest()}
            entry["requires-python"] = BytesHeaderParser().parsebytes(metadata).get("Requires-Python", "")
        projects.setdefault(_normal(name), []).append(entry)
    top = folder / "simple"
    written += _write(
        top,
        _page("Simple index", [f'<a href="{name}/">{name}</a>' for name in sorted(projects)]),
        {"projects": [{"name": name} for name in sorted(projects)]},
    )
    for name, entries in sorted(projects.items()):
        versions = sorted({entry.pop("version") for entry in entries})
        written += _write(
            top / name,
            _page(f"Links for {name}", [_link(entry) for entry in entries]),
            {"name": name, "versions": versions, "files": entries},
        )
    return written


def _link(entry: dict[str, Any]) -> str:
    attributes = {"href": f"{entry['url']}#sha256={entry['hashes']['sha256']}"}
    if entry.get("requires-python"):
        attributes["data-requires-python"] = entry["requires-python"]
    if "core-metadata" in entry:
        attributes["data-core-metadata"] = f"sha256={entry['core-metadata']['sha256']}"
    words = " ".join(f'{name}="{html.escape(value)}"' for name, value in attributes.items())
    return f"<a {words}>{html.escape(entry['filename'])}</a>"


def _page(title: str, links: Sequence[str]) -> str:
    lines = "".join(f"    {link}<br>\n" for link in links)
    return (
        '<!DOCTYPE html>\n<html>\n  <head>\n    <meta charset="utf-8">\n'
        f'    <meta name="pypi:repository-version" content="{API_VERSION}">\n'
        f"    <title>{title}</title>\n  </head>\n  <body>\n{lines}  </body>\n</html>\n"
    )


def _write(folder: Path, page: str, data: dict[str, Any]) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / "index.html", folder / "index.json"]
    paths[0].write_text(page, encoding="utf-8")
    data = {"meta": {"api-version": API_VERSION}, **data}
    paths[1].write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    return paths


def _name_and_version(path: Path) -> tuple[str, str]:
    words = path.name.removesuffix(".tar.gz").split("-")
    if path.suffix == ".whl":
        return words[0], words[1]
    return "-".join(words[:-1]), words[-1]


def _metadata(path: Path) -> bytes:
    try:
        with zipfile.ZipFile(path) as archive:
            name = next(each for each in archive.namelist() if each.endswith(".dist-info/METADATA"))
            return archive.read(name)
    except (zipfile.BadZipFile, StopIteration) as error:
        raise UsageError(f"{path}: not a whole wheel") from error


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
