"""Recipes -> the C tables of the dispatcher, for one architecture.

python dispatch/table.py sources ARCH …          the library's sources, one a line
python dispatch/table.py recipes                 the recipe files, one a line
python dispatch/table.py generate ARCH FOLDER    writes tables.h and tables.c
"""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from kernport.build.recipe import Architecture, Family, Kernel, Tree, load_tree
from kernport.build.target import load_targets
from kernport.errors import KernportError

NOTE = "/* Generated from the recipes by dispatch/table.py. */\n"


def identifier(name: str) -> str:
    """A recipe's name as a part of a C identifier."""
    return name.replace("-", "_").replace(".", "_")


def tree_macros(tree: Tree, arch: str) -> str:
    """What the recipes say of the package as a whole."""
    variable = identifier(tree.name).upper()
    return (
        f'#define KP_TREE_NAME "{tree.name}"\n'
        f'#define KP_TREE_VERSION "{tree.version}"\n'
        f'#define KP_TREE_ARCHITECTURE "{arch}"\n'
        f'#define KP_DISABLE_VARIABLE "{variable}_DISABLE"\n'
        f'#define KP_DISABLE_KERNEL_VARIABLE "{variable}_DISABLE_KERNEL"\n'
    )


def feature_numbers(architecture: Architecture) -> str:
    """The words that detection reads and the features that follow from them."""
    words = [f"    KP_WORD_{identifier(word).upper()},\n" for word in architecture.words]
    features = [f"    KP_FEATURE_{identifier(each.name).upper()},\n" for each in architecture.features]
    return (
        f"enum kp_word_id {{\n{''.join(words)}    KP_WORD_COUNT\n}};\n\n"
        f"enum kp_feature_id {{\n{''.join(features)}    KP_FEATURE_COUNT\n}};\n"
    )


def family_numbers(tree: Tree) -> str:
    """The number of each family."""
    members = [f"    KP_FAMILY_{identifier(family.name).upper()},\n" for family in tree.families]
    return f"enum kp_family_id {{\n{''.join(members)}    KP_FAMILY_COUNT\n}};\n"


def mask(architecture: Architecture, names: tuple[str, ...]) -> str:
    """The C expression for a set of features."""
    positions = [[each.name for each in architecture.features].index(name) for name in names]
    return f"UINT64_C(0x{sum(1 << position for position in positions):x})"


def symbol(prefix: str, family: Family, kernel: str, entry: str) -> str:
    """The C symbol that a kernel defines for an entry."""
    return f"{prefix}_{identifier(family.name)}_{identifier(kernel)}_{entry}"


def kernel_table(prefix: str, family: Family, kernel: Kernel) -> str:
    """The entries of one kernel: declarations and the structure that holds them."""
    stem = f"{prefix}_{identifier(family.name)}"
    declarations, members = "", ""
    for name in family.constants:
        members += f"    .{name} = {kernel.constants[name]},\n"
    for entry in (*family.entries, *family.optional_entries):
        lender = kernel.borrows.get(entry, kernel.name)
        if entry in family.entries or entry in kernel.provides or entry in kernel.borrows:
            function = symbol(prefix, family, lender, entry)
            declarations += f"{stem}_kernel_{entry} {function};\n"
            members += f"    .{entry} = {function},\n"
    name = f"{identifier(family.name)}_{identifier(kernel.name)}"
    return f"{declarations}static const struct {stem}_kernel {name} = {{\n{members}}};\n\n"


def tables(tree: Tree, arch: str) -> str:
    """tables.c: words, features, kernels and families as the dispatcher reads them."""
    architecture = tree.architecture(arch)
    headers = dict.fromkeys(family.interface for family in tree.families)
    text = NOTE + '#include "dispatch/dispatch.h"\n'
    text += "".join(f'#include "{header}"\n' for header in headers) + "\n"
    words = "".join(f'    "{word}",\n' for word in architecture.words)
    text += f"const char *const kp_word_names[KP_WORD_COUNT + 1] = {{\n{words}    NULL,\n}};\n\n"
    rows = ""
    for feature in architecture.features:
        word = f"KP_WORD_{identifier(feature.word).upper()}"
        operand = 1 << feature.operand if feature.test == "bit" else feature.operand
        test = "ALL_OF" if feature.test == "bit" else feature.test.upper()
        needs = mask(architecture, feature.needs)
        values = "NULL"
        if feature.values:
            values = f"{identifier(feature.name)}_values"
            numbers = "".join(f"UINT64_C(0x{value:x}), " for value in feature.values)
            text += f"static const uint64_t {values}[] = {{{numbers}0}};\n\n"
        rows += (
            f'    {{"{feature.name}", {word}, KP_TEST_{test}, UINT64_C(0x{operand:x}), {values}, {needs}}},\n'
        )
    rows += "    {NULL, 0, KP_TEST_ALL_OF, 0, NULL, 0},\n"
    text += f"const struct kp_feature kp_features[KP_FEATURE_COUNT + 1] = {{\n{rows}}};\n\n"
    families = ""
    for family in tree.families:
        name = identifier(family.name)
        rows = ""
        for kernel in family.kernels:
            if kernel.runs_on(arch):
                text += kernel_table(tree.prefix, family, kernel)
                needs = f"{mask(architecture, kernel.requires)}, {mask(architecture, kernel.prefers)}"
                rows += f'    {{"{kernel.name}", {needs}, &{name}_{identifier(kernel.name)}}},\n'
        text += f"static const struct kp_kernel {name}_kernels[] = {{\n{rows}}};\n"
        text += f"kp_prove {tree.prefix}_{name}_prove;\n\n"
        families += (
            f'    {{"{family.name}", {name}_kernels, sizeof {name}_kernels / sizeof {name}_kernels[0],\n'
            f"     {tree.prefix}_{name}_prove}},\n"
        )
    return text + f"const struct kp_family kp_families[KP_FAMILY_COUNT] = {{\n{families}}};\n"


def description(tree: Tree) -> dict[str, Any]:
    """What decides the choice on every target: words, features and kernels, for the Python side."""
    return {
        "targets": {target.name: target.variant.name for target in load_targets(tree).values()},
        "architectures": {
            name: {
                "words": tree.architecture(name).words,
                "features": [asdict(feature) for feature in tree.architecture(name).features],
                "kernels": [
                    {
                        "family": family.name,
                        "name": kernel.name,
                        "requires": kernel.requires,
                        "prefers": kernel.prefers,
                    }
                    for family in tree.families
                    for kernel in family.kernels
                    if kernel.runs_on(name)
                ],
            }
            for name in tree.variants()
        },
    }


def main(arguments: list[str]) -> int:
    """Run one of the commands above; returns the exit code."""
    try:
        tree = load_tree(ROOT)
    except KernportError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    match arguments:
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
            header = "\n".join(
                (
                    NOTE,
                    tree_macros(tree, arch),
                    feature_numbers(tree.architecture(arch)),
                    family_numbers(tree),
                )
            )
            (Path(folder) / "tables.h").write_text(header, encoding="utf-8")
            (Path(folder) / "tables.c").write_text(tables(tree, arch), encoding="utf-8")
        case ["describe", file]:
            Path(file).write_text(json.dumps(description(tree), indent=1) + "\n", encoding="utf-8")
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
