"""debs in whole systems of their architectures: installed by dpkg and apt, used, gone without a trace."""

import json
from pathlib import Path

import foreign_system
import pytest
from emulated import MD5
from foreign_system import TARGETS

from kernport.build.everything.apt import write_repository

POWER8, POWER9 = "power8-crypto", "power9-crypto"
# target, Debian's suite, and the AES-GCM kernel to be chosen on each of some processors of qemu's
SYSTEMS = [
    ("x86_64-linux-gnu", "bookworm", {}),
    ("powerpc64le-linux-gnu", "bookworm", {"power8": POWER8, "power9": POWER9}),
    ("aarch64-linux-gnu", "bookworm", {"cortex-a72": "armv8-crypto", "max": "armv8-eor3"}),
    ("s390x-linux-gnu", "bookworm", {"max": "portable"}),  # qemu has none of CPACF's AES
    # Debian 12 has no riscv64.
    (
        "riscv64-linux-gnu",
        "trixie",
        {"rv64,v=true,vlen=128,zvkb=true,zvkned=true,zvkg=true": "zvkned-zvkg", "rv64": "portable"},
    ),
]
QUICK = ("powerpc64le-linux-gnu",)
LIBRARY = """
import ctypes
library = ctypes.CDLL("libkernport.so.0")
state, digest = ctypes.c_void_p(), ctypes.create_string_buffer(16)
assert library.kp_md5_new(ctypes.byref(state), None) == 0
library.kp_md5_update(state, b"abc", ctypes.c_size_t(3))
library.kp_md5_digest(state, digest)
library.kp_md5_free(state)
print(digest.raw.hex())
"""

pytestmark = pytest.mark.xdist_group("packages")


@pytest.mark.parametrize(
    ("target", "suite", "choices"),
    [pytest.param(*row, id=row[0], marks=[] if row[0] in QUICK else [pytest.mark.long]) for row in SYSTEMS],
)
def test_it_is_installed_used_and_removed(
    target: str, suite: str, choices: dict[str, str], tmp_path: Path
) -> None:
    row = TARGETS[target]
    here = foreign_system.system(row, suite, tmp_path)
    faults = here.run("dpkg", "--audit")
    pool = here.shared / "deb" / "pool" / "main"
    built = foreign_system.build("deb", target, pool)
    packages = sorted(path.name.partition("_")[0] for path in built)

    # By dpkg, all at once.
    here.run("dpkg", "-i", *(f"/mnt/deb/pool/main/{path.name}" for path in built))
    assert here.run("dpkg", "--audit") == faults
    assert here.run("dpkg", "--verify", *packages) == ""
    assert here.run("python3", "-c", LIBRARY).strip() == dict(MD5)["abc"]
    used = here.use()
    assert used["byteorder"] == row.variant.endian
    here.run("dpkg", "--purge", *packages)
    assert here.left() == set()

    # By apt, from a repository, with what each needs of the others.
    write_repository(foreign_system.TREE, here.shared / "deb")
    here.apt("update")
    policy = here.apt("--simulate", "install", *packages)
    version, arch = foreign_system.TREE.version, row.packages["deb"]
    for name in packages:
        assert f"Inst {name} ({version}-1 kernport:{version}/stable [{arch}])" in policy
    here.apt("install", "libkernport-dev")
    assert here.run("dpkg-query", "-W", "-f", "${Status}", "libkernport0") == "install ok installed"
    here.apt("install", "python3-kernport")
    assert here.run("dpkg", "--audit") == faults
    for cpu, kernel in choices.items():
        shown = json.loads(here.run("kernport", "show", "--json", cpu=cpu))
        chosen = {each["family"]: each["name"] for each in shown["kernels"] if each["state"] == "chosen"}
        assert chosen["aes-gcm"] == kernel
        assert here.use(cpu)["chosen"] == chosen
    here.apt("purge", *packages)
    assert here.left() == set()
