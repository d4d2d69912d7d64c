"""The command: what it prints, and its exit codes."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from repositories import LINES, Repository, make_set, replaced

from kernport.cli import main


@pytest.fixture
def folder(repository: Repository, tmp_path: Path) -> Path:
    fixed = repository.commit("Fix", {"src/code.c": replaced(LINES, 20, "fixed")})
    body = {"branches": {"release-1": {"base": "1"}}}
    return make_set(tmp_path / "set", {"0001-fix.patch": repository.patch(fixed)}, body)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    path = tmp_path / "example-1.0"
    (path / "src").mkdir(parents=True)
    (path / "src/code.c").write_text(LINES)
    return path


def test_check(repository: Repository, folder: Path, tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = ["--repository", str(repository.path), "--onto", "stable/1", "--onto", "main"]
    assert main(["backport", "check", str(folder), *where]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "example"
    assert lines[1].split() == ["patch", "branch", "class", "why"]
    assert lines[3].split() == ["0001-fix.patch", "stable/1", "clean"]
    assert "already present" in lines[4]
    (tree / "src/code.c").write_text(replaced(LINES, 20, "other"))
    assert main(["backport", "check", str(folder), "--onto", str(tree), "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["applies"] is False
    assert data["outcomes"][0]["class"] == "conflict"
    assert "+ other" in data["outcomes"][0]["conflicts"][0]["lines"]


def test_check_of_several_sets(
    repository: Repository, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = make_set(tmp_path / "other", {"0001-fix.patch": (folder / "0001-fix.patch").read_bytes()})
    (other / "set.yaml").write_text((other / "set.yaml").read_text().replace("name: example", "name: other"))
    where = ["--repository", str(repository.path), "--onto", "stable/1"]
    assert main(["backport", "check", str(folder), str(other), *where]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if len(line.split()) == 1] == ["example", "other"]
    assert main(["backport", "check", str(folder), str(other), *where, "--json"]) == 0
    outcomes = json.loads(capsys.readouterr().out)["outcomes"]
    assert [(each["set"], each["class"]) for each in outcomes] == [("example", "clean"), ("other", "clean")]


def test_branch_by_version(folder: Path, tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["backport", "check", str(folder), "--onto", str(tree), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["outcomes"][0]["branch"] == "release-1"


def test_tarballs(folder: Path, tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tarball = tmp_path / "example-1.0.tar.gz"
    subprocess.run(["tar", "-czf", str(tarball), tree.name], cwd=tmp_path, check=True)
    assert main(["backport", "check", str(folder), "--onto", str(tarball)]) == 0
    assert main(["backport", "apply", str(folder), "--onto", str(tarball)]) == 2
    assert "--out" in capsys.readouterr().err
    out = tmp_path / "patched"
    assert main(["backport", "apply", str(folder), "--onto", str(tarball), "--out", str(out)]) == 0
    assert "fixed" in (out / "src/code.c").read_text()


def test_export_for_a_tree(repository: Repository, tmp_path: Path, tree: Path) -> None:
    """What the tree has already is left out."""
    first = repository.commit("Fix 20", {"src/code.c": replaced(LINES, 20, "fixed")})
    second = repository.commit("Fix 30", {"src/code.c": replaced(replaced(LINES, 20, "fixed"), 30, "too")})
    patches = {"0001-a.patch": repository.patch(first), "0002-b.patch": repository.patch(second)}
    folder = make_set(tmp_path / "two", patches)
    (tree / "src/code.c").write_text(replaced(LINES, 20, "fixed"))
    out = tmp_path / "out"
    assert main(["backport", "export", str(folder), "quilt", "--onto", str(tree), "--out", str(out)]) == 0
    assert (out / "series").read_text() == "0002-b.patch\n"
    (tree / "src/code.c").write_text(replaced(LINES, 30, "otherwise"))
    again = ["backport", "export", str(folder), "quilt", "--onto", str(tree), "--out", f"{out}2"]
    assert main(again) == 1
    assert not Path(f"{out}2").exists()


def test_out_and_in_for_machines(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, again = tmp_path / "out", tmp_path / "again"
    assert main(["backport", "export", str(folder), "quilt", "--out", str(out), "--json"]) == 0
    written = json.loads(capsys.readouterr().out)
    there = sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file())
    assert written == {"out": str(out), "branch": None, "files": there}
    take = ["import", "quilt", str(out), "--name", "example", "--out", str(again), "--json"]
    assert main(["backport", *take]) == 0
    assert json.loads(capsys.readouterr().out) == {"out": str(again), "patches": ["0001-fix.patch"]}


def test_apply(repository: Repository, folder: Path, tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["backport", "apply", str(folder), "--onto", f"release-1={tree}"]) == 0
    assert "fixed" in (tree / "src/code.c").read_text()
    where = ["--repository", str(repository.path), "--onto", "stable/1"]
    assert main(["backport", "apply", str(folder), *where, "--json"]) == 0
    out = capsys.readouterr().out
    assert json.loads(out[out.index("{") :])["commit"] == repository.git("rev-parse", "stable/1")
    assert main(["backport", "apply", str(folder), *where, "--onto", "main"]) == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["check", "nowhere"], "no patch set there"),
        (["check", "{set}"], "say with --onto where to look"),
        (["check", "{set}", "--onto", "nowhere"], "neither a file or directory nor a branch"),
        (["check", "{set}", "--onto", "relaese-1={tree}"], "did you mean 'release-1'"),
        (["check", "{set}", "--onto", "{set}/set.yaml"], "not a source tree"),
        (["export", "{set}", "mail", "--out", "{tree}"], "exists already"),
        (
            ["export", "{set}", "mail", "--out", "{tree}-new", "--branch", "release-2"],
            "did you mean 'release-1'",
        ),
        (["check", "{set}", "--onto", "{tree}", "--source", "main"], "say with --repository where they are"),
        (["apply", "{set}", "--onto", "{tree}", "--as", "new"], "say with --repository where they are"),
        (["verify", "{set}", "--onto", "{tree}"], "no proof for 'release-1': its set.yaml has no verify"),
        (["export", "{set}", "mail", "--out", "{tree}-new", "--repository", "{tree}"], "needs --onto"),
        (
            ["export", "{set}", "mail", "--out", "{tree}-new", "--branch", "release-1", "--onto", "{tree}"],
            "say one of them",
        ),
        (["import", "git", "{tree}", "--name", "x", "--out", "{tree}-new"], "needs --commit"),
        (["import", "mail", "{set}", "--name", "Not A Name", "--out", "{tree}-new"], "a set is named with"),
    ],
)
def test_wrong_use(
    folder: Path, tree: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    filled = [word.format(set=folder, tree=tree) for word in words]
    assert main(["backport", *filled]) == 2
    said = capsys.readouterr().err
    assert said.startswith("kernport backport: ")
    assert message in said
    assert len(said.splitlines()) == 1


def test_a_path_with_the_sign_in_it(folder: Path, tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd = tree.rename(tree.parent / "a=b")
    assert main(["backport", "check", str(folder), "--onto", str(odd)]) == 0
    assert main(["backport", "check", str(folder), "--onto", f"release-1={odd}", "--json"]) == 0
    out = capsys.readouterr().out
    assert json.loads(out[out.index("{") :])["outcomes"][0]["branch"] == "release-1"
    assert main(["backport", "check", str(folder), "--onto", f"release-2={odd}"]) == 2
    assert "did you mean 'release-1'" in capsys.readouterr().err


def test_relative_paths(
    repository: Repository, folder: Path, tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    where = ["--repository", repository.path.name, "--onto", "stable/1"]
    assert main(["backport", "check", folder.name, *where]) == 0
    assert main(["backport", "export", folder.name, "quilt", "--onto", tree.name, "--out", "out"]) == 0
    assert main(["backport", "apply", folder.name, "--onto", tree.name, "--out", "patched"]) == 0
    assert main(["backport", "apply", folder.name, "--onto", tree.name]) == 0
    assert main(["backport", "apply", folder.name, *where]) == 0
    assert main(["backport", "import", "quilt", "out", "--name", "again", "--out", "again"]) == 0
    assert main(["backport", "pending", repository.path.name]) == 0
    assert (tree / "src/code.c").read_text() == (tmp_path / "patched/src/code.c").read_text() != LINES


def test_where_one_stands(
    folder: Path, tree: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tree)
    assert main(["backport", "check", str(folder), "--onto", ".", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["outcomes"][0]["branch"] == "release-1"


def test_a_day_that_is_none(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["backport", "pending", str(repository.path), "--now", "soon"])
    assert stopped.value.code == 2
    assert "'soon' is no day" in capsys.readouterr().err


def test_pending(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    due = repository.commit("Due\n\nMFC after: 1 week", {"README": "x\n"})
    assert main(["backport", "pending", str(repository.path), "--now", "2026-02-01"]) == 0
    assert due[:12] in capsys.readouterr().out
    assert main(["backport", "pending", str(repository.path), "--now", "2026-01-06", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"due": [], "unreadable": []}


def test_a_tarball_that_would_write_outside(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "outside").write_text("x\n")
    tarball = tmp_path / "bad-1.0.tar"
    subprocess.run(["tar", "-cPf", str(tarball), "../outside"], cwd=tmp_path / "inside", check=True)
    assert main(["backport", "check", str(folder), "--onto", str(tarball)]) == 2
    assert "cannot be unpacked" in capsys.readouterr().err
