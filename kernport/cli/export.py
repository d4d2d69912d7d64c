"""Write a source package for a distribution's own tools, whole, with the source distribution beside it.

examples:
  kernport export debian --out build/debian             debian/ for dpkg-buildpackage
  kernport export spec --out build/spec                 for rpmbuild, with Fedora's macros
  kernport export apkbuild --out build/apkbuild         for Alpine's abuild
  kernport export pkgbuild --out build/pkgbuild         PKGBUILD and .SRCINFO for makepkg
  kernport export port --out build/port                 ports for FreeBSD's ports tree
"""

import argparse
import json
import sys
from pathlib import Path

NAME = "export"
HELP = "write source packages: debian/, spec, APKBUILD, PKGBUILD, FreeBSD ports"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the subcommand's arguments."""
    parser.add_argument("form", help="debian, spec, apkbuild, pkgbuild or port")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="a folder that does not exist yet"
    )
    parser.add_argument(
        "--tree", type=Path, default=Path(), metavar="DIR", help="the tree (default: this folder's)"
    )
    parser.add_argument("--json", action="store_true", help="for machines: the files, as a list")


def run(arguments: argparse.Namespace) -> int:
    """Write the folder; prints its files, and how to build what they describe."""
    from kernport.build.recipe import load_tree
    from kernport.build.skeletons import export, steps
    from kernport.build.target import tree_of

    tree = load_tree(tree_of(arguments.tree))
    files = export(arguments.form, tree, arguments.out)
    if arguments.json:
        print(json.dumps([str(path) for path in files], indent=2))
        return 0
    for path in files:
        print(path)
    print(f"to build it:\n{steps(arguments.form, tree, arguments.out)}", end="", file=sys.stderr)
    return 0
