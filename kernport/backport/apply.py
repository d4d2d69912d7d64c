"""Put a set on a branch or into a tree, whole or not at all."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from kernport.backport.git import Git, GitFailed
from kernport.backport.plan import Outcome, Plan, make_plan
from kernport.backport.scratch import Place, Scratch, refuse_links, resolve, scratch_of
from kernport.backport.series import PatchSet
from kernport.backport.temporary import gone_at_the_end, remove
from kernport.errors import AnswerNo, UsageError

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2


@dataclass(frozen=True)
class Applied:
    """What was done: the plan, and the branch's new commit or the tree that was written."""

    plan: Plan
    commit: str | None
    tree: Path | None


def apply_to_branch(
    patch_set: PatchSet,
    place: Place,
    new_branch: str | None = None,
    source: str | None = None,
    reverted_too: bool = False,
) -> Applied:
    """Commit the set on top of a branch; with `new_branch` that branch is made and the old one stays.

    Everything happens in a scratch; the repository gets the objects at the end, and then the branch moves in
    one step, if it still stands where it stood. Raises AnswerNo where a patch does not apply, UsageError
    where the branch may not be moved.
    """
    assert place.repository is not None and place.reference is not None
    repository = Git(place.repository)
    old = resolve(place.repository, place.reference, "the branch")
    reference, expected = _branch_to_move(repository, place, new_branch, old)
    committer = _committer(repository)
    with scratch_of(place) as scratch:
        if scratch.commit != old:
            raise AnswerNo(f"{reference} is moving: nothing was changed; try again")
        plan = make_plan(patch_set, place, scratch, source, reverted_too)
        _refuse_if_stopped(plan)
        commit = old
        before = scratch.start
        for outcome in plan.outcomes:
            if outcome.tree != before:
                commit = _commit(scratch, outcome, commit, plan.branch.convention, committer)
                before = outcome.tree
        if commit == old:
            return Applied(plan, None, None)
        scratch.git.run("update-ref", "refs/heads/result", commit)
        if scratch.tree() != plan.tree or scratch.git.text("rev-parse", f"{commit}^{{tree}}") != plan.tree:
            raise AnswerNo(f"{place.branch}: the commits do not hold what was planned: nothing was changed")
        repository.run(
            "-c",
            "protocol.file.allow=always",
            "fetch",
            "--quiet",
            "--no-tags",
            "--no-write-fetch-head",
            "--no-recurse-submodules",
            str(scratch.git.git_directory),
            "refs/heads/result",
            detached=True,
        )
        message = f"kernport backport apply {patch_set.name}"
        try:
            repository.run("update-ref", "-m", message, reference, commit, expected, detached=True)
        except GitFailed as error:
            now = repository.attempt("rev-parse", "--verify", "--quiet", reference).stdout.decode().strip()
            unmoved = (now or "0" * len(old)) == expected
            why = f"cannot be written ({error})" if unmoved else "moved while the set was applied"
            raise AnswerNo(f"{reference} {why}: nothing was changed; try again") from error
    return Applied(plan, commit, None)


def apply_to_tree(patch_set: PatchSet, place: Place, out: Path | None = None) -> Applied:
    """Patch a plain source tree in place, or into the new directory `out`.

    The patched copy is made beside the tree and takes its place in one step. Raises AnswerNo where a patch
    does not apply or somebody changes the tree meanwhile, UsageError where the tree is a git working tree,
    `out` exists, or nothing can be written.
    """
    assert place.tree is not None
    tree = place.tree.resolve()
    if out is None and (tree / ".git").exists():
        raise UsageError(
            f"{place.tree}: a git working tree: name the branch with --repository and --onto instead"
        )
    if out is not None and (out.exists() or out.is_symlink()):
        raise UsageError(f"{out}: exists already: name a directory that does not")
    target = tree if out is None else out.absolute()
    branch = patch_set.branch(place.branch)
    for patch in patch_set.patches:
        refuse_links(tree, map(branch.here, patch.on(place.branch).paths))
    _remove_left_overs(target)
    before = _marks(tree)
    with scratch_of(place) as scratch:
        plan = make_plan(patch_set, place, scratch)
        _refuse_if_stopped(plan)
        if plan.tree == scratch.start and out is None:
            return Applied(plan, None, None)
        try:
            with gone_at_the_end(target.parent / f".{target.name}.kernport-{os.getpid()}") as copy:
                _copy_tree(tree, copy)
                _write_changes(scratch, plan, copy)
                _keep_owners(tree, copy)
                if _marks(tree) != before:
                    raise AnswerNo(
                        f"{tree} changed while the set was applied: it stays as it is now; try again"
                    )
                if out is None:
                    _exchange(copy, tree)
                else:
                    copy.rename(target)
        except OSError as error:
            why = f"{error.filename or target}: {error.strerror}"
            raise UsageError(f"{target} cannot be written ({why}): nothing was changed") from error
    return Applied(plan, None, target)


def message_for(outcome: Outcome, convention: str) -> str:
    """The commit message of a patch in the branch's convention (git -x, FreeBSD's MFC, Linux stable)."""
    form = outcome.patch.patch
    message = form.message.rstrip("\n")
    commit = next(iter((*outcome.patch.upstream, *((form.commit,) if form.commit else ()))), None)
    if convention == "mfc" and not message.startswith("MFC"):
        message = f"MFC: {message}"
    if convention == "plain" or commit is None or commit in form.trailers.picked_from:
        return f"{message}\n"
    if convention == "stable":
        subject, _, body = message.partition("\n\n")
        return f"{subject}\n\ncommit {commit} upstream.\n\n{body}".rstrip("\n") + "\n"
    separator = "\n" if re.search(r"\n\n(?:[A-Z][\w-]*(?: [a-z]+)?:\s.*\n?)+$", message) else "\n\n"
    return f"{message}{separator}(cherry picked from commit {commit})\n"


def _refuse_if_stopped(plan: Plan) -> None:
    stopping = [outcome for outcome in plan.outcomes if outcome.stops]
    if stopping:
        first = stopping[0]
        others = f" (and {len(stopping) - 1} more)" if len(stopping) > 1 else ""
        raise AnswerNo(
            f"{plan.place.branch}: {first.patch.name}: {first.verdict}: {first.reason}{others}; "
            "nothing was changed; `kernport backport check` shows the lines"
        )


def _branch_to_move(repository: Git, place: Place, new_branch: str | None, old: str) -> tuple[str, str]:
    if new_branch is not None:
        reference = f"refs/heads/{new_branch}"
        if not repository.succeeds("check-ref-format", reference):
            raise UsageError(f"{new_branch!r} is not a name that git gives a branch")
        if repository.succeeds("rev-parse", "--verify", "--quiet", reference):
            raise UsageError(
                f"{place.repository}: the branch {new_branch} exists already: choose another name"
            )
        return reference, "0" * len(old)
    assert place.reference is not None
    reference = f"refs/heads/{place.reference.removeprefix('refs/heads/')}"
    if not repository.succeeds("show-ref", "--verify", "--quiet", reference):
        raise UsageError(
            f"{place.repository}: {place.reference} is not a local branch: name a new branch with --as"
        )
    listing = repository.text("worktree", "list", "--porcelain")
    for block in listing.split("\n\n"):
        if f"branch {reference}" in block.splitlines():
            where = block.splitlines()[0].removeprefix("worktree ")
            raise UsageError(
                f"{place.reference} is checked out in {where}, whose files would no longer be the branch's: "
                "check out another branch there, or name a new one with --as"
            )
    return reference, old


def _committer(repository: Git) -> Mapping[str, str]:
    done = repository.attempt("var", "GIT_COMMITTER_IDENT")
    found = re.match(r"(.*) <(.*)> \d+ [-+]\d{4}$", done.stdout.decode(errors="replace").strip())
    if done.returncode != 0 or found is None:
        raise UsageError("git does not know who commits: set user.name and user.email with `git config`")
    return {"GIT_COMMITTER_NAME": found[1], "GIT_COMMITTER_EMAIL": found[2]}


def _commit(
    scratch: Scratch, outcome: Outcome, parent: str, convention: str, committer: Mapping[str, str]
) -> str:
    author = outcome.patch.patch
    environment = {
        **committer,
        "GIT_AUTHOR_NAME": author.author,
        "GIT_AUTHOR_EMAIL": author.email,
        "GIT_AUTHOR_DATE": author.date,
    }
    message = message_for(outcome, convention).encode()
    arguments = ("commit-tree", outcome.tree, "-p", parent)
    return scratch.git.run(*arguments, stdin=message, environment=environment).decode().strip()


def _marks(tree: Path) -> dict[Path, tuple[int, int]]:
    """What differs after any change to a file or folder: which it is, and when it was changed."""
    marks = {}
    for path in (tree, *tree.rglob("*")):
        status = path.lstat()
        marks[path] = (status.st_ino, status.st_ctime_ns)
    return marks


def _copy_tree(tree: Path, copy: Path) -> None:
    try:
        shutil.copytree(tree, copy, symlinks=True)
    except shutil.Error as errors:
        source, _, why = errors.args[0][0]
        raise UsageError(f"{source}: cannot be copied ({why}): nothing was changed") from errors


def _keep_owners(tree: Path, copy: Path) -> None:
    """Give every file of the copy the owner it has in the tree; a new one that of its folder."""
    if os.geteuid() != 0:
        return
    for folder, folders, files in os.walk(copy):
        for name in (".", *folders, *files):
            made = Path(folder, name)
            original = tree / made.relative_to(copy)
            known = original if os.path.lexists(original) else Path(folder)
            status = known.lstat()
            os.lchown(made, status.st_uid, status.st_gid)


def _write_changes(scratch: Scratch, plan: Plan, folder: Path) -> None:
    raw = scratch.git.run("diff-tree", "-r", "-z", "--raw", "--no-renames", scratch.start, plan.tree)
    fields = raw.decode("utf-8", "surrogateescape").split("\0")
    for description, path in zip(fields[0::2], fields[1::2], strict=False):
        _, mode, _, blob, status = description.split()
        file = folder / path
        if not file.parent.resolve().is_relative_to(folder.resolve()):
            raise UsageError(f"{path}: a symbolic link leads out of the tree: nothing was changed")
        if status == "D":
            file.unlink()
            continue
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.is_symlink():
            raise UsageError(
                f"{path}: a symbolic link, and a patch would write through it: nothing was changed"
            )
        old_mode = file.stat().st_mode & 0o777 if file.exists() else 0o644
        file.unlink(missing_ok=True)  # so that a file that may not be written is replaced, too
        file.write_bytes(scratch.git.run("cat-file", "blob", blob))
        executable = mode == "100755"
        file.chmod(old_mode | 0o111 if executable else old_mode & ~0o111)


def _exchange(one: Path, other: Path) -> None:
    library = ctypes.CDLL(None, use_errno=True)
    swap = getattr(library, "renameat2", None)
    if swap is not None:
        names = (os.fsencode(one), os.fsencode(other))
        if swap(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _RENAME_EXCHANGE) == 0:
            return
    # No exchange on this system: two renames, the first undone if the second fails.
    aside = one.with_name(f"{one.name}.old")
    other.rename(aside)
    try:
        one.rename(other)
    except OSError:
        aside.rename(other)
        raise
    remove(aside)


def _remove_left_overs(target: Path) -> None:
    for path in target.parent.glob(f".{target.name}.kernport-*"):
        process = path.name.rsplit("-", 1)[1]
        if process.isdigit() and not Path("/proc", process).exists() and target.exists():
            remove(path)
