"""The main loops of the POWER kernels keep their length, on either byte order and on 32 bits."""

import importlib.util
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

NATIVE = Path(__file__).resolve().parents[2] / "native"
TARGETS = {
    "little": "powerpc64le-linux-musl",
    "big": "powerpc64-linux-musl",
    "32 bits": "powerpc-linux-musleabihf",
}
ZIG = pytest.mark.skipif(
    importlib.util.find_spec("ziglang") is None,
    reason="the assembler is missing: pip install ziglang",
)


@cache
def symbols(folder: Path, source: str, target: str) -> dict[str, int]:
    """The symbols of an assembly file and their places in the section."""
    compiled = folder / f"{source.replace('/', '-')}.{target}.o"
    command = [sys.executable, "-m", "ziglang", "cc", "-target", target]
    subprocess.run([*command, "-c", str(NATIVE / source), "-o", str(compiled)], check=True, timeout=300)
    with compiled.open("rb") as stream:
        table = ELFFile(stream).get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        return {symbol.name: symbol["st_value"] for symbol in table.iter_symbols()}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("power")


def per_byte(folder: Path, source: str, order: str, loop: str, step_bytes: int) -> float:
    """Instructions a byte of a marked loop; every instruction has four bytes."""
    places = symbols(folder, source, TARGETS[order])
    return (places[f"{loop}_loop_end"] - places[f"{loop}_loop_begin"]) / 4 / step_bytes


@ZIG
@pytest.mark.parametrize("order", TARGETS)
@pytest.mark.parametrize(
    ("direction", "most"),
    [("encrypt128", 1.23), ("encrypt256", 1.51), ("decrypt128", 1.23), ("decrypt256", 1.51)],
)
def test_aes_gcm(folder: Path, order: str, direction: str, most: float) -> None:
    kernel = "kp_aes_gcm_power9_crypto"
    count = per_byte(folder, "aes_gcm/power/power9_crypto.S", order, f"{kernel}_{direction}", 128)
    assert 0.9 < count <= most


@ZIG
@pytest.mark.parametrize(("order", "most"), [("little", 1.30), ("big", 1.23), ("32 bits", 1.23)])
def test_aes_gcm_of_isa_2_07(folder: Path, order: str, most: float) -> None:
    kernel = "kp_aes_gcm_power8_crypto"
    count = per_byte(folder, "aes_gcm/power/power8_crypto.S", order, f"{kernel}_encrypt128", 128)
    assert 0.9 < count <= most


@ZIG
@pytest.mark.parametrize("order", TARGETS)
def test_ghash(folder: Path, order: str) -> None:
    loop = "kp_ghash_power9_crypto_update"
    assert 0.2 < per_byte(folder, "ghash/power/power9_crypto.S", order, loop, 128) <= 0.37


@ZIG
@pytest.mark.parametrize(("order", "most"), [("little", 8.95), ("big", 9.2), ("32 bits", 9.2)])
def test_md5(folder: Path, order: str, most: float) -> None:
    assert 8 < per_byte(folder, "md5/power/power.S", order, "kp_md5_power_compress", 64) <= most


@ZIG
@pytest.mark.parametrize("order", TARGETS)
def test_md5_of_sixteen_streams(folder: Path, order: str) -> None:
    loop = "kp_md5_many_vsx_compress"
    assert 2 < per_byte(folder, "md5/power/many_vsx.S", order, loop, 16 * 64) <= 2.4
