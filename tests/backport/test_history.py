"""What commit messages say, and what is due."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from repositories import LINES, Repository, replaced

from kernport.backport import trailers
from kernport.backport.pending import pending
from kernport.errors import UsageError

START = datetime(2026, 1, 5, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("words", "days"),
    [
        ("1 week", 7),
        ("2 weeks", 14),
        ("3 days", 3),
        ("1 month", 30),
        ("a month", 30),
        ("1week", 7),
        ("two weeks", 14),
        ("immediately", 0),
        ("2 weeks.", 14),
    ],
)
def test_when_it_is_due(words: str, days: int) -> None:
    assert trailers.due(words, START) == START + timedelta(days=days)


@pytest.mark.parametrize("words", ["never", "re@ approves", "15.0-RELEASE", ""])
def test_what_nobody_can_read(words: str) -> None:
    assert trailers.due(words, START) is None


def test_trailers() -> None:
    message = """crypto: fix it

Some text with Fixes in it and MFC after dinner.

Fixes:\t\t0123456789ab ("crypto: break it")
MFC after:\t1 week
MFC with:\tabcdef0123, 1234567fed
Cc: <stable@vger.kernel.org> # 3.3.x: a1f84a3: sched: Check for idle
Cc: <stable@vger.kernel.org> # 3.3.x: 1b9508f: sched: Rate-limit newidle
Cc: stable@vger.kernel.org # 5.10+
(cherry picked from commit 89abcdef0123456789abcdef0123456789abcdef)
"""
    said = trailers.read(message)
    assert said.fixes == ("0123456789ab",)
    assert said.after == "1 week"
    assert said.together_with == ("abcdef0123", "1234567fed")
    assert said.prerequisites == ("a1f84a3", "1b9508f")
    assert said.stable_versions == ("3.3.x", "5.10+")
    assert said.picked_from == ("89abcdef0123456789abcdef0123456789abcdef",)
    assert trailers.read("x\n\ncommit 0123456789abcdef0123456789abcdef01234567 upstream.\n").picked_from
    assert trailers.read("x\n\n[ Upstream commit 0123456789abcdef0123456789abcdef01234567 ]\n").picked_from
    assert trailers.read('Revert "x"\n\nThis reverts commit 0123456789abcdef.\n').reverts == (
        "0123456789abcdef",
    )


def test_pending(repository: Repository) -> None:
    def day(number: int) -> str:
        return f"2026-01-{number:02}T12:00:00+0000"

    def change(number: int, message: str, on: int) -> str:
        text = replaced((repository.path / "src/code.c").read_text(), number, f"changed {number}")
        return repository.commit(message, {"src/code.c": text}, date=day(on))

    due = change(1, "Due\n\nMFC after:\t1 week", 5)
    change(2, "Not yet\n\nMFC after:\t1 month", 6)
    change(3, "Says nothing", 7)
    picked = change(4, "Picked with -x\n\nMFC after: 3 days", 8)
    same = change(10, "Picked by content\n\nMFC after: 3 days", 9)
    reverted = change(6, "Reverted\n\nMFC after: 3 days", 10)
    repository.git("revert", "--no-edit", reverted, date=day(11))
    change(7, "Odd\n\nMFC after: when the moon is full", 12)
    fix = repository.commit(f"Fix of due\n\nFixes: {due[:12]}", {"README": "x\n"}, date=day(13))
    repository.git("checkout", "--quiet", "stable/1")
    repository.commit("Only here", {"other": "x\n"}, date=day(14))
    repository.git("cherry-pick", "-x", "--strategy-option=theirs", picked)
    repository.git("cherry-pick", "--strategy-option=theirs", same)
    repository.git("commit", "--quiet", "--amend", "-m", "Another message")
    repository.git("checkout", "--quiet", "main")
    found = pending(repository.path, "main", ["stable/*"], datetime(2026, 1, 20, tzinfo=UTC))
    assert [each.commit.name for each in found.due] == [due]
    assert [each.name for each in found.due[0].followups] == [fix]
    assert [each.subject for each in found.unreadable] == ["Odd"]
    found = pending(repository.path, "main", ["stable/*"], datetime(2026, 3, 1, tzinfo=UTC))
    assert [each.commit.subject for each in found.due] == ["Due", "Not yet"]
    with pytest.raises(UsageError, match=r"no branch matches 'release/\*'"):
        pending(repository.path, "main", ["release/*"], START)


def test_nothing_is_due_at_the_start(repository: Repository) -> None:
    repository.commit("Later\n\nMFC after: 1 week", {"src/code.c": replaced(LINES, 1, "x")})
    assert pending(repository.path, "main", ["stable/*"], START).due == ()
