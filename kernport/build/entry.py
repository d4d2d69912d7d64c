"""Entries of a family that the recipe describes: what each argument is for, and answers that are known."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kernport.build.document import Document, Place, nearest
from kernport.errors import UsageError

# Sizes in bytes of the types that arguments and results may have; what is not here is a structure.
SIZES = {
    **{f"{sign}int{bits}_t": bits // 8 for bits in (8, 16, 32, 64) for sign in ("", "u")},
    **{"char": 1, "signed char": 1, "unsigned char": 1, "bool": 1, "_Bool": 1, "void": 1},
    **{"short": 2, "unsigned short": 2, "int": 4, "unsigned int": 4, "unsigned": 4},
}
# As wide as a register of every target.
WORDS = ("size_t", "uintptr_t", "intptr_t", "ptrdiff_t", "ssize_t", "long", "unsigned long")
BUFFERS = ("reads", "writes", "updates")
# The self-test's buffers lie on the stack of whoever calls first.
MOST_KNOWN_BYTES = 16384


@dataclass(frozen=True)
class Argument:
    """An argument. `role` is scalar, length, or one of BUFFERS.

    `count` is the number of a buffer's elements or the argument that holds it; `least` and `most` bound a
    scalar (0 and 0: any of its type); `secret` says that no branch and no address may depend on it.
    """

    name: str
    type: str
    role: str
    count: int | str = 0
    least: int = 0
    most: int = 0
    secret: bool = False

    @property
    def element_bytes(self) -> int:
        """The size of an element of a buffer, or of a scalar; 0 for what is as wide as a register."""
        return SIZES.get(self.type, 0)


@dataclass(frozen=True)
class Entry:
    """A function of a kernel: the public function of its prototype, what it returns, its arguments."""

    name: str
    function: str
    result: str
    arguments: tuple[Argument, ...]

    @property
    def parameters(self) -> str:
        """The parameters as C declares them."""
        return ", ".join(self.declared(each) for each in self.arguments) or "void"

    @staticmethod
    def declared(argument: Argument) -> str:
        """An argument as C declares it."""
        if argument.role not in BUFFERS:
            return f"{argument.type} {argument.name}"
        return f"{'const ' if argument.role == 'reads' else ''}{argument.type} *{argument.name}"


@dataclass(frozen=True)
class KnownAnswer:
    """What an entry is given and must return and leave; buffers as their elements."""

    entry: Entry
    source: str
    given: dict[str, int | tuple[int, ...]]
    returns: int | None
    leaves: dict[str, tuple[int, ...]]


def read_entries(document: Document, interface: Path, prefix: str) -> tuple[Entry, ...]:
    """The entries that a family's recipe describes, of functions that the interface declares.

    Raises UsageError with file and line where recipe and interface do not agree.
    """
    from kernport.build.header import read_functions

    functions = read_functions(interface)
    entries = []
    for name, body in document.data["entries"].items():
        place: Place = ("entries", name)
        wanted = body.get("function", f"{prefix}_{name}")
        function = functions.get(wanted)
        if function is None:
            raise document.error(
                place,
                f"{interface.name} declares no function '{wanted}' whose arguments are numbers and pointers "
                f"to them; {nearest(wanted, functions)}",
            )
        names = [parameter.name for parameter in function.parameters]
        if list(body["arguments"]) != names:
            raise document.error(
                (*place, "arguments"), f"{wanted} has the arguments {', '.join(names)}, in this order"
            )
        arguments = []
        for parameter in function.parameters:
            here = (*place, "arguments", parameter.name)
            given = body["arguments"][parameter.name]
            roles = [given] if isinstance(given, str) else [each for each in given if each != "secret"]
            if len(roles) != 1:
                raise document.error(here, "say one of scalar, reads, writes and updates")
            if (roles[0] in BUFFERS) != parameter.is_pointer:
                kind = "a pointer" if parameter.is_pointer else "no pointer"
                raise document.error(here, f"'{parameter.declared}' is {kind}: it cannot be '{roles[0]}'")
            argument = _argument(parameter.name, parameter.type, roles[0], given)
            if argument.role in BUFFERS:
                _check_buffer(document, here, argument, parameter.is_const, body["arguments"])
            elif argument.element_bytes > 4 or not (argument.element_bytes or argument.type in WORDS):
                raise document.error(
                    here, f"a {argument.type} is no number of one register everywhere; take a pointer to it"
                )
            arguments.append(argument)
        if function.result not in ("void", *WORDS) and not 0 < SIZES.get(function.result, 0) <= 4:
            raise document.error(
                place,
                f"{wanted} returns a {function.result}: only numbers of at most 32 bits can be checked",
            )
        entries.append(Entry(name, wanted, function.result, tuple(arguments)))
    return tuple(entries)


def _argument(name: str, kind: str, role: str, given: Any) -> Argument:
    if isinstance(given, str):
        return Argument(name, kind, role)
    secret = given.get("secret", False)
    if role == "scalar":
        least, most = given["scalar"]
        return Argument(name, kind, role, 0, least, most, secret)
    return Argument(name, kind, role, given[role], secret=secret)


def _check_buffer(
    document: Document, place: Place, argument: Argument, is_const: bool, arguments: dict[str, Any]
) -> None:
    if (argument.role == "reads") != is_const:
        remedy = "which declares it const" if is_const else "which does not declare it const"
        raise document.error(place, f"'{argument.role}' does not fit the interface, {remedy}")
    if not argument.element_bytes:
        raise document.error(
            place, f"'{argument.type}' has a size that is not known here; take bytes or words of a fixed size"
        )
    if isinstance(argument.count, str) and arguments.get(argument.count) != "length":
        lengths = [name for name, role in arguments.items() if role == "length"]
        raise document.error(
            place, f"'{argument.count}' is no argument that is a length; {nearest(argument.count, lengths)}"
        )


def read_known_answers(document: Document, entries: tuple[Entry, ...]) -> tuple[KnownAnswer, ...]:
    """The known answers of a family's recipe. Raises UsageError where one does not fit its entry."""
    answers = []
    for number, body in enumerate(document.data.get("known_answers", [])):
        place: Place = ("known_answers", number)
        entry = next((each for each in entries if each.name == body["entry"]), None)
        if entry is None:
            known = (each.name for each in entries)
            raise document.error(
                (*place, "entry"), f"no entry '{body['entry']}'; {nearest(body['entry'], known)}"
            )
        inputs = {each.name: each for each in entry.arguments if each.role in ("scalar", "reads", "updates")}
        outputs = {each.name: each for each in entry.arguments if each.role in ("writes", "updates")}
        given = _values(document, (*place, "given"), body["given"], inputs)
        leaves = _values(document, (*place, "leaves"), body.get("leaves", {}), outputs)
        if (entry.result == "void") != ("returns" not in body):
            raise document.error(place, f"{entry.function} returns {entry.result}: 'returns' must say so")
        values = [value for value in (*given.values(), *leaves.values()) if isinstance(value, tuple)]
        if sum(map(len, values)) > MOST_KNOWN_BYTES:
            raise document.error(place, f"more than {MOST_KNOWN_BYTES} elements: too many for a self-test")
        answers.append(
            KnownAnswer(
                entry,
                body["source"],
                given,
                body.get("returns"),
                {name: value for name, value in leaves.items() if isinstance(value, tuple)},
            )
        )
    for entry in entries:
        if entry not in (answer.entry for answer in answers):
            raise document.error(
                ("entries", entry.name),
                "no known answer: without one no kernel proves itself; add known_answers",
            )
    return tuple(answers)


def _values(
    document: Document, place: Place, body: dict[str, Any], wanted: dict[str, Argument]
) -> dict[str, int | tuple[int, ...]]:
    if body.keys() != wanted.keys():
        raise document.error(place, f"expected values of {', '.join(wanted) or 'nothing'}")
    values: dict[str, int | tuple[int, ...]] = {}
    for name, value in body.items():
        argument = wanted[name]
        if isinstance(value, int) != (argument.role == "scalar"):
            raise document.error((*place, name), f"'{name}' is a {argument.role}")
        if isinstance(value, dict):
            if argument.element_bytes != 1:
                raise document.error((*place, name), f"'{name}' has elements of {argument.type}: list them")
            value = tuple(bytes.fromhex(value["hex"]) * value.get("times", 1))
        elif isinstance(value, list):
            value = tuple(value)
        if isinstance(value, tuple) and isinstance(argument.count, int) and len(value) != argument.count:
            raise document.error((*place, name), f"'{name}' has {argument.count} elements, not {len(value)}")
        values[name] = value
    return values


def lengths_of(answer: KnownAnswer) -> dict[str, int]:
    """What the length arguments are in a known answer. Raises UsageError where buffers disagree."""
    lengths: dict[str, int] = {}
    for argument in answer.entry.arguments:
        value = answer.given.get(argument.name, answer.leaves.get(argument.name))
        if not isinstance(argument.count, str) or not isinstance(value, tuple):
            continue
        if lengths.setdefault(argument.count, len(value)) != len(value):
            raise UsageError(
                f"known answer of {answer.entry.function} ({answer.source}): "
                f"'{argument.count}' is {lengths[argument.count]} and {len(value)}"
            )
    return lengths
