"""Build artefacts of a tree, for this host or for any target, without root and without containers.

examples:
  kernport build wheel                                  for this host
  kernport build wheel --target all --out dist          one for every target
  kernport build deb --target powerpc64le-linux-gnu
  kernport build freebsd --target powerpc64-freebsd
  kernport build all --target all --out dist/all        with a page, sums and repositories for pip and apt
  kernport build all --target all --plan                the table of what there is, and why not
  kernport build sdist --verify                         twice, in two places, and compared
  kernport build --matrix github > .github/workflows/wheels.yml
"""

import argparse
import json
import os
import sys
from concurrent.futures import as_completed
from pathlib import Path
from typing import TYPE_CHECKING

from kernport.cli.tree import add_tree_arguments, open_tree
from kernport.errors import AnswerNo, KernportError, UsageError

if TYPE_CHECKING:
    from kernport.build.recipe import Tree

NAME = "build"
HELP = "build wheels, source distributions and packages"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the subcommand's arguments."""
    parser.add_argument(
        "format",
        nargs="?",
        help="wheel, sdist, a format of recipes/formats.yaml (deb, rpm, apk, arch, freebsd), or all of them",
    )
    parser.add_argument(
        "--target", action="append", default=[], metavar="T", help="a target of recipes/targets.yaml, or all"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("dist"), metavar="DIR", help="where artefacts go (default: dist)"
    )
    add_tree_arguments(parser)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="targets at once")
    parser.add_argument(
        "--verify", action="store_true", help="build a second time elsewhere, and compare the bytes"
    )
    parser.add_argument(
        "--plan", action="store_true", help="with all: print what there would be, and build nothing"
    )
    parser.add_argument(
        "--sign", metavar="KEY", help="with all: sign the apt repository by this key of gpg's"
    )
    parser.add_argument(
        "--matrix", choices=["github", "gitlab"], help="print a workflow that builds every target's wheel"
    )
    parser.add_argument(
        "--json", action="store_true", help="for machines: one row a target on standard output"
    )


def run(arguments: argparse.Namespace) -> int:
    """Build; prints a line a target as it ends. The exit code is that of the worst failure, or 0."""
    from kernport.build.artefacts import artefacts, folder_of
    from kernport.build.target import Target, choose_targets, load_targets
    from kernport.build.verify import verify
    from kernport.build.workers import workers
    from kernport.cli.everything import build_everything

    tree, work = open_tree(arguments)
    if arguments.matrix:
        from kernport.build.matrix import workflow

        print(workflow(arguments.matrix, list(load_targets(tree).values())), end="")
        return 0
    if arguments.format is None:
        raise UsageError(
            "say what to build: wheel, sdist, a format of recipes/formats.yaml or all; or --matrix SERVICE"
        )
    out = arguments.out.resolve()
    for option in ("plan", "sign"):
        if getattr(arguments, option) and arguments.format != "all":
            raise UsageError(f"--{option} goes with all: kernport build all --{option}")
    if arguments.format == "sdist":
        return _sdist(tree, out, arguments)
    if arguments.format not in ("wheel", "all"):
        tree.format(arguments.format)  # an unknown one is an error that lists the known ones
    targets = choose_targets(load_targets(tree), arguments.target)
    if arguments.format == "wheel" and tree.no_free_threading:
        print(f"free-threaded Python: none: {tree.no_free_threading}", file=sys.stderr)
    if "all" in arguments.target and arguments.format != "all":
        # Of all targets, those that cannot have the format are no failure: the recipe says why.
        for target in targets:
            if reason := target.why_no(arguments.format):
                print(f"{target.name}: none: {reason}", file=sys.stderr)
        targets = [target for target in targets if not target.why_no(arguments.format)]
    if arguments.format == "all":
        return build_everything(tree, targets, work, arguments)
    # Names of files may say nothing of the architecture: of several, each then has its own folder.
    apart = (
        arguments.format != "wheel" and len(targets) > 1 and "{arch}" in tree.format(arguments.format).folder
    )

    def build(target: Target) -> tuple[list[Path], bool]:
        if reason := target.why_no(arguments.format):
            raise AnswerNo(f"{target.name}: no {arguments.format}: {reason}")
        place = out / folder_of(arguments.format, tree, target).name if apart else out
        paths, made = artefacts(arguments.format, tree, target, work, place)
        if arguments.verify:
            verify(tree, arguments.format, target.name, paths)
        return paths, made

    code = 0
    rows: list[dict[str, object]] = []
    with workers(arguments.jobs) as pool:
        jobs = {pool.submit(build, target): target for target in targets}
        for number, job in enumerate(as_completed(jobs), 1):
            target = jobs[job]
            try:
                paths, made = job.result()
            except KernportError as error:
                print(f"[{number}/{len(jobs)}] {error}", file=sys.stderr)
                rows.append({"target": target.name, "error": str(error)})
                code = max(code, error.exit_code)
            else:
                note = "" if made else " (unchanged)"
                note += " (identical when built again elsewhere)" if arguments.verify else ""
                for path in paths:
                    print(f"[{number}/{len(jobs)}] {target.name}: {path.name}{note}", file=sys.stderr)
                files = [str(path) for path in paths]
                rows.append({"target": target.name, "files": files, "unchanged": not made})
    if arguments.json:
        print(json.dumps(rows, indent=2))
    return code


def _sdist(tree: "Tree", out: Path, arguments: argparse.Namespace) -> int:
    from kernport.build.sdist import build_sdist
    from kernport.build.verify import verify

    path = build_sdist(tree, out)
    note = ""
    if arguments.verify:
        verify(tree, "sdist", "", [path])
        note = " (identical when built again elsewhere)"
    print(f"{path.name}{note}", file=sys.stderr)
    if arguments.json:
        print(json.dumps([{"target": "", "files": [str(path)]}], indent=2))
    return 0
