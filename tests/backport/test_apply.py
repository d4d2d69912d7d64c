"""Applying: whole or not at all, with author, date and message kept."""

from __future__ import annotations

import contextlib
import hashlib
import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import time
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

import pytest
from repositories import LINES, Repository, apply_and_exit, make_set, replaced

from kernport.backport import apply
from kernport.backport.apply import apply_to_branch, apply_to_tree
from kernport.backport.export import import_commits
from kernport.backport.scratch import Place
from kernport.backport.series import load_set
from kernport.errors import AnswerNo, UsageError


def two_fixes(repository: Repository) -> dict[str, bytes]:
    first = repository.commit(
        "Fix line 20\n\nIt was wrong.\n\nMFC after:\t1 week",
        {"src/code.c": replaced(LINES, 20, "fixed line")},
        date="2025-03-04T05:06:07-0800",
    )
    text = replaced(replaced(LINES, 20, "fixed line"), 30, "thirty")
    second = repository.commit("Fix line 30", {"src/code.c": text, "src/new.c": "int added;\n"})
    return {"0001-a.patch": repository.patch(first), "0002-b.patch": repository.patch(second)}


def onto(repository: Repository, branch: str = "stable/1") -> Place:
    return Place(branch, repository=repository.path, reference=branch)


def test_commits_keep_author_date_and_message(repository: Repository, tmp_path: Path) -> None:
    patch_set = load_set(make_set(tmp_path / "set", two_fixes(repository)))
    before = repository.state()
    done = apply_to_branch(patch_set, onto(repository))
    assert repository.git("rev-parse", "stable/1") == done.commit
    assert repository.git("show", "stable/1:src/new.c") == "int added;"
    author = repository.git("log", "-1", "--format=%an <%ae> %aI", "stable/1^")
    assert author == "An Author <author@example.org> 2025-03-04T05:06:07-08:00"
    assert (
        repository.git("log", "-1", "--format=%cn <%ce>", "stable/1") == "A Committer <committer@example.org>"
    )
    first = repository.git("rev-parse", "main^")
    assert repository.git("log", "-1", "--format=%B", "stable/1^") == (
        f"Fix line 20\n\nIt was wrong.\n\nMFC after:\t1 week\n(cherry picked from commit {first})"
    )
    second = repository.git("rev-parse", "main")
    message = repository.git("log", "-1", "--format=%B", "stable/1")
    assert message == f"Fix line 30\n\n(cherry picked from commit {second})"
    after = repository.state()
    assert {key: value for key, value in after.items() if key != "references"} == {
        key: value for key, value in before.items() if key != "references"
    }
    repository.git("fsck", "--strict")


@pytest.mark.parametrize(
    ("convention", "expected"),
    [
        ("mfc", "MFC: Fix line 30\n\n(cherry picked from commit {commit})"),
        ("stable", "Fix line 30\n\ncommit {commit} upstream."),
        ("plain", "Fix line 30"),
    ],
)
def test_conventions(repository: Repository, tmp_path: Path, convention: str, expected: str) -> None:
    body = {"branches": {"stable/1": {"base": "1", "convention": convention}}}
    patch_set = load_set(make_set(tmp_path / "set", two_fixes(repository), body))
    apply_to_branch(patch_set, onto(repository))
    message = repository.git("log", "-1", "--format=%B", "stable/1")
    assert message == expected.format(commit=repository.git("rev-parse", "main"))


def test_applied_twice_is_applied_once(repository: Repository, tmp_path: Path) -> None:
    patch_set = load_set(make_set(tmp_path / "set", two_fixes(repository)))
    first = apply_to_branch(patch_set, onto(repository))
    again = apply_to_branch(patch_set, onto(repository))
    assert again.commit is None
    assert repository.git("rev-parse", "stable/1") == first.commit


def test_one_patch_that_does_not_fit_stops_all(repository: Repository, tmp_path: Path) -> None:
    patches = two_fixes(repository)
    repository.git("checkout", "--quiet", "stable/1")
    repository.commit("Other", {"src/code.c": replaced(LINES, 30, "another thirty")})
    repository.git("checkout", "--quiet", "main")
    patch_set = load_set(make_set(tmp_path / "set", patches))
    before = repository.state()
    with pytest.raises(AnswerNo, match=r"0002-b\.patch: conflict: .*nothing was changed"):
        apply_to_branch(patch_set, onto(repository))
    assert repository.state() == before


def test_new_branch_and_dirty_tree(repository: Repository, tmp_path: Path) -> None:
    """What lies uncommitted in the user's working tree is neither used nor touched."""
    patch_set = load_set(make_set(tmp_path / "set", two_fixes(repository)))
    (repository.path / "src/code.c").write_text("dirty\n")
    (repository.path / "untracked").write_text("mine\n")
    before = repository.state()
    done = apply_to_branch(patch_set, onto(repository), new_branch="backport/1")
    after = repository.state()
    assert repository.git("rev-parse", "backport/1") == done.commit
    assert after.pop("references") != before.pop("references")
    assert after == before
    with pytest.raises(UsageError, match="exists already"):
        apply_to_branch(patch_set, onto(repository), new_branch="backport/1")


def test_refuses_a_branch_that_is_checked_out(repository: Repository, tmp_path: Path) -> None:
    patch_set = load_set(make_set(tmp_path / "set", two_fixes(repository)))
    repository.git("worktree", "add", "--quiet", str(tmp_path / "other"), "stable/1")
    before = repository.state()
    with pytest.raises(UsageError, match=r"checked out in .*--as"):
        apply_to_branch(patch_set, onto(repository))
    assert repository.state() == before


def test_refuses_what_is_no_branch(repository: Repository, tmp_path: Path) -> None:
    patch_set = load_set(make_set(tmp_path / "set", two_fixes(repository)))
    commit = repository.git("rev-parse", "stable/1")
    with pytest.raises(UsageError, match="not a local branch"):
        apply_to_branch(patch_set, onto(repository, commit))
    with pytest.raises(UsageError, match="does not exist there; branches: main, stable/1"):
        apply_to_branch(patch_set, onto(repository, "stable/2"))


def test_hooks_and_settings_of_the_repository_do_not_matter(repository: Repository, tmp_path: Path) -> None:
    patch_set = load_set(make_set(tmp_path / "set", two_fixes(repository)))
    for hook in ("pre-commit", "reference-transaction", "post-commit"):
        file = repository.path / ".git/hooks" / hook
        file.parent.mkdir(exist_ok=True)
        file.write_text("#!/bin/sh\nexit 1\n")
        file.chmod(0o755)
    for setting in (
        "core.autocrlf=true",
        "commit.gpgSign=true",
        "diff.noprefix=true",
        "fetch.fsckObjects=true",
    ):
        repository.git("config", *setting.split("=", 1))
    assert apply_to_branch(patch_set, onto(repository)).commit is not None


HOSTILE = """
[apply]
ignoreWhitespace = change
whitespace = fix
[color]
ui = always
[core]
autocrlf = true
attributesFile = {folder}/attributes
[diff]
external = /bin/false
context = 1
dstPrefix = y/
srcPrefix = x/
interHunkContext = 20
noprefix = true
orderFile = {folder}/order
suppressBlankEmpty = true
[format]
attach = true
coverLetter = true
from = Somebody Else <else@example.org>
numbered = true
signOff = true
subjectPrefix = OTHER
[i18n]
commitEncoding = ISO-8859-1
logOutputEncoding = ISO-8859-1
[log]
date = relative
follow = true
[mailinfo]
scissors = true
[user]
name = A Committer
email = committer@example.org
"""


def test_settings_of_the_user_do_not_matter(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.git("mv", "README", "READ.ME")
    text = LINES.replace("line 10\n", "\n").replace("line 30\n", "dreißig\n")
    message = "Fix für all\n\nOne reason.\n-- >8 --\nAnother."
    commit = repository.commit(message, {"src/code.c": text, "a.c": "first\n"})
    picked = repository.patch(commit)

    def made(name: str) -> bytes:
        patch_set = import_commits(repository.path, [commit], "fix", tmp_path / name)
        apply_to_branch(patch_set, onto(repository), new_branch=name)
        return patch_set.patches[0].patch.raw

    usual = made("usual")
    assert usual.rstrip() in picked
    (tmp_path / "attributes").write_text("*.c binary\n")
    (tmp_path / "order").write_text("src/*\n")
    (tmp_path / "settings").write_text(HOSTILE.format(folder=tmp_path))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "settings"))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "/bin/false")
    monkeypatch.setenv("GIT_LITERAL_PATHSPECS", "1")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
    assert made("hostile") == usual
    monkeypatch.delenv("GIT_DIR")
    assert repository.git("rev-parse", "hostile^{tree}") == repository.git("rev-parse", "usual^{tree}")
    raw = repository.git("cat-file", "commit", "hostile")
    assert (
        raw.split("committer", 1)[0] == repository.git("cat-file", "commit", "usual").split("committer", 1)[0]
    )
    assert raw.split("\n\n", 1)[1].startswith("Fix für all\n\nOne reason.\n-- >8 --\nAnother.")
    assert "encoding" not in raw.split("\n\n", 1)[0]


def plain_tree(tmp_path: Path) -> Path:
    tree = tmp_path / "release-1"
    (tree / "src").mkdir(parents=True)
    (tree / "src/code.c").write_text(LINES)
    (tree / "src/tool").write_text("#!/bin/sh\n")
    (tree / "src/tool").chmod(0o755)
    (tree / "link").symlink_to("src/tool")
    return tree


def digest(tree: Path) -> str:
    content = hashlib.sha256()
    for path in sorted(tree.rglob("*")):
        content.update(f"{path.relative_to(tree)} {path.lstat().st_mode:o}\n".encode())
        content.update(str(path.readlink()).encode() if path.is_symlink() else b"")
        content.update(path.read_bytes() if path.is_file() and not path.is_symlink() else b"")
    return content.hexdigest()


def test_tree_in_place(repository: Repository, tmp_path: Path) -> None:
    patch_set = load_set(make_set(tmp_path / "set", two_fixes(repository)))
    tree = plain_tree(tmp_path)
    apply_to_tree(patch_set, Place("1", tree=tree))
    assert "fixed line" in (tree / "src/code.c").read_text()
    assert (tree / "src/new.c").read_text() == "int added;\n"
    assert (tree / "link").is_symlink()
    assert (tree / "src/tool").stat().st_mode & 0o777 == 0o755
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".")) == []


def test_tree_that_has_it_all_stays(repository: Repository, tmp_path: Path) -> None:
    """Also where a later patch of the set changed what an earlier one had made."""
    first = repository.commit("Fix line 20", {"src/code.c": replaced(LINES, 20, "fixed")})
    second = repository.commit("Fix it better", {"src/code.c": replaced(LINES, 20, "fixed better")})
    patches = {"0001-a.patch": repository.patch(first), "0002-b.patch": repository.patch(second)}
    patch_set = load_set(make_set(tmp_path / "set", patches))
    tree = plain_tree(tmp_path)
    apply_to_tree(patch_set, Place("1", tree=tree))
    before = digest(tree)
    again = apply_to_tree(patch_set, Place("1", tree=tree))
    assert [str(each.verdict) for each in again.plan.outcomes] == ["already present"] * 2
    assert again.tree is None
    assert digest(tree) == before


def test_tree_keeps_its_owners(repository: Repository, tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a file to somebody else: run this test as root")
    patch_set = load_set(make_set(tmp_path / "set", two_fixes(repository)))
    tree = plain_tree(tmp_path)
    (tree / "dangling").symlink_to("nowhere")
    for path in (tree, *tree.rglob("*")):
        os.lchown(path, 12345, 54321)
    os.lchown(tree / "src/tool", 1, 2)
    apply_to_tree(patch_set, Place("1", tree=tree))
    assert "fixed line" in (tree / "src/code.c").read_text()
    owners = {path.relative_to(tree).as_posix(): path.lstat() for path in (tree, *tree.rglob("*"))}
    assert "src/new.c" in owners
    assert {name for name, each in owners.items() if (each.st_uid, each.st_gid) != (12345, 54321)} == {
        "src/tool"
    }
    assert (owners["src/tool"].st_uid, owners["src/tool"].st_gid) == (1, 2)


def test_tree_that_somebody_edits_meanwhile(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    patch_set = load_set(make_set(tmp_path / "set", two_fixes(repository)))
    tree = plain_tree(tmp_path)
    write_changes = apply._write_changes

    def edit_first(*arguments: Any) -> None:
        (tree / "src/tool").write_text("#!/bin/sh\nmine\n")
        write_changes(*arguments)

    monkeypatch.setattr(apply, "_write_changes", edit_first)
    with pytest.raises(AnswerNo, match="changed while the set was applied"):
        apply_to_tree(patch_set, Place("1", tree=tree))
    assert (tree / "src/tool").read_text() == "#!/bin/sh\nmine\n"
    assert (tree / "src/code.c").read_text() == LINES
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".")) == []


def test_what_cannot_be_copied(repository: Repository, tmp_path: Path) -> None:
    patch_set = load_set(make_set(tmp_path / "set", two_fixes(repository)))
    tree = plain_tree(tmp_path)
    os.mkfifo(tree / "src/pipe")
    with pytest.raises(UsageError, match=r"src/pipe: cannot be copied .*nothing was changed"):
        apply_to_tree(patch_set, Place("1", tree=tree))
    assert (tree / "src/code.c").read_text() == LINES
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".")) == []


def test_a_branch_that_cannot_be_written(repository: Repository, tmp_path: Path) -> None:
    """A lock that another git left behind is not taken for a branch that moved."""
    patch_set = load_set(make_set(tmp_path / "set", two_fixes(repository)))
    (repository.path / ".git/refs/heads/stable/1.lock").touch()
    before = repository.state()
    with pytest.raises(AnswerNo, match=r"cannot be written \(.*1\.lock.*nothing was changed"):
        apply_to_branch(patch_set, onto(repository))
    assert repository.state() == before


def test_tree_into_another(repository: Repository, tmp_path: Path) -> None:
    patch_set = load_set(make_set(tmp_path / "set", two_fixes(repository)))
    tree = plain_tree(tmp_path)
    before = digest(tree)
    apply_to_tree(patch_set, Place("1", tree=tree), tmp_path / "patched")
    assert digest(tree) == before
    assert "fixed line" in (tmp_path / "patched/src/code.c").read_text()
    with pytest.raises(UsageError, match="exists already"):
        apply_to_tree(patch_set, Place("1", tree=tree), tmp_path / "patched")


def test_tree_that_does_not_fit_stays(repository: Repository, tmp_path: Path) -> None:
    patch_set = load_set(make_set(tmp_path / "set", two_fixes(repository)))
    tree = plain_tree(tmp_path)
    (tree / "src/code.c").write_text(replaced(LINES, 30, "thirty, otherwise"))
    before = digest(tree)
    with pytest.raises(AnswerNo, match="nothing was changed"):
        apply_to_tree(patch_set, Place("1", tree=tree))
    assert digest(tree) == before
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".")) == []


def test_mode_change_and_rename(repository: Repository, tmp_path: Path) -> None:
    repository.git("mv", "src/code.c", "src/renamed.c")
    (repository.path / "README").chmod(0o755)
    commit = repository.commit("Rename and make executable", {})
    patch_set = load_set(make_set(tmp_path / "set", {"0001-a.patch": repository.patch(commit)}))
    done = apply_to_branch(patch_set, onto(repository))
    assert any("mode of README" in note for note in done.plan.outcomes[0].notes)
    listed = repository.git("ls-tree", "-r", "stable/1")
    assert "100755" in listed.splitlines()[0]
    assert "src/renamed.c" in listed
    assert "src/code.c" not in listed
    tree = plain_tree(tmp_path)
    (tree / "README").write_text("read me\n")
    apply_to_tree(patch_set, Place("1", tree=tree))
    assert (tree / "src/renamed.c").read_text() == LINES
    assert not (tree / "src/code.c").exists()
    assert (tree / "README").stat().st_mode & 0o111


def test_mode_alone(repository: Repository, tmp_path: Path) -> None:
    (repository.path / "README").chmod(0o755)
    commit = repository.commit("Make executable", {})
    patch_set = load_set(make_set(tmp_path / "set", {"0001-a.patch": repository.patch(commit)}))
    tree = plain_tree(tmp_path)
    (tree / "README").write_text("read me\n")
    for made in (0o755, None):
        done = apply_to_tree(patch_set, Place("1", tree=tree))
        assert (done.tree is None) == (made is None)
        assert (tree / "README").stat().st_mode & 0o777 == 0o755
    assert apply_to_branch(patch_set, onto(repository)).commit is not None
    assert repository.git("ls-tree", "stable/1", "README").startswith("100755 ")


def test_carriage_returns_of_the_tree_are_kept(repository: Repository, tmp_path: Path) -> None:
    """A tree whose own lines end in CR LF is patched as it is, whatever .gitattributes asks for."""
    text = LINES.replace("\n", "\r\n")
    repository.git("checkout", "--quiet", "stable/1")
    repository.commit("Begin with CR LF", {"dos.txt": text.encode()})
    repository.git("checkout", "--quiet", "main")
    repository.git("merge", "--quiet", "stable/1")
    changed = replaced(text, 20, "fixed\r")
    fixed = repository.commit("Fix", {"dos.txt": changed.encode()})
    patch_set = load_set(make_set(tmp_path / "set", {"0001-a.patch": repository.patch(fixed)}))
    apply_to_branch(patch_set, onto(repository))
    tree = plain_tree(tmp_path)
    (tree / "dos.txt").write_bytes(text.encode())
    (tree / ".gitattributes").write_text("* text=auto eol=lf\n")
    apply_to_tree(patch_set, Place("1", tree=tree))
    assert (tree / "dos.txt").read_bytes() == changed.encode()


# Processes begin with everything imported, so that what is killed is work and not Python's start.
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["kernport.cli", "kernport.backport.apply", "kernport.backport.report"])


def start(*arguments: str) -> ForkServerProcess:
    process = PROCESSES.Process(target=apply_and_exit, args=(arguments, dict(os.environ)))
    process.start()
    return process


def exit_code(process: ForkServerProcess) -> int | None:
    process.join()
    return process.exitcode


# How often the two tests below kill: a few times always, and as often as it takes in the long test.
KILLINGS = pytest.mark.parametrize("killings", [10, pytest.param(200, marks=pytest.mark.long)])


def seconds_of(*arguments: str) -> float:
    """How long it takes undisturbed, once the server of processes runs."""
    started = time.monotonic()
    assert exit_code(start(*arguments)) == 0
    return time.monotonic() - started


def restore(pristine: Path, tree: Path) -> None:
    subprocess.run(["rm", "-rf", str(tree)], check=True)
    subprocess.run(["cp", "-a", str(pristine), str(tree)], check=True)


def kill_after(seconds: float, process: ForkServerProcess) -> None:
    time.sleep(seconds)
    assert process.pid is not None
    for kill in (os.killpg, os.kill):  # the group may not be there yet
        with contextlib.suppress(ProcessLookupError):
            kill(process.pid, signal.SIGKILL)
    process.join()


@KILLINGS
def test_killed_while_a_branch_moves(repository: Repository, tmp_path: Path, killings: int) -> None:
    """Killed at random, the branch is where it was or where it should be, and nothing else changes."""
    folder = make_set(tmp_path / "set", two_fixes(repository))
    before = repository.state()
    arguments = (str(folder), "--repository", str(repository.path), "--onto", "stable/1")
    assert exit_code(start(*arguments)) == 0
    after = repository.state()
    moved = repository.git("rev-parse", "stable/1^{tree}")
    old = before["references"].splitlines()[1].split()[0]
    repository.git("update-ref", "refs/heads/stable/1", old)
    whole = seconds_of(*arguments)
    choose = random.Random(20260105)
    whole_and_none = [0, 0]
    for _ in range(killings):
        repository.git("update-ref", "refs/heads/stable/1", old)
        kill_after(choose.uniform(0, whole * 1.1), start(*arguments))
        time.sleep(0.05)
        found = repository.state()
        done = found["references"] != before["references"]
        whole_and_none[done] += 1
        if done:
            assert repository.git("rev-parse", "stable/1^{tree}") == moved
            assert repository.git("rev-parse", "stable/1~2") == old
        expected = after if done else before
        assert {**found, "references": ""} == {**expected, "references": ""}
    repository.git("fsck", "--strict", "--no-dangling")
    repository.git("update-ref", "refs/heads/stable/1", old)
    assert exit_code(start(*arguments)) == 0
    assert whole_and_none[0] > 0


@KILLINGS
def test_killed_while_a_tree_changes(repository: Repository, tmp_path: Path, killings: int) -> None:
    folder = make_set(tmp_path / "set", two_fixes(repository))
    tree = plain_tree(tmp_path)
    for number in range(300):
        (tree / f"src/other{number}.c").write_text(f"int other{number};\n" * 200)
    before = digest(tree)
    arguments = (str(folder), "--onto", str(tree))
    pristine = tmp_path / "pristine"
    subprocess.run(["cp", "-a", str(tree), str(pristine)], check=True)
    assert exit_code(start(*arguments)) == 0
    after = digest(tree)
    restore(pristine, tree)
    whole = seconds_of(*arguments)
    choose = random.Random(20260106)
    for _ in range(killings):
        restore(pristine, tree)
        kill_after(choose.uniform(0, whole * 1.1), start(*arguments))
        assert digest(tree) in (before, after)
    assert exit_code(start(*arguments)) == 0
    assert digest(tree) == after
    assert [path for path in tmp_path.iterdir() if path.name.startswith(".release-1.")] == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_told_to_end(repository: Repository, tmp_path: Path, number: signal.Signals) -> None:
    """Unlike a kill it leaves no folder behind, neither beside the tree nor among the temporary ones."""
    folder = make_set(tmp_path / "set", two_fixes(repository))
    tree = plain_tree(tmp_path)
    for each in range(300):
        (tree / f"src/other{each}.c").write_text(f"int other{each};\n" * 200)
    before = digest(tree)
    arguments = (str(folder), "--onto", str(tree), "--out", str(tmp_path / "patched"))
    whole = seconds_of(*arguments)
    for part in (0.3, 0.5, 0.7, 0.9):
        shutil.rmtree(tmp_path / "patched", ignore_errors=True)
        process = start(*arguments)
        time.sleep(part * whole)
        assert process.pid is not None
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, number)
        # 1, or killed: before the command began.
        assert exit_code(process) in (0, 1, 128 + number, -number)
        assert digest(tree) == before
        assert list((tmp_path / "temporary").iterdir()) == []
        assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_two_at_once(repository: Repository, tmp_path: Path) -> None:
    """Of two that start together one moves the branch; the other says so, or finds the work done."""
    folder = make_set(tmp_path / "set", two_fixes(repository))
    arguments = (str(folder), "--repository", str(repository.path), "--onto", "stable/1")
    codes = [exit_code(process) for process in [start(*arguments), start(*arguments)]]
    assert 0 in codes
    assert {0, 1}.issuperset(codes)
    assert repository.git("rev-list", "--count", "main..stable/1") == "2"
    repository.git("fsck", "--strict", "--no-dangling")
