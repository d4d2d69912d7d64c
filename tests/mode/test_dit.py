"""Data-independent timing on AArch64: set while a kernel has the key, and as before afterwards."""

import subprocess
from pathlib import Path

import pytest

from kernport.build.emulator import emulator
from kernport.build.native import NativeBuild
from kernport.build.recipe import load_tree
from kernport.build.target import load_targets
from kernport.errors import EnvironmentLacks

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    tree = load_tree(ROOT)
    target = load_targets(tree)["aarch64-linux-musl"]
    try:
        qemu = emulator(target.qemu)
    except EnvironmentLacks as reason:
        pytest.skip(str(reason))
    build = NativeBuild(tree, target, tmp_path_factory.mktemp("dit") / "build")
    build.build(["-Dpython=false", "-Dcheckasm=true"], ["dit"])
    return qemu, build.folder / "tests" / "mode" / "dit"


@pytest.mark.parametrize(("cpu", "code"), [("max", 0), ("neoverse-v1", 0), ("cortex-a72", 77)])
def test_dit(command: tuple[str, Path], cpu: str, code: int) -> None:
    """Cortex-A72 has no such bit, and nothing may touch its register there."""
    qemu, program = command
    result = subprocess.run((qemu, "-cpu", cpu, program), capture_output=True, text=True, check=False)
    assert result.returncode == code, result.stdout + result.stderr
