"""Wheels, libraries and packages made by hand, right but for what a test plants in them."""

import base64
import hashlib
import io
import itertools
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from kernport.build.audit import audit_file
from kernport.build.audit.finding import Audit
from kernport.build.audit.instructions import disassembler
from kernport.build.recipe import load_tree
from kernport.build.target import load_targets
from kernport.errors import EnvironmentLacks

ROOT = Path(__file__).resolve().parents[2]
TREE = load_tree(ROOT)
TARGETS = load_targets(TREE)
# A module that needs one function of libc, and so has a libc to be recognised by.
MODULE = '#include <stdlib.h>\nvoid *PyInit__x(void) { return getenv("X"); }\n'
HARDENED = ("-Wl,-z,relro", "-Wl,-z,now", "-Wl,-z,noexecstack")
INFO = "planted-1.0.dist-info"
SOME_MODE = 0o644
STABLE_ABI = "cp311-abi3"


def compile_zig(folder: Path, target: str, source: str, *flags: str, suffix: str = ".c") -> bytes:
    """Compile a source, linked to a shared library unless a flag is -c; returns the file."""
    path, output = folder / f"source{suffix}", folder / "output"
    path.write_text(source, encoding="utf-8")
    link = () if "-c" in flags else ("-shared", "-fPIC", *HARDENED)
    command = [sys.executable, "-m", "ziglang", "cc", "-target", target, "-O1", "-g0", *link, *flags]
    process = subprocess.run(
        [*command, "-o", str(output), str(path)], capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, process.stderr
    return output.read_bytes()


def wheel_files(
    tag: str, library: bytes, name: str = "_x.abi3.so", kind: str = STABLE_ABI
) -> dict[str, bytes]:
    """The files of a right wheel but its RECORD, by name."""
    pythons, abis = kind.split("-")
    tags = itertools.product(pythons.split("."), abis.split("."), tag.split("."))
    return {
        name: library,
        f"{INFO}/METADATA": b"Metadata-Version: 2.4\nName: planted\nVersion: 1.0\n"
        b"License-Expression: BSD-2-Clause\nLicense-File: LICENSE\n",
        f"{INFO}/WHEEL": b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: false\n"
        + "".join(f"Tag: {'-'.join(each)}\n" for each in tags).encode(),
        f"{INFO}/licenses/LICENSE": b"BSD 2-Clause\n",
        f"{INFO}/sboms/planted.cdx.json": b'{"bomFormat": "CycloneDX", "specVersion": "1.6"}',
    }


def record_of(files: dict[str, bytes]) -> bytes:
    """The RECORD of some files."""
    lines = []
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(content)}")
    return "\n".join([*lines, f"{INFO}/RECORD,,", ""]).encode()


def write_wheel(
    folder: Path,
    tag: str,
    files: dict[str, bytes],
    record: bytes | None = None,
    modes: dict[str, int] | None = None,
    kind: str = STABLE_ABI,
) -> Path:
    """Write a wheel of those files, with their own RECORD unless another is given."""
    path = folder / f"planted-1.0-{kind}-{tag}.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in {**files, f"{INFO}/RECORD": record or record_of(files)}.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (0o100000 | (modes or {}).get(name, SOME_MODE)) << 16
            archive.writestr(entry, content)
    return path


def write_deb(folder: Path, architecture: str, depends: str, files: dict[str, bytes]) -> Path:
    """Write a Debian package of those files."""
    control = f"Package: planted\nVersion: 1.0\nArchitecture: {architecture}\nDepends: {depends}\n".encode()
    parts = {
        "debian-binary": b"2.0\n",
        "control.tar.gz": tar_gz({"./control": control}),
        "data.tar.gz": tar_gz(files),
    }
    path = folder / "planted.deb"
    with path.open("wb") as out:
        out.write(b"!<arch>\n")
        for name, content in parts.items():
            out.write(f"{name:<16}{0:<12}{0:<6}{0:<6}{'100644':<8}{len(content):<10}`\n".encode())
            out.write(content + b"\n" * (len(content) % 2))
    return path


def tar_gz(files: dict[str, bytes]) -> bytes:
    """A tar archive of files, compressed by gzip."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return buffer.getvalue()


def audit(path: Path) -> Audit:
    """Audit a file by this tree's recipes."""
    return audit_file(path, TREE, list(TARGETS.values()))


def need_disassembler() -> None:
    """Skip a test that needs llvm-objdump where there is none."""
    try:
        disassembler()
    except EnvironmentLacks as error:
        pytest.skip(str(error))
