"""What detection on RISC-V reads from kernels old and new, whose system calls a program here imitates."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
QEMU = "qemu-riscv64-static"
# Arguments: AT_HWCAP, the highest key that hwprobe knows (-1: no such call, -2: a filter refuses it),
# extensions, vector control.
PROGRAM = r"""
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "dispatch/dispatch.h"

static long highest_key, control, extensions;
static unsigned long hwcap;

struct pair {
    int64_t key;
    uint64_t value;
};

unsigned long imitated_getauxval(unsigned long type) {
    return type == 16 ? hwcap : 0;
}

long imitated_syscall(long number, ...) {
    va_list list;
    va_start(list, number);
    struct pair *pairs = va_arg(list, struct pair *);
    size_t count = va_arg(list, size_t), set_size = va_arg(list, size_t);
    const void *set = va_arg(list, const void *);
    unsigned flags = va_arg(list, unsigned);
    va_end(list);
    if (number != 258 || set_size != 0 || set != NULL || flags != 0)
        abort();
    if (highest_key < 0) {
        errno = highest_key == -1 ? ENOSYS : EPERM;
        return -1;
    }
    for (size_t i = 0; i < count; i++) {
        if (pairs[i].key > highest_key) {
            pairs[i].key = -1;
            pairs[i].value = 0;
        } else {
            /* Key 5 packs the speed of misaligned access into its lowest bits, key 9 is that alone. */
            pairs[i].value = pairs[i].key == 4 ? (uint64_t)extensions : pairs[i].key == 5 ? 2 | 1 << 3 : 3;
        }
    }
    return 0;
}

int imitated_prctl(int option, ...) {
    if (option != 70)
        abort();
    errno = EINVAL;
    return (int)control;
}

int main(int count, char **values) {
    uint64_t words[KP_WORD_COUNT] = {0};
    if (count != 5)
        return 2;
    hwcap = strtoul(values[1], NULL, 0);
    highest_key = strtol(values[2], NULL, 0);
    extensions = strtol(values[3], NULL, 0);
    control = strtol(values[4], NULL, 0);
    kp_read_words(words);
    for (size_t i = 0; i < KP_WORD_COUNT; i++)
        printf("%llu\n", (unsigned long long)words[i]);
    return 0;
}
"""
LETTERS = 0x112D | 1 << 21
V, ZBB = 1 << 2, 1 << 4
NO_SUCH_CONTROL, OFF, ON = -1, 1, 2
VLENB = 32


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Detection over imitated system calls: prints the words."""
    if shutil.which(QEMU) is None:
        pytest.skip(f"{QEMU} is missing: apt-get install qemu-user-static (10 or newer)")
    folder = tmp_path_factory.mktemp("detection")
    table = [sys.executable, str(ROOT / "dispatch/table.py"), "generate", "riscv64", str(folder)]
    subprocess.run(table, check=True, timeout=60)
    (folder / "main.c").write_text(PROGRAM, encoding="utf-8")
    flags = [f"-D{name}=imitated_{name}" for name in ("syscall", "prctl", "getauxval")]
    includes = [f"-I{path}" for path in (folder, ROOT, ROOT / "native/include", ROOT / "native")]
    compiler = [sys.executable, "-m", "ziglang", "cc", "-target", "riscv64-linux-musl", "-static", "-O1"]
    sources = [str(folder / "main.c"), str(ROOT / "dispatch/detect_riscv64.c")]
    subprocess.run(
        [*compiler, *flags, *includes, *sources, "-o", str(folder / "program")], check=True, timeout=300
    )
    return folder / "program"


def words(program: Path, hwcap: int, highest_key: int, extensions: int, control: int) -> dict[str, int]:
    """What detection read."""
    arguments = [str(value) for value in (hwcap, highest_key, extensions, control)]
    command = [QEMU, "-cpu", f"rv64,v=true,vlen={8 * VLENB}", str(program), *arguments]
    result = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    names = ("hwcap", "extensions", "misaligned", "control", "vlenb")
    return dict(zip(names, map(int, result.stdout.split()), strict=True))


def test_a_new_kernel(program: Path) -> None:
    found = words(program, LETTERS, 10, V | ZBB, ON)
    assert found == {"hwcap": LETTERS, "extensions": V | ZBB, "misaligned": 3, "control": ON, "vlenb": VLENB}


def test_a_kernel_before_the_key_for_misaligned_access(program: Path) -> None:
    found = words(program, LETTERS, 8, V | ZBB, ON)
    assert found == {"hwcap": LETTERS, "extensions": V | ZBB, "misaligned": 2, "control": ON, "vlenb": VLENB}


def test_a_kernel_that_knows_no_extensions(program: Path) -> None:
    found = words(program, LETTERS, 3, V | ZBB, ON)
    assert found == {"hwcap": LETTERS, "extensions": 0, "misaligned": 0, "control": ON, "vlenb": 0}


def test_a_kernel_without_hwprobe(program: Path) -> None:
    found = words(program, LETTERS, -1, V | ZBB, NO_SUCH_CONTROL)
    assert found == {"hwcap": LETTERS, "extensions": 0, "misaligned": 0, "control": 0, "vlenb": 0}


def test_a_filter_that_refuses_hwprobe(program: Path) -> None:
    """What seccomp answers: imitated, since programs under qemu-user cannot have filters."""
    found = words(program, LETTERS, -2, V | ZBB, ON)
    assert found == {"hwcap": LETTERS, "extensions": 0, "misaligned": 0, "control": ON, "vlenb": 0}


def test_vectors_that_are_off_are_not_touched(program: Path) -> None:
    found = words(program, LETTERS, 10, V | ZBB, OFF)
    assert found == {"hwcap": LETTERS, "extensions": V | ZBB, "misaligned": 3, "control": OFF, "vlenb": 0}


def test_a_processor_without_vectors(program: Path) -> None:
    found = words(program, 0x112D, 10, ZBB, NO_SUCH_CONTROL)
    assert found == {"hwcap": 0x112D, "extensions": ZBB, "misaligned": 3, "control": 0, "vlenb": 0}
