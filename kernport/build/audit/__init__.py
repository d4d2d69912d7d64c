"""Audits of artefacts: wheels, packages, shared libraries, objects and static libraries.

One idea a file: `elf` reads facts, `platform` knows tags, `instructions` disassembles, `shared_object`
holds what is true of every library, `wheel` and `deb` what their formats add.
"""

from collections.abc import Sequence
from pathlib import Path

from kernport.build.audit.archive import AR_MAGIC, COMPRESSED, ar_members, tar_members
from kernport.build.audit.deb import audit_deb
from kernport.build.audit.elf import is_elf
from kernport.build.audit.finding import Audit
from kernport.build.audit.shared_object import audit_elf
from kernport.build.audit.wheel import audit_wheel
from kernport.build.recipe import Tree
from kernport.build.target import Target
from kernport.errors import UsageError


def audit_file(path: Path, tree: Tree, targets: Sequence[Target]) -> Audit:
    """Audit one file, whatever it is. Raises UsageError if it cannot be read or is none of these."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from error
    if path.suffix == ".whl":
        audit = Audit(path, "wheel")
        audit_wheel(audit, tree, targets)
    elif is_elf(content):
        audit = Audit(path, "ELF file")
        audit_elf(audit, tree, targets, "", content)
    elif content.startswith(AR_MAGIC) and b"debian-binary" in content[:80]:
        audit = Audit(path, "Debian package")
        audit_deb(audit, tree, targets, content)
    elif content.startswith(AR_MAGIC):
        audit = Audit(path, "static library")
        for member in ar_members(content, str(path)):
            if is_elf(member.content):
                audit_elf(audit, tree, targets, member.name, member.content)
    elif content.startswith(COMPRESSED):
        audit = Audit(path, "archive")
        for member in tar_members(content, str(path)):
            if member.mode & 0o022:
                audit.find("mode", member.name, f"others may write to it (mode {member.mode:04o})")
            if is_elf(member.content):
                audit_elf(audit, tree, targets, member.name, member.content)
    else:
        raise UsageError(f"{path}: not a wheel, a Debian package, an ELF file, a library or a tar archive")
    return audit
