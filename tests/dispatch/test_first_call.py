"""The first call: threads that race, a fork in the middle, kernels that give wrong answers."""

import signal
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from kernport import host
from tests.dispatch.conftest import Builder, Program

# What a planted kernel does.
RIGHT = (
    "extern kp_md5_kernel_compress kp_md5_portable_compress; kp_md5_portable_compress(state, data, blocks);"
)


def test_the_text_says_what_the_single_calls_say(program: Program) -> None:
    states, _ = program.report(KERNPORT_DISABLE="no-such")
    lines = program.run("describe", KERNPORT_DISABLE="no-such").splitlines()
    kernels = [line.split()[1:3] for line in lines if line.startswith("kernel ")]
    assert {name: state.rstrip(":") for name, state in kernels} == states
    assert "no-such" in lines[-1]
    assert lines[-1].startswith("remark KERNPORT_DISABLE: ")


def test_sixty_four_threads_race(program: Program) -> None:
    tag = AESGCM(bytes(16)).encrypt(bytes(12), b"\0", None)[1:].hex()
    for _ in range(10):
        assert program.run("threads", "64") == f"{tag}\n"


def test_a_fork_in_the_middle(program: Program) -> None:
    for _ in range(50):
        program.run("fork")


def plant(tree: Path, body: str, arch: str = "any", prefers: str = "") -> None:
    """Put a kernel before all others of md5."""
    arch = arch if arch == "any" else f"[{arch}]"
    source = tree / "native" / "md5" / "planted.c"
    source.write_text(
        f'#include "native/md5/md5.h"\nkp_md5_kernel_compress kp_md5_planted_compress;\n'
        f"void kp_md5_planted_compress(uint32_t state[4], const uint8_t *data, size_t blocks) {{ {body} }}\n"
    )
    recipe = tree / "recipes" / "families" / "md5.yaml"
    row = f"  - {{name: planted, arch: {arch}, prefers: [{prefers}], sources: [native/md5/planted.c]}}\n"
    recipe.write_text(recipe.read_text().replace("kernels: # best first\n", f"kernels: # best first\n{row}"))


def test_a_wrong_kernel_is_skipped(build: Builder, spoilt: Path, program: Program) -> None:
    plant(spoilt, "(void)data; state[0] += (uint32_t)blocks;")
    states, _ = build(spoilt).report()
    assert states.pop("md5/planted") == "failed"
    assert states == program.report()[0]


def test_a_right_kernel_is_taken(build: Builder, spoilt: Path) -> None:
    plant(spoilt, RIGHT)
    states, _ = build(spoilt).report()
    assert states["md5/planted"] == "chosen"


def test_a_kernel_without_what_it_prefers_is_not_chosen(
    build: Builder, spoilt: Path, program: Program
) -> None:
    preferred = next((feature.name for feature in host().features if feature.detected), None)
    if preferred is None:
        pytest.skip("needs a processor with at least one feature of recipes/architectures")
    plant(spoilt, RIGHT, arch=host().architecture, prefers=preferred)
    planted = build(spoilt)
    assert planted.report()[0]["md5/planted"] == "chosen"
    states, _ = planted.report(KERNPORT_DISABLE=preferred)
    assert states.pop("md5/planted") == "eligible"
    assert states == program.report(KERNPORT_DISABLE=preferred)[0]
    line = f"kernel md5/planted eligible: only chosen with {preferred}"
    assert line in planted.run("describe", KERNPORT_DISABLE=preferred).splitlines()


def test_without_one_right_kernel_the_library_refuses(build: Builder, spoilt: Path) -> None:
    recipe = spoilt / "recipes" / "families" / "md5.yaml"
    head, _, rows = recipe.read_text().partition("kernels: # best first\n")
    recipe.write_text(head + "kernels:\n  - name: portable\n" + rows.partition("  - name: portable\n")[2])
    source = spoilt / "native" / "md5" / "portable.c"
    source.write_text(
        '#include "native/md5/md5.h"\nkp_md5_kernel_compress kp_md5_portable_compress;\n'
        "void kp_md5_portable_compress(uint32_t state[4], const uint8_t *data, size_t blocks) {\n"
        "(void)state; (void)data; (void)blocks; }\n"
    )
    program = build(spoilt)
    states, _ = program.report()
    assert states["md5/portable"] == "failed"
    assert states["aes-gcm/portable"] in ("chosen", "eligible")


def under_filter(program: Program, name: str) -> subprocess.CompletedProcess[str]:
    process = subprocess.run(
        [str(program.path), name], env={}, capture_output=True, text=True, timeout=60, check=False
    )
    if process.returncode == 3:
        pytest.skip(f"{process.stderr.strip()}; needs Linux with CONFIG_SECCOMP_FILTER")
    return process


def test_a_filter_that_refuses_files_and_questions(program: Program) -> None:
    """As in some containers: all kernels stay, and the file that could not be read is remarked upon."""
    result = under_filter(program, "deny")
    assert result.returncode == 0
    states, remark = result.stdout.strip().rsplit("\n", 1)
    assert states == program.run("report").strip()
    assert remark == f"remark: {program.etc / 'dispatch.conf'}: not read: Operation not permitted"


def test_a_filter_that_kills(program: Program) -> None:
    """Under one that kills at all but reading a file, memory and output, the first call is the same."""
    result = under_filter(program, "kill")
    assert result.returncode == -signal.SIGSYS
    assert result.stdout == program.run("report")
