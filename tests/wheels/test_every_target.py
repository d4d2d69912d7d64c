"""The wheels of every target, from this host: their tags, and what the extension inside was built for."""

import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import planted
import pytest
from elftools.elf.elffile import ELFFile

from kernport.build.recipe import load_tree
from kernport.build.target import Target, load_targets

ROOT = Path(__file__).resolve().parents[2]
TARGETS = load_targets(load_tree(ROOT))
WHEELS = [target for target in TARGETS.values() if target.wheel_tag]

pytestmark = pytest.mark.xdist_group("wheels")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return build_all(tmp_path_factory.mktemp("wheels"))


def build_all(out: Path) -> dict[str, Any]:
    command = [
        sys.executable,
        "-m",
        "kernport",
        "build",
        "wheel",
        "--target",
        "all",
        "--json",
        "--out",
        str(out),
    ]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert process.returncode in (0, 3), process.stderr
    rows = {row["target"]: row for row in json.loads(process.stdout)}
    names = sorted(Path(file).name for row in rows.values() for file in row.get("files", []))
    assert names == sorted(path.name for path in out.iterdir()), "nothing but whole wheels"
    return rows


def test_every_target_has_a_row(built: dict[str, Any]) -> None:
    assert set(built) == {target.name for target in WHEELS}


@pytest.mark.parametrize("target", WHEELS, ids=lambda target: target.name)
def test_wheel(built: dict[str, Any], target: Target) -> None:
    row = built[target.name]
    if "error" in row:
        assert target.gcc, row["error"]
        pytest.skip(row["error"])
    kinds = {"cp311-abi3": "_cffi.abi3.so", "cp314.cp315-cp314t.cp315t": "_cffi.so"}
    for file, kind in zip(row["files"], kinds, strict=True):
        assert file.endswith(f"-{kind}-{target.wheel_tag}.whl")
        with zipfile.ZipFile(file) as wheel:
            assert wheel.testzip() is None
            libraries = [name for name in wheel.namelist() if name.endswith(".so")]
            assert libraries == [f"kernport/{kinds[kind]}"]
            check_extension(ELFFile(io.BytesIO(wheel.read(libraries[0]))), target)


def check_extension(extension: ELFFile, target: Target) -> None:
    variant = target.variant
    assert extension["e_machine"] == variant.elf_machine
    assert extension.little_endian == (variant.endian == "little")
    assert extension.elfclass == variant.bits
    assert extension["e_type"] == "ET_DYN"
    if variant.elf_machine == "EM_PPC64":
        assert extension["e_flags"] & 3 == {"elfv1": 1, "elfv2": 2}[target.abi]


@pytest.mark.parametrize("target", WHEELS, ids=lambda target: target.name)
def test_the_audit_of_a_wheel_finds_nothing(built: dict[str, Any], target: Target) -> None:
    row = built[target.name]
    if "error" in row:
        assert target.gcc, row["error"]
        pytest.skip(row["error"])
    planted.need_disassembler()
    for file in row["files"]:
        report = planted.audit(Path(file))
        assert report.findings == []
        (facts,) = (facts for place, facts in report.facts.items() if place)
        assert facts["built_for"] == (target.name,)
        check_uses(facts["uses"], target)


def check_uses(uses: object, target: Target) -> None:
    """What the audit saw is code: every kernel that requires a feature uses one."""
    assert isinstance(uses, dict)
    wanted = {
        f"{family.name}/{kernel.name}"
        for family in planted.TREE.families
        for kernel in family.kernels
        if target.variant.name in kernel.arch and set(kernel.requires) - set(target.variant.baseline)
    }
    assert wanted <= uses.keys()


def test_a_second_time_nothing_is_built(built: dict[str, Any], tmp_path: Path) -> None:
    again = build_all(tmp_path)
    names = {name: [Path(file).name for file in row.get("files", [])] for name, row in built.items()}
    assert {name: [Path(file).name for file in row.get("files", [])] for name, row in again.items()} == names
    assert all(row["unchanged"] for row in again.values() if "files" in row)
    for row in built.values():
        for file in row.get("files", []):
            assert (tmp_path / Path(file).name).read_bytes() == Path(file).read_bytes()
