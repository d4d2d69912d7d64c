"""What the history of a branch and of its source say about a patch."""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from kernport.backport import trailers
from kernport.backport.diff import Diff, FileChange
from kernport.backport.git import Git

# How far back a branch is read for a change of the same content.
_DEPTH = 3000
_AT_MOST = 10
_DIGITS = 7  # the fewest by which a message names a commit


@dataclass(frozen=True)
class Commit:
    """A commit as a report names it."""

    name: str
    subject: str
    date: datetime
    author: str
    message: str

    @property
    def short(self) -> str:
        """The first twelve digits of its name."""
        return self.name[:12]

    @property
    def trailers(self) -> trailers.Trailers:
        """What its message says about other commits and branches."""
        return trailers.read(self.message)


@dataclass(frozen=True)
class Picked:
    """A commit of the branch that is the patch, how that was seen, and what has reverted it since."""

    commit: Commit
    how: str
    reverted_by: Commit | None


def log(git: Git, *arguments: str) -> list[Commit]:
    """Commits that `git log arguments` lists, newest first."""
    out = git.run("log", "--format=%x01%H%x00%s%x00%ct%x00%an%x00%B%x00", *arguments).decode(errors="replace")
    commits = []
    for record in out.split("\x01")[1:]:
        name, subject, seconds, author, message = record.split("\x00")[:5]
        commits.append(Commit(name, subject, datetime.fromtimestamp(int(seconds), UTC), author, message))
    return commits


def patch_id(git: Git, diff: bytes) -> str | None:
    """git's name for the content of a diff, the same wherever it is applied; None for an empty one."""
    out = git.text("patch-id", "--stable", stdin=diff)
    return out.split()[0] if out else None


def contents(git: Git, *arguments: str, stdin: bytes = b"") -> dict[str, str]:
    """Commit: content name, for the commits that `git log arguments` lists, newest first."""
    text = git.run("log", "-p", "--no-merges", "--no-textconv", "--no-ext-diff", *arguments, stdin=stdin)
    lines = git.text("patch-id", "--stable", stdin=text).splitlines()
    return {commit: content for content, commit in (line.split() for line in lines)}


def is_commit(git: Git, name: str) -> bool:
    """Whether the repository has that commit."""
    return git.succeeds("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")


def find_picked(git: Git, branch: str, commits: Sequence[str], diff: Diff) -> Picked | None:
    """The commit of `branch` that is one of `commits`, was picked from one, or has the same content."""
    found = _find_by_name(git, branch, commits) or _find_by_content(git, branch, diff)
    if found is None:
        return None
    commit, how = found
    return Picked(commit, how, find_revert(git, branch, (commit.name,)))


def find_revert(git: Git, branch: str, commits: Iterable[str]) -> Commit | None:
    """The commit of `branch` that reverts one of `commits` and has not been reverted itself."""
    for name in commits:
        for commit in _mentioning(git, branch, name):
            reverts = commit.trailers.reverts
            if any(same(name, each) for each in reverts) and find_revert(git, branch, (commit.name,)) is None:
                return commit
    return None


def find_followups(git: Git, source: str, branch: str, commits: Sequence[str]) -> list[Commit]:
    """Commits of `source` that fix one of `commits` or ask to be merged with it, and that `branch` lacks."""
    found: dict[str, Commit] = {}
    for name in commits:
        for commit in _mentioning(git, source, name):
            says = commit.trailers
            if any(same(name, each) for each in (*says.fixes, *says.together_with)):
                found[commit.name] = commit
    return [commit for commit in found.values() if _find_by_name(git, branch, (commit.name,)) is None]


def find_pick(git: Git, branch: str, name: str) -> Commit | None:
    """The commit of `branch` whose message says that it was picked from the commit `name`."""
    return next(
        (
            commit
            for commit in _mentioning(git, branch, name)
            if any(same(name, each) for each in commit.trailers.picked_from)
        ),
        None,
    )


def missing(git: Git, branch: str, commits: Iterable[str]) -> list[str]:
    """Those of `commits` that `branch` neither contains nor has picked."""
    return [name for name in commits if _find_by_name(git, branch, (name,)) is None]


def likely_prerequisites(
    git: Git, source: str, branch: str, commit: str | None, ranges: Sequence[tuple[str, int, int]]
) -> list[Commit]:
    """Commits of `source` that touch those lines (path, first, count) and that `branch` lacks.

    Oldest first, ten at most. `commit` is the patch's own commit where `source` has it: the lines are
    counted as they were just before it.
    """
    before = f"{commit}^" if commit and is_commit(git, f"{commit}^") else source
    found: dict[str, Commit] = {}
    for path, first, count in ranges:
        span = f"-L{max(first, 1)},+{max(count, 1)}:{path}"
        done = git.attempt("log", "-s", "--format=%H", span, before, "--not", branch)
        names = done.stdout.decode().split() if done.returncode == 0 else []
        for name in names:
            if name != commit and name not in found:
                found[name] = log(git, "-1", name)[0]
    if not found:
        return []
    paths = sorted({path for path, _, _ in ranges})
    present = set(contents(git, f"-n{_DEPTH}", "--full-diff", f"{before}..{branch}", "--", *paths).values())
    lacking = [
        each
        for each in found.values()
        if _find_by_name(git, branch, (each.name,)) is None
        and present.isdisjoint(contents(git, "-1", each.name).values())
    ]
    return sorted(lacking, key=lambda each: (each.date, each.name))[:_AT_MOST]


def lines_of(change: FileChange) -> list[tuple[int, int]]:
    """First line and count, before the patch, of each hunk of a change."""
    return [(hunk.old_start, len(hunk.before())) for hunk in change.hunks]


def same(one: str, other: str) -> bool:
    """Whether two names, either of them abbreviated, are of one commit."""
    return min(len(one), len(other)) >= _DIGITS and (one.startswith(other) or other.startswith(one))


def _mentioning(git: Git, branch: str, name: str) -> Sequence[Commit]:
    whole = re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", branch)
    tip = branch if whole else git.text("rev-parse", "--verify", f"{branch}^{{commit}}")
    return _mentions(git, tip).get(name[:_DIGITS], ())


@functools.lru_cache(maxsize=32)
def _mentions(git: Git, tip: str) -> Mapping[str, Sequence[Commit]]:
    """Commits up to `tip`, newest first, whose trailers name another, by the first digits of its name.

    A long history is read once for all the commits that are looked up in it.
    """
    found: dict[str, list[Commit]] = defaultdict(list)
    chosen = ("--extended-regexp", "--regexp-ignore-case", f"--grep={trailers.NAMING}")
    for commit in log(git, *chosen, tip):
        for digits in {name[:_DIGITS] for name in commit.trailers.named}:
            found[digits].append(commit)
    return found


def _find_by_name(git: Git, branch: str, commits: Sequence[str]) -> tuple[Commit, str] | None:
    for name in commits:
        if is_commit(git, name) and git.succeeds("merge-base", "--is-ancestor", name, branch):
            return log(git, "-1", name)[0], "it is on the branch"
        pick = find_pick(git, branch, name)
        if pick is not None:
            return pick, f"its message says it was picked from {name[:12]}"
    return None


def _find_by_content(git: Git, branch: str, diff: Diff) -> tuple[Commit, str] | None:
    wanted = patch_id(git, diff.render_changes())
    if wanted is None:
        return None
    paths = sorted({change.path for change in diff.changes})
    listed = contents(git, f"-n{_DEPTH}", "--full-diff", branch, "--", *paths)
    name = next((commit for commit, content in listed.items() if content == wanted), None)
    return None if name is None else (log(git, "-1", name)[0], "the content is the same")
