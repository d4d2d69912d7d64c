"""pip installs the right wheel of several from an index of files."""

import json
import subprocess
import sys
from pathlib import Path

import planted
import pytest
from emulated import PIP_INSTALL
from planted import wheel_files, write_wheel

from kernport.build.index import write_index
from kernport.errors import UsageError

# A host's platform as pip names it, and the tag of the wheel that it must take.
HOSTS = {
    "manylinux_2_36_x86_64": "manylinux_2_17_x86_64",
    "musllinux_1_2_x86_64": "musllinux_1_2_x86_64",
    "manylinux_2_36_ppc64le": "manylinux_2_17_ppc64le",
    "manylinux_2_17_ppc64": "manylinux_2_17_ppc64",
    "manylinux_2_41_riscv64": "manylinux_2_31_riscv64",
    "freebsd_14_0_release_amd64": "freebsd_14_0_release_amd64",
}


# A host, a Python's version and ABI, and what is in the wheel that it must take.
PYTHONS = [
    *((host, "3.12", "abi3", "stable") for host in HOSTS),
    ("manylinux_2_36_x86_64", "3.14", "cp314t", "free"),
    ("musllinux_1_2_x86_64", "3.15", "cp315t", "free"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("index")
    abis = planted.TREE.free_threaded
    free = f"{'.'.join(abi.removesuffix('t') for abi in abis)}-{'.'.join(abis)}"
    for target in planted.TARGETS.values():
        for kind, name in ((planted.STABLE_ABI, "stable"), (free, "free")) if target.wheel_tag else ():
            files = wheel_files(target.wheel_tag, f"{name} {target.name}".encode(), "_x.so", kind)
            write_wheel(folder, target.wheel_tag, files, kind=kind)
    write_index(folder)
    return folder


def compatible(platform: str) -> list[str]:
    """What a host of that platform tells pip: each version of its libc down to the oldest."""
    kind, major, minor, arch = platform.split("_", 3)
    if kind == "freebsd":
        return [platform]
    return [f"{kind}_{major}_{number}_{arch}" for number in range(int(minor), -1, -1)]


@pytest.mark.parametrize(("host", "python", "abi", "kind"), PYTHONS)
def test_pip_takes_the_right_wheel(
    tmp_path: Path, folder: Path, host: str, python: str, abi: str, kind: str
) -> None:
    command = [
        *PIP_INSTALL,
        "--index-url",
        f"{folder.as_uri()}/simple",
        "--no-cache-dir",
        "--only-binary",
        ":all:",
    ]
    command += ["--python-version", python, "--implementation", "cp", "--abi", abi, "--target", str(tmp_path)]
    for platform in compatible(host):
        command += ["--platform", platform]
    process = subprocess.run([*command, "planted"], capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    (target,) = (each for each in planted.TARGETS.values() if each.wheel_tag == HOSTS[host])
    assert (tmp_path / "_x.so").read_bytes().decode() == f"{kind} {target.name}"


def test_pip_refuses_a_wheel_that_is_not_the_one_listed(tmp_path: Path) -> None:
    tag = "manylinux_2_17_x86_64"
    path = write_wheel(tmp_path, tag, wheel_files(tag, b"right"))
    write_index(tmp_path)
    path.write_bytes(path.read_bytes() + b"more")
    command = [
        sys.executable,
        "-m",
        "pip",
        "--disable-pip-version-check",
        "--isolated",
        "download",
        "--no-deps",
    ]
    command += [
        "--index-url",
        f"{tmp_path.as_uri()}/simple",
        "--no-cache-dir",
        "--dest",
        str(tmp_path / "out"),
    ]
    command += [
        "--platform",
        tag,
        "--python-version",
        "3.12",
        "--abi",
        "abi3",
        "--only-binary",
        ":all:",
        "planted",
    ]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    assert process.returncode != 0
    assert "HASHES" in process.stderr


def test_json_and_html_list_the_same(folder: Path) -> None:
    data = json.loads((folder / "simple" / "planted" / "index.json").read_text(encoding="utf-8"))
    page = (folder / "simple" / "planted" / "index.html").read_text(encoding="utf-8")
    assert data["meta"] == {"api-version": "1.1"}
    assert data["versions"] == ["1.0"]
    assert len(data["files"]) == len(list(folder.glob("*.whl")))
    for entry in data["files"]:
        assert f'href="{entry["url"]}#sha256={entry["hashes"]["sha256"]}"' in page
        assert (folder / "simple" / "planted" / entry["url"]).resolve().stat().st_size == entry["size"]


def test_nothing_to_list(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no wheel and no source distribution"):
        write_index(tmp_path)
