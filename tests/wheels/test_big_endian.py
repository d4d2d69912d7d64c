"""Big-endian hosts: their own pip installs the wheel from an index, and this tree's tests run there.

Two of them: POWER with ABI version 2, whose Python tests/rigs/built_python/musl.py makes, and s390x with
Debian's.
"""

import io
import json
import shutil
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import planted
import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection
from emulated import (
    EmulatedPython,
    build_wheel,
    copy_of_tree,
    emulated_python,
    expected_checks,
    installed_files,
    replace,
    run,
    tools,
    write_cases,
)

pytestmark = pytest.mark.xdist_group("wheels")
RIGS = planted.ROOT / "tests" / "rigs"
ELFV2, S390X = "powerpc64-linux-musl", "s390x-linux-gnu"
POWERPC64LE = "powerpc64le-linux-gnu"
# What prints the folder of a target's Python.
PYTHONS = {
    ELFV2: [sys.executable, str(RIGS / "built_python" / "musl.py"), ELFV2],
    S390X: [str(RIGS / "foreign-python.sh"), "s390x", "bookworm"],
    POWERPC64LE: [str(RIGS / "foreign-python.sh"), "ppc64el", "bookworm"],
}
POWER8, POWER9 = "power8-crypto", "power9-crypto"


@dataclass(frozen=True)
class Host:
    """A target, qemu's processor, and the kernels to be chosen there by family."""

    target: str
    cpu: str
    chosen: dict[str, str]


def power(cpu: str, crypto: str) -> Host:
    return Host(ELFV2, cpu, {"aes-gcm": crypto, "ghash": crypto, "md5": "power", "md5-many": "vsx"})


LONG = pytest.mark.long
POWER_HOSTS = [
    pytest.param(power(cpu, kernel), id=f"elfv2-{cpu}", marks=LONG)
    for cpu, kernel in (("power8", POWER8), ("power9", POWER9), ("power10", POWER9), ("power11", POWER9))
]
# qemu has none of CPACF's AES.
S390X_HOST = Host(S390X, "max", {"aes-gcm": "portable", "ghash": "portable", "md5": "z196", "md5-many": "vx"})
HOSTS = [*POWER_HOSTS, pytest.param(S390X_HOST, id="s390x")]
# All of the vectors take minutes of an emulated processor: one of a kind is enough.
WITNESSES = [POWER_HOSTS[1], pytest.param(S390X_HOST, id="s390x", marks=LONG)]
CAVP = ("encryption", "decryption")
Installer = Callable[[str, str], EmulatedPython]


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Where each target's wheel was installed, once."""
    return {"tools": tools(tmp_path_factory.mktemp("big") / "tools")}


@pytest.fixture(scope="module")
def installed(places: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Installer:
    """A target's Python with the wheel installed, on a processor: called with both."""

    def python(target: str, cpu: str) -> EmulatedPython:
        root = Path(run(PYTHONS[target]).strip())
        folder = tmp_path_factory.mktemp("python")
        paths = [places["tools"], root / "usr/lib/python3/dist-packages"]
        if target not in places:
            dist = folder / "dist"
            build_wheel(target, dist)
            installer = emulated_python(target, root, cpu, folder / "pip", paths)
            places[target] = install(target, installer, root, dist)
        return emulated_python(target, root, cpu, folder, [places[target], *paths])

    return python


def install(target: str, python: EmulatedPython, root: Path, dist: Path) -> Path:
    """Install the project of `dist` by the target's pip, from an index; returns the folder to import from."""
    (wheel,) = dist.glob("*.whl")
    wanted = {planted.TREE.name: wheel.name}
    options = ["--no-deps"]  # Debian has cffi in its own place
    if target == ELFV2:
        # The name that glibc's wheel for ABI version 1 has, which only its name keeps away.
        other = wheel.name.replace("linux_ppc64", planted.TARGETS["powerpc64-linux-gnu-elfv1"].wheel_tag)
        shutil.copy(wheel, dist / other)
        options = []
        for path in (root / "wheels").iterdir():
            wanted[path.name.partition("-")[0]] = Path(shutil.copy(path, dist)).name
    index = run([sys.executable, "-m", "kernport", "index", str(dist)], cwd=planted.ROOT).strip()
    site, report = dist.parent / "site", dist.parent / "report.json"
    command = ["-m", "pip", "--disable-pip-version-check", "--isolated", "install", "--no-cache-dir"]
    command += ["--index-url", index, "--target", str(site), "--report", str(report), *options]
    python.run(*command, planted.TREE.name)
    assert installed_files(report) == wanted
    return site


def states(python: EmulatedPython) -> dict[str, str]:
    """The state of each FAMILY/KERNEL, as `kernport show` says it."""
    shown = json.loads(python.run("-m", planted.TREE.name, "show", "--json"))
    return {f"{each['family']}/{each['name']}": each["state"] for each in shown["kernels"]}


def chosen(python: EmulatedPython) -> dict[str, str]:
    """The kernel that is chosen, by family."""
    return dict(name.split("/") for name, state in states(python).items() if state == "chosen")


@pytest.mark.parametrize("host", HOSTS)
def test_the_wheel_is_installed_and_used(installed: Installer, tmp_path: Path, host: Host) -> None:
    python = installed(host.target, host.cpu)
    assert chosen(python) == host.chosen
    path = write_cases(tmp_path / "cases.json")
    used = json.loads(python.run(str(RIGS / "use_wheel.py"), str(path)))
    assert used["byteorder"] == "big"
    assert used["chosen"] == host.chosen
    assert used["checked"] == expected_checks(path, used["kernels"])


@pytest.mark.parametrize("host", HOSTS)
def test_a_slice_of_cavp(installed: Installer, tmp_path: Path, host: Host) -> None:
    python = installed(host.target, host.cpu)
    result = python.pytest(tmp_path, "tests/vectors/test_cavp.py", CAVP_SECTION_CASES="1")
    assert not result.failed
    assert not result.skipped
    assert f"tests.vectors.test_cavp.test_decryption[{host.chosen['aes-gcm']}-256]" in result.passed


@pytest.mark.parametrize("host", HOSTS[-2:])
def test_the_file_of_the_administrator_counts(installed: Installer, host: Host) -> None:
    python = installed(host.target, host.cpu)
    file = python.system / "etc" / planted.TREE.name / "dispatch.conf"
    file.parent.mkdir(parents=True)
    file.write_text(f"disable-kernel = md5/{host.chosen['md5']}\n", encoding="utf-8")
    assert chosen(python) == {**host.chosen, "md5": "portable"}


@pytest.mark.parametrize("host", WITNESSES)
def test_all_vectors_and_overrides(installed: Installer, tmp_path: Path, host: Host) -> None:
    python = installed(host.target, host.cpu)
    result = python.pytest(tmp_path, "tests/vectors", "tests/unit/test_dispatch.py", "--durations=0")
    assert not result.failed
    assert not result.skipped
    for kernel in (host.chosen["aes-gcm"], "portable"):
        for name in CAVP:
            for bits in (128, 192, 256):
                assert f"tests.vectors.test_cavp.test_{name}[{kernel}-{bits}]" in result.passed
        assert f"tests.vectors.test_wycheproof.test_wycheproof[{kernel}]" in result.passed
    for family in ("md5", "md5-many"):
        name = "test_one_stream" if family == "md5" else "test_many_streams"
        assert f"tests.vectors.test_rfc1321.{name}[{host.chosen[family]}]" in result.passed


# Both are right where a number lies in memory with its least significant byte first, and nowhere else.
SWAPPED_LENGTHS = """\
    uint64_t bits[2] = {__builtin_bswap64(8 * aad_length), __builtin_bswap64(8 * text_length)};
    memcpy(lengths, bits, sizeof bits);
"""
NATIVE_WORDS = """#include <stdint.h>
#include <string.h>
static uint32_t native_word(const uint8_t *p) {
    uint32_t word;
    memcpy(&word, p, sizeof word);
    return word;
}
#include "native/bytes.h"
#define kp_load_le32 native_word
#define kp_md5_portable_compress kp_md5_planted_compress
#include "native/md5/portable.c"
"""


@pytest.fixture(scope="module")
def spoilt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree with two faults: in the mode's length block, and in a first kernel of MD5."""
    root = copy_of_tree(tmp_path_factory.mktemp("spoilt"))
    replace(
        root / "native" / "aes_gcm" / "mode.c",
        "    kp_store_be64(lengths, 8 * aad_length);\n    kp_store_be64(lengths + 8, 8 * text_length);\n",
        SWAPPED_LENGTHS,
    )
    (root / "native" / "md5" / "planted.c").write_text(NATIVE_WORDS, encoding="utf-8")
    first = "kernels: # best first\n"
    row = "  - {name: planted, arch: any, sources: [native/md5/planted.c]}\n"
    replace(root / "recipes" / "families" / "md5.yaml", first, first + row)
    return root


@pytest.mark.long
@pytest.mark.parametrize("target", [ELFV2, POWERPC64LE])
def test_faults_of_byte_order_show(
    installed: Installer, places: dict[str, Path], spoilt: Path, tmp_path: Path, target: str
) -> None:
    installed(target, "power9")
    right = places[target]
    places[target] = tmp_path / "site"
    try:
        with zipfile.ZipFile(build_wheel(target, tmp_path / "dist", spoilt)) as archive:
            archive.extractall(places[target])
        for path in right.glob("*cffi*"):
            (places[target] / path.name).symlink_to(path)
        python = installed(target, "power9")
    finally:
        places[target] = right
    tests = [f"tests/vectors/test_{name}.py" for name in ("cavp", "wycheproof", "rfc1321")]
    result = python.pytest(tmp_path, *tests, CAVP_SECTION_CASES="1")
    assert not result.skipped
    if target == POWERPC64LE:
        assert states(python)["md5/planted"] == "chosen"
        assert not result.failed
        return
    # The kernel's self-test finds the one fault, and nobody uses that kernel; the vectors find the other.
    assert states(python)["md5/planted"] == "failed"
    assert result.failed
    for name in result.failed + result.passed:
        assert (name in result.passed) == ("test_rfc1321" in name), name


@pytest.mark.long
def test_the_wheel_for_freebsd_has_the_same_kernels(tmp_path: Path) -> None:
    """Nothing here runs it. Kernels call no libc, so its must be the very bytes that ran on Linux."""
    linux, freebsd = (
        zipfile.ZipFile(build_wheel(target, tmp_path / target)) for target in (ELFV2, "powerpc64-freebsd")
    )
    sources = [name for name in linux.namelist() if name.endswith(".py")]
    assert [linux.read(name) for name in sources] == [freebsd.read(name) for name in sources]
    (library,) = (name for name in linux.namelist() if name.endswith("_cffi.abi3.so"))
    here, there = kernel_code(linux.read(library)), kernel_code(freebsd.read(library))
    assert here == there
    for kernel in ("aes_gcm_power9_crypto", "ghash_power8_crypto", "md5_power", "md5_many_vsx"):
        assert any(name.startswith(f"{planted.TREE.prefix}_{kernel}_") for name in here)


def kernel_code(library: bytes) -> dict[str, bytes]:
    """The instructions of each function of a POWER kernel, by symbol."""
    elf = ELFFile(io.BytesIO(library))
    names = {each.replace("-", "_") for each in (POWER8, POWER9, "power", "vsx")}
    code = {}
    table = elf.get_section_by_name(".symtab")
    assert isinstance(table, SymbolTableSection)
    for symbol in table.iter_symbols():
        if any(f"_{name}_" in symbol.name for name in names) and symbol["st_size"]:
            section = elf.get_section(symbol["st_shndx"])
            start = symbol["st_value"] - section["sh_addr"]
            code[symbol.name] = section.data()[start : start + symbol["st_size"]]
    return code
