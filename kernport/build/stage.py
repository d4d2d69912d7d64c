"""A tree that has recipes and sources only, made complete: build files, dispatcher, Python module, harness.

What is made is plain files: anybody can build them with Meson or pip, without kernport. A tree with a
meson.build of its own is complete as it is.
"""

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from string import Template

from kernport.build.contents import mode_of, tree_files
from kernport.build.described_checks import families_of_checks
from kernport.build.described_module import module_files, module_name
from kernport.build.dispatcher import dispatcher_files, with_prefix
from kernport.build.folder import locked
from kernport.build.recipe import Tree, load_tree
from kernport.build.toolkit import HARNESS, toolkit, toolkit_files
from kernport.errors import UsageError

TEMPLATES = Path(__file__).resolve().parent / "staged"
# What the preprocessor includes is no source by itself.
DISPATCHER_INCLUDED = re.compile(r"(detect|tables)_.*\.c")
# Where the tree's own files would be in the way of what is made.
RESERVED = ("dispatch", "python", "wheels", "meson.build", "meson_options.txt", "pyproject.toml")


def complete(tree: Tree, work: Path) -> Tree:
    """The tree itself if it has build files, else one in `work`/tree that has them, brought up to date.

    Raises UsageError where a file of the tree is in the way, or no licence text is there.
    """
    if (tree.root / "meson.build").is_file():
        return tree
    folder = work / "tree"
    with locked(folder):
        _write(folder, staged_files(tree))
    return replace(load_tree(folder), origin=tree.origin)


def staged_files(tree: Tree) -> dict[str, tuple[int, bytes]]:
    """Every file of the complete tree by name, with its permission bits."""
    files: dict[str, tuple[int, bytes]] = {}
    for source in tree_files(tree.root):
        if source.parts[0] in RESERVED:
            raise UsageError(
                f"{tree.root / source}: '{source.parts[0]}' is where the complete tree has files that are "
                "made; rename it"
            )
        if source.parts[0] != "tests":
            files[source.as_posix()] = (mode_of(tree.root / source), (tree.root / source).read_bytes())
    made = {f"dispatch/{name}": text for name, text in dispatcher_files(tree).items()}
    made |= _build_files(tree)
    made |= {f"python/{name}": text for name, text in module_files(tree).items()}
    made["python/meson.build"] = _filled("python/meson.build", tree)
    made[f"{HARNESS}/families/families.c"] = families_of_checks(tree)
    made[f"{HARNESS}/families/meson.build"] = "checkasm_families = files('families.c')\n"
    for name in toolkit_files(toolkit()):
        if _is_for_staging(name, tree):
            text = (toolkit() / name).read_text(encoding="utf-8")
            # Macros for assembly define no symbols by themselves: kernels name them as everywhere.
            made[name] = with_prefix(text, tree) if name.startswith(HARNESS) else text
    return files | {name: (0o644, text.encode()) for name, text in made.items()}


def _is_for_staging(name: str, tree: Tree) -> bool:
    """Whether a tree takes a file of the toolkit: not what is generated, nor recipes that it has itself."""
    if name.startswith(("dispatch/", "tests/rigs/")):
        return False
    if name.startswith("recipes/architectures/"):
        return not (tree.root / "recipes" / "architectures").is_dir()
    return not (tree.root / name).exists()


def _build_files(tree: Tree) -> dict[str, str]:
    return {name: _filled(name, tree) for name in ("meson.build", "pyproject.toml")}


def _filled(name: str, tree: Tree) -> str:
    licences = sorted(path.name for path in tree.root.glob("LICEN[CS]E*"))
    if not licences:
        raise UsageError(f"{tree.root}: no LICENSE file; every package carries the text of its licence")
    variants = tree.variants()
    dispatcher = [
        f"dispatch/{each}"
        for each in dispatcher_files(tree)
        if each.endswith(".c") and not DISPATCHER_INCLUDED.match(each)
    ]
    sources = {arch: tree.sources(arch)[1:] for arch in (*variants, "other")}
    folders = dict.fromkeys([str(Path(tree.interface).parent)])
    return Template((TEMPLATES / f"{name}.in").read_text(encoding="utf-8")).substitute(
        name=tree.name,
        module=module_name(tree),
        PREFIX=tree.prefix.upper(),
        version=tree.version,
        library_version=tree.library_version,
        summary=tree.summary,
        licence=tree.licence,
        licence_files=json.dumps(licences).replace('"', "'"),
        interface=tree.interface,
        include_folders=", ".join(f"'{folder}'" for folder in folders),
        dispatcher=", ".join(f"'{each}'" for each in dispatcher),
        variants="\n".join(
            f"    '{each.cpu_family} {each.endian}': '{name}'," for name, each in variants.items()
        ),
        sources="\n".join(
            f"    '{arch}': files({', '.join(repr(each) for each in names)}),"
            for arch, names in sources.items()
        ),
    )


def _write(folder: Path, files: dict[str, tuple[int, bytes]]) -> None:
    """Make the folder hold exactly those files. What is the same keeps its date, so that builds go on."""
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()
        elif not path.is_dir() and path.relative_to(folder).as_posix() not in files:
            path.unlink()
    for name, (mode, content) in files.items():
        path = folder / name
        if path.is_dir():
            shutil.rmtree(path)
        if not path.is_file() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        path.chmod(mode)
