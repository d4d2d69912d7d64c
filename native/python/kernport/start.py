"""What a fresh process pays before the first answer: imports, and the first call of each operation.

Every figure is from processes of their own, since a process has only one first time.
"""

import json
import statistics
import subprocess
import sys
from dataclasses import dataclass

PROCESSES = 21
# Prints {what: nanoseconds}. The first call of all does the detection and reads the overrides; the first of
# each family does its self-test.
PROGRAM = """
import time
def timed(function):
    start = time.perf_counter_ns()
    function()
    return time.perf_counter_ns() - start
def backend():
    import _cffi_backend
def package():
    from kernport import AESGCM, GMAC, file_digest, md5, md5_files, md5_many
figures = {
    "import of cffi's backend": timed(backend),
    "import of kernport's classes and functions, after that": timed(package),
}
from kernport import AESGCM, md5, md5_many
key = bytes(16)
for turn in ("first", "second"):
    figures[f"{turn} key for AES-GCM"] = timed(lambda: AESGCM(key))
    figures[f"{turn} MD5 object"] = timed(lambda: md5(b""))
    figures[f"{turn} call of md5_many"] = timed(lambda: md5_many([b""]))
import json
print(json.dumps(figures))
"""


@dataclass(frozen=True)
class Figure:
    """Nanoseconds of one step: the least and the median of all processes."""

    step: str
    least_ns: int
    median_ns: int


def measure(processes: int = PROCESSES) -> list[Figure]:
    """Start so many processes, one after the other, and time each step in them."""
    runs: list[dict[str, int]] = []
    for _ in range(processes):
        command = [sys.executable, "-P", "-c", PROGRAM]
        result = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=60)
        runs.append(json.loads(result.stdout))
    return [
        Figure(step, min(run[step] for run in runs), int(statistics.median(run[step] for run in runs)))
        for step in runs[0]
    ]
