"""The MD5 kernels of riscv64 are what their description makes of them."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "native/md5/riscv64"


def check(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run `generate.py --check` of a folder."""
    command = [sys.executable, str(folder / "generate.py"), "--check"]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_files_are_what_the_description_makes() -> None:
    result = check(FOLDER)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("name", ["rv64.S", "zbb.S"])
def test_an_edited_file_is_noticed(tmp_path: Path, name: str) -> None:
    copy = Path(shutil.copytree(FOLDER, tmp_path / "riscv64"))
    text = (copy / name).read_text(encoding="utf-8")
    (copy / name).write_text(text.replace("slli", "srli", 1), encoding="utf-8")
    result = check(copy)
    assert result.returncode == 1
    assert name in result.stderr


def test_a_missing_file_is_noticed(tmp_path: Path) -> None:
    shutil.copy(FOLDER / "generate.py", tmp_path)
    result = check(tmp_path)
    assert result.returncode == 1
    assert "rv64.S" in result.stderr
    assert "zbb.S" in result.stderr


@pytest.mark.parametrize(
    ("name", "loop", "most"),
    [
        ("rv64", "aligned", 11.4),
        ("rv64", "unaligned", 11.4 * 1.1),
        ("zbb", "aligned", 9.0),
        ("zbb", "unaligned", 9.0 * 1.1),
    ],
)
def test_instructions_a_byte(name: str, loop: str, most: float) -> None:
    text = (FOLDER / f"{name}.S").read_text(encoding="utf-8")
    mark = f"kp_mark kp_md5_{name}_compress_{loop}_loop_"
    body = text.split(f"{mark}begin\n")[1].split(f"{mark}end\n")[0]
    instructions = re.findall(r"^    [a-z]", body, re.MULTILINE)
    assert len(instructions) > 64 * 8
    assert len(instructions) <= 64 * most
