"""The facts of an ELF file: what it was built for, what it needs, what it shows, how it is hardened."""

import io
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from elftools.common.exceptions import ELFError
from elftools.elf.constants import P_FLAGS, SH_FLAGS
from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection, GNUVerSymSection
from elftools.elf.sections import NoteSection, SymbolTableSection

from kernport.errors import UsageError

DF_TEXTREL, DF_BIND_NOW, DF_1_NOW = 0x4, 0x8, 0x1
# GNU_PROPERTY_X86_FEATURE_1_AND and GNU_PROPERTY_AARCH64_FEATURE_1_AND, and what their bits promise
# (x86-64 psABI, section 5.1.2; ELF for the Arm 64-bit Architecture, section 6.2).
PROPERTIES = {0xC0000002: {1: "IBT", 2: "SHSTK"}, 0xC0000000: {1: "BTI", 2: "PAC", 4: "GCS"}}
PPC64_ABI = {0: "", 1: "elfv1", 2: "elfv2"}  # e_flags & 3 (OpenPOWER ELF V2 ABI, section 4.1)


@dataclass(frozen=True)
class Import:
    """An undefined dynamic symbol; `version` and `library` are empty where no version is asked for."""

    symbol: str
    version: str
    library: str


@dataclass(frozen=True)
class ElfFacts:
    """What one ELF file says of itself. `exec_stack` is None where it has no PT_GNU_STACK to say so.

    `only_debug` tells a file that has what debuggers want to know of another one, and no code or data.
    """

    kind: str
    machine: str
    bits: int
    endian: str
    os_abi: str
    notes: tuple[str, ...]
    abi: str
    soname: str
    needed: tuple[str, ...]
    run_path: tuple[str, ...]
    imports: tuple[Import, ...]
    exports: tuple[str, ...]
    relro: bool
    bind_now: bool
    exec_stack: bool | None
    text_relocations: bool
    writable_code: bool
    properties: tuple[str, ...]
    stripped: bool
    only_debug: bool

    @property
    def says_freebsd(self) -> bool:
        """Whether the header or a note names FreeBSD as its system."""
        return self.os_abi == "ELFOSABI_FREEBSD" or "FreeBSD" in self.notes

    @property
    def libc(self) -> str:
        """The C library it was linked with: glibc, musl, freebsd; empty where it uses none."""
        if self.says_freebsd:
            return "freebsd"
        versions = {each.version.rpartition("_")[0] for each in self.imports}
        if "FBSD" in versions or "libc.so.7" in self.needed:
            return "freebsd"
        if "GLIBC" in versions or "libc.so.6" in self.needed:
            return "glibc"
        # musl's own name for itself, and the one that Alpine gives it.
        if any(name == "libc.so" or name.startswith(("libc.musl-", "ld-musl-")) for name in self.needed):
            return "musl"
        return ""

    def newest(self, prefix: str) -> Import | None:
        """The import with the highest version of that prefix, e.g. GLIBC; None where there is none."""
        wanted = [each for each in self.imports if each.version.startswith(prefix + "_")]
        return max(wanted, key=lambda each: version_of(each.version), default=None)

    def summary(self) -> dict[str, object]:
        """The facts under the names that a report prints."""
        versions: dict[str, str] = {}
        for prefix in sorted({each.version.rpartition("_")[0] for each in self.imports if each.version}):
            newest = self.newest(prefix)
            assert newest is not None
            versions[newest.version] = f"{newest.symbol} of {newest.library}"
        return {
            "machine": f"{self.machine} {self.bits} bits {self.endian}-endian",
            "abi": self.abi,
            "system": f"{self.os_abi}{''.join(f', note of {name}' for name in self.notes)}",
            "libc": self.libc or "none",
            "soname": self.soname,
            "needed": self.needed,
            "versions": versions,
            "imports": tuple(
                f"{each.symbol}@{each.version}" if each.version else each.symbol for each in self.imports
            ),
            "exports": self.exports,
            "relro": ("full" if self.bind_now else "partial") if self.relro else "none",
            "bind_now": self.bind_now,
            "exec_stack": self.exec_stack,
            "textrel": self.text_relocations,
            "cet_or_bti": self.properties or "none",
        } | ({"only_debug": True} if self.only_debug else {})


def is_elf(content: bytes) -> bool:
    """Whether bytes begin as an ELF file does."""
    return content[:4] == b"\x7fELF"


def version_of(name: str) -> tuple[int, ...]:
    """The numbers in a symbol version: GLIBC_2.17 -> (2, 17); () where it has none, as GLIBC_PRIVATE."""
    words = name.rpartition("_")[2].split(".")
    return tuple(map(int, words)) if all(word.isdecimal() for word in words) else ()


def read_elf(content: bytes, place: str) -> ElfFacts:
    """Read the facts of an ELF file. Raises UsageError naming `place` if it is damaged."""
    try:
        return _read(ELFFile(io.BytesIO(content)))
    except (ELFError, KeyError, ValueError, UnicodeDecodeError, AttributeError, TypeError) as error:
        raise UsageError(f"{place}: not a whole ELF file: {error}") from error


def _read(elf: Any) -> ElfFacts:
    segments = list(elf.iter_segments())
    sections = list(elf.iter_sections())
    dynamic: dict[str, list[Any]] = {}
    for section in sections:
        if isinstance(section, DynamicSection):
            for tag in section.iter_tags():
                name = str(tag.entry.d_tag)  # a number where it is one processor's own
                value = getattr(tag, name.removeprefix("DT_").lower(), tag.entry.d_val)
                dynamic.setdefault(name, []).append(value)
    flags = sum(dynamic.get("DT_FLAGS", []))
    now = flags & DF_BIND_NOW or sum(dynamic.get("DT_FLAGS_1", [])) & DF_1_NOW or "DT_BIND_NOW" in dynamic
    imports, exports = _dynamic_symbols(elf)
    stacks = [each for each in segments if each["p_type"] == "PT_GNU_STACK"]
    if elf["e_type"] == "ET_REL":
        notes = [section for section in sections if section.name == ".note.GNU-stack"]
        stack = bool(notes[0]["sh_flags"] & SH_FLAGS.SHF_EXECINSTR) if notes else None
    else:
        stack = bool(stacks[0]["p_flags"] & P_FLAGS.PF_X) if stacks else None
    wx = P_FLAGS.PF_W | P_FLAGS.PF_X
    return ElfFacts(
        kind=elf["e_type"],
        machine=elf["e_machine"],
        bits=elf.elfclass,
        endian="little" if elf.little_endian else "big",
        os_abi=elf["e_ident"]["EI_OSABI"],
        notes=tuple(sorted({note["n_name"] for note in _notes(sections)} - {"GNU", ""})),
        abi=PPC64_ABI.get(elf["e_flags"] & 3, "") if elf["e_machine"] == "EM_PPC64" else "",
        soname=next(iter(dynamic.get("DT_SONAME", [])), ""),
        needed=tuple(dynamic.get("DT_NEEDED", [])),
        run_path=tuple(dynamic.get("DT_RPATH", []) + dynamic.get("DT_RUNPATH", [])),
        imports=imports,
        exports=exports,
        relro=any(each["p_type"] == "PT_GNU_RELRO" for each in segments),
        bind_now=bool(now),
        exec_stack=stack,
        text_relocations=bool(flags & DF_TEXTREL) or "DT_TEXTREL" in dynamic,
        writable_code=any(each["p_type"] == "PT_LOAD" and each["p_flags"] & wx == wx for each in segments),
        properties=_properties(_notes(sections)),
        stripped=not any(
            isinstance(each, SymbolTableSection) and each.name == ".symtab" for each in sections
        ),
        only_debug=_is_only_debug(sections),
    )


def _is_only_debug(sections: Iterable[Any]) -> bool:
    """Whether code is mentioned and not there, as `objcopy --only-keep-debug` leaves it out."""
    code = [each for each in sections if each["sh_flags"] & SH_FLAGS.SHF_EXECINSTR]
    return bool(code) and all(each["sh_type"] == "SHT_NOBITS" for each in code)


def _notes(sections: Iterable[Any]) -> list[Any]:
    return [note for each in sections if isinstance(each, NoteSection) for note in each.iter_notes()]


def _properties(notes: list[Any]) -> tuple[str, ...]:
    names = {"GNU_PROPERTY_X86_FEATURE_1_AND": 0xC0000002, "GNU_PROPERTY_AARCH64_FEATURE_1_AND": 0xC0000000}
    found = []
    for note in notes:
        if note["n_type"] != "NT_GNU_PROPERTY_TYPE_0":
            continue
        for prop in note["n_desc"]:
            kind = names.get(prop["pr_type"], prop["pr_type"])
            bits, data = PROPERTIES.get(kind, {}), prop["pr_data"]
            found += [word for bit, word in bits.items() if isinstance(data, int) and data & bit]
    return tuple(found)


def _dynamic_symbols(elf: Any) -> tuple[tuple[Import, ...], tuple[str, ...]]:
    table = elf.get_section_by_name(".dynsym")
    if not isinstance(table, SymbolTableSection):  # none, or one that debugging information only mentions
        return (), ()
    versions: dict[int, tuple[str, str]] = {}
    indices = None
    for section in elf.iter_sections():
        if isinstance(section, GNUVerNeedSection):
            for home, wanted in section.iter_versions():
                for each in wanted:
                    versions[each["vna_other"] & 0x7FFF] = (str(each.name), str(home.name))
        elif isinstance(section, GNUVerSymSection):
            indices = section
    imports, exports = [], []
    for number, symbol in enumerate(table.iter_symbols()):
        if not symbol.name or symbol["st_info"]["bind"] == "STB_LOCAL":
            continue
        if symbol["st_shndx"] == "SHN_UNDEF":
            index = indices.get_symbol(number)["ndx"] if indices else 0
            name, library = versions.get(index & 0x7FFF, ("", "")) if isinstance(index, int) else ("", "")
            imports.append(Import(symbol.name, name, library))
        elif symbol["st_other"]["visibility"] in ("STV_DEFAULT", "STV_PROTECTED"):
            exports.append(symbol.name)
    return tuple(sorted(imports, key=lambda each: each.symbol)), tuple(sorted(exports))
