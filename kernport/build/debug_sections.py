"""Take debuggers' sections out of an ELF file, and leave its symbols in.

zig compiles parts of libc and of its runtime library when it first needs them, and describes them for
debuggers by the paths of its own files: a library would differ from one machine to the next. Its linker
takes those sections out only together with the symbols, and its objcopy does not exist yet.
"""

import io
import struct

from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile

PREFIX = ".debug_"
# A section's header and a symbol (System V ABI, chapter 4): all fields in order, by word size.
HEADER = {64: "IIQQQQIIQQ", 32: "IIIIIIIIII"}
TYPE, FLAGS, OFFSET, SIZE, LINK, INFO, ALIGNMENT = 1, 2, 4, 5, 6, 7, 8
SYMBOL = {64: "IBBHQQ", 32: "IIIBBH"}
SYMBOL_SECTION = {64: 3, 32: 5}
NULL, SYMTAB, RELA, NOBITS, REL = 0, 2, 4, 8, 9
FIRST_RESERVED_INDEX = 0xFF00
# Where the file's header states the section headers' place, their number, and which one has the names.
PLACE, NUMBER, NAMES = {64: 40, 32: 32}, {64: 60, 32: 48}, {64: 62, 32: 50}


def without_debug_sections(content: bytes) -> bytes:
    """The same ELF file without its .debug_* sections; what is loaded stays where it is, to the byte."""
    elf = ELFFile(io.BytesIO(content))
    dropped = {
        number for number, section in enumerate(elf.iter_sections()) if section.name.startswith(PREFIX)
    }
    if not dropped:
        return content
    bits, order = elf.elfclass, "<" if elf.little_endian else ">"
    header = struct.Struct(order + HEADER[bits])
    start = elf["e_shoff"]
    headers = [list(header.unpack_from(content, start + header.size * n)) for n in range(elf.num_sections())]
    kept = [number for number in range(len(headers)) if number not in dropped]
    renumbered = {old: new for new, old in enumerate(kept)}
    out = bytearray(content[: _end_of_loaded(elf, headers)])
    for number in sorted(kept, key=lambda number: headers[number][OFFSET]):
        fields = headers[number]
        if fields[FLAGS] & SH_FLAGS.SHF_ALLOC or fields[TYPE] in (NULL, NOBITS):
            continue
        data = content[fields[OFFSET] : fields[OFFSET] + fields[SIZE]]
        if fields[TYPE] == SYMTAB:
            data = _renumber_symbols(
                data, struct.Struct(order + SYMBOL[bits]), SYMBOL_SECTION[bits], renumbered
            )
        _align(out, fields[ALIGNMENT])
        fields[OFFSET] = len(out)
        out += data
    _align(out, bits // 8)
    place = len(out)
    for number in kept:
        fields = headers[number]
        fields[LINK] = renumbered.get(fields[LINK], 0)
        if fields[TYPE] in (REL, RELA):
            fields[INFO] = renumbered.get(fields[INFO], 0)
        out += header.pack(*fields)
    struct.pack_into(order + ("Q" if bits == 64 else "I"), out, PLACE[bits], place)
    struct.pack_into(order + "H", out, NUMBER[bits], len(kept))
    struct.pack_into(order + "H", out, NAMES[bits], renumbered[elf["e_shstrndx"]])
    return bytes(out)


def _end_of_loaded(elf: ELFFile, headers: list[list[int]]) -> int:
    ends = [elf["e_phoff"] + elf["e_phentsize"] * elf["e_phnum"]]
    ends += [segment["p_offset"] + segment["p_filesz"] for segment in elf.iter_segments()]
    ends += [
        fields[OFFSET] + fields[SIZE]
        for fields in headers
        if fields[FLAGS] & SH_FLAGS.SHF_ALLOC and fields[TYPE] != NOBITS
    ]
    return int(max(ends))


def _renumber_symbols(data: bytes, symbol: struct.Struct, index: int, renumbered: dict[int, int]) -> bytes:
    out = bytearray()
    for fields in map(list, symbol.iter_unpack(data)):
        if fields[index] < FIRST_RESERVED_INDEX:
            fields[index] = renumbered.get(fields[index], 0)
        out += symbol.pack(*fields)
    return bytes(out)


def _align(out: bytearray, alignment: int) -> None:
    out += bytes(-len(out) % max(alignment, 1))
