"""Which kernels are slower on this very machine than one that the dispatcher ranks behind them.

The dispatcher's order was made on some machines and may be wrong on another. The rule that finds a loser
is `losers`; what is written is text for dispatch.conf, which can only turn kernels off.
"""

import hashlib
import math
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kernport.bench import Operation, in_turns, operations_in_c
from kernport.cpu import host
from kernport.errors import UsageError
from kernport.report import Host

SIZES = (64, 1350, 16384)  # bytes: a small record, a packet, a full TLS record
ROUNDS = 2
TURNS = 4  # in each round
TURN_SECONDS = 0.001
MARGIN = 0.05
HEAD = "# kernport tune, sha256 of what follows: "


@dataclass(frozen=True)
class Measurement:
    """The nanoseconds a call of one operation at one size: of each kernel, in each round."""

    operation: str
    bytes: int
    ns: dict[str, tuple[float, ...]]


@dataclass(frozen=True)
class Contest:
    """One family: its kernels that could be chosen here, best first as the dispatcher ranks them.

    `costs` has for each kernel and round the geometric mean, over all measurements, of its time in units of
    the fastest kernel's. `losers` stand before the kernel that should run here, `out` says why others were
    not measured.
    """

    family: str
    kernels: tuple[str, ...]
    out: dict[str, str]
    measurements: tuple[Measurement, ...]
    costs: dict[str, tuple[float, ...]]
    losers: tuple[str, ...]

    @property
    def winner(self) -> str:
        """The first kernel that did not lose: what runs here once the losers are disabled."""
        return self.kernels[len(self.losers)]


@dataclass(frozen=True)
class Tuning:
    """All contests of one run on one machine."""

    version: str
    architecture: str
    margin: float
    contests: tuple[Contest, ...]

    def as_json(self) -> dict[str, Any]:
        """The same as dictionaries and lists, ready for the json module."""
        tuning = asdict(self)
        for body, contest in zip(tuning["contests"], self.contests, strict=True):
            body["winner"] = contest.winner
        return tuning

    def fragment(self) -> str:
        """Text for dispatch.conf that disables the losers, with the figures as comments."""
        lines = [
            f"# kernport {self.version} on {self.architecture}. The first kernel runs, in the",
            "# dispatcher's order, that no other beats by more than"
            f" {self.margin:.0%} in each of {ROUNDS} rounds;",
            "# those before it are disabled. Figures: the least nanoseconds a call.",
        ]
        for contest in self.contests:
            lines += ["#", f"# {contest.family}: {contest.winner} runs"]
            lines += [f"#   {name} was not measured: {why}" for name, why in contest.out.items()]
            for each in contest.measurements:
                times = ", ".join(f"{name} {min(ns):.0f}" for name, ns in each.ns.items())
                lines.append(f"#   {each.operation}, {each.bytes} bytes: {times}")
            for name, costs in contest.costs.items():
                times = " and ".join(f"{cost:.2f}" for cost in costs)
                lines.append(f"#   {name}: {times} times the fastest")
            lines += [f"disable-kernel = {contest.family}/{loser}" for loser in contest.losers]
        return "\n".join(lines) + "\n"


def tune(families: Iterable[str] = (), operations: Iterable[Operation] | None = None) -> Tuning:
    """Measure the kernels of the families, or of all, that could be chosen here. Takes about a second.

    `operations` are what is measured, if not all that can be called from C. Raises UsageError for an unknown
    family.
    """
    here = host()
    known = tuple(dict.fromkeys(kernel.family for kernel in here.kernels))
    wanted = tuple(families)
    for name in wanted:
        if name not in known:
            raise UsageError(f"there is no family '{name}' in this build; known: {', '.join(known)}")
    measured = tuple(operations_in_c() if operations is None else operations)
    contests = tuple(
        _contest(here, family, [each for each in measured if each.family == family])
        for family in known
        if not wanted or family in wanted
    )
    return Tuning(here.version, here.architecture, MARGIN, contests)


def losers(ranked: Sequence[str], costs: Mapping[str, Sequence[float]], margin: float) -> tuple[str, ...]:
    """The kernels that stand before the first that no other beats by more than `margin` in every round.

    `ranked` are kernels, best first; `costs` has the time of each in each round, in any unit.
    """

    def beats(one: str, other: str) -> bool:
        return all(
            mine * (1 + margin) < theirs for mine, theirs in zip(costs[one], costs[other], strict=True)
        )

    for number, kernel in enumerate(ranked):
        if not any(beats(other, kernel) for other in ranked):
            return tuple(ranked[:number])
    raise AssertionError("the fastest of a round is beaten by none")


def _contest(here: Host, family: str, operations: Sequence[Operation]) -> Contest:
    able, out = [], {}
    for kernel in here.kernels:
        if kernel.family != family:
            continue
        lacking = [each.name for each in here.features if each.name in kernel.prefers and not each.usable]
        if kernel.state == "chosen" or (kernel.state == "eligible" and not lacking):
            able.append(kernel.name)
        else:
            out[kernel.name] = kernel.reason
    if not able:
        raise UsageError(f"no kernel of {family} passed its self-test: this build must not be used")
    measurements = []
    for operation in operations if len(able) > 1 else ():
        for size in SIZES:
            timers = {name: operation.ours(name, size) for name in able}
            rounds = [in_turns(timers, TURNS, TURN_SECONDS) for _ in range(ROUNDS)]
            times = {name: tuple(each[name] for each in rounds) for name in able}
            measurements.append(Measurement(operation.name, size, times))
    costs = _costs(able, measurements)
    return Contest(
        family, tuple(able), out, tuple(measurements), costs, losers(able, costs, MARGIN) if costs else ()
    )


def _costs(able: Sequence[str], measurements: Sequence[Measurement]) -> dict[str, tuple[float, ...]]:
    if not measurements:
        return {}
    costs: dict[str, list[float]] = {name: [] for name in able}
    for turn in range(ROUNDS):
        for name in able:
            ratios = [
                each.ns[name][turn] / min(times[turn] for times in each.ns.values()) for each in measurements
            ]
            costs[name].append(math.exp(math.fsum(map(math.log, ratios)) / len(ratios)))
    return {name: tuple(values) for name, values in costs.items()}


def check_writable(path: Path) -> None:
    """Raise UsageError if `write` would refuse, or if the kernels that `path` disables are missed here."""
    if not path.parent.is_dir():
        raise UsageError(f"{path}: there is no folder {path.parent}")
    if not path.exists():
        return
    if not path.is_file():
        raise UsageError(f"{path}: not a regular file")
    try:
        head, _, rest = path.read_text(encoding="utf-8").partition("\n")
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: cannot be read, so it is left alone: {error}") from error
    if not head.startswith(HEAD):
        raise UsageError(
            f"{path}: not written by `kernport tune`, so it is left alone; choose another file, or add to it "
            f"what `kernport tune` prints without --out"
        )
    if head.removeprefix(HEAD) != _digest(rest):
        raise UsageError(
            f"{path}: was changed since `kernport tune` wrote it, so it is left alone; move it away first"
        )
    disabled = {f"{kernel.family}/{kernel.name}" for kernel in host().kernels if kernel.state == "disabled"}
    before = {
        line.partition("=")[2].strip() for line in rest.splitlines() if line.startswith("disable-kernel")
    }
    if disabled & before:
        raise UsageError(
            f"{path}: {', '.join(sorted(disabled & before))} cannot be measured while this file disables it; "
            "move the file away first"
        )


def write(tuning: Tuning, path: Path) -> None:
    """Write the fragment whole or not at all. Raises UsageError rather than lose what someone else wrote."""
    path = path.resolve()
    check_writable(path)
    text = tuning.fragment()
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(f"{HEAD}{_digest(text)}\n{text}")
                os.fchmod(file.fileno(), 0o644)  # every process reads it, only its owner writes
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
