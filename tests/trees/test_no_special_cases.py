"""What builds, checks and packages trees knows nothing of the kernels that kernport itself brings."""

import re
from pathlib import Path

from kernport.build.recipe import load_tree

ROOT = Path(__file__).resolve().parents[2]
TREE = load_tree(ROOT)
# The commands and the instruments of kernport's own library.
LIBRARY = {"kernport/cli/bench.py", "kernport/cli/md5sum.py"}
# MD5 is also what formats of packages have as a checksum.
CHECKSUMS = {"kernport/build/audit/deb.py", "kernport/build/audit/package.py", "kernport/build/audit/rpm.py"}
ALGORITHMS = ("AES", "GCM", "GHASH", "GMAC", "MD5")


def toolkit() -> list[Path]:
    folders = [ROOT / "dispatch", *(ROOT / "kernport" / name for name in ("build", "backport", "cli"))]
    kinds = {".py", ".c", ".h", ".in", ".jinja", ".json"}
    paths = [path for folder in folders for path in folder.rglob("*") if path.suffix in kinds]
    paths += (ROOT / "tests" / "checkasm").glob("*.[chS]")
    return [path for path in paths if path.relative_to(ROOT).as_posix() not in LIBRARY]


def test_no_algorithm_and_no_kernel_of_ours_is_named() -> None:
    kernels = {f"{family.name}/{kernel.name}" for family in TREE.families for kernel in family.kernels}
    # An architecture has the feature, whoever uses it: FEAT_AES.
    pattern = re.compile(rf"(?<!FEAT_)\b({'|'.join(ALGORITHMS)})", re.IGNORECASE)
    paths = toolkit()
    assert len(paths) > 100
    for path in paths:
        name = path.relative_to(ROOT).as_posix()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            found = [kernel for kernel in kernels if kernel in line] + pattern.findall(line)
            if name in CHECKSUMS or (name == "kernport/cli/__init__.py" and "md5sum" in line):
                found = [each for each in found if each.upper() != "MD5"]
            assert not found, f"{name}:{number}: {', '.join(found)}"
