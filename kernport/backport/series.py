"""A patch set: its patches in order, and what it knows of each branch it is for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from kernport.backport import mail
from kernport.backport.confine import UNCONFINED, Confinement, confinement
from kernport.backport.mail import Patch
from kernport.build.document import Document, load, nearest
from kernport.build.recipe import SCHEMAS
from kernport.errors import UsageError

SCHEMA = SCHEMAS / "patch-set.schema.json"


@dataclass(frozen=True)
class Condition:
    """That a file of the branch exists and, where `has` is given, that it contains that expression."""

    path: str
    has: str | None


@dataclass(frozen=True)
class Requirements:
    """What a patch needs of the branch's toolchain. Nothing where the patch does not care."""

    abi: tuple[str, ...] = ()
    call_elf: bool = False
    c: str | None = None


@dataclass(frozen=True)
class Assembler:
    """What the branch's assembler knows: like the command `like`, except what stands in `lacks`."""

    name: str
    like: tuple[str, ...] = ()
    encoder: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Toolchain:
    """The facts about a branch's compiler that decide whether a patch can work there. None: not known."""

    abi: str | None = None
    call_elf: bool | None = None
    c: str | None = None
    assembler: Assembler | None = None


@dataclass(frozen=True)
class Generated:
    """Files that a command makes from `sources`: made anew where a patch touches either, never patched."""

    files: tuple[str, ...]
    sources: tuple[str, ...]
    command: tuple[str, ...]

    def makes(self, path: str) -> bool:
        """Whether the command makes that file."""
        return any(fnmatchcase(path, pattern) for pattern in self.files)

    def concerns(self, path: str) -> bool:
        """Whether the command has to run when that file changes."""
        return self.makes(path) or any(fnmatchcase(path, pattern) for pattern in self.sources)


@dataclass(frozen=True)
class DebianSource:
    """A source package of Debian in a suite; the tree is its folder `inside`, if that is named."""

    package: str
    suite: str
    version: str
    inside: str = ""


@dataclass(frozen=True)
class Branch:
    """What a set knows of one branch."""

    name: str
    base: str = ""
    source: DebianSource | None = None
    paths: Mapping[str, str] = field(default_factory=dict)
    convention: str = "cherry-pick"
    prerequisites: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    toolchain: Toolchain = Toolchain()
    generated: tuple[Generated, ...] = ()

    def here(self, path: str) -> str:
        """The branch's name for an upstream path: the longest beginning that is mapped wins."""
        for start in sorted(self.paths, key=len, reverse=True):
            if path.startswith(start):
                return self.paths[start] + path[len(start) :]
        return path


@dataclass(frozen=True)
class SetPatch:
    """A patch in a set, its forms for single branches, and when it concerns a branch at all."""

    patch: Patch
    upstream: tuple[str, ...] = ()
    variants: Mapping[str, Patch] = field(default_factory=dict)
    applies_when: tuple[Condition, ...] = ()
    present_when: tuple[Condition, ...] = ()
    requires: Requirements = Requirements()
    encode: bool = False

    @property
    def name(self) -> str:
        """The file name, which is what reports call the patch."""
        return self.patch.name

    @property
    def commits(self) -> tuple[str, ...]:
        """Every commit this patch is known as: upstream's, and the one it was made from."""
        own = (self.patch.commit,) if self.patch.commit else ()
        return tuple(dict.fromkeys((*own, *self.upstream, *self.patch.trailers.picked_from)))

    def on(self, branch: str) -> Patch:
        """The form of the patch for a branch."""
        return self.variants.get(branch, self.patch)


@dataclass(frozen=True)
class ProofTest:
    """A command that must succeed, and print what `expect` says. `before`: what the unpatched tree does."""

    name: str
    run: tuple[str, ...]
    expect: str | None
    before: str | None


@dataclass(frozen=True)
class Proof:
    """How a set is proved on one architecture: the commands that build, and the tests that are run."""

    architecture: str
    name: str
    branches: tuple[str, ...]
    needs: Mapping[str, str]
    environment: Mapping[str, str]
    build: tuple[tuple[str, ...], ...]
    tests: tuple[ProofTest, ...]

    @property
    def label(self) -> str:
        """The architecture, and what is proved if that has a name."""
        return f"{self.architecture} {self.name}".rstrip()


@dataclass(frozen=True)
class PatchSet:
    """A folder in patches/: set.yaml and its patches. Of a trusted one the commands run unconfined."""

    name: str
    summary: str
    folder: Path
    patches: tuple[SetPatch, ...]
    branches: Mapping[str, Branch]
    proofs: tuple[Proof, ...]
    description: str = ""
    trusted: bool = False

    @property
    def confinement(self) -> Confinement:
        """How its commands are confined. Raises EnvironmentLacks where they would have to be and cannot."""
        return UNCONFINED if self.trusted else confinement()

    def branch(self, name: str) -> Branch:
        """What the set knows of a branch; nothing but the name where it does not list it."""
        return self.branches.get(name, Branch(name))

    def known_branch(self, name: str) -> Branch:
        """What the set says of a branch. Raises UsageError where it does not list it."""
        if name not in self.branches:
            raise UsageError(
                f"{self.folder}: {name!r} is no branch of this set; {nearest(name, self.branches)}"
            )
        return self.branches[name]


def load_set(folder: Path) -> PatchSet:
    """Read `folder`/set.yaml and every patch it names.

    Raises UsageError naming file, line and remedy, also for a patch that must not be applied anywhere.
    """
    path = folder / "set.yaml" if folder.is_dir() else folder
    if not path.is_file():
        raise UsageError(
            f"{folder}: no patch set there: a set is a folder with set.yaml and NNNN-title.patch files"
        )
    document = load(path, SCHEMA)
    data = document.data
    _refuse_wrong_expressions(document)
    branches = {name: _branch(name, body) for name, body in data.get("branches", {}).items()}
    patches = tuple(_patch(document, number, body, branches) for number, body in enumerate(data["patches"]))
    _refuse_strays(document, patches)
    for name, branch in branches.items():
        for file in branch.prerequisites:
            known = [patch.name for patch in patches]
            if file not in known:
                where = ("branches", name, "prerequisites", file)
                raise document.error(where, f"no entry has the patch {file}; {nearest(file, known)}")
    for number, proof in enumerate(data.get("verify", [])):
        for name in proof["branches"]:
            if name not in branches:
                place = ("verify", number, "branches")
                raise document.error(place, f"'{name}' is no branch of this set; {nearest(name, branches)}")
    return PatchSet(
        name=data["name"],
        summary=data["summary"],
        folder=path.parent,
        patches=patches,
        branches=branches,
        proofs=tuple(_proof(body) for body in data.get("verify", [])),
        description=data.get("description", ""),
    )


def _patch(document: Document, number: int, body: dict[str, Any], branches: Mapping[str, Branch]) -> SetPatch:
    place = ("patches", number)
    variants = body.get("variants", {})
    for name in variants:
        if name not in branches:
            where = (*place, "variants", name)
            raise document.error(where, f"'{name}' is no branch of this set; {nearest(name, branches)}")
    requires = body.get("requires", {})
    return SetPatch(
        patch=_read(document, place, body["file"]),
        upstream=tuple(body.get("upstream", ())),
        variants={name: _read(document, place, file) for name, file in variants.items()},
        applies_when=_conditions(body.get("applies_when", ())),
        present_when=_conditions(body.get("present_when", ())),
        requires=Requirements(
            tuple(requires.get("abi", ())), requires.get("call_elf", False), requires.get("c")
        ),
        encode=body.get("encode", False),
    )


def _read(document: Document, place: tuple[str | int, ...], file: str) -> Patch:
    path = document.path.parent / file
    if not path.is_file():
        known = (other.name for other in path.parent.glob("*.patch"))
        raise document.error(place, f"there is no {file}; {nearest(file, known)}")
    return mail.read(path)


def _refuse_strays(document: Document, patches: tuple[SetPatch, ...]) -> None:
    named = {each.name for patch in patches for each in (patch.patch, *patch.variants.values())}
    for path in sorted(document.path.parent.glob("*.patch")):
        if path.name not in named:
            raise document.error(
                ("patches",), f"{path.name} lies in the folder but no entry names it: add or remove it"
            )
    names = [patch.name for patch in patches]
    for number, name in enumerate(names):
        if names.index(name) != number:
            raise document.error(("patches", number), f"{name} is named twice: remove one")


def _refuse_wrong_expressions(document: Document) -> None:
    found: dict[tuple[str | int, ...], str] = {}
    for number, body in enumerate(document.data["patches"]):
        for key in ("applies_when", "present_when"):
            for each, condition in enumerate(body.get(key, ())):
                found["patches", number, key, each, "has"] = condition.get("has", "")
    for number, proof in enumerate(document.data.get("verify", ())):
        for each, test in enumerate(proof["tests"]):
            found["verify", number, "tests", each, "expect"] = test.get("expect", "")
    for place, text in found.items():
        try:
            re.compile(text)
        except re.error as error:
            raise document.error(place, f"{text!r} is no regular expression: {error}") from error


def _conditions(bodies: Any) -> tuple[Condition, ...]:
    return tuple(Condition(body["path"], body.get("has")) for body in bodies)


def _branch(name: str, body: dict[str, Any]) -> Branch:
    source = body.get("source")
    toolchain = body.get("toolchain", {})
    assembler = toolchain.get("assembler")
    return Branch(
        name=name,
        base=body["base"],
        source=_source(source, body["base"]) if source else None,
        paths=body.get("paths", {}),
        convention=body.get("convention", "cherry-pick"),
        prerequisites={file: tuple(commits) for file, commits in body.get("prerequisites", {}).items()},
        toolchain=Toolchain(
            abi=toolchain.get("abi"),
            call_elf=toolchain.get("call_elf"),
            c=toolchain.get("c"),
            assembler=_assembler(assembler) if assembler else None,
        ),
        generated=tuple(
            Generated(tuple(rule["files"]), tuple(rule.get("from", ())), tuple(rule["command"]))
            for rule in body.get("generated", ())
        ),
    )


def _source(body: dict[str, str], base: str) -> DebianSource:
    return DebianSource(body["debian"], body["suite"], body.get("version", base), body.get("inside", ""))


def _assembler(body: dict[str, Any]) -> Assembler:
    like, encoder, lacks = (tuple(body.get(key, ())) for key in ("like", "encoder", "lacks"))
    return Assembler(body["name"], like, encoder, lacks)


def _proof(body: dict[str, Any]) -> Proof:
    return Proof(
        architecture=body["architecture"],
        name=body.get("name", ""),
        branches=tuple(body["branches"]),
        needs=body.get("needs", {}),
        environment=body.get("environment", {}),
        build=tuple(tuple(command) for command in body["build"]),
        tests=tuple(
            ProofTest(test["name"], tuple(test["run"]), test.get("expect"), test.get("before"))
            for test in body["tests"]
        ),
    )
