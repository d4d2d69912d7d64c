"""A Debian package (deb(5)): its control fields, its files, and the sums in its md5sums."""

import email.parser

from kernport.build.audit.archive import ar_members, tar_members
from kernport.build.audit.package import Package
from kernport.errors import UsageError


def read_deb(content: bytes, place: str) -> Package:
    """Read a .deb. Raises UsageError if it is none."""
    parts = {member.name.split(".")[0]: member.content for member in ar_members(content, place)}
    if not {"debian-binary", "control", "data"} <= {name.rstrip("/") for name in parts}:
        raise UsageError(f"{place}: not a Debian package: it lacks debian-binary, control or data")
    control = {member.name: member.content for member in tar_members(parts["control"], place)}
    fields = email.parser.BytesHeaderParser().parsebytes(control.get("control", b""))
    sums = (line.partition("  ") for line in control.get("md5sums", b"").decode().splitlines())
    return Package(
        form="deb",
        name=fields.get("Package", ""),
        version=fields.get("Version", ""),
        architecture=fields.get("Architecture", ""),
        depends=_list(fields.get("Depends", "")),
        provides=_list(fields.get("Provides", "")),
        files=tuple(tar_members(parts["data"], place)),
        digests={name: ("md5", digest) for digest, _, name in sums},
    )


def _list(field: str) -> tuple[str, ...]:
    return tuple(each.strip() for each in field.split(",") if each.strip())
