"""The dispatcher of a tree as a folder of C for a build that has nothing to do with kernport."""

import shutil
import tempfile
from pathlib import Path

from kernport.build.dispatcher import dispatcher_files
from kernport.build.recipe import Tree
from kernport.build.stage import DISPATCHER_INCLUDED
from kernport.errors import UsageError

HOW_TO_BUILD = """\
compile {out}/dispatch/*.c, except those that others include (see {out}/README),
with -I{out} -I{out}/dispatch, the folders of your interface headers, and
-D<PREFIX>_SYSCONFDIR='"/etc"'; link with the kernels
"""


def export_dispatcher(tree: Tree, out: Path) -> list[Path]:
    """Write the dispatcher as the new folder `out`, whole or not at all; returns its files.

    Raises UsageError where `out` exists.
    """
    if out.exists() or out.is_symlink():
        raise UsageError(f"{out}: exists already: name a folder that does not")
    files = {f"dispatch/{name}": text for name, text in dispatcher_files(tree).items()}
    compiled = [
        name for name in files if name.endswith(".c") and not DISPATCHER_INCLUDED.match(Path(name).name)
    ]
    files["README"] = _readme(tree, compiled)
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=f".{out.name}-") as scratch:
        fresh = Path(scratch) / "fresh"
        for name, text in files.items():
            (fresh / name).parent.mkdir(parents=True, exist_ok=True)
            (fresh / name).write_text(text, encoding="utf-8")
        shutil.move(fresh, out)
    return [out / name for name in sorted(files)]


def _readme(tree: Tree, compiled: list[str]) -> str:
    lines = [
        f"The dispatcher of {tree.name} {tree.version}: which kernel runs on this processor.",
        "",
        "C11 and a libc are all that it needs. Compile these, with this folder and dispatch/ among the",
        f"includes, and {tree.prefix.upper()}_SYSCONFDIR as the folder that has {tree.name}/dispatch.conf:",
        "",
        *(f"    {name}" for name in sorted(compiled)),
        "",
        "Detection and tables include the files of each architecture, by the compiler's own macros.",
        "Link with the kernels for the architecture:",
        "",
    ]
    for name in tree.variants():
        lines += [f"    {name}:", *(f"        {source}" for source in tree.sources(name)[1:])]
    lines += [
        "",
        f"dispatch/report.h is for programs that ask what was chosen; it may be {tree.name}_dispatch.h.",
    ]
    return "\n".join(lines) + "\n"
