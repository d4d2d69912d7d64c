"""Every artefact of some targets, built into one folder at once: it appears whole, or stays what it was."""

import hashlib
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from kernport.build.artefacts import artefacts, folder_of
from kernport.build.bill_of_materials import bill_of_everything
from kernport.build.contents import MADE_AT_TOP
from kernport.build.everything.apt import write_repository
from kernport.build.everything.page import write_page
from kernport.build.everything.plan import Cell, plan
from kernport.build.everything.signature import Signer
from kernport.build.index import write_index
from kernport.build.recipe import Tree
from kernport.build.sdist import build_sdist
from kernport.build.skeletons import FORMS, export, steps
from kernport.build.target import Target
from kernport.build.verify import verify
from kernport.build.workers import workers
from kernport.errors import KernportError, UsageError

SUMS, PAGE = "SHA256SUMS", "index.html"


@dataclass(frozen=True)
class Outcome:
    """What became of a cell: the names of its files in the folder, or why there are none.

    `error` is what went wrong, and `code` its exit code, where there could have been files.
    """

    cell: Cell
    files: tuple[str, ...] = ()
    unchanged: bool = False
    error: str = ""
    code: int = 0


@dataclass(frozen=True)
class SourcePackage:
    """A source package for a distribution's own tools: the names of its files, or why there is none.

    `steps` is how it is built, for a shell.
    """

    form: str
    files: tuple[str, ...] = ()
    steps: str = ""
    reason: str = ""


def collect(
    tree: Tree,
    targets: Sequence[Target],
    work: Path,
    out: Path,
    jobs: int,
    tell: Callable[[int, int, Outcome], None],
    twice: bool = False,
    signer: Signer | None = None,
) -> list[Outcome]:
    """Build all that the targets can have into `out`; `tell` is called after each format of each target.

    What is built `twice`, the second time elsewhere, must be the same bytes; else it counts as failed. A
    `signer` signs the apt repository.

    What cannot be built leaves a gap that the page explains. Raises UsageError, before anything is built,
    where `out` has files that this function did not write, or is where sources are.
    """
    home = _home_of_scratch(tree, out)
    if signer is not None:
        signer.check()
    if out.exists() and (not out.is_dir() or (any(out.iterdir()) and not _is_ours(out))):
        raise UsageError(f"{out}: there are other files; name a new folder, or empty this one")
    cells = plan(tree, targets)
    outcomes = {index: Outcome(cell) for index, cell in enumerate(cells) if cell.reason}
    for folder in (home, out.parent):
        folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=home, prefix=f".{out.name}-") as scratch:
        new = Path(scratch) / "new"
        new.mkdir()
        sdist = build_sdist(tree, new / "wheels")
        sources = [_source(form, tree, new) for form in FORMS]
        with workers(jobs) as pool:
            todo = {
                pool.submit(_outcome, tree, cell, work, new, twice): index
                for index, cell in enumerate(cells)
                if not cell.reason
            }
            for number, job in enumerate(as_completed(todo), 1):
                outcomes[todo[job]] = job.result()
                tell(number, len(todo), job.result())
        ordered = [outcomes[index] for index in range(len(cells))]
        _finish(tree, ordered, sources, new, sdist, signer)
        if out.exists():
            out.replace(Path(scratch) / "old")
        new.chmod(0o755)
        new.replace(out)
    return ordered


def _outcome(tree: Tree, cell: Cell, work: Path, root: Path, twice: bool) -> Outcome:
    folder = root / folder_of(cell.form, tree, cell.target)
    paths: list[Path] = []
    try:
        paths, made = artefacts(cell.form, tree, cell.target, work, folder)
        if twice:
            verify(tree, cell.form, cell.target.name, paths)
    except KernportError as error:
        for path in paths:
            path.unlink()
        return Outcome(cell, error=_without(tree.root, error), code=error.exit_code)
    return Outcome(cell, tuple(path.relative_to(root).as_posix() for path in paths), not made)


def _without(root: Path, error: KernportError) -> str:
    """What an error says, with names of files in the tree instead of places on this machine."""
    return str(error).replace(f"{root}/", "")


def _source(form: str, tree: Tree, root: Path) -> SourcePackage:
    folder = Path("source") / form
    (root / "source").mkdir(exist_ok=True)
    try:
        paths = export(form, tree, root / folder)
    except UsageError as error:
        return SourcePackage(form, reason=_without(tree.root, error))
    names = tuple(path.relative_to(root).as_posix() for path in paths)
    return SourcePackage(form, names, steps(form, tree, folder))


def _finish(
    tree: Tree,
    outcomes: Sequence[Outcome],
    sources: Sequence[SourcePackage],
    root: Path,
    sdist: Path,
    signer: Signer | None,
) -> None:
    """Write what stands beside the artefacts: indexes, the bill of materials, the page, the sums."""
    write_index(root / "wheels")
    debs = {PurePosixPath(name).parts[0] for each in outcomes for name in each.files if name.endswith(".deb")}
    for folder in debs:
        write_repository(tree, root / folder, signer)
    labels = {sdist.relative_to(root).as_posix(): ("sdist", "")}
    for each in outcomes:
        labels |= dict.fromkeys(each.files, (each.cell.form, each.cell.target.name))
    for source in sources:
        labels |= dict.fromkeys(source.files, (source.form, ""))
    bill = bill_of_everything(tree, {name: (root / name, *label) for name, label in labels.items()})
    (root / f"{tree.name}-{tree.version}.cdx.json").write_bytes(bill)
    name = sdist.relative_to(root).as_posix()
    write_page(tree, outcomes, sources, root, name, root / PAGE, signer is not None)
    _write_sums(root)


def _write_sums(root: Path) -> None:
    names = sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
    lines = [f"{hashlib.sha256((root / name).read_bytes()).hexdigest()}  {name}\n" for name in names]
    (root / SUMS).write_text("".join(lines), encoding="utf-8")


def _home_of_scratch(tree: Tree, out: Path) -> Path:
    """Where the folder is made: beside `out`, but not among the sources, of which it would become one."""
    if not out.is_relative_to(tree.root):
        return out.parent
    parts = out.relative_to(tree.root).parts
    if not parts or parts[0] not in MADE_AT_TOP:
        raise UsageError(
            f"{out}: it would become a part of the tree; name a folder in {' or '.join(MADE_AT_TOP)}, "
            "or outside"
        )
    return out.parent if len(parts) > 1 else tree.root / MADE_AT_TOP[0]


def _is_ours(folder: Path) -> bool:
    """Whether the folder has what this module writes, and nothing else."""
    try:
        listed = {line[66:] for line in (folder / SUMS).read_text(encoding="utf-8").splitlines()}
    except (OSError, UnicodeDecodeError):
        return False
    here = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}
    return PAGE in listed and here <= listed | {SUMS}
