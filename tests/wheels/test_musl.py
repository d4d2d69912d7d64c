"""Hosts with musl: their own pip takes the right one of two libcs' wheels, and the wheel is used there.

tests/rigs/built_python/musl.py makes the Python, and in-root.sh runs it with a file system of its own: pip
finds out by the interpreter's own loader which libc there is.
"""

import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path

import planted
import pytest
from emulated import build_wheel, chosen, chosen_here, installed_files, run
from foreign_system import HOST, RIGS, fresh, rig

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("wheels")]
PIP = ("python3", "-B", "-P", "/mnt/tools/pip", "--disable-pip-version-check", "--isolated")


@dataclass(frozen=True)
class Host:
    """A target, qemu's processor, the kernels to be chosen there, and that one of `step` vectors is run.

    Where no kernels are given, the measure is what the other libc's wheel in this Python chooses.
    """

    target: str
    cpu: str
    chosen: Mapping[str, str] | None
    step: int


def kernels(aes_gcm: str, ghash: str, md5: str, md5_many: str) -> dict[str, str]:
    return {"aes-gcm": aes_gcm, "ghash": ghash, "md5": md5, "md5-many": md5_many}


POWER = kernels("power9-crypto", "power9-crypto", "power", "vsx")
RISCV = "rv64,v=true,vlen=128,zvkb=true,zvkned=true,zvkg=true"
HOSTS = [
    Host(f"{HOST.variant.name}-linux-musl", "", None, 1),
    Host("aarch64-linux-musl", "max", kernels("armv8-eor3", "pmull-eor3", "aarch64", "neon"), 12),
    Host("powerpc64-linux-musl", "power9", POWER, 12),
    Host("powerpc64le-linux-musl", "power9", POWER, 12),
    Host("riscv64-linux-musl", RISCV, kernels("zvkned-zvkg", "zvkg", "zbb", "rvv-zvkb"), 12),
    # qemu has none of CPACF's AES.
    Host("s390x-linux-musl", "max", kernels("portable", "portable", "z196", "vx"), 12),
]


@pytest.mark.parametrize("host", HOSTS, ids=lambda host: host.target)
def test_pip_installs_the_right_wheel_which_is_used(tmp_path: Path, host: Host) -> None:
    target, name = planted.TARGETS[host.target], planted.TREE.name
    root = Path(rig(sys.executable, RIGS / "built_python" / "musl.py", target.name))
    system = fresh(root, target, tmp_path)
    dist, report = system.shared / "dist", system.shared / "report.json"
    build_wheel(target.name, dist)
    others = [build_wheel(each, dist) for each in with_glibc(host.target)]
    for path in (root / "wheels").iterdir():
        shutil.copy(path, dist)
    run([sys.executable, "-m", "kernport", "index", str(dist)], cwd=planted.ROOT)
    (system.shared / "tools").mkdir()
    shutil.copytree(str(distribution("pip").locate_file("pip")), system.shared / "tools" / "pip")

    for wheel in others:
        said = system.run(*PIP, "install", "--no-deps", f"/mnt/dist/{wheel.name}", cpu=host.cpu, code=1)
        assert "is not a supported wheel on this platform" in said
    assert not list((system.changes / "upper").rglob("dispatch.json"))
    command = ["install", "--no-cache-dir", "--index-url", "file:///mnt/dist/simple"]
    system.run(*PIP, *command, "--report", f"/mnt/{report.name}", name, cpu=host.cpu)
    files = installed_files(report)
    assert files.keys() == {name, "cffi", "pycparser"}
    assert files[name].endswith(f"-{target.wheel_tag}.whl")

    expected = host.chosen or chosen_here()
    assert expected.keys() == {family.name for family in planted.TREE.families}
    show = ("python3", "-P", "-m", name, "show")
    assert chosen(system.run(*show, "--json", cpu=host.cpu)) == expected
    assert system.use(host.cpu, host.step)["chosen"] == expected

    file = system.changes / "upper" / "etc" / name / "dispatch.conf"
    file.parent.mkdir(parents=True)
    file.write_text(f"disable-kernel = md5/{expected['md5']}\n", encoding="utf-8")
    answer = system.run(*show, "--why-not", f"md5/{expected['md5']}", cpu=host.cpu)
    assert "is disabled: the administrator disabled it" in answer


def with_glibc(name: str) -> list[str]:
    """The targets of the same architecture whose wheels are for glibc; there is one at least."""
    variant = planted.TARGETS[name].variant
    found = [each for each in planted.TARGETS.values() if each.variant == variant and each.libc == "glibc"]
    assert found
    return [each.name for each in found]
