"""What becomes of each patch of a set on a branch: tried in a scratch, never on the branch itself."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from kernport.backport import conflict, diff, history, process, toolchain
from kernport.backport.conflict import Conflict
from kernport.backport.diff import Diff
from kernport.backport.history import Commit
from kernport.backport.mail import Patch
from kernport.backport.scratch import Place, Scratch, scratch_of
from kernport.backport.series import Branch, Condition, Generated, PatchSet, SetPatch
from kernport.backport.temporary import temporary_folder
from kernport.backport.toolchain import Unknown
from kernport.errors import AnswerNo, EnvironmentLacks


class Class(StrEnum):
    """What a patch is on a branch."""

    CLEAN = "clean"
    FUZZ = "clean with fuzz"
    CONTEXT = "adapted (context)"
    SEMANTIC = "adapted (semantic)"
    REGENERATE = "regenerate"
    PRESENT = "already present"
    NOT_APPLICABLE = "not applicable"
    PREREQUISITE = "needs prerequisite"
    CONFLICT = "conflict"
    TOOLCHAIN = "toolchain-impossible"
    ABI = "ABI-impossible"
    REVERTED = "reverted upstream"


APPLIES = frozenset({Class.CLEAN, Class.FUZZ, Class.CONTEXT, Class.SEMANTIC, Class.REGENERATE})
NOTHING_TO_DO = frozenset({Class.PRESENT, Class.NOT_APPLICABLE})


@dataclass(frozen=True)
class Outcome:
    """The class of a patch on a branch, why, and what goes with it. `tree`: what the branch then holds."""

    patch: SetPatch
    form: Patch
    branch: str
    verdict: Class
    reason: str
    tree: str
    notes: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    prerequisites: tuple[Commit | str, ...] = ()
    unknown: tuple[Unknown, ...] = ()

    @property
    def applies(self) -> bool:
        """Whether applying the set changes something by this patch."""
        return self.verdict in APPLIES

    @property
    def stops(self) -> bool:
        """Whether the set cannot be applied because of this patch."""
        return self.verdict not in APPLIES | NOTHING_TO_DO


@dataclass(frozen=True)
class Plan:
    """The outcomes of a set on one place, in order."""

    set_name: str
    place: Place
    branch: Branch
    outcomes: tuple[Outcome, ...]
    start: str

    @property
    def stops(self) -> bool:
        """Whether the set cannot be applied there."""
        return any(outcome.stops for outcome in self.outcomes)

    @property
    def tree(self) -> str:
        """What the place would hold after the whole set."""
        return self.outcomes[-1].tree


def check(patch_set: PatchSet, place: Place, source: str | None = None, reverted_too: bool = False) -> Plan:
    """Class of every patch of the set on `place`. `source` is the branch the patches come from, if known.

    Raises UsageError for a place that is not there; whatever a patch does is an outcome, not an error.
    """
    branch = patch_set.branch(place.branch)
    with scratch_of(place, _files_to_look_at(patch_set, branch)) as scratch:
        return make_plan(patch_set, place, scratch, source, reverted_too)


def make_plan(
    patch_set: PatchSet, place: Place, scratch: Scratch, source: str | None = None, reverted_too: bool = False
) -> Plan:
    """The same in a scratch of the caller's, which afterwards holds every tree that the plan names."""
    branch = patch_set.branch(place.branch)
    outcomes: list[Outcome] = []
    there = _already_there(patch_set, branch, scratch)
    tree = scratch.start
    for patch in patch_set.patches:
        outcome = _Trial(patch_set, patch, branch, scratch, tree, source, reverted_too, there).outcome()
        stopped = [each.patch.name for each in outcomes if each.stops]
        if outcome.stops and stopped:
            note = f"{stopped[0]} was left out when this was tried, since it does not apply"
            outcome = replace(outcome, notes=(*outcome.notes, note))
        outcomes.append(outcome)
        tree = outcome.tree
        scratch.reset(tree)
    return Plan(patch_set.name, place, branch, tuple(outcomes), scratch.start)


def _already_there(patch_set: PatchSet, branch: Branch, scratch: Scratch) -> frozenset[str]:
    """The names of the patches whose result the place holds: from the last on, each can be taken out again.

    Looked at one by one, a patch that a later one has changed would seem to conflict.
    """
    found = set()
    for patch in reversed(patch_set.patches):
        if _take_out(diff.map_paths(patch.on(branch.name).diff, branch.here), scratch):
            found.add(patch.name)
    scratch.reset(scratch.start)
    return frozenset(found)


def _take_out(made: Diff, scratch: Scratch, *options: str) -> bool:
    """Apply in reverse, if all of it is there: git does not mind when a mode is another."""
    modes = [(change.path, change.new_mode) for change in made.changes if change.mode_changed]
    if any(scratch.mode(path) != mode for path, mode in modes):
        return False
    text = made.render_changes()
    return scratch.git.succeeds("apply", "--cached", "--reverse", *options, "-", stdin=text)


def _files_to_look_at(patch_set: PatchSet, branch: Branch) -> list[str] | None:
    if branch.generated:
        return None
    found: dict[str, None] = {}
    for patch in patch_set.patches:
        for form in (patch.patch, patch.on(branch.name)):
            found |= dict.fromkeys(branch.here(path) for path in form.paths)
        found |= dict.fromkeys(branch.here(each.path) for each in (*patch.applies_when, *patch.present_when))
    return list(found)


@dataclass(frozen=True)
class _Trial:
    """One patch on one branch."""

    patch_set: PatchSet
    patch: SetPatch
    branch: Branch
    scratch: Scratch
    tree: str
    source: str | None
    reverted_too: bool
    there: frozenset[str]

    def outcome(self) -> Outcome:
        return self._decided_by_history() or self._decided_by_facts() or self._decided_by_text()

    def _form(self) -> Patch:
        return self.patch.on(self.branch.name)

    def _diff(self) -> Diff:
        return diff.map_paths(self._form().diff, self.branch.here)

    def _result(self, verdict: Class, reason: str, tree: str | None = None) -> Outcome:
        notes = self._notes()
        return Outcome(self.patch, self._form(), self.branch.name, verdict, reason, tree or self.tree, notes)

    def _notes(self) -> tuple[str, ...]:
        notes = []
        repository, commit = self.scratch.repository, self.scratch.commit
        if repository is not None and commit is not None and self.source is not None:
            brought = {name for patch in self.patch_set.patches for name in patch.commits}
            for later in history.find_followups(repository, self.source, commit, self.patch.commits):
                if any(history.same(later.name, name) for name in brought):
                    continue
                notes.append(
                    f"{later.short} ({later.subject}) on the source branch belongs to it and is not here"
                )
        modes = [change.path for change in self._form().diff.changes if change.mode_changed]
        if modes:
            notes.append(f"changes the mode of {', '.join(modes)}")
        return tuple(notes)

    def _decided_by_history(self) -> Outcome | None:
        repository, commit = self.scratch.repository, self.scratch.commit
        if repository is None or commit is None:
            return None
        commits = self.patch.commits
        picked = history.find_picked(repository, commit, commits, self._diff())
        if picked is not None and picked.reverted_by is None:
            return self._result(Class.PRESENT, f"commit {picked.commit.short}: {picked.how}")
        if self.reverted_too:
            return None
        if picked is not None and picked.reverted_by is not None:
            reason = (
                f"the branch took it as {picked.commit.short} and reverted it in {picked.reverted_by.short}"
            )
            return self._result(Class.REVERTED, reason)
        if self.source is not None:
            revert = history.find_revert(repository, self.source, commits)
            if revert is not None:
                return self._result(Class.REVERTED, f"{revert.short} ({revert.subject}) reverts it")
        return None

    def _decided_by_facts(self) -> Outcome | None:
        failed = self._first_unmet(self.patch.applies_when)
        if failed is not None:
            return self._result(Class.NOT_APPLICABLE, failed)
        if self.patch.present_when and self._first_unmet(self.patch.present_when) is None:
            what = ", ".join(self.branch.here(each.path) for each in self.patch.present_when)
            return self._result(Class.PRESENT, f"{what} has it already")
        changes = self._diff().changes
        touched = [change.old for change in changes if change.old is not None]
        if self._is_there():
            return self._result(Class.PRESENT, "the tree already holds what the patch makes")
        if touched and not any(self.scratch.read(path) is not None for path in touched):
            return self._result(
                Class.NOT_APPLICABLE, f"the tree has none of its files ({', '.join(touched[:3])})"
            )
        abi, compiler = toolchain.misses(self.patch.requires, self.branch.toolchain)
        if abi is not None:
            return self._result(Class.ABI, abi)
        if compiler is not None:
            return self._result(Class.TOOLCHAIN, compiler)
        return self._lacks_prerequisite()

    def _first_unmet(self, conditions: Sequence[Condition]) -> str | None:
        for condition in conditions:
            path = self.branch.here(condition.path)
            content = self.scratch.read(path)
            if content is None:
                return f"there is no {path}"
            if condition.has and not re.search(
                condition.has, content.decode("utf-8", "replace"), re.MULTILINE
            ):
                return f"{path} has no {condition.has!r}"
        return None

    def _is_there(self) -> bool:
        return self.patch.name in self.there or _take_out(self._diff(), self.scratch, "--check")

    def _lacks_prerequisite(self) -> Outcome | None:
        wanted = (
            *self.branch.prerequisites.get(self.patch.name, ()),
            *self.patch.patch.trailers.prerequisites,
        )
        repository, commit = self.scratch.repository, self.scratch.commit
        if not wanted or repository is None or commit is None:
            return None
        lacking = history.missing(repository, commit, wanted)
        if not lacking:
            return None
        found = tuple(
            history.log(repository, "-1", name)[0] if history.is_commit(repository, name) else name
            for name in lacking
        )
        result = self._result(
            Class.PREREQUISITE, f"declared: {', '.join(name[:12] for name in lacking)} first"
        )
        return replace(result, prerequisites=found)

    def _decided_by_text(self) -> Outcome:
        whole = self._diff()
        rules = [
            rule
            for rule in self.branch.generated
            if any(rule.concerns(change.path) for change in whole.changes)
        ]
        wanted = diff.without_paths(whole, lambda path: any(rule.makes(path) for rule in rules))
        if wanted.changes:
            outcome = self._apply(wanted)
        else:
            outcome = self._result(Class.REGENERATE, "it changes generated files only")
        if not outcome.applies:
            return outcome
        if rules:
            outcome = self._regenerate(outcome, rules)
        return self._assembles(outcome, wanted)

    def _apply(self, wanted: Diff) -> Outcome:
        git, text = self.scratch.git, wanted.render_changes()
        if git.succeeds("apply", "--cached", "-", stdin=text):
            return self._applied(wanted, Class.CLEAN)
        self.scratch.reset(self.tree)
        merged = git.attempt("apply", "--cached", "--3way", "-", stdin=text)
        if merged.returncode == 0:
            return self._applied(wanted, Class.CONTEXT)
        self.scratch.reset(self.tree)
        for context in ("2", "1"):
            if git.succeeds("apply", "--cached", f"-C{context}", "-", stdin=text):
                return self._applied(wanted, Class.FUZZ, f"{context} of 3 lines of context match")
            self.scratch.reset(self.tree)
        return self._conflict(wanted, merged.stderr.decode(errors="replace"))

    def _applied(self, wanted: Diff, verdict: Class, reason: str = "") -> Outcome:
        tree = self.scratch.tree()
        original = diff.map_paths(self.patch.patch.diff, self.branch.here)
        made = diff.parse(self.scratch.git.run("diff-tree", "-p", "-M", self.tree, tree), "the merged result")
        kept = {change.path for change in wanted.changes}
        before = diff.changed_lines(change for change in original.changes if change.path in kept or not kept)
        differs = sorted(
            path for path, lines in diff.changed_lines(made.changes).items() if lines != before.get(path)
        )
        if differs and (verdict is Class.CONTEXT or self._form() is not self.patch.patch):
            verdict, reason = Class.SEMANTIC, f"other lines change in {', '.join(differs)}"
        elif self._form() is not self.patch.patch:
            verdict, reason = Class.CONTEXT, f"{self._form().name} carries the branch's context"
        elif verdict is Class.CONTEXT:
            reason = "merged three ways; the same lines change"
        return self._result(verdict, reason, tree)

    def _conflict(self, wanted: Diff, said: str) -> Outcome:
        conflicts = tuple(
            found
            for change in wanted.changes
            for found in conflict.find(change, self.scratch.read(change.old or change.path))
        )
        prerequisites: tuple[Commit | str, ...] = ()
        repository, commit = self.scratch.repository, self.scratch.commit
        if repository is not None and commit is not None and self.source is not None:
            upstream = {self.branch.here(change.path): change for change in self._form().diff.changes}
            ranges = [
                (upstream[each.path].old or each.path, each.wanted_line, len(each.wanted))
                for each in conflicts
                if each.path in upstream
            ]
            own = next((name for name in self.patch.commits if history.is_commit(repository, name)), None)
            prerequisites = tuple(history.likely_prerequisites(repository, self.source, commit, own, ranges))
        if prerequisites:
            names = ", ".join(each.short if isinstance(each, Commit) else each for each in prerequisites)
            result = self._result(Class.PREREQUISITE, f"likely: {names}")
        elif conflicts:
            reasons = "; ".join(dict.fromkeys(each.reason for each in conflicts))
            result = self._result(Class.CONFLICT, reasons)
        else:
            lines = [line for line in said.splitlines() if line.startswith("error:")]
            result = self._result(Class.CONFLICT, (lines or ["git refuses it"])[-1].removeprefix("error: "))
        notes = result.notes
        if repository is not None and self.source is None:
            notes = (*notes, "with --source, the commits are looked for that the branch lacks")
        return replace(result, notes=notes, conflicts=conflicts, prerequisites=prerequisites)

    def _regenerate(self, outcome: Outcome, rules: Sequence[Generated]) -> Outcome:
        confinement = self.patch_set.confinement
        with temporary_folder("regenerate") as folder:
            tree, temporary = folder / "tree", folder / "temporary"
            temporary.mkdir()
            environment = os.environ | {"HOME": str(temporary), "TMPDIR": str(temporary)}
            self.scratch.write_out(tree)
            for rule in rules:
                command = confinement.around(rule.command, tree, temporary)
                done = process.run(command, tree, environment)
                if done.returncode != 0:
                    said = (done.stderr or done.stdout).decode(errors="replace").strip().splitlines()
                    why = said[-1] if said else f"exit code {done.returncode}"
                    raise AnswerNo(
                        f"{self.branch.name}: `{' '.join(rule.command)}` failed in the patched tree: {why}"
                    )
            made = [path for path in _list_files(tree) if any(rule.makes(path) for rule in rules)]
            git = replace(self.scratch.git, directory=tree, work_tree=tree)
            git.run("update-index", "--add", "-z", "--stdin", stdin="\0".join(made).encode())
        new = self.scratch.tree()
        names = self.scratch.git.text("diff-tree", "-r", "-z", "--name-only", self.tree, new).split("\0")
        changed = [name for name in names if any(rule.makes(name) for rule in rules)]
        commands = ", ".join(" ".join(rule.command) for rule in rules)
        reason = f"`{commands}` makes anew {', '.join(changed) or 'the same files'}"
        notes = outcome.notes
        if outcome.verdict not in (Class.CLEAN, Class.REGENERATE):
            notes = (*notes, f"what is not generated is {outcome.verdict}: {outcome.reason}")
        return replace(outcome, verdict=Class.REGENERATE, reason=reason, notes=notes, tree=new)

    def _assembles(self, outcome: Outcome, wanted: Diff) -> Outcome:
        assembler = self.branch.toolchain.assembler
        if assembler is None:
            return outcome
        try:
            unknown = tuple(
                toolchain.unknown_statements(assembler, wanted.changes, self.patch_set.confinement)
            )
        except EnvironmentLacks as error:
            return replace(outcome, notes=(*outcome.notes, f"instructions not checked: {error}"))
        if not unknown:
            return outcome
        words = ", ".join(dict.fromkeys(each.word for each in unknown))
        encodable = self.patch.encode and all(each.encoding for each in unknown)
        if encodable:
            reason = f"{assembler.name} does not know {words}: written as .long"
            tree = self._encoded(outcome, unknown)
            return replace(outcome, verdict=Class.SEMANTIC, reason=reason, unknown=unknown, tree=tree)
        reason = f"{assembler.name} does not know {words}"
        return replace(outcome, verdict=Class.TOOLCHAIN, reason=reason, unknown=unknown, tree=self.tree)

    def _encoded(self, outcome: Outcome, unknown: Sequence[Unknown]) -> str:
        self.scratch.reset(outcome.tree)
        encodings = {(each.path, each.statement): each.encoding for each in unknown}
        for path in dict.fromkeys(each.path for each in unknown):
            content = self.scratch.read(path)
            assert content is not None
            text = content.decode("utf-8", "surrogateescape")
            for (where, statement), encoding in encodings.items():
                if where == path:
                    pattern = rf"(?m)(?<![\w.]){re.escape(statement)}(?=\s*($|;|#|//|/\*))"
                    text = re.sub(pattern, f"{encoding} /* {statement} */", text)
            self.scratch.write(path, text.encode("utf-8", "surrogateescape"))
        return self.scratch.tree()


def _list_files(folder: Path) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
