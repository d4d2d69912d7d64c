"""checkasm itself: every deliberately wrong kernel is caught, and named by its sentence."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from kernport.build.checkasm.program import Program
from kernport.build.recipe import load_tree
from kernport.build.target import host_target, load_targets
from kernport.errors import EnvironmentLacks

HERE = Path(__file__).resolve().parent
FAULTS = "tests/checkasm/faults/checkasm-faults"
TARGETS = load_targets(load_tree(HERE.parents[1]))
EXPECTED: dict[str, dict[str, Any]] = yaml.safe_load((HERE / "faults" / "expected.yaml").read_text())
ROWS = [
    (target, cpu)
    for target, cpu in (
        ("x86_64-linux-gnu", "native"),
        ("x86_64-linux-musl", "haswell"),
        ("aarch64-linux-musl", "max"),
        ("aarch64_be-linux-musl", "max"),
        ("powerpc64le-linux-musl", "power9"),
        ("powerpc64-linux-musl", "power8"),
        ("powerpc64-linux-gnu-elfv1", "power8"),
        ("powerpc-linux-musl", "g4"),
        ("powerpc-linux-gnu", "power8"),
        ("riscv64-linux-musl", "zvk-vlen256"),
        ("s390x-linux-musl", "max"),
    )
]


def params() -> list[Any]:
    return [
        pytest.param(target, cpu, id=f"{target}-{cpu}", marks=pytest.mark.xdist_group(target))
        for target, cpu in ROWS
    ]


@pytest.mark.parametrize(("target", "cpu"), params())
def test_every_fault_is_caught(build: Callable[..., Program], target: str, cpu: str) -> None:
    try:
        verdicts = build(target, FAULTS).verdicts(cpu, "--patience", "5")
    except EnvironmentLacks as error:
        pytest.skip(f"{target} on {cpu}: {error}")
    arch = TARGETS[target].variant.name
    wanted = {kernel for kernel, fault in EXPECTED.items() if arch in fault.get("arch", [arch])}
    seen = {each.kernel: each for each in verdicts}
    assert wanted <= set(seen)
    for kernel in sorted(wanted):
        verdict, fault = seen[kernel], EXPECTED[kernel]
        if verdict.state == "refused":
            assert "is missing" in verdict.reason or "are missing" in verdict.reason
        elif fault.get("secrets"):
            # Only its timing is wrong; the compiler may keep text of the C it is made of on the stack.
            assert verdict.state == "passed" or "on the stack" in verdict.reason
        else:
            assert verdict.state == "failed", kernel
            assert verdict.reason.startswith(kernel + ": ")
            assert fault["sentence"] in verdict.reason
    unnamed = set(seen) - set(EXPECTED)
    assert unnamed == {
        "aes-gcm/right",
        "ghash/right",
        "md5/right",
        "md5-many/right",
        "md5/needs-every-feature",
    }
    assert all(seen[kernel].state == "passed" for kernel in unnamed if kernel.endswith("/right"))


def test_a_missing_feature_is_a_refusal(build: Callable[..., Program]) -> None:
    """The kernel would stop at an illegal instruction if it were called."""
    try:
        verdicts = build("x86_64-linux-musl", FAULTS).verdicts(
            "no-aes", "--kernel", "md5/needs-every-feature"
        )
    except EnvironmentLacks as error:
        pytest.skip(str(error))
    assert [each.state for each in verdicts] == ["refused"]
    assert "aes" in verdicts[0].reason


def under_valgrind(program: Program, *arguments: str) -> dict[str, str]:
    """What each kernel of the program comes to when its secrets are undefined: "passed" or the reason."""
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        pytest.skip("valgrind is missing; apt-get install valgrind")
    process = subprocess.run(
        [valgrind, "-q", "--error-exitcode=0", str(program.path), "--secrets", *arguments],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        timeout=900,
    )
    assert process.returncode in (0, 1), process.stderr[-2000:]
    lines = [line.split(": ", 1) for line in process.stdout.splitlines() if ": " in line]
    return {line[0]: line[1] for line in lines}


@pytest.fixture
def native(build: Callable[..., Program]) -> Callable[[str], Program]:
    """Programs that this machine runs itself."""
    name = host_target(TARGETS)
    if TARGETS[name].variant.name != "x86_64":
        pytest.skip(f"valgrind's checks were written on x86-64; this machine is {name}")
    return lambda program: build(name, program)


def test_kernels_are_constant_time(native: Callable[[str], Program]) -> None:
    states = under_valgrind(native("tests/checkasm/checkasm"))
    assert all(text.startswith(("passed", "refused")) for text in states.values()), states
    portable = {kernel for kernel in states if kernel.endswith("/portable")}
    assert portable == {"aes-gcm/portable", "ghash/portable", "md5/portable", "md5-many/portable"}
    assert all(states[kernel].startswith("passed") for kernel in portable)


@pytest.mark.parametrize("kernel", [kernel for kernel, fault in EXPECTED.items() if fault.get("secrets")])
def test_dependence_on_secrets_is_caught(native: Callable[[str], Program], kernel: str) -> None:
    states = under_valgrind(native(FAULTS), "--kernel", kernel)
    assert "a branch or an address depends on a secret" in states[kernel]


def test_right_kernel_is_not_blamed(native: Callable[[str], Program]) -> None:
    states = under_valgrind(native(FAULTS), "--kernel", "aes-gcm/right")
    assert states["aes-gcm/right"].startswith("passed")


def test_known_answers_are_those_of_other_implementations() -> None:
    process = subprocess.run(
        [sys.executable, str(HERE / "families" / "known_answers.py")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert process.stdout == (HERE / "families" / "known_answers.c").read_text()
