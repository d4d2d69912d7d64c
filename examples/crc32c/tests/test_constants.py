"""What stands in the sources is what the polynomial gives, and the arithmetic gives what others published."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

TREE = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def constants() -> ModuleType:
    spec = importlib.util.spec_from_file_location("constants", TREE / "constants.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_powers(constants: ModuleType) -> None:
    assert (TREE / "native/asm/powers.h").read_text(encoding="utf-8").splitlines() == list(constants.powers())


def test_tables(constants: ModuleType) -> None:
    lines = (TREE / "native/portable.c").read_text(encoding="utf-8").splitlines()
    assert [line.strip() for line in lines if line.strip().startswith("TABLE(0x")] == list(constants.tables())


def test_polynomial(constants: ModuleType) -> None:
    """RFC 3720, section 12.1: x^32 is the rest of the polynomial 11EDC6F41."""
    assert constants.power(32) == 0x1EDC6F41
    assert constants.power(31) == 1 << 31


def test_published_power(constants: ModuleType) -> None:
    """RFC 4960, appendix B: the table crc_c, where byte 1 stands for x^39 and byte 128 for x^32."""
    assert constants.reflected(constants.power(39)) == 0xF26B8303
    assert constants.reflected(constants.power(32)) == 0x82F63B78


def test_inverse(constants: ModuleType) -> None:
    """Their carry-less product ends in 63 zeros and a 1, so q = word * inverse clears the word."""
    inverse, polynomial = constants.inverse(), constants.reflected_polynomial()
    assert polynomial == 0x105EC76F1  # RFC 3720's 11EDC6F41 from right to left
    product = 0
    for bit in range(64):
        if inverse >> bit & 1:
            product ^= polynomial << bit
    assert product & ((1 << 64) - 1) == 1


def test_order(constants: ModuleType) -> None:
    """2^31 - 1 is prime, so x has this order if the power is 1: a negative exponent may be added to it."""
    assert constants.power(constants.ORDER) == 1
