"""Platform tags of wheels: what one promises, and which one is right for a shared library."""

import functools
import importlib.util
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from kernport.build.audit.elf import ElfFacts, version_of
from kernport.build.target import Target

ALIASES = {
    "manylinux1": "manylinux_2_5",
    "manylinux2010": "manylinux_2_12",
    "manylinux2014": "manylinux_2_17",
}
TAG = re.compile(
    r"(manylinux|musllinux|linux|freebsd)_(?:(\d+)_(\d+)_)?(?:release_)?(?:p\d+_)?(\w+)", re.IGNORECASE
)
LIBCS = {"manylinux": "glibc", "musllinux": "musl", "freebsd": "freebsd"}
ABI_WORDS = {"elfv1": "ELFv1", "elfv2": "ELFv2"}


@dataclass(frozen=True)
class Platform:
    """A platform tag taken apart: manylinux_2_17_ppc64 -> ("manylinux", (2, 17), "ppc64")."""

    kind: str
    version: tuple[int, ...]
    arch: str


def parse(tag: str) -> Platform:
    """Take a platform tag apart; one of unknown shape is a kind of its own."""
    for alias, name in ALIASES.items():
        tag = tag.replace(f"{alias}_", f"{name}_", 1) if tag.startswith(f"{alias}_") else tag
    match = TAG.fullmatch(tag)
    if match is None:
        return Platform(tag, (), "")
    kind, major, minor, arch = match.groups()
    return Platform(kind.lower(), (int(major), int(minor)) if major else (), arch)


def same_machine(facts: ElfFacts, target: Target) -> bool:
    """Whether an ELF file is for the target's instruction set, word size, byte order and ABI."""
    variant = target.variant
    wanted = (variant.elf_machine, variant.bits, variant.endian, target.abi)
    # One that says nothing of its ABI, as an object without calls may, fits any.
    return (facts.machine, facts.bits, facts.endian, facts.abi or target.abi) == wanted


def built_for(facts: ElfFacts, targets: Iterable[Target]) -> list[Target]:
    """The targets that an ELF file may have been built for: several where it uses no libc."""
    return [each for each in targets if same_machine(facts, each) and facts.libc in ("", each.libc)]


def right_tag(facts: ElfFacts, target: Target) -> str:
    """The tag of a target's wheel that holds such a file: the row's own, or a newer glibc's."""
    platform = parse(target.wheel_tag)
    newest = facts.newest("GLIBC")
    if platform.kind == "manylinux" and newest and version_of(newest.version)[:2] > platform.version:
        needed = version_of(newest.version)[:2]
        major, minor = next((each for each in glibc_policies() if each >= needed), needed)
        return f"manylinux_{major}_{minor}_{platform.arch}"
    return target.wheel_tag


@functools.cache
def glibc_policies() -> tuple[tuple[int, int], ...]:
    """The glibc versions that auditwheel has a manylinux policy for, oldest first; none without it."""
    spec = importlib.util.find_spec("auditwheel")
    if spec is None or spec.origin is None:
        return ()
    path = Path(spec.origin).parent / "policy" / "manylinux-policy.json"
    names = (policy["name"] for policy in json.loads(path.read_text(encoding="utf-8")))
    return tuple(sorted((int(a), int(b)) for a, b in re.findall(r"manylinux_(\d+)_(\d+)\b", " ".join(names))))


def wrong_tag(tag: str, facts: ElfFacts, targets: Iterable[Target]) -> str:
    """Why a tag is wrong for a file, with the right one; empty if it is right."""
    targets = list(targets)
    reason = _mismatch(parse(tag), tag, facts, targets)
    if not reason:
        return ""
    homes = built_for(facts, targets)
    if not homes:
        return f"{reason}; no target of recipes/targets.yaml is like this file"
    right = dict.fromkeys(right_tag(facts, each) for each in homes if each.wheel_tag)
    if not right:
        return f"{reason}; there is no right tag: {homes[0].wheel_reason}"
    return f"{reason}; the right tag is {' or '.join(right)}"


def _mismatch(platform: Platform, tag: str, facts: ElfFacts, targets: list[Target]) -> str:
    promised = [
        each
        for each in targets
        if each.wheel_tag and (platform.kind, platform.arch) == _kind_and_arch(each.wheel_tag)
    ]
    if not promised:
        if platform.kind == "linux" and built_for(facts, targets):
            return f"'{tag}' says nothing of the C library, and no index takes it"
        return f"'{tag}' is no tag of this tree"
    machine = f"{facts.machine}, {facts.bits} bits, {facts.endian}-endian"
    variants = [each.variant for each in promised]
    same = [
        each
        for each in promised
        if (facts.machine, facts.bits, facts.endian)
        == (each.variant.elf_machine, each.variant.bits, each.variant.endian)
    ]
    if not same:
        wanted = f"{variants[0].elf_machine}, {variants[0].bits} bits, {variants[0].endian}-endian"
        return f"it is for {machine}, and '{tag}' means {wanted}"
    if not any(same_machine(facts, each) for each in same):
        meant = ABI_WORDS.get(same[0].abi, same[0].abi)
        return f"it is {ABI_WORDS.get(facts.abi, 'of an unknown ABI')}, and '{tag}' means {meant}"
    libc = LIBCS.get(platform.kind, same[0].libc)
    if facts.libc not in ("", libc):
        return f"it is linked with {_libc_words(facts.libc)}, and '{tag}' means {_libc_words(libc)}"
    newest = facts.newest("GLIBC")
    if platform.kind == "manylinux" and newest and version_of(newest.version)[:2] > platform.version:
        return (
            f"it needs {newest.symbol} of {newest.version}, newer than the "
            f"glibc {'.'.join(map(str, platform.version))} that '{tag}' promises"
        )
    return ""


def _kind_and_arch(tag: str) -> tuple[str, str]:
    platform = parse(tag)
    return platform.kind, platform.arch


def _libc_words(libc: str) -> str:
    return "FreeBSD's libc" if libc == "freebsd" else libc
