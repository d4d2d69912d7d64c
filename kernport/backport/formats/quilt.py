"""Debian's debian/patches: a `series` file and patches with DEP-3 headers (dep-team.debian.net/deps/dep3)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from pathlib import Path

from kernport.backport import diff
from kernport.backport.mail import Patch
from kernport.errors import UsageError

# Names the header fields that `write` added, so that `read` gives the mail back as it was.
_ADDED = b"X-Kernport-Added"
_FIELD = re.compile(r"^([A-Za-z][A-Za-z-]*):[ \t]*(.*)$")


def write(patches: Sequence[Patch]) -> dict[str, bytes]:
    """`series` and the patches, each mail's header completed to DEP-3. Raises UsageError for a rename."""
    for patch in patches:
        for change in patch.diff.changes:
            if change.moved or change.mode_changed:
                raise UsageError(
                    f"{patch.name}: {change.path}: dpkg-source cannot carry a rename or a change of mode: "
                    "write the patch with `git format-patch --no-renames`, and set modes in debian/rules"
                )
        if re.search(rb"^(---|\+\+\+) ", patch.diff.preamble, re.MULTILINE):
            raise UsageError(
                f"{patch.name}: its message has a line that starts with --- or +++, which dpkg-source takes "
                "for a file: reword it"
            )
    series = "".join(f"{patch.name}\n" for patch in patches)
    return {"series": series.encode()} | {patch.name: _complete(patch) for patch in patches}


def read(path: Path) -> dict[str, bytes]:
    """The patches of a folder in the order of `series`; one whose header is DEP-3 alone becomes a mail."""
    folder = path if path.is_dir() else path.parent
    series = folder / "series"
    if not series.is_file():
        raise UsageError(f"{series}: no such file")
    found = {}
    for line in series.read_text("utf-8").splitlines():
        words = line.split("#", 1)[0].split()
        if not words:
            continue
        patch = folder / words[0]
        if not patch.is_file():
            raise UsageError(f"{series}: it names {words[0]}, which does not exist")
        strip = int(words[1][2:]) if len(words) > 1 and re.fullmatch(r"-p\d", words[1]) else 1
        name = words[0].replace("/", "-")
        found[name if name.endswith(".patch") else f"{name}.patch"] = _restore(
            patch.read_bytes(), str(patch), strip
        )
    if not found:
        raise UsageError(f"{series}: it names no patch")
    return found


def _complete(patch: Patch) -> bytes:
    head, blank, rest = patch.raw.partition(b"\n\n")
    commit = patch.commit or next(iter(patch.trailers.picked_from), None)
    wanted = {
        "Origin": f"backport, {commit}" if commit else "vendor",
        "Forwarded": "not-needed",
        "Last-Update": parsedate_to_datetime(patch.date).date().isoformat(),
    }
    there = {line.split(b":", 1)[0].lower() for line in head.split(b"\n") if b":" in line}
    fields = {name: value for name, value in wanted.items() if name.lower().encode() not in there}
    added = b"".join(f"\n{name}: {value}".encode() for name, value in fields.items())
    mark = b"\n" + _ADDED + b": " + ", ".join(fields).encode() if fields else b""
    return head + added + mark + blank + rest


def _restore(raw: bytes, place: str, strip: int) -> bytes:
    head, blank, rest = raw.partition(b"\n\n")
    lines = head.split(b"\n")
    mark = next((line for line in lines if line.startswith(_ADDED + b":")), None)
    if mark is not None:
        names = {name.strip() for name in mark.split(b":", 1)[1].split(b",")}
        kept = [line for line in lines if line is not mark and line.split(b":", 1)[0] not in names]
        return b"\n".join(kept) + blank + rest
    fields = {line.split(b":", 1)[0].lower() for line in lines}
    if {b"from", b"subject", b"date"} <= fields and strip == 1:
        return raw
    return _mail_of(raw, place, strip)


def _mail_of(raw: bytes, place: str, strip: int) -> bytes:
    parsed = diff.parse(raw, place)
    header = parsed.preamble.decode("utf-8", "replace").split("\n---\n", 1)[0]
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
    author = fields.pop("author", None) or fields.pop("from", None)
    if author is None:
        raise UsageError(f"{place}:1: neither Author nor From says who wrote it: add one (DEP-3)")
    description = fields.pop("description", None) or fields.pop("subject", None) or Path(place).stem
    subject, _, more = description.partition("\n")
    date = fields.pop("date", None) or _midnight(fields.get("last-update"))
    kept = [f"{name.title()}: {value}" for name, value in fields.items()]
    text = "\n\n".join(part for part in (more.strip(), "\n".join(body).strip(), "\n".join(kept)) if part)
    mapped = diff.map_paths(_strip(parsed, strip), lambda path: path)
    mail = f"From: {author}\nDate: {date}\nSubject: [PATCH] {subject}\n\n{text}\n---\n\n"
    return mail.encode() + mapped.render_changes()


def _strip(parsed: diff.Diff, strip: int) -> diff.Diff:
    """Paths without their first part, where it is neither git's a/ and b/ nor to be kept."""
    if strip == 0 or all(_has_git_parts(change) for change in parsed.changes):
        return parsed
    return diff.map_paths(parsed, lambda path: path.split("/", strip)[-1])


def _has_git_parts(change: diff.FileChange) -> bool:
    return any(line.startswith((b"diff --git ", b"--- a/", b"+++ b/")) for line in change.header)


def _midnight(day: str | None) -> str:
    moment = datetime.fromisoformat(day.strip()) if day else datetime(1970, 1, 1)
    return format_datetime(moment.replace(tzinfo=UTC))
