"""What a commit message says about where else the commit has to go.

Sources: FreeBSD Committer's Guide ("MFC after", "MFC with"), Linux Documentation/process/stable-kernel-rules
("Cc: stable" with prerequisites, "commit ... upstream"), git-cherry-pick(1) -x, git-revert(1).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

_COMMIT = r"[0-9a-f]{7,64}"
_PICKED = (
    re.compile(rf"\(cherry[ -]picked from commit ({_COMMIT})\)", re.IGNORECASE),
    re.compile(rf"^\s*commit ({_COMMIT}) upstream\.?\s*$", re.IGNORECASE | re.MULTILINE),
    re.compile(rf"^\s*\[ Upstream commit ({_COMMIT}) \]\s*$", re.IGNORECASE | re.MULTILINE),
    re.compile(rf"^Origin: (?:upstream|backport)\b.*?({_COMMIT})\s*$", re.IGNORECASE | re.MULTILINE),
)
_REVERTS = re.compile(rf"^This reverts commit\s+({_COMMIT})", re.MULTILINE)
_FIXES = re.compile(rf"^Fixes:?\s+(?:commit\s+)?({_COMMIT})\b", re.IGNORECASE | re.MULTILINE)
_WITH = re.compile(r"^MFC[ -]with:?\s+(.*)$", re.IGNORECASE | re.MULTILINE)
_AFTER = re.compile(r"^MFC[ -]after:?\s+(.*?)\s*$", re.IGNORECASE | re.MULTILINE)
_STABLE = re.compile(r"^Cc:\s*<?stable@[^>\s]+>?\s*(?:#\s*(.*))?$", re.IGNORECASE | re.MULTILINE)
# What the messages that name another commit have in common, as an extended expression of git's.
NAMING = (
    r"cherry[ -]picked from commit|^[[:space:]]*commit [0-9a-f]+ upstream|upstream commit|^origin:"
    r"|^this reverts commit|^fixes|^mfc[ -]with"
)
_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}


@dataclass(frozen=True)
class Trailers:
    """What one message says. Commits are as written there, often abbreviated."""

    picked_from: tuple[str, ...] = ()
    reverts: tuple[str, ...] = ()
    fixes: tuple[str, ...] = ()
    together_with: tuple[str, ...] = ()
    prerequisites: tuple[str, ...] = ()
    stable_versions: tuple[str, ...] = ()
    after: str | None = None

    @property
    def named(self) -> tuple[str, ...]:
        """The commits that it was picked from, reverts, fixes or belongs to."""
        return (*self.picked_from, *self.reverts, *self.fixes, *self.together_with)

    def due(self, committed: datetime) -> datetime | None:
        """When the commit may be merged to stable branches; None where it says nothing that can be read."""
        return None if self.after is None else due(self.after, committed)


def read(message: str) -> Trailers:
    """The trailers of a message. Words that only look like one are left alone."""
    picked = [commit for pattern in _PICKED for commit in pattern.findall(message)]
    together = [commit for line in _WITH.findall(message) for commit in re.findall(_COMMIT, line)]
    prerequisites: list[str] = []
    versions: list[str] = []
    for comment in _STABLE.findall(message):
        version, found = _read_stable(comment)
        prerequisites += found
        versions += [version] if version else []
    after = _AFTER.search(message)
    return Trailers(
        picked_from=_once(picked),
        reverts=_once(_REVERTS.findall(message)),
        fixes=_once(_FIXES.findall(message)),
        together_with=_once(together),
        prerequisites=_once(prerequisites),
        stable_versions=_once(versions),
        after=after[1] if after else None,
    )


def due(after: str, committed: datetime) -> datetime | None:
    """When `after` ("2 weeks", "immediately") counted from `committed` is over; None if unreadable."""
    words = after.strip().lower().rstrip(".")
    if words in ("now", "immediately", "instantly"):
        return committed
    found = re.fullmatch(r"(\d+|an?|one|two|three)?\s*(day|week|month|year)s?", words)
    if found is None:
        return None
    names = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, None: 1}
    count = int(found[1]) if found[1] and found[1].isdigit() else names[found[1]]
    return committed + timedelta(days=count * _DAYS[found[2]])


def _read_stable(comment: str) -> tuple[str | None, list[str]]:
    version = re.match(r"\s*(v?\d+\.\d+[\w.]*\s*[-+]?)", comment)
    rest = comment[version.end() :] if version else comment
    commits = re.findall(rf"(?:^|[:,\s])({_COMMIT})(?=\s*[:,(]|\s*$)", rest)
    return (version[1].strip() if version else None), commits


def _once(values: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))
