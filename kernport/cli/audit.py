"""Audit artefacts: tags, ELF ABI, libc, symbols, hardening, exports, and the instructions of each kernel.

examples:
  kernport audit dist/*.whl
  kernport audit --json dist/*.deb build/libkernport.so.0
"""

import argparse
import json
import sys
from pathlib import Path

from kernport.cli.tree import add_tree_arguments, open_tree
from kernport.errors import KernportError

NAME = "audit"
HELP = "check wheels, packages and libraries"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the subcommand's arguments."""
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="what to audit")
    add_tree_arguments(parser)
    parser.add_argument("--quiet", action="store_true", help="print the verdict and the faults only")
    parser.add_argument("--json", action="store_true", help="for machines: one object a file")


def run(arguments: argparse.Namespace) -> int:
    """Audit each file; 0 if all are clean, else 1, or the code of what kept a file from being audited."""
    from kernport.build.audit import audit_file
    from kernport.build.target import load_targets

    tree, _ = open_tree(arguments)
    targets = list(load_targets(tree).values())
    code = 0
    rows: list[dict[str, object]] = []
    for path in arguments.files:
        try:
            audit = audit_file(path, tree, targets)
        except KernportError as error:
            print(f"kernport audit: {error}", file=sys.stderr)
            rows.append({"file": str(path), "error": str(error)})
            code = max(code, error.exit_code)
            continue
        rows.append(audit.as_data())
        code = max(code, 1 if audit.findings else 0)
        if not arguments.json:
            for line in audit.lines():
                if not arguments.quiet or not line.startswith("  ") or line.startswith("  error "):
                    print(line)
    if arguments.json:
        print(json.dumps(rows, indent=2))
    return code
