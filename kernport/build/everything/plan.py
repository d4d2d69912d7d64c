"""What artefacts a tree has: a table of targets and formats, with a reason wherever there is none."""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from kernport.build.artefacts import WHEEL
from kernport.build.recipe import Tree
from kernport.build.target import Target


@dataclass(frozen=True)
class Cell:
    """One format for one target: its name there (a wheel's tag, an architecture), or the reason for none.

    `note` is what is to be known of one that there is: why no index takes a wheel.
    """

    form: str
    target: Target
    name: str
    reason: str
    note: str = ""


def formats_of(tree: Tree) -> list[str]:
    """The formats that targets may have, wheels first."""
    return [WHEEL, *(form.name for form in tree.formats)]


def plan(tree: Tree, targets: Sequence[Target]) -> list[Cell]:
    """A cell for each target and format, target by target."""
    return [_cell(form, target) for target in targets for form in formats_of(tree)]


def _cell(form: str, target: Target) -> Cell:
    reason = target.why_no(form)
    name = target.wheel_tag if form == WHEEL else target.packages.get(form, "")
    note = target.wheel_reason if form == WHEEL and not reason else ""
    return Cell(form, target, "" if reason else name, reason, note)


def table(tree: Tree, cells: Sequence[Cell]) -> str:
    """The plan as text: a row a target, a column a format, numbers for reasons and notes, which follow."""
    notes: dict[str, int] = {}
    header = ["target", *formats_of(tree)]
    rows: dict[str, list[str]] = {}
    for cell in cells:
        row = rows.setdefault(cell.target.name, [cell.target.name])
        said = cell.reason or cell.note
        number = f" ({notes.setdefault(said, len(notes) + 1)})" if said else ""
        row.append(f"{cell.name or 'none'}{number}")
    lines = [header, *rows.values()]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    text = "".join(
        "  ".join(word.ljust(width) for word, width in zip(line, widths, strict=True)).rstrip() + "\n"
        for line in lines
    )
    below = "".join(
        textwrap.fill(f"({number}) {note}", 110, subsequent_indent="    ") + "\n"
        for note, number in notes.items()
    )
    return f"{text}\n{below}" if below else text
