"""The source distribution, as pip installs it: built by this machine's own compilers, and used."""

import json
import os
import shutil
import sys
from pathlib import Path

import planted
import pytest
from emulated import PIP_INSTALL, chosen, chosen_here, expected_checks, run, write_cases
from foreign_system import RIGS

from kernport.build.sdist import build_sdist

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("wheels")]
# The clang is zig's, which needs no package of the system.
COMPILERS = {"gcc": "gcc", "clang": f"{sys.executable} -m ziglang cc"}


@pytest.mark.parametrize("compiler", COMPILERS)
def test_pip_builds_and_installs_it(tmp_path: Path, compiler: str) -> None:
    if shutil.which(COMPILERS[compiler].split()[0]) is None:
        pytest.skip("gcc is missing: apt-get install gcc")
    site = tmp_path / "site"
    command = [*PIP_INSTALL, "--no-index", "--no-build-isolation", "--no-cache-dir", "--target", str(site)]
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {"PATH": programs, "HOME": str(Path.home()), "CC": COMPILERS[compiler]}
    run([*command, str(build_sdist(planted.TREE, tmp_path))], env=environment, cwd=tmp_path)
    use = {"PATH": programs, "PYTHONPATH": str(site)}
    python, name = [sys.executable, "-P", "-B"], planted.TREE.name
    where = run([*python, "-c", f"import {name}; print({name}.__file__)"], env=use).strip()
    assert Path(where).is_relative_to(site)
    assert chosen(run([*python, "-m", name, "show", "--json"], env=use)) == chosen_here()
    path = write_cases(tmp_path / "cases.json", step=8)
    used = json.loads(run([*python, str(RIGS / "use_wheel.py"), str(path)], env=use))
    assert used["checked"] == expected_checks(path, used["kernels"])
