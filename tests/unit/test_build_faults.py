"""A build that fails leaves nothing behind and shows the compiler's own words."""

import subprocess
import sys
from pathlib import Path

from kernport.build.contents import copy_tree

ROOT = Path(__file__).resolve().parents[2]


def test_a_failed_build_leaves_no_artefact(tmp_path: Path) -> None:
    tree, out = tmp_path / "tree", tmp_path / "out"
    copy_tree(ROOT, tree)
    source = tree / "native" / "md5" / "portable.c"
    source.write_text(source.read_text(encoding="utf-8") + "int broken(void) { return no_such_name; }\n")
    process = subprocess.run(
        [sys.executable, "-m", "kernport", "build", "wheel", "--out", str(out)],
        cwd=tree,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 1
    assert "no_such_name" in process.stderr
    assert not any(out.iterdir())


def test_an_unknown_target_is_wrong_use(tmp_path: Path) -> None:
    process = subprocess.run(
        [
            sys.executable,
            "-m",
            "kernport",
            "build",
            "wheel",
            "--target",
            "x86_64-linux",
            "--out",
            str(tmp_path),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 2
    assert "unknown target 'x86_64-linux'" in process.stderr
    assert "riscv64-linux-musl" in process.stderr
