"""Proofs: what is run, where, with which result, and when a kept result is used."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path

import pytest
from repositories import LINES, Repository, make_set, replaced

from kernport.backport import zig
from kernport.backport.confine import UNCONFINED
from kernport.backport.scratch import Place
from kernport.backport.series import load_set
from kernport.backport.verify import Verdict, verify
from kernport.errors import EnvironmentLacks, UsageError

pytestmark = pytest.mark.usefixtures("confined")


def proof(
    tests: list[dict[str, object]], build: list[list[str]] | None = None, **more: object
) -> dict[str, object]:
    entry = {
        "architecture": "any",
        "branches": ["stable/1"],
        "build": build or [["true"]],
        "tests": tests,
        **more,
    }
    return {"branches": {"stable/1": {"base": "1"}}, "verify": [entry]}


def run(
    repository: Repository,
    tmp_path: Path,
    body: dict[str, object],
    again: bool = False,
    trusted: bool = False,
) -> Verdict:
    folder = tmp_path / "set"
    if not folder.exists():
        fixed = repository.commit("Fix", {"src/code.c": replaced(LINES, 20, "fixed")})
        make_set(folder, {"0001-fix.patch": repository.patch(fixed)}, body)
    before = repository.state()
    place = Place("stable/1", repository=repository.path, reference="stable/1")
    (verdict,) = verify(replace(load_set(folder), trusted=trusted), place, again=again)
    assert repository.state() == before
    return verdict


def test_the_patched_tree_is_what_is_tested(repository: Repository, tmp_path: Path) -> None:
    command = ["cat", "src/code.c"]
    found: dict[str, object] = {"name": "fixed", "run": command, "expect": "^fixed$", "before": "fails"}
    verdict = run(repository, tmp_path, proof([found]))
    assert verdict.state == "passed"
    assert [step.passed for step in verdict.after] == [True, True]
    assert [step.passed for step in verdict.before] == [True, False]


@pytest.mark.parametrize(
    ("test", "state"),
    [
        ({"name": "t", "run": ["false"]}, "failed: t"),
        ({"name": "t", "run": ["echo", "one"], "expect": "two"}, "failed: t"),
        ({"name": "t", "run": ["no-such-program"]}, "failed: t"),
        ({"name": "t", "run": ["true"], "before": "fails"}, "failed: t passes without the set too"),
        ({"name": "t", "run": ["grep", "fixed", "src/code.c"], "before": "passes"},
         "failed: t does not pass without the set"),
    ],
)  # fmt: skip
def test_failures(repository: Repository, tmp_path: Path, test: dict[str, object], state: str) -> None:
    assert run(repository, tmp_path, proof([test])).state == state


def test_a_failed_build_ends_it(repository: Repository, tmp_path: Path) -> None:
    body = proof([{"name": "t", "run": ["true"]}], build=[["sh", "-c", "echo why; exit 3"], ["true"]])
    verdict = run(repository, tmp_path, body)
    assert verdict.state == "failed: build 1"
    assert [step.exit_code for step in verdict.after] == [3]
    assert verdict.after[0].said == "why"


def test_commands_live_in_the_scratch(repository: Repository, tmp_path: Path) -> None:
    """What they call home, and where they put temporary files, is below the scratch and goes with it."""
    script = 'for place in "$HOME" "$TMPDIR" "$PWD"; do case $place in {work}/*) ;; *) exit 1 ;; esac; done'
    verdict = run(repository, tmp_path, proof([{"name": "t", "run": ["sh", "-c", script]}]))
    assert verdict.state == "passed"
    assert list((tmp_path / "cache/proofs").iterdir())


def test_results_are_kept_by_content(repository: Repository, tmp_path: Path) -> None:
    counter = tmp_path / "counter"
    body = proof([{"name": "t", "run": ["sh", "-c", f"echo x >> {counter}"]}])
    first = run(repository, tmp_path, body, trusted=True)
    second = run(repository, tmp_path, body, trusted=True)
    assert (first.from_cache, second.from_cache) == (False, True)
    assert second == first
    assert counter.read_text() == "x\n"
    run(repository, tmp_path, body, again=True, trusted=True)
    assert counter.read_text() == "x\nx\n"
    (tmp_path / "set/helper.c").write_text("int helper;\n")
    assert not run(repository, tmp_path, body, trusted=True).from_cache
    assert not run(repository, tmp_path, body).from_cache  # what ran unconfined is no result for this


def test_a_file_elsewhere_that_a_command_names_counts(repository: Repository, tmp_path: Path) -> None:
    helper = tmp_path / "helper.sh"
    helper.write_text("exit 0\n")
    body = proof([{"name": "t", "run": ["sh", "{set}/../helper.sh"]}])
    assert not run(repository, tmp_path, body).from_cache
    assert run(repository, tmp_path, body).from_cache
    helper.write_text("exit 1\n")
    assert run(repository, tmp_path, body).state == "failed: t"


def test_architectures(repository: Repository, tmp_path: Path) -> None:
    body = proof([{"name": "t", "run": ["true"]}], architecture="powerpc64-linux-musl", name="features")
    run(repository, tmp_path, body)
    patch_set = load_set(tmp_path / "set")
    place = Place("stable/1", repository=repository.path, reference="stable/1")
    for asked in ("powerpc64-linux-musl", "powerpc64-linux-musl features"):
        assert [each.passed for each in verify(patch_set, place, [asked])] == [True]
    with pytest.raises(UsageError, match=r"no proof of stable/1 for 'powerpc64-lnux-musl'; did you mean"):
        verify(patch_set, place, ["powerpc64-lnux-musl"])
    other = Place("main", repository=repository.path, reference="main")
    with pytest.raises(UsageError, match="no proof for 'main': it has some for stable/1"):
        verify(patch_set, other)


def test_a_compiler_that_fails_once_is_asked_again(tmp_path: Path) -> None:
    """What zig could not build is not taken for a library that is there."""
    if importlib.util.find_spec("ziglang") is None:
        pytest.skip("zig is not installed: install the Python package ziglang")
    kept, wrong = tmp_path / "kept", "zig cc -target no-such-target"
    zig.fill_cache(tmp_path / "own", [wrong], kept, UNCONFINED)
    assert list((tmp_path / "own").iterdir()) == list(kept.iterdir()) == []


def test_what_does_not_apply_is_not_run(repository: Repository, tmp_path: Path) -> None:
    repository.git("checkout", "--quiet", "stable/1")
    repository.commit("Other", {"src/code.c": replaced(LINES, 20, "other")})
    repository.git("checkout", "--quiet", "main")
    verdict = run(repository, tmp_path, proof([{"name": "t", "run": ["true"]}]))
    assert verdict.state == "does not apply"


def test_a_missing_program_is_named(repository: Repository, tmp_path: Path) -> None:
    body = proof([{"name": "t", "run": ["true"]}], needs={"no-such-program": "some-package"})
    with pytest.raises(
        EnvironmentLacks, match="no-such-program is not installed: install the package some-package"
    ):
        run(repository, tmp_path, body)


def test_a_failure_is_not_kept(repository: Repository, tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    body = proof([{"name": "t", "run": ["test", "-e", str(flag)]}])
    assert run(repository, tmp_path, body).state == "failed: t"
    flag.touch()
    assert run(repository, tmp_path, body).state == "passed"
