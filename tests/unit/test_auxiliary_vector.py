"""The words that the library reads are those that the system hands to every program."""

import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from kernport import host

AT_HWCAP, AT_HWCAP2 = 16, 26  # Linux include/uapi/linux/auxvec.h
AUXV = Path("/proc/self/auxv")
# On x86-64, AT_HWCAP is EDX of CPUID leaf 1, less what the kernel took away.
X86_64_WORD = "cpuid_1_edx"

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="needs Linux: other systems have no AT_HWCAP of 16"
)


def compare(vector: dict[int, int]) -> None:
    """Hold the words against the auxiliary vector."""
    words = host().words
    assert vector[AT_HWCAP] != 0
    if X86_64_WORD in words:
        assert vector[AT_HWCAP] & ~words[X86_64_WORD] == 0
        return
    assert words["hwcap"] == vector[AT_HWCAP]
    if "hwcap2" in words:
        assert words["hwcap2"] == vector.get(AT_HWCAP2, 0)


@pytest.mark.skipif(not AUXV.exists(), reason="needs /proc")
def test_the_file_in_proc() -> None:
    pairs = struct.iter_unpack("@LL", AUXV.read_bytes())
    compare(dict(pairs))


def test_what_the_loader_shows() -> None:
    environment = os.environ | {"LD_SHOW_AUXV": "1"}
    shown = subprocess.run(
        [sys.executable, "-c", ""], env=environment, capture_output=True, text=True, timeout=60
    )
    vector = {}
    for line in shown.stdout.splitlines():
        name, _, value = line.partition(":")
        if name in ("AT_HWCAP", "AT_HWCAP2"):
            try:
                vector[AT_HWCAP if name == "AT_HWCAP" else AT_HWCAP2] = int(value, 16)
            except ValueError:
                pytest.skip(f"this glibc prints names for {name}; glibc 2.42 and later print the number")
    if not vector:
        pytest.skip("the loader does not know LD_SHOW_AUXV: it is glibc's")
    compare(vector)
