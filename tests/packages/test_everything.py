"""One folder with every artefact: what stands beside them, what is said of gaps, and when nothing is done."""

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import foreign_system
import packed
import planted
import pytest

from kernport.build.everything import collect as module
from kernport.build.everything.apt import write_repository
from kernport.build.everything.collect import Outcome, collect
from kernport.build.everything.plan import formats_of, plan, table
from kernport.build.everything.signature import Signer
from kernport.build.recipe import Tree, load_tree
from kernport.build.skeletons import FORMS
from kernport.build.target import Target, load_targets
from kernport.cli import main
from kernport.errors import AnswerNo, EnvironmentLacks, UsageError

ROOT = Path(__file__).resolve().parents[2]
TREE = load_tree(ROOT)
TARGETS = load_targets(TREE)
SOME = [TARGETS[name] for name in ("x86_64-linux-musl", "powerpc-linux-gnu", "powerpc64-freebsd")]


def made_up(form: str, tree: Tree, target: Target, work: Path, out: Path) -> tuple[list[Path], bool]:
    """In place of a build: a file that says what it stands for; some fail, as builds do."""
    if (form, target.name) == ("deb", "powerpc-linux-gnu"):
        raise EnvironmentLacks("powerpc-linux-gnu-gcc is missing; apt-get install <gcc>")
    if (form, target.name) == ("apk", "x86_64-linux-musl"):
        raise AnswerNo("the compiler says:\n1 < 2 & 3")
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"{tree.name}-{form}-{target.name}"
    path.write_text(form, encoding="ascii")
    return [path], True


def gather(out: Path, monkeypatch: pytest.MonkeyPatch, forms: tuple[str, ...] = ("port",)) -> list[Outcome]:
    """Collect with made-up artefacts, and with some of the source packages."""
    monkeypatch.setattr(module, "artefacts", made_up)
    monkeypatch.setattr(module, "FORMS", forms)
    told: list[tuple[int, int]] = []
    outcomes = collect(TREE, SOME, out.parent, out, 2, lambda number, total, _: told.append((number, total)))
    possible = [each for each in outcomes if not each.cell.reason]
    assert told == [(number, len(possible)) for number in range(1, len(possible) + 1)]
    return outcomes


def audit(tree: Path, files: list[str]) -> str:
    """What the audit has against some files."""
    command = [sys.executable, "-m", "kernport", "audit", "--quiet", "--tree", str(tree), *files]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert process.stdout.count("\n") >= len(files), process.stderr
    return "".join(line for line in process.stdout.splitlines(True) if not line.endswith(": clean\n"))


class Page(HTMLParser):
    """The links of a page, its text, and whether its elements are closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.identifiers: set[str] = set()
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = dict(attributes)
        self.links += [values["href"] or ""] if "href" in values else []
        self.identifiers |= {values["id"] or ""} if "id" in values else set()
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_what_stands_beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    outcomes = gather(out, monkeypatch, FORMS)
    assert [(each.cell.form, each.code) for each in outcomes if each.code] == [("apk", 1), ("deb", 3)]
    files = {name for each in outcomes for name in each.files}
    assert files == {
        "wheels/kernport-wheel-x86_64-linux-musl",
        "wheels/kernport-wheel-powerpc-linux-gnu",
        "arch/powerpc/kernport-arch-powerpc-linux-gnu",
        "wheels/kernport-wheel-powerpc64-freebsd",
        "freebsd/FreeBSD:14:powerpc64/kernport-freebsd-powerpc64-freebsd",
    }
    present = {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}
    lines = (out / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    sums = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
    assert sums.keys() == present - {"SHA256SUMS"}
    assert all(hashlib.sha256((out / name).read_bytes()).hexdigest() == sums[name] for name in sums)
    page = Page()
    page.feed((out / "index.html").read_text(encoding="utf-8"))
    assert page.open == []
    inside = {link[1:] for link in page.links if link.startswith("#")}
    assert inside <= page.identifiers
    outside = {link for link in page.links if not link.startswith("#")}
    assert files | {"SHA256SUMS"} <= outside <= present
    sources = {name for name in present if name.startswith("source/")}
    assert sources <= outside
    assert {name.split("/")[1] for name in sources} == set(FORMS)
    for target in SOME:
        assert target.name in page.text
    assert "\npacman -U arch/ARCH/*.pkg.tar.zst\npkg add freebsd/FreeBSD:14:ARCH/*.pkg\n" in page.text
    assert "dnf install" not in page.text
    for said in ("Debian is Linux with glibc", "apt-get install <gcc>", "1 < 2 & 3", "2 failed"):
        assert said in page.text
    assert {path.name for path in tmp_path.iterdir()} == {"out"}


def test_the_bill_of_materials_has_every_artefact(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    validation = pytest.importorskip(
        "cyclonedx.validation.json",
        reason="cyclonedx-python-lib is missing; pip install cyclonedx-python-lib",
    )
    schema = pytest.importorskip("cyclonedx.schema")
    out = tmp_path / "out"
    outcomes = gather(out, monkeypatch)
    text = (out / f"kernport-{TREE.version}.cdx.json").read_text(encoding="utf-8")
    assert validation.JsonStrictValidator(schema.SchemaVersion.V1_6).validate_str(text) is None
    components: dict[str, Any] = {each["name"]: each for each in json.loads(text)["components"]}
    for name in (each for outcome in outcomes for each in outcome.files):
        digest = hashlib.sha256((out / name).read_bytes()).hexdigest()
        assert components[name]["hashes"] == [{"alg": "SHA-256", "content": digest}]
    assert f"wheels/kernport-{TREE.version}.tar.gz" in components
    assert {"aes-gcm/power8-crypto", "aes-gcm/zvkned-zvkg", "md5/portable"} <= components.keys()


def test_a_second_time_it_is_the_same_and_replaces_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    gather(out, monkeypatch)
    first = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    gather(out, monkeypatch)
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == first


@pytest.mark.parametrize("strange", ["notes.txt", "wheels/other.whl"])
def test_a_folder_with_other_files_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, strange: str
) -> None:
    out = tmp_path / "out"
    gather(out, monkeypatch)
    (out / strange).write_text("mine", encoding="ascii")
    with pytest.raises(UsageError, match="there are other files; name a new folder, or empty this one"):
        gather(out, monkeypatch)
    assert (out / strange).read_text(encoding="ascii") == "mine"


@pytest.mark.parametrize("place", [".", "native", "everything"])
def test_nothing_is_put_among_the_sources(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="a part of the tree; name a folder in build or dist"):
        gather(ROOT / place, monkeypatch)


def test_what_is_interrupted_leaves_the_folder_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    gather(out, monkeypatch)
    first = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "write_page", interrupted)
    with pytest.raises(KeyboardInterrupt):
        gather(out, monkeypatch)
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == first
    assert {path.name for path in tmp_path.iterdir()} == {"out"}


def test_what_is_interrupted_begins_nothing_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = []

    def slow(form: str, tree: Tree, target: Target, work: Path, out: Path) -> tuple[list[Path], bool]:
        begun.append(form)
        time.sleep(0.1)
        return [], True

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "artefacts", slow)
    monkeypatch.setattr(module, "FORMS", ())
    with pytest.raises(KeyboardInterrupt):
        collect(TREE, list(TARGETS.values()), tmp_path, tmp_path / "out", 1, interrupted)
    assert len(begun) < sum(not cell.reason for cell in plan(TREE, list(TARGETS.values())))
    assert list(tmp_path.iterdir()) == []


def test_the_table_has_a_name_or_a_reason_everywhere() -> None:
    cells = plan(TREE, list(TARGETS.values()))
    assert len(cells) == len(TARGETS) * len(formats_of(TREE))
    assert all(bool(cell.name) != bool(cell.reason) for cell in cells)
    text = table(TREE, cells)
    lines = text.splitlines()
    assert lines[0].split() == ["target", "wheel", *(form.name for form in TREE.formats)]
    rows = {line.split()[0]: line for line in lines[1 : 1 + len(TARGETS)]}
    assert rows.keys() == TARGETS.keys()
    assert rows["powerpc64le-linux-gnu"].split()[1:4] == ["manylinux_2_17_ppc64le", "ppc64el", "ppc64le"]
    number = rows["powerpc64-linux-musl"].split("none (")[1].partition(")")[0]
    assert f"\n({number}) Debian is Linux with glibc\n" in text


def test_what_differs_when_built_again_counts_as_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def differs(tree: Tree, form: str, target: str, paths: list[Path]) -> None:
        if form == "freebsd":
            raise AnswerNo(f"{paths[0].name}: two builds differ, in +MANIFEST")

    monkeypatch.setattr(module, "artefacts", made_up)
    monkeypatch.setattr(module, "verify", differs)
    monkeypatch.setattr(module, "FORMS", ())
    out = tmp_path / "out"
    outcomes = collect(TREE, [TARGETS["powerpc64-freebsd"]], tmp_path, out, 1, lambda *_: None, True)
    assert [(each.cell.form, each.files) for each in outcomes if each.code] == [("freebsd", ())]
    assert not list(out.rglob("kernport-freebsd-*"))
    assert "two builds differ" in (out / "index.html").read_text(encoding="utf-8")


def test_what_is_named_alike_for_several_targets_has_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def same_name(form: str, tree: Tree, target: Target, work: Path, out: Path) -> tuple[list[Path], bool]:
        out.mkdir(parents=True, exist_ok=True)
        (out / "kernport-0.1.0.pkg").write_text(target.name, encoding="ascii")
        return [out / "kernport-0.1.0.pkg"], True

    monkeypatch.setattr("kernport.build.artefacts.artefacts", same_name)
    command = ["build", "freebsd", "--tree", str(ROOT), "--out", str(tmp_path)]
    assert main([*command, "--target", "x86_64-freebsd"]) == 0
    assert (tmp_path / "kernport-0.1.0.pkg").read_text(encoding="ascii") == "x86_64-freebsd"
    assert main([*command, "--target", "x86_64-freebsd", "--target", "powerpc64-freebsd"]) == 0
    for arch, target in (("amd64", "x86_64-freebsd"), ("powerpc64", "powerpc64-freebsd")):
        package = tmp_path / f"FreeBSD:14:{arch}" / "kernport-0.1.0.pkg"
        assert package.read_text(encoding="ascii") == target


def test_a_small_tree_for_real(tmp_path: Path) -> None:
    """All that the tree of CRC-32C has for this host; apt installs from it, and a kernel is chosen."""
    if "deb" not in foreign_system.HOST.packages:
        pytest.skip(f"{foreign_system.HOST.name} has no deb")
    here = foreign_system.system(foreign_system.HOST, "bookworm", tmp_path)
    tree, out = ROOT / "examples" / "crc32c", here.shared
    command = [sys.executable, "-m", "kernport", "build", "all", "--tree", str(tree), "--json"]
    command += ["--work", str(ROOT / "build" / "crc32c"), "--target", foreign_system.HOST.name]
    process = subprocess.run(
        [*command, "--out", str(out)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, process.stderr
    files = [str(out / name) for row in json.loads(process.stdout) for name in row.get("files", [])]
    assert {Path(name).suffix for name in files} >= {".whl", ".deb", ".rpm", ".zst"}
    assert str(ROOT) not in (out / "index.html").read_text(encoding="utf-8")
    here.apt("update")
    here.apt("install", "python3-crc32c", "libcrc32c-dev")
    # The known answer of RFC 3720, appendix B.4, for 32 bytes of zeros, in its order of bytes.
    program = "import crc32c; print(crc32c.crc32c(0, bytes(32)).to_bytes(4, 'little').hex())"
    assert here.run("python3", "-c", program).strip() == "aa36918a"
    shown = json.loads(here.run("python3", "-m", "crc32c", "show", "--json"))
    assert [each["state"] for each in shown["kernels"]].count("chosen") == 1
    here.apt("purge", "python3-crc32c", "libcrc32c-dev", "libcrc32c0")
    assert here.left() == set()
    planted.need_disassembler()
    assert audit(tree, files) == ""


@pytest.fixture
def signer(monkeypatch: pytest.MonkeyPatch) -> Iterator[Signer]:
    """A key made for this test, in a keyring of its own: its agent's socket needs a short path."""
    if shutil.which("gpg") is None:
        pytest.skip("gpg is missing: apt-get install gnupg")
    with tempfile.TemporaryDirectory(prefix="gpg-") as home:
        monkeypatch.setenv("GNUPGHOME", home)
        address = "packager@kernport.example"
        command = ["gpg", "--batch", "--quiet", "--passphrase", "", "--quick-generate-key", address]
        subprocess.run([*command, "ed25519", "sign", "never"], check=True, capture_output=True)
        yield Signer(address)
        subprocess.run(["gpgconf", "--kill", "all"], check=True)


def test_apt_takes_a_signed_repository_and_no_changed_one(signer: Signer, tmp_path: Path) -> None:
    signer.check()
    if "deb" not in foreign_system.HOST.packages:
        pytest.skip(f"{foreign_system.HOST.name} has no deb")
    here = foreign_system.system(foreign_system.HOST, "bookworm", tmp_path)
    form = TREE.format("deb")
    packed.stage_library(
        tmp_path / "stage",
        form,
        foreign_system.HOST,
        packed.library(tmp_path / "library", foreign_system.HOST),
    )
    contents = packed.contents(tmp_path / "stage", form, foreign_system.HOST)
    packed.pack(contents, here.shared / "deb" / "pool" / "main")
    written = write_repository(TREE, here.shared / "deb", signer)
    assert {"InRelease", "Release.gpg", "kernport.gpg"} <= {path.name for path in written}
    here.apt("update", signed=True)
    here.apt("install", "libkernport0", signed=True)
    assert here.run("dpkg-query", "-W", "-f", "${Status}", "libkernport0") == "install ok installed"
    release = here.shared / "deb" / "dists" / "stable" / "InRelease"
    text = release.read_text(encoding="utf-8")
    release.write_text(text.replace(f"Version: {TREE.version}", "Version: 99"), encoding="utf-8")
    here.apt("update", "--error-on=any", signed=True, code=100)


def test_a_key_that_gpg_does_not_have(signer: Signer, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(UsageError, match="--sign nobody: gpg has no such secret key"):
        collect(TREE, SOME, tmp_path, out, 1, lambda *_: None, signer=replace(signer, key="nobody"))
    assert not out.exists()


@pytest.mark.parametrize("option", [["--plan"], ["--sign", "nobody"]])
def test_what_goes_with_all_only(
    option: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["build", "deb", "--tree", str(ROOT), "--out", str(out), *option]) == 2
    assert f"{option[0]} goes with all: kernport build all {option[0]}\n" in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.long
def test_everything_for_real(tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = [sys.executable, "-m", "kernport", "build", "all", "--target", "all", "--json"]
    process = subprocess.run(
        [*command, "--out", str(out)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    rows = json.loads(process.stdout)
    errors = [row["error"] for row in rows if "error" in row]
    # Only cross compilers that pip does not bring may be missing.
    assert process.returncode in (0, 3) and all("is missing; apt-get install" in each for each in errors)
    assert len(rows) == len(TARGETS) * len(formats_of(TREE))
    check = ["sha256sum", "--check", "--quiet", "SHA256SUMS"]
    sums = subprocess.run(check, cwd=out, capture_output=True, text=True, check=False)
    assert (sums.returncode, sums.stdout) == (0, "")
    packages = [str(out / name) for row in rows for name in row.get("files", [])]
    assert audit(ROOT, packages) == ""
    for row in rows:
        for name in row.get("files", []):
            if row["format"] == "deb":
                arch = TARGETS[row["target"]].packages["deb"]
                listed = out / "deb" / "dists" / "stable" / "main" / f"binary-{arch}" / "Packages"
                assert f"Filename: pool/main/{Path(name).name}\n" in listed.read_text(encoding="utf-8")


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_the_command_prints_the_table_and_builds_nothing(tmp_path: Path, more: list[str]) -> None:
    command = [sys.executable, "-m", "kernport", "build", "all", "--target", "all", "--plan", *more]
    process = subprocess.run(
        [*command, "--out", str(tmp_path / "out")], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (process.returncode, process.stderr) == (0, "")
    if more:
        assert len(json.loads(process.stdout)) == len(TARGETS) * len(formats_of(TREE))
    else:
        assert process.stdout == table(TREE, plan(TREE, list(TARGETS.values())))
    assert not (tmp_path / "out").exists()
