"""What artefacts a tree has: a table of targets and formats, with a reason wherever there is none."""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from kernport.build.artefacts import WHEEL
from kernport.build.recipe import Tree
from kernport.build.target import Target


@dataclass(frozen=True)
class Cell:
    """One format for one target: its name there (a wheel's tag, an architecture), or the reason for none."""

    form: str
    target: Target
    name: str
    reason: str


def formats_of(tree: Tree) -> list[str]:
    """The formats that targets may have, wheels first."""
    return [WHEEL, *(form.name for form in tree.formats)]


def plan(tree: Tree, targets: Sequence[Target]) -> list[Cell]:
    """A cell for each target and format, target by target."""
    return [_cell(form, target) for target in targets for form in formats_of(tree)]


def _cell(form: str, target: Target) -> Cell:
    reason = target.why_no(form)
    name = target.wheel_tag if form == WHEEL else target.packages.get(form, "")
    return Cell(form, target, "" if reason else name, reason)


def table(tree: Tree, cells: Sequence[Cell]) -> str:
    """The plan as text: a row a target, a column a format, numbers for reasons, which follow."""
    reasons: dict[str, int] = {}
    header = ["target", *formats_of(tree)]
    rows: dict[str, list[str]] = {}
    for cell in cells:
        row = rows.setdefault(cell.target.name, [cell.target.name])
        if cell.reason:
            row.append(f"none ({reasons.setdefault(cell.reason, len(reasons) + 1)})")
        else:
            row.append(cell.name)
    lines = [header, *rows.values()]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    text = "".join(
        "  ".join(word.ljust(width) for word, width in zip(line, widths, strict=True)).rstrip() + "\n"
        for line in lines
    )
    notes = "".join(
        textwrap.fill(f"({number}) {reason}", 110, subsequent_indent="    ") + "\n"
        for reason, number in reasons.items()
    )
    return f"{text}\n{notes}" if notes else text
