"""A package's life in a Debian system: upgrades, downgrades, reinstallation, two versions, and the end."""

import shutil
from dataclasses import replace
from pathlib import Path

import foreign_system
import packed
import pytest
from foreign_system import HOST, System
from packed import TREE

from kernport.build.formats import Output
from kernport.build.packages.stage import complete, inside

pytestmark = pytest.mark.xdist_group("packages")
DEB = TREE.format("deb")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Packages of versions 0.1.0 and 0.2.0, by name and version: the later library also by a new soname."""
    if "deb" not in HOST.packages:
        pytest.skip(f"{HOST.name} has no deb: {HOST.reasons['deb']}")
    folder = tmp_path_factory.mktemp("life")
    outputs = {each.name: each for each in DEB.outputs}
    library, python = outputs["libkernport0"], outputs["python3-kernport"]
    found = {}
    for version, module, number in (("0.1.0", "early", "0"), ("0.2.0", "late", "0"), ("0.2.0", "late", "1")):
        name = f"libkernport{number}"
        place = folder / f"{name}-{version}"
        content = packed.library(place / "library", HOST, number)
        packed.stage_library(place / "stage", DEB, HOST, content, number)
        strange = inside(place / "stage", DEB.prefix + packed.PERCENT)
        strange.rename(strange.with_name(f"{number}-{strange.name}"))
        found[f"{name} {version}"] = pack(place, replace(library, name=name), version)
        if number == "0":
            place = folder / f"python-{version}"
            modules = inside(place / "stage", f"{DEB.site}/kernport")
            modules.mkdir(parents=True)
            for each in ("__init__", module):
                (modules / f"{each}.py").write_text(f'VERSION = "{version}"\n', encoding="ascii")
            found[f"python3-kernport {version}"] = pack(place, python, version)
    return found


def pack(place: Path, output: Output, version: str) -> Path:
    tree = packed.with_version(version)
    complete(tree, DEB, output, place / "stage")
    return packed.pack(packed.contents(place / "stage", DEB, HOST, output, tree), place / "out")


@pytest.fixture
def here(built: dict[str, Path], tmp_path: Path) -> System:
    system = foreign_system.system(HOST, "bookworm", tmp_path)
    for path in built.values():
        shutil.copy(path, system.shared)
    return system


def install(here: System, built: dict[str, Path], *names: str) -> None:
    here.run("dpkg", "--install", "--force-depends", *(f"/mnt/{built[name].name}" for name in names))


def version(here: System, module: str) -> str:
    return here.run("python3", "-c", f"import kernport.{module} as module; print(module.VERSION)").strip()


def modules(here: System) -> set[str]:
    """The names of Python's files in the system, with the byte code of each."""
    return {Path(name).name for name in here.left() if f"{DEB.site}/kernport/" in f"/{name}"} - {
        "__pycache__"
    }


def test_upgrade_downgrade_and_again(here: System, built: dict[str, Path]) -> None:
    def files(module: str) -> set[str]:
        names = ("__init__", module)
        return {f"{name}.py" for name in names} | {f"{name}.cpython-311.pyc" for name in names}

    for number, module in (("0.1.0", "early"), ("0.2.0", "late"), ("0.1.0", "early"), ("0.1.0", "early")):
        install(here, built, f"libkernport0 {number}", f"python3-kernport {number}")
        assert version(here, module) == number
        assert modules(here) == files(module)
        assert here.run("dpkg", "--verify", "libkernport0", "python3-kernport") == ""
    assert here.run("dpkg-query", "-W", "-f", "${Version}", "python3-kernport") == "0.1.0-1"
    here.run("dpkg", "--remove", "libkernport0", "python3-kernport")
    assert here.left() == set()


def test_byte_code_that_python_wrote_later_is_removed_too(here: System, built: dict[str, Path]) -> None:
    install(here, built, "python3-kernport 0.1.0")
    here.run("py3clean", "-p", "python3-kernport")
    assert "early.cpython-311.pyc" not in modules(here)
    assert version(here, "early") == "0.1.0"
    assert "early.cpython-311.pyc" in modules(here)
    here.run("dpkg", "--purge", "python3-kernport")
    assert here.left() == set()


def test_two_versions_side_by_side(here: System, built: dict[str, Path]) -> None:
    def loads(*numbers: str) -> bool:
        names = [f"libkernport.so.{number}" for number in numbers]
        program = f"import ctypes; [ctypes.CDLL(name).kp_status_text(0) for name in {names}]; print('both')"
        return here.run("python3", "-c", program).strip() == "both"

    install(here, built, "libkernport0 0.1.0", "libkernport1 0.2.0")
    assert loads("0", "1")
    cached = here.run("ldconfig", "-p")
    assert "libkernport.so.0 " in cached and "libkernport.so.1 " in cached
    install(here, built, "libkernport0 0.2.0")
    assert loads("0", "1")
    here.run("dpkg", "--purge", "libkernport0")
    assert loads("1")
    here.run("dpkg", "--purge", "libkernport1")
    assert here.left() == set()
