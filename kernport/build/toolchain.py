"""The compiler of each target, and the Meson machine file that says so."""

import functools
import importlib.util
import shutil
import subprocess
import sys

from kernport.build.target import Target
from kernport.errors import EnvironmentLacks


def compiler(target: Target) -> list[str]:
    """The C compiler's command. Raises EnvironmentLacks with what to install."""
    if target.zig:
        return [*_zig(), "cc", "-target", target.zig]
    return [_gcc_tool(target, "gcc")]


def archiver(target: Target) -> list[str]:
    """The archiver's command."""
    if target.zig:
        return [*_zig(), "ar"]
    return [_gcc_tool(target, "ar")]


def compiler_version(target: Target) -> tuple[str, str]:
    """The compiler's name and version. Raises EnvironmentLacks with what to install."""
    if target.zig:
        return "zig", _output(*_zig(), "version")
    return f"{target.gcc}-gcc", _output(*compiler(target), "-dumpfullversion")


@functools.cache
def _output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def machine_file(target: Target) -> str:
    """The text of the Meson cross file of a target."""
    variant = target.variant
    link_args = list(target.flags)
    if target.zig and target.libc == "musl":
        # Meson tries whether the compiler makes programs: for a static one zig would build all of libc first.
        link_args.append("-dynamic")
    return (
        f"[binaries]\nc = {compiler(target)!r}\nar = {archiver(target)!r}\n"
        f"pkg-config = 'false'\n\n"
        f"[built-in options]\nc_args = {list(target.flags)!r}\n"
        f"c_link_args = {link_args!r}\n\n"
        f"[properties]\nneeds_exe_wrapper = true\n\n"
        f"[host_machine]\nsystem = '{target.os}'\ncpu_family = '{variant.cpu_family}'\n"
        f"cpu = '{variant.name}'\nendian = '{variant.endian}'\n"
    )


def _zig() -> list[str]:
    if importlib.util.find_spec("ziglang") is None:
        raise EnvironmentLacks("zig is missing; pip install ziglang")
    return [sys.executable, "-m", "ziglang"]


def _gcc_tool(target: Target, tool: str) -> str:
    path = shutil.which(f"{target.gcc}-{tool}")
    if path is None:
        packages = " ".join(target.gcc_packages)
        raise EnvironmentLacks(f"{target.name}: {target.gcc}-{tool} is missing; apt-get install {packages}")
    return path
