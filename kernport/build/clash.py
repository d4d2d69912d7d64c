"""Whether two trees can be used by one program: names, symbols and configuration must be apart."""

from collections.abc import Sequence
from itertools import combinations

from kernport.build.described_module import module_name
from kernport.build.header import public_functions
from kernport.build.recipe import Tree
from kernport.errors import UsageError


def check_together(trees: Sequence[Tree]) -> None:
    """Raise UsageError, naming both places and the remedy, where two trees would clash in one program."""
    for first, second in combinations(trees, 2):
        recipes = [f"{tree.root / 'recipes' / 'package.yaml'}" for tree in (first, second)]
        for key, one, other, reason in (
            ("name", first.name, second.name, "the library, its configuration and its variables have it"),
            ("prefix", first.prefix, second.prefix, "every C symbol begins so"),
            ("name", module_name(first), module_name(second), "Python imports both by it"),
        ):
            if one == other:
                raise UsageError(
                    f"{recipes[1]}: '{key}' gives '{one}', as in {recipes[0]}: {reason}; change one"
                )
        shared = _functions(first) & _functions(second)
        if shared:
            raise UsageError(
                f"{second.root / second.interface}: declares {', '.join(sorted(shared))}, as "
                f"{first.root / first.interface} does: one program cannot link both; rename one"
            )


def _functions(tree: Tree) -> set[str]:
    return public_functions((tree.root / tree.interface).read_text(encoding="utf-8"))
