"""A PKGBUILD for makepkg, with the .SRCINFO that Arch Linux wants beside it."""

from kernport.build.skeletons import Files, Source, plain

ARCHIVE = "{tree.name}-{tree.version}.tar.gz"
STEPS = """\
cd {out}
makepkg
"""


def write(source: Source) -> Files:
    """PKGBUILD, .SRCINFO and the patches beside them."""
    patches = source.patch_files("pkgbuild")
    patches.pop("PKGBUILD", None)
    facts = {
        "patches": patches,
        "checks": source.has("tests/checkasm/meson.build"),
    }
    files = {
        "PKGBUILD": source.render("PKGBUILD.jinja", **facts),
        ".SRCINFO": source.render("SRCINFO.jinja", **facts),
    }
    return plain(files | patches)
