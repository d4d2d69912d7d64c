"""debian/ with debhelper, for dpkg-buildpackage; its packages are those of the debs, by the same tags."""

import re
from typing import Any

from kernport.build.audit.shared_object import public_symbols
from kernport.build.document import load
from kernport.build.formats import Output
from kernport.build.recipe import SCHEMAS
from kernport.build.skeletons import Files, Source, plain
from kernport.errors import UsageError

ARCHIVE = "{tree.name}_{tree.version}.orig.tar.gz"
STEPS = """\
cd {out}
tar xf {tree.name}_{tree.version}.orig.tar.gz
mv debian {tree.name}-{tree.version}
cd {tree.name}-{tree.version}
dpkg-buildpackage -us -uc
"""

# The tree's own tests of what is installed, and the tag of the package that each tries.
INSTALLED_TESTS = {"library.sh": "devel", "python.py": "python-runtime"}


def write(source: Source) -> Files:
    """The files of debian/ and nothing else."""
    holder, licence = _licence(source)
    facts = {
        "date": f"{source.released:%a, %d %b %Y} 00:00:00 +0000",
        "holder": holder,
        "licence": licence,
        "foreign": _foreign_sets(source),
        "installed_tests": _installed_tests(source),
    }
    names = ["control", "rules", "changelog", "copyright", "watch"]
    if facts["installed_tests"]:
        names.append("tests/control")
    files = {name: source.render(f"debian/{name}.jinja", **facts) for name in names}
    files["source/format"] = b"3.0 (quilt)\n"
    files["source/lintian-overrides"] = _overrides(source, f"{source.tree.name} source")
    symbols = sorted(public_symbols(source.tree))
    for output in source.form.outputs:
        files[f"{output.name}.lintian-overrides"] = _overrides(source, output.name)
        if "runtime" in output.tags:
            text = source.render("debian/symbols.jinja", output=output, symbols=symbols)
            files[f"{output.name}.symbols"] = text
    files |= {f"patches/{name}": content for name, content in source.patch_files("quilt").items()}
    return plain(files, "debian/") | {"debian/rules": (0o755, files["rules"])}


def _overrides(source: Source, package: str) -> bytes:
    return source.render("debian/lintian-overrides.jinja", package=package)


def _installed_tests(source: Source) -> list[tuple[str, Output]]:
    return [
        (f"tests/installed/{name}", output)
        for name, tag in INSTALLED_TESTS.items()
        for output in source.form.outputs
        if tag in output.tags and source.has(f"tests/installed/{name}")
    ]


def _licence(source: Source) -> tuple[str, list[str]]:
    """Who holds the copyright, by the tree's LICENSE, and what stands below that line."""
    path = source.tree.root / "LICENSE"
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    holders = [number for number, line in enumerate(lines) if line.startswith("Copyright ")]
    if not holders:
        raise UsageError(f"{path}: no line that begins with 'Copyright': debian/copyright names the holder")
    holder = re.sub(r"^Copyright (\([cC]\) )?", "", lines[holders[-1]])
    return holder, "\n".join(lines[holders[-1] + 1 :]).strip().splitlines()


def _foreign_sets(source: Source) -> list[dict[str, Any]]:
    """The patch sets of the tree that are under another licence."""
    schema = SCHEMAS / "patch-set.schema.json"
    paths = sorted((source.tree.root / "patches").glob("*/set.yaml"))
    found = [{"folder": path.parent.name, **load(path, schema).data} for path in paths]
    return [each for each in found if each.get("licence", source.tree.licence) != source.tree.licence]
