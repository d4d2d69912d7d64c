"""The same life by the tools rpm and pacman, in an empty root: what comes is the package's, and all goes."""

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import packed
import pytest
from packed import TARGETS, TREE

from kernport.build.formats import Format
from kernport.build.packages.stage import complete, inside

pytestmark = pytest.mark.xdist_group("packages")
TARGET = TARGETS["x86_64-linux-gnu"]
VERSIONS = {"0.1.0": "early", "0.2.0": "late"}


def run(*command: str | Path) -> str:
    """Run a tool as root of a user namespace of its own; what it prints."""
    name = "unshare"
    enter = [] if os.geteuid() == 0 else [name, "--user", "--map-root-user"]
    process = subprocess.run([*enter, *command], capture_output=True, text=True, check=False)
    assert process.returncode == 0, f"{command}: {process.stdout}{process.stderr}"
    return process.stdout


def rpm(root: Path, *command: str | Path) -> str:
    return run("rpm", "--root", root, "--dbpath", "/var/lib/rpm", "--nodeps", *command)


def pacman(root: Path, *command: str | Path) -> str:
    (root / "var/lib/pacman").mkdir(parents=True, exist_ok=True)
    own = ("--root", root, "--dbpath", root / "var/lib/pacman", "--cachedir", root / "var/cache")
    configuration = root / "var" / "pacman.conf"
    # Nothing is checked against this machine: its architecture, its disk.
    configuration.write_text("[options]\nArchitecture = x86_64\n", encoding="ascii")
    return run("pacman", "--config", configuration, *own, "--noconfirm", "-dd", *command)


def build(form: Format, folder: Path) -> dict[str, Path]:
    """Python's package in two versions, each with a module of its own."""
    output = next(each for each in form.outputs if "python-runtime" in each.tags)
    found = {}
    for version, module in VERSIONS.items():
        stage = folder / version / "stage"
        modules = inside(stage, f"{form.site}/kernport")
        modules.mkdir(parents=True)
        for each in ("__init__", module):
            (modules / f"{each}.py").write_text(f'VERSION = "{version}"\n', encoding="ascii")
        tree = packed.with_version(version)
        complete(tree, form, output, stage)
        # What needs a shell in the root is not for an empty one.
        row = replace(form, python=replace(form.python, scripts={}))
        found[version] = packed.pack(packed.contents(stage, row, TARGET, output, tree), folder / version)
    return found


def files(root: Path) -> set[str]:
    """What lies in the root, but for what the tools keep of their own."""
    return {
        str(path.relative_to(root))
        for path in root.rglob("*")
        if (path.is_file() or path.is_symlink()) and path.relative_to(root).parts[0] != "var"
    }


@pytest.mark.parametrize(
    ("form", "tool", "install", "remove"),
    [
        ("rpm", rpm, ("-U", "--ignorearch", "--oldpackage", "--replacepkgs"), ("-e", "python3-kernport")),
        ("arch", pacman, ("-U",), ("-R", "python-kernport")),
    ],
)
def test_upgrade_downgrade_and_again(
    form: str,
    tool: Callable[..., str],
    install: tuple[str, ...],
    remove: tuple[str, ...],
    tmp_path: Path,
) -> None:
    if shutil.which(tool.__name__) is None:
        package = {"rpm": "rpm", "pacman": "pacman-package-manager"}[tool.__name__]
        pytest.skip(f"{tool.__name__} is missing: apt-get install {package}")
    row = TREE.format(form)
    built = build(row, tmp_path / "built")
    root = tmp_path / "root"
    root.mkdir()
    for version in ("0.1.0", "0.2.0", "0.1.0", "0.1.0"):
        tool(root, *install, built[version])
        modules = {name for name in files(root) if "site-packages/kernport/" in name and name.endswith(".py")}
        assert {Path(name).stem for name in modules} == {"__init__", VERSIONS[version]}
        assert [f"kernport-{version}.dist-info" in name for name in files(root)].count(True) == 2
        if row.python.ghosts:
            # As Python would, when root runs it.
            number = "".join(re.findall(r"\d+", row.site.partition("/python")[2].partition("/")[0]))
            cache = inside(root, f"{row.site}/kernport/__pycache__")
            for name in ("__init__", VERSIONS[version]):
                (cache / f"{name}.cpython-{number}.pyc").write_bytes(b"byte code")
    tool(root, *remove)
    assert files(root) == set()
    assert not inside(root, f"{row.site}/kernport").exists()
