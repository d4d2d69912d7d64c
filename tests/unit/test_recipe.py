"""Recipes: what they give, and how each kind of mistake in them is refused."""

import shutil
from pathlib import Path

import pytest

from kernport.build.recipe import load_tree
from kernport.build.target import choose_targets, host_target, load_targets
from kernport.errors import UsageError

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of this tree that a test may spoil."""
    for folder in ("recipes", "native", "dispatch"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    shutil.copy(ROOT / "LICENSE", tmp_path)
    return tmp_path


def spoil(tree: Path, recipe: str, old: str, new: str) -> str:
    path = tree / "recipes" / recipe
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        load_targets(load_tree(tree))
    message = str(caught.value)
    line = text[: text.index(old)].count("\n") + 1
    assert message.startswith(f"{path}:{line}: "), message
    return message.removeprefix(f"{path}:{line}: ")


def test_this_tree_is_sound() -> None:
    tree = load_tree(ROOT)
    for family in tree.families:
        assert family.kernels[-1].name == "portable"
    assert host_target(load_targets(tree))


def test_every_source_of_the_native_code_is_in_a_recipe() -> None:
    tree = load_tree(ROOT)
    named = {source for variant in tree.variants() for source in tree.sources(variant)}
    paths = [path.relative_to(ROOT) for path in (ROOT / "native").rglob("*") if path.suffix in (".c", ".S")]
    # What serves Python only has lists of its own.
    present = {path.as_posix() for path in paths if path.parts[1] not in ("bench", "extension")}
    assert len(present) > 50
    assert present <= named


def test_an_unknown_key(tree: Path) -> None:
    message = spoil(tree, "families/md5.yaml", "kernels:", "kernls:")
    assert message == "unknown key 'kernls'; did you mean 'kernels'?"


def test_a_missing_source(tree: Path) -> None:
    message = spoil(
        tree, "families/md5.yaml", "sources: [native/md5/portable.c]", "sources: [native/md5/portble.c]"
    )
    assert message == "there is no file 'native/md5/portble.c'; did you mean 'portable.c'?"


def test_a_source_outside_the_tree(tree: Path) -> None:
    message = spoil(tree, "families/md5.yaml", "sources: [native/md5/portable.c]", "sources: [../portable.c]")
    assert message == "'../portable.c' leaves the tree; sources lie inside it"


def test_an_unknown_feature(tree: Path) -> None:
    message = spoil(
        tree,
        "families/ghash.yaml",
        "requires: [pclmulqdq, ssse3]",
        "requires: [pclmulqd, ssse3]",
    )
    assert message == "unknown feature 'pclmulqd' of x86_64; did you mean 'pclmulqdq'?"


def test_an_unknown_feature_among_those_preferred(tree: Path) -> None:
    message = spoil(tree, "families/md5.yaml", "prefers: [one-cycle-rotate]", "prefers: [one-cycle-rotat]")
    assert message == "unknown feature 'one-cycle-rotat' of x86_64; did you mean 'one-cycle-rotate'?"


def test_a_last_kernel_that_prefers_something(tree: Path) -> None:
    path = tree / "recipes" / "families" / "md5.yaml"
    path.write_text(path.read_text(encoding="utf-8") + "    prefers: [aes]\n", encoding="utf-8")
    with pytest.raises(UsageError, match="the last kernel, 'portable', must run anywhere"):
        load_tree(tree)


def test_an_unknown_architecture(tree: Path) -> None:
    message = spoil(tree, "families/ghash.yaml", "arch: [x86_64]", "arch: [x86-64]")
    assert message == "unknown architecture 'x86-64'; did you mean 'x86_64'?"


def test_two_kernels_of_one_name(tree: Path) -> None:
    path = tree / "recipes" / "families" / "ghash.yaml"
    text = path.read_text(encoding="utf-8").replace("name: pclmul\n", "name: portable\n")
    path.write_text(text, encoding="utf-8")
    line = text[: text.rindex("name: portable")].count("\n") + 1
    with pytest.raises(
        UsageError, match=f"{path}:{line}: there are two kernels named 'portable'; rename one"
    ):
        load_tree(tree)


def test_an_unknown_family(tree: Path) -> None:
    message = spoil(tree, "package.yaml", "families: [aes-gcm, ghash, md5, md5-many]", "families: [aes-gmc]")
    assert message.endswith("did you mean 'aes-gcm'?")


def test_an_unknown_word_and_an_unknown_need(tree: Path) -> None:
    message = spoil(tree, "architectures/power.yaml", "vsx: {word: hwcap,", "vsx: {word: hwcp,")
    assert message == "unknown word 'hwcp'; did you mean 'hwcap'?"


def test_an_unknown_target_lists_the_known_ones() -> None:
    targets = load_targets(load_tree(ROOT))
    with pytest.raises(UsageError, match="unknown target 'powerpc64-linux-gnu-elf'") as caught:
        choose_targets(targets, ["powerpc64-linux-gnu-elf"])
    assert all(name in str(caught.value) for name in targets)
    assert "did you mean 'powerpc64-linux-gnu-elfv1'?" in str(caught.value)
    with pytest.raises(UsageError) as caught:
        choose_targets(targets, ["VAX"])
    assert str(caught.value).splitlines() == [
        "unknown target 'VAX'",
        "known targets:",
        *(f"  {name}" for name in targets),
    ]
