"""Instructions that a branch's assembler does not know: found, and written as .long by one that does."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from repositories import Repository, make_set

from kernport.backport import toolchain
from kernport.backport.confine import confinement
from kernport.backport.plan import Class, check
from kernport.backport.scratch import Place
from kernport.backport.series import load_set
from kernport.errors import EnvironmentLacks

ASSEMBLER = "powerpc64-linux-gnu-as"
OLD = [ASSEMBLER, "-a64", "-mpower6", "-maltivec"]
NEW = [ASSEMBLER, "-a64", "-mpower10", "-mregnames"]
FACTS = {"assembler": {"name": "GNU as 2.17", "like": OLD, "encoder": NEW, "lacks": [".localentry"]}}
OLD_SOURCE = ".text\nkernel:\n\tvxor 0,0,0\n\tblr\n"
NEW_SOURCE = """.text
kernel:
	vcipher 0,1,2	/* a round */
1:	vpmsumd %v3, %v4, %v5; vxor 0,0,0
	lxvb16x 32,0,3
	add 3,3,4
	MACRO 3
	bdnz 1b
	blr
"""


pytestmark = pytest.mark.usefixtures("confined")


@pytest.fixture(autouse=True)
def assembler() -> None:
    if shutil.which(ASSEMBLER) is None:
        pytest.skip(f"{ASSEMBLER} is not installed: install the package binutils-powerpc64-linux-gnu")


def made(repository: Repository, tmp_path: Path, source: str, encode: bool) -> Path:
    repository.commit("Begin with a kernel", {"kernel.S": OLD_SOURCE})
    repository.git("branch", "--force", "stable/1")
    fixed = repository.commit("Use the crypto instructions", {"kernel.S": source})
    body = {
        "branches": {"stable/1": {"base": "1", "toolchain": FACTS}},
        "patches": [{"file": "0001-fix.patch", "encode": encode}],
    }
    return make_set(tmp_path / "set", {"0001-fix.patch": repository.patch(fixed)}, body)


def test_found_and_offered(repository: Repository, tmp_path: Path) -> None:
    folder = made(repository, tmp_path, NEW_SOURCE, False)
    plan = check(load_set(folder), Place("stable/1", repository=repository.path, reference="stable/1"))
    (outcome,) = plan.outcomes
    assert outcome.verdict is Class.TOOLCHAIN
    # Power ISA 2.07: VX form, opcode 4, VRT at bit 6, VRA at 11, VRB at 16; vcipher 1288, vpmsumd 1224.
    assert {each.word: each.encoding for each in outcome.unknown} == {
        "vcipher": f".long 0x{4 << 26 | 0 << 21 | 1 << 16 | 2 << 11 | 1288:08x}",
        "vpmsumd": f".long 0x{4 << 26 | 3 << 21 | 4 << 16 | 5 << 11 | 1224:08x}",
        "lxvb16x": f".long 0x{31 << 26 | 0 << 21 | 0 << 16 | 3 << 11 | 876 << 1 | 1:08x}",
    }


def test_written_where_the_set_allows_it(repository: Repository, tmp_path: Path) -> None:
    folder = made(repository, tmp_path, NEW_SOURCE.replace("\tMACRO 3\n", ""), True)
    from kernport.backport.apply import apply_to_branch

    done = apply_to_branch(
        load_set(folder), Place("stable/1", repository=repository.path, reference="stable/1")
    )
    assert done.plan.outcomes[0].verdict is Class.SEMANTIC
    written = repository.git("show", "stable/1:kernel.S")
    words = []
    for number, (command, text) in enumerate(((OLD, written), (NEW, NEW_SOURCE.replace("\tMACRO 3\n", "")))):
        source, made_object = tmp_path / f"{number}.s", tmp_path / f"{number}.o"
        source.write_text(text + "\n")
        subprocess.run([*command, "-o", str(made_object), str(source)], check=True)
        dump = ["powerpc64-linux-gnu-objdump", "-s", "-j", ".text", str(made_object)]
        lines = subprocess.run(dump, capture_output=True, text=True, check=True).stdout.splitlines()
        words.append([line for line in lines if re.match(r" [0-9a-f]{4} ", line)])
    assert words[0] == words[1] != []


def test_directives(repository: Repository, tmp_path: Path) -> None:
    folder = made(repository, tmp_path, OLD_SOURCE + "\t.localentry kernel, 0\n", True)
    plan = check(load_set(folder), Place("stable/1", repository=repository.path, reference="stable/1"))
    (outcome,) = plan.outcomes
    assert outcome.verdict is Class.TOOLCHAIN
    assert [(each.word, each.encoding) for each in outcome.unknown] == [(".localentry", None)]


def test_operands_that_come_from_elsewhere() -> None:
    assert toolchain.encode(NEW, "vcipher STATE, STATE, KEY", confinement()) is None


def test_words_that_are_no_instructions() -> None:
    words = ["add", "blr", "vcipher", "MACRO", ".text"]
    assert toolchain.refuses(OLD, words, confinement()) == {"vcipher", "MACRO"}


def test_a_missing_assembler_is_named() -> None:
    with pytest.raises(EnvironmentLacks, match="binutils-vax-linux-gnu"):
        toolchain.refuses(["vax-linux-gnu-as"], ["movl"], confinement())
