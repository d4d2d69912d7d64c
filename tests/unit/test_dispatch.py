"""Overrides: they take away, one kernel after the other down to the portable one, and nothing else."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from kernport import host

# What a run of the program below prints: the report, and answers that must not depend on the kernel.
PROGRAM = """
import json, kernport
aead = kernport.AESGCM(bytes(range(32)))
text = bytes(range(256)) * 9
print(json.dumps({
    "host": kernport.host().as_json(),
    "answers": [
        aead.encrypt(bytes(12), text, b"header").hex(),
        kernport.GMAC(bytes(16)).sign(bytes(12), text).hex(),
        kernport.md5(text).hexdigest(),
        [digest.hex() for digest in kernport.md5_many([text[:n] for n in range(0, 300, 7)])],
    ],
}))
"""


def run(**environment: str) -> dict[str, Any]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("KERNPORT_")}
    process = subprocess.run(
        [sys.executable, "-P", "-c", PROGRAM],
        env=clean | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    result: dict[str, Any] = json.loads(process.stdout)
    return result


def chosen(result: dict[str, Any], family: str) -> str:
    (name,) = [
        kernel["name"]
        for kernel in result["host"]["kernels"]
        if kernel["family"] == family and kernel["state"] == "chosen"
    ]
    return str(name)


@pytest.mark.parametrize("family", ["aes-gcm", "ghash", "md5", "md5-many"])
def test_disabling_kernels_moves_the_choice_down_to_portable(family: str) -> None:
    able = [k.name for k in host().kernels if k.family == family and k.state in ("chosen", "eligible")]
    plain = run()
    for number, name in enumerate(able):
        disabled = ",".join(f"{family}/{each}" for each in able[:number])
        result = run(KERNPORT_DISABLE_KERNEL=disabled)
        assert chosen(result, family) == name
        assert result["answers"] == plain["answers"]
        assert not result["host"]["remarks"]
    assert able[-1] == "portable"


def test_disabling_features_moves_the_choice_down_to_portable() -> None:
    plain = run()
    taken: list[str] = []
    result = plain
    while True:
        needs = {
            feature
            for kernel in result["host"]["kernels"]
            if kernel["state"] == "chosen"
            for feature in kernel["requires"]
        }
        if not needs:
            break
        taken.append(min(needs))
        result = run(KERNPORT_DISABLE=",".join(taken))
        assert result["answers"] == plain["answers"]
        for kernel in result["host"]["kernels"]:
            if set(taken) & set(kernel["requires"]):
                assert kernel["state"] in ("disabled", "missing")
    assert chosen(result, "aes-gcm") == "portable"
    assert chosen(result, "ghash") == "portable"


def test_nothing_can_be_enabled() -> None:
    missing = [feature.name for feature in host().features if not feature.detected]
    plain = run()
    for value in ("all", "~all", "-" + ",-".join(missing), "=" + ",=".join(missing), "+x", "", ",,, ,"):
        result = run(KERNPORT_DISABLE=value, KERNPORT_DISABLE_KERNEL=value)
        assert result["host"]["kernels"] == plain["host"]["kernels"]
        assert result["host"]["features"] == plain["host"]["features"]


def test_an_unknown_name_is_remarked_upon() -> None:
    result = run(KERNPORT_DISABLE="no-such", KERNPORT_DISABLE_KERNEL="aes-gcm/no-such")
    feature, kernel = result["host"]["remarks"]
    assert "KERNPORT_DISABLE: 'no-such' is no feature of" in feature
    assert "KERNPORT_DISABLE_KERNEL: 'aes-gcm/no-such' is no kernel" in kernel


def test_portable_stays() -> None:
    result = run(KERNPORT_DISABLE_KERNEL="aes-gcm/portable")
    assert "aes-gcm/portable" in result["host"]["remarks"][0]
    states = [k["state"] for k in result["host"]["kernels"] if k["name"] == "portable"]
    assert states[0] in ("chosen", "eligible")
