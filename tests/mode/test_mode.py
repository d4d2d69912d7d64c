"""mode.c, built by the project's own build and run."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MESON = (sys.executable, "-m", "mesonbuild.mesonmain")


def test_mode_code_keeps_its_promises(tmp_path: Path) -> None:
    build = tmp_path / "build"
    subprocess.run((*MESON, "setup", build, ROOT, "-Dpython=false", "-Dcheckasm=true"), check=True)
    subprocess.run((*MESON, "compile", "-C", build, "mode"), check=True)
    result = subprocess.run((build / "tests" / "mode" / "mode",), capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (0, "")
