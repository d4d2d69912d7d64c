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


def test_it_has_what_the_package_promises() -> None:
    """The rows by which a user of other libraries decides, with the peer in each."""
    from kernport.bench import SIZES, operations

    assert {0, 16, 64, 1350, 8192, 16384, 65536, 1 << 20} <= set(SIZES)
    compared = {each.name: each.peer for each in operations() if each.level == "python" and each.theirs}
    for bits in (128, 256):
        for call in ("encrypt", "decrypt", "seal", "open"):
            assert compared.pop(f"aes-{bits}-gcm {call}") == "pyca"
    assert compared == {
        "gmac": "pyca",
        "aes-128-gcm, 10000 messages": "pyca",
        "md5": "hashlib",
        "md5, 32 messages": "hashlib",
        "md5, 1000 messages of 0 to 4096 bytes": "hashlib",
    }


def test_a_peer_that_lacks_a_call_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    from cryptography.hazmat.primitives.ciphers import aead

    from kernport.bench import operations

    class Older:
        encrypt = decrypt = aead.AESGCM.encrypt

    monkeypatch.setattr(aead, "AESGCM", Older)
    theirs = {each.name: each.theirs for each in operations() if each.level == "python"}
    assert theirs["aes-128-gcm seal"] is None and theirs["aes-128-gcm open"] is None
    assert theirs["aes-128-gcm encrypt"] is not None


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
        (["--size", "64K"], "'64K': a size is 0 bytes or more, in digits"),
        (["--turns", "0"], "there is 1 turn or more"),
        (["--plot", "plot.png", "--operation", "md5"], "name it plot.svg"),
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
