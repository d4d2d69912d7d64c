"""A PC with AVX-512 that Bochs emulates: runs a program without an operating system, returns what it says."""

import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

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


def need() -> None:
    """Skip the test where the emulator or its boot loader is missing."""
    lacking = [package for tool, package in PACKAGES.items() if shutil.which(tool) is None]
    lacking += [
        package
        for file, package in ((LOADER, "isolinux"), (MODULES / "mboot.c32", "syslinux-common"))
        if not file.exists()
    ]
    if lacking:
        pytest.skip(f"the emulator or its boot loader is missing: apt-get install {' '.join(lacking)}")


def compile_all(folder: Path, roots: list[Path], sources: list[Path]) -> list[str]:
    """The names of the objects in the folder; headers are sought in it and in the roots."""
    includes = [argument for root in (folder, *roots) for argument in ("-I", str(root))]
    objects = []
    for number, source in enumerate([*sources, HERE / "bare.c", HERE / "start.S"]):
        objects.append(f"{number}.o")
        run(folder, "gcc", *FLAGS, *includes, "-c", source, "-o", objects[-1])
    return objects


def boot(folder: Path, objects: list[str]) -> list[str]:
    """Link what bare.h declares with a program, run it on a Tiger Lake; the lines that it says."""
    run(
        folder, "ld", "--gc-sections", "--no-warn-rwx-segments", "-z", "noexecstack",
        "-T", str(HERE / "program.ld"), "-o", "program.elf", *objects,
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
    (folder / "bochsrc").write_text(CONFIGURATION, encoding="utf-8")
    # Debian's Bochs stops in its debugger at first.
    (folder / "commands").write_text("c\n", encoding="utf-8")
    emulator = shlex.join(["bochs", "-q", "-f", "bochsrc", "-rc", "commands"])
    subprocess.run(
        ["script", "-qec", emulator, "/dev/null"],
        cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=900,
        env={**os.environ, "TERM": "xterm"},
    )  # fmt: skip
    return (folder / "serial.txt").read_text(encoding="latin-1").splitlines()
