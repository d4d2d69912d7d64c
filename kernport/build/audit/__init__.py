"""Audits of artefacts: wheels, packages, shared libraries, objects and static libraries.

One idea a file: `elf` reads facts, `platform` knows tags, `instructions` disassembles, `shared_object`
holds what is true of every library, `package` what is true of every package; `wheel`, `deb`, `rpm`,
`pkginfo` (Arch Linux, Alpine) and `freebsd` read what their formats add.
"""

from collections.abc import Sequence
from pathlib import Path

from kernport.build.audit.archive import AR_MAGIC, COMPRESSED, GZIP, ar_members, tar_members
from kernport.build.audit.deb import read_deb
from kernport.build.audit.elf import is_elf
from kernport.build.audit.finding import Audit
from kernport.build.audit.freebsd import COMPACT, MANIFEST, check_libraries, read_freebsd
from kernport.build.audit.package import audit_package
from kernport.build.audit.pkginfo import INFO, read_apk, read_arch
from kernport.build.audit.rpm import MAGIC, read_rpm
from kernport.build.audit.shared_object import audit_elf
from kernport.build.audit.wheel import audit_wheel
from kernport.build.recipe import Tree
from kernport.build.target import Target
from kernport.errors import UsageError

KINDS = {
    "deb": "Debian package",
    "rpm": "rpm",
    "apk": "package of Alpine Linux",
    "arch": "package of Arch Linux",
    "freebsd": "package of FreeBSD",
}


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
    elif (kind := kind_of(content, path)) is not None:
        audit = Audit(path, KINDS[kind])
        _audit_package(audit, tree, targets, kind, content)
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
        raise UsageError(f"{path}: not a wheel, a package, an ELF file, a library or a tar archive")
    return audit


def kind_of(content: bytes, path: Path) -> str | None:
    """The format of a package, as the recipes name it, by how its bytes begin; None if it is none."""
    if content.startswith(AR_MAGIC):
        return "deb" if b"debian-binary" in content[:80] else None
    if content.startswith(MAGIC):
        return "rpm"
    if not content.startswith(COMPRESSED):
        return None
    names = {member.name for member in tar_members(content, str(path))}
    if COMPACT in names or MANIFEST in names:
        return "freebsd"
    if INFO in names:
        return "apk" if content.startswith(GZIP) else "arch"
    return None


def _audit_package(audit: Audit, tree: Tree, targets: Sequence[Target], kind: str, content: bytes) -> None:
    place = str(audit.path)
    if kind == "freebsd":
        package, manifest = read_freebsd(audit, tree, content, place)
        check_libraries(audit, tree, manifest, audit_package(audit, tree, targets, package))
    elif kind == "deb":
        audit_package(audit, tree, targets, read_deb(content, place))
    else:
        read = {"rpm": read_rpm, "apk": read_apk, "arch": read_arch}[kind]
        audit_package(audit, tree, targets, read(audit, content, place))
