"""Which tree a command is about: the same arguments for all that build or check one."""

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kernport.build.recipe import Tree

VARIABLE = "KERNPORT_TREE"


def add_tree_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare --tree and --work."""
    parser.add_argument(
        "--tree",
        type=Path,
        default=Path(os.environ.get(VARIABLE, "")),
        metavar="DIR",
        help=f"the tree: a folder with recipes/ (default: {VARIABLE}, or the one this folder is in)",
    )
    parser.add_argument(
        "--work", type=Path, metavar="DIR", help="where to keep builds (default: build in the tree)"
    )


def open_tree(arguments: argparse.Namespace) -> "tuple[Tree, Path]":
    """The tree that the arguments name, with all that a build needs, and the folder for builds.

    Raises UsageError where there is none, or its recipes are wrong.
    """
    from kernport.build.recipe import load_tree
    from kernport.build.stage import complete
    from kernport.build.target import load_targets, tree_of

    tree = load_tree(tree_of(arguments.tree))
    load_targets(tree)  # all recipes are checked before anything is made
    work = (arguments.work or tree.root / "build").resolve()
    return complete(tree, work), work
