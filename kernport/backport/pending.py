"""What is due: commits that asked to be merged to stable branches after a time that has passed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from kernport.backport import history
from kernport.backport.git import Git
from kernport.backport.history import Commit
from kernport.backport.scratch import resolve
from kernport.errors import UsageError


@dataclass(frozen=True)
class Pending:
    """A commit that is due, since when, and what else has to go with it."""

    commit: Commit
    due: datetime
    followups: tuple[Commit, ...]


@dataclass(frozen=True)
class Pendings:
    """The commits that are due, oldest first, and those whose "MFC after" nobody can read."""

    due: tuple[Pending, ...]
    unreadable: tuple[Commit, ...]


def pending(repository: Path, source: str, stable: Sequence[str], now: datetime) -> Pendings:
    """Commits of `source` whose "MFC after" is over at `now` and that no stable branch has.

    `stable` are patterns of branches, as in "stable/*". Raises UsageError where one of them matches nothing.
    """
    git = Git(repository)
    tip = resolve(repository, source, "the branch")
    branches = [name for pattern in stable for name in _branches(git, repository, pattern)]
    ripe: dict[Commit, datetime] = {}
    unreadable: list[Commit] = []
    for commit in history.log(git, "--regexp-ignore-case", "--grep=^MFC[ -]after", tip, "--not", *branches):
        if commit.trailers.after is None or history.find_revert(git, tip, (commit.name,)) is not None:
            continue
        when = commit.trailers.due(commit.date)
        if when is None:
            unreadable.append(commit)
        elif when <= now and not _is_picked(git, branches, commit):
            ripe[commit] = when
    there = _same_content(git, tip, branches, ripe)
    due = [
        Pending(commit, when, tuple(_followups(git, tip, branches, commit)))
        for commit, when in ripe.items()
        if commit.name not in there
    ]
    return Pendings(tuple(sorted(due, key=lambda each: each.due)), tuple(unreadable))


def _branches(git: Git, repository: Path, pattern: str) -> list[str]:
    """The tips of the branches that match, local ones and those of remotes."""
    tips = git.text(
        "for-each-ref", "--format=%(objectname)", f"refs/heads/{pattern}", f"refs/remotes/*/{pattern}"
    ).split()
    if not tips:
        raise UsageError(
            f"{repository}: no branch matches {pattern!r}: name the stable branches with --stable"
        )
    return list(dict.fromkeys(tips))


def _is_picked(git: Git, branches: Sequence[str], commit: Commit) -> bool:
    return any(history.find_pick(git, branch, commit.name) is not None for branch in branches)


def _same_content(git: Git, tip: str, branches: Sequence[str], commits: Iterable[Commit]) -> set[str]:
    """The names of those of `commits` that a branch has with the same content but no word about it."""
    names = "\n".join(commit.name for commit in commits).encode()
    if not names:
        return set()
    asked = history.contents(git, "--no-walk", "--stdin", stdin=names)
    there = set(history.contents(git, *branches, "--not", tip).values())
    return {name for name, content in asked.items() if content in there}


def _followups(git: Git, tip: str, branches: Sequence[str], commit: Commit) -> list[Commit]:
    found = history.find_followups(git, tip, branches[0], (commit.name,))
    return [each for each in found if not _is_picked(git, branches, each)]
