"""Lists of checksums as md5sum writes and reads them."""

import re
from collections.abc import Iterator

_ESCAPES = str.maketrans({"\\": "\\\\", "\n": "\\n", "\r": "\\r"})
_ESCAPED = re.compile(r"[\\\n\r]")
_UNESCAPES = {"\\\\": "\\", "\\n": "\n", "\\r": "\r"}
_DIGEST = r"(?P<digest>[0-9a-fA-F]{32}(?:-[0-9]+)?)"
_PLAIN = re.compile(rf"{_DIGEST} (?:[ *]|(?=[^ *]))(?P<name>.+)", re.DOTALL)
_TAGGED = re.compile(rf"MD5 \((?P<name>.+)\) = {_DIGEST}", re.DOTALL)


# A file's name and the digest it ought to have, in small hexadecimal digits.
Entry = tuple[str, str]


def escaped(name: str) -> tuple[str, str]:
    """What stands at the beginning of the line, and the name so that it fits on one line."""
    if not _ESCAPED.search(name):
        return "", name
    return "\\", name.translate(_ESCAPES)


def line(name: str, digest: str, *, binary: bool = False, tag: bool = False, zero: bool = False) -> str:
    """The line for a file, with its end: a newline, or a zero byte if `zero`, where nothing is escaped."""
    mark, text = ("", name) if zero else escaped(name)
    content = f"MD5 ({text}) = {digest}" if tag else f"{digest} {'*' if binary else ' '}{text}"
    return f"{mark}{content}{chr(0) if zero else chr(10)}"


def parse(text: str, *, zero: bool = False) -> Iterator[Entry | None]:
    """Read a list: an entry a line, or None for a line that is none. Lines that begin with # are left out."""
    end = "\0" if zero else "\n"
    lines = text.split(end)
    if lines[-1] == "":
        lines.pop()
    for content in lines:
        if not content.startswith("#"):
            yield _entry(content if zero else content.removesuffix("\r"), escapes=not zero)


def _entry(content: str, *, escapes: bool) -> Entry | None:
    is_escaped = escapes and content.startswith("\\")
    match = _TAGGED.fullmatch(content[is_escaped:]) or _PLAIN.fullmatch(content[is_escaped:])
    if match is None:
        return None
    name = match["name"]
    if is_escaped:
        pieces = re.split(r"(\\.?)", name, flags=re.DOTALL)
        if any(piece.startswith("\\") and piece not in _UNESCAPES for piece in pieces):
            return None
        name = "".join(_UNESCAPES.get(piece, piece) for piece in pieces)
    return name, match["digest"].lower()
