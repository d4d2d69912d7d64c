"""Write a package index for the wheels in a folder, from which pip installs the right one.

examples:
  kernport index dist
  pip install --index-url file://$PWD/dist/simple kernport
"""

import argparse
from pathlib import Path

NAME = "index"
HELP = "write a package index for a folder of wheels"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the subcommand's arguments."""
    parser.add_argument(
        "folder", type=Path, metavar="DIR", help="where the wheels are; pages go to DIR/simple"
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the pages; prints the index's address."""
    from kernport.build.index import write_index

    write_index(arguments.folder)
    print(f"{arguments.folder.resolve().as_uri()}/simple")
    return 0
