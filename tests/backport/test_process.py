"""Commands end with the work that started them."""

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kernport.backport import process, temporary
from kernport.signals import Ended, ended_by_signals

SLEEP = [sys.executable, "-c", "import time; time.sleep(60)"]


def test_what_it_says(tmp_path: Path) -> None:
    program = "import os, sys; sys.stdout.write(sys.stdin.read() + os.getcwd()); sys.exit(f'no {os.environ}')"
    done = process.run([sys.executable, "-c", program], tmp_path, {"LC_ALL": "C"}, b"said in ")
    assert (done.returncode, done.stdout.decode()) == (1, f"said in {tmp_path.resolve()}")
    assert b"'LC_ALL': 'C'" in done.stderr
    done = process.run([sys.executable, "-c", program], tmp_path, one_output=True)
    assert b"no environ" in done.stdout and done.stderr == b""


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("detached", [False, True])
def test_a_signal_at_the_start_of_a_process(
    signals_heeded: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    number: signal.Signals,
    detached: bool,
) -> None:
    """It comes where the process runs already and nobody knows of it yet."""
    started: list[subprocess.Popen[bytes]] = []

    class Interrupted(subprocess.Popen[bytes]):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            started.append(self)
            signal.raise_signal(number)

    monkeypatch.setattr(subprocess, "Popen", Interrupted)
    command = [sys.executable, "-c", "print('to the end')"] if detached else SLEEP
    with pytest.raises(Ended), ended_by_signals():
        process.run(command, tmp_path, detached=detached)
    (only,) = started
    assert only.returncode == (0 if detached else -signal.SIGKILL)


def test_out_of_time(tmp_path: Path) -> None:
    with pytest.raises(subprocess.TimeoutExpired) as late:
        process.run(["sh", "-c", "echo $$; exec sleep 60"], tmp_path, timeout=3)
    assert late.value.output is not None
    assert not Path("/proc", late.value.output.decode().strip()).exists()


def test_folders_left_where_a_signal_came_between(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the work in a folder, and before its removal has begun."""

    def told(folder: Path) -> None:
        raise Ended(signal.SIGTERM)

    with monkeypatch.context() as patched, pytest.raises(Ended):
        patched.setattr(temporary, "remove", told)
        with temporary.temporary_folder("test") as folder:
            (folder / "file").write_text("content")
    assert folder.is_dir()
    temporary.remove_all()
    assert not folder.exists()


def test_what_children_heed(tmp_path: Path) -> None:
    """Nothing is blocked or ignored in a process that starts while signals are held."""
    program = "from signal import *; print(pthread_sigmask(SIG_BLOCK, []), getsignal(SIGTERM) == SIG_DFL)"
    done = process.run([sys.executable, "-c", program], tmp_path)
    assert done.stdout.decode().split() == ["set()", "True"]
