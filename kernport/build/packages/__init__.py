"""Packages for a system's package manager: one writer a file.

A writer defines `write(contents, out)`, which makes one package of the `contents` in the folder
`out` and returns its path.
"""

import functools
import posixpath
from dataclasses import dataclass
from pathlib import Path

from kernport.build.audit.elf import ElfFacts, is_elf, read_elf, version_of
from kernport.build.formats import Format, Output
from kernport.build.packages.stage import has_python, inside, words_of
from kernport.build.recipe import Tree
from kernport.build.target import Target
from kernport.errors import AnswerNo


@dataclass(frozen=True)
class Contents:
    """What goes into one package: the files below `stage`, and all that the recipes say of it."""

    tree: Tree
    target: Target
    form: Format
    output: Output
    stage: Path

    @property
    def arch(self) -> str:
        """The architecture's name in the format."""
        return self.target.packages[self.form.name]

    @property
    def version(self) -> str:
        """The package's version with the format's revision."""
        return words_of(self.tree, self.form, self.output)["version"]

    @functools.cached_property
    def files(self) -> list[Path]:
        """Every file and symbolic link, sorted. Raises AnswerNo for a link that leaves the package."""
        found = [path for path in sorted(self.stage.rglob("*")) if path.is_symlink() or path.is_file()]
        for path in found:
            if path.is_symlink():
                target = posixpath.join(path.parent.relative_to(self.stage), path.readlink())
                if posixpath.normpath(target).startswith(("..", "/")):
                    raise AnswerNo(f"{self.output.name}: {self.place(path)} points out of the package")
        return found

    @property
    def places(self) -> list[str]:
        """Where each of the files is in a system."""
        return [self.place(path) for path in self.files]

    def place(self, path: Path) -> str:
        """Where a path below the stage is in a system."""
        return f"/{path.relative_to(self.stage)}"

    @functools.cached_property
    def libraries(self) -> list[ElfFacts]:
        """The facts of every shared object in the package."""
        contents = [(path, path.read_bytes()) for path in self.files if not path.is_symlink()]
        return [read_elf(data, path.name) for path, data in contents if is_elf(data)]

    @property
    def has_python(self) -> bool:
        """Whether the Python package is in it."""
        return has_python(self.tree, self.form, self.stage)

    @property
    def depends(self) -> list[str]:
        """What the recipe names, and the C library as new as the binaries need it."""
        named = [each.format(version=self.version) for each in self.output.depends]
        if self.form.libc_name and self.libraries:
            found = [library.newest("GLIBC") for library in self.libraries]
            versions = [each.version.partition("_")[2] for each in found if each]
            if versions or self.form.libc != "glibc":
                newest = max(versions, key=version_of, default="")
                named.append(self.form.libc_name.format(version=newest, arch=self.arch))
        return named

    @property
    def provides(self) -> list[str]:
        """What the recipe names, and what the format says of the files in it."""
        words = words_of(self.tree, self.form, self.output)
        subjects: list[tuple[str, dict[str, str]]] = []
        for path in self.files:
            found = [each for each in self.libraries if each.soname and path.name.startswith(each.soname)]
            if found and not path.is_symlink():
                stem, _, number = found[0].soname.partition(".so.")
                full = path.name.removeprefix(f"{stem}.so.")
                library = {"soname": found[0].soname, "stem": f"{stem}.so", "number": number, "full": full}
                subjects.append(("library", library | {"bits": str(found[0].bits)}))
            elif path.suffix == ".pc":
                subjects.append(("pkgconfig", {"module": path.stem}))
            elif path.parent == inside(self.stage, f"{self.form.prefix}/bin"):
                subjects.append(("command", {"command": path.name}))
        if self.has_python:
            subjects.append(("python", {}))
        named = [each.format(**words) for each in self.output.provides]
        for kind, facts in subjects:
            named += [each.format(**words, **facts) for each in self.form.provides.get(kind, ())]
        return named

    @property
    def scripts(self) -> dict[str, str]:
        """The shell scripts of the package, by when they are run: postinstall, preremove, postremove."""
        words = words_of(self.tree, self.form, self.output)
        scripts = self.form.python.scripts if self.has_python else {}
        return {when: text.format(**words) for when, text in scripts.items()}
