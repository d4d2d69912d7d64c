"""What builds, checks and packages trees knows nothing of the kernels that kernport itself brings."""

import re
from pathlib import Path

from kernport.build.contents import tree_files
from kernport.build.recipe import load_tree

ROOT = Path(__file__).resolve().parents[2]
TREE = load_tree(ROOT)
# MD5 is also what formats of packages have as a checksum.
CHECKSUMS = {"kernport/build/audit/deb.py", "kernport/build/audit/package.py", "kernport/build/audit/rpm.py"}
ALGORITHMS = ("AES", "GCM", "GHASH", "GMAC", "MD5")


def toolkit() -> list[Path]:
    """Every source file outside recipes/ and native/, and the harness of the tests.

    Apart from tests, examples, documents, patches and what says what the project is.
    """
    apart = {"recipes", "native", "tests", "examples", "docs", "patches", "pyproject.toml", "Makefile"}
    names = [name for name in tree_files(ROOT) if name.parts[0] not in apart and name.suffix != ".md"]
    harness = [path.relative_to(ROOT) for path in (ROOT / "tests" / "checkasm").glob("*.[chS]")]
    return names + harness


def test_no_algorithm_and_no_kernel_of_ours_is_named() -> None:
    kernels = {f"{family.name}/{kernel.name}" for family in TREE.families for kernel in family.kernels}
    # An architecture has the feature, whoever uses it: FEAT_AES.
    pattern = re.compile(rf"(?<!FEAT_)\b({'|'.join(ALGORITHMS)})", re.IGNORECASE)
    paths = toolkit()
    assert len(paths) > 150
    for path in paths:
        name = path.as_posix()
        for number, line in enumerate((ROOT / path).read_text(encoding="utf-8").splitlines(), 1):
            found = [kernel for kernel in kernels if kernel in line] + pattern.findall(line)
            if name in CHECKSUMS:
                found = [each for each in found if each.upper() != "MD5"]
            assert not found, f"{name}:{number}: {', '.join(found)}"
