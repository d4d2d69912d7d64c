"""A library without its debug sections is the same library."""

import ctypes
import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from kernport.build.debug_sections import without_debug_sections

SOURCE = "int four(void) { return 4; }\nint word = 7;\n"


def library(folder: Path, target: str) -> bytes:
    (folder / "source.c").write_text(SOURCE, encoding="utf-8")
    command = [sys.executable, "-m", "ziglang", "cc", "-target", target, "-g", "-O1", "-shared", "-fPIC"]
    output = folder / "library.so"
    subprocess.run([*command, "-o", str(output), str(folder / "source.c")], check=True)
    return output.read_bytes()


def symbols(elf: Any) -> list[tuple[Any, ...]]:
    """Each symbol with the name of its section, which does not depend on the section's number."""
    found = []
    for table in elf.iter_sections():
        if isinstance(table, SymbolTableSection):
            for symbol in table.iter_symbols():
                number = symbol["st_shndx"]
                section = elf.get_section(number).name if isinstance(number, int) else number
                # A symbol of a section that is gone has none.
                section = "SHN_UNDEF" if section.startswith(".debug_") else section
                found.append((table.name, symbol.name, symbol["st_value"], symbol["st_size"], section))
    return found


@pytest.mark.parametrize(
    "target", ["x86_64-linux-gnu.2.17", "powerpc64-linux-musl", "powerpc-linux-musleabihf"]
)
def test_it_is_the_same_library(tmp_path: Path, target: str) -> None:
    before = library(tmp_path, target)
    after = without_debug_sections(before)
    old, new = (ELFFile(io.BytesIO(content)) for content in (before, after))
    names = [section.name for section in old.iter_sections()]
    assert ".debug_info" in names
    assert [section.name for section in new.iter_sections()] == [
        name for name in names if not name.startswith(".debug_")
    ]
    assert symbols(new) == symbols(old)
    assert [segment.header for segment in new.iter_segments()] == [
        segment.header for segment in old.iter_segments()
    ]
    for ours, theirs in zip(new.iter_segments(), old.iter_segments(), strict=True):
        if ours["p_offset"]:
            assert ours.data() == theirs.data()
    for section in new.iter_sections():
        if section["sh_type"] != "SHT_NOBITS":
            assert section["sh_offset"] % max(section["sh_addralign"], 1) == 0
        other = old.get_section(names.index(section.name))
        if section.name != ".symtab":
            assert section.data() == other.data()
        links = [file.get_section(each["sh_link"]).name for file, each in ((new, section), (old, other))]
        assert links[0] == links[1]
    assert str(tmp_path).encode() in before
    assert str(tmp_path).encode() not in after
    assert without_debug_sections(after) == after


@pytest.mark.skipif(sys.platform != "linux", reason="loads a Linux library: run it on Linux")
def test_it_still_loads(tmp_path: Path) -> None:
    import platform

    path = tmp_path / "stripped.so"
    path.write_bytes(without_debug_sections(library(tmp_path, f"{platform.machine()}-linux-gnu.2.27")))
    loaded = ctypes.CDLL(str(path))
    assert loaded.four() == 4
    assert ctypes.c_int.in_dll(loaded, "word").value == 7
