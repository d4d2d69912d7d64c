"""The x86-64 kernels on an emulated processor with AVX-512: Bochs, and no operating system."""

import re
import shutil
import sys
from pathlib import Path

import bochs
import pytest

from kernport.build.recipe import load_tree

ROOT = Path(__file__).resolve().parents[2]


def corrected_sources(folder: Path) -> Path:
    """A copy of the sources for Bochs 2.7, which complements what gf2p8affineqb returns.

    The instruction's immediate, which is added to the result, undoes that.
    """
    for name in ("native", "dispatch", "tests/avx512"):
        shutil.copytree(ROOT / name, folder / "tree" / name)
    changed = 0
    for path in (folder / "tree" / "native").rglob("*.[hS]"):
        text, count = re.subn(
            r"^(\s*vgf2p8affineqb .*), 0$", r"\1, 255", path.read_text(encoding="utf-8"), flags=re.M
        )
        path.write_text(text, encoding="utf-8")
        changed += count
    assert changed > 0
    return folder / "tree"


def build(folder: Path) -> list[str]:
    """Compiles the kernels, their self-tests and program.c; the names of the objects."""
    tree = corrected_sources(folder)
    table = [sys.executable, str(ROOT / "dispatch" / "table.py")]
    sources = bochs.run(folder, *table, "sources", "x86_64").split()
    bochs.run(folder, *table, "generate", "x86_64", folder)
    shutil.copy(tree / "dispatch" / "report.h", folder / "kernport_dispatch.h")
    named = [*sources, "dispatch/features.c", "tests/avx512/program.c"]
    return bochs.compile_all(
        folder, [tree, tree / "native" / "include"], [folder / "tables.c", *(tree / name for name in named)]
    )


@pytest.mark.long
def test_kernels_on_an_emulated_tiger_lake(tmp_path: Path) -> None:
    bochs.need()
    said = bochs.boot(tmp_path, build(tmp_path))
    assert said[-1] == "passed", said
    tree = load_tree(ROOT)
    kernels = {f"{f.name}/{k.name}" for f in tree.families for k in f.kernels if k.runs_on("x86_64")}
    assert set(said[:-1]) == kernels
