"""What every tree is built with: dispatcher, harness, recipes of architectures, targets and formats.

They lie in kernport's own tree, and in an installed kernport in a folder of the package.
"""

from pathlib import Path


def toolkit() -> Path:
    """The folder with dispatch/, recipes/, tests/checkasm/, native/asm/ and wheels/."""
    package = Path(__file__).resolve().parents[1]
    return package.parent if (package.parent / "dispatch" / "select.c").is_file() else package / "toolkit"


def shared(root: Path, name: str) -> Path:
    """A recipe that the tree at `root` may have of its own, and otherwise shares with every tree."""
    return root / name if (root / name).exists() else toolkit() / name
