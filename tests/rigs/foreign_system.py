"""Small Debian systems of any architecture, in which packages are installed and used (tests/rigs)."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from emulated import expected_checks, write_cases

from kernport.build.emulator import emulator
from kernport.build.everything.apt import source_line
from kernport.build.recipe import load_tree
from kernport.build.target import Target, host_target, load_targets
from kernport.errors import EnvironmentLacks

ROOT = Path(__file__).resolve().parents[2]
RIGS = ROOT / "tests" / "rigs"
TREE = load_tree(ROOT)
TARGETS = load_targets(TREE)
HOST = TARGETS[host_target(TARGETS)]
# What dpkg, apt and ldconfig write of themselves.
THEIRS = ("var/lib/dpkg/", "var/lib/apt/", "var/log/", "var/cache/", "etc/ld.so.cache", "tmp/")


def rig(*command: str | Path) -> str:
    """What a rig prints; the test is skipped, with the rig's own words, where the machine lacks something."""
    process = subprocess.run([str(each) for each in command], capture_output=True, text=True, check=False)
    if process.returncode == 3:
        pytest.skip(process.stderr.strip())
    assert process.returncode == 0, process.stderr
    return process.stdout.strip()


def build(form: str, target: str, out: Path, tree: Path = ROOT) -> list[Path]:
    """Build a format's packages for a target; their paths."""
    command = [sys.executable, "-m", "kernport", "build", form, "--target", target, "--tree", str(tree)]
    process = subprocess.run(
        [*command, "--json", "--out", str(out)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if process.returncode == 3:
        pytest.skip(process.stderr.strip())
    assert process.returncode == 0, process.stderr
    return [Path(file) for row in json.loads(process.stdout) for file in row["files"]]


@dataclass(frozen=True)
class System:
    """A system for a target. What runs in it changes `changes`; `shared` is its /mnt."""

    root: Path
    changes: Path
    shared: Path
    qemu: str

    def run(self, *command: str, cpu: str = "", code: int = 0) -> str:
        """Run a command as the system's root, on a processor of that name; what it prints.

        That includes its messages where it is to fail, with an exit code of `code`.
        """
        whole: list[str | Path] = [
            RIGS / "in-root.sh",
            self.root,
            self.changes,
            self.shared,
            self.qemu,
            *command,
        ]
        process = subprocess.run(
            whole,
            env=os.environ | ({"QEMU_CPU": cpu} if cpu else {}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if process.returncode == 3 and "in-root.sh" in process.stderr:
            pytest.skip(process.stderr.strip())
        assert process.returncode == code, f"{command}: {process.stdout}{process.stderr}"
        return process.stdout + (process.stderr if code else "")

    def apt(self, *command: str, signed: bool = False, code: int = 0) -> str:
        """Run apt-get as far as /mnt/deb, a repository, has what is asked for."""
        source = source_line(TREE, "/mnt/deb", signed)
        (self.shared / "sources.list").write_text(f"{source}\n", encoding="ascii")
        # Users other than root do not exist in a namespace of one user.
        options = ("APT::Sandbox::User=root", "Dir::Etc::SourceList=/mnt/sources.list")
        return self.run(
            "apt-get",
            *(word for each in options for word in ("-o", each)),
            "--yes",
            "--quiet",
            *command,
            code=code,
        )

    def left(self) -> set[str]:
        """What was changed in the system, but for what dpkg, apt and ldconfig write of themselves.

        Python writes byte code beside the modules that were there before, too.
        """
        upper = self.changes / "upper"
        changed = {str(path.relative_to(upper)): path for path in upper.rglob("*")}
        return {
            name
            for name, path in changed.items()
            if not f"{name}/".startswith(THEIRS)
            and not ("__pycache__" in name and (self.root / name.partition("/__pycache__")[0]).is_dir())
            and (not path.is_dir() or path.is_symlink() or not (self.root / name).is_dir())
        }

    def use(self, cpu: str = "", step: int = 12) -> dict[str, object]:
        """Use every kernel of the installed Python package on vectors; what use_wheel.py prints.

        It is every `step`th case of Wycheproof's.
        """
        cases = write_cases(self.shared / "cases.json", step)
        shutil.copy(RIGS / "use_wheel.py", self.shared)
        used = json.loads(self.run("python3", "-P", "/mnt/use_wheel.py", "/mnt/cases.json", cpu=cpu))
        assert used["checked"] == expected_checks(cases, used["kernels"])
        assert isinstance(used, dict)
        return used


def system(target: Target, suite: str, folder: Path) -> System:
    """A fresh system for a target, of one of Debian's suites."""
    return fresh(Path(rig(RIGS / "foreign-root.sh", target.packages["deb"], suite)), target, folder)


def fresh(root: Path, target: Target, folder: Path) -> System:
    """The system in `root`, unchanged: what it changes and shares lies in `folder`."""
    try:
        qemu = "-" if target.variant == HOST.variant else emulator(target.qemu)
    except EnvironmentLacks as error:
        pytest.skip(str(error))
    for name in ("changes", "shared"):
        (folder / name).mkdir()
    return System(root, folder / "changes", folder / "shared", qemu)
