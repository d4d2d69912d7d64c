"""A spec for rpmbuild with Fedora's macros: the library by Meson, the Python package by pyproject."""

from kernport.build.formats import Output
from kernport.build.skeletons import Files, Source, plain

ARCHIVE = "{tree.name}-{tree.version}.tar.gz"
STEPS = """\
cd {out}
rpmbuild -ba --define "_sourcedir $PWD" {tree.name}.spec
"""

# What carries one of Meson's tags, as %files names it.
FILES = {
    "runtime": ["%{_libdir}/lib%{name}.so.{soname}", "%{_libdir}/lib%{name}.so.{version}"],
    "devel": [
        "%{_includedir}/{header}",
        "%{_includedir}/%{name}_dispatch.h",
        "%{_libdir}/lib%{name}.a",
        "%{_libdir}/lib%{name}.so",
        "%{_libdir}/pkgconfig/%{name}.pc",
    ],
    "bin": ["%{_bindir}/%{name}"],
    "man": ["%{_mandir}/man1/%{name}.1*"],
}


def write(source: Source) -> Files:
    """The spec and the patches beside it."""
    patches = source.patch_files("spec")
    patches.pop("patches.spec", None)
    facts = {
        "files": lambda output: _files(source, output),
        "needs": lambda output: _needs(source, output),
        "date": f"{source.released:%a %b %d %Y}",
        "patches": list(patches),
    }
    return plain({f"{source.tree.name}.spec": source.render("spec.jinja", **facts), **patches})


def _files(source: Source, output: Output) -> list[str]:
    version = source.tree.library_version
    words = {
        "{soname}": version.partition(".")[0],
        "{version}": version,
        "{header}": source.tree.interface.rpartition("/")[2],
    }
    names = [name for tag in output.tags for name in FILES.get(tag, [])]
    for word, value in words.items():
        names = [name.replace(word, value) for name in names]
    return names


def _needs(source: Source, output: Output) -> list[str]:
    """Dependencies on the tree's own packages are on those of the same architecture."""
    own = {each.name for each in source.form.outputs}
    named = [each.partition(" ") for each in source.depends(output, "%{version}-%{release}")]
    return [f"{name}{'%{?_isa}' if name in own else ''}{space}{rest}" for name, space, rest in named]
