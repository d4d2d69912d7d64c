"""What the history of a branch and of its source say about a patch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from kernport.backport import trailers
from kernport.backport.diff import Diff, FileChange
from kernport.backport.git import Git

# How far back a branch is read for a change of the same content.
_DEPTH = 3000
_AT_MOST = 10


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


def patch_ids(git: Git, *arguments: str) -> dict[str, str]:
    """Content name: commit, for the commits that `git log arguments` lists."""
    text = git.run("log", "-p", "--no-merges", "--no-textconv", "--no-ext-diff", *arguments)
    lines = git.text("patch-id", "--stable", stdin=text).splitlines()
    return dict(reversed([(content, commit) for content, commit in (line.split() for line in lines)]))


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


def missing(git: Git, branch: str, commits: Iterable[str]) -> list[str]:
    """Those of `commits` that `branch` neither contains nor has picked."""
    return [name for name in commits if _find_by_name(git, branch, (name,)) is None]


def likely_prerequisites(
    git: Git, source: str, branch: str, commit: str | None, ranges: Iterable[tuple[str, int, int]]
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
    present = _contents(git, f"{before}..{branch}", [path for path, _, _ in ranges]) if found else set()
    lacking = [
        each
        for each in found.values()
        if _find_by_name(git, branch, (each.name,)) is None and not _content(git, each.name) & present
    ]
    return sorted(lacking, key=lambda each: (each.date, each.name))[:_AT_MOST]


def lines_of(change: FileChange) -> list[tuple[int, int]]:
    """First line and count, before the patch, of each hunk of a change."""
    return [(hunk.old_start, len(hunk.before())) for hunk in change.hunks]


def same(one: str, other: str) -> bool:
    """Whether two names, either of them abbreviated, are of one commit."""
    return min(len(one), len(other)) >= 7 and (one.startswith(other) or other.startswith(one))


def _mentioning(git: Git, branch: str, name: str) -> list[Commit]:
    return log(git, "--fixed-strings", f"--grep={name[:7]}", branch)


def _find_by_name(git: Git, branch: str, commits: Sequence[str]) -> tuple[Commit, str] | None:
    for name in commits:
        if is_commit(git, name) and git.succeeds("merge-base", "--is-ancestor", name, branch):
            return log(git, "-1", name)[0], "it is on the branch"
        for commit in _mentioning(git, branch, name):
            if any(same(name, each) for each in commit.trailers.picked_from):
                return commit, f"its message says it was picked from {name[:12]}"
    return None


def _find_by_content(git: Git, branch: str, diff: Diff) -> tuple[Commit, str] | None:
    wanted = patch_id(git, diff.render_changes())
    if wanted is None:
        return None
    paths = sorted({change.path for change in diff.changes})
    listed = patch_ids(git, f"-n{_DEPTH}", "--full-diff", branch, "--", *paths)
    name = listed.get(wanted)
    return None if name is None else (log(git, "-1", name)[0], "the content is the same")


def _contents(git: Git, commits: str, paths: Sequence[str]) -> set[str]:
    return set(patch_ids(git, f"-n{_DEPTH}", "--full-diff", commits, "--", *sorted(set(paths))))


def _content(git: Git, commit: str) -> set[str]:
    return set(patch_ids(git, "-1", commit))
