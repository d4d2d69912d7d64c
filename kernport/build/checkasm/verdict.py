"""What became of each kernel on each CPU row, and the table of all that was run."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kernport.build.folder import locked


@dataclass(frozen=True)
class Verdict:
    """What became of one kernel ("family/name") on one CPU row: passed, refused, failed or not run."""

    target: str
    cpu: str
    kernel: str
    state: str
    reason: str
    checks: int

    def sentence(self) -> str:
        """The state, and why."""
        return f"{self.state} because {self.reason}" if self.reason else self.state


def matrix_text(verdicts: Sequence[Verdict]) -> str:
    """The table target x CPU row x kernel, one line each, and the kernels that no row could run."""
    header = ("target", "cpu", "kernel", "")
    rows = [(each.target, each.cpu, each.kernel, each.sentence()) for each in verdicts]
    widths = [max(len(row[column]) for row in (header, *rows)) for column in range(3)]
    lines = []
    for row in (header, *rows):
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        lines.append("  ".join((*cells, row[3])).rstrip())
    refused = {each.kernel for each in verdicts if each.state == "refused"}
    unseen = sorted(refused - {each.kernel for each in verdicts if each.state in ("passed", "failed")})
    lines += [f"no row here could run {kernel}" for kernel in unseen]
    return "\n".join(lines) + "\n"


def merge_matrix(path: Path, verdicts: Sequence[Verdict]) -> None:
    """Put verdicts into the file beside those of other targets and CPU rows; whole file or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = path.with_suffix(".json")
    with locked(data):
        known = [Verdict(**row) for row in json.loads(data.read_text())] if data.is_file() else []
        replaced = {(each.target, each.cpu) for each in verdicts}
        merged = [each for each in known if (each.target, each.cpu) not in replaced] + list(verdicts)
        merged.sort(key=lambda each: (each.target, each.cpu))
        for file, text in (
            (data, json.dumps([each.__dict__ for each in merged], indent=1) + "\n"),
            (path, matrix_text(merged)),
        ):
            new = file.with_name(f"{file.name}.{os.getpid()}")
            new.write_text(text, encoding="utf-8")
            new.replace(file)
