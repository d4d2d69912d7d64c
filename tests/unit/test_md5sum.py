"""kernport md5sum, against coreutils' md5sum and hashlib."""

import errno
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import threading
from array import array
from pathlib import Path

import pytest

from kernport import checksums, md5_files
from kernport.digest import hash_files

MD5SUM = shutil.which("md5sum")
needs_md5sum = pytest.mark.skipif(
    MD5SUM is None, reason="compared with coreutils' md5sum, which is missing: apt-get install coreutils"
)
NAMES = ("plain", "with space", "back\\slash", "new\nline", "carriage\rreturn", " leading", "*star", "ümlaut")
SIZES = (0, 1, 63, 64, 65, 65535, 65536, 65537, 65536 * 3, 1_000_003)


def ours(*arguments: str, cwd: Path, text: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    command = [sys.executable, "-P", "-m", "kernport", "md5sum", *arguments]
    return subprocess.run(command, cwd=cwd, input=text, capture_output=True, check=False)


def theirs(*arguments: str, cwd: Path, text: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    assert MD5SUM is not None
    environment = {**os.environ, "LC_ALL": "C"}
    return subprocess.run(
        [MD5SUM, *arguments], cwd=cwd, input=text, capture_output=True, check=False, env=environment
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number, name in enumerate(NAMES):
        (tmp_path / name).write_bytes(os.urandom(SIZES[number % len(SIZES)]))
    (tmp_path / os.fsdecode(b"not utf-8 \xff")).write_bytes(b"content")
    (tmp_path / "inner" / "deep").mkdir(parents=True)
    for size in SIZES:
        (tmp_path / "inner" / "deep" / str(size)).write_bytes(os.urandom(size))
    return tmp_path


@needs_md5sum
@pytest.mark.parametrize("options", [[], ["-b"], ["-t"], ["--tag"], ["-z"], ["--zero", "--tag"]])
def test_prints_what_md5sum_prints(folder: Path, options: list[str]) -> None:
    names = sorted(entry.name for entry in folder.iterdir() if entry.is_file())
    expected = theirs(*options, "--", *names, cwd=folder)
    result = ours(*options, "--", *names, cwd=folder)
    assert (result.stdout, result.returncode) == (expected.stdout, expected.returncode)
    assert result.stderr == b""


@needs_md5sum
def test_standard_input(folder: Path) -> None:
    for arguments in ([], ["-"], ["-", "plain"]):
        assert ours(*arguments, cwd=folder, text=b"x" * 300_000).stdout == (
            theirs(*arguments, cwd=folder, text=b"x" * 300_000).stdout
        )


@needs_md5sum
@pytest.mark.parametrize("options", [[], ["-b"], ["--tag"], ["-z"]])
def test_each_checks_the_others_list(folder: Path, options: list[str]) -> None:
    names = [name for name in NAMES if not (options == ["--tag"] and "\r" in name)]
    listed = theirs(*options, "--", *names, cwd=folder).stdout
    zero = ["-z"] if options == ["-z"] else []
    result = ours("-c", *zero, cwd=folder, text=listed)
    assert result.returncode == 0, result.stderr
    assert result.stdout.count(b": OK\n") == len(names)
    if not zero:
        # How the verdicts on such names are escaped differs between versions of md5sum.
        same = [name for name in names if not set("\\\r") & set(name)]
        listed = ours(*options, "--", *same, cwd=folder).stdout
        result = ours("-c", cwd=folder, text=listed)
        assert result.stdout == theirs("-c", cwd=folder, text=listed).stdout


@needs_md5sum
@pytest.mark.parametrize(
    "options",
    [[], ["--quiet"], ["--status"], ["--ignore-missing"], ["--strict"], ["--ignore-missing", "--quiet"]],
)
def test_a_list_with_faults(folder: Path, options: list[str]) -> None:
    lines = theirs("plain", "with space", "*star", cwd=folder).stdout
    wrong = b"0" * 32 + "  ümlaut\n".encode()
    text = lines + wrong + b"f" * 32 + b"  not there\nno checksum line\n# a remark\n"
    expected, result = (call("-c", *options, cwd=folder, text=text) for call in (theirs, ours))
    assert (result.stdout, result.returncode) == (expected.stdout, expected.returncode)
    if "--status" not in options:
        assert b"1 checksum did NOT match" in result.stderr
        assert b"1 line is no checksum line" in result.stderr
    text = lines + b"no checksum line\n"
    expected, result = (call("-c", *options, cwd=folder, text=text) for call in (theirs, ours))
    assert result.returncode == expected.returncode


def test_lists_that_check_nothing(folder: Path) -> None:
    result = ours("-c", cwd=folder, text=b"nothing\n")
    assert result.returncode == 1 and b"standard input: there is no checksum line in it" in result.stderr
    missing = b"f" * 32 + b"  not there\n"
    result = ours("-c", "--ignore-missing", cwd=folder, text=missing)
    assert result.returncode == 1 and b"none of the files it names is there" in result.stderr
    result = ours("-c", "--warn", "no such list", cwd=folder)
    assert result.returncode == 1 and b"no such list: No such file or directory" in result.stderr


def test_what_cannot_be_read(folder: Path) -> None:
    result = ours("plain", "not there", "inner", "with space", cwd=folder)
    assert result.returncode == 1
    assert b"not there: No such file or directory" in result.stderr
    assert b"inner: Is a directory" in result.stderr
    assert result.stdout.count(b"\n") == 2


def test_an_interrupt_ends_it(signals_heeded: None, tmp_path: Path) -> None:
    # A hole of 64 GiB takes minutes to hash.
    os.mkfifo(tmp_path / "pipe")
    with (tmp_path / "hole").open("wb") as file:
        file.truncate(1 << 36)
    command = [sys.executable, "-P", "-m", "kernport", "md5sum", "pipe", "hole"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE) as process:
        with (tmp_path / "pipe").open("wb"):
            pass  # returns when the other end was opened: the work has begun
        process.send_signal(signal.SIGINT)
        try:
            _, said = process.communicate(timeout=30)
        finally:
            process.kill()
    assert process.returncode == 130 and b"interrupted" in said


def test_recursive(folder: Path) -> None:
    (folder / "inner" / "link").symlink_to(folder)
    os.mkfifo(folder / "inner" / "pipe")
    result = ours("-r", "inner", "plain", cwd=folder)
    expected = [folder / "inner" / "deep" / size for size in sorted(map(str, SIZES))] + [folder / "plain"]
    assert result.stdout.decode() == "".join(
        f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(folder)}\n" for path in expected
    )
    assert result.returncode == 0


@pytest.mark.parametrize(
    "arguments", [["--quiet"], ["-c", "--tag"], ["--tag", "--text"], ["--threads", "0"], ["--s3-etag", "0"]]
)
def test_contradictions_are_wrong_use(folder: Path, arguments: list[str]) -> None:
    result = ours(*arguments, "plain", cwd=folder)
    assert result.returncode == 2 and result.stdout == b""
    assert arguments[-1].encode() in result.stderr or arguments[0].encode() in result.stderr


def test_s3_etag(folder: Path) -> None:
    content = os.urandom(2500)
    (folder / "object").write_bytes(content)
    parts = b"".join(hashlib.md5(content[at : at + 1000]).digest() for at in (0, 1000, 2000))
    expected = f"{hashlib.md5(parts).hexdigest()}-3"
    assert ours("--s3-etag", "1000", "object", cwd=folder).stdout.decode() == f"{expected}  object\n"
    assert ours("--s3-etag", "1kB", "-", cwd=folder, text=content).stdout.decode() == f"{expected}  -\n"
    whole = hashlib.md5(content).hexdigest()
    assert ours("--s3-etag", "8MiB", "object", cwd=folder).stdout.decode() == f"{whole}  object\n"
    one = hashlib.md5(hashlib.md5(content).digest()).hexdigest()
    assert ours("--s3-etag", "2500", "object", cwd=folder).stdout.decode() == f"{one}-1  object\n"
    listed = f"{expected}  object\n".encode()
    assert ours("-c", "--s3-etag", "1000", cwd=folder, text=listed).stdout == b"object: OK\n"
    assert ours("-c", "--s3-etag", "999", cwd=folder, text=listed).stdout == b"object: FAILED\n"


@pytest.fixture(params=["fast", "cffi"] if sys.implementation.name == "cpython" else ["cffi"])
def each_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways to the extension: a test that uses it runs twice."""
    from kernport import calls, over_cffi

    if request.param == "cffi":
        monkeypatch.setattr(calls, "md5_files", over_cffi.md5_files)


@pytest.mark.usefixtures("each_way")
@pytest.mark.parametrize("threads", [1, 3])
def test_md5_files(tmp_path: Path, threads: int) -> None:
    contents = [os.urandom(size) for size in (*SIZES, *range(0, 3000, 17), 300_000, 200_000)]
    paths = [tmp_path / str(number) for number in range(len(contents))]
    for path, content in zip(paths, contents, strict=True):
        path.write_bytes(content)
    expected = [hashlib.md5(content).digest() for content in contents]
    assert md5_files(paths, threads=threads) == expected
    assert md5_files(map(os.fsencode, paths)) == expected  # type: ignore[arg-type]
    progress = array("L", [0, 0, 0])
    hash_files([*paths, tmp_path, tmp_path / "none"], threads=threads, progress=progress)
    assert list(progress[:2]) == [len(paths) + 2, sum(map(len, contents))]


@pytest.mark.usefixtures("each_way")
def test_md5_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"content")
    paths = [tmp_path / "file", tmp_path, tmp_path / "none"]
    assert hash_files(paths) == [hashlib.md5(b"content").digest(), errno.EISDIR, errno.ENOENT]
    with pytest.raises(IsADirectoryError) as caught:
        md5_files(paths)
    assert caught.value.filename == str(tmp_path)
    with pytest.raises(ValueError, match="zero bytes"):
        md5_files(["a\0b"])
    with pytest.raises(ValueError, match="threads must be 1 or more"):
        md5_files(paths, threads=0)
    with pytest.raises(TypeError):
        md5_files(paths, threads="2")  # type: ignore[arg-type]
    for one in ("file", b"file", tmp_path):
        with pytest.raises(TypeError, match=r"paths must be a list of paths, not one .*: write \[path\]"):
            md5_files(one)  # type: ignore[arg-type]
    assert md5_files(paths[:1], threads=1 << 70) == hash_files(paths[:1])
    assert md5_files([]) == []
    assert hash_files(paths, progress=array("L", [0, 0, 1])) == [errno.ECANCELED] * 3


def test_few_files_may_be_open(tmp_path: Path) -> None:
    contents = [os.urandom(size) for size in range(300)]
    for number, content in enumerate(contents):
        (tmp_path / f"{number:03}").write_bytes(content)
    command = f"ulimit -n 40; exec '{sys.executable}' -P -m kernport md5sum --threads 8 *"
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    expected = [hashlib.md5(content).hexdigest() for content in contents]
    assert [line.split()[0].decode() for line in done.stdout.splitlines()] == expected


@pytest.mark.usefixtures("each_way")
@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs Linux's /proc")
def test_a_stop_leaves_no_file_open(tmp_path: Path) -> None:
    contents = [os.urandom(200_000 if number % 9 == 0 else 1000) for number in range(600)]
    paths = [tmp_path / str(number) for number in range(len(contents))]
    for path, content in zip(paths, contents, strict=True):
        path.write_bytes(content)
    right = [hashlib.md5(content).digest() for content in contents]
    opened = set(Path("/proc/self/fd").iterdir())
    for delay in (0.0, 0.001, 0.002, 0.004):
        progress = array("L", [0, 0, 0])

        def stop(progress: "array[int]" = progress) -> None:
            progress[2] = 1

        timer = threading.Timer(delay, stop)
        timer.start()
        results = hash_files(paths, threads=3, progress=progress)
        timer.join()
        assert all(each in (errno.ECANCELED, digest) for each, digest in zip(results, right, strict=True))
        assert sum(isinstance(each, bytes) for each in results) == progress[0]
        assert len(set(Path("/proc/self/fd").iterdir())) == len(opened)


@pytest.mark.skipif(not Path("/proc/version").exists(), reason="needs Linux's /proc")
def test_files_whose_size_nobody_tells(tmp_path: Path) -> None:
    # The system says that they have no bytes.
    path = Path("/proc/version")
    assert path.stat().st_size == 0
    assert md5_files([path] * 3) == [hashlib.md5(path.read_bytes()).digest()] * 3


@pytest.mark.usefixtures("each_way")
def test_a_pipe_is_read_to_its_end(tmp_path: Path) -> None:
    read, write = os.pipe()
    with os.fdopen(write, "wb") as file:
        file.write(b"content")
    assert md5_files([f"/dev/fd/{read}"]) == [hashlib.md5(b"content").digest()]
    os.close(read)


def test_a_named_pipe_is_opened_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    command = [sys.executable, "-P", "-m", "kernport", "md5sum", "pipe"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE) as process:
        with (tmp_path / "pipe").open("wb") as file:
            file.write(b"x" * 300_000)
        out, _ = process.communicate(timeout=30)
    assert out.decode() == f"{hashlib.md5(b'x' * 300_000).hexdigest()}  pipe\n"


@needs_md5sum
def test_it_is_timed_beside_md5sum(tmp_path: Path) -> None:
    program = Path(__file__).resolve().parents[2] / "native" / "bench" / "md5sum.py"
    command = [sys.executable, str(program), str(tmp_path / "files")]
    options = ["--files", "130", "--largest", "70000", "--turns", "1"]
    told = subprocess.run([*command, *options], stdout=subprocess.PIPE, text=True, check=True).stdout
    assert told.startswith("130 files of 0 to ")
    assert told.count("md5sum  ") == 2


def test_parse() -> None:
    digest = "0123456789abcdef" * 2
    for text, name in (
        (f"{digest}  name", "name"),
        (f"{digest} *name", "name"),
        (f"{digest.upper()} name", "name"),
        (f"{digest}   two spaces", " two spaces"),
        (f"MD5 (a) b) = {digest}", "a) b"),
        (f"\\{digest}  a\\nb\\\\c\\rd", "a\nb\\c\rd"),
        (f"\\MD5 (a\\nb) = {digest}", "a\nb"),
        (f"{digest}  a\\nb", "a\\nb"),
    ):
        assert list(checksums.parse(text + "\n")) == [(name, digest)]
        assert list(checksums.parse(text)) == [(name, digest)]
    for text in ("", digest, f"{digest} ", f"{digest[1:]}  name", f"\\{digest}  a\\xb", f"\\{digest}  a\\"):
        assert list(checksums.parse(text + "\n")) == [None]
    assert list(checksums.parse(f"# {digest}  name\n")) == []
