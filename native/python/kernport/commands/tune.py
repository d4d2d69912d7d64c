"""Measure in about a second whether the kernels that the dispatcher ranks first are the fastest here.

Each family's kernels that may run here take turns at every operation. The first, as the dispatcher ranks
them, that no other beats by more than 5 % in both of two rounds should run; those before it lose. The
losers are printed as text for dispatch.conf, with the figures as comments. Nothing changes until that
text is in the dispatcher's file: this command never runs by itself, and no other command runs it.

--out writes a file whole or not at all, and leaves alone what this command did not write.

examples:
  kernport tune
  kernport tune --family FAMILY --json
  kernport tune --out /etc/kernport/dispatch.conf
  kernport tune >> /etc/kernport/dispatch.conf        where there is one already
"""

import argparse
import json
from pathlib import Path

NAME = "tune"
HELP = "measure which kernels are slower here than one ranked behind them"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the subcommand's arguments."""
    parser.add_argument("--family", action="append", default=[], metavar="NAME", help="only this family")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the text there, and print a summary")
    parser.add_argument("--json", action="store_true", help="for machines: all figures")


def run(arguments: argparse.Namespace) -> int:
    """Measure, then print the fragment or write it."""
    from kernport.tune import check_writable, tune, write

    if arguments.out is not None:
        check_writable(arguments.out.resolve())
    tuning = tune(arguments.family)
    if arguments.out is not None:
        write(tuning, arguments.out)
    if arguments.json:
        print(json.dumps(tuning.as_json(), indent=2))
    elif arguments.out is None:
        print(tuning.fragment(), end="")
    else:
        for contest in tuning.contests:
            lost = f"; disabled: {', '.join(contest.losers)}" if contest.losers else ""
            print(f"{contest.family}: {contest.winner} runs{lost}")
        print(f"written to {arguments.out}")
    return 0
