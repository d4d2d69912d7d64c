"""A Debian package: its architecture, its files, and whether what it depends on is new enough."""

import email.parser
import re
from collections.abc import Sequence

from kernport.build.audit.archive import ar_members, tar_members
from kernport.build.audit.elf import is_elf, version_of
from kernport.build.audit.finding import Audit
from kernport.build.audit.platform import built_for
from kernport.build.audit.shared_object import audit_elf
from kernport.build.recipe import Tree
from kernport.build.target import Target
from kernport.errors import UsageError


def audit_deb(audit: Audit, tree: Tree, targets: Sequence[Target], content: bytes) -> None:
    """Audit a .deb (deb(5)) into `audit`. Raises UsageError if it is none."""
    place = str(audit.path)
    parts = {member.name.split(".")[0]: member.content for member in ar_members(content, place)}
    if not {"debian-binary", "control", "data"} <= {name.rstrip("/") for name in parts}:
        raise UsageError(f"{place}: not a Debian package: it lacks debian-binary, control or data")
    control = b""
    for member in tar_members(parts["control"], place):
        if member.name == "control":
            control = member.content
    fields = email.parser.BytesHeaderParser().parsebytes(control)
    architecture, depends = fields.get("Architecture", ""), fields.get("Depends", "")
    audit.facts[""] = {
        "package": f"{fields.get('Package', '')} {fields.get('Version', '')}",
        "architecture": architecture,
        "depends": depends,
    }
    promised = re.search(r"libc6 \(>= ([\d.]+)\)", depends)
    for member in tar_members(parts["data"], place):
        if member.mode & 0o022:
            audit.find("mode", member.name, f"others may write to it (mode {member.mode:04o})")
        if not is_elf(member.content):
            continue
        facts = audit_elf(audit, tree, targets, member.name, member.content)
        homes = [each for each in built_for(facts, targets) if "deb" in each.packages]
        if architecture not in (each.packages["deb"] for each in homes):
            right = " or ".join(each.packages["deb"] for each in homes)
            means = f"the right one is {right}" if right else "Debian has no architecture for it"
            audit.find("architecture", member.name, f"the package says {architecture}; {means}")
        newest = facts.newest("GLIBC")
        if newest and (promised is None or version_of(newest.version) > version_of(f"_{promised[1]}")):
            wanted = newest.version.rpartition("_")[2]
            audit.find(
                "depends",
                member.name,
                f"it needs {newest.symbol} of {newest.version}, and the package depends on "
                f"{promised[0] if promised else 'no libc6'}; it has to be libc6 (>= {wanted})",
            )
