"""YAML files that are checked against a JSON Schema, with errors that name file, line and remedy."""

import difflib
import functools
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from kernport.errors import UsageError

Place = tuple[str | int, ...]

# One that several schemas share is a file of its own beside them.
DEFINITION = re.compile(r'"#/\$defs/(\w+)"')


def nearest(name: str, known: Iterable[str]) -> str:
    """Say which known name is nearest to a wrong one, or list them all: the end of an error message."""
    names = sorted(known)
    if guess := similar(name, names):
        return guess
    return f"known: {', '.join(names)}" if names else "none is known here"


def similar(name: str, known: Iterable[str]) -> str:
    """Ask whether the known name most like a wrong one was meant; nothing where none is like it."""
    close = difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.5)
    return f"did you mean '{close[0]}'?" if close else ""


@dataclass(frozen=True)
class Document:
    """A valid YAML file: its data, and the line on which each part of it begins."""

    path: Path
    data: dict[str, Any]
    lines: dict[Place, int]

    def line(self, place: Place) -> int:
        """The line on which `place`, or what contains it, begins."""
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place, 1)

    def error(self, place: Place, message: str) -> UsageError:
        """Make an error that begins with the file and the line of `place` (or of what contains it)."""
        return UsageError(f"{self.path}:{self.line(place)}: {message}")


def load(path: Path, schema_path: Path) -> Document:
    """Read a YAML file and check it against a JSON Schema (draft 2020-12).

    Raises UsageError naming the file, the line and what is wrong; for an unknown key also the
    nearest known one.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from error
    lines: dict[Place, int] = {}
    try:
        loader = yaml.SafeLoader(text)
        root = loader.get_single_node()
        if root is None:
            raise UsageError(f"{path}:1: the file is empty")
        _note_lines(path, root, (), lines)
        data = loader.construct_document(root)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise UsageError(f"{path}:{line}: not valid YAML: {error.problem}") from error
    if not isinstance(data, dict):
        raise UsageError(f"{path}:1: expected keys and values, found a {type(data).__name__}")
    document = Document(path, data, lines)
    fault = jsonschema.exceptions.best_match(_validator(schema_path).iter_errors(data))
    if fault is not None:
        raise _explain(document, fault)
    return document


@functools.cache
def _validator(schema_path: Path) -> jsonschema.Draft202012Validator:
    text = schema_path.read_text(encoding="utf-8")
    schema = json.loads(text)
    definitions = schema.setdefault("$defs", {})
    for name in set(DEFINITION.findall(text)) - definitions.keys():
        path = schema_path.with_name(f"{name}.schema.json")
        definitions[name] = json.loads(path.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def _note_lines(path: Path, node: yaml.Node, place: Place, lines: dict[Place, int]) -> None:
    lines.setdefault(place, node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            inner = (*place, key.value)
            if inner in lines:
                line = key.start_mark.line + 1
                raise UsageError(f"{path}:{line}: key '{key.value}' stands on line {lines[inner]} already")
            lines[inner] = key.start_mark.line + 1
            _note_lines(path, value, inner, lines)
    elif isinstance(node, yaml.SequenceNode):
        for number, value in enumerate(node.value):
            _note_lines(path, value, (*place, number), lines)


def _explain(document: Document, fault: jsonschema.ValidationError) -> UsageError:
    place: Place = tuple(fault.absolute_path)
    if fault.validator == "additionalProperties":
        known = fault.schema.get("properties", {})
        unknown = next(key for key in fault.instance if key not in known)
        return document.error((*place, unknown), f"unknown key '{unknown}'; {nearest(unknown, known)}")
    if fault.validator == "enum" and isinstance(fault.instance, str):
        known = [str(value) for value in fault.validator_value]
        return document.error(
            place, f"'{fault.instance}' is not known here; {nearest(fault.instance, known)}"
        )
    where = f"'{place[-1]}': " if place else ""
    return document.error(place, f"{where}{fault.message}")
