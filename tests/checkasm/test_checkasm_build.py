"""The parts of kernport/build/checkasm that need no emulator."""

import sys
from pathlib import Path

import pytest

from kernport.build.checkasm.instructions import logged_lines
from kernport.build.checkasm.program import Program
from kernport.build.checkasm.verdict import Verdict, matrix_text, merge_matrix
from kernport.build.emulator import emulator
from kernport.build.recipe import load_tree
from kernport.build.target import load_targets
from kernport.errors import AnswerNo, EnvironmentLacks, UsageError

TREE = load_tree(Path(__file__).resolve().parents[2])
TARGETS = load_targets(TREE)


def verdict(target: str, cpu: str, state: str, reason: str = "") -> Verdict:
    return Verdict(target, cpu, "md5/portable", state, reason, 7)


def test_matrix_keeps_other_rows_and_replaces_its_own(tmp_path: Path) -> None:
    path = tmp_path / "matrix.txt"
    merge_matrix(path, [verdict("b", "x", "failed", "it is wrong"), verdict("b", "y", "passed")])
    merge_matrix(path, [verdict("a", "z", "refused", "aes is missing")])
    merge_matrix(path, [verdict("b", "x", "passed")])
    lines = path.read_text().splitlines()[1:]
    assert [line.split() for line in lines] == [
        ["a", "z", "md5/portable", "refused", "because", "aes", "is", "missing"],
        ["b", "x", "md5/portable", "passed"],
        ["b", "y", "md5/portable", "passed"],
    ]
    assert path.read_text() == matrix_text(
        [
            verdict("a", "z", "refused", "aes is missing"),
            verdict("b", "x", "passed"),
            verdict("b", "y", "passed"),
        ]
    )


def test_matrix_names_what_no_row_could_run() -> None:
    rows = [verdict("a", "x", "refused", "aes is missing"), verdict("a", "y", "refused", "v is missing")]
    assert matrix_text(rows).endswith("\nno row here could run md5/portable\n")
    assert "no row" not in matrix_text([*rows, verdict("b", "x", "passed")])


def test_lines_of_a_log_are_counted_across_pieces() -> None:
    """Lines that do not begin with Trace are qemu's own; pieces end anywhere."""
    script = (
        "import sys, time\n"
        "for part in ['Tra', 'ce 0: a\\nTrace 1', ': b\\nqemu: remark\\n', 'Trace 2: c\\n']:\n"
        "    sys.stderr.write(part); sys.stderr.flush(); time.sleep(0.1)\n"
    )
    assert logged_lines([sys.executable, "-c", script]) == 3


def test_a_program_that_dies_is_no_count() -> None:
    with pytest.raises(AnswerNo, match="ended with 3"):
        logged_lines([sys.executable, "-c", "import sys; sys.exit(3)"])


def test_unknown_row() -> None:
    program = Program(TREE, TARGETS["s390x-linux-musl"], Path("checkasm"))
    with pytest.raises(UsageError, match=r"no CPU row 'z99' in recipes/targets\.yaml; it has: max"):
        program.command("z99")


def test_missing_emulators_say_how_to_get_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KERNPORT_CACHE", str(tmp_path))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    with pytest.raises(EnvironmentLacks, match=r"run tests/rigs/qemu-ppc64abi32\.sh"):
        emulator("ppc64abi32")
    with pytest.raises(EnvironmentLacks, match="apt-get install qemu-user-static"):
        emulator("vax")
