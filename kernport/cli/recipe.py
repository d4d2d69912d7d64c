"""Check the recipes of a tree: every key, name and file in them.

examples:
  kernport recipe check
  kernport recipe check --tree ~/src/my-kernels
"""

import argparse
from pathlib import Path

NAME = "recipe"
HELP = "check the recipes of a tree"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the subcommand's arguments."""
    parser.add_argument("action", choices=["check"])
    parser.add_argument(
        "--tree", type=Path, default=Path(), help="the folder with recipes/ (default: this one)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print one line on the tree if all is well; the first fault otherwise."""
    from kernport.build.recipe import load_tree

    tree = load_tree(arguments.tree)
    kernels = sum(len(family.kernels) for family in tree.families)
    print(f"{tree.name} {tree.version}: {len(tree.families)} families, {kernels} kernels: all is well")
    return 0
