"""What every test of backports stands on."""

from __future__ import annotations

from pathlib import Path

import pytest
from repositories import IDENTITY, LINES, Repository, make_repository

from kernport.backport.confine import confinement
from kernport.errors import EnvironmentLacks


@pytest.fixture(autouse=True)
def own_git_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, value in IDENTITY.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("KERNPORT_CACHE", str(tmp_path / "cache"))
    (tmp_path / "temporary").mkdir()  # commands that a test kills leave something behind
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))


@pytest.fixture
def confined() -> None:
    """Skips where nothing can confine the commands of a set."""
    try:
        confinement()
    except EnvironmentLacks as error:
        pytest.skip(str(error))


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """main and stable/1 start at the same commit; main is checked out."""
    made = make_repository(tmp_path / "repository")
    made.commit("Begin", {"src/code.c": LINES, "README": "read me\n"})
    made.git("branch", "stable/1")
    return made
