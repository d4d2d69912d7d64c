"""Write a set in a packager's form, and make a set of one: whole folders or nothing."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import yaml

from kernport.backport import diff, formats, mail
from kernport.backport.formats.foreign import as_mail, is_mail
from kernport.backport.formats.mail import file_name
from kernport.backport.git import Git
from kernport.backport.mail import Patch
from kernport.backport.scratch import resolve
from kernport.backport.series import PatchSet, SetPatch, load_set
from kernport.backport.temporary import gone_at_the_end
from kernport.errors import UsageError


def export_set(
    patch_set: PatchSet,
    form: str,
    out: Path,
    branch: str | None = None,
    chosen: Sequence[str] | None = None,
) -> list[str]:
    """Write the set to the new folder `out` in the form `form`; returns the names of the files.

    With `branch`, the patches have that branch's form and paths; with `chosen`, only those are written.
    Raises UsageError where `out` exists or the form cannot carry a patch; then nothing is written.
    """
    patches = [
        _for_branch(patch_set, patch, branch)
        for patch in patch_set.patches
        if chosen is None or patch.name in chosen
    ]
    files = formats.get(form).write(patches)
    write_folder(out, files)
    return sorted(files)


def import_set(form: str, path: Path, name: str, out: Path, author: str | None = None) -> PatchSet:
    """Make the patch set `name` in the new folder `out` from patches in the form `form`.

    `author` ("Name <address>") is for plain diffs that do not say who wrote them; without it they raise
    UsageError.
    """
    if not path.exists():
        raise UsageError(f"{path}: no such file or folder")
    files = formats.get(form).read(path)
    mails = {file: raw if is_mail(raw) else as_mail(raw, file, author) for file, raw in files.items()}
    return _write_set(mails, name, out)


def import_commits(repository: Path, commits: Sequence[str], name: str, out: Path) -> PatchSet:
    """Make a patch set of commits, each a name or a range A..B. Raises UsageError for one that is missing."""
    git = Git(repository)
    names: list[str] = []
    for each in commits:
        first, dots, last = each.partition("..")
        ends = [resolve(repository, end, "the commit") for end in ((first, last) if dots else (each,))]
        if not dots:
            names += ends
            continue
        if git.text("rev-parse", "--is-shallow-repository") == "true":
            raise UsageError(f"{repository}: a shallow clone: run `git fetch --unshallow` there first")
        found = git.text("rev-list", "--reverse", "--no-merges", "..".join(ends)).split()
        if not found:
            raise UsageError(f"{repository}: there is no commit in {each}: name a range as OLDER..NEWER")
        names += found
    files = {}
    for number, commit in enumerate(names, 1):
        form = ("--full-index", "--no-signature", "--no-attach", "--no-ext-diff", "--no-textconv")
        raw = git.run("format-patch", "-1", "--stdout", *form, commit)
        subject = git.text("log", "-1", "--format=%s", commit)
        if not raw:
            raise UsageError(
                f"{repository}: {commit[:12]} ({subject}) changes nothing or is a merge: leave it out"
            )
        files[file_name(number, subject)] = raw
    return _write_set(files, name, out)


def write_folder(out: Path, files: Mapping[str, bytes]) -> None:
    """Make the folder `out` with those files in one step. Raises UsageError where it exists."""
    if out.exists() or out.is_symlink():
        raise UsageError(f"{out}: exists already: name a folder that does not")
    with gone_at_the_end(out.parent / f".{out.name}.kernport-{os.getpid()}") as fresh:
        fresh.mkdir(parents=True)
        for name, content in files.items():
            (fresh / name).write_bytes(content)
        fresh.rename(out)


def _for_branch(patch_set: PatchSet, patch: SetPatch, branch: str | None) -> Patch:
    if branch is None:
        return patch.patch
    facts = patch_set.branch(branch)
    form = patch.on(branch)
    return form.with_diff(diff.map_paths(form.diff, facts.here)) if facts.paths else form


def _write_set(files: Mapping[str, bytes], name: str, out: Path) -> PatchSet:
    patches = [mail.parse(raw, file, file) for file, raw in files.items()]
    if not re.fullmatch(r"[a-z0-9][a-z0-9.-]*", name):
        raise UsageError(f"{name!r}: a set is named with small letters, digits, dots and hyphens")
    body = {"name": name, "summary": patches[0].subject, "patches": [{"file": file} for file in files]}
    text = yaml.safe_dump(body, sort_keys=False, allow_unicode=True, width=110)
    write_folder(out, {"set.yaml": text.encode(), **files})
    return load_set(out)
