"""An APKBUILD for Alpine's abuild: the first package, and the others split from it by its functions."""

from kernport.build.formats import Output
from kernport.build.skeletons import Files, Source, plain

ARCHIVE = "{tree.name}-{tree.version}.tar.gz"
STEPS = """\
cd {out}
abuild -r
"""

# What carries one of Meson's tags, below the root. `devel` is what abuild's own default_dev takes.
PATHS = {
    "runtime": ["usr/lib/*.so.*"],
    "python-runtime": ["usr/lib/python3*"],
    "bin": ["usr/bin"],
    "man": ["usr/share/man"],
}


def write(source: Source) -> Files:
    """APKBUILD and the patches beside it."""
    patches = source.patch_files("apkbuild")
    patches.pop("APKBUILD", None)
    first, *others = source.form.outputs
    facts = {
        "first": first,
        "others": [(output, _function(output)) for output in others],
        "paths": lambda output: [path for tag in output.tags for path in PATHS.get(tag, [])],
        "patches": patches,
    }
    return plain({"APKBUILD": source.render("APKBUILD.jinja", **facts), **patches})


def _function(output: Output) -> str:
    return "dev" if output.tags == ("devel",) else "_" + output.name.partition("-")[0]
