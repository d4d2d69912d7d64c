"""The host's deb: what is in it, and that it works where only python3-cffi-backend stands beside it."""

import gzip
import io
import os
import shutil
import subprocess
import sys
import tarfile
from datetime import date
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import aead as pyca

from kernport.build.recipe import load_tree
from kernport.build.target import host_target, load_targets

ROOT = Path(__file__).resolve().parents[2]
TREE = load_tree(ROOT)
TARGETS = load_targets(TREE)
HOST = TARGETS[host_target(TARGETS)]

PROGRAM = """
import kernport
print(kernport.__file__)
print(kernport.AESGCM(bytes(16)).encrypt(bytes(12), b"a text" * 100, b"a header").hex())
"""

pytestmark = pytest.mark.xdist_group("deb")

needs_dpkg = pytest.mark.skipif(
    shutil.which("dpkg-deb") is None, reason="dpkg is missing: apt-get install dpkg"
)


def build(target: str, out: Path) -> dict[str, Path]:
    command = [sys.executable, "-m", "kernport", "build", "deb", "--target", target, "--out", str(out)]
    subprocess.run(command, cwd=ROOT, check=True)
    return {path.name.split("_")[0]: path for path in out.iterdir()}


@pytest.fixture(scope="module")
def host_debs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    if "deb" not in HOST.packages:
        pytest.skip(f"{HOST.name} has no deb: {HOST.reasons['deb']}")
    return build(HOST.name, tmp_path_factory.mktemp("debs"))


def field(deb: Path, name: str) -> str:
    command = ["dpkg-deb", "--field", str(deb), name]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@needs_dpkg
def test_fields(host_debs: dict[str, Path]) -> None:
    assert set(host_debs) == {"libkernport0", "libkernport-dev", "python3-kernport"}
    for deb in host_debs.values():
        assert field(deb, "Architecture") == HOST.packages["deb"]
        place = f"./usr/share/doc/{field(deb, 'Package')}/changelog.Debian.gz"
        archive = subprocess.run(["dpkg-deb", "--fsys-tarfile", str(deb)], capture_output=True, check=True)
        with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
            entry = files.extractfile(place)
            assert entry is not None
            day = date.fromisoformat(TREE.released)
            assert f">  {day:%a, %d %b %Y} 00:00:00 +0000\n" in gzip.decompress(entry.read()).decode()
    assert "python3-cffi-backend" in field(host_debs["python3-kernport"], "Depends")
    assert f"libkernport0 (= {field(host_debs['libkernport0'], 'Version')})" in field(
        host_debs["libkernport-dev"], "Depends"
    )


@needs_dpkg
def test_use(host_debs: dict[str, Path], tmp_path: Path) -> None:
    python = Path("/usr/bin/python3")
    environment = {"PATH": os.defpath}
    has_backend = subprocess.run([python, "-c", "import _cffi_backend"], env=environment, check=False)
    if has_backend.returncode != 0:
        pytest.skip("/usr/bin/python3 lacks cffi's backend: apt-get install python3-cffi-backend")
    deb = host_debs["python3-kernport"]
    if os.geteuid() == 0:
        subprocess.run(["dpkg", "-i", str(deb)], check=True)
    else:
        subprocess.run(["dpkg-deb", "-x", str(deb), str(tmp_path)], check=True)
        environment["PYTHONPATH"] = str(tmp_path / "usr/lib/python3/dist-packages")
    try:
        process = subprocess.run(
            [python, "-c", PROGRAM], env=environment, cwd=tmp_path, capture_output=True, text=True, check=True
        )
    finally:
        if os.geteuid() == 0:
            subprocess.run(["dpkg", "-r", "python3-kernport"], check=True)
    home, sealed = process.stdout.split()
    assert "dist-packages" in home
    assert pyca.AESGCM(bytes(16)).decrypt(bytes(12), bytes.fromhex(sealed), b"a header") == b"a text" * 100


@needs_dpkg
def test_foreign(tmp_path: Path) -> None:
    debs = build("powerpc64le-linux-gnu", tmp_path)
    assert {field(deb, "Architecture") for deb in debs.values()} == {"ppc64el"}
