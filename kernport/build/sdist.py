"""The source distribution: every file of the tree, the same bytes whoever packs it."""

import tempfile
import tomllib
from pathlib import Path

from kernport.build.contents import mode_of, tree_files, write_tar_gz
from kernport.build.recipe import Tree
from kernport.errors import UsageError


def build_sdist(tree: Tree, out: Path) -> Path:
    """Write NAME-VERSION.tar.gz (PEP 625) into `out`, whole or not at all; returns its path."""
    top = f"{tree.name}-{tree.version}"
    files = {
        f"{top}/{name.as_posix()}": (mode_of(tree.root / name), (tree.root / name).read_bytes())
        for name in tree_files(tree.root)
        if name != Path("PKG-INFO")
    }
    files[f"{top}/PKG-INFO"] = (0o644, metadata(tree))
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out, prefix=".sdist-") as scratch:
        path = Path(scratch) / f"{top}.tar.gz"
        write_tar_gz(path, dict(sorted(files.items())))
        return path.replace(out / path.name)


def metadata(tree: Tree) -> bytes:
    """The core metadata of the tree's Python package, as PKG-INFO and METADATA hold it."""
    import pyproject_metadata
    from packaging.version import Version

    path = tree.root / "pyproject.toml"
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        metadata = pyproject_metadata.StandardMetadata.from_pyproject(data, tree.root)
        metadata.version = Version(tree.version)
        metadata.dynamic = [name for name in metadata.dynamic if name != "version"]
        return bytes(metadata.as_rfc822())
    except (OSError, tomllib.TOMLDecodeError, pyproject_metadata.ConfigurationError) as error:
        raise UsageError(f"{path}: {error}") from error
