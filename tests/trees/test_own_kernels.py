"""A tree of one's own, as docs/your-own-kernels.md makes it, word for word."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from kernport.build.new import new_tree
from kernport.errors import UsageError

PAGE = Path(__file__).resolve().parents[2] / "docs" / "your-own-kernels.md"
BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)
KERNEL = "native/x86_64/avx2.S"


def commands(text: str, folder: Path) -> str:
    """Run a block of the page in a shell; returns what it printed. It must succeed."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    process = subprocess.run(
        ["sh", "-e", "-c", text],
        cwd=folder,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout


def test_the_page_word_for_word(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert f"it goes into `{KERNEL}`" in page
    (_, begin), (language, kernel), (_, add), (_, publish) = BLOCK.findall(page)
    assert language == "asm"
    tree = tmp_path / "bytesum"
    assert "bytes/portable: passed" in commands(begin, tmp_path)
    (tree / KERNEL).parent.mkdir()
    (tree / KERNEL).write_text(kernel, encoding="utf-8")
    told = commands(add, tree)
    rows = [line for line in told.splitlines() if "bytes/avx2: " in line]
    assert rows and all("passed" in row or "refused because avx2 is missing" in row for row in rows), told
    commands(publish, tree)
    assert {path.suffix for path in (tree / "dist").iterdir()} == {".deb", ".whl"}
    assert (tree / "dispatcher" / "dispatch" / "select.c").is_file()


@pytest.mark.parametrize(
    "folder, family", [("Bytesum", "bytes"), ("bytesum", "bytes sum"), ("1sum", "bytes")]
)
def test_names_that_become_symbols_are_checked(tmp_path: Path, folder: str, family: str) -> None:
    with pytest.raises(UsageError, match="lower-case letters, digits and hyphens"):
        new_tree(tmp_path / folder, family)
    assert not any(tmp_path.iterdir())


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    with pytest.raises(UsageError, match="exists already"):
        new_tree(tmp_path / "mine", "sum")
    assert not any((tmp_path / "mine").iterdir())
