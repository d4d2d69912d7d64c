"""Build artefacts of a tree, for this host or for any target, without root and without containers.

examples:
  kernport build wheel                                  for this host
  kernport build wheel --target all --out dist          one for every target
  kernport build deb --target powerpc64le-linux-gnu
  kernport build freebsd --target powerpc64-freebsd
"""

import argparse
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from kernport.errors import KernportError

NAME = "build"
HELP = "build wheels and packages"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the subcommand's arguments."""
    parser.add_argument(
        "format", help="wheel, or a format of recipes/formats.yaml: deb, rpm, apk, arch, freebsd"
    )
    parser.add_argument(
        "--target", action="append", default=[], metavar="T", help="a target of recipes/targets.yaml, or all"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("dist"), metavar="DIR", help="where artefacts go (default: dist)"
    )
    parser.add_argument(
        "--tree", type=Path, default=Path(), metavar="DIR", help="the tree (default: this folder's)"
    )
    parser.add_argument(
        "--work", type=Path, metavar="DIR", help="where to keep builds (default: build in the tree)"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="targets at once")
    parser.add_argument(
        "--json", action="store_true", help="for machines: one row a target on standard output"
    )


def run(arguments: argparse.Namespace) -> int:
    """Build; prints a line a target as it ends. The exit code is that of the worst failure, or 0."""
    from kernport.build.package import build_packages
    from kernport.build.recipe import load_tree
    from kernport.build.target import Target, choose_targets, load_targets, tree_of
    from kernport.build.wheel import build_wheel

    tree = load_tree(tree_of(arguments.tree))
    if arguments.format != "wheel":
        tree.format(arguments.format)  # an unknown one is an error that lists the known ones
    targets = choose_targets(load_targets(tree), arguments.target)
    if "all" in arguments.target:
        # Of all targets, those that cannot have the format are no failure: the recipe says why.
        for target in targets:
            if reason := target.why_no(arguments.format):
                print(f"{target.name}: none: {reason}", file=sys.stderr)
        targets = [target for target in targets if not target.why_no(arguments.format)]
    work = (arguments.work or tree.root / "build").resolve()
    out = arguments.out.resolve()

    def build(target: Target) -> list[Path]:
        if arguments.format == "wheel":
            return [build_wheel(tree, target, work, out)]
        return build_packages(arguments.format, tree, target, work, out)

    code = 0
    rows: list[dict[str, object]] = []
    with ThreadPoolExecutor(max(1, arguments.jobs)) as pool:
        jobs = {pool.submit(build, target): target for target in targets}
        for number, job in enumerate(as_completed(jobs), 1):
            target = jobs[job]
            try:
                paths = job.result()
            except KernportError as error:
                print(f"[{number}/{len(jobs)}] {error}", file=sys.stderr)
                rows.append({"target": target.name, "error": str(error)})
                code = max(code, error.exit_code)
            else:
                for path in paths:
                    print(f"[{number}/{len(jobs)}] {target.name}: {path.name}", file=sys.stderr)
                rows.append({"target": target.name, "files": [str(path) for path in paths]})
    if arguments.json:
        print(json.dumps(rows, indent=2))
    return code
