"""Show what the dispatcher read, found and chose on this host, or would choose on another.

Another machine is described by the words that `kernport show --json` printed there, or by a JSON
file {"architecture": …, "words": {NAME: NUMBER or "0x…"}}.

examples:
  kernport show
  kernport show --json                                    as `kernport show --schema` describes it
  kernport show --why-not FAMILY/portable
  KERNPORT_DISABLE=avx2 kernport show
  kernport show --words power9.json
  kernport show --target powerpc64-linux-musl --words power9.json --why-not FAMILY/KERNEL
"""

import argparse
import json
from importlib.resources import files
from pathlib import Path

from kernport.cli.table import table
from kernport.errors import UsageError
from kernport.report import Host

NAME = "show"
HELP = "what the dispatcher found and chose on this host"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the subcommand's arguments."""
    parser.add_argument("--json", action="store_true", help="for machines")
    parser.add_argument("--schema", action="store_true", help="print the JSON Schema of what --json prints")
    parser.add_argument("--words", type=Path, metavar="FILE", help="answer for the machine with these words")
    parser.add_argument("--target", metavar="T", help="with --words: the target they were read on")
    parser.add_argument("--why-not", metavar="FAMILY/KERNEL", help="what became of one kernel, in a sentence")


def run(arguments: argparse.Namespace) -> int:
    """Print the report, or the one sentence asked for."""
    if arguments.schema:
        print((files("kernport") / "show.schema.json").read_text(encoding="utf-8"), end="")
        return 0
    report = _report(arguments)
    if arguments.why_not:
        sentence = report.why_not(arguments.why_not)
        print(json.dumps({"kernel": arguments.why_not, "answer": sentence}) if arguments.json else sentence)
        return 0
    if arguments.json:
        print(json.dumps(report.as_json(), indent=2))
        return 0
    print(f"kernport {report.version} on {report.architecture}\n".replace("  ", " "))
    words = [[name, f"{value:#x}"] for name, value in report.words.items()]
    if words:
        print(table(["word", "value"], words), end="\n\n")
    features = [
        [feature.name, "disabled" if feature.disabled else "yes" if feature.detected else "no", feature.word]
        for feature in report.features
    ]
    if features:
        print(table(["feature", "here", "read off"], features), end="\n\n")
    kernels = [[kernel.family, kernel.name, kernel.state, kernel.reason] for kernel in report.kernels]
    print(table(["family", "kernel", "state", "because"], kernels))
    for remark in report.remarks:
        print(f"\nremark: {remark}")
    return 0


def _report(arguments: argparse.Namespace) -> Host:
    if arguments.words is None:
        if arguments.target:
            raise UsageError("--target describes no machine without --words FILE")
        from kernport.cpu import host

        return host()
    from kernport.judge import architecture_of, judge

    try:
        recorded = json.loads(arguments.words.read_text(encoding="utf-8"))
        words = {
            name: value if isinstance(value, int) else int(value, 0)
            for name, value in recorded["words"].items()
        }
        arch = architecture_of(arguments.target or recorded["architecture"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(f'{arguments.words}: no JSON with "architecture" and "words": {error!r}') from error
    return judge(arch, words, str(recorded.get("version", "")))
