"""Whatever subset of its features a machine has: the right kernels are left, and they compute rightly."""

import itertools
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from kernport import host
from kernport.build.recipe import Kernel, load_tree
from kernport.build.target import host_target, load_targets
from kernport.build.toolchain import compiler
from tests.checkasm.test_vectors import rfc_1321, wycheproof
from tests.dispatch.conftest import ROOT, Program

TREE = load_tree(ROOT)
ARCHITECTURE = TREE.architecture(host().architecture)
DETECTED = {feature.name for feature in host().features if feature.detected}
MOST_SUBSETS = 1024
# FAMILY/KERNEL: those that can run, and those that the dispatcher chooses.
Outcome = tuple[frozenset[str], frozenset[str]]


def kernels() -> Iterator[tuple[str, Kernel]]:
    for family in TREE.families:
        for kernel in family.kernels:
            if kernel.runs_on(host().architecture) and DETECTED.issuperset(kernel.requires):
                yield family.name, kernel


def expected(disabled: frozenset[str]) -> Outcome:
    """What should be left, from the recipes alone."""
    usable = {name for name in DETECTED if not ARCHITECTURE.closure([name]) & disabled}
    able: set[str] = set()
    chosen: dict[str, str] = {}
    for family, kernel in kernels():
        if usable.issuperset(kernel.requires):
            able.add(f"{family}/{kernel.name}")
            if usable.issuperset(kernel.prefers):
                chosen.setdefault(family, f"{family}/{kernel.name}")
    return frozenset(able), frozenset(chosen.values())


def subsets() -> list[frozenset[str]]:
    """Every subset of the features that a kernel here asks for or that these build on.

    Where there are too many, the smallest for each different outcome.
    """
    asked = ARCHITECTURE.closure(
        name for _, kernel in kernels() for name in (*kernel.requires, *kernel.prefers)
    )
    names = sorted(asked & DETECTED)
    every = (
        frozenset(subset) for size in range(len(names) + 1) for subset in itertools.combinations(names, size)
    )
    if 2 ** len(names) <= MOST_SUBSETS:
        return list(every)
    different: dict[Outcome, frozenset[str]] = {}
    for subset in every:
        different.setdefault(expected(subset), subset)
    return list(different.values())


@pytest.fixture(scope="module")
def vectors(program: Program) -> Path:
    """tests/vectors/vectors.c with the library of this tree."""
    work = program.path.parent
    targets = load_targets(TREE)
    command = [
        *compiler(targets[host_target(targets)]),
        "-std=c11",
        "-O2",
        f"-I{ROOT / 'native' / 'include'}",
        f"-I{work / 'build' / 'dispatch'}",
    ]
    sources = [str(ROOT / "tests" / "vectors" / "vectors.c"), str(work / "build" / f"lib{TREE.name}.a")]
    path = work / "vectors"
    subprocess.run([*command, *sources, "-o", str(path)], check=True, timeout=300)
    return path


def ran(vectors: Path, cases: str, disabled: frozenset[str]) -> set[str]:
    """The kernels that a program gets that names none; each must have got every case right."""
    result = subprocess.run(
        [str(vectors), "chosen"],
        input=cases,
        env={f"{TREE.name.upper()}_DISABLE": ",".join(sorted(disabled))},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert result.returncode == 0, (disabled, result.stdout, result.stderr)
    rows = [line.split() for line in result.stdout.splitlines()]
    assert all(int(count) > 0 and wrong == "0" for _, count, wrong in rows)
    return {name for name, _, _ in rows}


def test_the_answers_under_every_subset(vectors: Path) -> None:
    cases = "\n".join([*itertools.islice(wycheproof(), 0, None, 4), *rfc_1321()]) + "\n"
    families = {"aes-gcm", "md5", "md5-many"}  # GHASH has no vectors of its own
    tried = subsets()
    assert frozenset() in tried
    assert {expected(subset) for subset in tried} != {expected(frozenset())} or not DETECTED
    for subset in tried:
        _, chosen = expected(subset)
        assert ran(vectors, cases, subset) == {name for name in chosen if name.partition("/")[0] in families}


def test_the_states_of_every_subset(program: Program) -> None:
    for subset in subsets():
        states, remarks = program.report(KERNPORT_DISABLE=",".join(sorted(subset)))
        able, chosen = expected(subset)
        assert {name for name, state in states.items() if state == "chosen"} == chosen
        assert {name for name, state in states.items() if state in ("chosen", "eligible")} == able
        assert remarks == []
