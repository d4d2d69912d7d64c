"""The sets of this project on real trees: OpenSSL from Debian's source packages, and kernport itself."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from repositories import OWN_CACHE

from kernport.backport.plan import check
from kernport.backport.scratch import Place
from kernport.backport.series import PatchSet, load_set
from kernport.backport.source import from_debian
from kernport.backport.verify import verify
from kernport.cli import main
from kernport.errors import AnswerNo, EnvironmentLacks

ROOT = Path(__file__).parents[2]

CLASSES = {
    "openssl-power-elfv2": {
        "openssl-1.1.1": ["clean", "clean", "clean", "clean", "clean"],
        "openssl-3.0": [
            "already present",
            "already present",
            "adapted (context)",
            "adapted (context)",
            "adapted (semantic)",
        ],
        "openssl-3.5": [
            "already present",
            "already present",
            "already present",
            "adapted (context)",
            "already present",
        ],
        "openssl-3.6": [
            "already present",
            "already present",
            "already present",
            "adapted (context)",
            "already present",
        ],
    },
    "openssl-power-aes-gcm": {
        "openssl-1.1.1": ["not applicable", "not applicable"],
        "openssl-3.0": ["not applicable", "not applicable"],
        "openssl-3.4": ["clean", "clean"],
        "openssl-3.5": ["already present", "adapted (context)"],
        "openssl-3.6": ["already present", "adapted (context)"],
    },
}
ROWS = [(name, branch) for name, branches in CLASSES.items() for branch in branches]
PROVED = [(name, branch) for name, branch in ROWS if set(CLASSES[name][branch]) != {"not applicable"}]


def place_of(patch_set: PatchSet, branch: str, monkeypatch: pytest.MonkeyPatch) -> Place:
    """The branch's tree from the archive, kept from one run to the next, as are results by content."""
    monkeypatch.setenv("KERNPORT_CACHE", str(OWN_CACHE))
    source = patch_set.branches[branch].source
    assert source is not None
    try:
        return Place(branch, tree=from_debian(source))
    except (AnswerNo, EnvironmentLacks) as error:
        pytest.skip(str(error))


@pytest.mark.long
@pytest.mark.parametrize(("name", "branch"), ROWS)
def test_classes(name: str, branch: str, monkeypatch: pytest.MonkeyPatch) -> None:
    patch_set = load_set(ROOT / "patches" / name)
    plan = check(patch_set, place_of(patch_set, branch, monkeypatch))
    assert [str(outcome.verdict) for outcome in plan.outcomes] == CLASSES[name][branch]
    assert not plan.stops


@pytest.mark.long
@pytest.mark.parametrize(("name", "branch"), PROVED)
def test_proofs(name: str, branch: str, monkeypatch: pytest.MonkeyPatch) -> None:
    patch_set = load_set(ROOT / "patches" / name)
    place = place_of(patch_set, branch, monkeypatch)
    try:
        verdicts = verify(patch_set, place, say=print)
    except EnvironmentLacks as error:
        pytest.skip(str(error))
    assert {verdict.architecture: verdict.state for verdict in verdicts} == {
        proof.label: "passed" for proof in patch_set.proofs if branch in proof.branches
    }


def contents(tree: Path) -> dict[str, bytes]:
    return {
        path.relative_to(tree).as_posix(): path.read_bytes()
        for path in tree.rglob("*")
        if path.is_file() and not path.is_symlink() and path.suffix != ".orig"
    }


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "branch"),
    [
        ("openssl-power-elfv2", "openssl-1.1.1"),
        ("openssl-power-elfv2", "openssl-3.0"),
        ("openssl-power-aes-gcm", "openssl-3.4"),
    ],
)
@pytest.mark.parametrize(("form", "strip"), [("quilt", "-p1"), ("ports", "-p0")])
def test_what_is_exported_makes_the_same_tree(
    name: str, branch: str, form: str, strip: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """patch(1) makes of OpenSSL what `apply` makes of it."""
    place = place_of(load_set(ROOT / "patches" / name), branch, monkeypatch)
    assert place.tree is not None
    tree, applied, out = tmp_path / "tree", tmp_path / "applied", tmp_path / "out"
    where = ["--onto", f"{branch}={place.tree}"]
    assert main(["backport", "export", str(ROOT / "patches" / name), form, *where, "--out", str(out)]) == 0
    assert main(["backport", "apply", str(ROOT / "patches" / name), *where, "--out", str(applied)]) == 0
    shutil.copytree(place.tree, tree, symlinks=True)
    files = sorted(out.iterdir())
    if form == "quilt":
        files = [out / each for each in (out / "series").read_text().split()]
    for file in files:
        with file.open("rb") as patch:
            subprocess.run(
                ["patch", strip, "-E", "--forward", "-s", "-F0"], cwd=tree, stdin=patch, check=True
            )
    assert contents(tree) == contents(applied) != contents(place.tree)


def freebsd_tree(tree: Path, folder: Path) -> Path:
    """The files of OpenSSL 1.1.1 that set (a) touches, where FreeBSD has them."""
    for name in (
        "crypto/perlasm/ppc-xlate.pl",
        "Configure",
        "crypto/ppccap.c",
        "Configurations/10-main.conf",
    ):
        file = folder / "crypto/openssl" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(tree / name, file)
    return folder


@pytest.mark.long
def test_stable_12_cannot_take_what_stable_13_can(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same files; what differs is the compiler, GCC 4.2 with ELFv1 or LLVM with ELFv2."""
    patch_set = load_set(ROOT / "patches/openssl-power-elfv2")
    openssl = place_of(patch_set, "openssl-1.1.1", monkeypatch).tree
    assert openssl is not None
    tree = freebsd_tree(openssl, tmp_path / "src")
    new = check(patch_set, Place("freebsd-stable-13", tree=tree))
    assert [str(outcome.verdict) for outcome in new.outcomes] == ["clean"] * 5
    old = check(patch_set, Place("freebsd-stable-12", tree=tree))
    assert [str(outcome.verdict) for outcome in old.outcomes][:3] == [
        "ABI-impossible",
        "ABI-impossible",
        "clean",
    ]


def test_kernels_of_ours_for_an_old_assembler(tmp_path: Path) -> None:
    """Assembled where the mnemonics are refused, to the same bits."""
    tree = tmp_path / "tree"
    for file in subprocess.run(
        ["git", "ls-files", "native"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines():
        (tree / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, tree / file)
    patch_set = load_set(ROOT / "patches/kernport-power-old-assembler")
    try:
        (verdict,) = verify(patch_set, Place("gcc-4.2", tree=tree))
    except EnvironmentLacks as error:
        pytest.skip(str(error))
    assert verdict.state == "passed", [step.said for step in verdict.after if not step.passed]
