"""What holds for a package of any format: its architecture, its files, what its binaries need."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from kernport.build.audit.archive import Member
from kernport.build.audit.elf import ElfFacts, is_elf, version_of
from kernport.build.audit.finding import Audit
from kernport.build.audit.platform import built_for
from kernport.build.audit.shared_object import audit_elf
from kernport.build.recipe import Tree
from kernport.build.target import Target


@dataclass(frozen=True)
class Package:
    """What a package says of itself, and its regular files.

    `form` is the format's name in the recipes. `digests` maps names of files to what the package says their
    digests are, by the name of the algorithm.
    """

    form: str
    name: str
    version: str
    architecture: str
    depends: tuple[str, ...]
    files: tuple[Member, ...]
    provides: tuple[str, ...] = ()
    digests: Mapping[str, tuple[str, str]] = field(default_factory=dict)


def audit_package(audit: Audit, tree: Tree, targets: Sequence[Target], package: Package) -> list[ElfFacts]:
    """Audit a package that was read into `audit`; returns the facts of its ELF files."""
    audit.facts[""] = {
        "package": f"{package.name} {package.version}",
        "architecture": package.architecture,
        "depends": ", ".join(package.depends),
        "provides": ", ".join(package.provides),
    }
    found = []
    for member in package.files:
        if member.mode & 0o022:
            audit.find("mode", member.name, f"others may write to it (mode {member.mode:04o})")
        if ".." in member.name.split("/"):
            audit.find("place", member.name, "it leaves the root of the system")
        _check_digest(audit, package, member)
        if is_elf(member.content):
            facts = audit_elf(audit, tree, targets, member.name, member.content)
            found.append(facts)
            _check_architecture(audit, targets, package, member.name, facts)
            _check_libc(audit, tree, package, member.name, facts)
    return found


def _check_digest(audit: Audit, package: Package, member: Member) -> None:
    if member.name in package.digests:
        algorithm, said = package.digests[member.name]
        # Formats that use MD5 or SHA-1 do so for accidents, not for attacks.
        actual = hashlib.new(algorithm, member.content, usedforsecurity=False).hexdigest()
        if actual != said:
            audit.find("digest", member.name, f"its {algorithm} is {actual}, and the package says {said}")


def _check_architecture(
    audit: Audit, targets: Sequence[Target], package: Package, place: str, facts: ElfFacts
) -> None:
    homes = [each for each in built_for(facts, targets) if package.form in each.packages]
    names = list(dict.fromkeys(each.packages[package.form] for each in homes))
    if package.architecture not in names:
        means = f"the right one is {' or '.join(names)}" if names else f"{package.form} has no name for it"
        audit.find("architecture", place, f"the package says {package.architecture}; {means}")


def _check_libc(audit: Audit, tree: Tree, package: Package, place: str, facts: ElfFacts) -> None:
    form = tree.format(package.form)
    if form.libc != facts.libc or not form.libc_name:
        return
    pattern = re.escape(form.libc_name.format(version="VERSION", arch=package.architecture))
    matches = [re.fullmatch(pattern.replace("VERSION", r"([\d.]+)"), each) for each in package.depends]
    promised = [match for match in matches if match]
    newest = facts.newest("GLIBC")
    if newest is None:
        if form.libc == "glibc" or promised:
            return
        wanted = form.libc_name.format(version="", arch=package.architecture)
        audit.find("depends", place, f"it needs the C library, and the package does not depend on {wanted}")
    elif version_of(newest.version) > max((version_of(f"_{each[1]}") for each in promised), default=()):
        said = max((each for each in promised), key=lambda each: version_of(f"_{each[1]}"), default=None)
        number = newest.version.rpartition("_")[2]
        library = form.libc_name.split("(")[0].split(">")[0].strip()
        audit.find(
            "depends",
            place,
            f"it needs {newest.symbol} of {newest.version}, and the package depends on "
            f"{said[0] if said else f'no {library}'}; it has to be {form.libc_name.format(version=number)}",
        )
