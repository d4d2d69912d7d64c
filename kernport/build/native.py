"""Meson for one target: configure, build and install into a folder."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from kernport.build.folder import build_folder
from kernport.build.recipe import Tree
from kernport.build.target import Target
from kernport.errors import AnswerNo

STANDARD_EPOCH = "1577836800"  # 2020-01-01, where SOURCE_DATE_EPOCH says nothing else


@dataclass(frozen=True)
class NativeBuild:
    """A Meson build of a tree for a target, in `folder`, which later builds find again."""

    tree: Tree
    target: Target
    folder: Path

    def build(self, options: Sequence[str], goals: Sequence[str] = (), layout: Sequence[str] = ()) -> None:
        """Build the named goals, or everything, with Meson's options.

        `layout` has the options of where things are installed, which may differ from one time to the next.
        """
        with build_folder(self.target, self.folder, options) as cross:
            if not (self.folder / "build.ninja").is_file():
                places = [str(self.folder), str(self.tree.root)]
                self._meson(["setup", *places, f"--cross-file={cross}", *options, *layout])
            elif layout:
                self._meson(["configure", str(self.folder), *layout])
            with blamed(self.tree, self.target):
                self._meson(["compile", "-C", str(self.folder), *goals])

    def install(self, stage: Path, tags: Sequence[str]) -> None:
        """Install what carries one of the tags below `stage`."""
        command = ["install", "-C", str(self.folder), "--no-rebuild", "--destdir", str(stage)]
        self._meson([*command, "--tags", ",".join(tags)])

    def _meson(self, arguments: Sequence[str]) -> None:
        run(
            [sys.executable, "-m", "mesonbuild.mesonmain", *arguments],
            f"{self.target.name}: meson {arguments[0]}",
        )


@contextmanager
def blamed(tree: Tree, target: Target) -> Iterator[None]:
    """Around what runs a compiler: a failure that is a kernel's begins with the place of its recipe."""
    try:
        yield
    except AnswerNo as error:
        for family in tree.families:
            for kernel in family.kernels:
                for source in kernel.sources:
                    # Ninja says which objects failed; Meson names them by their source.
                    pattern = rf"^FAILED: .*/{re.escape(source.replace('/', '_'))}\.o\b"
                    if re.search(pattern, str(error), re.MULTILINE):
                        recipe = tree.origin / "recipes" / "families" / f"{family.name}.yaml"
                        verb = "assemble" if source.endswith(".S") else "compile"
                        raise AnswerNo(
                            f"{recipe}:{kernel.line}: {family.name}/{kernel.name}: {source} does not {verb} "
                            f"for {target.variant.name}; mend it, or let 'arch' name only what it is for\n"
                            f"{error}"
                        ) from error
        raise


def environment() -> dict[str, str]:
    """The environment for build tools: those of this Python's environment first, one fixed date."""
    variables = dict(os.environ)
    variables["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{variables.get('PATH', os.defpath)}"
    variables.setdefault("SOURCE_DATE_EPOCH", STANDARD_EPOCH)
    return variables


def run(command: Sequence[str], what: str, extra: Mapping[str, str] | None = None) -> str:
    """Run a build tool; returns what it printed. Raises AnswerNo with the tool's own words if it fails."""
    process = subprocess.run(
        command,
        env=environment() | dict(extra or {}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if process.returncode != 0:
        raise AnswerNo(f"{what} failed:\n{process.stdout.rstrip()}")
    return process.stdout
