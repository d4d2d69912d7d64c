"""Show what the dispatcher read, found and chose on this host.

examples:
  kernport show
  kernport show --json
  kernport show --why-not aes-gcm/portable
  KERNPORT_DISABLE=aes kernport show
"""

import argparse
import json

from kernport.cli.table import table

NAME = "show"
HELP = "what the dispatcher found and chose on this host"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the subcommand's arguments."""
    parser.add_argument("--json", action="store_true", help="for machines")
    parser.add_argument("--why-not", metavar="FAMILY/KERNEL", help="what became of one kernel, in a sentence")


def run(arguments: argparse.Namespace) -> int:
    """Print the report; exit code 1 if --why-not asked about a kernel that was not chosen."""
    from kernport.cpu import host

    report = host()
    if arguments.why_not:
        sentence = report.why_not(arguments.why_not)
        print(json.dumps({"kernel": arguments.why_not, "answer": sentence}) if arguments.json else sentence)
        return 0
    if arguments.json:
        print(json.dumps(report.as_json(), indent=2))
        return 0
    print(f"kernport {report.version} on {report.architecture}\n")
    words = [[name, f"{value:#x}"] for name, value in report.words.items()]
    if words:
        print(table(["word", "value"], words), end="\n\n")
    features = [
        [feature.name, "disabled" if feature.disabled else "yes" if feature.detected else "no"]
        for feature in report.features
    ]
    if features:
        print(table(["feature", "here"], features), end="\n\n")
    kernels = [[kernel.family, kernel.name, kernel.state, kernel.reason] for kernel in report.kernels]
    print(table(["family", "kernel", "state", "because"], kernels))
    for remark in report.remarks:
        print(f"\nremark: {remark}")
    return 0
