"""Binary packages, read by other programs than those that wrote them: every field, digest and order.

apk-tools and pkg(8) are in no Debian, so tests/rigs has readers for their formats, written from their pages.
"""

import gzip
import io
import json
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard
from apk_reader import read_apk
from exported import as_root, install_arch, install_rpms, needs, run
from freebsd_reader import read_pkg

from kernport.build.recipe import load_tree
from kernport.build.target import host_target, load_targets

ROOT = Path(__file__).resolve().parents[2]
TREE = load_tree(ROOT)
TARGETS = load_targets(TREE)
HOST = host_target(TARGETS)

pytestmark = pytest.mark.xdist_group("packages")


def build(form: str, target: str, out: Path) -> list[Path]:
    if reason := TARGETS[target].why_no(form):
        pytest.skip(f"{target} has no {form}: {reason}")
    command = [sys.executable, "-m", "kernport", "build", form, "--target", target, "--out", str(out)]
    subprocess.run(command, cwd=ROOT, check=True)
    return sorted(out.iterdir())


@pytest.fixture(scope="module")
def apks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    paths = build("apk", "x86_64-linux-musl", tmp_path_factory.mktemp("apk"))
    return {path.name.rsplit("-", 2)[0]: path.read_bytes() for path in paths}


@pytest.fixture(scope="module")
def pkgs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    paths = build("freebsd", "powerpc64-freebsd", tmp_path_factory.mktemp("pkg"))
    return {path.name.rpartition("-")[0]: path.read_bytes() for path in paths}


def test_apk(apks: dict[str, bytes]) -> None:
    found = {}
    for name, data in apks.items():
        fields, entries, faults = read_apk(data)
        assert faults == []
        assert (fields["pkgname"], fields["pkgver"], fields["arch"]) == ([name], ["0.1.0-r0"], ["x86_64"])
        assert fields["license"] == ["BSD-2-Clause"]
        found[name] = fields | {"files": [entry.name for entry in entries if entry.kind != "folder"]}
    assert set(found) == {"libkernport", "kernport-dev", "py3-kernport"}
    assert found["libkernport"]["provides"] == ["so:libkernport.so.0=0.0.0"]
    assert {"usr/lib/libkernport.so.0", "usr/lib/libkernport.so.0.0.0"} <= set(found["libkernport"]["files"])
    assert found["libkernport"]["depend"] == ["so:libc.musl-x86_64.so.1"]
    assert found["kernport-dev"]["depend"] == ["libkernport=0.1.0-r0"]
    assert "usr/lib/python3.12/site-packages/kernport/_cffi.abi3.so" in found["py3-kernport"]["files"]


def test_freebsd(pkgs: dict[str, bytes]) -> None:
    for name, data in pkgs.items():
        manifest, entries, faults = read_pkg(data)
        assert faults == []
        assert (manifest["name"], manifest["version"]) == (name, "0.1.0")
        assert manifest["abi"] == "FreeBSD:14:powerpc64"
        assert all(entry.mode in (0o644, 0o755) for entry in entries)
    assert set(pkgs) == {"kernport", "py311-kernport"}


def test_the_ports_are_the_packages_and_list_what_they_hold(pkgs: dict[str, bytes], tmp_path: Path) -> None:
    from kernport.build.skeletons import export

    written = export("port", TREE, tmp_path / "port")
    ports = {path.parent for path in written if path.name == "Makefile"}
    assert {tmp_path / "port" / read_pkg(data)[0]["origin"] for data in pkgs.values()} == ports
    plist = (tmp_path / "port" / "security" / "kernport" / "pkg-plist").read_text().split()
    _, entries, _ = read_pkg(pkgs["kernport"])
    names = {entry.name.removeprefix("/usr/local/") for entry in entries}
    assert set(plist) == {name for name in names if not name.startswith("share/licenses/")}


def changed_pkg(data: bytes, change: Callable[[dict[str, bytes]], None]) -> bytes:
    """The package with other contents; links stay links."""
    with zstandard.open(io.BytesIO(data)) as file, tarfile.open(fileobj=io.BytesIO(file.read())) as archive:
        entries = {entry.name: entry for entry in archive.getmembers()}
        opened = {name: archive.extractfile(name) if each.isreg() else None for name, each in entries.items()}
        contents = {name: each.read() if each else b"" for name, each in opened.items()}
    change(contents)
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, content in contents.items():
            entry = entries.get(name, entries["+MANIFEST"])
            entry.name, entry.size = name, len(content)
            archive.addfile(entry, io.BytesIO(content))
    return zstandard.compress(buffer.getvalue())


def edit(changes: dict[str, Any]) -> Callable[[dict[str, bytes]], None]:
    def change(contents: dict[str, bytes]) -> None:
        for name in ("+COMPACT_MANIFEST", "+MANIFEST"):
            manifest = json.loads(contents[name]) | changes
            contents[name] = json.dumps(manifest, separators=(",", ":")).encode()

    return change


def turn_around(contents: dict[str, bytes]) -> None:
    contents["+COMPACT_MANIFEST"] = contents.pop("+COMPACT_MANIFEST")


def spoil_header(contents: dict[str, bytes]) -> None:
    contents["/usr/local/include/kernport.h"] += b" "


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (edit({}), ""),
        (turn_around, "it begins with"),
        (spoil_header, "kernport.h: another sum"),
        (
            lambda contents: contents.pop("/usr/local/include/kernport.h"),
            "in one of archive and manifest only",
        ),
        (edit({"flatsize": 1}), "flatsize is 1"),
        (edit({"abi": "FreeBSD:14:powerpc64le"}), "arch freebsd:14:powerpc:64:eb"),
        (edit({"license": "BSD"}), "unknown key license"),
        (edit({"maintainer": "nobody"}), "maintainer: 'nobody'"),
    ],
    ids=["nothing", "order", "content", "missing", "size", "abi", "key", "maintainer"],
)
def test_the_reader_of_freebsd_packages_sees(pkgs: dict[str, bytes], change: Any, fault: str) -> None:
    _, _, faults = read_pkg(changed_pkg(pkgs["kernport"], change))
    assert any(fault in each for each in faults) if fault else faults == []


def test_the_reader_of_apks_sees(apks: dict[str, bytes]) -> None:
    data = apks["py3-kernport"]
    assert read_apk(data)[2] == []
    packed = data[: data.index(b"\x1f\x8b\x08", 3)]
    with tarfile.open(fileobj=io.BytesIO(gzip.decompress(data[len(packed) :]))) as archive:
        assert archive.getnames()
    other = gzip.compress(gzip.decompress(data[len(packed) :]), 1)
    assert read_apk(packed + other)[2] == ["datahash is not the SHA-256 of the data section"]
    assert read_apk(gzip.compress(gzip.decompress(data)))[2] == [
        "1 gzip streams instead of two: nothing is signed"
    ]


@needs("lintian")
def test_lintian_has_nothing_to_say_about_debs(tmp_path: Path) -> None:
    """What is true and stays so is in the packages' overrides, with its reason (recipes/formats.yaml)."""
    paths = build("deb", HOST, tmp_path / "out")
    said = run(["lintian", "--allow-root", "--fail-on", "error,warning", *map(str, paths)], tmp_path)
    assert said == ""


@needs("rpmlint")
def test_rpmlint_has_nothing_to_say_about_rpms(tmp_path: Path) -> None:
    """What is not for these packages is in its settings, with the reason."""
    paths = build("rpm", "x86_64-linux-gnu", tmp_path / "out")
    settings = str(ROOT / "tests" / "packages" / "tools" / "rpmlint.toml")
    said = run(["rpmlint", "--config", settings, *map(str, paths)], tmp_path)
    assert f"{len(paths)} packages and 0 specfiles checked; 0 errors, 0 warnings" in said, said


@needs("pacman:pacman-package-manager")
@as_root
def test_pacman_installs(tmp_path: Path) -> None:
    paths = build("arch", "x86_64-linux-gnu", tmp_path / "out")
    install_arch(tmp_path / "root", paths)
    assert (tmp_path / "root" / "usr" / "lib" / "libkernport.so.0").resolve().is_file()


@needs("rpm")
@as_root
def test_rpm_installs(tmp_path: Path) -> None:
    paths = build("rpm", "x86_64-linux-gnu", tmp_path / "out")
    install_rpms(tmp_path / "root", paths)
    assert (tmp_path / "root" / "usr" / "lib64" / "libkernport.so.0").resolve().is_file()
