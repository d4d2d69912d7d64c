"""Wheels for the stable ABI, for any target, by meson-python: the same bytes wherever they are built."""

import base64
import hashlib
import sys
import tempfile
import zipfile
from pathlib import Path, PurePosixPath

from kernport.build.bill_of_materials import bill_of_materials
from kernport.build.contents import write_zip
from kernport.build.debug_sections import without_debug_sections
from kernport.build.folder import build_folder
from kernport.build.native import blamed, run
from kernport.build.recipe import Tree
from kernport.build.target import Target
from kernport.errors import AnswerNo


def build_wheel(tree: Tree, target: Target, work: Path, out: Path) -> Path:
    """Build the wheel of a target and put it into `out`, whole or not at all; returns its path."""
    if reason := target.why_no("wheel"):
        raise AnswerNo(f"{target.name}: no wheel: {reason}")
    folder = work / f"wheel-{target.name}"
    out.mkdir(parents=True, exist_ok=True)
    with (
        build_folder(target, folder, _include(tree, target)) as cross,
        tempfile.TemporaryDirectory(dir=out, prefix=".wheel-") as scratch,
        blamed(tree, target),
    ):
        run(
            [
                *(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--skip-dependency-check"),
                *("--outdir", scratch, f"-Cbuild-dir={folder.resolve()}"),
                f"-Csetup-args=--cross-file={cross.resolve()}",
                *_include(tree, target),
                str(tree.root),
            ],
            f"{target.name}: the wheel",
            {"_PYTHON_HOST_PLATFORM": target.wheel_platform},
        )
        (built,) = Path(scratch).glob("*.whl")
        finished = Path(scratch) / f"{tree.name}-{tree.version}-{_tag(tree, target)}.whl"
        _finish(built, finished, tree, target)
        path = finished.replace(out / finished.name)
    return path


def _tag(tree: Tree, target: Target) -> str:
    return f"{tree.wheel_python}-{tree.wheel_abi}-{target.wheel_tag}"


def _include(tree: Tree, target: Target) -> list[str]:
    if not target.wheel_include:
        return []
    flags = [*target.flags, "-include", str(tree.root / target.wheel_include)]
    return [f"-Csetup-args=-Dc_args={flags!r}"]


def _finish(built: Path, finished: Path, tree: Tree, target: Target) -> None:
    """Write a built wheel anew: its right tags, its bill of materials, and nothing of this machine."""
    info = f"{tree.name}-{tree.version}.dist-info"
    with zipfile.ZipFile(built) as archive:
        files = {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}
    libraries = {
        name: without_debug_sections(content) for name, content in files.items() if name.endswith(".so")
    }
    files |= libraries
    files[f"{info}/sboms/{tree.name}.cdx.json"] = bill_of_materials(tree, target, libraries)
    files[f"{info}/WHEEL"] = _with_tag(files[f"{info}/WHEEL"], _tag(tree, target))
    del files[f"{info}/RECORD"]
    # The metadata comes last, as PEP 427 recommends: it can then be changed without moving the rest.
    ordered = sorted(files, key=lambda name: (name.startswith(info), name))
    record = [f"{name},{_digest(files[name])},{len(files[name])}\n" for name in ordered]
    files[f"{info}/RECORD"] = "".join([*record, f"{info}/RECORD,,\n"]).encode()
    write_zip(finished, {name: (_mode(name), files[name]) for name in [*ordered, f"{info}/RECORD"]})


def _with_tag(text: bytes, tag: str) -> bytes:
    lines = [line for line in text.decode().splitlines() if line and not line.startswith("Tag:")]
    return "\n".join([*lines, f"Tag: {tag}", ""]).encode()


def _digest(content: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest())
    return f"sha256={digest.rstrip(b'=').decode()}"


def _mode(name: str) -> int:
    return 0o755 if PurePosixPath(name).suffix == ".so" or ".data/scripts/" in name else 0o644
