"""Carry patch sets to stable branches, with proof that they work there.

examples:
  kernport backport check patches/openssl-power-elfv2 patches/kernport-power-old-assembler
  kernport backport check SET --repository ~/src --onto stable/13 --source main --json
  kernport backport apply SET --repository ~/src --onto stable/13
  kernport backport apply SET --onto openssl-1.1.1=~/openssl-1.1.1w
  kernport backport verify SET --onto openssl-1.1.1
  kernport backport export SET quilt --out debian/patches
  kernport backport import git ~/src --commit 1a2b3c4 --name my-fix --out patches/my-fix
  kernport backport pending ~/src --source main --stable 'stable/*'
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from kernport.backport.formats import NAMES as FORMATS

if TYPE_CHECKING:
    from kernport.backport.scratch import Place
    from kernport.backport.series import PatchSet

NAME = "backport"
HELP = "carry patch sets to stable branches, with proof"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the subcommand's arguments."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)

    def declare(name: str, what: str, codes: str) -> argparse.ArgumentParser:
        says = f"Exit codes: {codes}, 2 wrong use, 3 a tool is missing."
        return actions.add_parser(name, help=what, description=f"{what[0].upper()}{what[1:]}.", epilog=says)

    _declare_check(
        declare("check", "say what becomes of each patch on each branch", "0 the sets apply, 1 they do not")
    )
    _declare_apply(
        declare(
            "apply",
            "put a set on a branch or into a tree, whole or not at all",
            "0 done or already there, 1 it does not apply and nothing was changed",
        )
    )
    _declare_verify(
        declare(
            "verify",
            "build and test the set on each branch and architecture",
            "0 every proof passed, 1 one did not",
        )
    )
    export = declare("export", "write a set in a packager's form", "0 written, 1 it does not apply there")
    export.add_argument("set", metavar="SET", type=Path, help="a folder with set.yaml")
    export.add_argument("format", choices=FORMATS)
    export.add_argument("--branch", help="the branch of the set to write it for")
    export.add_argument(
        "--onto",
        metavar="[NAME=]WHERE",
        help="the branch or tree to write it for, as for check: what is there already is left out",
    )
    export.add_argument("--repository", type=Path, help="the git repository of that branch")
    export.add_argument("--out", type=Path, required=True, help="the folder to make")
    export.add_argument("--json", action="store_true", help="write JSON")
    take = declare("import", "make a set of patches in a packager's form, or of commits", "0 written")
    take.add_argument("format", choices=(*FORMATS, "git"))
    take.add_argument("path", type=Path, help="the folder, file or repository")
    take.add_argument(
        "--commit", action="append", default=[], metavar="COMMIT", help="a commit, or a range A..B"
    )
    take.add_argument("--author", metavar="'NAME <ADDRESS>'", help="who wrote patches that do not say so")
    take.add_argument("--name", required=True, help="the name of the set")
    take.add_argument("--out", type=Path, required=True, help="the folder to make")
    take.add_argument("--json", action="store_true", help="write JSON")
    due = declare(
        "pending", "list commits whose 'MFC after' is over and that no stable branch has", "0 listed"
    )
    due.add_argument("repository", type=Path, help="a git repository")
    due.add_argument("--source", default="main", help="the branch that is merged from (default: main)")
    due.add_argument(
        "--stable", action="append", metavar="PATTERN", help="stable branches (default: stable/*)"
    )
    due.add_argument(
        "--now", type=_day, metavar="DAY", help="the day to ask for, as 2026-01-31 (default: today)"
    )
    due.add_argument("--json", action="store_true", help="write JSON")


def run(arguments: argparse.Namespace) -> int:
    """Do what the action says."""
    from kernport.backport.temporary import remove_all

    actions = {
        "check": _check,
        "apply": _apply,
        "verify": _verify,
        "export": _export,
        "import": _import,
        "pending": _pending,
    }
    try:
        return actions[arguments.action](arguments)
    finally:
        remove_all()


def _declare_place(
    parser: argparse.ArgumentParser, default: str = "default: every branch of the set that has a source"
) -> None:
    parser.add_argument("sets", metavar="SET", nargs="+", type=Path, help="a folder with set.yaml")
    parser.add_argument(
        "--onto",
        action="append",
        default=[],
        metavar="[NAME=]WHERE",
        help="a git branch, a source directory, a tarball, a .dsc, or a branch of the set that has a source; "
        f"NAME is what the set calls it ({default})",
    )
    parser.add_argument("--repository", type=Path, help="the git repository of the branches")
    parser.add_argument(
        "--unconfined",
        action="store_true",
        help="trust the set: run its commands without bubblewrap, which keeps them in a scratch",
    )
    parser.add_argument("--json", action="store_true", help="write JSON")


def _declare_check(parser: argparse.ArgumentParser) -> None:
    _declare_place(parser)
    _declare_source(parser)


def _declare_source(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--source", help="the branch the patches come from, to find what is missing before them"
    )
    parser.add_argument("--reverted-too", action="store_true", help="try patches that have been reverted")


def _declare_apply(parser: argparse.ArgumentParser) -> None:
    _declare_place(parser, "exactly one")
    _declare_source(parser)
    parser.add_argument(
        "--as", dest="new_branch", metavar="BRANCH", help="make this branch and leave the other"
    )
    parser.add_argument("--out", type=Path, help="write the patched tree to this new directory")


def _declare_verify(parser: argparse.ArgumentParser) -> None:
    _declare_place(parser)
    parser.add_argument("--architecture", action="append", default=[], help="only this one; may be repeated")
    parser.add_argument("--again", action="store_true", help="do not take results from the cache")


def _day(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text).replace(tzinfo=UTC)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no day: write it as 2026-01-31") from error


def _check(arguments: argparse.Namespace) -> int:
    from kernport.backport.plan import check
    from kernport.backport.report import plans_as_data, plans_as_text

    plans = []
    for patch_set, where in _asked(arguments):
        with _place(patch_set, where, arguments) as place:
            plans.append(check(patch_set, place, arguments.source, arguments.reverted_too))
    print(json.dumps(plans_as_data(plans), indent=1) if arguments.json else plans_as_text(plans))
    return int(any(plan.stops for plan in plans))


def _apply(arguments: argparse.Namespace) -> int:
    from kernport.backport.apply import apply_to_branch, apply_to_tree
    from kernport.backport.report import plans_as_data, plans_as_text
    from kernport.errors import UsageError

    asked = _asked(arguments)
    if len(asked) != 1:
        raise UsageError(
            "apply needs one set and exactly one --onto: say which branch or tree is to be changed"
        )
    patch_set, where = asked[0]
    with _place(patch_set, where, arguments) as place:
        if place.repository is not None:
            if arguments.out is not None:
                raise UsageError("--out is for source trees; for a new branch say --as")
            done = apply_to_branch(
                patch_set, place, arguments.new_branch, arguments.source, arguments.reverted_too
            )
        else:
            if arguments.out is None and not Path(_split(patch_set, where)[1]).expanduser().is_dir():
                raise UsageError(
                    f"{where} is not a directory to change in place: say with --out where to write"
                )
            done = apply_to_tree(patch_set, place, arguments.out)
    if arguments.json:
        data = {
            "commit": done.commit,
            "tree": str(done.tree) if done.tree else None,
            **plans_as_data([done.plan]),
        }
        print(json.dumps(data, indent=1))
        return 0
    print(plans_as_text([done.plan]))
    what = (
        f"now at {done.commit[:12]}"
        if done.commit
        else f"patched: {done.tree}"
        if done.tree
        else "nothing to do"
    )
    print(f"\n{arguments.new_branch or where}: {what}")
    return 0


def _verify(arguments: argparse.Namespace) -> int:
    from kernport.backport.plan import check
    from kernport.backport.report import plans_as_data, plans_as_text, steps_as_text
    from kernport.backport.verify import verify

    def say(text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    plans, verdicts = [], []
    for patch_set, where in _asked(arguments):
        if not arguments.onto and not any(where in proof.branches for proof in patch_set.proofs):
            say(f"{where}: {patch_set.name} has no proof for it")
            continue
        with _place(patch_set, where, arguments) as place:
            plans.append(check(patch_set, place))
            verdicts += verify(patch_set, place, arguments.architecture, say, arguments.again)
    if arguments.json:
        print(json.dumps(plans_as_data(plans, verdicts), indent=1))
    else:
        print("\n\n".join([plans_as_text(plans, verdicts), *map(steps_as_text, verdicts)]))
    return int(not verdicts or not all(verdict.passed for verdict in verdicts))


def _export(arguments: argparse.Namespace) -> int:
    from kernport.backport.export import export_set
    from kernport.backport.plan import check
    from kernport.backport.series import load_set
    from kernport.errors import AnswerNo, UsageError

    if arguments.onto is not None and arguments.branch is not None:
        raise UsageError("--branch and --onto both say what it is for: say one of them")
    if arguments.onto is None and arguments.repository is not None:
        raise UsageError("--repository needs --onto: say which of its branches it is for")
    patch_set = load_set(arguments.set)
    branch, chosen = arguments.branch, None
    if branch is not None:
        patch_set.known_branch(branch)
    if arguments.onto is not None:
        with _place(patch_set, arguments.onto, arguments) as place:
            plan = check(patch_set, place)
        branch = place.branch
        chosen = [outcome.patch.name for outcome in plan.outcomes if outcome.applies]
        if plan.stops or not chosen:
            why = "a patch does not apply there" if plan.stops else "nothing is left to do there"
            raise AnswerNo(f"{arguments.onto}: {why}: see `kernport backport check`; nothing was written")
    names = export_set(patch_set, arguments.format, arguments.out, branch, chosen)
    if arguments.json:
        print(json.dumps({"out": str(arguments.out), "branch": branch, "files": names}, indent=1))
    else:
        print(f"{arguments.out}: {', '.join(names)}")
    return 0


def _import(arguments: argparse.Namespace) -> int:
    from kernport.backport.export import import_commits, import_set
    from kernport.errors import UsageError

    if arguments.format == "git":
        if not arguments.commit:
            raise UsageError("import git needs --commit, once for each commit or range")
        patch_set = import_commits(arguments.path, arguments.commit, arguments.name, arguments.out)
    else:
        patch_set = import_set(
            arguments.format, arguments.path, arguments.name, arguments.out, arguments.author
        )
    if arguments.json:
        patches = [patch.name for patch in patch_set.patches]
        print(json.dumps({"out": str(arguments.out), "patches": patches}, indent=1))
    else:
        print(f"{arguments.out}: {len(patch_set.patches)} patches")
    return 0


def _pending(arguments: argparse.Namespace) -> int:
    from kernport.backport.pending import pending
    from kernport.cli.table import table

    now = arguments.now or datetime.now(UTC)
    found = pending(arguments.repository, arguments.source, arguments.stable or ["stable/*"], now)
    if arguments.json:
        rows = [
            {
                "commit": each.commit.name,
                "subject": each.commit.subject,
                "author": each.commit.author,
                "due": each.due.date().isoformat(),
                "together_with": [other.name for other in each.followups],
            }
            for each in found.due
        ]
        print(json.dumps({"due": rows, "unreadable": [each.name for each in found.unreadable]}, indent=1))
        return 0
    cells = [
        [
            each.commit.short,
            f"{each.due:%Y-%m-%d}",
            each.commit.author,
            each.commit.subject,
            " ".join(other.short for other in each.followups),
        ]
        for each in found.due
    ]
    print(table(["commit", "due", "author", "subject", "with"], cells) if cells else "nothing is due")
    for commit in found.unreadable:
        print(
            f"{commit.short}: cannot read 'MFC after: {commit.trailers.after}' ({commit.subject})",
            file=sys.stderr,
        )
    return 0


def _asked(arguments: argparse.Namespace) -> list[tuple[PatchSet, str]]:
    """Every set with every place it is asked for, by default those of its branches that have a source."""
    from kernport.backport.series import load_set
    from kernport.errors import UsageError

    words = {"--source": "source", "--reverted-too": "reverted_too", "--as": "new_branch"}
    for word, name in words.items():
        if arguments.repository is None and getattr(arguments, name, None):
            raise UsageError(f"{word} is about git branches: say with --repository where they are")
    asked = []
    for folder in arguments.sets:
        patch_set = replace(load_set(folder), trusted=arguments.unconfined)
        known = [name for name, branch in patch_set.branches.items() if branch.source is not None]
        if not arguments.onto and not known:
            raise UsageError(f"{folder}: no branch of the set has a source: say with --onto where to look")
        asked += [(patch_set, where) for where in arguments.onto or known]
    return asked


@contextmanager
def _place(patch_set: PatchSet, where: str, arguments: argparse.Namespace) -> Iterator[Place]:
    """The place that a word after --onto means; an archive is unpacked for as long as it is used."""
    from kernport.backport.scratch import Place
    from kernport.backport.source import from_debian, unpack
    from kernport.backport.temporary import temporary_folder
    from kernport.errors import UsageError

    named, what = _split(patch_set, where)
    name = named or what
    if arguments.repository is not None:
        yield Place(name, repository=arguments.repository, reference=what)
        return
    path = Path(what).expanduser()
    if path.exists():
        with temporary_folder("source") as folder:
            yield Place(named or _branch_of(patch_set, path), tree=unpack(path, folder))
        return
    branch = patch_set.branches.get(what)
    if branch is not None and branch.source is not None:
        yield Place(name, tree=from_debian(branch.source))
        return
    raise UsageError(
        f"{what}: neither a file or directory nor a branch of the set with a source; "
        "for a git branch say also --repository"
    )


def _split(patch_set: PatchSet, where: str) -> tuple[str, str]:
    """NAME, empty where there is none, and WHERE of a word after --onto."""
    named, equals, what = where.partition("=")
    if not equals or (named not in patch_set.branches and Path(where).expanduser().exists()):
        return "", where  # a path may have the sign in it, too
    patch_set.known_branch(named)
    return named, what


def _branch_of(patch_set: PatchSet, path: Path) -> str:
    """The branch of the set whose version stands in the path's name; the name itself if none does."""
    written = path.resolve().name.replace("_", "-")
    fitting = [name for name, branch in patch_set.branches.items() if f"-{branch.base}" in written]
    if len(fitting) > 1:  # of several at one version, the one that is that package
        fitting = [name for name in fitting if patch_set.branches[name].source is not None]
    return fitting[0] if len(fitting) == 1 else path.resolve().name
