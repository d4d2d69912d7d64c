"""Small repositories and sets in which every class of outcome can be made."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml
from heeded_signals import heed_signals

from kernport.backport.source import cache_folder
from kernport.cli import main

OWN_CACHE = cache_folder()  # what the long tests keep from one run to the next

IDENTITY = {
    "GIT_AUTHOR_NAME": "An Author",
    "GIT_AUTHOR_EMAIL": "author@example.org",
    "GIT_COMMITTER_NAME": "A Committer",
    "GIT_COMMITTER_EMAIL": "committer@example.org",
    "GIT_CONFIG_GLOBAL": "/dev/null",
}


@dataclass(frozen=True)
class Repository:
    """A git repository under test."""

    path: Path

    def git(self, *arguments: str, date: str = "2026-01-05T12:00:00+0100", **environment: str) -> str:
        variables = (
            os.environ | IDENTITY | {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date} | environment
        )
        done = subprocess.run(
            ["git", *arguments], cwd=self.path, env=variables, capture_output=True, check=True
        )
        return done.stdout.decode().rstrip("\n")

    def commit(
        self, message: str, files: Mapping[str, str | bytes | None], date: str = "2026-01-05T12:00:00+0100"
    ) -> str:
        """Write, or where the content is None remove, the files and commit them."""
        for name, content in files.items():
            file = self.path / name
            if content is None:
                file.unlink()
                continue
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
        self.git("add", "--all", "--force")
        self.git("commit", "--quiet", "--allow-empty", "-m", message, date=date)
        return self.git("rev-parse", "HEAD")

    def state(self) -> dict[str, str]:
        """All that a user would miss: references, HEAD, index, and every file."""
        files = {
            path.relative_to(self.path).as_posix(): path.read_bytes().hex()
            for path in sorted(self.path.rglob("*"))
            if path.is_file() and ".git" not in path.parts
        }
        return {
            "references": self.git("for-each-ref"),
            "HEAD": (self.path / ".git/HEAD").read_text(),
            "index": self.git("ls-files", "--stage"),
            "status": self.git("status", "--porcelain"),
            "locks": " ".join(str(path) for path in (self.path / ".git").rglob("*.lock")),
            **files,
        }

    def patch(self, commit: str) -> bytes:
        done = subprocess.run(
            ["git", "format-patch", "-1", "--stdout", "--full-index", commit],
            cwd=self.path,
            env=os.environ | IDENTITY,
            capture_output=True,
            check=True,
        )
        return done.stdout


def make_repository(path: Path) -> Repository:
    path.mkdir(parents=True)
    repository = Repository(path)
    repository.git("init", "--quiet", "--initial-branch=main")
    return repository


def make_set(folder: Path, patches: Mapping[str, bytes], body: Mapping[str, object] | None = None) -> Path:
    """Write a set whose entries are the patches, with what `body` says besides."""
    folder.mkdir(parents=True)
    data: dict[str, object] = {
        "name": "example",
        "summary": "An example",
        "patches": [{"file": name} for name in patches],
    }
    data |= body or {}
    (folder / "set.yaml").write_text(yaml.safe_dump(data, sort_keys=False))
    for name, raw in patches.items():
        (folder / name).write_bytes(raw)
    return folder


def apply_and_exit(arguments: Sequence[str], environment: Mapping[str, str]) -> None:
    """`kernport backport apply` as the whole of a process, silent and in a process group of its own."""
    os.setsid()
    heed_signals()
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(silence, stream)
    os.environ.update(environment)
    sys.exit(main(["backport", "apply", *arguments]))


LINES = "".join(f"line {number}\n" for number in range(1, 41))


def replaced(text: str, number: int, line: str) -> str:
    """The text with one line, counted from 1, replaced."""
    lines = text.splitlines(keepends=True)
    lines[number - 1] = line + "\n"
    return "".join(lines)
