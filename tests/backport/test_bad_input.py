"""Input that must not or cannot be applied: one clear error, and nothing changed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import yaml
from repositories import LINES, Repository, make_set, replaced

from kernport.backport.apply import apply_to_branch, apply_to_tree
from kernport.backport.export import import_commits
from kernport.backport.plan import check
from kernport.backport.scratch import Place
from kernport.backport.series import load_set
from kernport.errors import UsageError

MAIL = (
    b"From: An Author <author@example.org>\nDate: Mon, 5 Jan 2026 12:00:00 +0100\n"
    b"Subject: [PATCH] Change\n\n---\n\n"
)


def change(path: str) -> bytes:
    return f"diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-one\n+two\n".encode()


@pytest.mark.parametrize(
    ("diff", "message"),
    [
        (change("../outside"), "leaves the tree"),
        (change("src/../../outside"), "leaves the tree"),
        (b"--- /etc/passwd\n+++ /etc/passwd\n@@ -1 +1 @@\n-one\n+two\n", "is absolute"),
        (change(".git/config"), "is git's own"),
        (change("sub/.GIT/hooks/post-commit"), "is git's own"),
        (b'diff --git "a/\\056\\056/x" "b/\\056\\056/x"\n--- "a/\\056\\056/x"\n+++ "b/\\056\\056/x"\n'
         b"@@ -1 +1 @@\n-one\n+two\n", "leaves the tree"),
        (b"diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc/passwd\n"
         b"\\ No newline at end of file\n", "symbolic link"),
        (b"diff --git a/m b/m\nnew file mode 160000\n--- /dev/null\n+++ b/m\n@@ -0,0 +1 @@\n"
         b"+Subproject\n", "submodule"),
        (b"diff --git a/x.bin b/x.bin\nindex 1..2 100644\nGIT binary patch\nliteral 3\nabc\n\n", "binary"),
        (b"diff --git a/x.bin b/x.bin\nindex 1..2 100644\nBinary files a/x.bin and b/x.bin differ\n",
         "binary"),
        (change("src/a.c").replace(b"\n", b"\r\n"), "CR LF"),
        (b"diff --git a/a b/a\nold mode 100644\nnew mode 104755\n", "a file of mode 104755"),
        (b"diff --git a/ b/\n--- a/\n+++ b/\n@@ -1 +1 @@\n-one\n+two\n", "empty or a dot"),
        (change("./a.c"), "empty or a dot"),
        (b"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -5,0 +6 @@\n+more\n", "without context"),
        (b"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -5 +5 @@\n-one\n+two\n", "without context"),
        (b"", "changes nothing"),
        (b"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n-one\n+two\n", "does not hold the lines"),
        (b"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n-one\n+two\n?\n", "cut short"),
    ],
)  # fmt: skip
def test_patches_that_are_refused(tmp_path: Path, diff: bytes, message: str) -> None:
    folder = make_set(tmp_path / "set", {"0001-bad.patch": MAIL + diff})
    with pytest.raises(UsageError, match=rf"0001-bad\.patch(:\d+)?: .*{message}"):
        load_set(folder)


def test_a_mail_rewritten_with_carriage_returns(repository: Repository, tmp_path: Path) -> None:
    fixed = repository.commit("Fix", {"src/code.c": replaced(LINES, 20, "fixed")})
    raw = repository.patch(fixed).replace(b"\n", b"\r\n")
    with pytest.raises(UsageError, match=r"CR LF.*fetch it again"):
        load_set(make_set(tmp_path / "set", {"0001-bad.patch": raw}))


def test_letters_of_an_old_mail(tmp_path: Path) -> None:
    """A mail that does not say how its letters are written, and writes them in Latin-1."""
    raw = (MAIL + change("a.c")).replace(b"From: ", b"From: J\xf6rg ", 1)
    patch = load_set(make_set(tmp_path / "set", {"0001-fix.patch": raw})).patches[0].patch
    assert patch.author.startswith("J\u00f6rg ")


def test_no_mail(tmp_path: Path) -> None:
    folder = make_set(tmp_path / "set", {"0001-bad.patch": change("src/a.c")})
    with pytest.raises(UsageError, match="not a mail-format patch, it has no 'From:'"):
        load_set(folder)


def test_through_a_symbolic_link(tmp_path: Path) -> None:
    tree, outside = tmp_path / "tree", tmp_path / "outside"
    tree.mkdir()
    outside.mkdir()
    (outside / "a.c").write_text("one\n")
    (tree / "src").symlink_to(outside)
    (tree / "b.c").symlink_to(outside / "a.c")
    for path in ("src/a.c", "b.c"):
        folder = make_set(tmp_path / path.replace("/", "-"), {"0001-bad.patch": MAIL + change(path)})
        patch_set = load_set(folder)
        with pytest.raises(UsageError, match="symbolic link"):
            check(patch_set, Place("tree", tree=tree))
        with pytest.raises(Exception, match=r"symbolic link|nothing was changed"):
            apply_to_tree(patch_set, Place("tree", tree=tree))
    new = b"diff --git a/src/n.c b/src/n.c\nnew file mode 100644\n--- /dev/null\n+++ b/src/n.c\n"
    new += b"@@ -0,0 +1 @@\n+one\n"
    patch_set = load_set(make_set(tmp_path / "new", {"0001-bad.patch": MAIL + new}))
    with pytest.raises(Exception, match=r"symbolic link|nothing was changed"):
        apply_to_tree(patch_set, Place("tree", tree=tree))
    assert (outside / "a.c").read_text() == "one\n"
    assert sorted(outside.iterdir()) == [outside / "a.c"]


def test_shallow_clone(repository: Repository, tmp_path: Path) -> None:
    fixed = repository.commit("Fix", {"src/code.c": replaced(LINES, 20, "fixed")})
    folder = make_set(tmp_path / "set", {"0001-fix.patch": repository.patch(fixed)})
    subprocess.run(
        ["git", "clone", "-q", "--depth=1", f"file://{repository.path}", str(tmp_path / "shallow")],
        check=True,
    )
    place = Place("main", repository=tmp_path / "shallow", reference="main")
    with pytest.raises(UsageError, match=r"shallow clone.*git fetch --unshallow"):
        check(load_set(folder), place)
    with pytest.raises(UsageError, match="shallow clone"):
        apply_to_branch(load_set(folder), place, new_branch="new")


def test_missing_commits_and_branches(repository: Repository, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="the commit 'deadbeef' does not exist there"):
        import_commits(repository.path, ["deadbeef"], "fix", tmp_path / "set")
    for wrong in ("", "^main", "main..deadbeef", "..main", "main...main"):
        with pytest.raises(UsageError, match=r"the commit '.*' does not exist there"):
            import_commits(repository.path, [wrong], "fix", tmp_path / "set")
    with pytest.raises(UsageError, match=r"no commit in main\.\.main"):
        import_commits(repository.path, ["main..main"], "fix", tmp_path / "set")
    with pytest.raises(UsageError, match="not a git repository"):
        import_commits(tmp_path, ["deadbeef"], "fix", tmp_path / "set")
    assert not (tmp_path / "set").exists()


def test_empty_commits(repository: Repository, tmp_path: Path) -> None:
    empty = repository.commit("Say something", {})
    with pytest.raises(UsageError, match=rf"{empty[:12]} \(Say something\) changes nothing"):
        import_commits(repository.path, [empty], "fix", tmp_path / "set")
    assert not (tmp_path / "set").exists()


def test_a_git_tree_is_not_patched_behind_git(repository: Repository, tmp_path: Path) -> None:
    fixed = repository.commit("Fix", {"src/code.c": replaced(LINES, 20, "fixed")})
    patch_set = load_set(make_set(tmp_path / "set", {"0001-fix.patch": repository.patch(fixed)}))
    before = repository.state()
    with pytest.raises(UsageError, match=r"git working tree: .*--repository"):
        apply_to_tree(patch_set, Place("tree", tree=repository.path))
    assert repository.state() == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name: x\nsummary: y\npatchs: []\n", r"set\.yaml:3: unknown key 'patchs'; did you mean 'patches'"),
        ("name: x\nsummary: y\npatches:\n  - file: 0001-fxi.patch\n",
         r"set\.yaml:4: .*did you mean '0001-fix.patch'"),
        ("name: x\nsummary: y\npatches:\n  - file: 0001-fix.patch\n    variants: {stbale: 0001-fix.patch}\n"
         "branches:\n  stable: {base: '1'}\n", r"set\.yaml:5: .*did you mean 'stable'"),
        ("name: x\nsummary: y\npatches:\n  - file: ../0001-fix.patch\n", r"set\.yaml:4: "),
        ("name: x\nsummary: y\npatches:\n  - file: 0001-fix.patch\n  - file: 0001-fix.patch\n",
         "named twice"),
        ("name: x\nsummary: y\npatches:\n  - file: 0001-fix.patch\n    present_when: [{path: a, has: '('}]\n",
         r"set\.yaml:5: '\(' is no regular expression"),
        ("name: x\nsummary: y\npatches:\n  - file: 0001-fix.patch\nbranches:\n  b:\n    base: '1'\n"
         "    paths: {src/: ../src/}\n", r"set\.yaml:8: "),
        ("name: x\nsummary: y\npatches:\n  - file: 0001-fix.patch\nbranches:\n  b:\n    base: '1'\n"
         "    prerequisites: {0001-fxi.patch: [abcdef0]}\n", r"set\.yaml:8: .*did you mean '0001-fix.patch'"),
        ("name: x\nsummary: y\npatches: [\n", r"set\.yaml:\d: not valid YAML"),
    ],
)  # fmt: skip
def test_sets_that_are_wrong(repository: Repository, tmp_path: Path, text: str, message: str) -> None:
    fixed = repository.commit("Fix", {"src/code.c": replaced(LINES, 20, "fixed")})
    folder = make_set(tmp_path / "set", {"0001-fix.patch": repository.patch(fixed)})
    (folder / "set.yaml").write_text(text)
    with pytest.raises(UsageError, match=message):
        load_set(folder)


def test_a_patch_that_no_entry_names(repository: Repository, tmp_path: Path) -> None:
    fixed = repository.commit("Fix", {"src/code.c": replaced(LINES, 20, "fixed")})
    folder = make_set(tmp_path / "set", {"0001-fix.patch": repository.patch(fixed)})
    (folder / "0002-stray.patch").write_bytes(repository.patch(fixed))
    with pytest.raises(UsageError, match=r"0002-stray\.patch lies in the folder but no entry names it"):
        load_set(folder)


def test_no_set(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no patch set there"):
        load_set(tmp_path / "nothing")


def test_sha256_repositories_are_taken(tmp_path: Path) -> None:
    path = tmp_path / "repository"
    path.mkdir()
    made = Repository(path)
    made.git("init", "--quiet", "--initial-branch=main", "--object-format=sha256")
    made.commit("Begin", {"src/code.c": LINES})
    made.git("branch", "stable/1")
    fixed = made.commit("Fix", {"src/code.c": replaced(LINES, 20, "fixed")})
    patch_set = load_set(make_set(tmp_path / "set", {"0001-fix.patch": made.patch(fixed)}))
    done = apply_to_branch(patch_set, Place("stable/1", repository=path, reference="stable/1"))
    assert done.commit == made.git("rev-parse", "stable/1")
    assert len(str(done.commit)) == 64


def test_every_set_of_ours_is_valid() -> None:
    root = Path(__file__).parents[2] / "patches"
    for file in sorted(root.glob("*/set.yaml")):
        patch_set = load_set(file.parent)
        assert patch_set.name == file.parent.name
        assert yaml.safe_load(file.read_text())["summary"] == patch_set.summary
