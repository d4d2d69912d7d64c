"""What a fresh process pays: the shape of the report, and which modules an import may not bring."""

import json
import subprocess
import sys

import pytest

from kernport.start import measure

# These take longer to import than all the rest.
SLOW = ("typing", "dataclasses", "inspect", "re", "pathlib", "json", "cryptography", "kernport.over_cffi")
PROGRAM = f"""
import sys
import _cffi_backend
before = set(sys.modules)
from kernport import AESGCM, GMAC, file_digest, md5, md5_files, md5_many
print(*sorted(set({SLOW!r}) & (set(sys.modules) - before)))
"""


@pytest.mark.skipif(
    sys.implementation.name != "cpython", reason="needs CPython: elsewhere all calls go over cffi"
)
def test_an_import_brings_no_slow_modules() -> None:
    result = subprocess.run(
        [sys.executable, "-P", "-c", PROGRAM], capture_output=True, text=True, check=True, timeout=60
    )
    assert result.stdout.split() == []


def test_the_command() -> None:
    command = [sys.executable, "-P", "-m", "kernport", "bench", "--start", "--json"]
    rows = json.loads(subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout)
    assert [row["step"] for row in rows] == [figure.step for figure in measure(processes=1)]
    assert all(0 < row["least_ns"] <= row["median_ns"] for row in rows)
    assert any("cffi" in row["step"] for row in rows)
    assert any("first key" in row["step"] for row in rows)
