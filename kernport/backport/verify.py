"""Prove that a set works where it applies: build what it touches, and run the tests the set names."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kernport.backport import process, zig
from kernport.backport.confine import Confinement
from kernport.backport.plan import Plan, make_plan
from kernport.backport.scratch import Place, Scratch, scratch_of
from kernport.backport.series import PatchSet, Proof, ProofTest
from kernport.backport.source import cache_folder
from kernport.backport.temporary import temporary_folder
from kernport.build.document import nearest
from kernport.errors import EnvironmentLacks, UsageError

_STEP_SECONDS = 3600
_KEPT_LINES = 40


@dataclass(frozen=True)
class Step:
    """A command that was run, and what came of it. `said` is the end of its output."""

    name: str
    command: str
    passed: bool
    exit_code: int
    seconds: float
    said: str
    why: str = ""


@dataclass(frozen=True)
class Verdict:
    """What the tests say of a branch on an architecture, with the set and, where asked for, without.

    `confined` names what kept the commands in the scratch.
    """

    set_name: str
    branch: str
    architecture: str
    state: str
    confined: str
    after: tuple[Step, ...] = ()
    before: tuple[Step, ...] = ()
    from_cache: bool = field(default=False, compare=False)

    @property
    def passed(self) -> bool:
        """Whether everything built, passed, and failed before where the set says it does."""
        return self.state == "passed"

    def as_data(self) -> dict[str, Any]:
        """The verdict for `--json` and for the cache."""
        steps = {
            name: [vars(step) for step in steps]
            for name, steps in (("after", self.after), ("before", self.before))
        }
        return {
            "set": self.set_name,
            "branch": self.branch,
            "architecture": self.architecture,
            "state": self.state,
            "confined": self.confined,
            **steps,
        }


def verify(
    patch_set: PatchSet,
    place: Place,
    architectures: Sequence[str] = (),
    say: Callable[[str], None] = lambda text: None,
    again: bool = False,
) -> list[Verdict]:
    """Run every proof the set has for the branch of `place`, or those of `architectures`.

    Results that passed are kept by content: source, patches, commands, the files these use and the tools.
    Raises UsageError where the set has no such proof, EnvironmentLacks where a tool is missing, or nothing
    can keep the commands in the scratch and the set is not trusted.
    """
    proofs = _asked(patch_set, place, architectures)
    for proof in proofs:
        _refuse_if_lacking(proof)
    with scratch_of(place) as scratch:
        plan = make_plan(patch_set, place, scratch)
        return [_verify(patch_set, plan, scratch, proof, say, again) for proof in proofs]


def _asked(patch_set: PatchSet, place: Place, architectures: Sequence[str]) -> list[Proof]:
    proofs = [proof for proof in patch_set.proofs if place.branch in proof.branches]
    if not proofs:
        having = sorted({branch for proof in patch_set.proofs for branch in proof.branches})
        known = f"it has some for {', '.join(having)}" if having else "its set.yaml has no verify"
        raise UsageError(f"{patch_set.folder}: no proof for {place.branch!r}: {known}")
    for name in architectures:
        if not any(name in (proof.architecture, proof.label) for proof in proofs):
            known = nearest(name, {proof.architecture for proof in proofs})
            raise UsageError(f"{patch_set.folder}: no proof of {place.branch} for {name!r}; {known}")
    return [
        proof
        for proof in proofs
        if not architectures or proof.architecture in architectures or proof.label in architectures
    ]


def _refuse_if_lacking(proof: Proof) -> None:
    for program, package in proof.needs.items():
        if shutil.which(program) is None:
            raise EnvironmentLacks(f"{program} is not installed: install the package {package}")
    if _uses_zig(proof):
        zig.version()


def _verify(
    patch_set: PatchSet,
    plan: Plan,
    scratch: Scratch,
    proof: Proof,
    say: Callable[[str], None],
    again: bool,
) -> Verdict:
    branch, confinement = plan.branch.name, patch_set.confinement
    if plan.stops:
        return Verdict(patch_set.name, branch, proof.label, "does not apply", confinement.name)
    kept = _cache_file(patch_set, proof, scratch.start, plan.tree, confinement)
    if kept.is_file() and not again:
        return _from_data(json.loads(kept.read_text()))
    with temporary_folder("verify") as folder:
        work = folder.resolve()
        scratch.reset(plan.tree)
        scratch.write_out(work / "after" / "tree")
        say(f"{branch} {proof.label}: with the set")
        after = _run_all(patch_set, proof, work / "after", proof.tests, say)
        before: tuple[Step, ...] = ()
        asked = tuple(test for test in proof.tests if test.before is not None)
        if asked and all(step.passed for step in after):
            scratch.reset(scratch.start)
            scratch.write_out(work / "before" / "tree")
            say(f"{branch} {proof.label}: without the set")
            before = _run_all(patch_set, proof, work / "before", asked, say)
    state = _state(proof, after, before)
    verdict = Verdict(patch_set.name, branch, proof.label, state, confinement.name, after, before)
    if verdict.passed:  # a failure may be the machine's, so it is tried again
        kept.parent.mkdir(parents=True, exist_ok=True)
        fresh = kept.with_suffix(f".{os.getpid()}")
        fresh.write_text(json.dumps(verdict.as_data(), indent=1))
        fresh.replace(kept)
    return verdict


def _state(proof: Proof, after: Sequence[Step], before: Sequence[Step]) -> str:
    failed = next((step.name for step in after if not step.passed), None)
    if failed is not None:
        return f"failed: {failed}"
    expected = {test.name: test.before for test in proof.tests}
    built = all(step.passed for step in before if step.name not in expected)
    for name, wanted in expected.items():
        step = next((step for step in before if step.name == name), None)
        passed = built and step is not None and step.passed
        if wanted == "fails" and passed:
            return f"failed: {name} passes without the set too"
        if wanted == "passes" and not passed:
            return f"failed: {name} does not pass without the set"
    return "passed"


def _run_all(
    patch_set: PatchSet, proof: Proof, work: Path, tests: Sequence[ProofTest], say: Callable[[str], None]
) -> tuple[Step, ...]:
    names = _placeholders(patch_set, work)
    environment = _environment(proof, work, names)
    if _uses_zig(proof):
        flags = proof.environment.get("CFLAGS", "")
        values = proof.environment.values()
        compilers = [f"{value} {flags}".strip() for value in values if value.startswith("zig cc ")]
        kept, own = cache_folder() / "zig", Path(environment["ZIG_GLOBAL_CACHE_DIR"])
        zig.fill_cache(own, compilers, kept, patch_set.confinement)
    steps: list[Step] = []
    for number, command in enumerate(proof.build, 1):
        filled = _fill(command, names)
        step = _run(f"build {number}", filled, None, work, environment, patch_set.confinement)
        say(f"  {step.name}: {'done' if step.passed else 'failed'} in {step.seconds:.0f} s: {step.command}")
        steps.append(step)
        if not step.passed:
            return tuple(steps)
    for test in tests:
        filled = _fill(test.run, names)
        step = _run(test.name, filled, test.expect, work, environment, patch_set.confinement)
        say(f"  {step.name}: {'passed' if step.passed else 'failed'} in {step.seconds:.0f} s")
        steps.append(step)
    return tuple(steps)


def _run(
    name: str,
    command: Sequence[str],
    expect: str | None,
    work: Path,
    environment: Mapping[str, str],
    confinement: Confinement,
) -> Step:
    started = time.monotonic()
    try:
        done = process.run(
            confinement.around(command, work),
            work / "tree",
            environment,
            one_output=True,
            timeout=_STEP_SECONDS,
        )
        code, output = done.returncode, done.stdout.decode(errors="replace")
    except subprocess.TimeoutExpired as error:
        code, output = (
            -1,
            f"{(error.output or b'').decode(errors='replace')}\nstopped after {_STEP_SECONDS} s",
        )
    except OSError as error:
        code, output = -1, f"{command[0]}: {error.strerror}"
    missing = expect is not None and re.search(expect, output, re.MULTILINE) is None
    why = f"exit code {code}" if code else f"the output has no {expect!r}" if missing else ""
    said = "\n".join(output.splitlines()[-_KEPT_LINES:]).replace(str(work), "")
    line = shlex.join(command).replace(str(work), "")
    return Step(name, line, not why, code, round(time.monotonic() - started, 1), said, why)


def _placeholders(patch_set: PatchSet, work: Path) -> dict[str, str]:
    return {
        "jobs": str(os.cpu_count() or 1),
        "python": sys.executable,
        "set": str(patch_set.folder.resolve()),
        "work": str(work),
    }


def _fill(command: Sequence[str], names: Mapping[str, str]) -> list[str]:
    return [re.sub(r"\{(\w+)\}", lambda found: names.get(found[1], found[0]), part) for part in command]


def _environment(proof: Proof, work: Path, names: Mapping[str, str]) -> dict[str, str]:
    for name in ("home", "temporary", "programs"):
        (work / name).mkdir()
    zig.write_program(work / "programs" / "zig")
    own = {name: " ".join(_fill([value], names)) for name, value in proof.environment.items()}
    return {
        "PATH": f"{work / 'programs'}:{os.environ.get('PATH', os.defpath)}",
        "HOME": str(work / "home"),
        "TMPDIR": str(work / "temporary"),
        "LC_ALL": "C",
        "ZIG_GLOBAL_CACHE_DIR": str(work / "zig-libraries"),
        # Objects of its own: zig takes a kept one for another tree whose headers differ.
        "ZIG_LOCAL_CACHE_DIR": str(work / "zig"),
        **own,
    }


def _cache_file(patch_set: PatchSet, proof: Proof, start: str, tree: str, confinement: Confinement) -> Path:
    content = hashlib.sha256(repr((patch_set.name, start, tree, proof, confinement)).encode())
    folder = patch_set.folder
    beside = (path for path in folder.rglob("*") if path.name != "set.yaml" and path.suffix != ".patch")
    commands = (*proof.build, *(test.run for test in proof.tests))
    named = (Path(_fill([word], {"set": str(folder)})[0]) for command in commands for word in command)
    for path in sorted({*beside, *(path for path in named if path.is_relative_to(folder))}):
        if path.is_file():
            content.update(f"{path.relative_to(folder)}\0".encode() + path.read_bytes())
    for program in sorted(proof.needs):
        found = shutil.which(program)
        if found:
            status = Path(found).stat()
            content.update(f"{program} {status.st_size} {status.st_mtime_ns}\0".encode())
    if _uses_zig(proof):
        content.update(f"zig {zig.version()}\0".encode())
    return cache_folder() / "proofs" / f"{content.hexdigest()}.json"


def _uses_zig(proof: Proof) -> bool:
    commands = (*proof.build, *(test.run for test in proof.tests), tuple(proof.environment.values()))
    return zig.is_called_by(word for command in commands for word in command)


def _from_data(data: dict[str, Any]) -> Verdict:
    after, before = (tuple(Step(**step) for step in data[name]) for name in ("after", "before"))
    names = (data["set"], data["branch"], data["architecture"], data["state"], data["confined"])
    return Verdict(*names, after, before, from_cache=True)
