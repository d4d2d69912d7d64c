"""C headers as cffi reads them: the declarations, and what a function is given and returns."""

import copy
import re
from dataclasses import dataclass
from pathlib import Path

import cffi
from pycparser import c_ast, c_generator, c_parser

from kernport.errors import UsageError

# The types that cffi knows without being told, as a parser must be told of them.
KNOWN_TYPES = (
    *(f"{sign}int{bits}_t" for bits in (8, 16, 32, 64) for sign in ("", "u")),
    *("size_t", "ssize_t", "ptrdiff_t", "intptr_t", "uintptr_t", "bool"),
)


@dataclass(frozen=True)
class Parameter:
    """A parameter of a function: its name, and its type without a pointer and without const."""

    name: str
    type: str
    is_pointer: bool
    is_const: bool

    @property
    def declared(self) -> str:
        """As C declares it."""
        const = "const " if self.is_const else ""
        return f"{const}{self.type} {'*' if self.is_pointer else ''}{self.name}"


@dataclass(frozen=True)
class Function:
    """A function that a header declares. `result` is "void" or a type that is no pointer."""

    name: str
    result: str
    parameters: tuple[Parameter, ...]

    def declared_as(self, name: str) -> str:
        """Its prototype under another name, without a semicolon."""
        return f"{self.result} {name}({', '.join(each.declared for each in self.parameters) or 'void'})"


def declarations(text: str) -> str:
    """The declarations of a header in the form that cffi reads, each on the line where it was.

    Comments, preprocessor lines, `extern "C"` and macros that end in PUBLIC are left out.
    """

    def blank(match: re.Match[str]) -> str:
        return "\n" * match[0].count("\n") or " "

    text = re.sub(r"/\*.*?\*/|//[^\n]*", blank, text, flags=re.DOTALL)
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blank, text, flags=re.MULTILINE)
    text = re.sub(r'extern "C" \{(.*)\}', r"\1", text, flags=re.DOTALL)
    return re.sub(r"\b[A-Z][A-Z0-9_]*_PUBLIC\b", "", text)


def public_functions(text: str) -> set[str]:
    """The names of the functions that a header declares."""
    tree = c_parser.CParser().parse(_with_types(declarations(text)))
    return {
        node.name
        for node in tree.ext
        if isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.FuncDecl)
    }


def read_functions(path: Path) -> dict[str, Function]:
    """The functions that a header declares, by name.

    Raises UsageError with file and line for a header that cffi cannot parse. Functions whose arguments
    are more than numbers and pointers to numbers or structures are left out.
    """
    try:
        text = declarations(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from error
    try:
        cffi.FFI().cdef(text)
        tree = c_parser.CParser().parse(_with_types(text))
    except (cffi.CDefError, cffi.FFIError, c_parser.ParseError) as error:
        said = str(error).splitlines()[-1]
        found = re.search(r":(\d+)(?::\d+)?: (.*)", said) or re.search(r"()(.*)", said)
        assert found is not None
        line = f":{found[1]}" if found[1] else ""
        raise UsageError(
            f"{path}{line}: cffi cannot read this: {found[2]}; "
            "a public header holds plain declarations, and what needs macros goes into another one"
        ) from error
    functions = {}
    for node in tree.ext:
        if isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.FuncDecl):
            function = _function(node)
            if function is not None:
                functions[node.name] = function
    return functions


def _with_types(text: str) -> str:
    # On one line, so that the header's own lines keep their numbers.
    return " ".join(f"typedef int {name};" for name in KNOWN_TYPES) + text


def _function(node: c_ast.Decl) -> Function | None:
    result = _plain(node.type.type)
    if result is None:
        return None
    parameters = []
    for each in node.type.args.params if node.type.args else ():
        if isinstance(each, c_ast.Typename) and _plain(each.type) == "void":
            continue
        parameter = _parameter(each)
        if parameter is None:
            return None
        parameters.append(parameter)
    return Function(node.name, result, tuple(parameters))


def _parameter(node: c_ast.Node) -> Parameter | None:
    if not isinstance(node, c_ast.Decl):
        return None
    is_pointer = isinstance(node.type, (c_ast.PtrDecl, c_ast.ArrayDecl))
    target = node.type.type if is_pointer else node.type
    kind = _plain(target)
    if kind is None:
        return None
    return Parameter(node.name, kind, is_pointer, is_pointer and "const" in target.quals)


def _plain(node: c_ast.Node) -> str | None:
    """The text of a type that is neither a pointer nor an array nor a function; None for these."""
    if not isinstance(node, c_ast.TypeDecl):
        return None
    bare = copy.copy(node)
    bare.declname, bare.quals = None, []
    return str(c_generator.CGenerator().visit(bare)).strip()
