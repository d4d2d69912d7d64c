"""dispatch.conf and the environment: what they take away, and what is refused."""

import os
import shutil
import struct
from pathlib import Path

import pytest

from kernport.bench import Operation
from kernport.tune import tune, write
from tests.dispatch.conftest import Program, set_uid

NOBODY = 65534


def able(states: dict[str, str], family: str = "aes-gcm") -> list[str]:
    return [
        name
        for name, state in states.items()
        if name.startswith(f"{family}/") and state in ("chosen", "eligible")
    ]


def test_a_kernel_is_disabled_by_name(program: Program, configuration: Path) -> None:
    states, _ = program.report()
    best = able(states)[0]
    configuration.write_text(f"# our machine room\n\ndisable-kernel = {best}  # it overheats\n")
    after, remarks = program.report()
    assert after[best] == "disabled"
    assert able(after) == able(states)[1:]
    assert remarks == []


def test_the_environment_takes_away_more(program: Program, configuration: Path) -> None:
    first, second, *_ = able(program.report()[0])
    configuration.write_text(f"disable-kernel={first}\n")
    states, _ = program.report(KERNPORT_DISABLE_KERNEL=second)
    assert states[first] == states[second] == "disabled"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("enable = aes\n", ":1: refused as a whole: expected 'disable = "),
        ("disable = aes\nfoo\n", ":2: refused as a whole"),
        ("disable aes\n", ":1: refused as a whole"),
        ("disable = aes\0\n", "refused: not a text file"),
        ("#" * 20000, "refused: larger than 16384 bytes"),
        ("disable = no-such\n", "'no-such' is no feature of"),
    ],
)
def test_what_cannot_be_understood_takes_nothing_away(
    program: Program, configuration: Path, text: str, complaint: str
) -> None:
    plain, _ = program.report()
    configuration.write_text(text)
    states, remarks = program.report()
    assert states == plain
    assert len(remarks) == 1
    assert remarks[0].startswith(str(configuration))
    assert complaint in remarks[0]


def test_a_file_that_everybody_may_write_is_refused(program: Program, configuration: Path) -> None:
    plain, _ = program.report()
    configuration.write_text(f"disable-kernel = {able(plain)[0]}\n")
    configuration.chmod(0o666)
    states, (remark,) = program.report()
    assert states == plain
    assert remark == f"{configuration}: refused: everybody may write to it; chmod o-w"


@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_what_is_no_file_is_refused(program: Program, configuration: Path, kind: str) -> None:
    if kind == "folder":
        configuration.mkdir()
    else:
        os.mkfifo(configuration)
    try:
        _, (remark,) = program.report()
    finally:
        if kind == "folder":
            configuration.rmdir()
    assert remark == f"{configuration}: refused: not a regular file"


@pytest.mark.skipif(
    os.geteuid() != 0, reason="only root can run a program as another user: run the tests as root"
)
def test_an_unreadable_file_is_remarked_upon(program: Program, configuration: Path) -> None:
    configuration.write_text("disable = aes\n")
    configuration.chmod(0o600)
    _, (remark,) = program.report(user=NOBODY)
    assert remark == f"{configuration}: not read: Permission denied"


@pytest.mark.skipif(
    os.geteuid() != 0, reason="only root can make a program set-user-ID: run the tests as root"
)
def test_a_setuid_program_ignores_the_environment(program: Program, tmp_path: Path) -> None:
    best = able(program.report()[0])[0]
    twin = program.path.with_name("first_call_setuid")
    shutil.copy(program.path, twin)
    set_uid(twin)
    plain, _ = Program(twin, program.etc).report(user=NOBODY, KERNPORT_DISABLE_KERNEL=best)
    assert plain[best] == "chosen"
    twin.chmod(0o755)
    states, _ = Program(twin, program.etc).report(user=NOBODY, KERNPORT_DISABLE_KERNEL=best)
    assert states[best] == "disabled"


@pytest.mark.skipif(
    os.geteuid() != 0, reason="only root can give a program capabilities: run the tests as root"
)
def test_a_program_with_file_capabilities_ignores_the_environment(program: Program) -> None:
    best = able(program.report()[0])[0]
    twin = program.path.with_name("first_call_capable")
    shutil.copy(program.path, twin)
    # struct vfs_cap_data of linux/capability.h: revision 2, effective, CAP_NET_BIND_SERVICE.
    capability = struct.pack("<5I", 0x02000001, 1 << 10, 0, 0, 0)
    try:
        os.setxattr(twin, "security.capability", capability)
    except OSError as error:
        pytest.skip(
            f"{twin.parent} takes no file capabilities: set TMPDIR to a file system that does ({error})"
        )
    plain, _ = Program(twin, program.etc).report(user=NOBODY, KERNPORT_DISABLE_KERNEL=best)
    assert plain[best] == "chosen"
    os.removexattr(twin, "security.capability")
    states, _ = Program(twin, program.etc).report(user=NOBODY, KERNPORT_DISABLE_KERNEL=best)
    assert states[best] == "disabled"


def test_more_remarks_than_there_is_room_for(program: Program) -> None:
    _, remarks = program.report(KERNPORT_DISABLE=",".join(f"nothing{number}" for number in range(100)))
    assert len(remarks) == 8


def test_the_dispatcher_takes_what_tune_writes(program: Program, configuration: Path) -> None:
    plain, _ = program.report()
    family = max({name.partition("/")[0] for name in plain}, key=lambda name: len(able(plain, name)))
    ranked = [name.partition("/")[2] for name in able(plain, family)]
    falling = {name: 100 / 2**at for at, name in enumerate(ranked)}
    slow = Operation("nothing", "c", family, lambda name, size: lambda repeats: falling[name] * repeats)
    write(tune([family], [slow]), configuration)
    states, remarks = program.report()
    assert remarks == []
    for name in ranked[:-1]:
        assert states.pop(f"{family}/{name}") == "disabled"
    assert states.pop(f"{family}/{ranked[-1]}") == "chosen"
    assert states.items() <= plain.items()
