"""A patch as a mail: what `git format-patch` writes and `git am` reads."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

from kernport.backport import diff as diffs
from kernport.backport.diff import Diff
from kernport.backport.git import Git
from kernport.backport.temporary import temporary_folder
from kernport.backport.trailers import Trailers
from kernport.backport.trailers import read as read_trailers
from kernport.errors import UsageError


@dataclass(frozen=True)
class Patch:
    """One patch: who wrote it, when, why, and its diff. `raw` is the file, byte for byte."""

    name: str
    raw: bytes
    commit: str | None
    author: str
    email: str
    date: str
    subject: str
    body: str
    diff: Diff

    @property
    def message(self) -> str:
        """Subject, blank line, body: what the commit says."""
        return (
            f"{self.subject}\n\n{self.body}".rstrip("\n") + "\n" if self.body.strip() else f"{self.subject}\n"
        )

    @property
    def trailers(self) -> Trailers:
        """What the message says about where else the patch has to go."""
        return read_trailers(self.message)

    @property
    def paths(self) -> tuple[str, ...]:
        """Every path the patch reads or writes, each once."""
        names = [path for change in self.diff.changes for path in (change.old, change.new) if path]
        return tuple(dict.fromkeys(names))

    def with_diff(self, diff: Diff) -> Patch:
        """The same patch with another diff."""
        return replace(self, diff=diff, raw=diff.render())


def read(path: Path) -> Patch:
    """Read a patch file. Raises UsageError where it is not a mail, or must not be applied anywhere."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from error
    return parse(raw, path.name, str(path))


def parse(raw: bytes, name: str, place: str) -> Patch:
    """Read a patch from bytes; `place` is what errors call it."""
    diff = diffs.parse(raw, place)
    if b"\r\n" in raw[: raw.find(b"\n") + 1]:
        raise UsageError(
            f"{place}:1: the mail's own lines end in CR LF, so a mail program has rewritten it: "
            "fetch it again as an attachment, or with `git format-patch`"
        )
    diffs.refuse_what_cannot_be_carried(diff, place)
    if any(re.match(rb"From [0-9a-f]{40,64} ", line) for change in diff.changes for line in change.header):
        raise UsageError(f"{place}: more than one mail in one file: split it with `git mailsplit`")
    with temporary_folder("mail") as folder:
        message, patch = folder / "message", folder / "patch"
        git = Git(folder)
        said = _decode(git.run("mailinfo", "-b", "--encoding=UTF-8", str(message), str(patch), stdin=raw))
        body = _decode(message.read_bytes())
    fields = dict(re.findall(r"^(Author|Email|Subject|Date): (.*)$", said, re.MULTILINE))
    for needed in ("Author", "Email", "Subject", "Date"):
        if needed not in fields:
            header = "From:" if needed in ("Author", "Email") else f"{needed}:"
            raise UsageError(
                f"{place}:1: not a mail-format patch, it has no '{header}': write it with `git format-patch`"
            )
    start = re.match(rb"From ([0-9a-f]{40,64}) ", raw)
    commit = start[1].decode() if start and set(start[1]) != {ord("0")} else None
    subject = re.sub(r"^\[PATCH[^\]]*\]\s*", "", fields["Subject"])
    return Patch(
        name,
        raw,
        commit,
        fields["Author"],
        fields["Email"],
        fields["Date"],
        subject,
        body.strip("\n") + "\n",
        diff,
    )


def _decode(text: bytes) -> str:
    """A mail that does not name its character set is in Latin-1 where it is not in UTF-8, as for git."""
    try:
        return text.decode()
    except UnicodeDecodeError:
        return text.decode("latin-1")
