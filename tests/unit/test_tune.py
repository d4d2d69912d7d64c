"""`kernport tune`: the rule that finds losers, what is written, and what is left alone."""

import json
import math
import subprocess
import sys
from pathlib import Path

import pytest

from kernport import host
from kernport.bench import Operation
from kernport.errors import UsageError
from kernport.tune import check_writable, losers, tune, write

ABLE = [kernel for kernel in host().kernels if kernel.state in ("chosen", "eligible")]
FAMILY = max({kernel.family for kernel in ABLE}, key=[kernel.family for kernel in ABLE].count)
RANKED = [kernel.name for kernel in ABLE if kernel.family == FAMILY]


@pytest.mark.parametrize(
    ("costs", "lost"),
    [
        ({"a": (1, 1), "b": (2, 2), "c": (9, 9)}, ""),
        ({"a": (2, 2), "b": (1, 1), "c": (9, 9)}, "a"),
        ({"a": (2, 2), "b": (3, 3), "c": (1, 1)}, "ab"),
        # Within the margin the dispatcher's order stands.
        ({"a": (1.05, 1.05), "b": (1, 1), "c": (9, 9)}, ""),
        ({"a": (1.06, 1.06), "b": (1, 1), "c": (9, 9)}, "a"),
        # One round alone proves nothing.
        ({"a": (2, 1), "b": (1, 1), "c": (9, 9)}, ""),
        # b beats a and is itself beaten: all before c lose.
        ({"a": (3, 3), "b": (2, 2), "c": (1, 1)}, "ab"),
        # c beats a by more than the margin, b by less: b runs.
        ({"a": (1.2, 1.2), "b": (1.04, 1.04), "c": (1, 1)}, "a"),
        ({"a": (1, 1)}, ""),
    ],
)
def test_the_rule(costs: dict[str, tuple[float, float]], lost: str) -> None:
    assert losers("abc"[: len(costs)], costs, 0.05) == tuple(lost)


def imitated(ns: dict[str, float]) -> Operation:
    """An operation of the family whose kernels take as long as we say."""
    return Operation("nothing", "c", FAMILY, lambda name, size: lambda repeats: ns[name] * size * repeats)


def test_a_machine_on_which_the_last_kernel_is_the_fastest() -> None:
    (contest,) = tune([FAMILY], [imitated({name: 100 - at / 10 for at, name in enumerate(RANKED)})]).contests
    assert contest.kernels == tuple(RANKED)
    assert contest.losers == ()  # by less than the margin
    tuning = tune([FAMILY], [imitated({name: 100 / 2**at for at, name in enumerate(RANKED)})])
    (contest,) = tuning.contests
    assert contest.losers == tuple(RANKED[:-1])
    assert contest.winner == RANKED[-1]
    lines = tuning.fragment().splitlines()
    assert [line for line in lines if not line.startswith("#")] == [
        f"disable-kernel = {FAMILY}/{name}" for name in RANKED[:-1]
    ]
    figures = ", ".join(f"{name} {100 / 2**at * 64:.0f}" for at, name in enumerate(RANKED))
    assert f"#   nothing, 64 bytes: {figures}" in lines


def test_kernels_that_cannot_be_chosen_are_not_measured() -> None:
    absent = {k.name: k.reason for k in host().kernels if k.family == FAMILY and k.name not in RANKED}
    (contest,) = tune([FAMILY], [imitated(dict.fromkeys(RANKED, 1))]).contests
    assert contest.out == absent


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-P", "-m", "kernport", "tune", *arguments]
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)


def test_the_command_follows_from_its_own_figures() -> None:
    """The rule once more, from the JSON alone and in other words."""
    result = command("--json")
    assert result.returncode == 0, result.stderr
    tuning = json.loads(result.stdout)
    assert [each["family"] for each in tuning["contests"]] == list(dict.fromkeys(k.family for k in ABLE))
    for contest in tuning["contests"]:
        ranked = [kernel.name for kernel in ABLE if kernel.family == contest["family"]]
        assert contest["kernels"] == ranked
        means = {}
        for name in ranked:
            means[name] = [
                math.prod(each["ns"][name][turn] for each in contest["measurements"])
                ** (1 / len(contest["measurements"]))
                for turn in range(2)
            ]
        beaten = {
            name
            for name in ranked
            for other in ranked
            if all(means[name][turn] / means[other][turn] > 1 + tuning["margin"] for turn in range(2))
        }
        first = next(number for number, name in enumerate(ranked) if name not in beaten)
        assert contest["losers"] == ranked[:first]
        assert contest["winner"] == ranked[first]


def test_an_unknown_family() -> None:
    result = command("--family", "no-such")
    assert result.returncode == 2
    assert "there is no family 'no-such' in this build; known: " in result.stderr


def test_it_writes_again_what_it_wrote_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "dispatch.conf"
    tuning = tune([FAMILY], [imitated(dict.fromkeys(RANKED, 1))])
    write(tuning, path)
    assert path.read_text(encoding="utf-8").endswith(tuning.fragment())
    assert path.stat().st_mode & 0o777 == 0o644
    write(tuning, path)
    path.write_text(path.read_text(encoding="utf-8") + "disable = nothing\n", encoding="utf-8")
    before = path.read_bytes()
    with pytest.raises(UsageError, match="was changed since"):
        write(tuning, path)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["dispatch.conf"]


@pytest.mark.parametrize("content", [b"", b"disable = vaes\n", b"\xff\xfe"])
def test_a_file_of_somebody_else_is_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "dispatch.conf"
    path.write_bytes(content)
    result = command("--out", str(path))
    assert result.returncode == 2
    assert f"{path}: " in result.stderr
    assert "left alone" in result.stderr
    assert path.read_bytes() == content


def test_places_where_nothing_can_be_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no folder"):
        check_writable(tmp_path / "no-such" / "dispatch.conf")
    with pytest.raises(UsageError, match="not a regular file"):
        check_writable(tmp_path)


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "dispatch.conf"
    tuning = tune([FAMILY], [imitated(dict.fromkeys(RANKED, 1))])
    write(tuning, path)
    before = path.read_bytes()

    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(UsageError, match="No space left on device"):
        write(tuning, path)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["dispatch.conf"]
