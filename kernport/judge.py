"""What the dispatcher would choose on another machine, from the words recorded there.

The tables are those of the dispatcher itself, for every target (dispatch.json, made from the
recipes). Self-tests and overrides cannot be known from words, so none is assumed to fail or to be
there.
"""

import functools
import json
from importlib.resources import files
from typing import Any

from kernport.errors import UsageError
from kernport.report import Feature, Host, Kernel, reason


@functools.cache
def _tables() -> dict[str, Any]:
    tables: dict[str, Any] = json.loads((files("kernport") / "dispatch.json").read_text(encoding="utf-8"))
    return tables


def architecture_of(target: str) -> str:
    """The architecture of a target or of itself. Raises UsageError that lists the targets."""
    if target in _tables()["architectures"]:
        return target
    if target not in _tables()["targets"]:
        raise UsageError(f"unknown target '{target}'; known: {', '.join(_tables()['targets'])}")
    return str(_tables()["targets"][target])


def judge(arch: str, words: dict[str, int], version: str = "") -> Host:
    """Describe the machine of that architecture on which `words` were read; a word not given is 0.

    Raises UsageError for a word that the architecture does not have.
    """
    table = _tables()["architectures"][arch]
    for name in words:
        if name not in table["words"]:
            raise UsageError(f"{arch} has no word '{name}'; known: {', '.join(table['words'])}")
    found: dict[str, bool] = {}
    for feature in table["features"]:
        value = words.get(feature["word"], 0)
        found[feature["name"]] = _passes(feature, value) and all(found[needed] for needed in feature["needs"])
    features = {
        each["name"]: Feature(each["name"], each["word"], found[each["name"]], disabled=False)
        for each in table["features"]
    }
    kernels: list[Kernel] = []
    served: set[str] = set()
    for kernel in table["kernels"]:
        required = [feature for name, feature in features.items() if name in kernel["requires"]]
        preferred = [feature for name, feature in features.items() if name in kernel["prefers"]]
        if not all(feature.detected for feature in required):
            state = "missing"
        elif kernel["family"] in served or not all(feature.detected for feature in preferred):
            state = "eligible"
        else:
            state = "chosen"
            served.add(kernel["family"])
        kernels.append(
            Kernel(
                family=kernel["family"],
                name=kernel["name"],
                state=state,
                requires=tuple(feature.name for feature in required),
                prefers=tuple(feature.name for feature in preferred),
                reason=reason(state, required, preferred),
            )
        )
    every_word = {name: words.get(name, 0) for name in table["words"]}
    return Host(version, arch, every_word, tuple(features.values()), tuple(kernels), ())


def _passes(feature: dict[str, Any], value: int) -> bool:
    test, operand = feature["test"], feature["operand"]
    match test:
        case "bit":
            return bool(value >> operand & 1)
        case "all_of":
            return bool(value & operand == operand)
        case "any_of":
            return bool(value & operand != 0)
        case "none_of":
            return bool(value & operand == 0)
        case "at_least":
            return bool(value >= operand)
        case "equals":
            return bool(value == operand)
        case "no_model":
            return value & operand not in feature["values"]
    raise AssertionError(f"the tables have an unknown test '{test}'")
