"""A series of mails: what `git format-patch` writes and `git am` takes; also one mbox file of them all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from kernport.backport import mail
from kernport.backport.git import Git, complaint
from kernport.backport.mail import Patch
from kernport.backport.temporary import temporary_folder
from kernport.errors import UsageError


def write(patches: Sequence[Patch]) -> dict[str, bytes]:
    """The patches as they are."""
    return {patch.name: patch.raw for patch in patches}


def read(path: Path) -> dict[str, bytes]:
    """The mails of a folder in the order of their names, or those of an mbox file."""
    if path.is_dir():
        found = {each.name: each.read_bytes() for each in sorted(path.glob("*.patch"))}
    else:
        found = _split(path)
    if not found:
        raise UsageError(f"{path}: no *.patch files there")
    return found


def file_name(number: int, subject: str) -> str:
    """The name that `git format-patch` would give."""
    title = re.sub(r"\.*$", "", re.sub(r"[^A-Za-z0-9._]+", "-", subject).strip("-."))[:52]
    return f"{number:04}-{title}.patch"


def _split(path: Path) -> dict[str, bytes]:
    with temporary_folder("mbox") as folder:
        split = Git(folder).attempt("mailsplit", "--keep-cr", f"-o{folder}", str(path.resolve()))
        if split.returncode != 0:
            raise UsageError(f"{path}: not an mbox file of mails ({complaint(split)})")
        mails = [each.read_bytes() for each in sorted(folder.iterdir())]
    named = {}
    for number, raw in enumerate(mails, 1):
        patch = mail.parse(raw, f"{number:04}.patch", f"{path} (mail {number})")
        named[file_name(number, patch.subject)] = raw
    return named
