"""What a package holds beside what Meson installs: recipes' files and texts, and Python's metadata."""

import gzip
import shutil
from pathlib import Path

from kernport.build.audit.elf import is_elf
from kernport.build.contents import date_of
from kernport.build.debug_sections import without_debug_sections
from kernport.build.formats import Format, Output
from kernport.build.recipe import Tree
from kernport.build.sdist import metadata
from kernport.errors import AnswerNo

PYTHON = b"#!/usr/bin/python3\n"


def complete(tree: Tree, form: Format, output: Output, stage: Path) -> None:
    """Add to the files of an output below `stage`. Raises AnswerNo where a place is taken already.

    What a compiler's own parts of a library tell debuggers, this machine's paths, is taken out.
    """
    words = words_of(tree, form, output)
    for path in stage.rglob("*"):
        if path.is_file() and not path.is_symlink() and is_elf(content := path.read_bytes()):
            path.write_bytes(without_debug_sections(content))
    for place, source in (form.files | output.files).items():
        path = _free(stage, place.format(**words), output)
        shutil.copyfile(tree.root / source, path)
    for place, text in form.texts.items():
        path = _free(stage, place.format(**words), output)
        content = text.format(**words).encode()
        path.write_bytes(gzip.compress(content, 9, mtime=0) if path.suffix == ".gz" else content)
    if has_python(tree, form, stage):
        folder = inside(stage, f"{form.site}/{tree.name}-{tree.version}.dist-info")
        folder.mkdir()
        (folder / "METADATA").write_bytes(metadata(tree))
        (folder / "INSTALLER").write_text(f"{form.name}\n", encoding="ascii")
    for path in inside(stage, f"{form.prefix}/share/man").glob("*/*.[0-9]"):
        path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes(), 9, mtime=0))
        path.unlink()
    for path in inside(stage, f"{form.prefix}/bin").glob("*"):
        content = path.read_bytes()
        if content.startswith(PYTHON) and form.python.command:
            path.write_bytes(f"#!{form.python.command}\n".encode() + content.removeprefix(PYTHON))


def words_of(tree: Tree, form: Format, output: Output) -> dict[str, str]:
    """What the templates of recipes/formats.yaml may name, as far as it is the same for all targets."""
    return {
        "name": tree.name,
        "output": output.name,
        "upstream": tree.version,
        "version": version_of(tree, form),
        "maintainer": tree.maintainer,
        "date": date_of(tree.released),
        "site": form.site,
    }


def version_of(tree: Tree, form: Format) -> str:
    """The version of packages with the format's revision: 0.1.0-1; FreeBSD writes _1, and no revision 0."""
    if form.libc == "freebsd":
        return tree.version if form.release == "0" else f"{tree.version}_{form.release}"
    return f"{tree.version}-{form.release}"


def has_python(tree: Tree, form: Format, stage: Path) -> bool:
    """Whether the Python package lies below `stage`."""
    return bool(form.site) and inside(stage, f"{form.site}/{tree.name}").is_dir()


def inside(stage: Path, place: str) -> Path:
    """The path below `stage` of an absolute place in the package."""
    return stage / place.lstrip("/")


def _free(stage: Path, place: str, output: Output) -> Path:
    path = inside(stage, place)
    if path.exists():
        raise AnswerNo(
            f"{output.name}: {place} is installed by Meson already; take it off the recipe's files"
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    return path
