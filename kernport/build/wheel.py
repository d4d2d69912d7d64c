"""Wheels for the stable ABI, for any target, by meson-python."""

import sys
import tempfile
from pathlib import Path

from kernport.build.folder import build_folder
from kernport.build.native import run
from kernport.build.recipe import Tree
from kernport.build.target import Target
from kernport.errors import AnswerNo

PYTHON_TAG = "cp311"  # the oldest Python whose stable ABI wheels/stable_abi/Python.h keeps to


def build_wheel(tree: Tree, target: Target, work: Path, out: Path) -> Path:
    """Build the wheel of a target and put it into `out`, whole or not at all; returns its path."""
    if reason := target.why_no("wheel"):
        raise AnswerNo(f"{target.name}: no wheel: {reason}")
    folder = work / f"wheel-{target.name}"
    out.mkdir(parents=True, exist_ok=True)
    with (
        build_folder(target, folder) as cross,
        tempfile.TemporaryDirectory(dir=out, prefix=".wheel-") as scratch,
    ):
        run(
            [
                *(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--skip-dependency-check"),
                *("--outdir", scratch, f"-Cbuild-dir={folder.resolve()}"),
                f"-Csetup-args=--cross-file={cross.resolve()}",
                str(tree.root),
            ],
            f"{target.name}: the wheel",
            {"_PYTHON_HOST_PLATFORM": target.wheel_platform},
        )
        (built,) = Path(scratch).glob("*.whl")
        run(
            [
                *(sys.executable, "-m", "wheel", "tags", "--remove"),
                *("--python-tag", PYTHON_TAG, "--abi-tag", "abi3", "--platform-tag", target.wheel_tag),
                str(built),
            ],
            f"{target.name}: the wheel's tags",
        )
        (tagged,) = Path(scratch).glob("*.whl")
        path = tagged.replace(out / tagged.name)
    return path
