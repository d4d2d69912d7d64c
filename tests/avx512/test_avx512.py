"""The x86-64 kernels on an emulated processor with AVX-512: Bochs, and no operating system."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kernport.build.recipe import load_tree

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
LOADER = Path("/usr/lib/ISOLINUX/isolinux.bin")
MODULES = Path("/usr/lib/syslinux/modules/bios")
PACKAGES = {
    "bochs": "bochs bochs-term bochsbios vgabios",
    "xorriso": "xorriso",
    "script": "bsdutils",
    "gcc": "gcc",
    "objcopy": "binutils",
}
FLAGS = [
    "-O2",
    "-std=gnu11",
    "-ffreestanding",
    "-fno-pic",
    "-fno-stack-protector",
    "-fcf-protection=none",
    "-mno-red-zone",
    "-mno-avx",
    "-ffunction-sections",
    "-fno-tree-loop-distribute-patterns",
]

CONFIGURATION = """\
megs: 256
romimage: file=/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file=/usr/share/bochs/VGABIOS-lgpl-latest
cpu: model=tigerlake, count=1, ips=100000000, reset_on_triple_fault=0
ata0: enabled=1
ata0-master: type=cdrom, path=boot.iso, status=inserted
boot: cdrom
com1: enabled=1, mode=file, dev=serial.txt
display_library: term
log: bochs.log
panic: action=fatal
clock: sync=none
"""


def run(folder: Path, *command: str | Path) -> str:
    """What a command prints; its error output if it fails."""
    process = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert process.returncode == 0, f"{command}: {process.stdout}{process.stderr}"
    return process.stdout


def corrected_sources(folder: Path) -> Path:
    """A copy of the sources for Bochs 2.7, which complements what gf2p8affineqb returns.

    The instruction's immediate, which is added to the result, undoes that.
    """
    for name in ("native", "dispatch", "tests/avx512"):
        shutil.copytree(ROOT / name, folder / "tree" / name)
    changed = 0
    for path in (folder / "tree" / "native").rglob("*.[hS]"):
        text, count = re.subn(
            r"^(\s*vgf2p8affineqb .*), 0$", r"\1, 255", path.read_text(encoding="utf-8"), flags=re.M
        )
        path.write_text(text, encoding="utf-8")
        changed += count
    assert changed > 0
    return folder / "tree"


def build(folder: Path) -> None:
    """Compiles the kernels, their self-tests and program.c, and writes boot.iso."""
    tree = corrected_sources(folder)
    table = [sys.executable, str(ROOT / "dispatch" / "table.py")]
    sources = run(folder, *table, "sources", "x86_64").split()
    run(folder, *table, "generate", "x86_64", folder)
    shutil.copy(tree / "dispatch" / "report.h", folder / "kernport_dispatch.h")
    objects = []
    for number, source in enumerate(
        [*sources, "dispatch/features.c", "tests/avx512/program.c", "tests/avx512/start.S"]
    ):
        objects.append(f"{number}.o")
        includes = ["-I", str(folder), "-I", str(tree), "-I", str(tree / "native" / "include")]
        run(folder, "gcc", *FLAGS, *includes, "-c", str(tree / source), "-o", objects[-1])
    tables = ["-I", str(folder), "-I", str(tree), "-I", str(tree / "native" / "include"), "-c", "tables.c"]
    run(folder, "gcc", *FLAGS, *tables, "-o", "tables.o")
    run(
        folder, "ld", "--gc-sections", "--no-warn-rwx-segments", "-z", "noexecstack",
        "-T", str(HERE / "program.ld"), "-o", "program.elf", "tables.o", *objects,
    )  # fmt: skip
    run(folder, "objcopy", "-O", "binary", "program.elf", "program.bin")
    loader = folder / "disc" / "isolinux"
    loader.mkdir(parents=True)
    shutil.copy(LOADER, loader)
    for module in ("ldlinux.c32", "mboot.c32", "libcom32.c32"):
        shutil.copy(MODULES / module, loader)
    shutil.copy(folder / "program.bin", folder / "disc")
    (loader / "isolinux.cfg").write_text(
        "DEFAULT kernels\nPROMPT 0\nTIMEOUT 1\nLABEL kernels\n KERNEL mboot.c32\n APPEND /program.bin\n",
        encoding="utf-8",
    )
    run(
        folder, "xorriso", "-as", "mkisofs", "-quiet", "-o", "boot.iso", "-b", "isolinux/isolinux.bin",
        "-c", "isolinux/boot.cat", "-no-emul-boot", "-boot-load-size", "4", "-boot-info-table", "disc",
    )  # fmt: skip


@pytest.mark.long
def test_kernels_on_an_emulated_tiger_lake(tmp_path: Path) -> None:
    lacking = [package for tool, package in PACKAGES.items() if shutil.which(tool) is None]
    lacking += [
        package
        for file, package in ((LOADER, "isolinux"), (MODULES / "mboot.c32", "syslinux-common"))
        if not file.exists()
    ]
    if lacking:
        pytest.skip(f"the emulator or its boot loader is missing: apt-get install {' '.join(lacking)}")
    build(tmp_path)
    (tmp_path / "bochsrc").write_text(CONFIGURATION, encoding="utf-8")
    # Debian's Bochs stops in its debugger at first.
    (tmp_path / "commands").write_text("c\n", encoding="utf-8")
    emulator = shlex.join(["bochs", "-q", "-f", "bochsrc", "-rc", "commands"])
    subprocess.run(
        ["script", "-qec", emulator, "/dev/null"],
        cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=900,
        env={**os.environ, "TERM": "xterm"},
    )  # fmt: skip
    said = (tmp_path / "serial.txt").read_text(encoding="latin-1").splitlines()
    assert said[-1] == "passed", said
    tree = load_tree(ROOT)
    kernels = {f"{f.name}/{k.name}" for f in tree.families for k in f.kernels if k.runs_on("x86_64")}
    assert set(said[:-1]) == kernels
