"""A Python for big-endian POWER of ELF ABI version 2, of which there is none to fetch: built from source.

musl, zlib, libffi and CPython are Debian's source packages, whose signatures apt checks; cffi comes from
PyPI by its hash. `zig cc` compiles all for powerpc64-linux-musl. As a program, this prints a folder as
qemu-user's -L takes it: the loader in lib/, Python in usr/, and in wheels/ what an index there would have
beside the package. What is built stays in the cache, under the hash of these files and zig's version.
"""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Mapping, Sequence
from email.parser import BytesHeaderParser
from pathlib import Path

from kernport.backport.series import DebianSource
from kernport.backport.source import cache_folder, from_debian
from kernport.build.contents import write_zip
from kernport.build.folder import locked
from kernport.errors import AnswerNo, EnvironmentLacks, KernportError

HERE = Path(__file__).resolve().parent
TRIPLE = "powerpc64-linux-musl"
LOADER = "ld-musl-powerpc64.so.1"
PLATFORM = "linux_ppc64"
SOURCES = {
    "musl": DebianSource("musl", "trixie", "1.2.5"),  # the version whose functions zig's headers declare
    "zlib": DebianSource("zlib", "bookworm", "1.2.13"),
    "libffi": DebianSource("libffi", "bookworm", "3.4.4"),
    "python": DebianSource("python3.11", "bookworm", "3.11.2"),
}
# Of the library in Python, what nothing here imports.
LEFT_OUT = ("test", "tests", "idlelib", "tkinter", "turtledemo", "lib2to3", "ensurepip", "__pycache__")


def elfv2_python() -> Path:
    """The folder, built if need be. Raises EnvironmentLacks without a tool, AnswerNo if a step fails."""
    key = hashlib.sha256()
    for path in sorted(HERE.iterdir()):
        if path.is_file():
            key.update(f"{path.name} {path.stat().st_size}\n".encode() + path.read_bytes())
    key.update(_run([_zig(), "version"], Path()).encode())
    home = cache_folder() / f"elfv2-python-{key.hexdigest()[:16]}"
    with locked(home):
        if not home.is_dir():
            with tempfile.TemporaryDirectory(dir=home.parent, prefix="build.") as work:
                _build(Path(work)).rename(home)
    return home


def _build(work: Path) -> Path:
    python = _build_python()
    trees = {name: from_debian(source) for name, source in SOURCES.items()}
    root = work / "root"
    for folder in ("lib", "usr/bin", "usr/lib", "wheels"):
        (root / folder).mkdir(parents=True)
    tools = {"CC": f"{_zig()} cc -target {TRIPLE}", "AR": f"{_zig()} ar", "RANLIB": "true"}
    _musl(trees["musl"], work / "musl", tools, root)
    _zlib(trees["zlib"], work / "zlib", tools)
    _libffi(trees["libffi"], work / "libffi", tools)
    _python(trees, work, tools, python, root)
    _cffi(trees["python"], work, tools, root)
    return root


def _musl(source: Path, build: Path, tools: Mapping[str, str], root: Path) -> None:
    build.mkdir()
    # Products of complex numbers without the compiler's library, since below none is linked.
    settings = [f"{name}={value}" for name, value in {**tools, "CFLAGS": "-fcx-limited-range"}.items()]
    _run([str(source / "configure"), f"--target={TRIPLE}", *settings], build)
    _make(build, "lib/libc.so")
    # Linked again: `zig cc` takes memcpy, sin and others from a library of its own, and exports them no more.
    options = ["-shared", "--no-undefined", "--hash-style=both", f"--dynamic-list={source / 'dynamic.list'}"]
    objects = sorted(map(str, (build / "obj").rglob("*.lo")))
    _run([_zig(), "ld.lld", *options, "-e", "_dlstart", "-o", str(root / "lib" / LOADER), *objects], build)


def _zlib(source: Path, build: Path, tools: Mapping[str, str]) -> None:
    build.mkdir()
    sources = sorted(source.glob("*.c"))
    for path in sources:
        _run([*tools["CC"].split(), "-c", "-O2", "-g0", "-fPIC", "-DHAVE_UNISTD_H", str(path)], build)
    _run([*tools["AR"].split(), "rcs", "libz.a", *(f"{path.stem}.o" for path in sources)], build)


def _libffi(source: Path, build: Path, tools: Mapping[str, str]) -> None:
    build.mkdir()
    # Nothing static, even where configure only tries: zig would build all of its own libc for it.
    flags = {"CFLAGS": "-O2 -g0", "LDFLAGS": "-dynamic", "lt_cv_prog_compiler_static_works": "no"}
    settings = [f"{name}={value}" for name, value in {**tools, **flags}.items()]
    options = [f"--host={TRIPLE}", "--disable-shared", "--with-pic", "--disable-docs"]
    _run([str(source / "configure"), *options, "--disable-multi-os-directory", *settings], build)
    _make(build)


def _python(
    trees: Mapping[str, Path], work: Path, tools: Mapping[str, str], build_python: str, root: Path
) -> None:
    build = work / "python"
    build.mkdir()
    settings = {
        **tools,
        "READELF": _found("readelf", "binutils"),  # by its bare name it would be taken for the wrong one
        "OPT": "-DNDEBUG -O2",
        "CFLAGS": "-g0 -Wno-date-time",
        "LDFLAGS": "-dynamic",
        "ac_cv_file__dev_ptmx": "no",
        "ac_cv_file__dev_ptc": "no",
    }
    options = [f"--host={TRIPLE}", f"--build={os.uname().machine}-linux-gnu", "--prefix=/usr"]
    options += [f"--with-build-python={build_python}", "--with-pkg-config=no", "--without-ensurepip"]
    options += ["--disable-ipv6", "--disable-test-modules"]
    configure = str(trees["python"] / "configure")
    _run([configure, *options, *(f"{name}={value}" for name, value in settings.items())], build)
    modules = f"ZLIB_SOURCE={trees['zlib']}\nZLIB_BUILD={work / 'zlib'}\n"
    modules += (HERE / "Setup.local").read_text(encoding="utf-8")
    (build / "Modules" / "Setup.local").write_text(modules, encoding="utf-8")
    _make(build, "python", "pybuilddir.txt")
    shutil.copy(build / "python", root / "usr" / "bin" / "python3.11")
    library = root / "usr" / "lib" / "python3.11"
    shutil.copytree(trees["python"] / "Lib", library, ignore=shutil.ignore_patterns(*LEFT_OUT))
    (library / "lib-dynload").mkdir()
    for path in (build / (build / "pybuilddir.txt").read_text()).glob("_sysconfigdata*.py"):
        shutil.copy(path, library)
    # Under emulation compiling takes long.
    _run([build_python, "-m", "compileall", "-q", "-j2", "--invalidation-mode=unchecked-hash", "."], library)


def _cffi(python: Path, work: Path, tools: Mapping[str, str], root: Path) -> None:
    """Make the wheel of cffi that its own build would make, and put it and what it needs into wheels/."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps"]
    command += ["--no-binary=cffi", "--only-binary=pycparser", "--dest", str(work)]
    _run([*command, "--requirement", str(HERE / "requirements.txt")], work)
    for path in work.glob("*.whl"):
        shutil.copy(path, root / "wheels")
    (archive,) = work.glob("cffi-*.tar.gz")
    with tarfile.open(archive) as opened:
        opened.extractall(work, filter="data")
    source = work / archive.name.removesuffix(".tar.gz")
    extension = work / "_cffi_backend.so"
    paths = [work / "libffi" / "include", python / "Include", work / "python"]  # the last has pyconfig.h
    command = [*tools["CC"].split(), "-shared", "-fPIC", "-O2", "-g0", "-w", *(f"-I{path}" for path in paths)]
    command += ["-DFFI_BUILDING=1", "-DUSE__THREAD", "-DHAVE_SYNC_SYNCHRONIZE"]
    libraries = [str(work / "libffi" / ".libs" / "libffi.a")]
    _run([*command, "-o", str(extension), str(source / "src" / "c" / "_cffi_backend.c"), *libraries], work)
    metadata = (source / "PKG-INFO").read_bytes()
    version = BytesHeaderParser().parsebytes(metadata)["Version"]
    tag = f"cp311-cp311-{PLATFORM}"
    modules = [path for path in (source / "src" / "cffi").iterdir() if path.is_file()]
    files = {f"cffi/{path.name}": path.read_bytes() for path in modules}
    files["_cffi_backend.so"] = extension.read_bytes()
    info = f"cffi-{version}.dist-info"
    files[f"{info}/METADATA"] = metadata
    files[f"{info}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: rig\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    )
    files[f"{info}/RECORD"] = "".join(f"{name},,\n" for name in [*files, f"{info}/RECORD"]).encode()
    write_zip(root / "wheels" / f"cffi-{version}-{tag}.whl", {name: (0o644, files[name]) for name in files})


def _build_python() -> str:
    """A Python of the version that is built, which runs here: CPython is built with its help."""
    found = sys.executable if sys.version_info[:2] == (3, 11) else shutil.which("python3.11")
    if found is None:
        raise EnvironmentLacks(
            "python3.11 is missing, with which its like is built: apt-get install python3.11"
        )
    return found


def _zig() -> str:
    package = importlib.util.find_spec("ziglang")
    if package is None or package.origin is None:
        raise EnvironmentLacks("zig is missing: pip install ziglang")
    return str(Path(package.origin).parent / "zig")


def _found(tool: str, package: str) -> str:
    path = shutil.which(tool)
    if path is None:
        raise EnvironmentLacks(f"{tool} is missing: apt-get install {package}")
    return path


def _make(build: Path, *goals: str) -> None:
    _run([_found("make", "make"), f"-j{len(os.sched_getaffinity(0))}", *goals], build)


def _run(command: Sequence[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        said = "\n".join((done.stdout + done.stderr).splitlines()[-20:])
        raise AnswerNo(f"`{' '.join(command)[:200]}` failed:\n{said}")
    return done.stdout


if __name__ == "__main__":
    try:
        print(elfv2_python())
    except KernportError as error:
        print(f"{Path(__file__).name}: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
