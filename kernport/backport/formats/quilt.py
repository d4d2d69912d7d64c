"""Debian's debian/patches: a `series` file and patches with DEP-3 headers (dep-team.debian.net/deps/dep3)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from email.utils import parsedate_to_datetime
from pathlib import Path

from kernport.backport.formats import foreign
from kernport.backport.mail import Patch
from kernport.errors import UsageError

# Names the header fields that `write` added, so that `read` gives the mail back as it was.
_ADDED = b"X-Kernport-Added"


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
    """The patches of a folder in the order of `series`."""
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
    return foreign.with_git_paths(raw, place, strip)
