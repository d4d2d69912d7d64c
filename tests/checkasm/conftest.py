"""What the tests of checkasm share: the tree, its targets, and programs built once a target."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from kernport.build.checkasm.program import Program, build_checkasm
from kernport.build.recipe import Tree, load_tree
from kernport.build.target import Target, load_targets
from kernport.errors import EnvironmentLacks

ROOT = Path(__file__).resolve().parents[2]
TREE: Tree = load_tree(ROOT)
TARGETS: dict[str, Target] = load_targets(TREE)


@cache
def _build(target: str, program: str) -> Program | EnvironmentLacks:
    try:
        return build_checkasm(TREE, TARGETS[target], ROOT / "build", program)
    except EnvironmentLacks as error:
        return error


@pytest.fixture(scope="session")
def build() -> Callable[..., Program]:
    """Builds a program for a target; skips with the remedy where the machine lacks a compiler."""

    def either(target: str, program: str = "tests/checkasm/checkasm") -> Program:
        built = _build(target, program)
        if isinstance(built, EnvironmentLacks):
            pytest.skip(str(built))
        return built

    return either
