"""Print or check MD5 checksums, as md5sum does, of many files at once.

With no FILE, or when FILE is -, read standard input.

examples:
  kernport md5sum *.iso > MD5SUMS
  kernport md5sum --check MD5SUMS
  kernport md5sum --recursive photos
  kernport md5sum --s3-etag 8MiB backup.tar
"""

import argparse
import errno
import os
import re
import stat
import sys
import threading
import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from operator import attrgetter

from kernport import checksums
from kernport.errors import UsageError

NAME = "md5sum"
HELP = "print or check MD5 checksums of many files at once"

AT_ONCE = 2048  # files between two outputs
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "KB": 10**3, "MB": 10**6, "GB": 10**9}
UNITS |= {"KIB": 1 << 10, "MIB": 1 << 20, "GIB": 1 << 30}
PART_MEMORY = 1 << 28  # bytes of parts that are read at once for an ETag

# A file's checksum as text, or an errno.
Result = str | int


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the subcommand's arguments."""
    parser.add_argument("files", nargs="*", metavar="FILE", help="what to read; standard input if none or -")
    parser.add_argument("-b", "--binary", action="store_true", help="mark names by * as read in binary mode")
    parser.add_argument("-t", "--text", action="store_true", help="mark names by a space (default)")
    parser.add_argument(
        "-c", "--check", action="store_true", help="read checksums from the FILEs and check them"
    )
    parser.add_argument("--tag", action="store_true", help="print BSD-style lines")
    parser.add_argument(
        "-z", "--zero", action="store_true", help="end lines by a zero byte, and escape no names"
    )
    parser.add_argument("-r", "--recursive", action="store_true", help="all regular files below a directory")
    parser.add_argument(
        "--s3-etag",
        type=_bytes,
        metavar="PART",
        help="the ETag of a file uploaded to S3 in parts of that many bytes (8MiB is usual)",
    )
    parser.add_argument("--threads", type=int, metavar="N", help="how many threads read and hash")
    checking = parser.add_argument_group("with --check")
    checking.add_argument("--ignore-missing", action="store_true", help="pass over files that do not exist")
    checking.add_argument("--quiet", action="store_true", help="print nothing for files that are right")
    checking.add_argument("--status", action="store_true", help="print nothing: the exit code tells")
    checking.add_argument("--strict", action="store_true", help="exit code 1 if a line is no checksum line")
    checking.add_argument("-w", "--warn", action="store_true", help="tell which lines are no checksum lines")


def run(arguments: argparse.Namespace) -> int:
    """Print or check; exit code 1 if a file could not be read or a checksum is wrong."""
    _refuse_contradictions(arguments)
    hasher = Hasher(arguments.threads, arguments.s3_etag)
    names = arguments.files or ["-"]
    return _check(arguments, names, hasher) if arguments.check else _print(arguments, names, hasher)


def _refuse_contradictions(arguments: argparse.Namespace) -> None:
    if arguments.threads is not None and arguments.threads < 1:
        raise UsageError(f"--threads must be 1 or more, not {arguments.threads}")
    if arguments.check:
        for option in ("binary", "text", "tag", "recursive"):
            if getattr(arguments, option):
                raise UsageError(f"--{option} means nothing with --check")
        return
    for option in ("ignore_missing", "quiet", "status", "strict", "warn"):
        if getattr(arguments, option):
            raise UsageError(f"--{option.replace('_', '-')} means nothing without --check")
    if arguments.tag and arguments.text:
        raise UsageError("--tag has no text mode: leave --text out")


def _bytes(text: str) -> int:
    match = re.fullmatch(r"([0-9]+) ?([A-Za-z]*)", text)
    if match is None or match[2].upper() not in UNITS or int(match[1]) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is no size: write 8388608, 8M or 8MiB")
    return int(match[1]) * UNITS[match[2].upper()]


def _say(text: str) -> None:
    sys.stdout.flush()
    print(f"kernport md5sum: {text}", file=sys.stderr)


def _write(text: str) -> None:
    sys.stdout.buffer.write(os.fsencode(text))


def _print(arguments: argparse.Namespace, names: Sequence[str], hasher: "Hasher") -> int:
    code = 0

    def unreadable(name: str, number: int) -> None:
        nonlocal code
        code = 1
        _say(f"{name}: {os.strerror(number)}")

    found = _files(names, unreadable) if arguments.recursive else names
    for group in hasher.hash(found):
        lines = []
        for name, result in group:
            if isinstance(result, int):
                unreadable(name, result)
            else:
                lines.append(
                    checksums.line(
                        name, result, binary=arguments.binary, tag=arguments.tag, zero=arguments.zero
                    )
                )
        _write("".join(lines))
    return code


def _files(names: Iterable[str], unreadable: Callable[[str, int], None]) -> Iterator[str]:
    """The names themselves, or, in the place of a directory, all regular files below it in order of name."""
    for name in names:
        pending = [name]
        while pending:
            path = pending.pop()
            try:
                with os.scandir(path) as entries:
                    inside = sorted(entries, key=attrgetter("name"))
            except NotADirectoryError:
                yield path
                continue
            except OSError as error:
                if path == "-":
                    yield path
                else:
                    unreadable(path, error.errno or 0)
                continue
            folders = []
            for entry in inside:
                if entry.is_file(follow_symlinks=False):
                    yield entry.path
                elif entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
            pending += reversed(folders)


def _read(name: str) -> bytes:
    from pathlib import Path

    return Path(name).read_bytes()


def _check(arguments: argparse.Namespace, lists: Sequence[str], hasher: "Hasher") -> int:
    code = 0
    for name in lists:
        if not _check_list(arguments, name, hasher):
            code = 1
    return code


def _check_list(arguments: argparse.Namespace, name: str, hasher: "Hasher") -> bool:
    """Check the files that one list names; returns whether all is well."""
    shown = "standard input" if name == "-" else name
    try:
        content = sys.stdin.buffer.read() if name == "-" else _read(name)
    except OSError as error:
        _say(f"{shown}: {error.strerror}")
        return False
    entries: list[checksums.Entry] = []
    malformed = 0
    for number, entry in enumerate(checksums.parse(os.fsdecode(content), zero=arguments.zero), start=1):
        if entry is not None:
            entries.append(entry)
            continue
        malformed += 1
        if arguments.warn:
            _say(f"{shown}: {number}: this is no MD5 checksum line")
    if not entries:
        _say(f"{shown}: there is no checksum line in it")
        return False
    tally = _check_entries(arguments, entries, hasher)
    if not arguments.status:
        for count, one, more in (
            (malformed, "line is no checksum line", "lines are no checksum lines"),
            (tally.unreadable, "listed file could not be read", "listed files could not be read"),
            (tally.wrong, "checksum did NOT match", "checksums did NOT match"),
        ):
            if count:
                _say(f"WARNING: {count} {one if count == 1 else more}")
    if arguments.ignore_missing and tally.right + tally.wrong + tally.unreadable == 0:
        _say(f"{shown}: none of the files it names is there")
        return False
    return tally.wrong == tally.unreadable == 0 and not (arguments.strict and malformed)


class _Tally:
    right = wrong = unreadable = 0


def _check_entries(
    arguments: argparse.Namespace, entries: Sequence[checksums.Entry], hasher: "Hasher"
) -> _Tally:
    tally, expected = _Tally(), (digest for _, digest in entries)
    for group in hasher.hash(name for name, _ in entries):
        for name, result in group:
            digest, verdict = next(expected), "OK"
            if isinstance(result, int):
                if arguments.ignore_missing and not os.path.lexists(name):
                    continue
                tally.unreadable += 1
                verdict = "FAILED open or read"
                _say(f"{name}: {os.strerror(result)}")
            elif result == digest:
                tally.right += 1
            else:
                tally.wrong += 1
                verdict = "FAILED"
            if not arguments.status and not (arguments.quiet and verdict == "OK"):
                mark, text = ("", name) if arguments.zero else checksums.escaped(name)
                _write(f"{mark}{text}: {verdict}\n")
    return tally


class Hasher:
    """Turns names into checksums, many at once, and shows on a terminal how far it is.

    `part` is the size of the parts for S3's ETags, or None for plain MD5.
    """

    def __init__(self, threads: int | None, part: int | None) -> None:
        self._threads = threads
        self._part = part
        self._files = 0
        self._bytes = 0
        self._start = time.monotonic()

    def hash(self, names: Iterable[str]) -> Iterator[Iterable[tuple[str, Result]]]:
        """The names, - being standard input, each with its checksum or an errno: in order, a group at a time.

        While one group is hashed the next one's names are found, and the caller sees to the one before.
        """
        pending = iter(names)
        work = None
        try:
            while group := list(islice(pending, AT_ONCE)):
                done, work = work, _Work(group, self._threads, self._part)
                work.start()
                if done is not None:
                    yield self._finish(done)
            if work is not None:
                yield self._finish(work)
        finally:
            if work is not None:
                work.stop()

    def _finish(self, work: "_Work") -> Iterable[tuple[str, Result]]:
        shows = sys.stderr.isatty()
        try:
            while work.goes_on(0.2):
                if shows:
                    self._show(work)
        finally:
            work.stop()
        if shows:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
        self._files += work.progress[0]
        self._bytes += work.progress[1]
        return work.results()

    def _show(self, work: "_Work") -> None:
        files, size = self._files + work.progress[0], self._bytes + work.progress[1]
        speed = size / max(time.monotonic() - self._start, 1e-9)
        text = f"{files} files, {size / 1e6:.0f} MB, {speed / 1e6:.0f} MB/s"
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


class _Work:
    """A group of files that another thread hashes, so that this one sees an interrupt at once."""

    def __init__(self, names: list[str], threads: int | None, part: int | None) -> None:
        self.progress = array("L", [0, 0, 0])
        self._names = names
        self._threads = threads
        self._part = part
        self._results: list[Result] = []
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run)

    def start(self) -> None:
        """Begin. An interrupt may come before this returns: whoever made the work must stop it then."""
        self._thread.start()

    def goes_on(self, seconds: float) -> bool:
        """Wait so long for the end; returns whether it did not come."""
        self._thread.join(seconds)
        return self._thread.is_alive()

    def stop(self) -> None:
        """Give up as soon as possible."""
        self.progress[2] = 1
        # A thread that has hardly begun cannot be waited for, and ends at its first look at the above.
        with suppress(RuntimeError):
            self._thread.join()

    def results(self) -> Iterable[tuple[str, Result]]:
        """The names and what became of them."""
        if self._failure is not None:
            raise self._failure
        return zip(self._names, self._results, strict=True)

    def _run(self) -> None:
        try:
            self._results = self._hash()
        except BaseException as error:
            self._failure = error

    def _hash(self) -> list[Result]:
        if self._part is not None:
            return [_result(etag, name, self._part) for name in self._names]
        from kernport.digest import hash_files

        on_disk = [name for name in self._names if name != "-"]
        results = map(_text, hash_files(on_disk, threads=self._threads, progress=self.progress))
        return [_result(_standard_input) if name == "-" else next(results) for name in self._names]


def _text(digest: bytes | int) -> Result:
    return digest if isinstance(digest, int) else digest.hex()


def _result(compute: Callable[..., str], *arguments: object) -> Result:
    try:
        return compute(*arguments)
    except OSError as error:
        return error.errno or errno.EIO


def _standard_input() -> str:
    from kernport.digest import file_digest

    return file_digest(sys.stdin.buffer).hexdigest()


def etag(name: str, part: int) -> str:
    """The ETag that S3 gives a file uploaded in parts of `part` bytes; - is standard input.

    That is the MD5 of the parts' MD5s and the number of parts. A file shorter than one part is uploaded
    whole and has its own MD5.
    """
    from pathlib import Path

    from kernport.digest import md5, md5_many

    file = sys.stdin.buffer if name == "-" else Path(name).open("rb")  # noqa: SIM115
    try:
        if stat.S_ISDIR(os.fstat(file.fileno()).st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), name)
        at_once = max(1, min(64, PART_MEMORY // part))
        digests: list[bytes] = []
        total = 0
        while parts := list(_parts(file.read, part, at_once)):
            total += sum(map(len, parts))
            digests += md5_many(parts)
    finally:
        if name != "-":
            file.close()
    if total < part:
        return (digests or [md5().digest()])[0].hex()
    return f"{md5(b''.join(digests)).hexdigest()}-{len(digests)}"


def _parts(read: Callable[[int], bytes], part: int, at_once: int) -> Iterator[bytes]:
    for _ in range(at_once):
        data = read(part)
        if not data:
            return
        yield data
