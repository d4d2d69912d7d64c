"""Packages for a system's package manager: build once, install each output by its tags, pack it."""

import importlib
import shutil
import tempfile
from pathlib import Path

from kernport.build.folder import locked
from kernport.build.native import NativeBuild
from kernport.build.packages import Contents
from kernport.build.packages.stage import complete
from kernport.build.recipe import Tree
from kernport.build.target import Target
from kernport.errors import AnswerNo


def build_packages(name: str, tree: Tree, target: Target, work: Path, out: Path) -> list[Path]:
    """Build every output of the format `name`, for a target, into `out`: all of them or none."""
    form = tree.format(name)
    if reason := target.why_no(name):
        raise AnswerNo(f"{target.name}: no {name}: {reason}")
    writer = importlib.import_module(f"kernport.build.packages.{form.writer}")
    # All formats of a target share what is compiled: only where things are installed differs.
    folder = work / f"packages-{target.name}"
    build = NativeBuild(tree, target, folder)
    out.mkdir(parents=True, exist_ok=True)
    with (
        locked(Path(f"{folder}-layout")),
        tempfile.TemporaryDirectory(dir=out, prefix=f".{name}-") as scratch,
    ):
        # Byte code would be that of this machine's Python.
        layout = [each.format(arch=target.variant.name) for each in form.layout]
        build.build(["-Dpython.bytecompile=-1"], layout=layout)
        made = []
        owners: dict[str, str] = {}
        for output in form.outputs:
            stage = Path(scratch) / "stage" / output.name
            build.install(stage, output.tags)
            if not stage.is_dir():
                raise AnswerNo(
                    f"{target.name}: {output.name}: nothing was installed by its tags {output.tags}"
                )
            complete(tree, form, output, stage)
            contents = Contents(tree, target, form, output, stage)
            for place in contents.places:
                other = owners.setdefault(place, output.name)
                if other != output.name:
                    raise AnswerNo(f"{target.name}: {place} is in {other} and in {output.name}")
            made.append(writer.write(contents, Path(scratch)))
        return [Path(shutil.move(path, out / path.name)) for path in made]
