"""Check the recipes of trees: every key, name and file in them, and that two trees do not clash.

examples:
  kernport recipe check
  kernport recipe check --tree ~/src/my-kernels
  kernport recipe check --tree . --tree ~/src/my-kernels    whether one program can use both
"""

import argparse
import os
from pathlib import Path

from kernport.cli.tree import VARIABLE

NAME = "recipe"
HELP = "check the recipes of a tree"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the subcommand's arguments."""
    parser.add_argument("action", choices=["check"])
    parser.add_argument(
        "--tree",
        type=Path,
        action="append",
        metavar="DIR",
        help=f"the folder with recipes/, any number of times (default: {VARIABLE}, or this one)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print one line a tree if all is well; the first fault otherwise."""
    from kernport.build.clash import check_together
    from kernport.build.recipe import load_tree
    from kernport.build.target import load_targets, tree_of

    places = arguments.tree or [Path(os.environ.get(VARIABLE, ""))]
    trees = [load_tree(tree_of(place)) for place in places]
    for tree in trees:
        load_targets(tree)
    check_together(trees)
    for tree in trees:
        kernels = sum(len(family.kernels) for family in tree.families)
        print(f"{tree.name} {tree.version}: {len(tree.families)} families, {kernels} kernels: all is well")
    return 0
