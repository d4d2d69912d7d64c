"""One format for one target: built, or found where an earlier build of the same things kept it."""

from pathlib import Path, PurePosixPath

from kernport.build.kept import digest_of_tree, kept_or_made, key_of
from kernport.build.package import build_packages
from kernport.build.recipe import Tree
from kernport.build.target import Target
from kernport.build.wheel import build_wheels

WHEEL = "wheel"


def artefacts(form: str, tree: Tree, target: Target, work: Path, out: Path) -> tuple[list[Path], bool]:
    """The artefacts of a format that the target can have, put into `out`; and whether they were built now."""

    def make() -> list[Path]:
        if form == WHEEL:
            return build_wheels(tree, target, work, out)
        return build_packages(form, tree, target, work, out)

    def key() -> str:
        return key_of(digest_of_tree(tree), form, target)

    return kept_or_made(work / "kept" / f"{form}-{target.name}", key, out, make)


def folder_of(form: str, tree: Tree, target: Target) -> PurePosixPath:
    """Where a target's artefacts lie in a tree of everything: wheels, or the format's own folder."""
    if form == WHEEL:
        return PurePosixPath("wheels")
    return PurePosixPath(tree.format(form).folder.format(arch=target.packages[form]))
