"""The same files give the same package, whoever packs them, where and when; and the date is the one told."""

import socket
import subprocess
import sys
import time
from pathlib import Path

import packed
import planted
import pytest
from packed import SOME, TARGETS, TREE

from kernport.build.contents import epoch
from kernport.build.native import STANDARD_EPOCH
from kernport.build.packages.stage import inside

# A second target a format; the deb's is made by a cross compiler of Debian's.
OTHERS = {
    "deb": "powerpc64-linux-gnu-elfv1",
    "rpm": "x86_64-linux-gnu",
    "apk": "powerpc64-linux-musl",
    "arch": "aarch64-linux-gnu",
    "freebsd": "x86_64-freebsd",
}

pytestmark = pytest.mark.xdist_group("packages")


@pytest.mark.parametrize("form", SOME)
def test_same_bytes(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    row, target = TREE.format(form), TARGETS[SOME[form]]
    content = packed.library(tmp_path / "library", target)
    paths = []
    for place in ("here", "another/place"):
        stage = tmp_path / place / "stage"
        packed.stage_library(stage, row, target, content)
        # With a module, so that there are scripts.
        module = inside(stage, f"{row.site}/{TREE.name}/__init__.py")
        module.parent.mkdir(parents=True)
        module.write_text("", encoding="ascii")
        if place != "here":
            time.sleep(1.1)  # archives have dates in seconds
            packed.age(stage)
            monkeypatch.setenv("TZ", "Pacific/Kiritimati")
            monkeypatch.setenv("USER", "another")
        paths.append(packed.pack(packed.contents(stage, row, target), tmp_path / place / "out"))
    assert paths[0].name == paths[1].name
    assert paths[0].read_bytes() == paths[1].read_bytes()
    if form == "rpm":  # what rpm calls BUILDHOST; other formats have no place for it
        assert f"\0{TREE.name}\0".encode() in paths[0].read_bytes()
        assert f"\0{socket.gethostname()}\0".encode() not in paths[0].read_bytes()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(STANDARD_EPOCH) + 86400))
    assert epoch() != int(STANDARD_EPOCH)
    later = packed.pack(packed.contents(tmp_path / "here" / "stage", row, target), tmp_path / "later")
    assert later.read_bytes() != paths[0].read_bytes()
    planted.need_disassembler()
    assert planted.audit(later).findings == []


@pytest.mark.long
@pytest.mark.parametrize(("form", "target"), [*SOME.items(), *OTHERS.items()])
def test_a_whole_build_elsewhere_gives_the_same_bytes(form: str, target: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "kernport", "build", form, "--target", target, "--verify"]
    process = subprocess.run(
        [*command, "--out", str(tmp_path)], cwd=packed.ROOT, capture_output=True, text=True, check=False
    )
    if process.returncode == 3:
        pytest.skip(process.stderr.strip())
    assert process.returncode == 0, process.stderr
    assert process.stderr.count("(identical when built again elsewhere)") == len(TREE.format(form).outputs)
