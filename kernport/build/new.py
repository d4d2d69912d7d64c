"""A new tree: one family with a portable kernel, which builds and passes at once."""

import re
import shutil
import tempfile
from pathlib import Path
from string import Template

from kernport.build.dispatcher import identifier
from kernport.build.recipe import load_tree
from kernport.errors import UsageError

TEMPLATES = Path(__file__).resolve().parent / "new_tree"
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def new_tree(folder: Path, family: str) -> list[Path]:
    """Write the tree as the new folder, whole or not at all, named like the folder; returns its files.

    Raises UsageError where the folder exists or a name is not lower-case letters, digits and hyphens.
    """
    name = folder.resolve().name
    for what, each in (("folder", name), ("family", family)):
        if not NAME.fullmatch(each):
            raise UsageError(
                f"'{each}': the {what}'s name becomes that of packages and symbols: "
                "lower-case letters, digits and hyphens, a letter first"
            )
    if folder.exists() or folder.is_symlink():
        raise UsageError(f"{folder}: exists already: name a folder that does not")
    places = {
        "package.yaml": "recipes/package.yaml",
        "family.yaml": f"recipes/families/{family}.yaml",
        "header.h": f"include/{name}.h",
        "portable.c": "native/portable.c",
        "README.md": "README.md",
        "LICENSE": "LICENSE",
        "gitignore": ".gitignore",
    }
    prefix = name.replace("-", "")
    words = {
        "name": name,
        "prefix": prefix,
        "PREFIX": prefix.upper(),
        "family": family,
        "family_identifier": identifier(family),
        "function": f"{prefix}_{identifier(family)}_sum",
    }
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{name}-") as scratch:
        fresh = Path(scratch) / name
        for template, place in places.items():
            text = Template((TEMPLATES / f"{template}.in").read_text(encoding="utf-8")).substitute(words)
            (fresh / place).parent.mkdir(parents=True, exist_ok=True)
            (fresh / place).write_text(text, encoding="utf-8")
        load_tree(fresh)
        shutil.move(fresh, folder)
    return [folder / place for place in places.values()]
