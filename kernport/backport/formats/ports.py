"""FreeBSD ports: files/patch-<path>, one for each file that is patched, named as `make makepatch` does.

A patch of several files is spread over as many; its mail and what else patch(1) does not read stand as
comments before its first hunk in each, so that `read` can put the mails together again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from kernport.backport import diff
from kernport.backport.diff import FileChange
from kernport.backport.formats import foreign
from kernport.backport.mail import Patch
from kernport.errors import UsageError

_SECTION = re.compile(rb"^# patch (\d+) (\S+) file (\d+)$", re.MULTILINE)


def write(patches: Sequence[Patch]) -> dict[str, bytes]:
    """The patch-* files. Raises UsageError for what patch(1) cannot do or a name ports do not allow."""
    files: dict[str, bytes] = {}
    owners: dict[str, str] = {}
    for number, patch in enumerate(patches, 1):
        for position, change in enumerate(patch.diff.changes, 1):
            if change.moved or change.mode_changed or not change.hunks:
                raise UsageError(
                    f"{patch.name}: {change.path}: patch(1) cannot carry a rename, a change of mode or "
                    "an empty file: write the patch with `git format-patch --no-renames`"
                )
            name = file_name(change.path)
            if owners.setdefault(name, change.path) != change.path:
                raise UsageError(f"{change.path} and {owners[name]} would both be {name}: rename one of them")
            last = position == len(patch.diff.changes)
            files[name] = files.get(name, b"") + _section(number, patch, position, change, last)
    return files


def read(path: Path) -> dict[str, bytes]:
    """The patches that the patch-* files of a folder hold, or of its files/; those of others one a file."""
    folder = path / "files" if (path / "files").is_dir() else path
    others = {}
    sections: dict[tuple[int, str], dict[int, bytes]] = {}
    for file in sorted(folder.glob("patch-*")):
        if not _SECTION.search(file.read_bytes()):
            others[f"{file.name}.patch"] = foreign.with_git_paths(file.read_bytes(), str(file), 0)
            continue
        for number, name, position, text in _sections(file):
            sections.setdefault((number, name), {})[position] = text
    if not sections and not others:
        raise UsageError(f"{folder}: no patch-* files there")
    found = {}
    for (_, name), parts in sorted(sections.items()):
        if sorted(parts) != list(range(1, len(parts) + 1)):
            raise UsageError(f"{folder}: a file of {name} is missing: {len(parts)} are there")
        found[name] = b"".join(parts[position] for position in sorted(parts))
    return found | others


def file_name(path: str) -> str:
    """patch-<path> with _ doubled and / as _ (Porter's Handbook, 4.4.1)."""
    name = f"patch-{path.replace('_', '__').replace('/', '_')}"
    if not re.fullmatch(r"[-+._a-zA-Z0-9]+", name):
        raise UsageError(f"{path}: a port's patch may be named with letters, digits and -+._ only")
    return name


def _comment(mark: bytes, text: bytes) -> bytes:
    if not text:
        return b""
    lines = text.split(b"\n")
    ends = lines.pop() == b""
    body = b"".join(mark + line + b"\n" for line in lines)
    return body if ends else body + mark + text.rsplit(b"\n", 1)[-1] + b"\n" + mark + b"\\\n"


def _section(number: int, patch: Patch, position: int, change: FileChange, last: bool) -> bytes:
    start = f"# patch {number} {patch.name} file {position}\n".encode()
    mail = _comment(b"#> ", patch.diff.preamble) if position == 1 else b""
    header = _comment(b"#| ", b"".join(change.header))
    suffix = ".orig" if change.new is not None else ""  # patch(1) removes the file that this line names
    old = f"{change.old}{suffix}" if change.old is not None else "/dev/null"
    new = change.new if change.new is not None else "/dev/null"
    names = f"--- {old}\n+++ {new}\n".encode()
    hunks = b"".join(hunk.header + b"".join(hunk.lines) for hunk in change.hunks)
    if not hunks.endswith(b"\n"):
        hunks += b"\n"
    end = _comment(b"#< ", patch.diff.postamble) if last else b""
    return start + mail + header + names + hunks + end


def _uncomment(mark: bytes, lines: list[bytes]) -> bytes:
    texts = [line[len(mark) :] for line in lines]
    if texts and texts[-1] == b"\\\n":
        return b"".join(texts[:-1])[:-1]
    return b"".join(texts)


def _sections(file: Path) -> list[tuple[int, str, int, bytes]]:
    raw = file.read_bytes()
    parsed = diff.parse(raw, str(file))
    if not parsed.changes:
        raise UsageError(f"{file}: no patch")
    texts = raw.split(b"\n")
    starts = {change.line: change for change in parsed.changes}
    found = []
    heading: re.Match[bytes] | None = None
    comments: dict[bytes, list[bytes]] = {}
    hunks = b""
    skip_to = 0

    def close() -> None:
        if heading is not None:
            text = (
                _uncomment(b"#> ", comments.get(b"#> ", []))
                + _uncomment(b"#| ", comments.get(b"#| ", []))
                + hunks
                + _uncomment(b"#< ", comments.get(b"#< ", []))
            )
            found.append((int(heading[1]), heading[2].decode(), int(heading[3]), text))

    for number, line in enumerate(texts, 1):
        if number < skip_to:
            continue
        if number in starts:
            if heading is None:
                raise UsageError(f"{file}:{number}: a part added by hand: it belongs to no patch")
            change = starts[number]
            hunks = b"".join(hunk.header + b"".join(hunk.lines) for hunk in change.hunks)
            named = 2  # the lines that name the file before and after
            skip_to = number + named + hunks.count(b"\n")
        elif match := _SECTION.match(line):
            close()
            heading, comments, hunks = match, {}, b""
        elif line[:3] in (b"#> ", b"#| ", b"#< "):
            comments.setdefault(line[:3], []).append(line + b"\n")
    close()
    return found
