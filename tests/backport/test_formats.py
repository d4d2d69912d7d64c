"""Every form packagers carry patches in: their own tools apply what is written, and it comes back whole."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from repositories import LINES, Repository, make_set, replaced

from kernport.backport import diff, formats
from kernport.backport.export import export_set, import_commits, import_set
from kernport.backport.formats.ports import file_name
from kernport.backport.plan import Class, check
from kernport.backport.scratch import Place
from kernport.backport.series import load_set
from kernport.backport.source import unpack
from kernport.errors import UsageError

SETS = sorted(file.parent for file in (Path(__file__).parents[2] / "patches").glob("*/set.yaml"))


@pytest.fixture
def three(repository: Repository, tmp_path: Path) -> Path:
    """A set with a file changed twice, a new one, one that goes, and one without a last newline."""
    (repository.path / "end").write_text("no newline")
    (repository.path / "old_name.c").write_text("goes\n")
    repository.commit("More to begin with", {})
    first = repository.commit(
        "Fix line 20, naïvely\n\nOne reason.\n",
        {"src/code.c": replaced(LINES, 20, "fixed"), "src/new_file.c": "a\nb\n", "end": "still no newline"},
    )
    text = replaced(replaced(LINES, 20, "fixed"), 35, "--- a line like a header")
    second = repository.commit("Fix line 35", {"src/code.c": text, "old_name.c": None})
    third = repository.commit("Again", {"src/new_file.c": "a\nc\n"})
    patches = {
        f"000{number}-{name}.patch": repository.patch(commit)
        for number, (name, commit) in enumerate((("first", first), ("second", second), ("third", third)), 1)
    }
    return make_set(tmp_path / "three", patches)


@pytest.mark.parametrize("form", formats.NAMES)
def test_out_and_in_again(three: Path, tmp_path: Path, form: str) -> None:
    patch_set = load_set(three)
    export_set(patch_set, form, tmp_path / "out")
    again = import_set(form, tmp_path / "out", "again", tmp_path / "again")
    assert [each.patch.raw for each in again.patches] == [each.patch.raw for each in patch_set.patches]
    assert [each.name for each in again.patches] == [each.name for each in patch_set.patches]


@pytest.mark.parametrize("form", formats.NAMES)
@pytest.mark.parametrize("folder", SETS, ids=lambda folder: folder.name)
def test_sets_of_ours_out_and_in_again(folder: Path, form: str, tmp_path: Path) -> None:
    """In the form of each of their branches, byte for byte what was written."""
    patch_set = load_set(folder)
    for number, branch in enumerate((None, *patch_set.branches)):
        out, back = tmp_path / f"out{number}", tmp_path / f"back{number}"
        export_set(patch_set, form, out, branch)
        again = import_set(form, out, "again", back)
        forms = [each.patch if branch is None else each.on(branch) for each in patch_set.patches]
        assert [each.name for each in again.patches] == [each.name for each in forms]
        mapped = branch is not None and bool(patch_set.branches[branch].paths)
        for found, wanted in zip(again.patches, forms, strict=True):
            raw = found.patch.raw
            if mapped:  # where the paths are the branch's, all but the paths is the same
                raw = raw.replace(b"crypto/openssl/", b"")
                assert b" a/crypto/openssl/" in found.patch.raw
            assert raw == wanted.raw


def test_a_message_that_looks_like_a_diff(repository: Repository, tmp_path: Path) -> None:
    message = "Fix line 20\n\n--- not a file\n+++ not either\n"
    fixed = repository.commit(message, {"src/code.c": replaced(LINES, 20, "fixed")})
    raw = repository.patch(fixed)
    patch_set = load_set(make_set(tmp_path / "set", {"0001-fix.patch": raw}))
    for form in set(formats.NAMES) - {"quilt"}:
        export_set(patch_set, form, tmp_path / form)
        (again,) = import_set(form, tmp_path / form, "again", tmp_path / f"{form}-again").patches
        assert again.patch.raw == raw
    with pytest.raises(UsageError, match="dpkg-source takes for a file"):
        export_set(patch_set, "quilt", tmp_path / "quilt")


def tree_before(repository: Repository, tmp_path: Path) -> Path:
    tree = tmp_path / "tree"
    tree.mkdir()
    archive = subprocess.run(
        ["git", "archive", "main~3"], cwd=repository.path, capture_output=True, check=True
    ).stdout
    subprocess.run(["tar", "-x", "-C", str(tree)], input=archive, check=True)
    return tree


def assert_is_main(repository: Repository, tree: Path) -> None:
    for backup in tree.rglob("*.orig"):
        backup.unlink()
    files = {
        path.relative_to(tree).as_posix(): path.read_text() for path in tree.rglob("*") if path.is_file()
    }
    wanted = repository.git("ls-tree", "-r", "--name-only", "main").splitlines()
    assert sorted(files) == sorted(wanted)
    for name in wanted:
        assert files[name].rstrip("\n") == repository.git("show", f"main:{name}")


def test_patch_takes_the_ports_files(repository: Repository, three: Path, tmp_path: Path) -> None:
    names = export_set(load_set(three), "ports", tmp_path / "files")
    assert names == ["patch-end", "patch-old__name.c", "patch-src_code.c", "patch-src_new__file.c"]
    tree = tree_before(repository, tmp_path)
    for name in names:
        with (tmp_path / "files" / name).open("rb") as patch:
            subprocess.run(["patch", "-p0", "-E", "--forward", "-s"], cwd=tree, stdin=patch, check=True)
    assert_is_main(repository, tree)


def test_patch_takes_the_quilt_series(repository: Repository, three: Path, tmp_path: Path) -> None:
    export_set(load_set(three), "quilt", tmp_path / "patches")
    tree = tree_before(repository, tmp_path)
    for name in (tmp_path / "patches/series").read_text().split():
        with (tmp_path / "patches" / name).open("rb") as patch:
            subprocess.run(["patch", "-p1", "-E", "-s"], cwd=tree, stdin=patch, check=True)
    assert_is_main(repository, tree)


def test_dpkg_source_takes_the_quilt_series(repository: Repository, three: Path, tmp_path: Path) -> None:
    if shutil.which("dpkg-source") is None:
        pytest.skip("dpkg-source is not installed: install the package dpkg-dev")
    tree = tree_before(repository, tmp_path).rename(tmp_path / "example-1.0")
    subprocess.run(
        ["tar", "-caf", str(tmp_path / "example_1.0.orig.tar.xz"), tree.name], cwd=tmp_path, check=True
    )
    debian = tree / "debian"
    (debian / "source").mkdir(parents=True)
    (debian / "source/format").write_text("3.0 (quilt)\n")
    who = "An Author <author@example.org>"
    (debian / "control").write_text(
        f"Source: example\nMaintainer: {who}\n"
        "Standards-Version: 4.6.2\n\nPackage: example\nArchitecture: any\n"
    )
    (debian / "changelog").write_text(
        f"example (1.0-1) unstable; urgency=low\n\n  * Begin.\n\n -- {who}  Mon, 05 Jan 2026 12:00:00 +0100\n"
    )
    export_set(load_set(three), "quilt", debian / "patches")
    subprocess.run(["dpkg-source", "-b", tree.name], cwd=tmp_path, check=True, capture_output=True)
    unpacked = tmp_path / "unpacked"
    subprocess.run(
        ["dpkg-source", "-x", "example_1.0-1.dsc", str(unpacked)],
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )
    shutil.rmtree(unpacked / "debian")
    shutil.rmtree(unpacked / ".pc")
    assert_is_main(repository, unpacked)
    there = unpack(tmp_path / "example_1.0-1.dsc", tmp_path / "again")
    verdicts = [each.verdict for each in check(load_set(three), Place("1.0", tree=there)).outcomes]
    assert verdicts == [Class.PRESENT] * 3
    (tmp_path / "example_1.0.orig.tar.xz").write_bytes(b"damaged")
    with pytest.raises(UsageError, match="`dpkg-source` failed: "):
        unpack(tmp_path / "example_1.0-1.dsc", tmp_path / "damaged")


def test_dep3_header(three: Path, tmp_path: Path) -> None:
    export_set(load_set(three), "quilt", tmp_path / "patches")
    header = (tmp_path / "patches/0001-first.patch").read_text().split("\n\n", 1)[0]
    commit = load_set(three).patches[0].patch.commit
    for line in (
        "From: An Author <author@example.org>",
        f"Origin: backport, {commit}",
        "Last-Update: 2026-01-05",
    ):
        assert line in header.splitlines()


def test_dep3_of_others_becomes_a_mail(tmp_path: Path) -> None:
    folder = tmp_path / "patches"
    folder.mkdir()
    (folder / "series").write_text("# comment\nfix-it.diff -p1 # why\n")
    (folder / "fix-it.diff").write_text(
        "Description: Fix it\n It was broken.\n .\n In two ways.\nAuthor: An Author <author@example.org>\n"
        "Bug-Debian: 12345\nLast-Update: 2025-03-04\n---\n"
        "Index: example/src/a.c\n"
        "--- example.orig/src/a.c\n+++ example/src/a.c\n@@ -1 +1 @@\n-one\n+two\n"
    )
    (patch,) = import_set("quilt", folder, "fix", tmp_path / "set").patches
    assert patch.patch.subject == "Fix it"
    assert patch.patch.author == "An Author"
    assert patch.patch.date.startswith("Tue, 04 Mar 2025")
    assert "In two ways." in patch.patch.body
    assert "Bug-Debian: 12345" in patch.patch.body
    assert patch.patch.paths == ("src/a.c",)


def test_patches_of_other_ports(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "patch-src_a__b.c").write_text(
        "--- src/a_b.c.orig\t2025-03-04 05:06:07 UTC\n+++ src/a_b.c\n@@ -1 +1 @@\n-one\n+two\n"
    )
    with pytest.raises(UsageError, match=r"does not say who wrote it.*--author"):
        import_set("ports", folder, "fix", tmp_path / "set")
    (patch,) = import_set("ports", folder, "fix", tmp_path / "set", "An Author <author@example.org>").patches
    assert patch.patch.paths == ("src/a_b.c",)
    assert patch.patch.email == "author@example.org"


def test_plain_diffs_of_a_spec(tmp_path: Path) -> None:
    (tmp_path / "x.spec").write_text("Name: x\nPatch1: https://example.org/fix.patch\n")
    (tmp_path / "fix.patch").write_text("--- a/src/a.c\n+++ b/src/a.c\n@@ -1 +1 @@\n-one\n+two\n")
    (patch,) = import_set("spec", tmp_path, "fix", tmp_path / "set", "An Author <author@example.org>").patches
    assert patch.patch.subject == "fix"


def test_checksums(three: Path, tmp_path: Path) -> None:
    patch_set = load_set(three)
    for form, file, algorithm in (("apkbuild", "APKBUILD", "sha512"), ("pkgbuild", "PKGBUILD", "sha256")):
        out = tmp_path / form
        export_set(patch_set, form, out)
        for patch in patch_set.patches:
            assert hashlib.new(algorithm, patch.patch.raw).hexdigest() in (out / file).read_text()
        (out / "0002-second.patch").write_bytes(b"other\n")
        with pytest.raises(UsageError, match=rf"the {algorithm} of 0002-second\.patch"):
            import_set(form, out, "again", tmp_path / f"{form}-again")
        assert not (tmp_path / f"{form}-again").exists()


@pytest.mark.parametrize("file", ["APKBUILD", "PKGBUILD"])
def test_shell_reads_the_fragment(three: Path, tmp_path: Path, file: str) -> None:
    """The file is shell; a shell has to see the same names in it."""
    export_set(load_set(three), file.lower(), tmp_path / "out")
    script = (
        f"source=; sha512sums=; . ./{file}; echo ${{source}}"
        if file == "APKBUILD"
        else f'. ./{file}; echo "${{source[@]}}"'
    )
    done = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path / "out", capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [each.name for each in load_set(three).patches]


def test_spec_order(three: Path, tmp_path: Path) -> None:
    export_set(load_set(three), "spec", tmp_path / "out")
    spec = tmp_path / "out/patches.spec"
    lines = re.findall(r"^Patch\d+: .*$", spec.read_text(), re.MULTILINE)
    spec.write_text("\n".join(["Name: example", *reversed(lines), "%prep", "%autosetup -p1", ""]))
    again = import_set("spec", spec, "again", tmp_path / "again")
    assert [each.name for each in again.patches] == [each.name for each in load_set(three).patches]


def test_what_is_not_there(three: Path, tmp_path: Path) -> None:
    for form in formats.NAMES:
        with pytest.raises(UsageError, match="nothing: no such file or folder"):
            import_set(form, tmp_path / "nothing", "again", tmp_path / "again")
    with pytest.raises(UsageError, match=r"set\.yaml: not an mbox file of mails"):
        import_set("mail", three / "set.yaml", "again", tmp_path / "again")


def test_what_a_form_cannot_carry(repository: Repository, tmp_path: Path) -> None:
    repository.git("mv", "src/code.c", "src/renamed.c")
    moved = repository.commit("Rename", {})
    folder = make_set(tmp_path / "set", {"0001-rename.patch": repository.patch(moved)})
    for form in ("quilt", "ports"):
        with pytest.raises(UsageError, match=r"0001-rename\.patch: src/renamed\.c: .*--no-renames"):
            export_set(load_set(folder), form, tmp_path / "out")
        assert not (tmp_path / "out").exists()
    for form in ("mail", "spec", "apkbuild", "pkgbuild"):
        export_set(load_set(folder), form, tmp_path / form)


def test_nothing_is_written_over(three: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out/mine").write_text("mine\n")
    with pytest.raises(UsageError, match="exists already"):
        export_set(load_set(three), "mail", tmp_path / "out")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine"]


def test_for_a_branch(repository: Repository, tmp_path: Path) -> None:
    fixed = repository.commit("Fix", {"src/code.c": replaced(LINES, 20, "fixed")})
    body = {"branches": {"freebsd": {"base": "1", "paths": {"src/": "crypto/openssl/src/"}}}}
    folder = make_set(tmp_path / "set", {"0001-fix.patch": repository.patch(fixed)}, body)
    names = export_set(load_set(folder), "ports", tmp_path / "files", "freebsd")
    assert names == ["patch-crypto_openssl_src_code.c"]
    export_set(load_set(folder), "mail", tmp_path / "mail", "freebsd")
    assert b"--- a/crypto/openssl/src/code.c\n" in (tmp_path / "mail/0001-fix.patch").read_bytes()


def test_commits_become_a_set(repository: Repository, tmp_path: Path) -> None:
    base = repository.git("rev-parse", "HEAD")
    first = repository.commit("Fix line 20.", {"src/code.c": replaced(LINES, 20, "fixed")})
    repository.commit("Fix line 30", {"src/code.c": replaced(replaced(LINES, 20, "fixed"), 30, "x")})
    made = import_commits(repository.path, [f"{base}..HEAD"], "fixes", tmp_path / "set")
    assert [each.name for each in made.patches] == ["0001-Fix-line-20.patch", "0002-Fix-line-30.patch"]
    assert made.patches[0].commits[0] == first


def test_mbox(repository: Repository, three: Path, tmp_path: Path) -> None:
    patch_set = load_set(three)
    mbox = tmp_path / "series.mbox"
    mbox.write_bytes(b"".join(each.patch.raw for each in patch_set.patches))
    again = import_set("mail", mbox, "again", tmp_path / "again")
    assert [each.patch.diff.changes for each in again.patches] == [
        each.patch.diff.changes for each in patch_set.patches
    ]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("Imakefile", "patch-Imakefile"),
        ("src/freeglut_joystick.c", "patch-src_freeglut__joystick.c"),
        ("crypto/ppccap.c", "patch-crypto_ppccap.c"),
    ],
)
def test_names_of_the_porters_handbook(path: str, name: str) -> None:
    assert file_name(path) == name


def test_a_diff_is_read_and_written_byte_for_byte(repository: Repository, three: Path) -> None:
    history = subprocess.run(
        ["git", "format-patch", "--root", "--stdout", "main"],
        cwd=repository.path,
        capture_output=True,
        check=True,
    ).stdout
    for raw in (history, *(each.patch.raw for each in load_set(three).patches)):
        parsed = diff.parse(raw, "history")
        assert parsed.render() == raw
    named = diff.parse(load_set(three).patches[0].patch.raw, "first")
    assert diff.map_paths(named, lambda path: path).render() == named.render()


def test_names_in_quotes(repository: Repository) -> None:
    names = ("sp ace.c", "tab\t.c", 'quote".c', "ünï.c", "back\\slash.c")
    raw = repository.patch(repository.commit("Odd names", dict.fromkeys(names, "x\n")))
    assert {change.path for change in diff.parse(raw, "odd").changes} == set(names)
    assert {diff.unquote(diff.quote(name)) for name in names} == set(names)
