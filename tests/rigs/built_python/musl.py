"""A Python on musl, of which there is none to fetch, for targets of 64 bits: built from source.

musl, zlib, libffi and CPython are Debian's source packages, whose signatures apt checks; cffi comes from
PyPI by its hash. `zig cc` compiles all for the target. As a program with a target's name, this prints a
folder as qemu-user's -L and in-root.sh take it: the loader in lib/, Python in usr/, and in wheels/ what an
index there would have beside the package. What is built stays in the cache.
"""

import importlib.util
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from python_build import Backend, cffi_wheels, copy_library, found, kept, make, run

from kernport.backport.series import DebianSource
from kernport.backport.source import from_debian
from kernport.build.recipe import load_tree
from kernport.build.target import Target, load_targets
from kernport.errors import EnvironmentLacks, KernportError, UsageError

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SOURCES = {
    "musl": DebianSource("musl", "trixie", "1.2.5"),  # the version whose functions zig's headers declare
    "zlib": DebianSource("zlib", "bookworm", "1.2.13"),
    "libffi": DebianSource("libffi", "bookworm", "3.4.4"),
    "python": DebianSource("python3.11", "bookworm", "3.11.2"),
}
# What in-root.sh mounts there.
MOUNTED = ("dev", "mnt", "proc", "tmp")


def musl_python(target: Target) -> Path:
    """A target's folder, built if need be. Raises EnvironmentLacks without a tool, AnswerNo if one fails."""
    facts = [run([_zig(), "version"], Path()), target.zig, *target.flags, target.wheel_tag]
    sources = [Path(__file__).name, "Setup.local"]
    return kept(f"python-{target.name}", sources, facts, lambda work: _build(target, work))


def _build(target: Target, work: Path) -> Path:
    python = _build_python()
    trees = {name: from_debian(source) for name, source in SOURCES.items()}
    root = work / "root"
    for folder in ("lib", "usr/bin", "usr/lib", "wheels", *MOUNTED):
        (root / folder).mkdir(parents=True)
    tools = {"CC": _compiler(target), "AR": f"{_zig()} ar", "RANLIB": "true"}
    _musl(target, trees["musl"], work / "musl", tools, root)
    _zlib(trees["zlib"], work / "zlib", tools)
    _libffi(target, trees["libffi"], work / "libffi", tools)
    _python(target, trees, work, tools, python, root)
    includes = [work / "libffi" / "include", trees["python"] / "Include", work / "python"]  # pyconfig.h
    libffi = [str(work / "libffi" / ".libs" / "libffi.a")]
    backend = Backend(tools["CC"].split(), includes, libffi)
    cffi_wheels(work, f"cp311-cp311-{target.wheel_tag}", backend, root / "wheels")
    return root


def _musl(target: Target, source: Path, build: Path, tools: Mapping[str, str], root: Path) -> None:
    (build / "fixed").mkdir(parents=True)
    flags = "-fcx-limited-range"  # products of complex numbers by no function of the compiler's
    if target.variant.name == "s390x":
        # The jump into the program names any register, and clang takes 0, by which nothing jumps.
        header = (source / "arch" / "s390x" / "reloc.h").read_text(encoding="utf-8")
        (build / "fixed" / "reloc.h").write_text(header.replace('"r"(pc)', '"a"(pc)'), encoding="utf-8")
        flags += " -iquote fixed"
    settings = [f"{name}={value}" for name, value in {**tools, "CFLAGS": flags}.items()]
    run([str(source / "configure"), f"--target={target.zig}", *settings], build)
    # `zig cc` would link memcpy, sin and others of its own library, and export them no more. It knows no list
    # of what programs may replace either, without which s390x's assembly cannot be linked.
    (build / "objects.mk").write_text("include Makefile\nobjects: $(LOBJS) $(LDSO_OBJS)\n", encoding="utf-8")
    make(build, "--file=objects.mk", "objects")
    objects = sorted(map(str, (build / "obj").rglob("*.lo")))
    options = ["-shared", "--no-undefined", "--hash-style=both", f"--dynamic-list={source / 'dynamic.list'}"]
    options += ["-e", "_dlstart", "-o", str(root / "lib" / f"ld-musl-{target.variant.name}.so.1")]
    run([_zig(), "ld.lld", *options, *objects, str(_long_double(target, build))], build)


def _long_double(target: Target, build: Path) -> Path:
    """The compiler's functions for a long double of 128 bits, where the processor has no instructions."""
    source, archive = build / "empty.zig", build / "long-double.a"
    source.write_text("", encoding="utf-8")
    command = [_zig(), "build-lib", "-target", target.zig, *target.flags, "-fcompiler-rt", "-fPIC"]
    run([*command, "-OReleaseSmall", f"-femit-bin={archive}", str(source)], build)
    # Its memcpy, sin and others are hidden, by which the linker would hide musl's, too.
    objcopy = found("llvm-objcopy-19", "llvm-19")
    run([objcopy, "--wildcard", "--keep-global-symbol=__*tf*", str(archive)], build)
    return archive


def _zlib(source: Path, build: Path, tools: Mapping[str, str]) -> None:
    build.mkdir()
    sources = sorted(source.glob("*.c"))
    for path in sources:
        run([*tools["CC"].split(), "-c", "-O2", "-g0", "-fPIC", "-DHAVE_UNISTD_H", str(path)], build)
    run([*tools["AR"].split(), "rcs", "libz.a", *(f"{path.stem}.o" for path in sources)], build)


def _libffi(target: Target, source: Path, build: Path, tools: Mapping[str, str]) -> None:
    build.mkdir()
    # Nothing static, even where configure only tries: zig would build all of its own libc for it.
    flags = {"CFLAGS": "-O2 -g0", "LDFLAGS": "-dynamic", "lt_cv_prog_compiler_static_works": "no"}
    # The assembly for s390x calls functions in C in a way that is for hidden ones.
    flags["CFLAGS"] += " -fvisibility=hidden"
    # LLVM's type of .eh_frame: to find it out, configure would have zig build a static libc, too.
    flags["libffi_cv_as_x86_64_unwind_section_type"] = "yes"
    settings = [f"{name}={value}" for name, value in {**tools, **flags}.items()]
    options = [f"--host={target.zig}", "--disable-shared", "--with-pic", "--disable-docs"]
    options += ["--disable-exec-static-tramp", "--disable-multi-os-directory"]
    run([str(source / "configure"), *options, *settings], build)
    make(build)


def _python(
    target: Target,
    trees: Mapping[str, Path],
    work: Path,
    tools: Mapping[str, str],
    build_python: str,
    root: Path,
) -> None:
    build = work / "python"
    build.mkdir()
    settings = {
        **tools,
        "READELF": found("readelf", "binutils"),  # by its bare name it would be taken for the wrong one
        "OPT": "-DNDEBUG -O2",
        # Without -fPIC a program has copies of libc's variables, and all in one place: the libc.so that zig
        # makes to link with gives every variable the same address.
        "CFLAGS": "-g0 -fPIC -Wno-date-time",
        "LDFLAGS": "-dynamic",
        "ac_cv_file__dev_ptmx": "no",
        "ac_cv_file__dev_ptc": "no",
    }
    options = [f"--host={target.zig}", f"--build={os.uname().machine}-linux-gnu", "--prefix=/usr"]
    options += [f"--with-build-python={build_python}", "--with-pkg-config=no", "--without-ensurepip"]
    options += ["--disable-ipv6", "--disable-test-modules"]
    configure = str(trees["python"] / "configure")
    run([configure, *options, *(f"{name}={value}" for name, value in settings.items())], build)
    modules = f"ZLIB_SOURCE={trees['zlib']}\nZLIB_BUILD={work / 'zlib'}\n"
    modules += (HERE / "Setup.local").read_text(encoding="utf-8")
    (build / "Modules" / "Setup.local").write_text(modules, encoding="utf-8")
    make(build, "python", "pybuilddir.txt")
    shutil.copy(build / "python", root / "usr" / "bin" / "python3.11")
    (root / "usr" / "bin" / "python3").symlink_to("python3.11")
    library = root / "usr" / "lib" / "python3.11"
    copy_library(trees["python"], build, library)
    # Under emulation compiling takes long.
    run([build_python, "-m", "compileall", "-q", "-j2", "--invalidation-mode=unchecked-hash", "."], library)


def _build_python() -> str:
    """A Python of the version that is built, which runs here: CPython is built with its help."""
    path = sys.executable if sys.version_info[:2] == (3, 11) else shutil.which("python3.11")
    if path is None:
        raise EnvironmentLacks(
            "python3.11 is missing, with which its like is built: apt-get install python3.11"
        )
    return path


def _compiler(target: Target) -> str:
    return " ".join([_zig(), "cc", "-target", target.zig, *target.flags])


def _zig() -> str:
    package = importlib.util.find_spec("ziglang")
    if package is None or package.origin is None:
        raise EnvironmentLacks("zig is missing: pip install ziglang")
    return str(Path(package.origin).parent / "zig")


def _target(name: str) -> Target:
    targets = load_targets(load_tree(ROOT))
    if name not in targets or targets[name].libc != "musl":
        musl = [each.name for each in targets.values() if each.libc == "musl"]
        raise UsageError(f"{name} is no target with musl; these are: {', '.join(musl)}")
    return targets[name]


if __name__ == "__main__":
    try:
        print(musl_python(_target("".join(sys.argv[1:]))))
    except KernportError as error:
        print(f"{Path(__file__).name}: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
