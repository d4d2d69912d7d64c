"""Debian's format, by nfpm; paths as Debian Policy and the multiarch and Python policies have them."""

from pathlib import Path

from kernport.build.packages.nfpm import package
from kernport.build.recipe import Output, Tree
from kernport.build.target import Target


def options(target: Target) -> list[str]:
    """Meson's options for Debian's layout."""
    modules = "/usr/lib/python3/dist-packages"
    return [
        "--prefix=/usr",
        f"--libdir=lib/{target.variant.name}-linux-gnu",
        f"-Dpython.platlibdir={modules}",
        f"-Dpython.purelibdir={modules}",
    ]


def write(tree: Tree, target: Target, output: Output, stage: Path, out: Path) -> Path:
    """Make one .deb of what lies in `stage`; returns its path in `out`."""
    named = output.formats["deb"]
    version = f"{tree.version}-1"
    path = out / f"{named.name}_{version}_{target.packages['deb']}.deb"
    package(
        "deb",
        {
            "name": named.name,
            "arch": target.packages["deb"],
            "version": tree.version,
            "release": "1",
            "section": named.section,
            "maintainer": tree.maintainer,
            "description": output.summary,
            "license": tree.licence,
            "depends": [each.replace(f"= {tree.version})", f"= {version})") for each in named.depends],
        },
        stage,
        path,
    )
    return path
