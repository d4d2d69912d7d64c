"""Wheels for any target, by meson-python: the same bytes wherever they are built.

One is for the stable ABI, and one for free-threaded Pythons, which do not load that.
"""

import base64
import hashlib
import itertools
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from kernport.build.bill_of_materials import bill_of_materials
from kernport.build.contents import write_zip
from kernport.build.debug_sections import without_debug_sections
from kernport.build.folder import build_folder
from kernport.build.native import blamed, run
from kernport.build.recipe import Tree
from kernport.build.target import Target
from kernport.errors import AnswerNo

# The extension for free-threaded Pythons, as wheels/meson.build calls it beside the other one.
BESIDE, EXTENSION = "_cffi_free_threaded.so", "_cffi.so"


def build_wheels(tree: Tree, target: Target, work: Path, out: Path) -> list[Path]:
    """Build the wheels of a target and put them into `out`, each whole or not at all; returns their paths."""
    if reason := target.why_no("wheel"):
        raise AnswerNo(f"{target.name}: no wheel: {reason}")
    folder = work / f"wheel-{target.name}"
    out.mkdir(parents=True, exist_ok=True)
    options = _options(tree, target)
    with (
        build_folder(target, folder, options) as cross,
        tempfile.TemporaryDirectory(dir=out, prefix=".wheel-") as scratch,
        blamed(tree, target),
    ):
        run(
            [
                *(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--skip-dependency-check"),
                *("--outdir", scratch, f"-Cbuild-dir={folder.resolve()}"),
                f"-Csetup-args=--cross-file={cross.resolve()}",
                *options,
                str(tree.root),
            ],
            f"{target.name}: the wheel",
            {"_PYTHON_HOST_PLATFORM": target.wheel_platform},
        )
        (built,) = Path(scratch).glob("*.whl")
        with zipfile.ZipFile(built) as archive:
            files = {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}
        finished = [
            _finish(content, Path(scratch), tag, tree, target) for tag, content in _forms(files, tree, target)
        ]
        return [path.replace(out / path.name) for path in finished]


def _options(tree: Tree, target: Target) -> list[str]:
    options = []
    if tree.free_threaded:
        options += ["-Csetup-args=-Dfree_threaded=true"]
        options += ["-Cinstall-args=--tags=python-runtime,python-free-threaded"]
    if target.wheel_include:
        flags = [*target.flags, "-include", str(tree.root / target.wheel_include)]
        options += [f"-Csetup-args=-Dc_args={flags!r}"]
    return options


def _forms(files: Mapping[str, bytes], tree: Tree, target: Target) -> Iterator[tuple[str, dict[str, bytes]]]:
    """The tag of each wheel, as file names have it, and what it holds."""
    yield (
        f"{tree.wheel_python}-{tree.wheel_abi}-{target.wheel_tag}",
        {name: content for name, content in files.items() if not name.endswith(BESIDE)},
    )
    if tree.free_threaded:
        pythons = (abi.removesuffix("t") for abi in tree.free_threaded)
        yield (
            f"{'.'.join(pythons)}-{'.'.join(tree.free_threaded)}-{target.wheel_tag}",
            {
                name.removesuffix(BESIDE) + EXTENSION if name.endswith(BESIDE) else name: content
                for name, content in files.items()
                if not name.endswith(f".{tree.wheel_abi}.so")
            },
        )


def _finish(files: dict[str, bytes], folder: Path, tag: str, tree: Tree, target: Target) -> Path:
    """Write a wheel into `folder`: with its right tags, its bill of materials, nothing of this machine."""
    info = f"{tree.name}-{tree.version}.dist-info"
    libraries = {
        name: without_debug_sections(content) for name, content in files.items() if name.endswith(".so")
    }
    files |= libraries
    files[f"{info}/sboms/{tree.name}.cdx.json"] = bill_of_materials(tree, target, libraries)
    files[f"{info}/WHEEL"] = _with_tag(files[f"{info}/WHEEL"], tag)
    del files[f"{info}/RECORD"]
    # The metadata comes last, as PEP 427 recommends: it can then be changed without moving the rest.
    ordered = sorted(files, key=lambda name: (name.startswith(info), name))
    record = [f"{name},{_digest(files[name])},{len(files[name])}\n" for name in ordered]
    files[f"{info}/RECORD"] = "".join([*record, f"{info}/RECORD,,\n"]).encode()
    path = folder / f"{tree.name}-{tree.version}-{tag}.whl"
    write_zip(path, {name: (_mode(name), files[name]) for name in [*ordered, f"{info}/RECORD"]})
    return path


def _with_tag(text: bytes, tag: str) -> bytes:
    lines = [line for line in text.decode().splitlines() if line and not line.startswith("Tag:")]
    each = itertools.product(*(part.split(".") for part in tag.split("-")))
    return "\n".join([*lines, *(f"Tag: {'-'.join(words)}" for words in each), ""]).encode()


def _digest(content: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest())
    return f"sha256={digest.rstrip(b'=').decode()}"


def _mode(name: str) -> int:
    return 0o755 if PurePosixPath(name).suffix == ".so" or ".data/scripts/" in name else 0o644
