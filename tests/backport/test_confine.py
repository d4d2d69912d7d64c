"""What a set's commands could do to the machine: nothing, and who trusts a set has to say so."""

from __future__ import annotations

import os
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from repositories import LINES, Repository, make_set, replaced

from kernport.backport import confine
from kernport.backport.confine import Confinement, confinement
from kernport.backport.scratch import Place
from kernport.backport.series import load_set
from kernport.backport.verify import verify
from kernport.cli import main
from kernport.errors import EnvironmentLacks


@pytest.fixture
def around(confined: None) -> Confinement:
    return confinement()


@pytest.fixture
def forgetful() -> Iterator[None]:
    """Lets a test change what confinement() finds."""
    confine.confinement.cache_clear()
    yield
    confine.confinement.cache_clear()


def shell(around: Confinement, script: str, *writable: Path) -> subprocess.CompletedProcess[str]:
    command = around.around(["sh", "-c", script], *writable)
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize("place", ["beside", "home", "temporary", "cache", "dev", "run"])
def test_writes_outside_are_refused(around: Confinement, tmp_path: Path, place: str) -> None:
    """Also to what root may write, when the tests run as root."""
    name = f"kernport-escaped-{os.getpid()}"
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "cache").mkdir(exist_ok=True)
    targets = {
        "beside": tmp_path / name,
        "home": Path.home() / name,
        "temporary": Path(tempfile.gettempdir()) / name,
        "cache": tmp_path / "cache" / name,
        "dev": Path("/dev") / name,
        "run": Path("/run") / name,
    }
    done = shell(around, f"echo x >{inside}/mine; echo x >{targets[place]}", inside)
    assert (inside / "mine").read_text() == "x\n"
    assert not targets[place].exists()
    assert done.returncode != 0 or place in ("dev", "run")  # which are empty ones of its own


def test_a_link_out_of_the_folder_does_not_help(around: Confinement, tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.write_text("precious\n")
    script = (
        f"ln -s {outside} {inside}/link; ln {outside} {inside}/hard; echo x >{inside}/link; rm -f {outside}"
    )
    shell(around, script, inside)
    assert outside.read_text() == "precious\n"
    assert not (inside / "hard").exists()


def test_the_rest_of_the_machine_is_out_of_reach(around: Confinement, tmp_path: Path) -> None:
    """Other processes, the network, mounts, and the kernel's settings."""
    with socket.create_server(("127.0.0.1", 0)) as server, subprocess.Popen(["sleep", "60"]) as other:
        port = server.getsockname()[1]
        connect = f"import socket; socket.create_connection(('127.0.0.1', {port}), 5)"
        for script in (
            f"kill {other.pid}",
            f'python3 -c "{connect}"',
            "mount -o remount,rw /",
            "umount -l /proc",
            "echo 1 >/proc/sys/vm/drop_caches",
        ):
            assert shell(around, script, tmp_path).returncode != 0, script
        assert other.poll() is None
        other.kill()


def test_what_is_left_running_dies_with_the_command(around: Confinement, tmp_path: Path) -> None:
    shell(around, f"(sleep 2; echo late >{tmp_path}/late) >/dev/null 2>&1 &", tmp_path)
    with pytest.raises(subprocess.TimeoutExpired):
        subprocess.run(around.around(["sleep", "4"], tmp_path), timeout=3, check=False)
    assert not (tmp_path / "late").exists()


def hostile(repository: Repository, tmp_path: Path, target: Path) -> Path:
    fixed = repository.commit("Fix", {"src/code.c": replaced(LINES, 20, "fixed")})
    command = ["sh", "-c", f"echo x >{target}"]
    body = {
        "branches": {"stable/1": {"base": "1", "generated": [{"files": ["README"], "command": command}]}},
        "verify": [{"architecture": "any", "branches": ["stable/1"], "build": [["true"]],
                    "tests": [{"name": "t", "run": command}]}],
    }  # fmt: skip
    return make_set(tmp_path / "set", {"0001-fix.patch": repository.patch(fixed)}, body)


@pytest.mark.usefixtures("confined")
def test_a_proof_that_writes_outside_fails(repository: Repository, tmp_path: Path) -> None:
    target = tmp_path / "escaped"
    patch_set = load_set(hostile(repository, tmp_path, target))
    place = Place("stable/1", repository=repository.path, reference="stable/1")
    (verdict,) = verify(patch_set, place)
    assert (verdict.state, verdict.confined) == ("failed: t", "bubblewrap")
    assert "Read-only file system" in verdict.after[-1].said
    assert not target.exists()


@pytest.mark.usefixtures("confined")
def test_a_generator_that_writes_outside_fails(
    repository: Repository, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`check` and `apply` run the commands that make files anew, so they are confined too."""
    target = tmp_path / "escaped"
    folder = hostile(repository, tmp_path, target)
    fixed = repository.commit("Fix", {"README": "fixed\n"})
    (folder / "0001-fix.patch").write_bytes(repository.patch(fixed))
    before = repository.state()
    for action in ("check", "apply"):
        where = ["--repository", str(repository.path), "--onto", "stable/1"]
        assert main(["backport", action, str(folder), *where]) == 1
        assert "Read-only file system" in capsys.readouterr().err
    assert not target.exists()
    assert repository.state() == before


@pytest.mark.usefixtures("forgetful")
def test_without_bubblewrap_nothing_runs_unless_the_set_is_trusted(
    repository: Repository,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    target = tmp_path / "escaped"
    folder = hostile(repository, tmp_path, target)
    monkeypatch.setattr(confine.shutil, "which", lambda name: None)  # type: ignore[attr-defined]
    with pytest.raises(EnvironmentLacks, match="install the package bubblewrap"):
        confinement()
    monkeypatch.undo()
    monkeypatch.setattr(confine, "_BUBBLEWRAP", ("false",))
    monkeypatch.setenv("KERNPORT_CACHE", str(tmp_path / "cache"))
    words = ["backport", "verify", str(folder), "--repository", str(repository.path), "--onto", "stable/1"]
    assert main(words) == 3
    assert "--unconfined" in capsys.readouterr().err
    assert not target.exists()
    assert main([*words, "--unconfined"]) == 0
    assert "stable/1 any: passed (not confined)" in capsys.readouterr().out
    assert target.exists()
