"""The command line: one file a subcommand, here for the toolkit, in kernport.commands for the library.

Each such file defines NAME, HELP, `add_arguments(parser)` and `run(arguments) -> exit code`. Exit
codes: 0 done, 1 the answer is no, 2 wrong use, 3 the environment lacks something, 128 and the number of a
signal that ended it.
"""

import argparse
import importlib
import importlib.util
import os
import sys
from collections.abc import Sequence

from kernport.errors import KernportError
from kernport.signals import Ended, ended_by_signals

TOOLKIT = ("show", "new", "build", "export", "audit", "index", "checkasm", "recipe", "backport")


def modules() -> dict[str, str]:
    """The module of each subcommand. The library's are there once it is installed."""
    library = importlib.util.find_spec("kernport.commands")
    folders = (library.submodule_search_locations or ()) if library else ()
    files = sorted(file.name for folder in folders for file in os.scandir(folder))
    found = [name.removesuffix(".py") for name in files if name.endswith(".py") and name != "__init__.py"]
    commands = {name: f"kernport.commands.{name}" for name in found}
    return commands | {name: f"kernport.cli.{name}" for name in TOOLKIT}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the subcommand that the arguments name; returns the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    parser = argparse.ArgumentParser(
        prog="kernport",
        description="Crypto kernels: what runs here, how fast, and how to package them.",
        epilog="`kernport COMMAND --help` explains a command and gives examples.",
    )
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    known = modules()
    # Only what is needed is imported: a short command should not wait for all the others.
    for name in words[:1] if words[:1] and words[0] in known else known:
        module = importlib.import_module(known[name])
        subparser = subparsers.add_parser(
            module.NAME,
            help=module.HELP,
            description=module.__doc__,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(subparser)
        subparser.set_defaults(run=module.run)
    chosen = parser.parse_args(words)
    try:
        with ended_by_signals():
            code = chosen.run(chosen)
            sys.stdout.flush()
        return int(code)
    except KernportError as error:
        print(f"kernport {chosen.command}: {error}", file=sys.stderr)
        return error.exit_code
    except ModuleNotFoundError as error:
        if error.name == "kernport._cffi":
            print(
                f"kernport {chosen.command}: no extension in this source tree: `kernport build wheel`, "
                "install the wheel, and call it from another folder",
                file=sys.stderr,
            )
            return 3
        if (error.name or "").startswith("kernport"):
            raise
        print(
            f"kernport {chosen.command}: the Python package '{error.name}' is missing; "
            "pip install 'kernport[build]'",
            file=sys.stderr,
        )
        return 3
    except BrokenPipeError:
        # Whoever read our output has seen enough; Python must not complain at its exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Ended as told:
        print(f"kernport {chosen.command}: interrupted by {told}", file=sys.stderr)
        return 128 + told.number


if __name__ == "__main__":
    sys.exit(main())
