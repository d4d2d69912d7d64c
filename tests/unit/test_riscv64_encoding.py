"""The vector crypto instructions that native/asm encodes for older assemblers are those that clang knows."""

import subprocess
import sys
from pathlib import Path

from elftools.elf.elffile import ELFFile

ROOT = Path(__file__).resolve().parents[2]
SOURCES = (
    "native/aes_gcm/riscv64/zvkned_zvkg.S",
    "native/ghash/riscv64/zvbc.S",
    "native/ghash/riscv64/zvkg.S",
    "native/md5/riscv64/many_rvv_zvkb.S",
)


def code(source: Path, output: Path, *flags: str) -> bytes:
    """The instructions that a source is assembled to."""
    command = [sys.executable, "-m", "ziglang", "cc", "-target", "riscv64-linux-musl", "-c", *flags]
    subprocess.run([*command, str(source), "-o", str(output)], check=True, timeout=120)
    with output.open("rb") as file:
        section = ELFFile(file).get_section_by_name(".text")
        assert section is not None
        return bytes(section.data())


def test_the_encodings_are_those_of_the_assembler(tmp_path: Path) -> None:
    for name in SOURCES:
        known = code(ROOT / name, tmp_path / "known.o")
        encoded = code(ROOT / name, tmp_path / "encoded.o", "-DKP_ENCODE_VECTOR_CRYPTO")
        assert known == encoded, name
        assert len(known) > 100, name


def test_every_encoded_instruction_is_compared() -> None:
    header = (ROOT / "native/asm/riscv64_vector_crypto.h").read_text(encoding="utf-8")
    names = [line.split()[1] for line in header.splitlines() if line.startswith(".macro v")]
    files = (ROOT / "native").rglob("*riscv64*/*.S"), (ROOT / "native/asm").glob("riscv64_*.h")
    used = "".join(path.read_text(encoding="utf-8") for paths in files for path in paths)
    assert len(names) >= 14
    for name in names:
        stem, suffix = name.rsplit(".", 1)
        assert f"    {name} " in used or f"    {stem}.\\form " in used, suffix
