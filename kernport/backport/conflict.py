"""Where a patch does not fit, and which lines are there instead of those it expects."""

from __future__ import annotations

import difflib
from collections import Counter
from dataclasses import dataclass

from kernport.backport.diff import FileChange, Hunk


@dataclass(frozen=True)
class Conflict:
    """A hunk that does not fit: what it expects before itself, and the nearest lines the branch has.

    `wanted_line` is 0 for a new file where one is already, `found_line` where there is no file.
    """

    path: str
    wanted_line: int
    found_line: int
    wanted: tuple[str, ...]
    found: tuple[str, ...]

    @property
    def reason(self) -> str:
        """What is wrong, in a few words."""
        if self.wanted_line == 0:
            return f"{self.path} exists already"
        if self.found_line == 0:
            return f"there is no {self.path}"
        return f"the lines differ at {self.path}:{self.found_line}"

    def lines(self) -> list[str]:
        """The difference, a line each: `-` what the patch expects, `+` what the branch has."""
        marked = difflib.ndiff(self.wanted, self.found)
        return [line for line in marked if not line.startswith("?")]


def find(change: FileChange, content: bytes | None) -> list[Conflict]:
    """The hunks of `change` that `content` has no exact place for; the first where there is no file."""
    if change.old is None:
        return [] if content is None else [Conflict(change.path, 0, 1, (), ("(the file exists already)",))]
    if content is None:
        return [
            Conflict(change.old, hunk.old_start, 0, _text(hunk.before()), ("(there is no such file)",))
            for hunk in change.hunks[:1]
        ]
    have = content.split(b"\n")
    return [
        _nearest(change.path, hunk, have)
        for hunk in change.hunks
        if not _contains(have, [line.rstrip(b"\n") for line in hunk.before()], hunk.old_start - 1)
    ]


def _contains(have: list[bytes], wanted: list[bytes], guess: int) -> bool:
    if not wanted:
        return True
    places = [guess, *(number for number, line in enumerate(have) if line == wanted[0])]
    return any(have[place : place + len(wanted)] == wanted for place in places if place >= 0)


def _nearest(path: str, hunk: Hunk, have: list[bytes]) -> Conflict:
    wanted = [line.rstrip(b"\n") for line in hunk.before()]
    count = max(len(wanted), 1)
    meaningful = Counter(line for line in wanted if len(line.strip()) > 2)
    best, place = -1.0, 0
    window = Counter(have[:count])
    for start in range(max(len(have) - count, 0) + 1):
        if start:
            window[have[start - 1]] -= 1
            if start + count - 1 < len(have):
                window[have[start + count - 1]] += 1
        common = sum(min(number, window[line]) for line, number in meaningful.items() if window[line] > 0)
        score = common - abs(start - (hunk.old_start - 1)) / (10 * len(have) + 1)
        if score > best:
            best, place = score, start
    found = have[place : place + count]
    return Conflict(path, hunk.old_start, place + 1, _text(tuple(wanted)), _text(tuple(found)))


def _text(lines: tuple[bytes, ...]) -> tuple[str, ...]:
    return tuple(line.decode("utf-8", "replace").rstrip("\r\n") for line in lines)
