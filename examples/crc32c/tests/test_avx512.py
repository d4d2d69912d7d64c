"""The kernels for x86-64, the one with AVX-512 too, on a processor that Bochs emulates."""

from pathlib import Path

import bochs
import pytest

from kernport.build.recipe import load_tree

TREE = Path(__file__).resolve().parents[1]
ROOT = TREE.parents[1]


@pytest.mark.long
def test_kernels_on_an_emulated_tiger_lake(tmp_path: Path) -> None:
    bochs.need()
    kernels = [kernel for family in load_tree(TREE).families for kernel in family.kernels]
    here = [kernel for kernel in kernels if kernel.runs_on("x86_64")]
    sources = sorted({TREE / source for kernel in here for source in kernel.sources})
    objects = bochs.compile_all(tmp_path, [ROOT], [*sources, TREE / "tests" / "avx512.c"])
    said = bochs.boot(tmp_path, objects)
    assert said[-1] == "passed", said
    assert set(said[:-1]) == {f"crc32c/{kernel.name}" for kernel in here if kernel.name != "portable"}
