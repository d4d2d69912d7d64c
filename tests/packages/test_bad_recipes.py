"""Mistakes in what packages are made of are refused before anything is built, by file, line and remedy."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE, FORMATS, TARGETS = "recipes/package.yaml", "recipes/formats.yaml", "recipes/targets.yaml"
LICENCE = "/usr/share/doc/{output}/copyright: LICENSE"
LIBRARY = "lib{name}{soname}: {tags: [runtime], summary: library, section: libs,"
# A tree that names its own packages.
OWN = """outputs:
  deb:
    libkernport0: {tags: [runtime], summary: library, section: libs}
sections:"""
MISTAKES = [
    pytest.param(
        FORMATS,
        LICENCE,
        LICENCE.replace("LICENSE", "LICENCE"),
        "there is no file 'LICENCE'; did you mean 'LICENSE'?",
        id="a file that is missing",
    ),
    pytest.param(
        FORMATS,
        LIBRARY,
        LIBRARY + " files: {/usr/share/doc/libkernport0/hints: docs/hint.md},",
        "there is no file 'docs/hint.md'; none is known here",
        id="a file of one package that is missing",
    ),
    pytest.param(
        FORMATS,
        LICENCE,
        LICENCE.replace("LICENSE", "../LICENSE"),
        "'../LICENSE' leaves the tree; files of packages lie inside it",
        id="a file from outside the tree",
    ),
    pytest.param(
        FORMATS,
        LICENCE,
        "/usr/../../{output}: LICENSE",
        "'/usr/../../{output}' leaves the package: places in one are absolute and have no '..'",
        id="a place outside the package",
    ),
    pytest.param(
        FORMATS,
        LIBRARY,
        LIBRARY + " files: {usr/share/doc/libkernport0/hints: LICENSE},",
        "'usr/share/doc/libkernport0/hints' leaves the package: places in one are absolute and have no '..'",
        id="a place that is not absolute",
    ),
    pytest.param(
        FORMATS,
        "--libdir=lib/{arch}-linux-gnu",
        "--libdir=../../{arch}-linux-gnu",
        "'--libdir=../../{arch}-linux-gnu' leaves the folder that packages are made of",
        id="a layout outside the package",
    ),
    pytest.param(
        FORMATS,
        '(>= 3.11)", python3-cffi-backend',
        '(>= 3.11)", python3-cfi-backend',
        "unknown dependency 'python3-cfi-backend': neither a package of this tree nor one that "
        "recipes/formats.yaml lists under 'deb' as outside; did you mean 'python3-cffi-backend'?",
        id="an unknown dependency",
    ),
    pytest.param(
        FORMATS,
        "tags: [runtime], summary: library, section: libs",
        "tags: [runtme], summary: library, section: libs",
        "'runtme' is not known here; did you mean 'runtime'?",
        id="an unknown tag",
    ),
    pytest.param(
        PACKAGE,
        "sections:",
        OWN.replace("libs}", "libs, depends: [libc7]}"),
        "unknown dependency 'libc7': neither a package of this tree nor one that recipes/formats.yaml lists "
        "under 'deb' as outside; known: libkernport0, python3, python3-cffi-backend",
        id="an unknown dependency of a package that the tree names",
    ),
    pytest.param(
        PACKAGE,
        "sections:",
        OWN.replace("runtime", "runtme"),
        "'runtme' is not known here; did you mean 'runtime'?",
        id="an unknown tag of a package that the tree names",
    ),
    pytest.param(
        PACKAGE,
        "{freebsd: security}",
        "{freebds: security}",
        "unknown format 'freebds'; did you mean 'freebsd'?",
        id="the section of an unknown format",
    ),
    pytest.param(
        FORMATS,
        LICENCE,
        LICENCE.replace("output", "outptu"),
        "unknown word '{outptu}'; did you mean 'output'?",
        id="an unknown word in a place",
    ),
    pytest.param(
        FORMATS,
        "folder: rpm/{arch}",
        "folder: rpm/{arch",
        "'rpm/{arch': expected '}' before end of string; braces that are no word's are written twice",
        id="a word without its end",
    ),
    pytest.param(
        FORMATS,
        '"so:{soname}={full}"',
        '"so:{sonam}={full}"',
        "unknown word '{sonam}'; did you mean 'soname'?",
        id="an unknown word in what a library provides",
    ),
    pytest.param(
        FORMATS,
        '"cmd:{command}={version}"',
        '"cmd:${command:-all}={version}"',
        "unknown word '{command:-all}'; did you mean 'command'?",
        id="a shell's braces",
    ),
    pytest.param(
        FORMATS,
        "summary: library",
        "summary: libary",
        "unknown summary 'libary'; did you mean 'library'?",
        id="an unknown summary",
    ),
    pytest.param(
        TARGETS,
        "deb: ppc64el",
        "deb: ppc46el",
        "'ppc46el' is not what deb calls powerpc64le; it has ppc64el",
        id="an architecture that no format knows",
    ),
    pytest.param(
        TARGETS,
        "freebsd: amd64",
        "freebsd: aarch64",
        "'aarch64' is not what freebsd calls x86_64; it has amd64",
        id="the architecture of another target",
    ),
]


@pytest.mark.parametrize(("recipe", "old", "new", "message"), MISTAKES)
def test_a_mistake(tmp_path: Path, recipe: str, old: str, new: str, message: str) -> None:
    for folder in ("recipes", "native", "dispatch"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    shutil.copy(ROOT / "LICENSE", tmp_path)
    path = tmp_path / recipe
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    command = [sys.executable, "-m", "kernport", "build", "deb", "--target", "x86_64-linux-gnu"]
    process = subprocess.run(
        [*command, "--tree", str(tmp_path), "--out", str(tmp_path / "out")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    line = text[: text.index(old)].count("\n") + 1
    first, _, rest = process.stderr.strip().partition(f"{path}:")
    number, _, said = rest.partition(": ")
    assert (process.returncode, first, said) == (2, "kernport build: ", message)
    assert line <= int(number) <= line + new.count("\n") + 1
    assert not (tmp_path / "out").exists() and not (tmp_path / "build").exists()
