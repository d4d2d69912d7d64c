"""examples/crc32c: another tree gets what kernport's own kernels get."""

import json
import os
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path

import pytest

from kernport.build.contents import copy_tree
from kernport.build.dispatcher import dispatcher_files
from kernport.build.recipe import load_tree
from kernport.build.stage import DISPATCHER_INCLUDED
from kernport.build.target import load_targets
from kernport.build.toolchain import compiler
from kernport.errors import EnvironmentLacks

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "crc32c"
TREE = load_tree(EXAMPLE)
TARGETS = load_targets(TREE)
WORK = ROOT / "build" / "examples"
# A target of each architecture, where checkasm runs without much waiting.
CHECKED = (
    "x86_64-linux-gnu",
    "aarch64-linux-musl",
    "powerpc64le-linux-musl",
    "powerpc64-linux-musl",
    "riscv64-linux-musl",
)
STRICT = ("-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic")


def kernport(*arguments: str) -> subprocess.CompletedProcess[str]:
    """A command of kernport on the example."""
    return subprocess.run(
        [
            sys.executable,
            "-m",
            "kernport",
            *arguments,
            "--tree",
            str(EXAMPLE),
            "--work",
            str(WORK / "crc32c"),
        ],
        capture_output=True,
        text=True,
        cwd=EXAMPLE.parents[1],
        timeout=1800,
        check=False,
    )


def checked(target: str, *options: str) -> set[str]:
    """The kernels that passed on a target; none may fail."""
    process = kernport("checkasm", "--target", target, "--json", *options)
    assert process.returncode in (0, 3), process.stdout + process.stderr
    rows = json.loads(process.stdout)
    assert all(row["state"] in ("passed", "refused", "not run") for row in rows), rows
    return {row["kernel"] for row in rows if row["state"] == "passed"}


@pytest.mark.parametrize(
    "target", [pytest.param(each, marks=pytest.mark.xdist_group(each)) for each in CHECKED]
)
def test_its_kernels_pass(target: str) -> None:
    arch = TARGETS[target].variant.name
    (family,) = TREE.families
    passed = checked(target)
    unseen = {f"{family.name}/{each.name}" for each in family.kernels if each.runs_on(arch)} - passed
    # Nothing here runs AVX-512.
    assert unseen <= {"crc32c/vpclmul-avx512", "crc32c/vpclmul-avx2"}, unseen


@pytest.mark.long
@pytest.mark.parametrize("target", TARGETS)
def test_its_kernels_pass_on_every_target(target: str) -> None:
    passed = checked(target)
    assert "crc32c/portable" in passed or not TARGETS[target].cpus or target.endswith("-gnu")


@pytest.mark.long
def test_it_has_a_wheel_and_packages_for_every_target(tmp_path: Path) -> None:
    for form in ("wheel", "deb", "rpm", "freebsd"):
        process = kernport("build", form, "--target", "all", "--out", str(tmp_path / form))
        assert process.returncode == 0, process.stderr
        audit = kernport("audit", "--quiet", *map(str, sorted((tmp_path / form).rglob("*.*"))))
        assert audit.returncode == 0, audit.stdout


@pytest.mark.parametrize("name", TARGETS)
def test_its_dispatcher_compiles_alone(name: str, tmp_path: Path) -> None:
    for file, text in dispatcher_files(TREE).items():
        (tmp_path / "dispatch").mkdir(exist_ok=True)
        (tmp_path / "dispatch" / file).write_text(text, encoding="utf-8")
    sources = [
        path for path in (tmp_path / "dispatch").glob("*.c") if not DISPATCHER_INCLUDED.match(path.name)
    ]
    includes = [f"-I{each}" for each in (tmp_path, tmp_path / "dispatch", EXAMPLE / "include")]
    try:
        command = [*compiler(TARGETS[name]), *TARGETS[name].flags]
    except EnvironmentLacks as error:
        pytest.skip(str(error))
    for source in sources:
        process = subprocess.run(
            [*command, *STRICT, *includes, '-DCRC_SYSCONFDIR="/etc"', "-c", str(source)],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        assert process.returncode == 0, process.stderr
        assert (tmp_path / f"{source.stem}.o").is_file()


TOGETHER = """
import crc32c, json, kernport, sys
from crc32c import host
print(json.dumps({
    "check": crc32c.crc32c(0, b"123456789"),
    "empty": kernport.md5(b"").hexdigest(),
    "theirs": {kernel.name: kernel.state for kernel in host().kernels},
    "ours": {f"{kernel.family}/{kernel.name}": kernel.state for kernel in kernport.host().kernels},
    "remarks": [*host().remarks, *kernport.host().remarks],
}))
"""


def test_two_trees_in_one_process(tmp_path: Path) -> None:
    process = kernport("build", "wheel", "--out", str(tmp_path))
    assert process.returncode == 0, process.stderr
    (wheel,) = tmp_path.glob("crc32c-*-abi3-*.whl")
    venv.create(tmp_path / "venv", system_site_packages=True, with_pip=False)
    python = tmp_path / "venv" / "bin" / "python"
    packages = subprocess.run(
        [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    subprocess.run([sys.executable, "-m", "zipfile", "-e", str(wheel), packages], check=True)
    site = subprocess.run(
        [sys.executable, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()

    def run(**environment: str) -> dict[str, object]:
        process = subprocess.run(
            [str(python), "-c", TOGETHER],
            env=os.environ | {"PYTHONPATH": site} | environment,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert process.returncode == 0, process.stderr
        result: dict[str, object] = json.loads(process.stdout)
        assert result["check"] == 0xE3069283
        assert result["empty"] == "d41d8cd98f00b204e9800998ecf8427e"
        return result

    plain = run()
    assert plain["remarks"] == []
    fast = [name for name, state in dict(plain["theirs"]).items() if state == "chosen"]  # type: ignore[call-overload]
    ours = run(CRC32C_DISABLE_KERNEL=",".join(f"crc32c/{name}" for name in fast if name != "portable"))
    assert ours["ours"] == plain["ours"], "an override of one tree must not reach another"
    if fast != ["portable"]:
        assert ours["theirs"] != plain["theirs"]
    theirs = run(KERNPORT_DISABLE_KERNEL="md5-many/avx2,md5/x86-64,md5/aarch64,md5/power,md5/rv64")
    assert theirs["theirs"] == plain["theirs"]


def spoilt(tmp_path: Path, spoil: Callable[[Path], None], *arguments: str) -> str:
    """What kernport says, on standard error, of a spoilt copy of the example; it must be wrong use."""
    tree = tmp_path / "crc32c"
    copy_tree(EXAMPLE, tree)
    spoil(tree)
    process = subprocess.run(
        [sys.executable, "-m", "kernport", *arguments, "--tree", str(tree)],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert process.returncode in (1, 2), process.stdout + process.stderr
    return process.stderr


def edit(name: str, old: str, new: str) -> Callable[[Path], None]:
    def change(tree: Path) -> None:
        text = (tree / name).read_text(encoding="utf-8")
        assert old in text
        (tree / name).write_text(text.replace(old, new, 1), encoding="utf-8")

    return change


FAMILY = "recipes/families/crc32c.yaml"


@pytest.mark.parametrize(
    "spoil, said",
    [
        pytest.param(
            edit(FAMILY, "name: sse42", "name: pclmul"),
            "there are two kernels named 'pclmul'; rename one",
            id="two kernels of one name",
        ),
        pytest.param(
            edit("include/crc32c.h", "uint32_t crc32c(", "uint32_t __attribute__((pure)) crc32c("),
            "cffi cannot read this",
            id="a header that cffi cannot read",
        ),
        pytest.param(
            edit(FAMILY, "      length: length\n", "      size: length\n"),
            "crc32c has the arguments crc, data, length, in this order",
            id="arguments that are others than the interface's",
        ),
        pytest.param(
            edit(FAMILY, "{reads: length}", "{writes: length}"),
            "'writes' does not fit the interface",
            id="a const buffer that is written",
        ),
        pytest.param(
            edit(FAMILY, "known_answers:", "known_answer:"),
            "unknown key 'known_answer'; did you mean 'known_answers'?",
            id="a misspelt key",
        ),
        pytest.param(lambda tree: (tree / "LICENSE").unlink(), "there is no file 'LICENSE'", id="no licence"),
    ],
)
def test_bad_trees_are_refused(tmp_path: Path, spoil: Callable[[Path], None], said: str) -> None:
    assert said in spoilt(tmp_path, spoil, "build", "wheel", "--out", str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_a_source_for_another_architecture_is_named(tmp_path: Path) -> None:
    told = spoilt(
        tmp_path,
        edit(FAMILY, "[native/x86_64/sse42.S]", "[native/riscv64/zbc.S]"),
        *("build", "wheel", "--target", "x86_64-linux-musl", "--out", str(tmp_path / "out")),
    )
    line = next(
        number
        for number, text in enumerate((tmp_path / "crc32c" / FAMILY).read_text().splitlines(), 1)
        if text.strip() == "- name: sse42"
    )
    assert f"{FAMILY}:{line}: " in told
    assert "native/riscv64/zbc.S does not assemble for x86_64" in told


def test_trees_that_clash_are_told_apart(tmp_path: Path) -> None:
    told = spoilt(tmp_path, lambda tree: None, "recipe", "check", "--tree", str(EXAMPLE))
    assert "'name' gives 'crc32c'" in told and "change one" in told
    renamed = tmp_path / "crc32c"
    edit("recipes/package.yaml", "name: crc32c", "name: another")(renamed)
    edit("recipes/package.yaml", "prefix: crc", "prefix: another")(renamed)
    process = subprocess.run(
        [sys.executable, "-m", "kernport", "recipe", "check", "--tree", str(renamed), "--tree", str(EXAMPLE)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 2
    assert "declares crc32c" in process.stderr and "rename one" in process.stderr
