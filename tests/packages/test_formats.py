"""Every format: its packages for one of its targets, read by something other than what wrote them."""

import hashlib
import io
import json
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
import zstandard
from elftools.elf.elffile import ELFFile

from kernport.build.recipe import load_tree
from kernport.build.target import Target, load_targets

ROOT = Path(__file__).resolve().parents[2]
TREE = load_tree(ROOT)
TARGETS = load_targets(TREE)

pytestmark = pytest.mark.xdist_group("packages")


def build(form: str, target: str, out: Path) -> list[Path]:
    command = [sys.executable, "-m", "kernport", "build", form, "--target", target, "--out", str(out)]
    subprocess.run(command, cwd=ROOT, check=True)
    return sorted(out.iterdir())


@pytest.mark.parametrize("target", TARGETS.values(), ids=lambda target: target.name)
def test_every_target_has_a_name_or_a_reason_in_every_format(target: Target) -> None:
    for form in TREE.formats:
        assert bool(target.packages.get(form.name)) != bool(target.why_no(form.name))


def members(data: bytes) -> dict[str, tarfile.TarInfo]:
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        return {entry.name: entry for entry in archive.getmembers()}


def test_arch(tmp_path: Path) -> None:
    paths = build("arch", "x86_64-linux-gnu", tmp_path)
    assert [path.name for path in paths] == [
        "kernport-0.1.0-1-x86_64.pkg.tar.zst",
        "python-kernport-0.1.0-1-x86_64.pkg.tar.zst",
    ]
    with zstandard.open(paths[0]) as file:
        names = members(file.read())
    assert {".PKGINFO", "usr/lib/libkernport.so.0.0.0", "usr/include/kernport.h"} <= set(names)
    # The parts that the compiler adds for glibc would tell where they lie on the machine that built.
    for path in paths:
        with zstandard.open(path) as file, tarfile.open(fileobj=io.BytesIO(file.read())) as archive:
            found = [archive.extractfile(entry) for entry in archive if entry.isreg() and ".so" in entry.name]
            contents = [each.read() for each in found if each]
        libraries = [each for each in contents if each.startswith(b"\x7fELF")]
        assert libraries
        for content in libraries:
            assert sys.prefix.encode() not in content
            sections = ELFFile(io.BytesIO(content)).iter_sections()
            assert not [each.name for each in sections if each.name.startswith(".debug_")]


def test_freebsd(tmp_path: Path) -> None:
    library, python = build("freebsd", "powerpc64-freebsd", tmp_path)
    assert (library.name, python.name) == ("kernport-0.1.0.pkg", "py311-kernport-0.1.0.pkg")
    for path in (library, python):
        with zstandard.open(path) as file:
            data = file.read()
        entries = members(data)
        names = list(entries)
        assert names[:2] == ["+COMPACT_MANIFEST", "+MANIFEST"]
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            texts = {}
            for name in names:
                file = archive.extractfile(name) if entries[name].isreg() else None
                texts[name] = file.read() if file else entries[name].linkname.encode()
        manifest = json.loads(texts["+MANIFEST"])
        compact = json.loads(texts["+COMPACT_MANIFEST"])
        assert b" :" not in texts["+MANIFEST"]
        full = ("files", "scripts")
        assert compact == {key: value for key, value in manifest.items() if key not in full}
        assert manifest["abi"] == "FreeBSD:14:powerpc64"
        assert manifest["arch"] == "freebsd:14:powerpc:64:eb"
        assert manifest["flatsize"] == sum(entries[name].size for name in names[2:])
        assert manifest["files"] == {
            name: f"1${hashlib.sha256(texts[name]).hexdigest()}" for name in names[2:]
        }
        assert all(name.startswith("/usr/local/") for name in names[2:])
        assert all((entry.uname, entry.gname) == ("root", "wheel") for entry in entries.values())
    assert manifest["deps"]["py311-cffi"] == {"origin": "devel/py-cffi", "version": "1.17.1"}


def test_a_format_that_a_target_cannot_have_says_why(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "kernport", "build", "deb", "--target", "powerpc64-linux-musl"]
    process = subprocess.run(
        [*command, "--out", str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert process.returncode == 1
    assert "powerpc64-linux-musl: no deb: Debian is Linux with glibc" in process.stderr


def test_an_unknown_format_lists_the_known_ones(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "kernport", "build", "rpn", "--out", str(tmp_path)]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert process.returncode == 2
    assert "unknown format 'rpn'; did you mean 'rpm'?" in process.stderr
