"""Unified diffs as git writes them: read, check, map paths, write back byte for byte."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from kernport.errors import UsageError

_HUNK = re.compile(rb"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_ESCAPES = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, '"': 34, "\\": 92}
_REGULAR = ("100644", "100755")
_OTHER = {"120000": "a symbolic link", "160000": "a submodule"}


@dataclass(frozen=True)
class Hunk:
    """One hunk: its @@ line and its lines, each with its leading space, plus or minus and its newline."""

    header: bytes
    old_start: int
    new_start: int
    lines: tuple[bytes, ...]

    def before(self) -> tuple[bytes, ...]:
        """The lines the hunk wants to find, without marks."""
        return tuple(_unmarked(line) for line in self.lines if line[:1] not in (b"+", b"\\"))

    def added(self) -> tuple[bytes, ...]:
        """The lines the hunk adds, without marks."""
        return tuple(line[1:] for line in self.lines if line[:1] == b"+")

    @property
    def has_context(self) -> bool:
        """Whether a line stands in the hunk that it does not change."""
        return any(line[:1] not in (b"+", b"-", b"\\") for line in self.lines)

    def changed(self) -> tuple[bytes, ...]:
        """The lines the hunk adds and removes, with marks."""
        return tuple(line for line in self.lines if line[:1] in (b"+", b"-"))


@dataclass(frozen=True)
class FileChange:
    """What a diff does to one file. `old` is None where the file is new, `new` None where it goes."""

    old: str | None
    new: str | None
    header: tuple[bytes, ...]
    hunks: tuple[Hunk, ...]
    line: int
    old_mode: str | None = None
    new_mode: str | None = None
    moved: bool = False
    binary: bool = False

    @property
    def path(self) -> str:
        """The path by which to speak of the file."""
        name = self.new if self.new is not None else self.old
        assert name is not None
        return name

    @property
    def mode_changed(self) -> bool:
        """Whether the file is there before and after, with another mode."""
        return None not in (self.old_mode, self.new_mode) and self.old_mode != self.new_mode

    def render(self) -> bytes:
        """The bytes it was read from."""
        body = b"".join(hunk.header + b"".join(hunk.lines) for hunk in self.hunks)
        return b"".join(self.header) + body


@dataclass(frozen=True)
class Diff:
    """The text before the first file, the files, and the text after the last hunk."""

    preamble: bytes
    changes: tuple[FileChange, ...]
    postamble: bytes

    def render(self) -> bytes:
        """The bytes it was read from."""
        return self.preamble + self.render_changes() + self.postamble

    def render_changes(self) -> bytes:
        """What it does to files, without the text around that."""
        return b"".join(change.render() for change in self.changes)


def quote(path: str) -> str:
    """A path as git writes it in a header: in C quotes where it has bytes a header cannot hold."""
    raw = path.encode("utf-8", "surrogateescape")
    if all(32 <= byte < 127 and byte not in b'"\\' for byte in raw):
        return path
    names = {value: key for key, value in _ESCAPES.items()}
    inside = "".join(
        f"\\{names[byte]}" if byte in names else chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"
        for byte in raw
    )
    return f'"{inside}"'


def unquote(text: str) -> str:
    """The path that `quote` wrote."""
    if not (text.startswith('"') and text.endswith('"') and len(text) >= 2):
        return text
    raw = bytearray()
    inside = iter(text[1:-1])
    for character in inside:
        if character != "\\":
            raw += character.encode("utf-8", "surrogateescape")
            continue
        escape = next(inside, "\\")
        if escape in _ESCAPES:
            raw.append(_ESCAPES[escape])
        elif escape in "01234567":
            digits = escape + next(inside, "") + next(inside, "")
            raw.append(int(digits, 8) & 255)
        else:
            raw += escape.encode()
    return raw.decode("utf-8", "surrogateescape")


def parse(data: bytes, name: str) -> Diff:
    """Read the diff in `data`; `name` is what errors call it.

    The result renders to `data` again, byte for byte. Raises UsageError on a hunk that is cut short or
    does not hold the lines its header counts.
    """
    lines = _split_on_newline(data)
    position = 0
    while position < len(lines) and not _starts_file(lines, position):
        position += 1
    preamble = b"".join(lines[:position])
    changes: list[FileChange] = []
    start = position
    while position < len(lines):
        if _starts_file(lines, position):
            change, end = _read_file(lines, position, name)
            between = tuple(lines[start:position])  # other tools write lines of their own before each file
            changes.append(replace(change, header=between + change.header))
            start = position = end
        else:
            position += 1
    position = start
    return Diff(preamble, tuple(changes), b"".join(lines[position:]))


def refuse_what_cannot_be_carried(diff: Diff, name: str) -> None:
    """Raise UsageError, with the file and line, for a diff that must not or cannot be applied anywhere."""
    if not diff.changes:
        raise UsageError(
            f"{name}: it changes nothing (an empty commit, or not a patch): leave it out of the set"
        )
    for change in diff.changes:
        place = f"{name}:{change.line}"
        if any(line.endswith(b"\r\n") for line in change.header) or any(
            hunk.header.endswith(b"\r\n") for hunk in change.hunks
        ):
            raise UsageError(
                f"{place}: the patch's own lines end in CR LF, so a mail program has rewritten it: "
                "fetch it again as an attachment, or with `git format-patch`"
            )
        for path in (name for name in (change.old, change.new) if name is not None):
            _refuse_unsafe_path(path, place)
        if change.binary:
            raise UsageError(
                f"{place}: {change.path} is a binary file: a backport has to be readable; "
                "carry the file in the package and leave it out of the patch"
            )
        for mode in (change.old_mode, change.new_mode):
            if mode is not None and mode not in _REGULAR:
                what = _OTHER.get(mode, f"a file of mode {mode}")
                allowed = " and ".join(_REGULAR)
                raise UsageError(
                    f"{place}: {change.path} is {what}: only regular files are carried, of modes {allowed}"
                )
        if any(hunk.old_start > 1 and not hunk.has_context for hunk in change.hunks):
            raise UsageError(
                f"{place}: {change.path} has a hunk without context, so its place elsewhere cannot be told: "
                "write the patch with three lines of context, `git format-patch -U3`"
            )


def map_paths(diff: Diff, to: Callable[[str], str]) -> Diff:
    """The same diff with every path put through `to`."""
    return replace(diff, changes=tuple(_map_change(change, to) for change in diff.changes))


def without_paths(diff: Diff, left_out: Callable[[str], bool]) -> Diff:
    """The same diff without the files for which `left_out` is true."""
    return replace(diff, changes=tuple(change for change in diff.changes if not left_out(change.path)))


def changed_lines(changes: Iterable[FileChange]) -> dict[str, tuple[bytes, ...]]:
    """Added and removed lines by path, in order, without white space: as git patch-id counts them."""
    found: dict[str, tuple[bytes, ...]] = {}
    for change in changes:
        lines = tuple(b"".join(line.split()) for hunk in change.hunks for line in hunk.changed())
        found[change.path] = found.get(change.path, ()) + lines
    return found


def _unmarked(line: bytes) -> bytes:
    return line if line in (b"\n", b"\r\n") else line[1:]


def _split_on_newline(data: bytes) -> list[bytes]:
    parts = data.split(b"\n")
    lines = [part + b"\n" for part in parts[:-1]]
    return lines + ([parts[-1]] if parts[-1] else [])


def _starts_file(lines: list[bytes], position: int) -> bool:
    line = lines[position]
    if line.startswith(b"diff --git "):
        return True
    following = lines[position + 1] if position + 1 < len(lines) else b""
    hunk = lines[position + 2] if position + 2 < len(lines) else b""
    return line.startswith(b"--- ") and following.startswith(b"+++ ") and _HUNK.match(hunk) is not None


def _header_path(line: bytes, marker: bytes) -> str | None:
    text = line[len(marker) :].rstrip(b"\r\n").decode("utf-8", "surrogateescape")
    if not text.startswith('"'):
        text = text.split("\t", 1)[0]
    path = unquote(text)
    if path == "/dev/null":
        return None
    return path[2:] if path[:2] in ("a/", "b/") else path


def _names_of_git_line(line: bytes) -> tuple[str, str]:
    text = line[len(b"diff --git ") :].rstrip(b"\r\n").decode("utf-8", "surrogateescape")
    quoted = re.findall(r'"(?:[^"\\]|\\.)*"', text)
    if len(quoted) == 2:
        first, second = unquote(quoted[0]), unquote(quoted[1])
    elif quoted and text.startswith('"'):
        first, second = unquote(quoted[0]), text[len(quoted[0]) + 1 :]
    elif quoted:
        first, second = text[: -len(quoted[0]) - 1], unquote(quoted[0])
    else:
        middle = len(text) // 2
        first, second = text[:middle], text[middle + 1 :]
        if first[2:] != second[2:]:
            first, _, second = text.partition(" b/")
            second = f"b/{second}"
    return first[2:], second[2:]


def _read_file(lines: list[bytes], position: int, name: str) -> tuple[FileChange, int]:
    start = position
    old: str | None = None
    new: str | None = None
    old_mode: str | None = None
    new_mode: str | None = None
    moved = binary = False
    if lines[position].startswith(b"diff --git "):
        old, new = _names_of_git_line(lines[position])
        position += 1
    while position < len(lines):
        line = lines[position]
        word = line.rstrip(b"\r\n")
        if line.startswith(b"--- "):
            old = _header_path(line, b"--- ")
        elif line.startswith(b"+++ "):
            new = _header_path(line, b"+++ ")
        elif word.startswith((b"old mode ", b"deleted file mode ")):
            old_mode = word.split()[-1].decode()
            new = None if word.startswith(b"deleted") else new
        elif word.startswith((b"new mode ", b"new file mode ")):
            new_mode = word.split()[-1].decode()
            old = None if word.startswith(b"new file") else old
        elif word.startswith((b"rename from ", b"copy from ")):
            old, moved = unquote(word.split(b" from ", 1)[1].decode("utf-8", "surrogateescape")), True
        elif word.startswith((b"rename to ", b"copy to ")):
            new = unquote(word.split(b" to ", 1)[1].decode("utf-8", "surrogateescape"))
        elif word.startswith(b"index "):
            fields = word.split()
            if len(fields) == 3:
                old_mode = new_mode = fields[2].decode()
        elif word.startswith((b"GIT binary patch", b"Binary files ")):
            binary = True
        elif not word.startswith((b"similarity index ", b"dissimilarity index ")):
            break
        position += 1
    header = tuple(lines[start:position])
    hunks: list[Hunk] = []
    while not binary and position < len(lines) and (found := _HUNK.match(lines[position])):
        hunk, position = _read_hunk(lines, position, found, name)
        hunks.append(hunk)
    if old is None and new is None:
        raise UsageError(f"{name}:{start + 1}: a file without a name")
    change = FileChange(old, new, header, tuple(hunks), start + 1, old_mode, new_mode, moved, binary)
    return change, position


def _read_hunk(lines: list[bytes], position: int, found: re.Match[bytes], name: str) -> tuple[Hunk, int]:
    start = position
    old_left, new_left = (int(found[group]) if found[group] is not None else 1 for group in (2, 4))
    position += 1
    body: list[bytes] = []
    while position < len(lines):
        line = lines[position]
        if line.startswith(b"\\"):
            body.append(line)
            position += 1
            continue
        if old_left <= 0 and new_left <= 0:
            break
        mark = line[:1]
        if mark in (b"\n", b"\r"):  # a mail program ate the space of an empty context line
            mark = b" "
        if mark not in (b" ", b"-", b"+"):
            raise UsageError(f"{name}:{position + 1}: the hunk that starts in line {start + 1} is cut short")
        old_left -= mark != b"+"
        new_left -= mark != b"-"
        body.append(line)
        position += 1
    if old_left or new_left:
        raise UsageError(f"{name}:{start + 1}: the hunk does not hold the lines that its header counts")
    return Hunk(lines[start], int(found[1]), int(found[3]), tuple(body)), position


def _refuse_unsafe_path(path: str, place: str) -> None:
    pure = PurePosixPath(path)
    reason = None
    if not path or pure.as_posix() != path:
        reason = "has a part that is empty or a dot"
    if pure.is_absolute() or re.match(r"^[A-Za-z]:", path) or "\\" in path:
        reason = "is absolute or not a POSIX path"
    elif ".." in pure.parts:
        reason = "leaves the tree"
    elif any(part.lower() == ".git" for part in pure.parts):
        reason = "is git's own"
    elif any(ord(character) < 32 for character in path):
        reason = "has control characters"
    if reason:
        raise UsageError(f"{place}: the path {path!r} {reason}: nothing was applied")


def _map_change(change: FileChange, to: Callable[[str], str]) -> FileChange:
    old = None if change.old is None else to(change.old)
    new = None if change.new is None else to(change.new)
    header = tuple(_map_header_lines(change, old, new))
    return replace(change, old=old, new=new, header=header)


def _map_header_lines(change: FileChange, old: str | None, new: str | None) -> Iterator[bytes]:
    def encode(path: str) -> bytes:
        return quote(path).encode("utf-8", "surrogateescape")

    first, second = old if old is not None else new, new if new is not None else old
    assert first is not None and second is not None
    for line in change.header:
        if line.startswith(b"diff --git "):
            yield b"diff --git " + encode(f"a/{first}") + b" " + encode(f"b/{second}") + b"\n"
        elif line.startswith(b"--- ") and old is not None:
            yield b"--- " + encode(f"a/{old}") + b"\n"
        elif line.startswith(b"+++ ") and new is not None:
            yield b"+++ " + encode(f"b/{new}") + b"\n"
        elif line.startswith((b"rename from ", b"copy from ")) and old is not None:
            yield line.split(b" from ", 1)[0] + b" from " + encode(old) + b"\n"
        elif line.startswith((b"rename to ", b"copy to ")) and new is not None:
            yield line.split(b" to ", 1)[0] + b" to " + encode(new) + b"\n"
        else:
            yield line
