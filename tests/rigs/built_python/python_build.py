"""Steps that building a Python from source consists of, whichever it is."""

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from email.parser import BytesHeaderParser
from pathlib import Path

from kernport.backport.source import cache_folder
from kernport.build.contents import write_zip
from kernport.build.folder import locked
from kernport.errors import AnswerNo, EnvironmentLacks

HERE = Path(__file__).resolve().parent
# Of the library in Python, what nothing here imports.
LEFT_OUT = ("test", "tests", "idlelib", "tkinter", "turtledemo", "lib2to3", "ensurepip", "__pycache__")


def kept(name: str, sources: Sequence[str], facts: Sequence[str], build: Callable[[Path], Path]) -> Path:
    """A folder of the cache, under the hash of this rig's files and some facts; built if need be.

    `build` gets a folder to work in, and returns the one below it that is kept.
    """
    key = hashlib.sha256(repr(facts).encode())
    for source in sorted({Path(__file__).name, "requirements.txt", *sources}):
        content = (HERE / source).read_bytes()
        key.update(f"{source} {len(content)}\n".encode() + content)
    home = cache_folder() / f"{name}-{key.hexdigest()[:16]}"
    with locked(home):
        if not home.is_dir():
            with tempfile.TemporaryDirectory(dir=home.parent, prefix="build.") as work:
                build(Path(work)).rename(home)
    return home


def copy_library(source: Path, build: Path, library: Path) -> None:
    """Copy the library in Python from CPython's sources, and what its build wrote for it."""
    shutil.copytree(source / "Lib", library, ignore=shutil.ignore_patterns(*LEFT_OUT))
    (library / "lib-dynload").mkdir()
    for path in (build / (build / "pybuilddir.txt").read_text()).glob("_sysconfigdata*.py"):
        shutil.copy(path, library)


@dataclass(frozen=True)
class Backend:
    """How cffi's extension is compiled: by what command, with what headers and library of libffi."""

    compiler: Sequence[str]
    includes: Sequence[Path]
    libffi: Sequence[str]


def cffi_wheels(work: Path, tag: str, backend: Backend, wheels: Path) -> None:
    """Put the wheel of cffi that its own build would make for that tag, and what it needs, into `wheels`."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps"]
    command += ["--no-binary=cffi", "--only-binary=pycparser", "--dest", str(work)]
    run([*command, "--requirement", str(HERE / "requirements.txt")], work)
    for path in work.glob("*.whl"):
        shutil.copy(path, wheels)
    (archive,) = work.glob("cffi-*.tar.gz")
    with tarfile.open(archive) as opened:
        opened.extractall(work, filter="data")
    source = work / archive.name.removesuffix(".tar.gz")
    extension = work / "_cffi_backend.so"
    command = [*backend.compiler, "-shared", "-fPIC", "-O2", "-g0", "-w"]
    command += [f"-I{path}" for path in backend.includes]
    command += ["-DFFI_BUILDING=1", "-DUSE__THREAD", "-DHAVE_SYNC_SYNCHRONIZE"]
    c_source = str(source / "src" / "c" / "_cffi_backend.c")
    run([*command, "-o", str(extension), c_source, *backend.libffi], work)
    metadata = (source / "PKG-INFO").read_bytes()
    version = BytesHeaderParser().parsebytes(metadata)["Version"]
    modules = [path for path in (source / "src" / "cffi").iterdir() if path.is_file()]
    files = {f"cffi/{path.name}": path.read_bytes() for path in modules}
    files["_cffi_backend.so"] = extension.read_bytes()
    info = f"cffi-{version}.dist-info"
    files[f"{info}/METADATA"] = metadata
    files[f"{info}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: rig\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    )
    files[f"{info}/RECORD"] = "".join(f"{name},,\n" for name in [*files, f"{info}/RECORD"]).encode()
    write_zip(wheels / f"cffi-{version}-{tag}.whl", {name: (0o644, files[name]) for name in files})


def found(tool: str, package: str) -> str:
    """The path of a tool. Raises EnvironmentLacks with the Debian package that brings it."""
    path = shutil.which(tool)
    if path is None:
        raise EnvironmentLacks(f"{tool} is missing: apt-get install {package}")
    return path


def make(build: Path, *goals: str) -> None:
    """Run make in a folder, on every processor there is."""
    run([found("make", "make"), f"-j{len(os.sched_getaffinity(0))}", *goals], build)


def run(command: Sequence[str], folder: Path) -> str:
    """Run a command in a folder; what it prints. Raises AnswerNo with its last words if it fails."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        said = "\n".join((done.stdout + done.stderr).splitlines()[-20:])
        raise AnswerNo(f"`{' '.join(command)[:200]}` failed:\n{said}")
    return done.stdout
