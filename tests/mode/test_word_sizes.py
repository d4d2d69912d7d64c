"""The portable kernels in each of their word sizes, not only in the one this host would choose."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MESON = (sys.executable, "-m", "mesonbuild.mesonmain")
WORDS = {
    "64-bit words": "-DKP_SLICE_BITS=64 -DKP_CARRYLESS_BITS=64",
    "32-bit words": "-DKP_SLICE_BITS=32 -DKP_CARRYLESS_BITS=32",
}


@pytest.mark.parametrize("macros", WORDS.values(), ids=WORDS)
def test_portable_kernels(macros: str, tmp_path: Path) -> None:
    build = tmp_path / "build"
    setup = (*MESON, "setup", build, ROOT, "-Dpython=false", "-Dcheckasm=true", f"-Dc_args={macros}")
    subprocess.run(setup, check=True)
    subprocess.run((*MESON, "compile", "-C", build, "checkasm"), check=True)
    for kernel in ("aes-gcm/portable", "ghash/portable"):
        checkasm = (build / "tests" / "checkasm" / "checkasm", "--kernel", kernel)
        result = subprocess.run(checkasm, capture_output=True, text=True)
        assert result.returncode == 0, result.stdout + result.stderr
        assert "passed" in result.stdout
