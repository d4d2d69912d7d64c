"""Source packages for distributions' own tools: one form a file.

A form defines `write(source)`, which returns its files, path: (permission bits, content), without the
source distribution, and STEPS, how to build it, in words for a shell; {out} is the folder, {ports} are
FreeBSD's ports in it.
"""

import hashlib
import importlib
import re
import shutil
import tempfile
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from types import ModuleType
from typing import Any

import jinja2

from kernport.backport import formats
from kernport.backport.mail import Patch
from kernport.backport.series import load_set
from kernport.build.document import load, nearest
from kernport.build.formats import Format, Output
from kernport.build.packages.freebsd import origin
from kernport.build.packages.stage import words_of
from kernport.build.recipe import SCHEMAS, Tree
from kernport.build.sdist import build_sdist
from kernport.build.target import Target, load_targets
from kernport.errors import UsageError

FORMS = ("debian", "spec", "apkbuild", "pkgbuild", "port")
TEMPLATES = Path(__file__).resolve().parent / "templates"

# An interpreter that binaries were built for; in a source package the distribution's tools find it.
_INTERPRETER = re.compile(r"python(\d*|\(abi\))(?=$|[^\w-])")

Files = dict[str, tuple[int, bytes]]


@dataclass(frozen=True)
class Source:
    """What a source package is made of: the tree, the packages it makes, and the source distribution."""

    tree: Tree
    form: Format
    build: tuple[str, ...]
    python: tuple[str, ...]
    test: tuple[str, ...]
    targets: tuple[Target, ...]
    patches: tuple[Patch, ...]
    archive: str
    data: bytes
    released: date

    @property
    def person(self) -> tuple[str, str]:
        """The maintainer's name and address."""
        name, _, address = self.tree.maintainer.partition("<")
        return name.strip(), address.rstrip(">")

    @property
    def options(self) -> list[str]:
        """Meson's options beyond those that the distribution's own tools pass."""
        return [option for option in self.form.layout if option.startswith("-D")]

    @property
    def architectures(self) -> list[str]:
        """The format's names of the architectures that the tree has targets for."""
        return [
            target.packages[self.form.name] for target in self.targets if self.form.name in target.packages
        ]

    def tags(self, output: Output) -> str:
        """Meson's install tags of a package, and that of Python's metadata, which the sdist brings."""
        return ",".join([*output.tags, *(["metadata"] if "python-runtime" in output.tags else [])])

    def has(self, path: str) -> bool:
        """Whether the tree has that file or folder."""
        return (self.tree.root / path).exists()

    def depends(self, output: Output, version: str) -> list[str]:
        """What a package depends on by the recipe, less the interpreter; `version` is the package's own."""
        names = [each.format(version=version) for each in output.depends]
        return [name for name in names if not _INTERPRETER.match(name)]

    def provides(self, output: Output, version: str) -> list[str]:
        """What a package provides by the recipe; the distribution's tools add what its files do."""
        words = words_of(self.tree, self.form, output) | {"version": version}
        return [each.format(**words) for each in output.provides]

    def digest(self, algorithm: str) -> str:
        """A checksum of the source distribution, in hexadecimal."""
        return hashlib.new(algorithm, self.data).hexdigest()

    def patch_files(self, form: str) -> dict[str, bytes]:
        """The patches in one of the forms of kernport.backport.formats; no files where there are none."""
        return formats.get(form).write(self.patches) if self.patches else {}

    def render(self, template: str, **more: Any) -> bytes:
        """Fill in one of the templates, which sees this as `source`."""
        # What is written is no HTML.
        environment = jinja2.Environment(  # noqa: S701
            loader=jinja2.FileSystemLoader(TEMPLATES),
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )
        environment.filters["wrap"] = _wrap
        environment.filters["checksum"] = lambda data, algorithm: hashlib.new(algorithm, data).hexdigest()
        return environment.get_template(template).render(source=self, tree=self.tree, **more).encode()


def export(form: str, tree: Tree, out: Path) -> list[Path]:
    """Write the source package in `form`, with the source distribution, as the new folder `out`, or nothing.

    Returns the files. Raises UsageError where `out` exists or the recipes do not say what the form needs.
    """
    module = _module(form)
    if out.exists() or out.is_symlink():
        raise UsageError(f"{out}: exists already: name a folder that does not")
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=f".{out.name}-") as scratch:
        fresh = Path(scratch) / "fresh"
        source = _source(form, tree, build_sdist(tree, Path(scratch)))
        files: Files = {module.ARCHIVE.format(tree=tree): (0o644, source.data)} | module.write(source)
        for name, (mode, content) in files.items():
            path = fresh / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            path.chmod(mode)
        shutil.move(fresh, out)
    return [out / name for name in sorted(files)]


def steps(form: str, tree: Tree, out: Path) -> str:
    """How to build what `export` wrote: commands for a shell."""
    ports = [origin(output) for each in tree.formats if each.writer == "freebsd" for output in each.outputs]
    text: str = _module(form).STEPS.format(out=out, tree=tree, ports=" ".join(ports))
    return text


def _module(form: str) -> ModuleType:
    if form not in FORMS:
        raise UsageError(f"unknown form '{form}'; {nearest(form, FORMS)}")
    return importlib.import_module(f"kernport.build.skeletons.{form}")


def _source(form: str, tree: Tree, archive: Path) -> Source:
    path = tree.root / "recipes" / "exports.yaml"
    document = load(path, SCHEMAS / "exports.schema.json")
    if form not in document.data:
        raise UsageError(f"{path}: it has no row '{form}': say there what building needs in its distribution")
    for key in ("description", "homepage", "downloads", "library_version", "released"):
        if not getattr(tree, key):
            raise UsageError(
                f"{tree.root / 'recipes' / 'package.yaml'}: no '{key}': every source package has one"
            )
    body = document.data[form]
    known = {each.name: each for each in tree.formats}
    if body["format"] not in known:
        raise document.error((form, "format"), f"unknown format; {nearest(body['format'], known)}")
    if not known[body["format"]].outputs:
        raise document.error((form, "format"), f"recipes/package.yaml has no outputs for '{body['format']}'")
    sets = [load_set(tree.root / "patches" / name) for name in tree.patches]
    return Source(
        tree=tree,
        form=known[body["format"]],
        build=tuple(body["build"]),
        python=tuple(body.get("python", ())),
        test=tuple(body.get("test", ())),
        targets=tuple(load_targets(tree).values()),
        patches=tuple(patch.patch for each in sets for patch in each.patches),
        archive=archive.name,
        data=archive.read_bytes(),
        released=date.fromisoformat(tree.released),
    )


def plain(files: Mapping[str, bytes], folder: str = "") -> Files:
    """Files that nobody runs, in a folder."""
    return {f"{folder}{name}": (0o644, content) for name, content in files.items()}


def _wrap(text: str, indent: str = "", width: int = 78) -> str:
    return textwrap.fill(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
