"""Builds of the library for tests of the dispatcher: this tree's own, and spoilt copies."""

import shutil
import stat
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from kernport.build.contents import copy_tree
from kernport.build.native import NativeBuild
from kernport.build.recipe import load_tree
from kernport.build.target import host_target, load_targets
from kernport.build.toolchain import compiler

ROOT = Path(__file__).resolve().parents[2]
STATES = ("chosen", "eligible", "missing", "disabled", "failed")


@dataclass(frozen=True)
class Program:
    """tests/dispatch/first_call.c beside a library whose configuration folder is `etc`."""

    path: Path
    etc: Path

    def run(self, *arguments: str, user: int | None = None, **environment: str) -> str:
        """What the program prints; it must succeed."""
        command = [str(self.path), *arguments]
        process = subprocess.run(
            command, env=environment, user=user, capture_output=True, text=True, timeout=60, check=True
        )
        return process.stdout

    def report(self, user: int | None = None, **environment: str) -> tuple[dict[str, str], list[str]]:
        """The state of each FAMILY/KERNEL, and the remarks."""
        states, remarks = {}, []
        for line in self.run("report", user=user, **environment).splitlines():
            if line.startswith("remark: "):
                remarks.append(line.removeprefix("remark: "))
            else:
                name, number = line.split()
                states[name] = STATES[int(number)]
        return states, remarks


Builder = Callable[[Path], Program]


@pytest.fixture(scope="session")
def build() -> Iterator[Builder]:
    """Builds the program with the library of a tree."""
    # Not below pytest's own folder, which other users, as whom one test runs, may not enter.
    folder = Path(tempfile.mkdtemp(prefix="kernport-dispatch-"))
    folder.chmod(0o755)

    def make(root: Path) -> Program:
        tree = load_tree(root)
        targets = load_targets(tree)
        target = targets[host_target(targets)]
        work = Path(tempfile.mkdtemp(dir=folder))
        work.chmod(0o755)
        native = NativeBuild(tree, target, work / "build")
        native.build(["-Dpython=false", f"-Dsysconfdir={work / 'etc'}", "--default-library=static"])
        path = work / "first_call"
        headers = (root / "native" / "include", work / "build" / "dispatch")
        command = [*compiler(target), "-std=c11", "-O2", "-pthread", *(f"-I{each}" for each in headers)]
        sources = [str(ROOT / "tests" / "dispatch" / "first_call.c"), str(work / "build" / "libkernport.a")]
        subprocess.run([*command, *sources, "-o", str(path)], check=True)
        (work / "etc" / tree.name).mkdir(parents=True)
        for each in (work / "etc", work / "etc" / tree.name, path):
            each.chmod(0o755)
        return Program(path, work / "etc" / tree.name)

    yield make
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def program(build: Builder) -> Program:
    """The program with this tree's library."""
    return build(ROOT)


@pytest.fixture
def configuration(program: Program) -> Iterator[Path]:
    """The program's dispatch.conf, which the test writes and which is gone after it."""
    path = program.etc / "dispatch.conf"
    yield path
    path.unlink(missing_ok=True)


@pytest.fixture
def spoilt(tmp_path: Path) -> Path:
    """A copy of the tree that a test may spoil."""
    copy_tree(ROOT, tmp_path)
    return tmp_path


def set_uid(path: Path) -> None:
    """Make a program run as its owner, whoever starts it."""
    path.chmod(path.stat().st_mode | stat.S_ISUID)
