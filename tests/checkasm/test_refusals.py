"""Each CPU row refuses what its processor lacks, and names it, and runs the rest."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from kernport.build.checkasm.program import Program
from kernport.errors import EnvironmentLacks

EXPECTED: dict[str, dict[str, dict[str, Any]]] = yaml.safe_load(
    (Path(__file__).resolve().parent / "refusals.yaml").read_text(encoding="utf-8")
)


@pytest.mark.parametrize(
    ("target", "cpu"),
    [
        pytest.param(target, cpu, marks=pytest.mark.xdist_group(target))
        for target, rows in EXPECTED.items()
        for cpu in rows
    ],
)
def test_refusals(build: Callable[..., Program], target: str, cpu: str) -> None:
    try:
        command = build(target).command(cpu)
    except EnvironmentLacks as error:
        pytest.skip(f"{target} on {cpu}: {error}")
    result = subprocess.run(
        [*command, "--list", "--json"], capture_output=True, text=True, check=True, timeout=60
    )
    rows = {f"{row['family']}/{row['kernel']}": row for row in map(json.loads, result.stdout.splitlines())}
    expected = EXPECTED[target][cpu]
    assert {rows[kernel]["state"] for kernel in expected["runs"]} == {"available"}
    for kernel, feature in expected["refuses"].items():
        assert rows[kernel]["state"] == "refused", kernel
        names, verb = rows[kernel]["reason"].replace(" are ", " is ").split(" is ")
        assert feature in names.split(", "), f"{kernel}: {names}"
        assert verb == ("disabled" if "-E" in command else "missing")
