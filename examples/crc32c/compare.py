"""How fast each kernel of the installed package is here, beside google-crc32c where that is installed.

`python compare.py` prints GB/s of processor time by kernel and length. Each kernel is chosen in a process of
its own, by disabling those before it. All are called from Python: a short message takes as long as a call.
"""

import importlib.util
import os
import subprocess
import sys
import time
from collections.abc import Callable

LENGTHS = (64, 1024, 4096, 65536, 1 << 20)
DISABLE = "CRC32C_DISABLE_KERNEL"
REPEAT = 9


def speed(function: Callable[[bytes], int], length: int) -> float:
    """The best of several measurements, in GB/s."""
    data = os.urandom(length)
    rounds = max(1, (1 << 22) // length)
    best = float("inf")
    for _ in range(REPEAT):
        start = time.thread_time()
        for _ in range(rounds):
            function(data)
        best = min(best, (time.thread_time() - start) / rounds)
    return length / best / 1e9


def line(name: str, function: Callable[[bytes], int]) -> None:
    """Print the speeds of one function."""
    print(f"{name:16}" + "".join(f"{speed(function, length):9.2f}" for length in LENGTHS), flush=True)


def measure_chosen() -> None:
    """Print the speeds of the kernel that this process chooses."""
    import crc32c

    chosen = next(kernel.name for kernel in crc32c.host().kernels if kernel.state == "chosen")
    line(chosen, lambda data: crc32c.crc32c(0, data))


def main() -> None:
    """Print a line a kernel."""
    import crc32c

    kernels = [kernel for kernel in crc32c.host().kernels if kernel.state in ("chosen", "eligible")]
    print(" " * 16 + "".join(f"{length:9}" for length in LENGTHS))
    for number in range(len(kernels)):
        before = ",".join(f"{kernel.family}/{kernel.name}" for kernel in kernels[:number])
        environment = {**os.environ, DISABLE: before}
        subprocess.run([sys.executable, __file__, "--chosen"], env=environment, check=True)
    if importlib.util.find_spec("google_crc32c") is not None:
        import google_crc32c

        line(f"google-crc32c/{google_crc32c.implementation}", google_crc32c.value)


if __name__ == "__main__":
    if sys.argv[1:] == ["--chosen"]:
        measure_chosen()
    else:
        main()
