"""A free-threaded Python for this machine, of which Debian packages none: built from its source package.

It is 3.13, the newest whose source was to be had. As a program, this prints a folder with Python, its pip
and its headers in usr/, and in wheels/ a cffi for it: PyPI has that for 3.14 and later only, and its own
build refuses an older one. What is built stays in the cache.
"""

import os
import shutil
import sys
import zipfile
from pathlib import Path

from python_build import Backend, cffi_wheels, copy_library, found, kept, make, run

from kernport.backport.series import DebianSource
from kernport.backport.source import from_debian
from kernport.errors import EnvironmentLacks, KernportError

SOURCE = DebianSource("python3.13", "forky", "3.13")
ABI = "cp313t"
NAME = "python3.13t"


def free_threaded_python() -> Path:
    """The folder, built if need be. Raises EnvironmentLacks without a tool, AnswerNo if one fails."""
    compiler = found("gcc", "gcc")
    facts = [os.uname().machine, run([compiler, "-dumpfullversion"], Path())]
    return kept(f"{NAME}-{os.uname().machine}", [Path(__file__).name], facts, _build)


def _build(work: Path) -> Path:
    for header, package in (("zlib.h", "zlib1g-dev"), ("ffi.h", "libffi-dev")):
        if not _has_header(header, work):
            raise EnvironmentLacks(f"{header} is missing: apt-get install {package}")
    source, build, root = from_debian(SOURCE), work / "python", work / "root"
    for folder in ("usr/bin", "usr/lib", "usr/include", "wheels"):
        (root / folder).mkdir(parents=True)
    build.mkdir()
    options = ["--disable-gil", "--prefix=/usr", "--without-ensurepip", "--disable-test-modules"]
    run([str(source / "configure"), *options, "OPT=-DNDEBUG -O2"], build)
    make(build)
    shutil.copy(build / "python", root / "usr" / "bin" / NAME)
    library = root / "usr" / "lib" / NAME
    copy_library(source, build, library)
    for path in (build / (build / "pybuilddir.txt").read_text()).glob("*.so"):
        shutil.copy(path, library / "lib-dynload")
    (pip,) = (source / "Lib" / "ensurepip" / "_bundled").glob("pip-*.whl")
    with zipfile.ZipFile(pip) as archive:
        archive.extractall(library / "site-packages")
    headers = root / "usr" / "include" / NAME
    shutil.copytree(source / "Include", headers)
    shutil.copy(build / "pyconfig.h", headers)
    backend = Backend([found("gcc", "gcc")], [headers], ["-lffi"])
    cffi_wheels(work, f"{ABI.removesuffix('t')}-{ABI}-linux_{os.uname().machine}", backend, root / "wheels")
    return root


def _has_header(name: str, work: Path) -> bool:
    source = work / "header.c"
    source.write_text(f"#include <{name}>\n", encoding="utf-8")
    try:
        run([found("gcc", "gcc"), "-fsyntax-only", str(source)], work)
    except KernportError:
        return False
    return True


if __name__ == "__main__":
    try:
        print(free_threaded_python())
    except KernportError as error:
        print(f"{Path(__file__).name}: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
