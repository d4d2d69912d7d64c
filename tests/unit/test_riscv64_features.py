"""What the dispatcher concludes from words read on RISC-V machines that no emulator here can be."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

HWCAP_SCALAR = 0x112D  # I M A F D C
HWCAP_VECTOR = HWCAP_SCALAR | 1 << 21
IMA_FD_C = 0x3
V, ZBB, ZBC, ZBKB, ZBKC, ZKNE = 1 << 2, 1 << 4, 1 << 7, 1 << 8, 1 << 9, 1 << 12
ZVBB, ZVBC, ZVKB, ZVKG, ZVKNED = 1 << 17, 1 << 18, 1 << 19, 1 << 20, 1 << 21
VECTOR_CRYPTO = V | ZVBB | ZVBC | ZVKB | ZVKG | ZVKNED
OFF, ON, ON_NOW_OFF_AFTER_EXEC = 1, 2, 2 | 1 << 2


@pytest.fixture(scope="module")
def judge(feature_tables: Callable[[str], Path]) -> Path:
    """A program for this machine with the tables of riscv64: words as arguments, features as output."""
    return feature_tables("riscv64")


def features(
    judge: Path, hwcap: int, extensions: int = 0, misaligned: int = 0, control: int = 0, vlenb: int = 0
) -> set[str]:
    """The features that follow from the words."""
    words = [
        f"hwcap={hwcap}",
        f"hwprobe_ima_ext_0={extensions}",
        f"hwprobe_misaligned_scalar_perf={misaligned}",
        f"vector_control={control}",
        f"vlenb={vlenb}",
    ]
    result = subprocess.run([str(judge), *words], capture_output=True, text=True, check=True, timeout=30)
    return set(result.stdout.split()) - {"hwcap-v", "vector-allowed"}


def test_vector_crypto(judge: Path) -> None:
    found = features(judge, HWCAP_VECTOR, IMA_FD_C | VECTOR_CRYPTO, control=ON, vlenb=16)
    assert found == {"v", "vlen128", "zvbb", "zvbc", "zvkb", "zvkg", "zvkned"}


@pytest.mark.parametrize("vlenb", [4, 8])
def test_short_vectors_have_no_vector_crypto(judge: Path, vlenb: int) -> None:
    found = features(judge, HWCAP_VECTOR, IMA_FD_C | VECTOR_CRYPTO, control=ON, vlenb=vlenb)
    assert found == {"v", "zvbb", "zvbc", "zvkb"}


def test_vectors_forbidden_to_the_process(judge: Path) -> None:
    assert features(judge, HWCAP_VECTOR, IMA_FD_C | ZBB | VECTOR_CRYPTO, control=OFF, vlenb=0) == {
        "zbb",
        "rev8",
    }


def test_vectors_forbidden_to_children_only(judge: Path) -> None:
    found = features(judge, HWCAP_VECTOR, IMA_FD_C | V, control=ON_NOW_OFF_AFTER_EXEC, vlenb=32)
    assert found == {"v", "vlen128"}


def test_letter_v_without_hwprobe_may_be_version_0_7(judge: Path) -> None:
    assert features(judge, HWCAP_VECTOR) == set()


def test_letter_v_where_hwprobe_says_no(judge: Path) -> None:
    assert features(judge, HWCAP_VECTOR, IMA_FD_C | ZBB, control=ON) == {"zbb", "rev8"}


def test_carryless_multiplication_by_either_name(judge: Path) -> None:
    assert features(judge, HWCAP_SCALAR, IMA_FD_C | ZBC | ZBB) == {"zbc", "clmul", "zbb", "rev8"}
    scalar_crypto = features(judge, HWCAP_SCALAR, IMA_FD_C | ZBKB | ZBKC | ZKNE)
    assert scalar_crypto == {"zbkb", "zbkc", "clmul", "zkne", "rev8"}


@pytest.mark.parametrize(("value", "is_fast"), [(0, False), (1, False), (2, False), (3, True), (4, False)])
def test_misaligned_access(judge: Path, value: int, is_fast: bool) -> None:
    assert ("fast-misaligned" in features(judge, HWCAP_SCALAR, IMA_FD_C, misaligned=value)) == is_fast


def test_letters_alone(judge: Path) -> None:
    assert features(judge, HWCAP_SCALAR) == set()
