"""What holds for any ELF file that an artefact carries, whatever it is for."""

import functools
import re
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from kernport.build.audit.elf import ElfFacts, read_elf
from kernport.build.audit.finding import Audit
from kernport.build.audit.instructions import UNKNOWN, check_instructions
from kernport.build.audit.platform import built_for
from kernport.build.header import public_functions
from kernport.build.recipe import Tree
from kernport.build.target import Target

# Beside a tree's own interface, what the dispatcher tells.
REPORT = "dispatch/report.h"
EXTENSION = re.compile(r"(\w+)(\.[\w-]+)?\.so")


def audit_elf(audit: Audit, tree: Tree, targets: Sequence[Target], place: str, content: bytes) -> ElfFacts:
    """Read an ELF file's facts into `audit`, with the faults that need no knowledge of a tag."""
    facts = read_elf(content, place or str(audit.path))
    summary = dict(facts.summary())
    homes = built_for(facts, targets)
    summary["built_for"] = tuple(home.name for home in homes)
    if facts.only_debug:
        pass  # nothing of it is loaded
    elif facts.kind == "ET_DYN":
        _system(audit, place, facts)
        _hardening(audit, place, facts)
        _exports(audit, tree, place, facts)
    elif facts.exec_stack is not False:
        audit.find("exec-stack", place, "the object has no note for a non-executable stack")
    variants = {home.variant.name: home.variant for home in homes}
    if not variants:
        audit.find(
            "machine",
            place,
            f"no target of recipes/targets.yaml is {facts.machine}, {facts.bits} bits, "
            f"{facts.endian}-endian{' ' + facts.abi if facts.abi else ''}",
        )
    elif facts.only_debug:
        summary["instructions"] = "none: it describes another file"
    elif facts.stripped:
        summary["instructions"] = "not checked: stripped; audit the library as built, before it is stripped"
    else:
        verdict = check_instructions(content, tree, next(iter(variants.values())))
        summary["instructions"] = (
            f"{verdict.instructions} in {verdict.functions} functions, {verdict.undecoded} words are none"
        )
        summary["uses"] = verdict.uses
        for each in verdict.violations:
            owner = f"kernel {each.kernel}" if each.kernel else "code of no kernel"
            where = f"'{each.instruction}' at {each.address:#x} in {each.function or 'no function'} ({owner})"
            if each.lacks == UNKNOWN:
                audit.find("instructions", place, f"{where} is no instruction that llvm-objdump knows")
            else:
                audit.find("instructions", place, f"{where} needs {each.lacks}, which it may not use")
    audit.facts[place] = summary
    return facts


def _system(audit: Audit, place: str, facts: ElfFacts) -> None:
    if facts.libc == "freebsd" and not facts.says_freebsd:
        audit.find(
            "system",
            place,
            "neither its header nor a note says FreeBSD, whose ldd then takes it for another system's; "
            "link with FreeBSD's crti.o or a note like it",
        )


def _hardening(audit: Audit, place: str, facts: ElfFacts) -> None:
    if facts.exec_stack:
        audit.find("exec-stack", place, "it asks for an executable stack; link with -z noexecstack")
    elif facts.exec_stack is None:
        audit.find("exec-stack", place, "it has no PT_GNU_STACK, so the system may make the stack executable")
    if not facts.relro:
        audit.find("relro", place, "it has no RELRO segment; link with -z relro")
    if not facts.bind_now:
        audit.find("bind-now", place, "its relocations stay writable; link with -z now")
    if facts.text_relocations:
        audit.find("text-relocations", place, "its code is relocated at load; build with -fPIC")
    if facts.writable_code:
        audit.find("writable-code", place, "a segment is writable and executable")
    if facts.run_path:
        audit.find("run-path", place, f"it looks for libraries in {':'.join(facts.run_path)}; link without")


def _exports(audit: Audit, tree: Tree, place: str, facts: ElfFacts) -> None:
    name = PurePosixPath(place or audit.path.name).name
    extension = EXTENSION.fullmatch(name)
    if name.startswith("lib"):
        meant, stray = tree.interface, [each for each in facts.exports if each not in public_symbols(tree)]
    elif extension:
        # One file may hold several modules: each begins at a symbol of this name.
        meant, stray = "PyInit_*", [each for each in facts.exports if not each.startswith("PyInit_")]
    else:
        return
    if stray:
        more = f" and {len(stray) - 5} more" if len(stray) > 5 else ""
        audit.find(
            "exports",
            place,
            f"it exports {', '.join(stray[:5])}{more}; only {meant} is public: hide the rest",
        )


@functools.cache
def _declared(path: Path) -> frozenset[str]:
    return frozenset(public_functions(path.read_text(encoding="utf-8")))


def public_symbols(tree: Tree) -> frozenset[str]:
    """The functions that a tree's libraries show: those of its interface, and what the dispatcher tells."""
    return _declared(tree.root / tree.interface) | _declared(tree.root / REPORT)
