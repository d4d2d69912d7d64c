"""The shape of what kernport bench reports; no test asserts a time."""

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

COLUMNS = [
    *("operation", "level", "bytes", "kernel", "ns", "gb_per_s", "of_limit", "peer", "peer_ns", "ratio"),
]


def bench(*arguments: str, code: int = 0) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-P", "-m", "kernport", "bench", *arguments]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == code, result.stderr
    return result


def test_json() -> None:
    from kernport import host
    from kernport.bench import operations

    report: dict[str, Any] = json.loads(bench("--size", "64", "--size", "0", "--json").stdout)
    rows = report["rows"]
    assert all(list(row) == COLUMNS for row in rows)
    able = {
        (kernel.family, kernel.name) for kernel in host().kernels if kernel.state in ("chosen", "eligible")
    }
    families = {(operation.name, operation.level): operation.family for operation in operations()}
    seen = {(families[row["operation"], row["level"]], row["kernel"]) for row in rows}
    assert seen == able
    for row in rows:
        assert row["ns"] > 0
        assert (row["ratio"] is None) == (row["peer_ns"] is None) == (row["peer"] is None)
        if row["ratio"] is not None:
            assert math.isclose(row["ratio"], row["peer_ns"] / row["ns"])
        if row["bytes"] and row["of_limit"] is not None:
            assert (
                0
                < row["gb_per_s"] / report["limits"][row["operation"]]["gb_per_s"]
                <= row["of_limit"] * 1.001
            )
    for operation, limit in report["limits"].items():
        assert operation in {row["operation"] for row in rows}
        assert limit["gb_per_s"] > 0


def test_choices() -> None:
    rows = json.loads(
        bench(
            "--size", "16", "--operation", "md5", "--level", "c", "--kernel", "md5/portable", "--json"
        ).stdout
    )["rows"]
    assert [(row["operation"], row["level"], row["bytes"], row["kernel"]) for row in rows] == [
        ("md5", "c", 16, "portable")
    ]
    table = bench("--size", "16", "--operation", "md5", "--level", "python").stdout
    assert "times hashlib" in table and "portable" in table


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--operation", "nothing"], "there is no operation 'nothing'; known: aes-128-gcm seal"),
        (["--kernel", "md5/nobody"], "there is no kernel 'md5/nobody'"),
        (["--size", "-1"], "a size is 0 bytes or more"),
        (["--plot", "/nowhere/plot.svg", "--operation", "md5"], "there is no folder /nowhere"),
    ],
)
def test_wrong_use(arguments: list[str], said: str) -> None:
    if "--plot" in arguments:
        pytest.importorskip("matplotlib", reason="needs matplotlib: pip install 'kernport[plot]'")
    assert said in bench(*arguments, code=2).stderr


def test_plot(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="needs matplotlib: pip install 'kernport[plot]'")
    path = tmp_path / "plot.svg"
    bench("--size", "16", "--size", "256", "--operation", "md5", "--plot", str(path))
    text = path.read_text()
    assert text.startswith("<?xml") and "hashlib" in text and "portable" in text
    assert list(tmp_path.iterdir()) == [path]
