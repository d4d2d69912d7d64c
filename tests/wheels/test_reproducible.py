"""Built twice, in two places and ways, artefacts are the same bytes; and the comparison can fail."""

import json
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import replace
from pathlib import Path

import planted
import pytest

from kernport.build.contents import mode_of, tree_files, write_tar_gz, write_zip
from kernport.build.sdist import build_sdist
from kernport.build.verify import _compare
from kernport.errors import AnswerNo

pytestmark = pytest.mark.xdist_group("wheels")


def build(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "kernport", "build", *arguments],
        cwd=planted.ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_sdist(tmp_path: Path) -> None:
    process = build("sdist", "--verify", "--out", str(tmp_path))
    assert process.returncode == 0, process.stderr
    assert "identical when built again elsewhere" in process.stderr


@pytest.mark.long
def test_a_wheel(tmp_path: Path) -> None:
    process = build("wheel", "--target", "riscv64-linux-musl", "--verify", "--out", str(tmp_path))
    assert process.returncode == 0, process.stderr
    assert "identical when built again elsewhere" in process.stderr


def test_a_wheel_built_from_the_sdist_is_the_same(tmp_path: Path) -> None:
    target = "riscv64-linux-musl"
    sdist = build_sdist(planted.TREE, tmp_path)
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (tree,) = (path for path in tmp_path.iterdir() if path.is_dir())
    built = []
    for number, root in enumerate((planted.ROOT, tree)):
        out = tmp_path / f"out{number}"
        process = build("wheel", "--target", target, "--tree", str(root), "--out", str(out))
        assert process.returncode == 0, process.stderr
        built.append({path.name: path.read_bytes() for path in out.iterdir()})
    assert built[0] == built[1]
    assert len(built[0]) == 2


def test_the_sdist_has_every_file_and_its_metadata(tmp_path: Path) -> None:
    path = build_sdist(planted.TREE, tmp_path)
    top = f"kernport-{planted.TREE.version}"
    assert path.name == f"{top}.tar.gz"
    with tarfile.open(path) as archive:
        members = {entry.name: entry for entry in archive}
    names = {f"{top}/{name.as_posix()}" for name in tree_files(planted.ROOT)}
    assert members.keys() == names | {f"{top}/PKG-INFO"}
    assert {(each.uid, each.gid, each.uname, each.gname) for each in members.values()} == {(0, 0, "", "")}
    assert {each.mode for each in members.values()} == {0o644, 0o755}
    assert mode_of(planted.ROOT / "bin" / "kernport") == 0o755


def test_two_zips_that_differ_are_told_apart(tmp_path: Path) -> None:
    paths = [tmp_path / "a" / "x.whl", tmp_path / "b" / "x.whl"]
    for path, content in zip(paths, (b"1", b"2"), strict=True):
        path.parent.mkdir()
        write_zip(path, {"same": (0o644, b""), "other": (0o644, content)})
    with pytest.raises(AnswerNo, match=r"x\.whl: two builds differ, in other$"):
        _compare(*paths)
    with zipfile.ZipFile(paths[0]) as first:
        write_zip(paths[1], {name: (0o600, first.read(name)) for name in first.namelist()})
    with pytest.raises(AnswerNo, match="in the order or dates of its files"):
        _compare(*paths)


def test_archives_bear_the_date_they_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    write_zip(tmp_path / "x.zip", {"name": (0o644, b"")})
    write_tar_gz(tmp_path / "x.tar.gz", {"name": (0o644, b"")})
    with zipfile.ZipFile(tmp_path / "x.zip") as archive:
        assert archive.getinfo("name").date_time == (2023, 11, 14, 22, 13, 20)
    with tarfile.open(tmp_path / "x.tar.gz") as tar:
        assert tar.getmember("name").mtime == 1700000000


def test_the_bill_of_materials_is_cyclonedx(tmp_path: Path) -> None:
    validation = pytest.importorskip(
        "cyclonedx.validation.json",
        reason="cyclonedx-python-lib is missing; pip install cyclonedx-python-lib",
    )
    schema = pytest.importorskip("cyclonedx.schema")
    from kernport.build.bill_of_materials import bill_of_materials

    target = planted.TARGETS["powerpc64le-linux-gnu"]
    library = planted.compile_zig(tmp_path, "powerpc64le-linux-musl", planted.MODULE)
    text = bill_of_materials(planted.TREE, target, {"x.so": library}).decode()
    version = schema.SchemaVersion.V1_6
    assert validation.JsonStrictValidator(version).validate_str(text) is None
    names = {each["name"] for each in json.loads(text)["components"]}
    assert {"aes-gcm/power8-crypto", "md5/portable", "x.so"} <= names
    assert not any("aesni" in name for name in names)
    assert text == bill_of_materials(planted.TREE, target, {"x.so": library}).decode()
    newer = replace(planted.TREE, version="0.2.0")
    serials = [
        json.loads(bill_of_materials(tree, target, {}))["serialNumber"] for tree in (planted.TREE, newer)
    ]
    assert serials[0] != serials[1]
