"""Run git so that neither the user's settings nor hooks can change a result."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from kernport.backport import process
from kernport.errors import EnvironmentLacks, KernportError

_SETTINGS = (
    "apply.ignoreWhitespace=no",
    "apply.whitespace=nowarn",
    "color.ui=false",
    "commit.gpgSign=false",
    "core.attributesFile=/dev/null",
    "core.autocrlf=false",
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.quotePath=true",
    "diff.algorithm=myers",
    "diff.context=3",
    "diff.dstPrefix=b/",
    "diff.indentHeuristic=true",
    "diff.interHunkContext=0",
    "diff.mnemonicPrefix=false",
    "diff.noprefix=false",
    "diff.orderFile=/dev/null",
    "diff.renames=true",
    "diff.srcPrefix=a/",
    "diff.suppressBlankEmpty=false",
    "fetch.writeCommitGraph=false",
    "format.coverLetter=false",
    "format.from=false",
    "format.notes=false",
    "format.numbered=false",
    "format.signOff=false",
    "format.subjectPrefix=PATCH",
    "format.useAutoBase=false",
    "gc.auto=0",
    "i18n.commitEncoding=UTF-8",
    "i18n.logOutputEncoding=UTF-8",
    "log.follow=false",
    "log.showSignature=false",
    "mailinfo.quotedCr=nowarn",
    "mailinfo.scissors=false",
    "maintenance.auto=false",
    "merge.renames=true",
)
# What a git that called us has set for its own children, and what changes how a diff is written.
_FORGOTTEN = frozenset(
    {
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR",
        "GIT_DIFF_OPTS",
        "GIT_DIR",
        "GIT_EXTERNAL_DIFF",
        "GIT_INDEX_FILE",
        "GIT_LITERAL_PATHSPECS",
        "GIT_NAMESPACE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX",
        "GIT_WORK_TREE",
    }
)


class GitFailed(KernportError):
    """A git command failed. Carries what git said."""

    exit_code = 1


@dataclass(frozen=True)
class Git:
    """git in one place: a repository, or a bare git directory with an index of its own.

    Raises EnvironmentLacks where there is no git, GitFailed where a command fails.
    """

    directory: Path
    git_directory: Path | None = None
    work_tree: Path | None = None

    def run(
        self,
        *arguments: str,
        stdin: bytes = b"",
        environment: Mapping[str, str] | None = None,
        detached: bool = False,
    ) -> bytes:
        """Standard output of `git arguments`; a detached git ends its work whatever signals come."""
        done = self.attempt(*arguments, stdin=stdin, environment=environment, detached=detached)
        if done.returncode != 0:
            raise GitFailed(f"git {arguments[0]} failed in {self.directory}: {complaint(done)}")
        return done.stdout

    def text(self, *arguments: str, stdin: bytes = b"") -> str:
        """Standard output as text without the last newline."""
        return self.run(*arguments, stdin=stdin).decode(errors="replace").rstrip("\n")

    def succeeds(self, *arguments: str, stdin: bytes = b"") -> bool:
        """Whether the command exits with 0."""
        return self.attempt(*arguments, stdin=stdin).returncode == 0

    def attempt(
        self,
        *arguments: str,
        stdin: bytes = b"",
        environment: Mapping[str, str] | None = None,
        detached: bool = False,
    ) -> subprocess.CompletedProcess[bytes]:
        """Run it whatever comes of it."""
        program = shutil.which("git")
        if program is None:
            raise EnvironmentLacks("git is not installed: install the package git")
        command = [program, *(part for setting in _SETTINGS for part in ("-c", setting))]
        if self.git_directory is not None:
            command.append(f"--git-dir={self.git_directory}")
        if self.work_tree is not None:
            command.append(f"--work-tree={self.work_tree}")
        variables = {name: value for name, value in os.environ.items() if name not in _FORGOTTEN}
        variables |= {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0"}
        variables |= environment or {}
        # A killed git leaves its lock behind; a detached one is not.
        return process.run([*command, *arguments], self.directory, variables, stdin, detached=detached)


def complaint(done: subprocess.CompletedProcess[bytes]) -> str:
    """What a git that failed said, in one line."""
    said = " ".join(done.stderr.decode(errors="replace").split()).removeprefix("fatal: ")
    return said or f"exit code {done.returncode}"
