"""Detection on a RISC-V Linux of its own, in an emulated machine: plain, without hwprobe, without vectors."""

import shutil
import subprocess
from pathlib import Path

import pytest

from kernport.build.native import NativeBuild
from kernport.build.recipe import load_tree
from kernport.build.target import load_targets
from kernport.build.toolchain import compiler
from kernport.judge import judge
from tests.dispatch.conftest import ROOT

pytestmark = pytest.mark.long
TARGET = "riscv64-linux-musl"
QEMU = "qemu-system-riscv64"
RIG = ROOT / "tests" / "rigs" / "riscv64-linux.sh"
VLENB = 32
# Linux Documentation/arch/riscv/hwprobe.rst: V, Zbb, Zvkned of key RISCV_HWPROBE_KEY_IMA_EXT_0.
V, ZBB, ZVKNED = 1 << 2, 1 << 4, 1 << 21


def archive(program: Path) -> bytes:
    """An initial file system with one file, /init, in cpio's format "newc" (cpio(5))."""

    def member(name: bytes, mode: int, data: bytes) -> bytes:
        fields = (0, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0)
        head = b"070701" + b"".join(b"%08X" % field for field in fields) + name + b"\0"
        return head + bytes(-len(head) % 4) + data + bytes(-len(data) % 4)

    return member(b"init", 0o100755, program.read_bytes()) + member(b"TRAILER!!!", 0, b"")


@pytest.fixture(scope="module")
def accounts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The lines of each account that tests/dispatch/hwprobe_init.c prints, by its name."""
    if shutil.which(QEMU) is None:
        pytest.skip(f"{QEMU} is missing: apt-get install qemu-system-riscv")
    kernel = subprocess.run([str(RIG)], capture_output=True, text=True, check=False, timeout=600)
    if kernel.returncode == 3:
        pytest.skip(kernel.stderr.strip())
    assert kernel.returncode == 0, kernel.stderr
    folder = tmp_path_factory.mktemp("linux")
    tree = load_tree(ROOT)
    target = load_targets(tree)[TARGET]
    NativeBuild(tree, target, folder / "build").build(["-Dpython=false", "--default-library=static"])
    headers = (ROOT / "native" / "include", folder / "build" / "dispatch")
    command = [*compiler(target), "-static", "-O2", *(f"-I{each}" for each in headers)]
    library = folder / "build" / f"lib{tree.name}.a"
    sources = [str(ROOT / "tests" / "dispatch" / "hwprobe_init.c"), str(library)]
    subprocess.run([*command, *sources, "-o", str(folder / "init")], check=True, timeout=300)
    (folder / "initrd").write_bytes(archive(folder / "init"))
    machine = [QEMU, "-M", "virt", "-cpu", f"max,vlen={8 * VLENB}", "-m", "512M", "-nographic", "-no-reboot"]
    files = ["-kernel", kernel.stdout.strip(), "-initrd", str(folder / "initrd")]
    started = subprocess.run(
        [*machine, *files, "-append", "console=ttyS0 quiet panic=-1"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        timeout=1200,
    )
    parts = started.stdout.replace("\r", "").split("== ")
    assert parts[-1].startswith("end\n"), started.stdout + started.stderr
    return {part.partition("\n")[0]: part.splitlines()[1:] for part in parts[1:-1]}


def words(lines: list[str]) -> dict[str, int]:
    """The words of an account, all of whose features and kernels must follow from them."""
    assert lines[-1] == "status 0"
    rows = [line.split() for line in lines]
    found = {row[1]: int(row[2], 16) for row in rows if row[0] == "word"}
    judged = judge("riscv64", found)
    assert {row[1] for row in rows if row[0] == "feature" and row[2] == "yes"} == {
        feature.name for feature in judged.features if feature.detected
    }
    assert {row[1]: row[2].rstrip(":") for row in rows if row[0] == "kernel"} == {
        f"{kernel.family}/{kernel.name}": kernel.state for kernel in judged.kernels
    }
    return found


def test_plainly(accounts: dict[str, list[str]]) -> None:
    found = words(accounts["plain"])
    assert found["hwprobe_ima_ext_0"] & (V | ZBB | ZVKNED) == V | ZBB | ZVKNED
    assert found["vlenb"] == VLENB


def test_a_seccomp_filter_refuses_hwprobe(accounts: dict[str, list[str]]) -> None:
    found = words(accounts["refused"])
    assert found == words(accounts["plain"]) | {
        "hwprobe_ima_ext_0": 0,
        "hwprobe_misaligned_scalar_perf": 0,
        "vlenb": 0,
    }


def test_vectors_are_forbidden(accounts: dict[str, list[str]]) -> None:
    """Reading vlenb would end the process with SIGILL here."""
    found = words(accounts["forbidden"])
    assert found["hwprobe_ima_ext_0"] & V
    assert found["vector_control"] & 3 == 1  # PR_RISCV_V_VSTATE_CTRL_OFF
    assert found["vlenb"] == 0
