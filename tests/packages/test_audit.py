"""Packages of every format are read by the audit, which was written from the formats' descriptions."""

import gzip
import hashlib
import io
import json
import subprocess
import tarfile
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import packed
import planted
import pytest
import zstandard
from packed import SOME, TARGETS, TREE

from kernport.build.audit.finding import Audit
from kernport.build.audit.instructions import disassembler
from kernport.build.packages import nfpm

pytestmark = pytest.mark.xdist_group("packages")


@pytest.fixture(autouse=True)
def _disassembler() -> None:
    planted.need_disassembler()


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A stage with a library, for each format."""
    found = {}
    for form, name in SOME.items():
        folder = tmp_path_factory.mktemp(form)
        content = packed.library(folder, TARGETS[name])
        packed.stage_library(folder / "stage", TREE.format(form), TARGETS[name], content)
        found[form] = folder / "stage"
    return found


def audit_of(form: str, stage: Path, out: Path, target: str = "") -> Audit:
    what = packed.contents(stage, TREE.format(form), TARGETS[target or SOME[form]])
    return planted.audit(packed.pack(what, out))


@pytest.mark.parametrize("form", SOME)
def test_a_right_package_is_clean(stages: dict[str, Path], form: str, tmp_path: Path) -> None:
    report = audit_of(form, stages[form], tmp_path)
    assert report.findings == []
    target = TARGETS[SOME[form]]
    assert report.facts[""]["architecture"] == target.packages[form]
    places = [place for place in report.facts if place.endswith("libkernport.so.0.0.0")]
    built_for = report.facts[places[0]]["built_for"]
    assert isinstance(built_for, tuple) and target.name in built_for


def test_a_package_of_debugging_information(tmp_path: Path) -> None:
    """As dh_strip splits it off: no code to be hardened or read, but a machine to be right for."""
    name = "powerpc64le-linux-gnu"
    whole = tmp_path / "whole"
    whole.write_bytes(planted.compile_zig(tmp_path, TARGETS[name].zig, packed.LIBRARY))
    command = [disassembler().replace("objdump", "objcopy"), "--only-keep-debug", str(whole)]
    subprocess.run([*command, str(tmp_path / "debug")], check=True)
    place, content = "usr/lib/debug/.build-id/01/23.debug", (tmp_path / "debug").read_bytes()
    path = planted.write_deb(tmp_path, TARGETS[name].packages["deb"], "", {place: content})
    report = planted.audit(path)
    assert report.findings == []
    assert report.facts[place]["instructions"] == "none: it describes another file"
    (finding,) = planted.audit(planted.write_deb(tmp_path, "amd64", "", {place: content})).findings
    assert finding.rule == "architecture"


@pytest.mark.parametrize(
    ("form", "wrong"),
    [
        ("deb", "x86_64-linux-gnu"),
        ("rpm", "x86_64-linux-gnu"),
        ("apk", "x86_64-linux-musl"),
        ("arch", "aarch64-linux-gnu"),
        ("freebsd", "powerpc64le-freebsd"),
    ],
)
def test_a_package_for_another_architecture(
    stages: dict[str, Path], form: str, wrong: str, tmp_path: Path
) -> None:
    report = audit_of(form, stages[form], tmp_path, wrong)
    messages = [each.message for each in report.findings if each.rule == "architecture"]
    right = TARGETS[SOME[form]].packages[form]
    assert messages == [f"the package says {TARGETS[wrong].packages[form]}; the right one is {right}"]


@pytest.mark.parametrize("form", ["deb", "rpm", "apk", "arch"])
def test_a_package_that_does_not_depend_on_its_libc(
    stages: dict[str, Path], form: str, tmp_path: Path
) -> None:
    row = replace(TREE.format(form), libc_name="")
    path = packed.pack(packed.contents(stages[form], row, TARGETS[SOME[form]]), tmp_path)
    assert [each.rule for each in planted.audit(path).findings] == ["depends"]


def test_an_rpm_that_depends_on_too_old_a_libc(stages: dict[str, Path], tmp_path: Path) -> None:
    row = replace(TREE.format("rpm"), libc_name="libc.so.6(GLIBC_2.0)(64bit)")
    path = packed.pack(packed.contents(stages["rpm"], row, TARGETS[SOME["rpm"]]), tmp_path)
    (finding,) = planted.audit(path).findings
    assert finding.rule == "depends"
    assert "the package depends on libc.so.6(GLIBC_2.0)(64bit); it has to be" in finding.message


Members = list[tuple[tarfile.TarInfo, bytes]]


def repack(path: Path, change: Callable[[Members], Members]) -> None:
    """Change the members of a tar archive that zstd compressed."""
    with zstandard.open(path) as file:
        data = file.read()
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        members: Members = []
        for entry in archive:
            stream = archive.extractfile(entry) if entry.isfile() else None
            members.append((entry, stream.read() if stream else b""))
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for entry, content in change(members):
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    path.write_bytes(zstandard.compress(buffer.getvalue()))


def spoil_file(members: Members) -> Members:
    return [
        (entry, content + b"!" if entry.name.endswith("sure.txt") else content) for entry, content in members
    ]


def manifest_with(**changes: object) -> Callable[[Members], Members]:
    """Both manifests with other values; None takes a key out."""

    def change(members: Members) -> Members:
        changed: Members = []
        for entry, content in members:
            if entry.name.startswith("+"):
                values = json.loads(content) | changes
                content = json.dumps(
                    {key: value for key, value in values.items() if value is not None}
                ).encode()
            changed.append((entry, content))
        return changed

    return change


@pytest.mark.parametrize("form", ["arch", "freebsd"])
def test_a_file_that_was_changed(stages: dict[str, Path], form: str, tmp_path: Path) -> None:
    path = packed.pack(packed.contents(stages[form], TREE.format(form), TARGETS[SOME[form]]), tmp_path)
    repack(path, spoil_file)
    findings = planted.audit(path).findings
    assert "digest" in {each.rule for each in findings}
    assert all("sure.txt" in each.place or "flatsize" in each.message for each in findings)


def test_an_apk_whose_data_was_changed(stages: dict[str, Path], tmp_path: Path) -> None:
    path = packed.pack(packed.contents(stages["apk"], TREE.format("apk"), TARGETS[SOME["apk"]]), tmp_path)
    content = path.read_bytes()
    first = zlib.decompressobj(wbits=31)
    first.decompress(content)
    data = gzip.decompress(first.unused_data)
    assert b"to be escaped" in data
    control = content[: len(content) - len(first.unused_data)]
    path.write_bytes(control + gzip.compress(data.replace(b"to be escaped", b"to be EScaped")))
    findings = planted.audit(path).findings
    assert [each.rule for each in findings] == ["digest", "digest"]
    assert ".PKGINFO says" in findings[0].message


def test_an_apk_whose_link_has_the_sum_of_nothing(stages: dict[str, Path], tmp_path: Path) -> None:
    what = packed.contents(stages["apk"], TREE.format("apk"), TARGETS[SOME["apk"]])
    (tmp_path / "scratch").mkdir()
    path = nfpm.write(what, tmp_path / "scratch")
    (finding,) = planted.audit(path).findings
    nothing = hashlib.sha1(b"", usedforsecurity=False).hexdigest()
    assert (finding.rule, finding.place) == ("digest", "usr/lib/libkernport.so.0")
    assert finding.message.endswith(f"says {nothing}")


def test_an_rpm_whose_header_was_changed(stages: dict[str, Path], tmp_path: Path) -> None:
    path = packed.pack(packed.contents(stages["rpm"], TREE.format("rpm"), TARGETS[SOME["rpm"]]), tmp_path)
    content = path.read_bytes()
    assert content.count(TREE.maintainer.encode()) == 2  # who made it, and who changed it
    path.write_bytes(content.replace(TREE.maintainer.encode(), TREE.maintainer.upper().encode()))
    (finding,) = planted.audit(path).findings
    assert (finding.rule, finding.message[:19]) == ("digest", "the header's sha256")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (manifest_with(arch=None), "it lacks 'arch', which pkg(8) requires"),
        (manifest_with(arch="freebsd:14:powerpc:64"), "it has to be freebsd:14:powerpc:64:eb"),
        (manifest_with(abi="FreeBSD:14"), "abi is 'FreeBSD:14', not FreeBSD:RELEASE:ARCHITECTURE"),
        (manifest_with(flatsize=1), "flatsize is 1, and the files have "),
        (manifest_with(shlibs_provided=["libother.so.1"]), "shlibs_provided is libother.so.1; it has to be"),
        (manifest_with(files={}), "it is in only one of the archive and +MANIFEST"),
        (
            lambda members: [members[1], members[0], *members[2:]],
            "must be the first two members",
        ),
    ],
)
def test_a_manifest_that_is_wrong(
    stages: dict[str, Path], change: Callable[[Members], Members], message: str, tmp_path: Path
) -> None:
    form = TREE.format("freebsd")
    path = packed.pack(packed.contents(stages["freebsd"], form, TARGETS[SOME["freebsd"]]), tmp_path)
    repack(path, change)
    assert any(message in each.message for each in planted.audit(path).findings)
