"""Each class of outcome on git branches, from repositories in which git itself made the history."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from repositories import LINES, Repository, make_set, replaced

from kernport.backport.apply import apply_to_branch
from kernport.backport.history import Commit
from kernport.backport.plan import Class, Outcome, check
from kernport.backport.scratch import Place
from kernport.backport.series import load_set


def outcomes(
    repository: Repository,
    patch_set: Path,
    branch: str = "stable/1",
    source: str | None = "main",
    reverted_too: bool = False,
) -> list[Outcome]:
    place = Place(branch, repository=repository.path, reference=branch)
    before = repository.state()
    plan = check(load_set(patch_set), place, source, reverted_too)
    assert repository.state() == before
    return list(plan.outcomes)


def fix(repository: Repository, message: str = "Fix line 20") -> str:
    return repository.commit(message, {"src/code.c": replaced(LINES, 20, "fixed line")})


def on_stable(repository: Repository, message: str, files: Mapping[str, str | bytes | None]) -> str:
    repository.git("checkout", "--quiet", "stable/1")
    commit = repository.commit(message, files)
    repository.git("checkout", "--quiet", "main")
    return commit


def test_clean(repository: Repository, tmp_path: Path) -> None:
    folder = make_set(tmp_path / "set", {"0001-fix.patch": repository.patch(fix(repository))})
    (outcome,) = outcomes(repository, folder)
    assert outcome.verdict is Class.CLEAN


def test_context_differs_and_git_merges(repository: Repository, tmp_path: Path) -> None:
    on_stable(repository, "Other words near", {"src/code.c": replaced(LINES, 18, "eighteen")})
    folder = make_set(tmp_path / "set", {"0001-fix.patch": repository.patch(fix(repository))})
    (outcome,) = outcomes(repository, folder)
    assert outcome.verdict is Class.CONTEXT
    assert outcome.reason == "merged three ways; the same lines change"


def test_fuzz_where_there_is_nothing_to_merge_with(repository: Repository, tmp_path: Path) -> None:
    """A plain tree has no object to merge with, so only less context can help."""
    raw = repository.patch(fix(repository))
    tree = tmp_path / "tree"
    (tree / "src").mkdir(parents=True)
    (tree / "src/code.c").write_text(replaced(LINES, 17, "seventeen"))
    folder = make_set(tmp_path / "set", {"0001-fix.patch": raw})
    (outcome,) = check(load_set(folder), Place("tree", tree=tree)).outcomes
    assert outcome.verdict is Class.FUZZ
    assert outcome.reason == "2 of 3 lines of context match"


def test_variant_for_a_branch(repository: Repository, tmp_path: Path) -> None:
    stable = replaced(replaced(LINES, 19, "nineteen"), 21, "twenty-one")
    on_stable(repository, "Other words around", {"src/code.c": stable})
    raw = repository.patch(fix(repository))
    same_lines = raw.replace(b" line 19\n", b" nineteen\n").replace(b" line 21\n", b" twenty-one\n")
    other_lines = same_lines.replace(b"+fixed line\n", b"+fixed the other way\n")
    body = {
        "branches": {"stable/1": {"base": "1"}},
        "patches": [{"file": "0001-fix.patch", "variants": {"stable/1": "0001-fix-stable.patch"}}],
    }
    one = make_set(tmp_path / "one", {"0001-fix.patch": raw, "0001-fix-stable.patch": same_lines}, body)
    (outcome,) = outcomes(repository, one)
    assert outcome.verdict is Class.CONTEXT
    two = make_set(tmp_path / "two", {"0001-fix.patch": raw, "0001-fix-stable.patch": other_lines}, body)
    (outcome,) = outcomes(repository, two)
    assert outcome.verdict is Class.SEMANTIC
    assert "src/code.c" in outcome.reason


def test_conflict_names_the_lines_and_what_is_missing(repository: Repository, tmp_path: Path) -> None:
    unrelated = repository.commit("Touch the end", {"src/code.c": replaced(LINES, 40, "the end")})
    text = replaced(replaced(LINES, 40, "the end"), 20, "twenty, reworded")
    needed = repository.commit("Reword line 20", {"src/code.c": text})
    fixed = repository.commit("Fix line 20", {"src/code.c": replaced(text, 20, "twenty, fixed")})
    folder = make_set(tmp_path / "set", {"0001-fix.patch": repository.patch(fixed)})
    (outcome,) = outcomes(repository, folder)
    assert outcome.verdict is Class.PREREQUISITE
    assert [each.name for each in outcome.prerequisites if isinstance(each, Commit)] == [needed]
    assert unrelated not in outcome.reason
    (found,) = outcome.conflicts
    assert found.path == "src/code.c"
    assert "- twenty, reworded" in found.lines()
    assert "+ line 20" in found.lines()


def test_at_most_ten_prerequisites_and_none_that_is_picked(repository: Repository, tmp_path: Path) -> None:
    text, commits = LINES, []
    for number in range(12):
        text = replaced(text, 20, f"twenty, for the {number}. time")
        commits.append(repository.commit(f"Reword {number}", {"src/code.c": text}))
    fixed = repository.commit("Fix", {"src/code.c": replaced(text, 20, "fixed")})
    repository.git("checkout", "--quiet", "stable/1")
    repository.git("cherry-pick", "-x", commits[0])
    repository.git("checkout", "--quiet", "main")
    folder = make_set(tmp_path / "set", {"0001-fix.patch": repository.patch(fixed)})
    (outcome,) = outcomes(repository, folder)
    names = [each.name for each in outcome.prerequisites if isinstance(each, Commit)]
    assert len(names) == 10
    assert commits[0] not in names
    assert set(names) <= set(commits)


def test_conflict_without_a_source_branch(repository: Repository, tmp_path: Path) -> None:
    on_stable(repository, "Other", {"src/code.c": replaced(LINES, 20, "another line")})
    folder = make_set(tmp_path / "set", {"0001-fix.patch": repository.patch(fix(repository))})
    (outcome,) = outcomes(repository, folder, source=None)
    assert outcome.verdict is Class.CONFLICT
    assert "src/code.c:" in outcome.reason
    assert "+ another line" in outcome.conflicts[0].lines()


def test_a_new_file_that_is_there(repository: Repository, tmp_path: Path) -> None:
    on_stable(repository, "Mine", {"src/new.c": "mine\n"})
    added = repository.commit("Add a file", {"src/new.c": "theirs\n"})
    (outcome,) = outcomes(repository, make_set(tmp_path / "set", {"0001-add.patch": repository.patch(added)}))
    assert outcome.verdict is Class.CONFLICT
    assert outcome.reason == "src/new.c exists already"


def test_declared_prerequisites(repository: Repository, tmp_path: Path) -> None:
    needed = repository.commit("Needed", {"src/other.c": "int other;\n"})
    message = f"Fix line 20\n\nCc: <stable@vger.kernel.org> # 3.3.x: {needed[:10]}: Needed\n"
    fixed = fix(repository, message)
    folder = make_set(tmp_path / "set", {"0001-fix.patch": repository.patch(fixed)})
    (outcome,) = outcomes(repository, folder)
    assert outcome.verdict is Class.PREREQUISITE
    assert [each.name for each in outcome.prerequisites if isinstance(each, Commit)] == [needed]
    repository.git("checkout", "--quiet", "stable/1")
    repository.git("cherry-pick", "-x", needed)
    repository.git("checkout", "--quiet", "main")
    (outcome,) = outcomes(repository, folder)
    assert outcome.verdict is Class.CLEAN


@pytest.mark.parametrize("option", [["-x"], []], ids=["by its message", "by its content"])
def test_already_picked(repository: Repository, tmp_path: Path, option: list[str]) -> None:
    fixed = fix(repository)
    on_stable(repository, "Something else", {"README": "stable\n"})
    repository.git("checkout", "--quiet", "stable/1")
    repository.git("cherry-pick", *option, fixed)
    repository.commit("Change the same line later", {"src/code.c": replaced(LINES, 20, "again other")})
    repository.git("checkout", "--quiet", "main")
    folder = make_set(tmp_path / "set", {"0001-fix.patch": repository.patch(fixed)})
    (outcome,) = outcomes(repository, folder)
    assert outcome.verdict is Class.PRESENT
    assert ("picked from" if option else "content") in outcome.reason


def test_already_there_without_a_commit_of_its_own(repository: Repository, tmp_path: Path) -> None:
    both = replaced(replaced(LINES, 20, "fixed line"), 2, "and more")
    on_stable(repository, "One big commit", {"src/code.c": both})
    folder = make_set(tmp_path / "set", {"0001-fix.patch": repository.patch(fix(repository))})
    (outcome,) = outcomes(repository, folder)
    assert outcome.verdict is Class.PRESENT


def test_reverted_upstream_and_put_back(repository: Repository, tmp_path: Path) -> None:
    fixed = fix(repository)
    repository.git("revert", "--no-edit", fixed)
    revert = repository.git("rev-parse", "HEAD")
    folder = make_set(tmp_path / "set", {"0001-fix.patch": repository.patch(fixed)})
    (outcome,) = outcomes(repository, folder)
    assert outcome.verdict is Class.REVERTED
    assert revert[:12] in outcome.reason
    (outcome,) = outcomes(repository, folder, reverted_too=True)
    assert outcome.verdict is Class.CLEAN
    repository.git("revert", "--no-edit", revert)
    (outcome,) = outcomes(repository, folder)
    assert outcome.verdict is Class.CLEAN


def test_taken_and_reverted_on_the_branch(repository: Repository, tmp_path: Path) -> None:
    fixed = fix(repository)
    repository.git("checkout", "--quiet", "stable/1")
    repository.git("cherry-pick", "-x", fixed)
    repository.git("revert", "--no-edit", "HEAD")
    repository.git("checkout", "--quiet", "main")
    folder = make_set(tmp_path / "set", {"0001-fix.patch": repository.patch(fixed)})
    (outcome,) = outcomes(repository, folder)
    assert outcome.verdict is Class.REVERTED


def test_not_applicable(repository: Repository, tmp_path: Path) -> None:
    repository.commit("Add a feature", {"src/feature.c": LINES})
    fixed = repository.commit("Fix it", {"src/feature.c": replaced(LINES, 3, "three")})
    raw = repository.patch(fixed)
    (outcome,) = outcomes(repository, make_set(tmp_path / "one", {"0001-fix.patch": raw}))
    assert outcome.verdict is Class.NOT_APPLICABLE
    body = {"patches": [{"file": "0001-fix.patch", "applies_when": [{"path": "README", "has": "^feature"}]}]}
    (outcome,) = outcomes(repository, make_set(tmp_path / "two", {"0001-fix.patch": raw}, body))
    assert outcome.verdict is Class.NOT_APPLICABLE
    assert "README" in outcome.reason


def test_present_by_another_form(repository: Repository, tmp_path: Path) -> None:
    raw = repository.patch(fix(repository))
    body = {"patches": [{"file": "0001-fix.patch", "present_when": [{"path": "README", "has": "read"}]}]}
    (outcome,) = outcomes(repository, make_set(tmp_path / "set", {"0001-fix.patch": raw}, body))
    assert outcome.verdict is Class.PRESENT


def test_followups_are_named(repository: Repository, tmp_path: Path) -> None:
    fixed = fix(repository)
    later = repository.commit(f'Fix the fix\n\nFixes: {fixed[:12]} ("Fix line 20")', {"README": "better\n"})
    with_it = repository.commit(f"Explain it\n\nMFC with:\t{fixed[:10]}", {"README": "explained\n"})
    (outcome,) = outcomes(repository, make_set(tmp_path / "set", {"0001-fix.patch": repository.patch(fixed)}))
    assert any(later[:12] in note for note in outcome.notes)
    assert any(with_it[:12] in note for note in outcome.notes)


def test_followups_that_the_set_brings(repository: Repository, tmp_path: Path) -> None:
    fixed = fix(repository)
    later = repository.commit(f"Fix the fix\n\nFixes: {fixed[:12]}", {"README": "better\n"})
    patches = {"0001-fix.patch": repository.patch(fixed), "0002-more.patch": repository.patch(later)}
    assert [each.notes for each in outcomes(repository, make_set(tmp_path / "set", patches))] == [(), ()]


def test_path_prefixes(repository: Repository, tmp_path: Path) -> None:
    vendored = {"crypto/openssl/src/code.c": LINES, "src/code.c": None}
    on_stable(repository, "Vendor it", vendored)
    body = {
        "branches": {"stable/1": {"base": "1", "paths": {"src/": "crypto/openssl/src/", "": "elsewhere/"}}}
    }
    folder = make_set(tmp_path / "set", {"0001-fix.patch": repository.patch(fix(repository))}, body)
    (outcome,) = outcomes(repository, folder)
    assert outcome.verdict is Class.CLEAN


@pytest.mark.usefixtures("confined")
def test_generated_files_are_made_anew(repository: Repository, tmp_path: Path) -> None:
    generator = "import pathlib\npathlib.Path('made.S').write_text('/* {} */\\n')\n"
    repository.commit("Add a generator", {"make.py": generator.format("old"), "made.S": "/* old */\n"})
    repository.git("branch", "--force", "stable/1")
    on_stable(repository, "Made by another version", {"made.S": "/* old, differently */\n"})
    fixed = repository.commit("Change both", {"make.py": generator.format("new"), "made.S": "/* new */\n"})
    rule = {"files": ["*.S"], "command": ["python3", "make.py"]}
    body = {"branches": {"stable/1": {"base": "1", "generated": [rule]}}}
    folder = make_set(tmp_path / "set", {"0001-fix.patch": repository.patch(fixed)}, body)
    (outcome,) = outcomes(repository, folder)
    assert outcome.verdict is Class.REGENERATE
    assert outcome.reason == "`python3 make.py` makes anew made.S"
    input_only = repository.patch(
        repository.commit("Change the generator", {"make.py": generator.format("newer")})
    )
    body = {"branches": {"main": {"base": "1", "generated": [rule | {"from": ["make.*"]}]}}}
    repository.git("branch", "earlier", "main~1")
    one = make_set(tmp_path / "one", {"0001-fix.patch": input_only}, body)
    place = Place("main", repository=repository.path, reference="earlier")
    done = apply_to_branch(load_set(one), place, new_branch="generated")
    assert done.plan.outcomes[0].verdict is Class.REGENERATE
    assert repository.git("show", "generated:made.S") == "/* newer */"


@pytest.mark.parametrize(
    ("requires", "facts", "verdict"),
    [
        ({"abi": ["elfv2"]}, {"abi": "elfv1"}, Class.ABI),
        ({"abi": ["elfv2"]}, {"abi": "elfv2"}, Class.CLEAN),
        ({"abi": ["elfv2"]}, {}, Class.CLEAN),
        ({"call_elf": True}, {"call_elf": False}, Class.ABI),
        ({"c": "c11"}, {"c": "c99"}, Class.TOOLCHAIN),
        ({"c": "c99"}, {"c": "c11"}, Class.CLEAN),
    ],
)
def test_toolchain_facts(
    repository: Repository,
    tmp_path: Path,
    requires: dict[str, object],
    facts: dict[str, object],
    verdict: Class,
) -> None:
    body = {
        "branches": {"stable/1": {"base": "1", "toolchain": facts}},
        "patches": [{"file": "0001-fix.patch", "requires": requires}],
    }
    folder = make_set(tmp_path / "set", {"0001-fix.patch": repository.patch(fix(repository))}, body)
    (outcome,) = outcomes(repository, folder)
    assert outcome.verdict is verdict


def test_a_later_patch_builds_on_an_earlier_one(repository: Repository, tmp_path: Path) -> None:
    first = fix(repository)
    text = replaced(replaced(LINES, 20, "fixed line"), 21, "and the next")
    second = repository.commit("Fix line 21", {"src/code.c": text})
    patches = {"0001-a.patch": repository.patch(first), "0002-b.patch": repository.patch(second)}
    verdicts = [each.verdict for each in outcomes(repository, make_set(tmp_path / "set", patches))]
    assert verdicts == [Class.CLEAN, Class.CLEAN]
