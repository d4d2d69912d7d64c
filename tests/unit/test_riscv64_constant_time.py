"""Neither the path nor the addresses of a RISC-V kernel depend on its secrets.

valgrind does not run RISC-V programs, so each kernel runs twice under QEMU with the same public values
(lengths, counter) and other secrets (key, hash subkey, text), and QEMU logs every instruction with all
registers before it. Both runs must take the same instructions and access the same addresses.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from kernport.build.recipe import Family, Kernel, load_tree

ROOT = Path(__file__).resolve().parents[2]
QEMU = "qemu-riscv64-static"
PROGRAM = r"""
#include <stdlib.h>
#include <string.h>
#include "native/aes_gcm/aes_gcm.h"
#include "native/ghash/ghash.h"
#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
#define ENTRY(name) JOIN(KERNEL, name)
static _Alignas(64) uint8_t prepared[KP_AES_GCM_PREPARED_BYTES], secret[512], counter[16], y[16];
int main(int count, char **values) {
    static const size_t lengths[] = {5, 16, 63, 300};
    srand((unsigned)atoi(values[1]));
    for (size_t i = 0; i < sizeof secret; i++)
        secret[i] = (uint8_t)(rand() >> 7);
    memcpy(y, secret + 400, 16);
#ifdef AES_GCM
    kp_aes_gcm_kernel_prepare ENTRY(_prepare);
    kp_aes_gcm_kernel_encipher ENTRY(_encipher);
    kp_aes_gcm_kernel_hash ENTRY(_hash);
    kp_aes_gcm_kernel_encrypt ENTRY(_encrypt), ENTRY(_decrypt);
#ifdef MESSAGES
    kp_aes_gcm_kernel_seal_message ENTRY(_seal_message), ENTRY(_open_message);
#endif
    for (size_t key_length = 16; key_length <= 32; key_length += 8) {
        ENTRY(_prepare)(prepared, secret + 400, key_length);
        ENTRY(_encipher)(prepared, secret, secret);
        for (size_t i = key_length == 16 ? 0 : 2; i < (key_length == 16 ? 4 : 3); i++) {
            ENTRY(_hash)(prepared, y, secret + i, lengths[i]);
            ENTRY(_encrypt)(prepared, counter, y, secret + i, secret + i, lengths[i]);
            ENTRY(_decrypt)(prepared, counter, y, secret + i, secret + i, lengths[i]);
#ifdef MESSAGES
            uint8_t *text = secret + i;
            ENTRY(_seal_message)(prepared, counter, secret, 20, text, text, lengths[i], y);
            ENTRY(_open_message)(prepared, counter, secret, 20, text, text, lengths[i], y);
#endif
        }
    }
#else
    kp_ghash_kernel_prepare ENTRY(_prepare);
    kp_ghash_kernel_update ENTRY(_update);
    ENTRY(_prepare)(prepared, secret + 400);
    for (size_t i = 0; i < 4; i++)
        ENTRY(_update)(prepared, y, secret + i, lengths[i]);
#endif
    return count == 0;
}
"""
# A kernel that looks up a table by a secret, and one that branches on a secret: both have to be caught.
LOOKUP = r"""
#include <stdint.h>
#include <stddef.h>
static volatile uint8_t table[256];
void kp_ghash_faulty_prepare(void *prepared, const uint8_t h[16]) { (void)prepared, (void)h; }
void kp_ghash_faulty_update(const void *prepared, uint8_t y[16], const uint8_t *data, size_t length) {
    (void)prepared, (void)length;
    y[0] = table[data[0]];
}
"""
BRANCH = r"""
#include <stdint.h>
#include <stddef.h>
void kp_ghash_faulty_prepare(void *prepared, const uint8_t h[16]) { (void)prepared, (void)h; }
void kp_ghash_faulty_update(const void *prepared, uint8_t y[16], const uint8_t *data, size_t length) {
    (void)prepared;
    for (volatile unsigned i = 0; i < data[length - 1]; i++)
        y[0] ^= data[0];
}
"""


@dataclass(frozen=True)
class Step:
    """An executed instruction: where, and what it accessed (None if no memory)."""

    place: int
    address: int | None


def base_register(code: bytes) -> int | None:
    """The register that an instruction's address is taken from, for loads and stores, scalar and vector."""
    half = int.from_bytes(code[:2], "little")
    if half & 3 == 3:
        word = int.from_bytes(code[:4], "little")
        return word >> 15 & 31 if word & 0x7F in (0x03, 0x07, 0x23, 0x27) else None
    if half & 3 == 0 and half >> 13 != 0:  # compressed, by one of x8 to x15
        return 8 + (half >> 7 & 7)
    if half & 3 == 2 and half >> 13 in (1, 2, 3, 5, 6, 7):  # compressed, by sp
        return 2
    return None


def steps(log: Iterable[str], code: dict[int, bytes]) -> Iterator[Step]:
    """The executed instructions of our functions, from QEMU's log, which has the registers before each."""
    place = None
    registers: list[int] = []
    for line in log:
        if line.startswith("Trace"):
            matched = re.search(r"\[\w+/(\w+)/.*\] (\S*)", line)
            assert matched is not None, line
            place = int(matched[1], 16) if matched[2].startswith("kp_") else None
            registers = []
        elif place is not None and line.startswith(" x"):
            registers += [int(value, 16) for value in re.findall(r"x\d+/\w+ +([0-9a-f]{16})", line)]
            if len(registers) == 32:
                base = base_register(code[place])
                address = None
                if base is not None:
                    # The system moves the stack from run to run.
                    address = registers[base] - (registers[2] if registers[base] >> 32 else 0)
                yield Step(place, address)
                place = None


def instructions(program: Path) -> dict[int, bytes]:
    """Four bytes from every even address of a program's code."""
    with program.open("rb") as file:
        sections = [each for each in ELFFile(file).iter_sections() if each["sh_flags"] & 4]
        return {
            section["sh_addr"] + offset: data[offset : offset + 4]
            for section in sections
            for data in (section.data(),)
            for offset in range(0, len(data), 2)
        }


def two_runs(
    folder: Path, family: str, kernel: str, sources: list[Path], has_messages: bool = False
) -> tuple[list[Step], list[Step]]:
    """What a kernel executes with two sets of secrets."""
    if shutil.which(QEMU) is None:
        pytest.skip(f"{QEMU} is missing: apt-get install qemu-user-static (10 or newer)")
    name = f"kp_{family.replace('-', '_')}_{kernel.replace('-', '_')}"
    (folder / "main.c").write_text(PROGRAM, encoding="utf-8")
    flags = ["-target", "riscv64-linux-musl", "-static", "-no-pie", "-O2", f"-DKERNEL={name}"]
    flags += ["-DAES_GCM"] if family == "aes-gcm" else []
    flags += ["-DMESSAGES"] if has_messages else []
    includes = [f"-I{path}" for path in (ROOT, ROOT / "native", ROOT / "native/include")]
    command = [sys.executable, "-m", "ziglang", "cc", *flags, *includes, str(folder / "main.c")]
    program = folder / "program"
    subprocess.run([*command, *map(str, sources), "-o", str(program)], check=True, timeout=300)
    code = instructions(program)
    runs = []
    for seed in ("1", "2"):
        logged = ["-cpu", "max,vlen=128", "-one-insn-per-tb", "-d", "exec,nochain,cpu", "-D", "/dev/stdout"]
        command = ["timeout", "300", QEMU, *logged, str(program), seed]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            runs.append(list(steps(process.stdout, code)))
        assert process.returncode == 0
    return runs[0], runs[1]


def kernels() -> list[tuple[Family, Kernel]]:
    """The kernels of riscv64 that have secrets."""
    families = [family for family in load_tree(ROOT).families if family.name in ("aes-gcm", "ghash")]
    return [(family, kernel) for family in families for kernel in family.kernels if kernel.runs_on("riscv64")]


def first_difference(first: list[Step], second: list[Step]) -> str | None:
    """Where two runs part: by path or by address."""
    for one, other in zip(first, second, strict=False):
        if one.place != other.place:
            return f"the path parts at {one.place:#x} and {other.place:#x}"
        if one.address != other.address:
            return f"the instruction at {one.place:#x} accesses an address that follows from a secret"
    return None if len(first) == len(second) else "one run is longer"


@pytest.mark.parametrize(("family", "kernel"), kernels(), ids=lambda value: str(value.name))
def test_path_and_addresses(tmp_path: Path, family: Family, kernel: Kernel) -> None:
    shared = [source for source in family.sources if Path(source).stem in ("expand", "multiply")]
    sources = [ROOT / source for source in (*kernel.sources, *shared)]
    has_messages = "seal_message" in kernel.provides
    first, second = two_runs(tmp_path, family.name, kernel.name, sources, has_messages)
    assert len(first) > 200
    assert any(step.address is not None for step in first)
    assert first_difference(first, second) is None


@pytest.mark.parametrize(("fault", "words"), [(LOOKUP, "accesses an address"), (BRANCH, "path parts")])
def test_a_kernel_that_leaks_is_caught(tmp_path: Path, fault: str, words: str) -> None:
    source = tmp_path / "faulty.c"
    source.write_text(fault, encoding="utf-8")
    first, second = two_runs(tmp_path, "ghash", "faulty", [source])
    assert words in (first_difference(first, second) or "")
