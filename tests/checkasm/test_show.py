"""The dispatcher's own account on every CPU row of every target, held against `kernport show --words`."""

import json
import os
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from kernport.build.checkasm.program import Program
from kernport.build.recipe import load_tree
from kernport.build.target import load_targets
from kernport.cli import main
from kernport.errors import EnvironmentLacks

ROOT = Path(__file__).resolve().parents[2]
ROWS = [
    pytest.param(name, cpu, marks=pytest.mark.xdist_group(name))
    for name, target in load_targets(load_tree(ROOT)).items()
    for cpu in target.cpus
]


@dataclass(frozen=True)
class Account:
    """What tests/checkasm/show.c printed; a kernel's words are its state and what is said of it."""

    head: str
    words: dict[str, int]
    features: dict[str, tuple[str, str]]
    kernels: dict[str, tuple[str, str]]
    remarks: tuple[str, ...]


def run(program: Program, cpu: str, *arguments: str) -> str:
    try:
        command = program.command(cpu)
    except EnvironmentLacks as error:
        pytest.skip(str(error))
    clean = {name: value for name, value in os.environ.items() if "_DISABLE" not in name}
    return subprocess.run(
        [*command, *arguments], env=clean, capture_output=True, text=True, check=True, timeout=300
    ).stdout


def account(text: str) -> Account:
    head, *lines = text.splitlines()
    words, features, kernels, remarks = {}, {}, {}, []
    for line in lines:
        kind, _, rest = line.partition(" ")
        name, _, said = rest.partition(" ")
        if kind == "word":
            words[name] = int(said, 16)
        elif kind == "feature":
            state, _, word = said.partition(" ")
            features[name] = (state, word)
        elif kind == "kernel":
            state, _, why = said.partition(": ")
            kernels[name] = (state, why)
        else:
            assert kind == "remark"
            remarks.append(rest)
    return Account(head, words, features, kernels, tuple(remarks))


@pytest.mark.parametrize(("target", "cpu"), ROWS)
def test_what_it_says_is_what_its_words_mean(
    build: Callable[..., Program],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    target: str,
    cpu: str,
) -> None:
    program = build(target, "tests/checkasm/show")
    there = account(run(program, cpu))
    assert there.remarks == ()
    assert there.head.endswith(f" on {program.target.variant.name}")
    recorded = tmp_path / "words.json"
    recorded.write_text(json.dumps({"words": there.words}), encoding="utf-8")

    def show(*arguments: str) -> str:
        assert main(["show", "--target", target, "--words", str(recorded), *arguments]) == 0
        return capsys.readouterr().out

    judged: dict[str, Any] = json.loads(show("--json"))
    assert there.words == judged["words"]
    assert {name: (state != "no", word) for name, (state, word) in there.features.items()} == {
        each["name"]: (each["detected"], each["word"]) for each in judged["features"]
    }
    states = {f"{each['family']}/{each['name']}": each["state"] for each in judged["kernels"]}
    missing = {name for name, state in states.items() if state == "missing"}
    assert {name for name, (state, _) in there.kernels.items() if state == "missing"} == missing
    if any(state == "disabled" for state, _ in there.features.values()):
        # The row takes features away, of which words know nothing.
        assert "disabled" in {state for state, _ in there.kernels.values()}
        return
    assert {name: state for name, (state, _) in there.kernels.items()} == states
    for name in one_of_each_state(there):
        state, why = there.kernels[name]
        sentence = show("--why-not", name).strip()
        assert sentence.startswith(f"{name} is {state}: ")
        assert run(program, cpu, name).strip() == f"kernel {name} {state}" + (f": {why}" if why else "")
        if state == "missing":
            lacking = why.removeprefix("no ")
            assert sentence == f"{name} is missing: this host lacks {lacking}."


def one_of_each_state(there: Account) -> Sequence[str]:
    return list({state: name for name, (state, _) in there.kernels.items()}.values())
