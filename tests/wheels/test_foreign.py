"""Wheels for other architectures, installed as pip does and used by those architectures' own Python.

s390x is in test_big_endian.py.
"""

import json
from pathlib import Path
from typing import Any

import planted
import pytest
from emulated import PIP_INSTALL, build_wheel, expected_checks, run, write_cases

from kernport.build.emulator import emulator
from kernport.errors import EnvironmentLacks

pytestmark = pytest.mark.xdist_group("wheels")
RIG = planted.ROOT / "tests" / "rigs"
POWER8, POWER9 = "power8-crypto", "power9-crypto"
# target, Debian's suite, qemu's processor, the AES-GCM kernel to be chosen there
HOSTS = [
    ("powerpc64le-linux-gnu", "bookworm", "power8", POWER8),
    ("powerpc64le-linux-gnu", "bookworm", "power9", POWER9),
    ("powerpc64le-linux-gnu", "bookworm", "power10", POWER9),
    ("aarch64-linux-gnu", "bookworm", "cortex-a72", "armv8-crypto"),
    ("aarch64-linux-gnu", "bookworm", "max", "armv8-eor3"),
    ("riscv64-linux-gnu", "trixie", "rv64,v=true,vlen=128,zvkb=true,zvkned=true,zvkg=true", "zvkned-zvkg"),
    ("riscv64-linux-gnu", "trixie", "rv64", "portable"),
]


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Where each target's wheel was installed, once."""
    return {}


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_cases(tmp_path_factory.mktemp("cases") / "cases.json", step=4)


def install(target: str, python: str, folder: Path) -> Path:
    """Build the target's wheel and install it as its own pip would; returns the folder to import from."""
    site = folder / "site"
    command = [
        *PIP_INSTALL,
        "--no-index",
        "--only-binary",
        ":all:",
        "--target",
        str(site),
        "--python-version",
        python,
    ]
    command += ["--implementation", "cp", "--abi", "abi3", "--platform", planted.TARGETS[target].wheel_tag]
    run([*command, str(build_wheel(target, folder / "dist"))])
    return site


@pytest.mark.parametrize(
    ("target", "suite", "cpu", "kernel"), HOSTS, ids=lambda value: str(value).split(",")[0]
)
def test_it_is_installed_and_used(
    sites: dict[str, Path],
    cases: Path,
    tmp_path_factory: pytest.TempPathFactory,
    target: str,
    suite: str,
    cpu: str,
    kernel: str,
) -> None:
    row = planted.TARGETS[target]
    try:
        qemu = emulator(row.qemu)
    except EnvironmentLacks as error:
        pytest.skip(str(error))
    root = Path(run([str(RIG / "foreign-python.sh"), row.packages["deb"], suite]).strip())
    (python,) = (root / "usr" / "bin").glob("python3.[0-9]*")
    if target not in sites:
        folder = tmp_path_factory.mktemp(target)
        sites[target] = install(target, python.name.removeprefix("python"), folder)
    command = [qemu, "-L", str(root), "-cpu", cpu, str(python), "-B", "-P"]
    paths = f"{sites[target]}:{root / 'usr/lib/python3/dist-packages'}"
    environment = {"PYTHONPATH": paths, "PYTHONHOME": str(root / "usr")}
    used = json.loads(run([*command, str(RIG / "use_wheel.py"), str(cases)], env=environment))
    assert used["byteorder"] == row.variant.endian
    assert used["chosen"]["aes-gcm"] == kernel
    assert f"aes-gcm/{kernel}" in used["kernels"]
    assert used["checked"] == expected_checks(cases, used["kernels"])
    shown = json.loads(run([*command, "-m", "kernport", "show", "--json"], env=environment))
    chosen = {each["family"]: each["name"] for each in shown["kernels"] if each["state"] == "chosen"}
    assert chosen == used["chosen"]
    missing = [f"{each['family']}/{each['name']}" for each in shown["kernels"] if each["state"] == "missing"]
    for name, answer in ((f"aes-gcm/{kernel}", "is chosen: "), *((name, "lacks ") for name in missing[:1])):
        assert answer in run([*command, "-m", "kernport", "show", "--why-not", name], env=environment)
    compare_with_loader(run([*command, "-S", "-c", ""], env=environment | {"LD_SHOW_AUXV": "1"}), shown)


def compare_with_loader(printed: str, shown: dict[str, Any]) -> None:
    """Hold what was read against what the loader prints: a number, or names of bits where it knows some."""
    compared = 0
    for line in printed.splitlines():
        name, _, value = line.partition(":")
        word = name.removeprefix("AT_").lower()
        if word not in ("hwcap", "hwcap2") or word not in shown["words"]:
            continue
        compared += 1
        try:
            assert shown["words"][word] == int(value, 16)
        except ValueError:
            names = value.split()
            for feature in shown["features"]:
                if feature["word"] == word:
                    named = feature["name"].replace("-", "_").replace(".", "_") in names
                    assert feature["detected"] == named, feature
    assert compared > 0
