"""Packages for a system's package manager: build once, install each output by its tags, pack it."""

import importlib
import shutil
import tempfile
from pathlib import Path

from kernport.build.native import NativeBuild
from kernport.build.recipe import Tree
from kernport.build.target import Target
from kernport.errors import AnswerNo


def build_packages(form: str, tree: Tree, target: Target, work: Path, out: Path) -> list[Path]:
    """Build every output that a format knows, for a target, into `out`: all of them or none."""
    if reason := target.why_no(form):
        raise AnswerNo(f"{target.name}: no {form}: {reason}")
    module = importlib.import_module(f"kernport.build.packages.{form}")
    build = NativeBuild(tree, target, work / f"{form}-{target.name}")
    build.build(module.options(target))
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out, prefix=f".{form}-") as scratch:
        made = []
        for output in tree.outputs:
            if form in output.formats:
                stage = Path(scratch) / "stage" / output.name
                build.install(stage, output.tags)
                made.append(module.write(tree, target, output, stage, Path(scratch)))
        return [Path(shutil.move(path, out / path.name)) for path in made]
