"""Recipes -> the C of the dispatcher: its tables, and for described families all that depends on them.

The dispatcher's own files (dispatch/*.c and *.h of the toolkit) say kp_ and KP_ where a tree has its
prefix; `with_prefix` makes them the tree's. Everything else here is made from the recipes.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kernport.build.entry import BUFFERS, Argument, KnownAnswer, lengths_of
from kernport.build.recipe import Architecture, Family, Kernel, Tree
from kernport.build.target import load_targets
from kernport.build.toolkit import toolkit

# The detectors' file for all architectures, and the one where no recipe knows the architecture.
DETECTION, NO_DETECTION = "detect.c", "dispatch/detect_nothing.c"


def note(tree: Tree, what: str = "") -> str:
    """The comment that a generated C file begins with."""
    return f"/* Generated from the recipes of {tree.name}{': ' + what if what else ''}. */\n"


def identifier(name: str) -> str:
    """A recipe's name as a part of a C identifier."""
    return name.replace("-", "_").replace(".", "_")


def with_prefix(text: str, tree: Tree) -> str:
    """A text of the toolkit with the tree's prefix on its symbols and macros."""
    return re.sub(r"\bkp_", f"{tree.prefix}_", re.sub(r"\bKP_", f"{tree.prefix.upper()}_", text))


def tables_header(tree: Tree, arch: str) -> str:
    """tables.h for one architecture."""
    parts = (
        note(tree),
        _tree_macros(tree, arch),
        _feature_numbers(tree, tree.architecture(arch)),
        _family_numbers(tree),
    )
    return "\n".join(parts)


def tables_source(tree: Tree, arch: str) -> str:
    """tables.c for one architecture: words, features, kernels and families as the dispatcher reads them."""
    headers = dict.fromkeys(family.interface or "dispatch/families.h" for family in tree.families)
    text = note(tree) + '#include "dispatch/dispatch.h"\n'
    text += "".join(f'#include "{header}"\n' for header in headers) + "\n"
    return (
        text
        + with_prefix(_word_and_feature_tables(tree.architecture(arch)), tree)
        + _kernel_tables(tree, arch)
    )


def _tree_macros(tree: Tree, arch: str) -> str:
    variable, prefix = identifier(tree.name).upper(), tree.prefix.upper()
    return (
        f'#define {prefix}_TREE_NAME "{tree.name}"\n'
        f'#define {prefix}_TREE_VERSION "{tree.version}"\n'
        f'#define {prefix}_TREE_ARCHITECTURE "{arch}"\n'
        f'#define {prefix}_DISABLE_VARIABLE "{variable}_DISABLE"\n'
        f'#define {prefix}_DISABLE_KERNEL_VARIABLE "{variable}_DISABLE_KERNEL"\n'
    )


def _feature_numbers(tree: Tree, architecture: Architecture) -> str:
    words = [f"    KP_WORD_{identifier(word).upper()},\n" for word in architecture.words]
    features = [f"    KP_FEATURE_{identifier(each.name).upper()},\n" for each in architecture.features]
    return with_prefix(
        f"enum kp_word_id {{\n{''.join(words)}    KP_WORD_COUNT\n}};\n\n"
        f"enum kp_feature_id {{\n{''.join(features)}    KP_FEATURE_COUNT\n}};\n",
        tree,
    )


def _family_numbers(tree: Tree) -> str:
    members = [f"    KP_FAMILY_{identifier(family.name).upper()},\n" for family in tree.families]
    return with_prefix(f"enum kp_family_id {{\n{''.join(members)}    KP_FAMILY_COUNT\n}};\n", tree)


def _mask(architecture: Architecture, names: tuple[str, ...]) -> str:
    positions = [[each.name for each in architecture.features].index(name) for name in names]
    return f"UINT64_C(0x{sum(1 << position for position in positions):x})"


def symbol(tree: Tree, family: Family, kernel: str, entry: str) -> str:
    """The C symbol that a kernel defines for an entry."""
    return f"{tree.prefix}_{identifier(family.name)}_{identifier(kernel)}_{entry}"


def _word_and_feature_tables(architecture: Architecture) -> str:
    words = "".join(f'    "{word}",\n' for word in architecture.words)
    text = f"const char *const kp_word_names[KP_WORD_COUNT + 1] = {{\n{words}    NULL,\n}};\n\n"
    rows = ""
    for feature in architecture.features:
        word = f"KP_WORD_{identifier(feature.word).upper()}"
        operand = 1 << feature.operand if feature.test == "bit" else feature.operand
        test = "ALL_OF" if feature.test == "bit" else feature.test.upper()
        needs = _mask(architecture, feature.needs)
        values = "NULL"
        if feature.values:
            values = f"{identifier(feature.name)}_values"
            numbers = "".join(f"UINT64_C(0x{value:x}), " for value in feature.values)
            text += f"static const uint64_t {values}[] = {{{numbers}0}};\n\n"
        rows += (
            f'    {{"{feature.name}", {word}, KP_TEST_{test}, UINT64_C(0x{operand:x}), {values}, {needs}}},\n'
        )
    rows += "    {NULL, 0, KP_TEST_ALL_OF, 0, NULL, 0},\n"
    return text + f"const struct kp_feature kp_features[KP_FEATURE_COUNT + 1] = {{\n{rows}}};\n\n"


def _kernel_table(tree: Tree, family: Family, kernel: Kernel) -> str:
    """The entries of one kernel: declarations and the structure that holds them."""
    stem = f"{tree.prefix}_{identifier(family.name)}"
    declarations, members = "", ""
    for name in family.constants:
        members += f"    .{name} = {kernel.constants[name]},\n"
    for entry in (*family.entries, *family.optional_entries):
        lender = kernel.borrows.get(entry, kernel.name)
        if entry in family.entries or entry in kernel.provides or entry in kernel.borrows:
            function = symbol(tree, family, lender, entry)
            declarations += f"{stem}_kernel_{entry} {function};\n"
            members += f"    .{entry} = {function},\n"
    name = f"{identifier(family.name)}_{identifier(kernel.name)}"
    return f"{declarations}static const struct {stem}_kernel {name} = {{\n{members}}};\n\n"


def _kernel_tables(tree: Tree, arch: str) -> str:
    architecture = tree.architecture(arch)
    text = families = ""
    for family in tree.families:
        name = identifier(family.name)
        rows = ""
        for kernel in family.kernels:
            if kernel.runs_on(arch):
                text += _kernel_table(tree, family, kernel)
                needs = f"{_mask(architecture, kernel.requires)}, {_mask(architecture, kernel.prefers)}"
                rows += f'    {{"{kernel.name}", {needs}, &{name}_{identifier(kernel.name)}}},\n'
        text += f"static const struct {tree.prefix}_kernel {name}_kernels[] = {{\n{rows}}};\n"
        text += f"{tree.prefix}_prove {tree.prefix}_{name}_prove;\n\n"
        families += (
            f'    {{"{family.name}", {name}_kernels, sizeof {name}_kernels / sizeof {name}_kernels[0],\n'
            f"     {tree.prefix}_{name}_prove}},\n"
        )
    table = f"const struct kp_family kp_families[KP_FAMILY_COUNT] = {{\n{families}}};\n"
    return text + with_prefix(table, tree)


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


# ---- The dispatcher of a tree for every architecture at once, in a few files of plain C. ----


def dispatcher_files(tree: Tree) -> dict[str, str]:
    """The files of dispatch/ for a tree, by name; the preprocessor finds the architecture.

    Detection is detect.c, which includes the architecture's own file; so are tables.h and tables.c.
    """
    files = {}
    for path in sorted((toolkit() / "dispatch").glob("*.[ch]")):
        if not path.name.startswith("detect_"):
            files[path.name] = with_prefix(path.read_text(encoding="utf-8"), tree)
    detectors = dict.fromkeys(
        (architecture.home / architecture.detect for architecture in tree.architectures), ""
    )
    for path in (*detectors, toolkit() / NO_DETECTION):
        files[path.name] = with_prefix(path.read_text(encoding="utf-8"), tree)
    for name in tree.variants():
        files[f"tables_{name}.h"] = tables_header(tree, name)
        files[f"tables_{name}.c"] = tables_source(tree, name)
    # Where no recipe knows the architecture, the kernels that run anywhere are there all the same.
    files["tables_other.h"] = tables_header(tree, "other")
    files["tables_other.c"] = tables_source(tree, "other")
    for suffix in ("h", "c"):
        files[f"tables.{suffix}"] = _by_architecture(
            tree,
            lambda name, end=suffix: f"dispatch/tables_{name}.{end}",
        )
    files[DETECTION] = _by_architecture(
        tree,
        lambda name: f"dispatch/{Path(tree.architecture(name).detect).name}",
    )
    files["families.h"] = families_header(tree)
    files["families.c"] = families_source(tree)
    return files


def _by_architecture(tree: Tree, file: Any) -> str:
    text, word = note(tree), "#if"
    for name, variant in tree.variants().items():
        text += f'{word} {variant.condition}\n#include "{file(name)}"\n'
        word = "#elif"
    return text + f'#else\n#include "{file("other")}"\n#endif\n'


def described(tree: Tree) -> list[Family]:
    """The families whose entries the recipes describe."""
    return [family for family in tree.families if family.described]


def families_header(tree: Tree) -> str:
    """families.h: what a kernel of each described family provides."""
    guard = f"{tree.prefix.upper()}_FAMILIES_H"
    text = note(tree, "what a kernel of each family provides")
    text += f'#ifndef {guard}\n#define {guard}\n\n#include "{Path(tree.interface).name}"\n'
    for family in described(tree):
        stem = f"{tree.prefix}_{identifier(family.name)}"
        text += "\n"
        for entry in family.described:
            text += f"typedef {entry.result} {stem}_kernel_{entry.name}({entry.parameters});\n"
        members = "".join(f"    {stem}_kernel_{entry.name} *{entry.name};\n" for entry in family.described)
        text += f"\nstruct {stem}_kernel {{\n{members}}};\n"
    return text + "\n#endif\n"


def families_source(tree: Tree) -> str:
    """families.c: the public functions of the described families, and their self-tests."""
    text = note(tree, "the public functions, and each family's self-test")
    text += (
        '#include "dispatch/families.h"\n#include "dispatch/dispatch.h"\n\n'
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
    )
    families = described(tree)
    if not families:
        return text
    text += with_prefix(
        """
/* The entries of the family's kernel. A library whose kernels all give wrong answers does not go on. */
static const void *chosen(enum kp_family_id family) {
    const struct kp_kernel *kernel;
    if (kp_dispatch(family, NULL, &kernel) != KP_SELECTED) {
        fprintf(stderr, "%s: no kernel of %s passed its self-test on this host\\n", KP_TREE_NAME,
                kp_families[family].name);
        abort();
    }
    return kernel->entries;
}
""",
        tree,
    )
    answers = [answer for family in families for answer in family.known_answers]
    if any(_period(value) < len(value) for answer in answers for value in _buffers(answer).values()):
        text += """
/* `part` over and over, `bytes` in all. */
static void fill(void *out, size_t bytes, const void *part, size_t part_bytes) {
    for (size_t i = 0; i < bytes; i += part_bytes)
        memcpy((uint8_t *)out + i, part, part_bytes);
}
"""
    for family in families:
        stem = f"{tree.prefix}_{identifier(family.name)}"
        number = f"{tree.prefix.upper()}_FAMILY_{identifier(family.name).upper()}"
        for entry in family.described:
            given = ", ".join(each.name for each in entry.arguments)
            back = "" if entry.result == "void" else "return "
            text += (
                f"\n{tree.prefix.upper()}_PUBLIC {entry.result} {entry.function}({entry.parameters});\n\n"
                f"{entry.result} {entry.function}({entry.parameters}) {{\n"
                f"    const struct {stem}_kernel *kernel = chosen({number});\n"
                f"    {back}kernel->{entry.name}({given});\n}}\n"
            )
        text += _prove(tree, family)
    return text


def _prove(tree: Tree, family: Family) -> str:
    stem = f"{tree.prefix}_{identifier(family.name)}"
    text = f"\nbool {stem}_prove(const void *entries);\n\nbool {stem}_prove(const void *entries) {{\n"
    text += f"    const struct {stem}_kernel *kernel = entries;\n"
    for answer in family.known_answers:
        text += f"    {{ /* {answer.source} */\n"
        text += "".join(f"        {line}\n" for line in _question(answer))
        text += "    }\n"
    return text + "    return true;\n}\n"


def _buffers(answer: KnownAnswer) -> dict[str, tuple[int, ...]]:
    return {name: value for name, value in answer.given.items() if isinstance(value, tuple)}


def _question(answer: KnownAnswer) -> Iterator[str]:
    """The C that asks a kernel for a known answer and returns false if it is another."""
    lengths = lengths_of(answer)
    given = []
    for argument in answer.entry.arguments:
        value = answer.given.get(argument.name)
        if argument.role == "length":
            given.append(str(lengths.get(argument.name, 0)))
        elif argument.role not in BUFFERS:
            assert isinstance(value, int)
            given.append(f"({argument.type}){_number(value)}")
        elif argument.role == "writes":
            yield f"{argument.type} {argument.name}[{max(len(answer.leaves[argument.name]), 1)}];"
            given.append(argument.name)
        else:
            assert isinstance(value, tuple)
            yield from _filled(argument, value)
            given.append(argument.name)
    call = f"kernel->{answer.entry.name}({', '.join(given)})"
    if answer.returns is None:
        yield f"{call};"
    else:
        yield f"if ({call} != ({answer.entry.result}){_number(answer.returns)})"
        yield "    return false;"
    for name, value in answer.leaves.items():
        if value:
            argument = next(each for each in answer.entry.arguments if each.name == name)
            yield f"static const {argument.type} {name}_left[] = {{{_numbers(value)}}};"
            yield f"if (memcmp({name}, {name}_left, sizeof {name}_left) != 0)"
            yield "    return false;"


def _filled(argument: Argument, value: tuple[int, ...]) -> Iterator[str]:
    period = _period(value)
    if argument.role == "reads" and period == len(value):
        yield f"static const {argument.type} {argument.name}[] = {{{_numbers(value or (0,))}}};"
        return
    yield f"static const {argument.type} {argument.name}_part[] = {{{_numbers(value[:period] or (0,))}}};"
    yield f"{argument.type} {argument.name}[{max(len(value), 1)}];"
    if period == len(value):
        yield f"memcpy({argument.name}, {argument.name}_part, sizeof {argument.name}_part);"
    else:
        yield (
            f"fill({argument.name}, sizeof {argument.name}, {argument.name}_part, "
            f"sizeof {argument.name}_part);"
        )


def _period(value: tuple[int, ...]) -> int:
    """The least length of a part that the value repeats."""
    return next(
        (n for n in range(1, len(value)) if len(value) % n == 0 and value == value[:n] * (len(value) // n)),
        len(value),
    )


def _number(value: int) -> str:
    return f"0x{value:02x}" if value >= 0 else str(value)


def _numbers(value: Sequence[int]) -> str:
    """The elements of an array, sixteen a line where there are more."""
    rows = [", ".join(map(_number, value[at : at + 16])) for at in range(0, len(value), 16)]
    if len(rows) == 1:
        return rows[0]
    return "\n" + "".join(f"            {row},\n" for row in rows) + "        "
