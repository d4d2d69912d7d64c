"""Run a command that never outlives the one that waits for it."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path

from kernport.signals import signals_held


def run(
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str] | None = None,
    stdin: bytes = b"",
    one_output: bool = False,
    timeout: float | None = None,
    detached: bool = False,
) -> subprocess.CompletedProcess[bytes]:
    """What came of it, with what it said; with `one_output` errors stand among the output.

    A detached command ends its work whatever signals come; any other is killed by what ends the wait. Raises
    subprocess.TimeoutExpired after `timeout` seconds, OSError where it cannot be started.
    """
    process = None
    with signals_held() if detached else nullcontext():
        try:
            # subprocess.run does not know a process yet whose start a signal interrupts, and lets it go on.
            with signals_held():
                process = subprocess.Popen(
                    command,
                    cwd=folder,
                    env=environment,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT if one_output else subprocess.PIPE,
                    start_new_session=detached,
                )
            output, errors = process.communicate(stdin, timeout)
        except BaseException:
            if process is not None:
                with signals_held():
                    process.kill()
                    process.communicate()
            raise
    return subprocess.CompletedProcess(command, process.returncode, output, errors or b"")
