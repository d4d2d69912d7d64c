"""A throw-away git directory in which patches are tried: nothing in it can touch the branch or tree it shows.

It reads the objects of a repository through git's alternates, or the files of a plain tree, and works on an
index of its own. The repository and the tree are only read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from kernport.backport.git import Git, complaint
from kernport.backport.temporary import temporary_folder
from kernport.errors import UsageError

# Whatever .gitattributes a tree carries, its bytes are taken as they are.
_AS_THEY_ARE = "* -text -eol -filter -ident -working-tree-encoding\n"


@dataclass(frozen=True)
class Place:
    """Where patches go: a commit of a repository, or a plain tree. `branch` is the set's name for it."""

    branch: str
    repository: Path | None = None
    reference: str | None = None
    tree: Path | None = None


@dataclass(frozen=True)
class Scratch:
    """An index to work on, and the state it began with."""

    git: Git
    start: str
    repository: Git | None
    commit: str | None

    def tree(self) -> str:
        """The object name of what the index holds now."""
        return self.git.text("write-tree")

    def reset(self, tree: str) -> None:
        """Make the index hold `tree` again, whatever a failed merge left in it."""
        self.git.run("read-tree", tree)

    def read(self, path: str) -> bytes | None:
        """A file as the index holds it; None where it has none."""
        done = self.git.attempt("cat-file", "blob", f":{path}")
        return done.stdout if done.returncode == 0 else None

    def mode(self, path: str) -> str | None:
        """The mode of a file that the index holds, as "100644"; None where it has none."""
        listed = self.git.text("ls-files", "--stage", "--", f":(literal){path}")
        return listed.split()[0] if listed else None

    def write(self, path: str, content: bytes) -> None:
        """Give a file that the index holds another content."""
        mode = self.mode(path)
        blob = self.git.text("hash-object", "-w", "--stdin", stdin=content)
        self.git.run("update-index", "--cacheinfo", f"{mode},{blob},{path}")

    def write_out(self, folder: Path) -> None:
        """Write every file of the index below `folder`."""
        folder.mkdir(parents=True, exist_ok=True)
        git = Git(folder, self.git.git_directory, folder)
        git.run("checkout-index", "--all", "--force")


@contextmanager
def scratch_of(place: Place, only: Iterable[str] | None = None) -> Iterator[Scratch]:
    """A scratch that shows `place`; with `only`, of a plain tree just those files. Gone at the end.

    Raises UsageError where the branch or tree does not exist or its history is cut short.
    """
    with temporary_folder("backport") as folder:
        if place.repository is not None:
            yield _of_repository(folder, place)
        else:
            yield _of_tree(folder, place, only)


def resolve(repository: Path, reference: str, what: str) -> str:
    """The commit that `reference` names. Raises UsageError where there is none."""
    git = Git(repository)
    if not repository.is_dir():
        raise UsageError(f"{repository}: no such directory")
    found = git.attempt("rev-parse", "--git-dir")
    if found.returncode != 0:
        raise UsageError(f"{repository}: {complaint(found)}")
    done = git.attempt("rev-parse", "--verify", "--quiet", "--end-of-options", f"{reference}^{{commit}}")
    if done.returncode != 0 or not reference or reference.startswith("^"):
        heads = git.text("for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/remotes").split()
        known = ", ".join(heads[:12]) or "none"
        raise UsageError(f"{repository}: {what} {reference!r} does not exist there; branches: {known}")
    return done.stdout.decode().strip()


def _of_repository(folder: Path, place: Place) -> Scratch:
    assert place.repository is not None and place.reference is not None
    commit = resolve(place.repository, place.reference, "the branch")
    repository = Git(place.repository)
    if repository.text("rev-parse", "--is-shallow-repository") == "true":
        raise UsageError(
            f"{place.repository}: a shallow clone, so what the branch already has cannot be told: "
            "run `git fetch --unshallow` there first"
        )
    common = place.repository / repository.text("rev-parse", "--git-common-dir")
    form = repository.text("rev-parse", "--show-object-format")
    git = _new(folder, form)
    (folder / "git" / "objects" / "info" / "alternates").write_text(f"{(common / 'objects').resolve()}\n")
    git.run("read-tree", commit)
    return Scratch(git, git.text("write-tree"), repository, commit)


def _of_tree(folder: Path, place: Place, only: Iterable[str] | None) -> Scratch:
    assert place.tree is not None
    if not place.tree.is_dir():
        raise UsageError(f"{place.tree}: no such directory")
    git = _new(folder, "sha1")
    tree = place.tree.resolve()  # git would read a relative path from inside the tree
    reading = Git(tree, git.git_directory, tree)
    if only is None:
        reading.run("add", "--all", "--force", "--", ".")
    else:
        there = [path for path in only if _is_plain_file(tree, path)]
        if there:
            names = "\0".join(there).encode("utf-8", "surrogateescape")
            reading.run("update-index", "--add", "-z", "--stdin", stdin=names)
    return Scratch(git, git.text("write-tree"), None, None)


def refuse_links(tree: Path, paths: Iterable[str]) -> None:
    """Raise UsageError where one of the paths is a symbolic link of the tree, or leads through one."""
    for path in paths:
        _is_plain_file(tree, path)


def _is_plain_file(tree: Path, path: str) -> bool:
    file = tree / path
    for parent in file.relative_to(tree).parents:
        if (tree / parent).is_symlink() and parent != Path():
            raise UsageError(
                f"{tree / parent}: a symbolic link on the way to {path}: patches do not go through links"
            )
    if file.is_symlink():
        raise UsageError(
            f"{file}: a symbolic link, and a patch would write through it: patch what it points to"
        )
    return file.is_file()


def _new(folder: Path, form: str) -> Git:
    Git(folder).run("init", "--quiet", "--bare", "--template=", f"--object-format={form}", "git")
    git = Git(folder, folder / "git")
    git.run("config", "core.looseCompression", "0")  # what lives for seconds is not worth packing
    for name in ("info", "objects/info"):
        (folder / "git" / name).mkdir(parents=True, exist_ok=True)
    (folder / "git" / "info" / "attributes").write_text(_AS_THEY_ARE)
    return git
