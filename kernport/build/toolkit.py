"""What every tree is built with: dispatcher, harness, recipes of architectures, targets and formats.

They lie in kernport's own tree, and in an installed kernport in a folder of the package.
"""

from pathlib import Path

HARNESS = "tests/checkasm"
# They find emulators that no distribution has, where kernport's tests built them.
RIGS = "qemu-*.sh"


def toolkit() -> Path:
    """The folder that the toolkit's files lie in, as `toolkit_files` names them."""
    package = Path(__file__).resolve().parents[1]
    return package.parent if (package.parent / "dispatch" / "select.c").is_file() else package / "toolkit"


def shared(root: Path, name: str) -> Path:
    """A recipe that the tree at `root` may have of its own, and otherwise shares with every tree."""
    return root / name if (root / name).exists() else toolkit() / name


def toolkit_files(home: Path) -> list[str]:
    """What the toolkit consists of, relative to the tree `home` that it lies in, sorted."""
    recipes = home / "recipes"
    architectures = sorted((recipes / "architectures").glob("*.yaml"))
    paths = [
        *(home / "dispatch").glob("*.[ch]"),
        *(home / "wheels").rglob("*"),
        *(home / HARNESS).glob("*.[chS]"),
    ]
    paths += [home / "meson_options.txt", home / HARNESS / "meson.build", recipes / "formats.yaml"]
    paths += [recipes / "targets.yaml", recipes / "exports.yaml", *architectures]
    paths += [home / "native" / "asm" / f"{path.stem}.h" for path in architectures]
    paths += (home / "tests" / "rigs").glob(RIGS)
    return sorted(path.relative_to(home).as_posix() for path in paths if path.is_file())
