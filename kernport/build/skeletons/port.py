"""Ports for FreeBSD's ports tree: the library by Meson, the Python package by PEP 517 with its flavours."""

import re
from datetime import UTC, datetime, time

from kernport.build.formats import Output
from kernport.build.packages.freebsd import LICENCES, origin
from kernport.build.skeletons import Files, Source, plain

ARCHIVE = "distfiles/{tree.name}-{tree.version}.tar.gz"
STEPS = """\
cp -R {out}/. /usr/ports/
for port in {ports}; do make -C /usr/ports/$port stage-qa package; done
"""

# What carries one of Meson's tags, below the prefix; the files of a Python package are found when it is made.
FILES = {
    "runtime": ["lib/lib{name}.so.{soname}", "lib/lib{name}.so.{version}"],
    "devel": [
        "include/{header}",
        "include/{name}_dispatch.h",
        "lib/lib{name}.a",
        "lib/lib{name}.so",
        "libdata/pkgconfig/{name}.pc",
    ],
}


def write(source: Source) -> Files:
    """One folder a port, below that of its category."""
    tree = source.tree
    patches = source.patch_files("ports")
    moment = int(datetime.combine(source.released, time(), UTC).timestamp())
    files: dict[str, bytes] = {}
    for output in source.form.outputs:
        folder = origin(output)
        facts = {
            "output": output,
            "python": "python-runtime" in output.tags,
            "licence": LICENCES.get(tree.licence, tree.licence),
            "moment": moment,
            "build": [*source.build, *(source.python if "python-runtime" in output.tags else ())],
            "needs": [_needed(each) for each in source.depends(output, tree.version)],
            "refused": _refused(source),
            "plist": _plist(source, output),
        }
        files[f"{folder}/Makefile"] = source.render("port/Makefile.jinja", **facts)
        files[f"{folder}/distinfo"] = source.render("port/distinfo.jinja", **facts)
        files[f"{folder}/pkg-descr"] = source.render("port/pkg-descr.jinja", **facts)
        if facts["plist"]:
            files[f"{folder}/pkg-plist"] = source.render("port/pkg-plist.jinja", **facts)
        files |= {f"{folder}/files/{name}": content for name, content in patches.items()}
    return plain(files)


def _needed(text: str) -> str:
    """A dependency of a package, NAME ORIGIN VERSION, as a port writes it."""
    name, origin, _ = text.split()
    python, number = re.subn(r"^py\d+-", "${PYTHON_PKGNAMEPREFIX}", name)
    return f"{python}>0:{origin}{'@${PY_FLAVOR}' if number else ''}"


def _refused(source: Source) -> dict[str, str]:
    """The architectures of FreeBSD that the recipe says cannot be, and why; all others can."""
    return {
        target.variant.name: target.reasons[source.form.name]
        for target in source.targets
        if target.os == source.form.libc and source.form.name in target.reasons
    }


def _plist(source: Source, output: Output) -> list[str]:
    version = source.tree.library_version
    words = {
        "name": source.tree.name,
        "soname": version.partition(".")[0],
        "version": version,
        "header": source.tree.interface.rpartition("/")[2],
    }
    return sorted(name.format(**words) for tag in output.tags for name in FILES.get(tag, []))
