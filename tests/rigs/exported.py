"""Source packages of a copy of the tree, with a patch set that the recipe names, and running their tools."""

import atexit
import difflib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from kernport.build.contents import tree_files
from kernport.build.recipe import Tree, load_tree
from kernport.build.skeletons import export

ROOT = Path(__file__).resolve().parents[2]
NOTE = "A line that a patch adds.\n"
PATCH = "0001-add-a-line.patch"
NOBODY = 65534

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="installing into a folder needs root: chroot(2)")


def patched_tree(folder: Path) -> Tree:
    """A copy of the tree whose recipe names a set of one patch: it changes a file and makes another."""
    for name in tree_files(ROOT):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    before = (folder / "README.md").read_text(encoding="utf-8").splitlines(keepends=True)
    after = [*before[:2], NOTE, *before[2:]]
    changed = "".join(difflib.unified_diff(before, after, "a/README.md", "b/README.md"))
    made = "".join(difflib.unified_diff([], [NOTE], "/dev/null", "b/docs/note_of.patch.txt"))
    mail = (
        "From 0123456789abcdef0123456789abcdef01234567 Mon Sep 17 00:00:00 2001\n"
        "From: A packager <packager@kernport.example>\n"
        "Date: Mon, 30 Nov 2026 12:00:00 +0000\n"
        "Subject: [PATCH] Add a line\n\nIt is for tests.\n---\n"
        f"diff --git a/README.md b/README.md\n{changed}"
        "diff --git a/docs/note_of.patch.txt b/docs/note_of.patch.txt\nnew file mode 100644\n"
        f"{made}"
    )
    home = folder / "patches" / "a-line"
    home.mkdir()
    (home / PATCH).write_text(mail, encoding="utf-8")
    body = f"name: a-line\nsummary: Adds a line\nlicence: BSD-2-Clause\npatches: [{{file: {PATCH}}}]\n"
    (home / "set.yaml").write_text(body, encoding="utf-8")
    with (folder / "recipes" / "package.yaml").open("a", encoding="utf-8") as recipe:
        recipe.write("patches: [a-line]\n")
    return load_tree(folder)


def is_patched(folder: Path) -> bool:
    """Whether both changes of the patch are in an unpacked source."""
    note = folder / "docs" / "note_of.patch.txt"
    return NOTE in (folder / "README.md").read_text(encoding="utf-8") and note.read_text() == NOTE


def unpacked_debian(tree: Tree, folder: Path) -> Path:
    """The folder in which dpkg-buildpackage is called, as `kernport export` says to make it."""
    export("debian", tree, folder)
    source = folder / f"{tree.name}-{tree.version}"
    run(["tar", "xf", f"{tree.name}_{tree.version}.orig.tar.gz"], folder)
    (folder / "debian").rename(source / "debian")
    return source


def needs(*programs: str) -> pytest.MarkDecorator:
    """Skip where a program, PROGRAM or PROGRAM:PACKAGE, is missing, and say which package brings it."""
    pairs = [each.partition(":") for each in programs]
    missing = [(name, package or name) for name, _, package in pairs if shutil.which(name) is None]
    reason = "; ".join(f"{name} is missing: apt-get install {package}" for name, package in missing)
    return pytest.mark.skipif(bool(missing), reason=reason)


def run(command: list[str], folder: Path, **variables: str) -> str:
    """Run a distribution's tool, without this Python's environment; returns what it printed on its output."""
    process = subprocess.run(
        command,
        cwd=folder,
        env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "HOME": str(folder), **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, f"{command}\n{process.stdout[-4000:]}\n{process.stderr[-4000:]}"
    return process.stdout


def unprivileged(files: Path, folder: Path) -> tuple[Path, list[str]]:
    """A copy of `files` for a tool that refuses root, and what to put before its command: nothing for others.

    Others cannot go through pytest's folders if root made them, so then the copy lies outside of `folder`.
    """
    root = os.geteuid() == 0
    copy = Path(tempfile.mkdtemp(prefix="kernport-")) if root else folder / files.name
    shutil.copytree(files, copy, dirs_exist_ok=True)
    if not root:
        return copy, []
    atexit.register(shutil.rmtree, copy, ignore_errors=True)
    for path in (copy, *copy.rglob("*")):
        os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
    return copy, ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]


def install_rpms(root: Path, rpms: list[Path]) -> None:
    """Install into an empty root; what Fedora's own packages bring is not there, so it is not asked for."""
    names = [str(path) for path in rpms]
    run(["rpm", "--root", str(root), "--initdb"], root.parent)
    run(["rpm", "--root", str(root), "-i", "--nodeps", "--ignorearch", *names], root.parent)
    installed = run(["rpm", "--root", str(root), "-qa", "--queryformat", "%{NAME}\\n"], root.parent).split()
    assert len(installed) == len(rpms)
    run(["rpm", "--root", str(root), "-V", "--nodeps", *installed], root.parent)


def install_arch(root: Path, packages: list[Path]) -> None:
    """Install into an empty root, and have pacman compare every file with what the package says of it."""
    (root / "var" / "lib" / "pacman").mkdir(parents=True)
    pacman = ["pacman", "--root", str(root), "--config", "/dev/null", "--noconfirm"]
    run([*pacman, "-U", "-dd", *map(str, packages)], root.parent)
    said = run([*pacman, "-Qkk"], root.parent)
    assert said.count(" 0 altered files") == len(packages), said
