"""Source packages: what is in each, that its own tools read it, and that they apply the recipe's patches."""

import hashlib
import re
import subprocess
import sys
import tarfile
from email.parser import Parser
from pathlib import Path

import pytest
from exported import (
    NOTE,
    PATCH,
    ROOT,
    is_patched,
    needs,
    patched_tree,
    run,
    unpacked_debian,
    unprivileged,
)

from kernport.build.recipe import Tree, load_tree
from kernport.build.skeletons import FORMS, export
from kernport.errors import UsageError

TOOLS = Path(__file__).resolve().parent / "tools"
BMAKE = ["bmake", "-m", "/usr/share/mk", "-m", str(TOOLS)]
SOURCE = "kernport-0.1.0"

pytestmark = pytest.mark.xdist_group("exports")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    return patched_tree(tmp_path_factory.mktemp("tree"))


@pytest.fixture(scope="module")
def exported(tree: Tree, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("exported")
    for form in FORMS:
        export(form, tree, out / form)
    return out


def stanzas(text: str) -> list[dict[str, str]]:
    return [dict(Parser().parsestr(each).items()) for each in re.split(r"\n\n+", text.strip())]


def test_the_command_says_how_to_build(tmp_path: Path) -> None:
    """The tree itself has no patches, so there are none in the package."""
    out = tmp_path / "out"
    command = [sys.executable, "-m", "kernport", "export", "debian", "--tree", str(ROOT), "--out", str(out)]
    process = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "dpkg-buildpackage" in process.stderr
    listed = {Path(line) for line in process.stdout.splitlines()}
    assert listed == {path for path in out.rglob("*") if path.is_file()}
    assert not (out / "debian" / "patches").exists()


@pytest.mark.parametrize("form", FORMS)
def test_the_same_bytes_again(tree: Tree, exported: Path, tmp_path: Path, form: str) -> None:
    paths = export(form, tree, tmp_path / form)
    assert {path.relative_to(tmp_path) for path in paths} == {
        path.relative_to(exported) for path in (exported / form).rglob("*") if path.is_file()
    }
    for path in paths:
        before = exported / path.relative_to(tmp_path)
        assert path.read_bytes() == before.read_bytes()
        assert path.stat().st_mode == before.stat().st_mode


def test_a_folder_that_exists_is_left_alone(tree: Tree, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    with pytest.raises(UsageError, match="exists already"):
        export("spec", tree, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


@pytest.mark.parametrize(
    ("recipe", "old", "new", "message"),
    [
        ("package.yaml", "homepage: ", "# ", r"package.yaml: no 'homepage'"),
        ("package.yaml", "patches: [a-line]", "patches: [a-lin]", r"yaml:\d+: no patch set 'a-lin'.*a-line"),
        ("exports.yaml", "spec:", "spek:", r"exports.yaml:\d+: unknown key 'spek'; did you mean 'spec'"),
        (
            "exports.yaml",
            "format: rpm",
            "format: rpn",
            r"exports.yaml:\d+: unknown format; did you mean 'rpm'",
        ),
    ],
)
def test_bad_recipes_leave_nothing(tmp_path: Path, recipe: str, old: str, new: str, message: str) -> None:
    patched_tree(tmp_path / "tree")
    path = tmp_path / "tree" / "recipes" / recipe
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(UsageError, match=message):
        export("spec", load_tree(tmp_path / "tree"), tmp_path / "out")
    assert [each.name for each in tmp_path.iterdir()] == ["tree"]


def test_an_unknown_form_lists_the_known_ones(tree: Tree, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown form 'debain'; did you mean 'debian'"):
        export("debain", tree, tmp_path / "out")


def test_debian(exported: Path) -> None:
    folder = exported / "debian" / "debian"
    source, *packages = stanzas((folder / "control").read_text())
    assert (source["Source"], source["Homepage"]) == ("kernport", "https://kernport.example/")
    assert "debhelper-compat (= 13)" in source["Build-Depends"]
    assert "dh-sequence-python3" in source["Build-Depends"]
    outputs = {each["Package"]: each for each in packages}
    assert set(outputs) == {"libkernport0", "libkernport-dev", "python3-kernport"}
    assert outputs["libkernport0"]["Multi-Arch"] == outputs["libkernport-dev"]["Multi-Arch"] == "same"
    # Its extension lies in a folder that all architectures share.
    assert "Multi-Arch" not in outputs["python3-kernport"]
    assert "libkernport0 (= ${binary:Version})" in outputs["libkernport-dev"]["Depends"]
    assert (folder / "rules").stat().st_mode & 0o777 == 0o755
    symbols = (folder / "libkernport0.symbols").read_text().splitlines()
    assert symbols[0] == "libkernport.so.0 libkernport0 #MINVER#"
    headers = [(ROOT / name).read_text() for name in ("native/include/kernport.h", "dispatch/report.h")]
    declared = re.findall(r"^KP_PUBLIC [\w *]*?\b(kp_\w+)\(", "\n".join(headers), re.MULTILINE)
    assert symbols[1:] == [f" {name}@Base 0.1.0" for name in sorted(declared)]
    tests = stanzas((folder / "tests" / "control").read_text())
    assert {each["Test-Command"] for each in tests} == {
        "tests/installed/library.sh",
        "tests/installed/python.py",
    }
    licence = stanzas((folder / "copyright").read_text())
    assert licence[0]["Format"].endswith("/copyright-format/1.0/")
    assert {each["License"].partition("\n")[0] for each in licence if each.get("Files") == "*"} == {
        "BSD-2-Clause"
    }
    assert (folder / "watch").read_text().startswith("version=4\nhttps://kernport.example/releases/ ")


@needs("dpkg-source:dpkg-dev")
def test_debian_patches(tree: Tree, tmp_path: Path) -> None:
    source = unpacked_debian(tree, tmp_path / "out")
    assert (source / "debian" / "patches" / "series").read_text().split() == [PATCH]
    header = (source / "debian" / "patches" / PATCH).read_text().partition("\n---\n")[0]
    for field in ("From", "Subject", "Origin", "Forwarded", "Last-Update"):
        assert re.search(rf"^{field}: ", header, re.MULTILINE), field
    run(["dpkg-source", "--before-build", "."], source)
    assert is_patched(source)


def test_distfiles_and_sums(exported: Path) -> None:
    archives = {
        form: next(path for path in (exported / form).rglob("*.tar.gz")).read_bytes() for form in FORMS
    }
    assert len(set(archives.values())) == 1
    data = archives["port"]
    with tarfile.open(next((exported / "debian").glob("*.tar.gz"))) as archive:
        assert {name.split("/")[0] for name in archive.getnames()} == {SOURCE}
    sums = dict(
        re.findall(
            r"^(\w+) \(kernport-0.1.0.tar.gz\) = (\w+)$",
            (exported / "port" / "security" / "kernport" / "distinfo").read_text(),
            re.MULTILINE,
        )
    )
    assert sums == {"SHA256": hashlib.sha256(data).hexdigest(), "SIZE": str(len(data))}


@needs("rpmbuild:rpm")
def test_spec_patches(exported: Path, tmp_path: Path) -> None:
    spec = exported / "spec" / "kernport.spec"
    assert f"Patch0001:      {PATCH}\n" in spec.read_text()
    # Fedora's guidelines want that of a package with a static library.
    assert "\nProvides:       kernport-static = %{version}-%{release}\n" in spec.read_text()
    command = ["rpmbuild", "-bp", "--nodeps", "--load", str(TOOLS / "fedora.macros")]
    for name, value in {"_sourcedir": spec.parent, "_topdir": tmp_path / "top"}.items():
        command += ["--define", f"{name} {value}"]
    run([*command, str(spec)], tmp_path)
    assert is_patched(tmp_path / "top" / "BUILD" / SOURCE)


@needs("rpmlint")
def test_spec_lint(exported: Path) -> None:
    spec = str(exported / "spec" / "kernport.spec")
    said = run(["rpmlint", "--config", str(TOOLS / "rpmlint.toml"), spec], exported)
    assert "0 errors, 0 warnings" in said


@needs("makepkg", "bsdtar:libarchive-tools", "fakeroot", "setpriv:util-linux")
def test_pkgbuild(exported: Path, tmp_path: Path) -> None:
    folder, asks = unprivileged(exported / "pkgbuild", tmp_path)
    said = run([*asks, "makepkg", "--printsrcinfo"], folder)
    assert said.strip() == (folder / ".SRCINFO").read_text().strip()
    # Arch Linux's makepkg.conf removes static libraries unless asked not to.
    assert "\toptions = staticlibs\n" in said and "\tprovides = libkernport.so\n" in said
    run([*asks, "makepkg", "--verifysource"], folder)
    run([*asks, "makepkg", "--nobuild", "--nodeps"], folder)
    assert is_patched(folder / "src" / SOURCE)
    # What makepkg must notice is noticed: a patch with another sum.
    (folder / PATCH).write_text(NOTE)
    with pytest.raises(AssertionError, match="validity check"):
        run([*asks, "makepkg", "--verifysource"], folder)


APKBUILD = """
set -eu
srcdir=$PWD/src
. ./APKBUILD
printf '%s' "$sha512sums" | grep . | sha512sum -c - >/dev/null
echo "$pkgname|$pkgver|$pkgrel|$arch|$license|$url"
echo $subpackages
echo $makedepends
mkdir -p src
tar xf "${_name}-$pkgver.tar.gz" -C src
cd "$builddir"
for each in $source; do
    case $each in *.patch) patch -p1 -s <"$srcdir/../$each" ;; esac
done
for each in build check package dev _py3; do command -v "$each" >/dev/null; done
"""


@pytest.mark.parametrize("shell", ["dash", "bash"])
def test_apkbuild(exported: Path, tmp_path: Path, shell: str) -> None:
    """abuild sources the file in its shell and applies patches as default_prepare does (newapkbuild(1))."""
    for path in (exported / "apkbuild").iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    facts, subpackages, depends = run([shell, "-c", APKBUILD], tmp_path).splitlines()
    assert facts == "libkernport|0.1.0|0|all|BSD-2-Clause|https://kernport.example/"
    assert subpackages == "kernport-dev:dev py3-kernport:_py3"
    assert depends == "meson py3-cffi py3-jsonschema py3-yaml python3"
    assert is_patched(tmp_path / "src" / SOURCE)


ORDER = """
PORTNAME DISTVERSION CATEGORIES MASTER_SITES PKGNAMEPREFIX MAINTAINER COMMENT WWW LICENSE LICENSE_FILE
BUILD_DEPENDS RUN_DEPENDS USES USE_LDCONFIG USE_PYTHON PEP517_BUILD_CONFIG_SETTING MESON_ARGS
"""


@needs("bmake")
@pytest.mark.parametrize(("port", "package"), [("kernport", ""), ("py-kernport", "py311-")])
def test_port(exported: Path, tmp_path: Path, port: str, package: str) -> None:
    folder = exported / "port" / "security" / port
    said = run([*BMAKE, "check"], folder).splitlines()
    facts = dict(line.split(" ", 1) for line in said if " " in line)
    assert facts["package"] == f"{package}kernport-0.1.0"
    assert facts["files"] == "kernport-0.1.0.tar.gz"
    assert facts["sites"] == "https://kernport.example/releases/"
    assert "py311-cffi>=1.15:devel/py-cffi@py311" in facts["build"].split()
    assert ("flavors" in facts) == bool(package)
    if package:
        assert "py311-meson-python>=0.18:devel/meson-python@py311" in facts["build"].split()
        assert facts["run"].split() == ["py311-cffi>0:devel/py-cffi@py311"]
    lines = (folder / "Makefile").read_text()
    fields = re.findall(r"^([A-Z][A-Z0-9_]*)=\t", lines, re.MULTILINE)
    assert fields == [name for name in ORDER.split() if name in fields]
    assert len(run([*BMAKE, "-V", "COMMENT"], folder).strip()) <= 70
    assert lines.endswith("\n\n.include <bsd.port.mk>\n")
    with tarfile.open(exported / "port" / "distfiles" / "kernport-0.1.0.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    patches = sorted((folder / "files").iterdir())
    assert [path.name for path in patches] == ["patch-README.md", "patch-docs_note__of.patch.txt"]
    for path in patches:
        run(["patch", "-p0", "-s", "-i", str(path)], tmp_path / SOURCE)
    assert is_patched(tmp_path / SOURCE)
