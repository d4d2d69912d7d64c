"""The package formats of a tree, and the packages in each: formats.yaml, and outputs of package.yaml."""

import posixpath
import re
import string
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kernport.build.document import Document, Place, nearest

# Where the name of a package ends in a dependency on it, in any format.
END_OF_NAME = re.compile(r"[\s<>=~]")

# What templates of a format may name: all, those of what a package provides by a file in it, and the others.
WORDS = ("name", "output", "upstream", "version", "maintainer", "date", "site")
OF_FILES = {
    "library": ("soname", "stem", "number", "full", "bits"),
    "pkgconfig": ("module",),
    "command": ("command",),
}
OTHERS = {
    "folder": ("arch",),
    "install": ("folder",),
    "file": ("output", "version"),
    "libc_name": ("version", "arch"),
}


@dataclass(frozen=True)
class Output:
    """A package for a system's package manager: what carries one of Meson's install `tags`.

    `files` maps places in the package to files of the tree that go there beside what Meson installs;
    `fields` are more fields of the package, where the format lets packages have such.
    """

    name: str
    tags: tuple[str, ...]
    summary: str
    section: str
    depends: tuple[str, ...]
    provides: tuple[str, ...] = ()
    files: dict[str, str] = field(default_factory=dict)
    fields: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Python:
    """A system's Python: its `command`, and what packages for it run (`scripts`) or own (`ghosts`).

    Python writes byte code beside modules when root runs them. A package that has scripts removes it, or
    one that has ghosts owns it, so that nothing is left behind.
    """

    command: str
    scripts: dict[str, str]
    ghosts: bool


@dataclass(frozen=True)
class Format:
    """A package format: whose systems it is for, its layout and names, and the packages in it.

    `file` is how packages' files are named, where nfpm's way is not the distribution's. `architectures` maps
    the format's names to variants of the recipes, and `old_architectures` to names that they had before.
    `install` is the command that installs the packages of a `folder`.
    `outside` lists the distribution's own packages that outputs may depend on, `base_libraries` the shared
    libraries of the system itself. `provides` has templates of
    what packages provide by what is in them. `files` maps places to files of the tree and `texts` to texts,
    for every package.
    """

    name: str
    writer: str
    packager: str
    release: str
    libc: str
    otherwise: str
    layout: tuple[str, ...]
    libc_name: str
    outputs: tuple[Output, ...]
    file: str
    architectures: dict[str, str]
    old_architectures: dict[str, str]
    folder: str
    install: str
    outside: tuple[str, ...]
    base_libraries: tuple[str, ...]
    provides: dict[str, tuple[str, ...]]
    files: dict[str, str]
    texts: dict[str, str]
    python: Python

    @property
    def prefix(self) -> str:
        """Meson's prefix: /usr."""
        return self._option("--prefix=")

    @property
    def site(self) -> str:
        """The folder of Python's packages; empty where the layout has none."""
        return self._option("-Dpython.purelibdir=")

    def _option(self, beginning: str) -> str:
        found = [each.removeprefix(beginning) for each in self.layout if each.startswith(beginning)]
        return found[0] if found else ""


def load_formats(root: Path, package: Document, formats: Document) -> tuple[Format, ...]:
    """The formats of the tree at `root`, checked against each other. Raises UsageError with file and line."""
    for key in ("outputs", "sections"):
        for name in package.data.get(key, {}):
            if name not in formats.data:
                remedy = nearest(name, formats.data)
                raise package.error((key, name), f"unknown format '{name}'; {remedy}")
    return tuple(_format(root, package, formats, name) for name in formats.data)


def _format(root: Path, package: Document, formats: Document, name: str) -> Format:
    body = formats.data[name]
    python = body.get("python", {})
    for key, words in OTHERS.items():
        _check_words(formats, (name, key), body.get(key, ""), words)
    for kind, templates in body.get("provides", {}).items():
        for number, template in enumerate(templates):
            words = (*WORDS, *OF_FILES.get(kind, ()))
            _check_words(formats, (name, "provides", kind, number), template, words)
    for when, script in python.get("scripts", {}).items():
        _check_words(formats, (name, "python", "scripts", when), script, WORDS)
    for place, text in body.get("texts", {}).items():
        _check_words(formats, (name, "texts", place), text, WORDS)
    for number, option in enumerate(body["layout"]):
        _check_words(formats, (name, "layout", number), option, ("arch",))
        value = option.partition("=")[2]
        if option.startswith("-") and ".." in value.split("/"):
            raise formats.error(
                (name, "layout", number), f"'{option}' leaves the folder that packages are made of"
            )
    files = body.get("files", {})
    for place, source in files.items():
        _check_file(root, formats, (name, "files", place), place, source)
    for place in body.get("texts", {}):
        _check_place(formats, (name, "texts", place), place)
    return Format(
        name=name,
        writer=body["writer"],
        packager=body.get("packager", name),
        release=body["release"],
        libc=body["libc"],
        otherwise=body["otherwise"],
        layout=tuple(body["layout"]),
        libc_name=body.get("libc_name", ""),
        outputs=_outputs(root, package, formats, name),
        file=body.get("file", ""),
        architectures=body["architectures"],
        old_architectures=body.get("old_architectures", {}),
        folder=body.get("folder", ""),
        install=body.get("install", ""),
        outside=tuple(body.get("outside", ())),
        base_libraries=tuple(body.get("base_libraries", ())),
        provides={kind: tuple(templates) for kind, templates in body.get("provides", {}).items()},
        files=files,
        texts=body.get("texts", {}),
        python=Python(
            command=python.get("command", ""),
            scripts=python.get("scripts", {}),
            ghosts=python.get("ghosts", False),
        ),
    )


def _outputs(root: Path, package: Document, formats: Document, form: str) -> tuple[Output, ...]:
    """The packages that the tree names for a format, or the format's own with the tree's name in them."""
    section = package.data.get("sections", {}).get(form)
    if "outputs" in package.data:
        document, home = package, ("outputs", form)
        bodies = {name: (name, body) for name, body in package.data["outputs"].get(form, {}).items()}
    else:
        document, home = formats, (form, "outputs")
        soname = package.data.get("library_version", "0").partition(".")[0]
        words = {"{name}": package.data["name"], "{soname}": soname}
        own = {"section": section} if section else {}
        bodies = {
            _filled(key, words): (key, _filled(body, words) | own)
            for key, body in formats.data[form]["outputs"].items()
        }
    summaries = _summaries(package)
    known = [*bodies, *formats.data[form].get("outside", [])]
    found = []
    for name, (key, body) in bodies.items():
        place = (*home, key)
        _check_output(root, document, place, body, summaries, known, form)
        found.append(
            Output(
                name=name,
                tags=tuple(body["tags"]),
                summary=summaries[body["summary"]],
                section=body["section"],
                depends=tuple(body.get("depends", [])),
                provides=tuple(body.get("provides", [])),
                files=body.get("files", {}),
                fields=body.get("fields", {}),
            )
        )
    return tuple(found)


def _filled(value: Any, words: dict[str, str]) -> Any:
    """A value of recipes/formats.yaml with the words of the tree in it."""
    if isinstance(value, dict):
        return {_filled(key, words): _filled(each, words) for key, each in value.items()}
    if isinstance(value, list):
        return [_filled(each, words) for each in value]
    for word, text in words.items():
        value = value.replace(word, text)
    return value


def _summaries(package: Document) -> dict[str, str]:
    whole = package.data["summary"]
    parts = {
        "library": f"{whole}, shared library",
        "development": f"{whole}, development files",
        "whole": whole,
        "python": f"{whole}, for Python",
    }
    return parts | dict(package.data.get("summaries", {}))


def _check_output(
    root: Path,
    document: Document,
    place: Place,
    body: dict[str, Any],
    summaries: dict[str, str],
    known: list[str],
    form: str,
) -> None:
    if body["summary"] not in summaries:
        raise document.error(
            (*place, "summary"), f"unknown summary '{body['summary']}'; {nearest(body['summary'], summaries)}"
        )
    for key in ("depends", "provides"):
        for number, each in enumerate(body.get(key, [])):
            words = ("version",) if key == "depends" else WORDS
            _check_words(document, (*place, key, number), each, words)
    for number, each in enumerate(body.get("depends", [])):
        needed = END_OF_NAME.split(each, maxsplit=1)[0]
        if needed not in known:
            raise document.error(
                (*place, "depends", number),
                f"unknown dependency '{needed}': neither a package of this tree nor one that "
                f"recipes/formats.yaml lists under '{form}' as outside; {nearest(needed, known)}",
            )
    for where, source in body.get("files", {}).items():
        _check_file(root, document, (*place, "files", where), where, source)


def _check_words(document: Document, place: Place, text: str, known: tuple[str, ...]) -> None:
    try:
        parts = [part[1:] for part in string.Formatter().parse(text) if part[1] is not None]
    except ValueError as error:
        raise document.error(
            place, f"'{text}': {error}; braces that are no word's are written twice"
        ) from error
    for name, how, kind in parts:
        word = f"{name}{f'!{kind}' if kind else ''}{f':{how}' if how else ''}"
        if word not in known:
            raise document.error(place, f"unknown word '{{{word}}}'; {nearest(word, known)}")


def _check_place(document: Document, place: Place, name: str) -> None:
    _check_words(document, place, name, WORDS)
    if posixpath.normpath(name) != name or not name.startswith("/"):
        raise document.error(
            place, f"'{name}' leaves the package: places in one are absolute and have no '..'"
        )


def _check_file(root: Path, document: Document, place: Place, name: str, source: str) -> None:
    _check_place(document, place, name)
    path = (root / source).resolve()
    if not path.is_relative_to(root.resolve()):
        raise document.error(place, f"'{source}' leaves the tree; files of packages lie inside it")
    if not path.is_file():
        here = path.parent.iterdir() if path.parent.is_dir() else ()
        raise document.error(
            place, f"there is no file '{source}'; {nearest(path.name, (each.name for each in here))}"
        )
