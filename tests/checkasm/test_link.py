"""Every target's library, and programs linked with it in both ways, are what the target's ABI says."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import NoteSection

from kernport.build.audit.elf import read_elf, version_of
from kernport.build.checkasm.program import OPTIONS, Program
from kernport.build.folder import locked
from kernport.build.native import NativeBuild, environment
from kernport.build.recipe import load_tree
from kernport.build.target import Target, load_targets
from kernport.build.toolchain import compiler
from kernport.errors import EnvironmentLacks

ROOT = Path(__file__).resolve().parents[2]
TREE = load_tree(ROOT)
TARGETS = load_targets(TREE)
HEADER = ROOT / "native" / "include" / "kernport.h"
HEADERS = (HEADER, ROOT / "dispatch" / "report.h")
PUBLIC = {
    name
    for header in HEADERS
    for name in re.findall(r"^KP_PUBLIC [^(]*?\b(kp_\w+)\(", header.read_text(), re.MULTILINE)
}
LIBRARY = "libkernport.so.0.0.0"
CHECKASM = "tests/checkasm/checkasm"
ABI_TAG = "NT_GNU_ABI_TAG"  # type 1, as pyelftools calls it whoever's note it is
PROGRAM = Path(__file__).resolve().parent / "link" / "program.c"


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in TARGETS],
)
def built(request: pytest.FixtureRequest) -> tuple[Target, Path]:
    """A target and the folder with both libraries and both programs, and checkasm where it cannot run."""
    target = TARGETS[request.param]
    build = NativeBuild(TREE, target, ROOT / "build" / "checkasm" / target.name)
    folder = build.folder
    goals = ["kernport:shared_library", "kernport:static_library", *([] if target.cpus else ["checkasm"])]
    try:
        build.build(OPTIONS, goals)
        with locked(folder / "linked"):
            command = [
                *compiler(target),
                "-std=c11",
                "-O2",
                "-g",  # as checkasm: without it zig would build all of libc anew
                f"-I{HEADER.parent}",
                f"-I{folder / 'dispatch'}",
                str(PROGRAM),
            ]
            link(command, folder / "linked-static", str(folder / "libkernport.a"))
            link(command, folder / "linked-shared", str(folder / LIBRARY), "-Wl,-rpath,$ORIGIN")
    except EnvironmentLacks as error:
        pytest.skip(f"{target.name}: {error}")
    return target, folder


def link(command: list[str], out: Path, *libraries: str) -> None:
    aside = out.with_name(f".{out.name}")  # somebody may be running the one that is there
    process = subprocess.run(
        [*command, "-o", str(aside), *libraries],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    aside.replace(out)


def files(target: Target, folder: Path) -> Iterator[Path]:
    yield from (folder / LIBRARY, folder / "linked-static", folder / "linked-shared")
    if not target.cpus:
        yield folder / CHECKASM


def test_machine_and_abi(built: tuple[Target, Path]) -> None:
    target, folder = built
    for path in files(target, folder):
        with path.open("rb") as stream:
            elf = ELFFile(stream)
            assert elf["e_machine"] == target.variant.elf_machine
            assert elf.elfclass == target.variant.bits
            assert elf.little_endian == (target.variant.endian == "little")
            if target.variant.elf_machine == "EM_PPC64":
                assert elf["e_flags"] & 3 == {"elfv1": 1, "elfv2": 2}[target.abi], path.name
            if target.variant.elf_machine == "EM_RISCV":
                assert elf["e_flags"] & 6 == 4, "the ABI that passes doubles in registers"


def test_system(built: tuple[Target, Path]) -> None:
    """FreeBSD knows programs and libraries as its own by a note with its version; Linux wants none."""
    target, folder = built
    for path in files(target, folder):
        with path.open("rb") as stream:
            elf = ELFFile(stream)
            versions = [
                int.from_bytes(note["n_descdata"], "little" if elf.little_endian else "big")
                for section in elf.iter_sections()
                if isinstance(section, NoteSection)
                for note in section.iter_notes()
                if note["n_name"] == "FreeBSD" and note["n_type"] == ABI_TAG
            ]
            system = elf["e_ident"]["EI_OSABI"]
        if target.os == "freebsd":
            major = int(target.wheel_platform.removeprefix("freebsd-").partition(".")[0])
            assert [each // 100000 for each in versions] == [major], path.name
        else:
            assert system in ("ELFOSABI_SYSV", "ELFOSABI_LINUX") and not versions


def test_stack_and_relocations(built: tuple[Target, Path]) -> None:
    target, folder = built
    for path in files(target, folder):
        with path.open("rb") as stream:
            elf = ELFFile(stream)
            stacks = [each for each in elf.iter_segments() if each["p_type"] == "PT_GNU_STACK"]
            assert not any(each["p_flags"] & 1 for each in stacks), f"{path.name}: executable stack"
            # Under ELFv1 a stack is not executable unless something asks for it; elsewhere it is.
            assert stacks or target.abi == "elfv1", f"{path.name}: executable stack"
            for section in elf.iter_sections():
                if isinstance(section, DynamicSection):
                    tags = {tag["d_tag"]: tag["d_val"] for tag in section.iter_tags()}
                    assert "DT_TEXTREL" not in tags and not tags.get("DT_FLAGS", 0) & 4, path.name
    objects = sorted(folder.glob(f"{LIBRARY}.p/*.o"))
    assert objects
    for path in objects:
        with path.open("rb") as stream:
            note = ELFFile(stream).get_section_by_name(".note.GNU-stack")
            # Not every system's compiler writes the note; the assembly always carries it.
            assert note is not None or not path.name.endswith(".S.o"), path.name
            assert note is None or not note["sh_flags"] & 4, path.name


def test_exports(built: tuple[Target, Path]) -> None:
    """The names of the public header and not one more."""
    _, folder = built
    with (folder / LIBRARY).open("rb") as stream:
        table: Any = ELFFile(stream).get_section_by_name(".dynsym")
        names = {
            symbol.name
            for symbol in table.iter_symbols()
            if symbol["st_shndx"] != "SHN_UNDEF" and symbol["st_info"]["bind"] in ("STB_GLOBAL", "STB_WEAK")
        }
    assert len(PUBLIC) > 30
    # Linkers may define names of their own for the program's parts.
    assert {
        name for name in names if not re.fullmatch(r"_(init|fini|edata|end)|__bss_start|_start|__end", name)
    } == PUBLIC


def test_needs(built: tuple[Target, Path]) -> None:
    """The C library is all that the library needs, on FreeBSD in a version of the system's release."""
    target, folder = built
    facts = read_elf((folder / LIBRARY).read_bytes(), LIBRARY)
    assert facts.libc in ("", target.libc) and not facts.run_path
    assert {each.partition(".")[0] for each in facts.needed} <= {"libc", "ld64", "ld"}
    assert facts.imports, "symbols that an empty list would not show to be the system's"
    if target.os == "freebsd":
        assert {each.library for each in facts.imports if each.version} == {"libc.so.7"}
        for each in facts.imports:
            # FBSD_1.7 is FreeBSD 14's own (lib/libc/Versions.def).
            assert not each.version or (1, 0) <= version_of(each.version) <= (1, 7), each


def test_program_runs(built: tuple[Target, Path]) -> None:
    target, folder = built
    if not target.cpus:
        pytest.skip(f"{target.name}: qemu-user runs no {target.os} programs")
    program = Program(TREE, target, folder / "linked-static")
    with (folder / "linked-static").open("rb") as stream:
        needs_loader = ELFFile(stream).get_section_by_name(".interp") is not None
    cpu = next(iter(target.cpus))
    try:
        command = program.command(cpu)
    except EnvironmentLacks as error:
        pytest.skip(f"{target.name}: {error}")
    if needs_loader and target.gcc:
        command.insert(-1, "-L")
        command.insert(-1, f"/usr/{target.gcc}")
    assert subprocess.run(command, check=False, timeout=60).returncode == 0
