"""Begin a tree of your own: a family with a portable kernel, which builds and passes its checks at once.

docs/your-own-kernels.md goes on from there.

examples:
  kernport new ~/src/bytesum --family bytes
  kernport checkasm --tree ~/src/bytesum
"""

import argparse
import json
from pathlib import Path

NAME = "new"
HELP = "begin a tree of your own kernels"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the subcommand's arguments."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="a folder that does not exist yet")
    parser.add_argument("--family", required=True, metavar="NAME", help="the operation that kernels perform")
    parser.add_argument("--json", action="store_true", help="for machines: the files, as a list")


def run(arguments: argparse.Namespace) -> int:
    """Write the tree; prints its files and what to do next."""
    from kernport.build.new import new_tree

    files = new_tree(arguments.folder, arguments.family)
    if arguments.json:
        print(json.dumps([str(path) for path in files], indent=2))
        return 0
    for path in files:
        print(path)
    print(f"next: kernport checkasm --tree {arguments.folder}")
    return 0
