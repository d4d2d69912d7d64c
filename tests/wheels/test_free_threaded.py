"""A free-threaded Python does not load the stable ABI: a native build there makes an extension of its own.

None is needed here: this Python says in its configuration that it is one, and its own header is used.
"""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import planted
import pytest

OPTION = "-Dpython.allow_limited_api=false"
PYTHON = f"cp{sys.version_info.major}{sys.version_info.minor}"
SUFFIX = f".cpython-{PYTHON.removeprefix('cp')}t-{os.uname().machine}-linux-gnu.so"
CONFIGURATION = f"""\
import sysconfig
sysconfig.get_config_vars().update(Py_GIL_DISABLED=1, EXT_SUFFIX={SUFFIX!r})
"""


def build(folder: Path, *settings: str) -> subprocess.CompletedProcess[str]:
    """Build this tree's wheel into `folder` as pip would, by a Python that says it is free-threaded."""
    (folder / "sitecustomize.py").write_text(CONFIGURATION, encoding="utf-8")
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", f"-Cbuild-dir={folder / 'build'}"]
    return subprocess.run(
        [*command, *settings, "--outdir", str(folder), str(planted.ROOT)],
        env=os.environ | {"PYTHONPATH": str(folder), "PATH": programs},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.long
def test_its_extension_is_named_for_it_alone(tmp_path: Path) -> None:
    done = build(tmp_path, f"-Csetup-args={OPTION}")
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.stem.split("-")[2:4] == [PYTHON, f"{PYTHON}t"]
    libraries = [name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".so")]
    assert libraries == [f"{planted.TREE.name}/_cffi{SUFFIX}"]


@pytest.mark.long
@pytest.mark.skipif(sys.version_info >= (3, 15), reason="from 3.15 on there is a stable ABI for it")
def test_the_stable_abi_is_refused_there(tmp_path: Path) -> None:
    done = build(tmp_path)
    assert done.returncode != 0
    assert "free-threaded" in done.stdout + done.stderr
    assert not list(tmp_path.glob("*.whl"))
