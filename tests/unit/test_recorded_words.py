"""Words recorded on many machines lead to the features that these have, and to the right kernels.

recorded_words/ARCHITECTURE.yaml holds the rows. What a row expects was written from what the vendor or
the source says of the machine; `lie` names how its words mislead, if they do (docs/dispatch.md).
"""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from kernport.judge import judge

Row = dict[str, Any]
Tables = Callable[[str], Path]

HERE = Path(__file__).resolve().parent
DISPATCH_PAGE = HERE.parents[1] / "docs" / "dispatch.md"
ROWS: list[Row] = [
    row
    for path in sorted((HERE / "recorded_words").glob("*.yaml"))
    for row in yaml.safe_load(path.read_text(encoding="utf-8"))
]
every_row = pytest.mark.parametrize(
    "row", ROWS, ids=[f"{row['architecture']}: {row['machine']}" for row in ROWS]
)


@every_row
def test_features(row: Row) -> None:
    found = judge(row["architecture"], row["words"]).features
    assert {feature.name for feature in found if feature.detected} == set(row["features"])


@every_row
def test_choice(row: Row) -> None:
    kernels = judge(row["architecture"], row["words"]).kernels
    assert {kernel.family: kernel.name for kernel in kernels if kernel.state == "chosen"} == row["chosen"]


@every_row
def test_the_library_says_the_same(row: Row, feature_tables: Tables) -> None:
    program = feature_tables(row["architecture"])
    words = [f"{name}={value}" for name, value in row["words"].items()]
    result = subprocess.run([str(program), *words], capture_output=True, text=True, check=True, timeout=30)
    assert set(result.stdout.split()) == set(row["features"])


def test_the_program_refuses_a_word_that_it_does_not_know(feature_tables: Tables) -> None:
    result = subprocess.run(
        [str(feature_tables("s390x")), "xcr0=7"], capture_output=True, timeout=30, check=False
    )
    assert result.returncode == 2


def test_each_row_is_there_once_and_says_where_it_is_from() -> None:
    names = [(row["architecture"], row["machine"]) for row in ROWS]
    assert len(set(names)) == len(names)
    for row in ROWS:
        assert row["source"].strip(), row["machine"]
    recorded = [row for row in ROWS if not row["source"].startswith("composed")]
    assert len(recorded) >= 60


@every_row
def test_the_page_shows_what_each_row_expects(row: Row) -> None:
    chosen = [row["chosen"][family] for family in ("aes-gcm", "ghash", "md5", "md5-many")]
    line = f"| {row['machine']} | {row.get('lie', '')} | {' | '.join(chosen)} |"
    assert line in DISPATCH_PAGE.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("lie", sorted({row["lie"] for row in ROWS if "lie" in row}))
def test_the_page_says_how_each_lie_is_caught(lie: str) -> None:
    assert f"- `{lie}`: " in DISPATCH_PAGE.read_text(encoding="utf-8")


def test_the_example_on_the_page_is_answered(tmp_path: Path) -> None:
    block = re.search(
        r"^```json\n(.*?)^```$", DISPATCH_PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    assert block is not None
    example = json.loads(block[1])
    row = next(row for row in ROWS if {n: f"{v:#x}" for n, v in row["words"].items()} == example["words"])
    recorded = tmp_path / "words.json"
    recorded.write_text(block[1], encoding="utf-8")
    command = [sys.executable, "-P", "-m", "kernport", "show", "--words", str(recorded), "--json"]
    answer = json.loads(
        subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    )
    assert {k["family"]: k["name"] for k in answer["kernels"] if k["state"] == "chosen"} == row["chosen"]
