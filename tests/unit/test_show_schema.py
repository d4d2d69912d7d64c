"""What `kernport show --json` prints is what its schema says, here and for every recorded machine."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from kernport.build.recipe import load_tree
from kernport.build.target import load_targets
from kernport.cli import main
from kernport.judge import judge

ROOT = Path(__file__).resolve().parents[2]
ROWS: list[dict[str, Any]] = [
    row
    for path in sorted((ROOT / "tests" / "unit" / "recorded_words").glob("*.yaml"))
    for row in yaml.safe_load(path.read_text(encoding="utf-8"))
]
TARGETS = {name: target.variant.name for name, target in load_targets(load_tree(ROOT)).items()}


def show(*arguments: str) -> Any:
    command = [sys.executable, "-P", "-m", "kernport", "show", *arguments]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout)


@pytest.fixture(scope="module")
def check() -> Callable[[Any], None]:
    """Validates by the schema that the installed command prints."""
    schema = show("--schema")
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    return lambda document: validator.validate(document)


def test_this_host(check: Callable[[Any], None]) -> None:
    here = show("--json")
    check(here)
    kernel = here["kernels"][0]
    check(show("--json", "--why-not", f"{kernel['family']}/{kernel['name']}"))


def test_this_host_with_overrides_and_remarks(
    check: Callable[[Any], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    here = show("--json")
    monkeypatch.setenv("KERNPORT_DISABLE", ",".join(each["name"] for each in here["features"]) + ",no-such")
    disabled = show("--json")
    assert disabled["remarks"]
    assert any(each["disabled"] for each in disabled["features"]) == any(
        each["detected"] for each in here["features"]
    )
    check(disabled)


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['architecture']}: {row['machine']}" for row in ROWS])
def test_every_recorded_machine_on_every_target_of_its_architecture(
    row: dict[str, Any],
    check: Callable[[Any], None],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = tmp_path / "words.json"
    words.write_text(json.dumps({"words": row["words"]}), encoding="utf-8")
    targets = [name for name, architecture in TARGETS.items() if architecture == row["architecture"]]
    if not targets:  # big-endian AArch64 has kernels and no target
        targets = [row["architecture"]]
    for target in targets:
        assert main(["show", "--words", str(words), "--target", target, "--json"]) == 0
        document = json.loads(capsys.readouterr().out)
        check(document)
        chosen = {each["family"]: each["name"] for each in document["kernels"] if each["state"] == "chosen"}
        assert chosen == row["chosen"]


def spoilt() -> dict[str, Callable[[dict[str, Any]], object]]:
    """Ways to break a document, each of which the schema must see."""
    return {
        "no words": lambda host: host.pop("words"),
        "no kernels": lambda host: host["kernels"].clear(),
        "an unknown key": lambda host: host.update(more=1),
        "an unknown state": lambda host: host["kernels"][0].update(state="maybe"),
        "no reason": lambda host: host["kernels"][0].update(reason=""),
        "no preferences": lambda host: host["kernels"][0].pop("prefers"),
        "a word as text": lambda host: host["words"].update(word="0x1"),
        "a negative word": lambda host: host["words"].update(word=-1),
        "a word of 65 bits": lambda host: host["words"].update(word=1 << 64),
        "a feature without its word": lambda host: host["features"][0].pop("word"),
        "disabled but not there": lambda host: host["features"][0].update(detected=False, disabled=True),
    }


@pytest.mark.parametrize("fault", spoilt())
def test_the_schema_refuses(check: Callable[[Any], None], fault: str) -> None:
    row = ROWS[0]
    document = json.loads(json.dumps(judge(row["architecture"], row["words"]).as_json()))
    check(document)
    spoilt()[fault](document)
    with pytest.raises(jsonschema.ValidationError):
        check(document)
