"""What was built is used again exactly when nothing that it is made of has changed."""

import shutil
from dataclasses import replace
from pathlib import Path

import planted
import pytest

from kernport.build.kept import digest_of_tree, kept_or_made, key_of

TARGET = planted.TARGETS["x86_64-linux-gnu"]


class Maker:
    """Makes one artefact, another each time."""

    def __init__(self, out: Path) -> None:
        self.out, self.times = out, 0

    def __call__(self) -> list[Path]:
        self.times += 1
        self.out.mkdir(exist_ok=True)
        path = self.out / "artefact.whl"
        path.write_text(f"made {self.times}")
        return [path]


def test_the_same_key_makes_once(tmp_path: Path) -> None:
    make = Maker(tmp_path / "out")
    assert kept_or_made(tmp_path / "kept", lambda: "a", make.out, make) == ([make.out / "artefact.whl"], True)
    elsewhere = tmp_path / "elsewhere"
    assert kept_or_made(tmp_path / "kept", lambda: "a", elsewhere, make) == (
        [elsewhere / "artefact.whl"],
        False,
    )
    assert (elsewhere / "artefact.whl").read_text() == "made 1"
    assert kept_or_made(tmp_path / "kept", lambda: "b", elsewhere, make)[1]
    assert make.times == 2


def test_a_changed_artefact_is_put_right(tmp_path: Path) -> None:
    make = Maker(tmp_path / "out")
    (path,) = kept_or_made(tmp_path / "kept", lambda: "a", make.out, make)[0]
    path.write_text("spoilt")
    assert kept_or_made(tmp_path / "kept", lambda: "a", make.out, make) == ([path], False)
    assert path.read_text() == "made 1"


@pytest.mark.parametrize("spoilt", ["artefact.whl", "key.json"])
def test_what_was_kept_and_is_damaged_is_made_again(tmp_path: Path, spoilt: str) -> None:
    make = Maker(tmp_path / "out")
    kept_or_made(tmp_path / "kept", lambda: "a", make.out, make)
    (tmp_path / "kept" / spoilt).write_text("{")
    paths, made = kept_or_made(tmp_path / "kept", lambda: "a", make.out, make)
    assert made
    assert paths[0].read_text() == "made 2"


def test_what_changed_while_it_was_built_is_not_kept(tmp_path: Path) -> None:
    make = Maker(tmp_path / "out")
    keys = iter(["a", "b", "a", "a"])
    assert kept_or_made(tmp_path / "kept", lambda: next(keys), make.out, make)[1]
    assert kept_or_made(tmp_path / "kept", lambda: next(keys), make.out, make)[1]
    assert not kept_or_made(tmp_path / "kept", lambda: "a", make.out, make)[1]


def test_a_failed_build_keeps_nothing(tmp_path: Path) -> None:
    def fail() -> list[Path]:
        raise ValueError

    with pytest.raises(ValueError):
        kept_or_made(tmp_path / "kept", lambda: "a", tmp_path, fail)
    make = Maker(tmp_path / "out")
    assert kept_or_made(tmp_path / "kept", lambda: "a", make.out, make)[1]


def test_the_key_follows_sources_target_format_and_date(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = {key_of("0", "wheel", TARGET), key_of("0", "wheel", TARGET)}
    assert len(keys) == 1
    keys |= {key_of("1", "wheel", TARGET), key_of("0", "deb", TARGET)}
    keys.add(key_of("0", "wheel", replace(TARGET, flags=("-O0",))))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    keys.add(key_of("0", "wheel", TARGET))
    monkeypatch.setenv("CFLAGS", "-O1")
    keys.add(key_of("0", "wheel", TARGET))
    assert len(keys) == 6


def test_the_digest_follows_every_source_and_no_test(tmp_path: Path) -> None:
    for name in ("native", "recipes", "kernport", "tests/checkasm", "tests/wheels", "pyproject.toml"):
        path = planted.ROOT / name
        copy = tmp_path / name
        if path.is_dir():
            shutil.copytree(path, copy, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copyfile(path, copy)
    tree = replace(planted.TREE, root=tmp_path)
    before = digest_of_tree(tree)
    (tmp_path / "tests" / "wheels" / "planted.py").unlink()
    assert digest_of_tree(tree) == before
    seen = {before}
    source = tmp_path / "native" / "status.c"
    source.write_bytes(source.read_bytes() + b"\n")
    seen.add(digest_of_tree(tree))
    (tmp_path / "native" / "new.h").touch()
    seen.add(digest_of_tree(tree))
    (tmp_path / "native" / "new.h").rename(tmp_path / "native" / "newer.h")
    seen.add(digest_of_tree(tree))
    (tmp_path / "native" / "newer.h").chmod(0o755)
    seen.add(digest_of_tree(tree))
    harness = tmp_path / "tests" / "checkasm" / "meson.build"  # which wheels hold, for other trees
    harness.write_bytes(harness.read_bytes() + b"\n")
    seen.add(digest_of_tree(tree))
    assert len(seen) == 6
