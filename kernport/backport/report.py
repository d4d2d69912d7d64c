"""A plan as a table for people and as data for programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from kernport.backport.history import Commit
from kernport.backport.plan import Outcome, Plan
from kernport.backport.verify import Verdict
from kernport.cli.table import table


def plans_as_text(plans: Sequence[Plan], verdicts: Iterable[Verdict] = ()) -> str:
    """A line for each patch and branch, then what has to be known about those that are not simply clean."""
    proved: dict[tuple[str, str], list[str]] = {}
    for verdict in verdicts:
        proof = f"{verdict.architecture} {verdict.state}"
        proved.setdefault((verdict.set_name, verdict.branch), []).append(proof)
    parts = []
    for name in dict.fromkeys(plan.set_name for plan in plans):
        headings = ["patch", "branch", "class", "why"] + (["proof"] if proved else [])
        rows: list[list[str]] = []
        for plan in plans:
            for outcome in plan.outcomes if plan.set_name == name else ():
                row = [outcome.patch.name, outcome.branch, str(outcome.verdict), outcome.reason]
                proofs = proved.get((name, outcome.branch), ["not run"])
                rows.append(row + ([", ".join(proofs)] if proved else []))
        parts.append(f"{name}\n{table(headings, rows)}")
    parts += [text for plan in plans for outcome in plan.outcomes if (text := _details(outcome))]
    return "\n\n".join(parts)


def plans_as_data(plans: Sequence[Plan], verdicts: Iterable[Verdict] = ()) -> dict[str, Any]:
    """The same for `--json`."""
    return {
        "applies": not any(plan.stops for plan in plans),
        "outcomes": [
            {"set": plan.set_name, **_as_data(outcome)} for plan in plans for outcome in plan.outcomes
        ],
        "proofs": [verdict.as_data() for verdict in verdicts],
    }


def steps_as_text(verdict: Verdict) -> str:
    """Every command of a proof and what came of it, with the end of what a failed one said."""
    rows = [
        [when, step.name, "passed" if step.passed else "failed", f"{step.seconds:.0f} s", step.why]
        for when, steps in (("with the set", verdict.after), ("without", verdict.before))
        for step in steps
    ]
    parts = [
        f"{verdict.branch} {verdict.architecture}: {verdict.state} ({verdict.confined}"
        + (", kept)" if verdict.from_cache else ")")
    ]
    parts += [table(["when", "step", "result", "time", "why"], rows)] if rows else []
    parts += [f"{step.name}: {step.command}\n{step.said}" for step in verdict.after if not step.passed]
    return "\n".join(parts)


def _details(outcome: Outcome) -> str:
    lines = [f"note: {note}" for note in outcome.notes]
    for found in outcome.conflicts:
        lines.append(
            f"{found.path}: hunk for line {found.wanted_line}, nearest to line {found.found_line} here:"
        )
        lines += [f"    {line}" for line in found.lines()]
    for commit in outcome.prerequisites:
        lines.append(f"first: {_commit(commit)}")
    for unknown in outcome.unknown:
        offer = unknown.encoding or "no encoding: its operands come from elsewhere"
        lines.append(f"{unknown.path}: {unknown.statement}    {offer}")
    if not lines:
        return ""
    return "\n".join([f"{outcome.patch.name} on {outcome.branch}:", *(f"  {line}" for line in lines)])


def _commit(commit: Commit | str) -> str:
    if isinstance(commit, str):
        return commit
    return f"{commit.short} {commit.date:%Y-%m-%d} {commit.subject}"


def _as_data(outcome: Outcome) -> dict[str, Any]:
    return {
        "patch": outcome.patch.name,
        "form": outcome.form.name,
        "branch": outcome.branch,
        "class": str(outcome.verdict),
        "reason": outcome.reason,
        "applies": outcome.applies,
        "stops": outcome.stops,
        "notes": list(outcome.notes),
        "conflicts": [
            {
                "path": each.path,
                "wanted_line": each.wanted_line,
                "found_line": each.found_line,
                "lines": each.lines(),
            }
            for each in outcome.conflicts
        ],
        "prerequisites": [
            {"commit": each} if isinstance(each, str) else {"commit": each.name, "subject": each.subject}
            for each in outcome.prerequisites
        ],
        "unknown_instructions": [
            {"path": each.path, "word": each.word, "statement": each.statement, "encoding": each.encoding}
            for each in outcome.unknown
        ],
    }
