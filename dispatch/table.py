"""Recipes -> the C tables of the dispatcher, for one architecture.

python dispatch/table.py sources ARCH …          the library's sources, one a line
python dispatch/table.py recipes                 the recipe files, one a line
python dispatch/table.py generate ARCH FOLDER    writes tables.h and tables.c
python dispatch/table.py toolkit                 what every tree is built with, one file a line
python dispatch/table.py describe FILE           writes what decides the choice on every target
"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from kernport.build.dispatcher import description, tables_header, tables_source
from kernport.build.recipe import load_tree
from kernport.build.toolkit import toolkit_files
from kernport.errors import KernportError


def main(arguments: list[str]) -> int:
    """Run one of the commands above; returns the exit code."""
    try:
        tree = load_tree(ROOT)
    except KernportError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    match arguments:
        case ["toolkit"]:
            print("\n".join(toolkit_files(ROOT)))
        case ["recipes"]:
            print("\n".join(str(path) for path in tree.files))
        case ["sources", arch, *_]:
            print("\n".join(tree.sources(arch)))
        case ["arch", cpu_family, endian]:
            names = [
                variant.name
                for variant in tree.variants().values()
                if (variant.cpu_family, variant.endian) == (cpu_family, endian)
            ]
            print(names[0] if names else cpu_family)
        case ["generate", arch, folder]:
            (Path(folder) / "tables.h").write_text(tables_header(tree, arch), encoding="utf-8")
            (Path(folder) / "tables.c").write_text(tables_source(tree, arch), encoding="utf-8")
        case ["describe", file]:
            Path(file).write_text(json.dumps(description(tree), indent=1) + "\n", encoding="utf-8")
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
