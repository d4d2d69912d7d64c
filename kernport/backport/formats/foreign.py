"""Patches that others wrote for a package: plain diffs, with a DEP-3 header or none, made into mails."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path

from kernport.backport import diff
from kernport.errors import UsageError

_FIELD = re.compile(r"^([A-Za-z][A-Za-z-]*):[ \t]*(.*)$")


def is_mail(raw: bytes) -> bool:
    """Whether the patch says in a mail's header who wrote it, when and what it is."""
    fields = {line.split(b":", 1)[0].lower() for line in raw.partition(b"\n\n")[0].split(b"\n")}
    return {b"from", b"subject", b"date"} <= fields


def as_mail(raw: bytes, name: str, author: str | None) -> bytes:
    """The patch as a mail. What its header says beyond that stays in the message.

    Raises UsageError where neither the header nor `author` says who wrote it.
    """
    parsed = diff.parse(raw, name)
    fields, body = _read_header(parsed.preamble.decode("utf-8", "replace").split("\n---\n", 1)[0])
    author = fields.pop("author", None) or fields.pop("from", None) or author
    if author is None:
        raise UsageError(f"{name}:1: it does not say who wrote it: say so with --author 'Name <address>'")
    description = fields.pop("description", None) or fields.pop("subject", None) or Path(name).stem
    subject, _, more = description.partition("\n")
    date = fields.pop("date", None) or _midnight(fields.get("last-update"))
    kept = [f"{field.title()}: {value}" for field, value in fields.items()]
    text = "\n\n".join(part for part in (more.strip(), body, "\n".join(kept)) if part)
    mail = f"From: {author}\nDate: {date}\nSubject: [PATCH] {subject}\n\n{text}\n---\n\n"
    return mail.encode() + diff.map_paths(parsed, lambda path: path).render_changes()


def with_git_paths(raw: bytes, place: str, strip: int) -> bytes:
    """The patch with git's a/ and b/ before each path, and `strip` first parts (patch -pN) taken off."""
    parsed = diff.parse(raw, place)

    def here(path: str) -> str:
        return path.removesuffix(".orig").split("/", strip)[-1] if strip else path.removesuffix(".orig")

    if strip == 1 and all(_has_git_parts(change) for change in parsed.changes):
        return raw
    return diff.map_paths(parsed, here).render()


def _read_header(header: str) -> tuple[dict[str, str], str]:
    fields: dict[str, str] = {}
    body: list[str] = []
    last = None
    for line in header.splitlines():
        found = _FIELD.match(line)
        if found and found[1].lower() not in fields and not body:
            last = found[1].lower()
            fields[last] = found[2]
        elif last and line[:1] in (" ", "\t") and not body:
            fields[last] += f"\n{'' if line.strip() == '.' else line.strip()}"
        elif line.strip() or body:
            body.append(line)
    return fields, "\n".join(body).strip()


def _has_git_parts(change: diff.FileChange) -> bool:
    return any(line.startswith((b"diff --git ", b"--- a/", b"+++ b/")) for line in change.header)


def _midnight(day: str | None) -> str:
    moment = datetime.fromisoformat(day.strip()) if day else datetime(1970, 1, 1)
    return format_datetime(moment.replace(tzinfo=UTC))
