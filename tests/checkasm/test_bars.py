"""Instruction counts, which no load of the machine changes, and modelled cycles stay below bars.yaml's."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from kernport.build.checkasm.cycles import llvm_tool, loop_text, loops, predicted_cycles, step
from kernport.build.checkasm.instructions import instructions_a_call
from kernport.build.checkasm.program import Program
from kernport.errors import EnvironmentLacks

BARS: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).resolve().parent / "bars.yaml").read_text(encoding="utf-8")
)


def rows(what: str) -> list[Any]:
    return [
        pytest.param(
            bar,
            id="-".join(str(bar.get(key, "")) for key in ("target", "cpu", "kernel", what, "bytes")),
            marks=pytest.mark.xdist_group(bar["target"]),
        )
        for bar in BARS
        if what in bar
    ]


@pytest.mark.parametrize("bar", rows("operation"))
def test_instructions(build: Callable[..., Program], bar: dict[str, Any]) -> None:
    program = build(bar["target"])

    def count(kernel: str) -> int:
        return instructions_a_call(program, bar["cpu"], kernel, bar["operation"], bar["bytes"])

    try:
        own = count(bar["kernel"])
    except EnvironmentLacks as error:
        pytest.skip(f"{bar['target']} on {bar['cpu']}: {error}")
    if "at_most" in bar:
        assert 0 < own <= bar["at_most"] * bar["bytes"]
    else:
        portable = count(f"{bar['kernel'].split('/')[0]}/portable")
        assert 0 < own <= portable * bar.get("share", 1 / bar.get("times", 1))


@pytest.mark.parametrize("bar", rows("loop"))
def test_cycles(build: Callable[..., Program], bar: dict[str, Any]) -> None:
    program = build(bar["target"])
    try:
        analyser, disassembler = llvm_tool("llvm-mca"), llvm_tool("llvm-objdump")
    except EnvironmentLacks as error:
        pytest.skip(str(error))
    (loop,) = (each for each in loops(program) if (each.kernel, each.name) == (bar["kernel"], bar["loop"]))
    found = step(program, bar["cpu"], loop, program.operations(bar["cpu"])[loop.kernel.split("/")[0]])
    assert found is not None, "no operation reaches the loop"
    for model, most in bar["model"].items():
        code = loop_text(disassembler, program, loop)
        cycles = predicted_cycles(analyser, program.tree, program.target, model, code)
        assert cycles is not None and 0 < cycles <= most * found[1], model
