"""YAML files with schemas: every fault is an error with file, line and remedy."""

from pathlib import Path

import pytest

from kernport.build.document import load
from kernport.build.recipe import SCHEMAS
from kernport.errors import UsageError

PACKAGE = """\
name: demo
version: 1.0.0
summary: a demonstration
licence: MIT
prefix: demo
families: [one]
sources: []
maintainer: demo <demo@demo.example>
summaries: {library: a library}
outputs:
  deb:
    libdemo: {tags: [runtime], summary: library, section: libs}
interface: demo.h
wheel: {python: cp311, abi: abi3, free_threaded: {reason: none}}
"""


def fault(tmp_path: Path, text: str) -> str:
    path = tmp_path / "package.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        load(path, SCHEMAS / "package.schema.json")
    message = str(caught.value)
    assert message.startswith(f"{path}:")
    return message.removeprefix(f"{path}:")


def test_a_valid_file_gives_its_data_and_lines(tmp_path: Path) -> None:
    path = tmp_path / "package.yaml"
    path.write_text(PACKAGE, encoding="utf-8")
    document = load(path, SCHEMAS / "package.schema.json")
    assert document.data["name"] == "demo"
    assert document.lines["families",] == 6
    assert document.lines["outputs", "deb", "libdemo", "tags"] == 12


def test_an_unknown_key_names_the_line_and_the_nearest_known_key(tmp_path: Path) -> None:
    message = fault(tmp_path, PACKAGE.replace("licence", "license"))
    assert message == "4: unknown key 'license'; did you mean 'licence'?"


def test_an_unknown_key_inside(tmp_path: Path) -> None:
    message = fault(tmp_path, PACKAGE.replace("tags:", "tag:"))
    assert message == "12: unknown key 'tag'; did you mean 'tags'?"


def test_a_missing_key(tmp_path: Path) -> None:
    assert "'version' is a required property" in fault(tmp_path, PACKAGE.replace("version: 1.0.0\n", ""))


def test_a_key_that_stands_twice(tmp_path: Path) -> None:
    assert fault(tmp_path, PACKAGE + "name: again\n") == "15: key 'name' stands on line 1 already"


def test_a_wrong_type(tmp_path: Path) -> None:
    assert fault(tmp_path, PACKAGE.replace("[one]", "one")).startswith("6: 'families': 'one' is not of type")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", "the file is empty"), ("name: [\n", "not valid YAML"), ("- a\n", "expected keys and values")],
)
def test_what_is_no_mapping(tmp_path: Path, text: str, expected: str) -> None:
    assert expected in fault(tmp_path, text)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"nothing\.yaml: cannot be read"):
        load(tmp_path / "nothing.yaml", SCHEMAS / "package.schema.json")
