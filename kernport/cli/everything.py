"""`kernport build all`: every format of some targets in one folder, or the table of what there would be."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kernport.build.everything.collect import Outcome
    from kernport.build.recipe import Tree
    from kernport.build.target import Target


def build_everything(tree: "Tree", targets: "list[Target]", work: Path, arguments: argparse.Namespace) -> int:
    """Build, telling each format of each target as it ends; the exit code is that of the worst failure."""
    from kernport.build.everything.collect import PAGE, collect
    from kernport.build.everything.plan import plan, table
    from kernport.build.everything.signature import Signer

    if arguments.plan:
        cells = plan(tree, targets)
        if arguments.json:
            rows = [
                {
                    "target": each.target.name,
                    "format": each.form,
                    "name": each.name,
                    "reason": each.reason,
                    "note": each.note,
                }
                for each in cells
            ]
            print(json.dumps(rows, indent=2))
        else:
            print(table(tree, cells), end="")
        return 0

    def tell(number: int, total: int, outcome: "Outcome") -> None:
        place = f"[{number}/{total}] {outcome.cell.target.name}: {outcome.cell.form}"
        if outcome.error:
            print(f"{place}: failed: {outcome.error}", file=sys.stderr)
        else:
            names = " ".join(Path(name).name for name in outcome.files)
            print(f"{place}: {names}{' (unchanged)' if outcome.unchanged else ''}", file=sys.stderr)

    out = arguments.out.resolve()
    signer = Signer(arguments.sign) if arguments.sign else None
    outcomes = collect(tree, targets, work, out, arguments.jobs, tell, arguments.verify, signer)
    if arguments.json:
        print(json.dumps([_row(each) for each in outcomes], indent=2))
    print(f"{(out / PAGE).as_uri()}", file=sys.stderr)
    return max((each.code for each in outcomes), default=0)


def _row(outcome: "Outcome") -> dict[str, object]:
    row: dict[str, object] = {"target": outcome.cell.target.name, "format": outcome.cell.form}
    if outcome.cell.reason:
        return row | {"reason": outcome.cell.reason}
    if outcome.error:
        return row | {"error": outcome.error}
    return row | {"files": list(outcome.files), "unchanged": outcome.unchanged}
