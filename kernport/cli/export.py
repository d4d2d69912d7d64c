"""Write a source package for a distribution's own tools, or the dispatcher for other builds.

A source package is whole, with the source distribution beside it.

examples:
  kernport export debian --out build/debian             debian/ for dpkg-buildpackage
  kernport export spec --out build/spec                 for rpmbuild, with Fedora's macros
  kernport export apkbuild --out build/apkbuild         for Alpine's abuild
  kernport export pkgbuild --out build/pkgbuild         PKGBUILD and .SRCINFO for makepkg
  kernport export port --out build/port                 ports for FreeBSD's ports tree
  kernport export dispatcher --out src/dispatch         the dispatcher as C for a build of your own
"""

import argparse
import json
import sys
from pathlib import Path

from kernport.cli.tree import add_tree_arguments, open_tree

NAME = "export"
HELP = "write source packages (debian/, spec, APKBUILD, PKGBUILD, ports) or the dispatcher"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the subcommand's arguments."""
    parser.add_argument("form", help="debian, spec, apkbuild, pkgbuild, port or dispatcher")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="a folder that does not exist yet"
    )
    add_tree_arguments(parser)
    parser.add_argument("--json", action="store_true", help="for machines: the files, as a list")


def run(arguments: argparse.Namespace) -> int:
    """Write the folder; prints its files, and how to build what they describe."""
    from kernport.build.skeletons import export, steps
    from kernport.build.vendor import HOW_TO_BUILD, export_dispatcher

    tree, _ = open_tree(arguments)
    if arguments.form == "dispatcher":
        files, how = export_dispatcher(tree, arguments.out), HOW_TO_BUILD.format(out=arguments.out)
    else:
        files = export(arguments.form, tree, arguments.out)
        how = steps(arguments.form, tree, arguments.out)
    if arguments.json:
        print(json.dumps([str(path) for path in files], indent=2))
        return 0
    for path in files:
        print(path)
    print(f"to build it:\n{how}", end="", file=sys.stderr)
    return 0
