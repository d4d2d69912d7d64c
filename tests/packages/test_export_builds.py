"""Source packages, built by their distributions' own tools: minutes of compiling."""

import os
import shutil
import sys
from pathlib import Path

import pytest
from exported import (
    PATCH,
    ROOT,
    as_root,
    install_arch,
    install_rpms,
    needs,
    patched_tree,
    run,
    unpacked_debian,
    unprivileged,
)

from kernport.build.audit import audit_file
from kernport.build.recipe import Tree, load_tree
from kernport.build.skeletons import export
from kernport.build.target import load_targets

TOOLS = Path(__file__).resolve().parent / "tools"
FULL_TREE = load_tree(ROOT)

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("export-builds")]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    return patched_tree(tmp_path_factory.mktemp("tree"))


def audited(paths: list[Path]) -> None:
    targets = list(load_targets(FULL_TREE).values())
    for path in paths:
        findings = audit_file(path, FULL_TREE, targets).findings
        assert not findings, (path.name, findings)


debian_tools = needs("dpkg-buildpackage:dpkg-dev", "dh:debhelper", "dh_python3:dh-python", "meson", "lintian")


@debian_tools
@pytest.mark.parametrize(
    ("architecture", "triplet"),
    [("", ""), ("ppc64el", "powerpc64le-linux-gnu"), ("arm64", "aarch64-linux-gnu")],
    ids=["host", "ppc64el", "arm64"],
)
def test_dpkg_buildpackage(tree: Tree, tmp_path: Path, architecture: str, triplet: str) -> None:
    """The recipe's patch is applied, lintian has nothing to say, and the audit accepts what was built."""
    if triplet and shutil.which(f"{triplet}-g++") is None:
        pytest.skip(f"no compiler for {architecture}: apt-get install crossbuild-essential-{architecture}")
    source = unpacked_debian(tree, tmp_path / "out")
    said = run(["dpkg-buildpackage", "-us", "-uc", *([f"-a{architecture}"] if architecture else [])], source)
    assert f"dpkg-source: info: applying {PATCH}" in said
    (changes,) = (tmp_path / "out").glob("*.changes")
    said = run(["lintian", "--allow-root", "--fail-on", "error,warning", str(changes)], tmp_path)
    assert said == ""
    name = architecture or run(["dpkg", "--print-architecture"], tmp_path).strip()
    made = sorted((tmp_path / "out").glob("*.deb"))
    debs = [path for path in made if "dbgsym" not in path.name]
    assert [path.name for path in debs] == [
        f"{package}_0.1.0-1_{name}.deb" for package in ("libkernport-dev", "libkernport0", "python3-kernport")
    ]
    audited(made)
    if not architecture:
        root = tmp_path / "root"
        for deb in debs:
            run(["dpkg-deb", "-x", str(deb), str(root)], tmp_path)
        installed_tests(
            root, f"usr/lib/{run(['gcc', '-print-multiarch'], tmp_path).strip()}", "/usr/bin/python3"
        )


def installed_tests(root: Path, libdir: str, python: str) -> None:
    """The tests that autopkgtest runs, on files that lie below `root`."""
    packages = next(path.parent for path in root.glob("usr/lib*/python3*/*/kernport"))
    variables = {
        "PKG_CONFIG_SYSROOT_DIR": str(root),
        "PKG_CONFIG_PATH": str(root / libdir / "pkgconfig"),
        "LD_LIBRARY_PATH": str(root / libdir),
        "PYTHONPATH": str(packages),
        "PATH": f"{root}/usr/bin:{os.environ['PATH']}",
    }
    said = run(["sh", str(ROOT / "tests" / "installed" / "library.sh")], root, **variables)
    assert said.count("0.1.0 by ") == 2
    said = run([python, str(ROOT / "tests" / "installed" / "python.py")], root, **variables)
    assert said.startswith(f"{packages}/kernport/") and said.endswith("version 0.1.0\n")


@needs("rpmbuild:rpm", "rpm", "rpmlint", "meson")
@as_root
def test_rpmbuild(tree: Tree, tmp_path: Path) -> None:
    export("spec", tree, tmp_path / "out")
    command = ["rpmbuild", "-ba", "--nodeps", "--load", str(TOOLS / "fedora.macros")]
    for name, value in {
        "_sourcedir": tmp_path / "out",
        "_topdir": tmp_path / "top",
        "__test_python": sys.executable,
    }.items():
        command += ["--define", f"{name} {value}"]
    # Debian 12's meson-python is too old: this Python's environment has a newer one.
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    run([*command, "kernport.spec"], tmp_path / "out", PATH=path)
    rpms = sorted((tmp_path / "top" / "RPMS").rglob("*.rpm"))
    machine = os.uname().machine
    assert [path.name for path in rpms] == [
        f"{package}-0.1.0-1.{machine}.rpm"
        for package in ("kernport-devel", "kernport-libs", "python3-kernport")
    ]
    sources = list((tmp_path / "top" / "SRPMS").iterdir())
    assert [path.name for path in sources] == ["kernport-0.1.0-1.src.rpm"]
    said = run(["rpmlint", "--config", str(TOOLS / "rpmlint.toml"), *map(str, [*sources, *rpms])], tmp_path)
    assert "0 errors, 0 warnings" in said, said
    root = tmp_path / "root"
    install_rpms(root, rpms)
    assert (root / "usr" / "share" / "man" / "man1" / "kernport.1.gz").is_file()
    installed_tests(root, "usr/lib64", sys.executable)


@needs("makepkg", "pacman:pacman-package-manager", "bsdtar:libarchive-tools", "fakeroot", "meson")
@as_root
def test_makepkg(tree: Tree, tmp_path: Path) -> None:
    export("pkgbuild", tree, tmp_path / "out")
    folder, asks = unprivileged(tmp_path / "out", tmp_path)
    # Debian's makepkg takes Debian's Python for Arch's python, and knows none of Arch's packages.
    tools = folder / "tools"
    tools.mkdir(mode=0o755)
    (tools / "python").symlink_to("/usr/bin/python3")
    run([*asks, "makepkg", "--nodeps"], folder, PATH=f"{tools}:/usr/sbin:/usr/bin:/sbin:/bin")
    packages = sorted(folder.glob("*.pkg.tar*"))
    assert [path.name.partition("-0.1.0-1-")[0] for path in packages] == ["kernport", "python-kernport"]
    root = tmp_path / "root"
    install_arch(root, packages)
    installed_tests(root, f"usr/lib/{run(['gcc', '-print-multiarch'], tmp_path).strip()}", "/usr/bin/python3")


ABUILD = """
set -eu
srcdir=$PWD/src
. ./APKBUILD
pkgdir=$PWD/pkg/$pkgname
mkdir -p src
tar xf "${_name}-$pkgver.tar.gz" -C src
for each in build check package; do ( cd "$builddir" && $each ); done
amove() {
    for each; do
        for path in $(cd "$pkgdir" && echo $each); do
            mkdir -p "$subpkgdir/$(dirname "$path")"
            mv "$pkgdir/$path" "$subpkgdir/$path"
        done
    done
}
default_dev() {
    amove usr/include 'usr/lib/*.a' 'usr/lib/*.so' usr/lib/pkgconfig
}
for each in $subpackages; do
    subpkgname=${each%%:*} subpkgdir=$PWD/pkg/${each%%:*} depends= depends_dev=
    ${each#*:}
    echo "$subpkgname: $pkgdesc: $depends$depends_dev"
done
"""


@needs("meson")
def test_apkbuild(tree: Tree, tmp_path: Path) -> None:
    """Its functions, called as abuild calls them; abuild itself, and musl, are Alpine's."""
    export("apkbuild", tree, tmp_path / "out")
    script = tmp_path / "tools" / "abuild-meson"
    script.parent.mkdir()
    script.write_text('#!/bin/sh\nexec meson setup --prefix=/usr --libdir=lib --buildtype=plain "$@"\n')
    script.chmod(0o755)
    path = f"{script.parent}:/usr/sbin:/usr/bin:/sbin:/bin"
    said = run(["dash", "-c", ABUILD], tmp_path / "out", PATH=path)
    assert (
        "kernport-dev: " in said and "libkernport=0.1.0-r0" in said and said.rstrip().endswith(": py3-cffi")
    )
    packages = tmp_path / "out" / "pkg"
    names = {
        name: {
            str(path.relative_to(packages / name))
            for path in (packages / name).rglob("*")
            if not path.is_dir()
        }
        for name in ("libkernport", "kernport-dev", "py3-kernport")
    }
    assert names["libkernport"] == {"usr/lib/libkernport.so.0", "usr/lib/libkernport.so.0.0.0"}
    assert names["kernport-dev"] == {
        "usr/include/kernport.h",
        "usr/include/kernport_dispatch.h",
        "usr/lib/libkernport.a",
        "usr/lib/libkernport.so",
        "usr/lib/pkgconfig/kernport.pc",
    }
    assert {"usr/bin/kernport", "usr/share/man/man1/kernport.1"} < names["py3-kernport"]
