"""The tables by which checkasm calls and checks the families that recipes describe."""

from kernport.build.dispatcher import described, identifier, note, with_prefix
from kernport.build.entry import BUFFERS, Argument, Entry
from kernport.build.recipe import Family, Tree

SIGNED = ("int", "short", "char", "signed", "long", "ssize", "ptrdiff")


def families_of_checks(tree: Tree) -> str:
    """tests/checkasm/families/families.c of a tree."""
    text = note(tree, "how checkasm calls each entry")
    text += '#include "dispatch/families.h"\n#include "tests/checkasm/described.h"\n'
    names = []
    for family in described(tree):
        text += _checks(tree, family)
        names.append(f"&checks_{identifier(family.name)}")
    entries = ", ".join([*names, "NULL"])
    return text + f"\nconst struct checkasm_family *const checkasm_families[] = {{{entries}}};\n"


def _checks(tree: Tree, family: Family) -> str:
    name, stem = identifier(family.name), f"{tree.prefix}_{identifier(family.name)}"
    text = ""
    for entry in family.described:
        given = ", ".join(
            f"({_cast(argument)})arguments[{number}]" for number, argument in enumerate(entry.arguments)
        )
        call = f"((const struct {stem}_kernel *)entries)->{entry.name}({given})"
        body = (
            f"    {call};\n    return 0;\n" if entry.result == "void" else f"    return (uintptr_t){call};\n"
        )
        text += (
            f"\nstatic uintptr_t {name}_{entry.name}(const void *entries, "
            f"const uintptr_t arguments[MOST_ARGUMENTS]) {{\n    (void)arguments;\n{body}}}\n"
        )
    rows = "".join(_entry_row(stem, name, entry) for entry in family.described)
    operations = "".join(f'"{entry.name}", ' for entry in family.described)
    text += f"\nstatic const struct described_entry {name}_entries[] = {{\n{rows}}};\n\n"
    text += f"kp_prove {stem}_prove;\n\n"
    text += (
        f"static const struct described_family {name}_family = {{{name}_entries, "
        f"sizeof {name}_entries / sizeof {name}_entries[0], {stem}_prove}};\n\n"
        f"static void {name}_check(const struct kp_kernel *kernel, const struct kp_kernel *portable) {{\n"
        f"    described_check(&{name}_family, kernel, portable);\n}}\n\n"
        f"static void {name}_check_secrets(const struct kp_kernel *kernel) {{\n"
        f"    described_check_secrets(&{name}_family, kernel);\n}}\n\n"
        f"static const char *const {name}_operations[] = {{{operations}NULL}};\n\n"
        f"static void {name}_loop(const struct kp_kernel *kernel, const char *operation, size_t bytes, "
        f"uint64_t count) {{\n    described_loop(&{name}_family, kernel, operation, bytes, count);\n}}\n\n"
        f'static const struct checkasm_family checks_{name} = {{"{family.name}", {name}_check, '
        f"{name}_check_secrets, {name}_operations, {name}_loop}};\n"
    )
    return with_prefix(text, tree)


def _entry_row(stem: str, name: str, entry: Entry) -> str:
    rows = "".join(f"         {_argument_row(entry, argument)},\n" for argument in entry.arguments)
    result = "0" if entry.result == "void" else f"sizeof({entry.result})"
    return (
        f'    {{"{entry.name}", offsetof(struct {stem}_kernel, {entry.name}), {name}_{entry.name}, {result}, '
        f"{len(entry.arguments)},\n        {{\n{rows}        }}}},\n"
    )


def _argument_row(entry: Entry, argument: Argument) -> str:
    names = [each.name for each in entry.arguments]
    counted_by = names.index(argument.count) if isinstance(argument.count, str) else -1
    count = argument.count if isinstance(argument.count, int) else 0
    size = (
        "0"
        if argument.role == "length"
        else f"sizeof({'char' if argument.type == 'void' else argument.type})"
    )
    is_signed = str(argument.type.startswith(SIGNED)).lower()
    return (
        f'{{"{argument.name}", {argument.role.upper()}, {size}, {counted_by}, {count}, {is_signed}, '
        f"{argument.least}, {argument.most}, {str(argument.secret).lower()}}}"
    )


def _cast(argument: Argument) -> str:
    if argument.role not in BUFFERS:
        return argument.type
    return f"{'const ' if argument.role == 'reads' else ''}{argument.type} *"
