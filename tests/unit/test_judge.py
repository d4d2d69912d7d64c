"""Answers for other machines, from recorded words."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from kernport import host
from kernport.errors import UsageError
from kernport.judge import architecture_of, judge

RECORDED = Path(__file__).resolve().parent / "recorded_words"


def chosen(arch: str, words: dict[str, int]) -> dict[str, str]:
    return {k.family: k.name for k in judge(arch, words).kernels if k.state == "chosen"}


def test_the_host_judged_from_its_own_words_is_the_host() -> None:
    here = host()
    there = judge(here.architecture, here.words, here.version)
    assert there.features == here.features
    assert there.kernels == here.kernels


@pytest.mark.parametrize("arch", ["x86_64", "powerpc64le", "powerpc", "aarch64_be", "riscv64", "s390x"])
def test_a_machine_without_features_takes_what_needs_none(arch: str) -> None:
    report = judge(arch, {})
    for kernel in report.kernels:
        needs_something = any(not f.detected for f in report.features if f.name in kernel.requires)
        assert (kernel.state == "missing") == needs_something
    assert chosen(arch, {})["aes-gcm"] == "portable"


# AT_HWCAP and AT_HWCAP2 as LD_SHOW_AUXV prints them on Linux; bits from the ELF V2 ABI specification.
POWER8 = {"hwcap": 0xDC0065C2, "hwcap2": 0xEF000000}
POWER9 = {"hwcap": 0xDC0065C2, "hwcap2": 0xEFF20000}


@pytest.mark.parametrize("arch", ["powerpc64le", "powerpc64", "powerpc"])
def test_power(arch: str) -> None:
    assert chosen(arch, POWER8)["aes-gcm"] == "power8-crypto"
    assert chosen(arch, POWER9)["aes-gcm"] == "power9-crypto"
    assert chosen(arch, POWER9 | {"hwcap2": 0xEFF20000 & ~(1 << 25)})["aes-gcm"] == "portable"


def test_a_kernel_that_could_run_but_is_not_preferred() -> None:
    # Tiger Lake has all that the kernel requires, and slows down for 512-bit registers.
    rows = yaml.safe_load((RECORDED / "x86_64.yaml").read_text(encoding="utf-8"))
    (words,) = (row["words"] for row in rows if row["machine"].endswith("(Tiger Lake)"))
    report = judge("x86_64", words)
    assert report.why_not("md5-many/avx512") == (
        "md5-many/avx512 is eligible: it can run here, but is only chosen with full-speed-zmm."
    )
    assert report.why_not("md5-many/avx2").startswith("md5-many/avx2 is chosen")


def test_an_unknown_word_and_an_unknown_target_are_refused() -> None:
    with pytest.raises(UsageError, match="s390x has no word 'xcr0'"):
        judge("s390x", {"xcr0": 7})
    with pytest.raises(UsageError, match="unknown target 'vax'; known: x86_64-linux-gnu"):
        architecture_of("vax")


def show(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", "-m", "kernport", "show", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_command_answers_from_its_own_output(tmp_path: Path) -> None:
    recorded = tmp_path / "here.json"
    recorded.write_text(show("--json").stdout, encoding="utf-8")
    assert (
        json.loads(show("--words", str(recorded), "--json").stdout)["kernels"]
        == json.loads(recorded.read_text(encoding="utf-8"))["kernels"]
    )


def test_the_command_answers_for_power9(tmp_path: Path) -> None:
    recorded = tmp_path / "power9.json"
    recorded.write_text(
        json.dumps({"words": {"hwcap": "0xdc0065c2", "hwcap2": "0xeff20000"}}), encoding="utf-8"
    )
    answer = show(
        *("--words", str(recorded), "--target", "powerpc64-linux-musl", "--why-not", "aes-gcm/power8-crypto")
    )
    assert answer.stdout == (
        "aes-gcm/power8-crypto is eligible: it can run here, but a better kernel was chosen.\n"
    )


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"architecture": "x86_64"}', '{"architecture": 7, "words": {}}']
)
def test_a_file_that_is_none(tmp_path: Path, text: str) -> None:
    recorded = tmp_path / "words.json"
    recorded.write_text(text, encoding="utf-8")
    answer = show("--words", str(recorded))
    assert answer.returncode == 2
    assert "Traceback" not in answer.stderr
