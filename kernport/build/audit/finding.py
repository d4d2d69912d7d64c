"""What an audit says of a file: the facts it read, and the faults it found."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Finding:
    """A fault: the rule it breaks, where in the file, and a sentence that says what would be right."""

    rule: str
    place: str
    message: str


@dataclass
class Audit:
    """The audit of one file. `facts` maps a place in the file ("" for the whole) to what was read there."""

    path: Path
    kind: str
    facts: dict[str, Mapping[str, object]] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def find(self, rule: str, place: str, message: str) -> None:
        """Note a fault."""
        self.findings.append(Finding(rule, place, message))

    def lines(self) -> Iterator[str]:
        """The audit as text: the verdict, then a line a fact, then a line a fault."""
        verdict = f"{len(self.findings)} faults" if len(self.findings) != 1 else "1 fault"
        yield f"{self.path.name}: {self.kind}: {verdict if self.findings else 'clean'}"
        for place, facts in self.facts.items():
            if place:
                yield f"  {place}"
            for name, value in facts.items():
                if value not in ("", (), {}, None):
                    yield f"    {name + ':':<13} {_words(value)}"
        for finding in self.findings:
            place = f"{finding.place}: " if finding.place else ""
            yield f"  error [{finding.rule}]: {place}{finding.message}"

    def as_data(self) -> dict[str, object]:
        """The audit for machines."""
        return {
            "file": str(self.path),
            "kind": self.kind,
            "clean": not self.findings,
            "facts": self.facts,
            "findings": [vars(finding) for finding in self.findings],
        }


def _words(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return "; ".join(f"{key}: {_words(each)}" for key, each in value.items())
    if isinstance(value, list | tuple):
        return " ".join(map(str, value))
    return str(value)
