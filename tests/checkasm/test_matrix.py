"""Every kernel of every target on every CPU row: it passes, or it is refused for a feature it lacks."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from kernport.build.checkasm.program import HOST, Program
from kernport.build.checkasm.verdict import Verdict, merge_matrix
from kernport.build.recipe import load_tree
from kernport.build.target import load_targets
from kernport.errors import EnvironmentLacks

ROOT = Path(__file__).resolve().parents[2]
TREE = load_tree(ROOT)
TARGETS = load_targets(TREE)


def rows() -> Iterator[object]:
    for target in TARGETS.values():
        for cpu in target.cpus:
            yield pytest.param(
                target.name, cpu, id=f"{target.name}-{cpu}", marks=pytest.mark.xdist_group(target.name)
            )


def run(build: Callable[..., Program], target: str, cpu: str, *arguments: str) -> list[Verdict]:
    try:
        program = build(target)
        verdicts = program.verdicts(cpu, *arguments)
    except (EnvironmentLacks, pytest.skip.Exception) as error:
        merge_matrix(
            ROOT / "build" / "checkasm-matrix.txt", [Verdict(target, cpu, "*", "not run", str(error), 0)]
        )
        pytest.skip(f"{target} on {cpu}: {error}")
    merge_matrix(ROOT / "build" / "checkasm-matrix.txt", verdicts)
    return verdicts


def check(verdicts: list[Verdict], target: str) -> None:
    arch = TARGETS[target].variant.name
    wanted = [
        f"{family.name}/{kernel.name}"
        for family in TREE.families
        for kernel in family.kernels
        if kernel.runs_on(arch)
    ]
    assert [each.kernel for each in verdicts] == wanted, "every kernel of the recipes, in their order"
    assert not [each.reason for each in verdicts if each.state == "failed"]
    for each in verdicts:
        if each.kernel.endswith("/portable"):
            assert each.state == "passed" and each.checks > 1000


@pytest.mark.parametrize(("target", "cpu"), list(rows()))
def test_kernels(build: Callable[..., Program], target: str, cpu: str) -> None:
    check(run(build, target, cpu), target)


@pytest.mark.long
@pytest.mark.parametrize(("target", "cpu"), list(rows()))
def test_kernels_in_full(build: Callable[..., Program], target: str, cpu: str) -> None:
    huge = ["--huge"] if TARGETS[target].cpus[cpu].cpu == HOST else []
    check(run(build, target, cpu, "--full", *huge), target)


@pytest.mark.parametrize("target", [target.name for target in TARGETS.values() if not target.cpus])
def test_targets_that_no_emulator_runs(target: str) -> None:
    """The table says so; test_link.py inspects what is built for them."""
    reason = f"qemu-user runs no {TARGETS[target].os} programs"
    merge_matrix(ROOT / "build" / "checkasm-matrix.txt", [Verdict(target, "-", "*", "not run", reason, 0)])
    assert TARGETS[target].os != "linux"


@pytest.mark.xdist_group("riscv64-linux-musl")
def test_short_vectors_are_refused(build: Callable[..., Program]) -> None:
    """A vector unit of 64-bit registers has no V, whatever cryptography it claims."""
    verdicts = build("riscv64-linux-musl").verdicts("zvk-vlen64")
    needs = {feature.name: feature.needs for feature in TREE.architecture("riscv64").features}

    def wants_vectors(features: Iterable[str]) -> bool:
        return any(name == "v" or wants_vectors(needs[name]) for name in features)

    needy = [
        f"{family.name}/{kernel.name}"
        for family in TREE.families
        for kernel in family.kernels
        if kernel.runs_on("riscv64") and wants_vectors(kernel.requires)
    ]
    assert needy
    states = {each.kernel: each.state for each in verdicts}
    assert all(states[kernel] == "refused" for kernel in needy)
