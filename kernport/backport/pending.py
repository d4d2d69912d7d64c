"""What is due: commits that asked to be merged to stable branches after a time that has passed."""

from __future__ import annotations

from collections.abc import Sequence
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
    due: list[Pending] = []
    unreadable: list[Commit] = []
    commits = history.log(git, "--regexp-ignore-case", "--grep=^MFC[ -]after", tip, "--not", *branches)
    contents = set[str]()
    for branch in branches:
        contents |= set(history.patch_ids(git, f"{tip}..{branch}"))
    for commit in commits:
        after = commit.trailers.after
        if after is None or history.find_revert(git, tip, (commit.name,)) is not None:
            continue
        when = commit.trailers.due(commit.date)
        if when is None:
            unreadable.append(commit)
        elif when <= now and not _is_on(git, branches, commit, contents):
            followups = history.find_followups(git, tip, branches[0], (commit.name,))
            due.append(Pending(commit, when, tuple(followups)))
    return Pendings(tuple(sorted(due, key=lambda each: each.due)), tuple(unreadable))


def _branches(git: Git, repository: Path, pattern: str) -> list[str]:
    names = git.text(
        "for-each-ref", "--format=%(refname)", f"refs/heads/{pattern}", f"refs/remotes/*/{pattern}"
    ).split()
    if not names:
        raise UsageError(
            f"{repository}: no branch matches {pattern!r}: name the stable branches with --stable"
        )
    return names


def _is_on(git: Git, branches: Sequence[str], commit: Commit, contents: set[str]) -> bool:
    if any(not history.missing(git, branch, (commit.name,)) for branch in branches):
        return True
    return bool(set(history.patch_ids(git, "-1", commit.name)) & contents)
