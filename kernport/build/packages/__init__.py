"""Packages for a system's package manager: one writer a file.

A writer defines `write(contents, out)`, which makes one package of the `contents` in the folder
`out` and returns its path.
"""

import functools
from dataclasses import dataclass
from pathlib import Path

from kernport.build.audit.elf import ElfFacts, is_elf, read_elf, version_of
from kernport.build.recipe import Format, Output, Tree
from kernport.build.target import Target


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
        return f"{self.tree.version}-{self.form.release}"

    @property
    def files(self) -> list[Path]:
        """Every file and symbolic link, sorted."""
        return [path for path in sorted(self.stage.rglob("*")) if path.is_symlink() or path.is_file()]

    @functools.cached_property
    def libraries(self) -> list[ElfFacts]:
        """The facts of every shared object in the package."""
        contents = [(path, path.read_bytes()) for path in self.files if not path.is_symlink()]
        return [read_elf(data, path.name) for path, data in contents if is_elf(data)]

    @property
    def depends(self) -> list[str]:
        """What the recipe names, and the C library as new as the binaries need it."""
        named = [each.format(version=self.version) for each in self.output.depends]
        if self.form.libc_name and self.libraries:
            found = [library.newest("GLIBC") for library in self.libraries]
            versions = [each.version.partition("_")[2] for each in found if each]
            if versions or self.form.libc != "glibc":
                newest = max(versions, key=version_of, default="")
                named.append(self.form.libc_name.format(version=newest))
        return named
