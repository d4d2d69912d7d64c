"""The s390x kernels, with a model of the instructions that the emulator lacks."""

import re
import subprocess
from pathlib import Path

import pytest

from kernport.build.emulator import emulator
from kernport.build.native import NativeBuild
from kernport.build.recipe import load_tree
from kernport.build.target import load_targets
from kernport.errors import EnvironmentLacks

ROOT = Path(__file__).resolve().parents[2]
TARGET = "s390x-linux-musl"


def test_kernels_agree_with_the_portable_ones(tmp_path: Path) -> None:
    tree = load_tree(ROOT)
    target = load_targets(tree)[TARGET]
    try:
        command = emulator(target.qemu)
    except EnvironmentLacks as reason:
        pytest.skip(str(reason))
    build = NativeBuild(tree, target, tmp_path / "build")
    build.build(["-Dpython=false", "-Dcheckasm=true"], ["cpacf"])
    program = build.folder / "tests" / "cpacf" / "cpacf"
    process = subprocess.run([command, program], capture_output=True, text=True, check=False, timeout=300)
    assert process.returncode == 0, process.stdout + process.stderr
    assert re.fullmatch(r"passed; the model executed \d+ instructions\n", process.stdout)
