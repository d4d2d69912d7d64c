"""Whether each function keeps to the instructions that its kernel's features allow, by disassembly.

Which instruction needs which feature stands in recipes/architectures/*.yaml. A function belongs to the
kernel whose symbols begin as its name does; one of no kernel may use what every processor has.
"""

import bisect
import functools
import io
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import SymbolTableSection

from kernport.build.recipe import Architecture, Tree, Variant
from kernport.errors import AnswerNo, EnvironmentLacks

LINE = re.compile(r"^\s*([0-9a-f]+):\s+(\S.*)$")
COMMENT = re.compile(r"\s(#|//)\s.*$")
LEAST_LLVM = 18  # the first that knows RISC-V's vector cryptography
UNKNOWN = "<unknown>"
DETECTION = "read_words"  # the function of an architecture's `detect`, which asks before it uses
# gcc ends a function of 64-bit POWER with a traceback table, which belongs to it by size and begins with
# a word of zeros (64-bit PowerPC ELF ABI supplement, section 3.3).
TRACEBACK_TABLE = {"EM_PPC64": 32}


@dataclass(frozen=True)
class Function:
    """A function's name and the addresses of its code, [start, end), in section `section`.

    `source` is the name of the file it was compiled from, where the symbol table says so.
    """

    name: str
    source: str
    section: int
    start: int
    end: int


@dataclass(frozen=True)
class Functions:
    """The functions of an ELF file, and the labels and tables in its code, by section and address."""

    functions: tuple[Function, ...]
    labels: tuple[Function, ...]
    tables: tuple[Function, ...]

    def is_data(self, section: int, address: int) -> bool:
        """Whether a symbol says that what stands there is data."""
        found = bisect.bisect_right(self.tables, (section, address), key=_place) - 1
        return found >= 0 and self.tables[found].section == section and address < self.tables[found].end

    def at(self, section: int, address: int) -> Function | None:
        """The function that an address lies in, or, in code outside of any, the last label before it.

        Assembly that several functions jump into has labels alone.
        """
        for among, inside in ((self.functions, True), (self.labels, False)):
            found = bisect.bisect_right(among, (section, address), key=_place) - 1
            if found >= 0 and among[found].section == section and (not inside or address < among[found].end):
                return among[found]
        return None


def _place(function: Function) -> tuple[int, int]:
    return function.section, function.start


@dataclass(frozen=True)
class Violation:
    """An instruction that its function may not use, with what it would have to require."""

    function: str
    kernel: str
    instruction: str
    address: int
    lacks: str


@dataclass(frozen=True)
class Verdict:
    """What a disassembly showed: the features each kernel's functions use, and what none may.

    `undecoded` counts what is no instruction: compilers put tables between and into functions. In a
    kernel's own code it is a violation.
    """

    functions: int
    instructions: int
    undecoded: int
    uses: dict[str, tuple[str, ...]]
    violations: tuple[Violation, ...]


def check_instructions(content: bytes, tree: Tree, variant: Variant) -> Verdict:
    """Disassemble an ELF file of that variant and hold each function against its kernel's features.

    Raises EnvironmentLacks where there is no LLVM disassembler to do it.
    """
    architecture = tree.architecture(variant.name)
    rules = _rules(architecture)
    kernels = _owners(tree, variant.name)
    guarded = {PurePosixPath(each).name for each in (architecture.detect, *tree.guarded)}
    ask_first = architecture.guarded_functions
    everything = {name for names in architecture.instructions for name in names.split(" or ")}
    elf = ELFFile(io.BytesIO(content))
    functions = Functions(*_symbols(elf))

    @functools.cache
    def rights(name: str, source: str) -> tuple[str, set[str]]:
        if name == f"{tree.prefix}_{DETECTION}" or source in guarded or name.startswith(ask_first):
            return "", everything
        kernel, requires = _owner(name, source, kernels)
        return kernel, architecture.closure(requires) | set(variant.baseline)

    uses: dict[str, set[str]] = {}
    violations: dict[tuple[str, str], Violation] = {}
    count = undecoded = 0
    tables_from = -1
    for section, address, text in _disassemble(content, variant, architecture.disassembler):
        if functions.is_data(section, address):
            continue
        function = functions.at(section, address)
        name = function.name if function else ""
        kernel, allowed = rights(name, function.source if function else "")
        if function and tables_from == function.start:
            continue
        count += 1
        if text == UNKNOWN:
            undecoded += 1
            table = TRACEBACK_TABLE.get(variant.elf_machine, 0)
            if function and function.end - address <= table and _is_zero(elf.get_section(section), address):
                tables_from = function.start
            elif kernel:
                violations.setdefault((name, text), Violation(name, kernel, text, address, UNKNOWN))
            continue
        for alternatives in rules(text):
            if not alternatives & allowed:
                lacks = " or ".join(sorted(alternatives))
                violations.setdefault((name, lacks), Violation(name, kernel, text, address, lacks))
            elif kernel:
                uses.setdefault(kernel, set()).update(alternatives & allowed)
    return Verdict(
        len(functions.functions),
        count,
        undecoded,
        {kernel: tuple(sorted(names)) for kernel, names in sorted(uses.items())},
        tuple(violations.values()),
    )


@dataclass(frozen=True)
class Owner:
    """A kernel as the owner of functions: how its symbols begin, its own sources, what it requires."""

    prefix: str
    kernel: str
    sources: frozenset[str]
    requires: tuple[str, ...]


def _owners(tree: Tree, arch: str) -> list[Owner]:
    """The kernels for an architecture, those with the longest prefix first: one may begin with another."""
    found = []
    for family in tree.families:
        for kernel in family.kernels:
            if kernel.runs_on(arch):
                prefix = f"{tree.prefix}_{family.name}_{kernel.name}_".replace("-", "_").replace(".", "_")
                sources = frozenset(PurePosixPath(source).name for source in kernel.sources)
                found.append(Owner(prefix, f"{family.name}/{kernel.name}", sources, kernel.requires))
    return sorted(found, key=lambda each: -len(each.prefix))


def _owner(name: str, source: str, owners: Sequence[Owner]) -> tuple[str, tuple[str, ...]]:
    for owner in owners:
        if f"{name}_".startswith(owner.prefix):
            return owner.kernel, owner.requires
    # A function that no other file calls has no such name: it belongs to the kernel of its source, and
    # where several share that, to the one that requires least.
    sharing = [owner for owner in owners if source in owner.sources]
    if not sharing:
        return "", ()
    least = min(sharing, key=lambda owner: len(owner.requires))
    return source if len(sharing) > 1 else least.kernel, least.requires


def _rules(architecture: Architecture) -> Any:
    """A function from an instruction's text to what it needs: sets, of each of which one will do."""
    patterns = [
        (frozenset(names.split(" or ")), re.compile(pattern), " " in pattern)
        for names, expressions in architecture.instructions.items()
        for pattern in expressions
    ]

    @functools.cache
    def needs(text: str) -> tuple[frozenset[str], ...]:
        mnemonic = text.split(" ", 1)[0]
        return tuple(
            names for names, pattern, whole in patterns if pattern.fullmatch(text if whole else mnemonic)
        )

    return needs


def disassembler() -> str:
    """The newest llvm-objdump of this machine. Raises EnvironmentLacks with what to install."""
    names = ["llvm-objdump", *(f"llvm-objdump-{number}" for number in range(40, LEAST_LLVM - 1, -1))]
    for name in names:
        path = shutil.which(name)
        if path and _version(path) >= LEAST_LLVM:
            return path
    raise EnvironmentLacks(
        f"llvm-objdump {LEAST_LLVM} or newer is missing, by which instructions are checked; "
        "apt-get install llvm-19"
    )


@functools.cache
def _version(path: str) -> int:
    output = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
    match = re.search(r"version (\d+)", output)
    return int(match[1]) if match else 0


def _disassemble(
    content: bytes, variant: Variant, attributes: Sequence[str]
) -> Iterator[tuple[int, int, str]]:
    """Each instruction: the number of its section, its address, and mnemonic and operands as text."""
    elf = ELFFile(io.BytesIO(content))
    sections = {
        section.name: number
        for number, section in enumerate(elf.iter_sections())
        if section["sh_flags"] & SH_FLAGS.SHF_EXECINSTR and section["sh_type"] == "SHT_PROGBITS"
    }
    with tempfile.NamedTemporaryFile(suffix=".o") as file:
        Path(file.name).write_bytes(content)
        command = [
            disassembler(),
            "--disassemble",
            "--no-show-raw-insn",
            "--no-print-imm-hex",
            "--disassemble-zeroes",
        ]
        if attributes:
            command.append("--mattr=" + ",".join(f"+{name}" for name in attributes))
        process = subprocess.run([*command, file.name], capture_output=True, text=True, check=False)
    if process.returncode != 0:
        raise AnswerNo(f"llvm-objdump failed on a file for {variant.name}: {process.stderr.strip()}")
    current = -1
    for line in process.stdout.splitlines():
        if line.startswith("Disassembly of section "):
            current = sections.get(line.removeprefix("Disassembly of section ").rstrip(":"), -1)
        elif current >= 0 and (match := LINE.match(line)):
            text = " ".join(COMMENT.sub("", match[2]).split())
            if text:
                yield current, int(match[1], 16), text


def _symbols(elf: Any) -> tuple[tuple[Function, ...], tuple[Function, ...], tuple[Function, ...]]:
    sections = list(elf.iter_sections())
    descriptors = _descriptors(elf, sections)
    functions: dict[tuple[int, int], Function] = {}
    labels: dict[tuple[int, int], Function] = {}
    tables: dict[tuple[int, int], Function] = {}
    for table in sections:
        if not isinstance(table, SymbolTableSection):
            continue
        source = ""
        for symbol in table.iter_symbols():
            number, start, kind = symbol["st_shndx"], symbol["st_value"], symbol["st_info"]["type"]
            if kind == "STT_FILE":
                source = symbol.name
            # Names that begin with $ tell code from data on Arm and RISC-V.
            if kind not in ("STT_FUNC", "STT_NOTYPE", "STT_OBJECT") or not isinstance(number, int):
                continue
            if symbol.name.startswith("$"):
                continue
            if sections[number].name == ".opd":
                number, start = descriptors.get(start, (0, 0))
            if not _executable(sections[number]):
                continue
            # Hidden symbols are local as well, and stand after all files.
            local = (
                symbol["st_other"]["visibility"] == "STV_DEFAULT" and symbol["st_info"]["bind"] == "STB_LOCAL"
            )
            file = PurePosixPath(source).name if local else ""
            function = Function(symbol.name, file, number, start, start + symbol["st_size"])
            if kind == "STT_OBJECT":
                tables[number, start] = function
                continue
            labels[number, start] = function
            known = functions.get((number, start))
            if kind == "STT_FUNC" and (known is None or known.end < function.end):
                functions[number, start] = function
    return (
        tuple(functions[place] for place in sorted(functions)),
        tuple((labels | functions)[place] for place in sorted(labels)),
        tuple(tables[place] for place in sorted(tables)),
    )


def _descriptors(elf: Any, sections: Sequence[Any]) -> dict[int, tuple[int, int]]:
    """ELFv1: the address of each function descriptor in .opd -> section and address of its code."""
    opd = next((section for section in sections if section.name == ".opd"), None)
    if opd is None:
        return {}
    found: dict[int, tuple[int, int]] = {}
    if elf["e_type"] == "ET_REL":
        symbols = elf.get_section_by_name(".symtab")
        for table in sections:
            if isinstance(table, RelocationSection) and table.name == ".rela.opd":
                for entry in table.iter_relocations():
                    symbol = symbols.get_symbol(entry["r_info_sym"])
                    if isinstance(symbol["st_shndx"], int):
                        code = symbol["st_value"] + entry["r_addend"]
                        found[entry["r_offset"]] = (symbol["st_shndx"], code)
        return {place: to for place, to in found.items() if _executable(sections[to[0]])}
    data = opd.data()
    words = {opd["sh_addr"] + at: int.from_bytes(data[at : at + 8], "big") for at in range(0, len(data), 8)}
    for table in sections:
        if isinstance(table, RelocationSection) and table.is_RELA():
            words |= {
                each["r_offset"]: each["r_addend"]
                for each in table.iter_relocations()
                if each["r_offset"] in words
            }
    for place, code in words.items():
        for number, section in enumerate(sections):
            if _executable(section) and 0 <= code - section["sh_addr"] < section["sh_size"]:
                found[place] = (number, code)
    return found


def _is_zero(section: Any, address: int) -> bool:
    start = address - section["sh_addr"]
    return not any(section.data()[start : start + 4])


def _executable(section: Any) -> bool:
    return bool(section["sh_flags"] & SH_FLAGS.SHF_EXECINSTR)
