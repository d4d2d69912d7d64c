"""Hosts with musl: their own pip takes the right one of two libcs' wheels, and the wheel is used there.

tests/rigs/built_python/musl.py makes the Python, and in-root.sh runs it with a file system of its own.
"""

import shutil
import sys
from importlib.metadata import distribution
from pathlib import Path

import planted
import pytest
from emulated import build_wheel, chosen, chosen_here, installed_files, run
from foreign_system import HOST, RIGS, System, fresh, rig

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("wheels")]
MUSL, GLIBC = f"{HOST.variant.name}-linux-musl", f"{HOST.variant.name}-linux-gnu"
PIP = ("python3", "-B", "-P", "/mnt/tools/pip", "--disable-pip-version-check", "--isolated")


@pytest.fixture(scope="module")
def system(tmp_path_factory: pytest.TempPathFactory) -> System:
    """This machine's processor with musl, where an index of wheels for both libcs lies in /mnt/dist."""
    target = planted.TARGETS[MUSL]
    root = Path(rig(sys.executable, RIGS / "built_python" / "musl.py", target.name))
    system = fresh(root, target, tmp_path_factory.mktemp("musl"))
    dist = system.shared / "dist"
    for each in (GLIBC, MUSL):
        build_wheel(each, dist)
    for path in (root / "wheels").iterdir():
        shutil.copy(path, dist)
    run([sys.executable, "-m", "kernport", "index", str(dist)], cwd=planted.ROOT)
    (system.shared / "tools").mkdir()
    shutil.copytree(str(distribution("pip").locate_file("pip")), system.shared / "tools" / "pip")
    return system


def test_glibcs_wheel_is_refused(system: System) -> None:
    (wheel,) = (system.shared / "dist").glob(f"*{planted.TARGETS[GLIBC].wheel_tag}.whl")
    system.run(*PIP, "install", "--no-deps", f"/mnt/dist/{wheel.name}", code=1)
    assert not list((system.changes / "upper").rglob("dispatch.json"))


def test_pip_installs_the_wheel_which_is_used(system: System) -> None:
    name = planted.TREE.name
    report = system.shared / "report.json"
    command = ["install", "--no-cache-dir", "--index-url", "file:///mnt/dist/simple"]
    system.run(*PIP, *command, "--report", f"/mnt/{report.name}", name)
    files = installed_files(report)
    assert files.keys() == {name, "cffi", "pycparser"}
    assert files[name].endswith(f"-{planted.TARGETS[MUSL].wheel_tag}.whl")

    # The same processor, by the other libc's wheel in this Python, is the measure.
    here = chosen_here()
    assert here.keys() == {family.name for family in planted.TREE.families}
    assert chosen(system.run("python3", "-P", "-m", name, "show", "--json")) == here
    used = system.use(step=1)
    assert used["chosen"] == here

    file = system.changes / "upper" / "etc" / name / "dispatch.conf"
    file.parent.mkdir(parents=True)
    file.write_text(f"disable-kernel = md5/{here['md5']}\n", encoding="utf-8")
    command = ["-m", name, "show", "--why-not", f"md5/{here['md5']}"]
    assert "is disabled: the administrator disabled it" in system.run("python3", "-P", *command)
