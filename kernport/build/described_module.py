"""The Python module of a tree: cffi's extension over the interface, a function an entry, and `show`."""

import contextlib
import io
import json
from pathlib import Path
from string import Template

import cffi

from kernport.build.dispatcher import described, description, with_prefix
from kernport.build.entry import BUFFERS, Argument, Entry
from kernport.build.header import declarations
from kernport.build.recipe import Tree
from kernport.build.toolkit import toolkit

PACKAGE = Path(__file__).resolve().parents[1]
TEMPLATES = Path(__file__).resolve().parent / "staged" / "python"
# What says on every host what the dispatcher saw: kernport's own, under the module's name.
REPORTING = {
    "cpu.py": "cpu.py",
    "judge.py": "judge.py",
    "report.py": "report.py",
    "show.schema.json": "show.schema.json",
    "errors.py": "errors.py",
    "show.py": "cli/show.py",
    "table.py": "cli/table.py",
}
# The elements for which cffi passes on the address of a `bytes` as it is, in half the time.
BYTES = ("uint8_t", "int8_t", "char")


def module_name(tree: Tree) -> str:
    """The name by which Python imports the module of a tree."""
    return tree.name.replace("-", "_")


def module_files(tree: Tree) -> dict[str, str]:
    """The files of python/: MODULE/*.py, the extension's C source."""
    module = module_name(tree)
    files = {"_cffi.c": extension_source(tree)}
    for name, source in REPORTING.items():
        files[f"{module}/{name}"] = _renamed((PACKAGE / source).read_text(encoding="utf-8"), tree)
    main = Template((TEMPLATES / "__main__.py.in").read_text(encoding="utf-8"))
    files[f"{module}/__main__.py"] = main.substitute(module=module)
    files[f"{module}/__init__.py"] = _functions(tree)
    files[f"{module}/dispatch.json"] = json.dumps(description(tree), indent=1) + "\n"
    files[f"{module}/py.typed"] = ""
    return files


def extension_source(tree: Tree) -> str:
    """The C source of MODULE._cffi, which declares the interface and what the dispatcher tells."""
    ffi = cffi.FFI()
    report = with_prefix((toolkit() / "dispatch" / "report.h").read_text(encoding="utf-8"), tree)
    headers = {
        f"{tree.name}_dispatch.h": report,
        Path(tree.interface).name: (tree.root / tree.interface).read_text(encoding="utf-8"),
    }
    for text in headers.values():
        ffi.cdef(declarations(text))
    ffi.set_source(f"{module_name(tree)}._cffi", "".join(f'#include "{name}"\n' for name in headers))
    out = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()):
        ffi.emit_c_code(out)
    return out.getvalue()


def _renamed(text: str, tree: Tree) -> str:
    module = module_name(tree)
    text = text.replace("from kernport.cli.table", f"from {module}.table")
    text = text.replace("kernport show", f"python -m {module} show")
    text = text.replace("KERNPORT_", f"{module.upper()}_").replace("kernport", module)
    return with_prefix(text, tree)


def _functions(tree: Tree) -> str:
    module = module_name(tree)
    entries = [entry for family in described(tree) for entry in family.described]
    names = sorted([*(entry.function for entry in entries), "ffi", "host", "lib"])
    text = (
        f'"""{tree.summary}."""\n\n'
        f"from typing import Any\n\n"
        f"from {module}._cffi import ffi, lib\nfrom {module}.cpu import host\n\n"
        f"__all__ = {json.dumps(names)}\n"
    )
    return text + "".join(_function(entry) for entry in entries)


def _function(entry: Entry) -> str:
    """A Python function for an entry: buffers in, lengths from them, what is written out."""
    sources = [each for each in entry.arguments if each.role in ("reads", "updates")]
    implied = {each.count: each.name for each in reversed(sources) if isinstance(each.count, str)}
    parameters = [
        f"{each.name}: {'int' if each.role in ('scalar', 'length') else 'Any'}"
        for each in entry.arguments
        if each.role != "writes" and not (each.role == "length" and each.name in implied)
    ]
    written = [each for each in entry.arguments if each.role == "writes"]
    results = (["int"] if entry.result != "void" else []) + ["bytes"] * len(written)
    result = results[0] if len(results) == 1 else f"tuple[{', '.join(results)}]" if results else "None"
    lines = [f"def {entry.function}({', '.join(parameters)}) -> {result}:"]
    lines += [f'    """{entry.result} {entry.function}({entry.parameters})']
    lines += ["", *_explained(entry, implied), '    """']
    for each in sources:
        writable = ", require_writable=True" if each.role == "updates" else ""
        taken = f'{each.name} = ffi.from_buffer("{_element(each)}[]", {each.name}{writable})'
        if each.role == "reads" and _element(each) in BYTES:
            lines += [f"    if type({each.name}) is not bytes:", f"        {taken}"]
        else:
            lines.append(f"    {taken}")
    for each in entry.arguments:
        if each.role == "length" and each.name in implied:
            lines.append(f"    {each.name} = len({implied[each.name]})")
    lines += [line for each in sources for line in _checked(each, implied)]
    for each in written:
        lines.append(f'    {each.name} = ffi.new("{_element(each)}[]", {each.count})')
    call = f"lib.{entry.function}({', '.join(each.name for each in entry.arguments)})"
    outs = [f"bytes(ffi.buffer({each.name}))" for each in written]
    if entry.result == "void":
        lines.append(f"    {call}")
        lines += [f"    return {', '.join(outs)}"] if outs else []
    elif outs:
        lines += [f"    result = int({call})", f"    return result, {', '.join(outs)}"]
    else:
        lines.append(f"    return int({call})")
    return "\n\n" + "\n".join(lines) + "\n"


def _element(argument: Argument) -> str:
    return "uint8_t" if argument.type == "void" else argument.type


def _explained(entry: Entry, implied: dict[str, str]) -> list[str]:
    said = []
    for each in entry.arguments:
        count = each.count if isinstance(each.count, int) else f"`{each.count}`"
        what = f"{count} of {_element(each)}"
        if each.role == "reads":
            said.append(f"    `{each.name}`: a contiguous buffer, {what}.")
        elif each.role == "updates":
            said.append(f"    `{each.name}`: a contiguous, writable buffer, {what}, which is changed.")
        elif each.role == "writes":
            said.append(f"    `{each.name}` is returned: {what}.")
        elif each.name in implied:
            said.append(f"    `{each.name}` is that of `{implied[each.name]}`.")
    return said


def _checked(argument: Argument, implied: dict[str, str]) -> list[str]:
    if argument.role not in BUFFERS or implied.get(str(argument.count)) == argument.name:
        return []
    return [
        f"    if len({argument.name}) != {argument.count}:",
        f'        raise ValueError(f"{argument.name} must have {{{argument.count}}} elements, '
        f'not {{len({argument.name})}}")',
    ]
