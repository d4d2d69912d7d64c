"""The recipes of a tree: its package, its families of kernels and the architectures they run on."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from kernport.build.document import Document, load, nearest
from kernport.build.entry import Entry, KnownAnswer, read_entries, read_known_answers
from kernport.build.formats import Format, load_formats
from kernport.build.toolkit import shared
from kernport.errors import UsageError

FEATURE_TESTS = ("bit", "all_of", "any_of", "none_of", "at_least", "equals", "no_model")
# One wheel for all Pythons, by the stable ABI as wheels/stable_abi/Python.h of the toolkit declares it, and
# one for the free-threaded ones that it also holds for and that cffi runs on.
STABLE_ABI = {"python": "cp311", "abi": "abi3", "free_threaded": ["cp314t", "cp315t"]}
SCHEMAS = Path(__file__).resolve().parent / "schema"


@dataclass(frozen=True)
class Feature:
    """A fact about processor and system, read off one word. `test` is how, one of FEATURE_TESTS.

    For no_model, `operand` is a mask, and `values` are what the masked word must not be.
    """

    name: str
    word: str
    test: str
    operand: int
    needs: tuple[str, ...]
    values: tuple[int, ...] = ()


@dataclass(frozen=True)
class Variant:
    """One instruction set with its byte order and word size, by the recipes' name for it.

    `baseline` lists the features that every processor of it has, so that any code may use them.
    """

    name: str
    cpu_family: str
    endian: str
    bits: int
    elf_machine: str
    condition: str
    baseline: tuple[str, ...] = ()


@dataclass(frozen=True)
class Architecture:
    """An architecture in all its variants, the words its detection reads, and its features.

    `home` is the folder that `detect` lies in, a path from there; `condition` of a variant is how C's
    preprocessor knows it. `guarded_functions` tells how functions of compilers' own libraries begin that
    ask for a feature before they use it;
    `instructions` maps features, or several joined by " or " of which one will do, to patterns of the
    instructions that need them; `disassembler` lists the LLVM attributes without which some are unknown, and
    `optional_in_models` those that LLVM's models of cores lack since not every such core has them.
    """

    home: Path
    variants: tuple[Variant, ...]
    words: tuple[str, ...]
    detect: str
    features: tuple[Feature, ...]
    guarded_functions: tuple[str, ...] = ()
    disassembler: tuple[str, ...] = ()
    optional_in_models: tuple[str, ...] = ()
    instructions: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def closure(self, names: Iterable[str]) -> set[str]:
        """Features with all that they need, and what those need."""
        needs = {feature.name: feature.needs for feature in self.features}
        found: set[str] = set()
        left = list(names)
        while left:
            name = left.pop()
            if name not in found:
                found.add(name)
                left += needs.get(name, ())
        return found


@dataclass(frozen=True)
class Kernel:
    """One implementation of a family. `borrows` maps an entry to the kernel that provides it instead.

    Without a feature that it `requires` it cannot run, without one that it `prefers` it is not chosen.
    `line` is where its row stands in the family's recipe.
    """

    name: str
    line: int
    arch: tuple[str, ...]
    requires: tuple[str, ...]
    sources: tuple[str, ...]
    provides: tuple[str, ...]
    borrows: dict[str, str]
    constants: dict[str, int]
    prefers: tuple[str, ...] = ()

    def runs_on(self, arch: str) -> bool:
        """Whether the kernel is built for an architecture; a kernel for any has an empty `arch`."""
        return not self.arch or arch in self.arch


@dataclass(frozen=True)
class Family:
    """One operation with one C interface, and its kernels, best first. The last runs anywhere.

    Either `interface` is a header that declares what a kernel provides, and `sources` hold the public
    functions, the self-test and what else belongs to the family; or `described` says of each entry what
    these can be made from, with `known_answers` for the self-test.
    """

    name: str
    interface: str
    sources: tuple[str, ...]
    entries: tuple[str, ...]
    described: tuple[Entry, ...]
    known_answers: tuple[KnownAnswer, ...]
    optional_entries: tuple[str, ...]
    constants: tuple[str, ...]
    kernels: tuple[Kernel, ...]


@dataclass(frozen=True)
class Tree:
    """A folder with recipes and the sources they name.

    `free_threaded` are the ABIs of such Pythons that a wheel is for; where there is none,
    `no_free_threading` says why. `guarded` lists the sources whose code is called only where the features it
    uses are there. `downloads` is the address of the folder of its source distributions, `released` the day
    of the version as YYYY-MM-DD; `patches` are the sets that source packages apply to them. `origin` is where
    a person edits the tree, of which `root` may be a complete copy.
    """

    root: Path
    origin: Path
    name: str
    version: str
    summary: str
    licence: str
    prefix: str
    interface: str
    guarded: tuple[str, ...]
    wheel_python: str
    wheel_abi: str
    free_threaded: tuple[str, ...]
    no_free_threading: str
    maintainer: str
    description: str
    homepage: str
    downloads: str
    library_version: str
    released: str
    patches: tuple[str, ...]
    formats: tuple[Format, ...]
    architectures: tuple[Architecture, ...]
    families: tuple[Family, ...]
    common_sources: tuple[str, ...]
    files: tuple[Path, ...]

    def architecture(self, arch: str) -> Architecture:
        """The architecture of that name; one without words and features where no recipe knows it."""
        for architecture in self.architectures:
            if any(arch == variant.name for variant in architecture.variants):
                return architecture
        return Architecture(self.root, (), (), "dispatch/detect_nothing.c", ())

    def format(self, name: str) -> Format:
        """The format of that name. Raises UsageError that lists the known ones."""
        for form in self.formats:
            if form.name == name:
                return form
        known = [form.name for form in self.formats]
        raise UsageError(f"unknown format '{name}'; {nearest(name, known)}")

    def variants(self) -> dict[str, Variant]:
        """Every variant of every architecture, by name."""
        return {each.name: each for architecture in self.architectures for each in architecture.variants}

    def sources(self, arch: str) -> list[str]:
        """Every source of the library for an architecture, each once, relative to the tree."""
        names = [self.architecture(arch).detect, *self.common_sources]
        for family in self.families:
            names += family.sources
            for kernel in family.kernels:
                if kernel.runs_on(arch):
                    names += kernel.sources
        return list(dict.fromkeys(names))


def load_tree(root: Path) -> Tree:
    """Read and check every recipe of the tree at `root`. Raises UsageError with file, line and remedy."""
    recipes = root / "recipes"
    package = load(recipes / "package.yaml", SCHEMAS / "package.schema.json")
    paths = [package.path]
    formats = load(shared(root, "recipes/formats.yaml"), SCHEMAS / "formats.schema.json")
    paths.append(formats.path)
    architectures = []
    for path in sorted(shared(root, "recipes/architectures").glob("*.yaml")):
        paths.append(path)
        architectures.append(_architecture(load(path, SCHEMAS / "architecture.schema.json")))
    _require_files(root, package, ("interface",), [package.data["interface"]])
    families = []
    for number, name in enumerate(package.data["families"]):
        path = recipes / "families" / f"{name}.yaml"
        if not path.is_file():
            known = (other.stem for other in path.parent.glob("*.yaml"))
            raise package.error(("families", number), f"there is no {path}; {nearest(name, known)}")
        paths.append(path)
        families.append(_family(root, package, load(path, SCHEMAS / "family.schema.json"), architectures))
    data = package.data
    wheel = data.get("wheel", STABLE_ABI)
    free_threaded = wheel["free_threaded"]
    for key in ("sources", "guarded"):
        _require_files(root, package, (key,), data.get(key, []))
    return Tree(
        root=root,
        origin=root,
        name=data["name"],
        version=data["version"],
        summary=data["summary"],
        licence=data["licence"],
        prefix=data["prefix"],
        interface=data["interface"],
        guarded=tuple(data.get("guarded", ())),
        wheel_python=wheel["python"],
        wheel_abi=wheel["abi"],
        free_threaded=tuple(free_threaded) if isinstance(free_threaded, list) else (),
        no_free_threading="" if isinstance(free_threaded, list) else free_threaded["reason"],
        maintainer=data["maintainer"],
        description=data.get("description", ""),
        homepage=data.get("homepage", ""),
        downloads=data.get("downloads", ""),
        library_version=data.get("library_version", "0.0.0"),
        released=data.get("released", ""),
        patches=_patch_sets(root, package),
        formats=load_formats(root, package, formats),
        architectures=tuple(architectures),
        families=tuple(families),
        common_sources=tuple(data.get("sources", ())),
        files=tuple(paths),
    )


def _patch_sets(root: Path, package: Document) -> tuple[str, ...]:
    known = [path.parent.name for path in (root / "patches").glob("*/set.yaml")]
    names = package.data.get("patches", [])
    for number, name in enumerate(names):
        if name not in known:
            raise package.error(("patches", number), f"no patch set '{name}'; {nearest(name, known)}")
    return tuple(names)


def _architecture(document: Document) -> Architecture:
    data = document.data
    home = document.path.parents[2]
    _require_files(home, document, ("detect",), [data["detect"]])
    features: list[Feature] = []
    for name, body in data["features"].items():
        place = ("features", name)
        if body["word"] not in data["words"]:
            remedy = nearest(body["word"], data["words"])
            raise document.error((*place, "word"), f"unknown word '{body['word']}'; {remedy}")
        for needed in body.get("needs", []):
            if needed not in (feature.name for feature in features):
                remedy = nearest(needed, (feature.name for feature in features))
                raise document.error(
                    (*place, "needs"), f"'{needed}' is no feature listed before this one; {remedy}"
                )
        test = next(key for key in FEATURE_TESTS if key in body)
        operand, values = (body["mask"], tuple(body[test])) if test == "no_model" else (body[test], ())
        features.append(Feature(name, body["word"], test, operand, tuple(body.get("needs", [])), values))
    names = [feature.name for feature in features]
    variants = []
    for name, body in data["variants"].items():
        baseline = tuple(body.get("baseline", ()))
        for feature in baseline:
            if feature not in names:
                raise document.error(
                    ("variants", name, "baseline"), f"unknown feature '{feature}'; {nearest(feature, names)}"
                )
        variants.append(Variant(name, **{**body, "baseline": baseline}))
    instructions = {}
    for name, patterns in data.get("instructions", {}).items():
        for number, pattern in enumerate(patterns):
            try:
                re.compile(pattern)
            except re.error as error:
                raise document.error(("instructions", name, number), f"'{pattern}': {error}") from error
        instructions[name] = tuple(patterns)
    return Architecture(
        home=home,
        variants=tuple(variants),
        words=tuple(data["words"]),
        detect=data["detect"],
        features=tuple(features),
        guarded_functions=tuple(data.get("guarded_functions", ())),
        disassembler=tuple(data.get("disassembler", ())),
        optional_in_models=tuple(data.get("optional_in_models", ())),
        instructions=instructions,
    )


def _family(root: Path, package: Document, document: Document, architectures: list[Architecture]) -> Family:
    data = document.data
    described: tuple[Entry, ...] = ()
    known_answers: tuple[KnownAnswer, ...] = ()
    if isinstance(data["entries"], dict):
        prefix = f"{package.data['prefix']}_{data['family'].replace('-', '_')}"
        described = read_entries(document, root / package.data["interface"], prefix)
        known_answers = read_known_answers(document, described)
    else:
        _require_files(root, document, ("interface",), [data["interface"]])
    _require_files(root, document, ("sources",), data.get("sources", []))
    kernels: list[Kernel] = []
    for number, body in enumerate(data["kernels"]):
        kernels.append(_kernel(root, document, number, body, architectures))
    names = [kernel.name for kernel in kernels]
    for number, kernel in enumerate(kernels):
        place = ("kernels", number)
        if names.index(kernel.name) != number:
            raise document.error((*place, "name"), f"there are two kernels named '{kernel.name}'; rename one")
        for entry, lender in kernel.borrows.items():
            if lender not in names:
                raise document.error(
                    (*place, "borrows", entry), f"no kernel '{lender}'; {nearest(lender, names)}"
                )
    if kernels[-1].arch or kernels[-1].requires or kernels[-1].prefers:
        raise document.error(
            ("kernels", len(kernels) - 1),
            f"the last kernel, '{kernels[-1].name}', must run anywhere: 'arch: any', "
            "no 'requires' and no 'prefers'",
        )
    return Family(
        name=data["family"],
        interface=data.get("interface", ""),
        sources=tuple(data.get("sources", [])),
        entries=tuple(data["entries"]),
        described=described,
        known_answers=known_answers,
        optional_entries=tuple(data.get("optional_entries", [])),
        constants=tuple(data.get("constants", [])),
        kernels=tuple(kernels),
    )


def _kernel(
    root: Path, document: Document, number: int, body: dict[str, object], architectures: list[Architecture]
) -> Kernel:
    place = ("kernels", number)
    family = document.data
    arch = _strings([] if body["arch"] == "any" else body["arch"])
    requires = _strings(body.get("requires", []))
    prefers = _strings(body.get("prefers", []))
    sources = _strings(body["sources"])
    provides = _strings(body.get("provides", []))
    borrows = body.get("borrows", {})
    constants = body.get("constants", {})
    assert isinstance(borrows, dict) and isinstance(constants, dict)
    for name in arch:
        homes = {each.name: home for home in architectures for each in home.variants}
        home = homes.get(name)
        if home is None:
            raise document.error((*place, "arch"), f"unknown architecture '{name}'; {nearest(name, homes)}")
        features = [each.name for each in home.features]
        for key, named in (("requires", requires), ("prefers", prefers)):
            for feature in named:
                if feature not in features:
                    remedy = nearest(feature, features)
                    raise document.error((*place, key), f"unknown feature '{feature}' of {name}; {remedy}")
    _require_files(root, document, (*place, "sources"), sources)
    for kind, given, known in (
        ("optional entry", provides, family.get("optional_entries", [])),
        ("entry", borrows, [*family["entries"], *family.get("optional_entries", [])]),
        ("constant", constants, family.get("constants", [])),
    ):
        for name in given:
            if name not in known:
                raise document.error(place, f"unknown {kind} '{name}'; {nearest(name, known)}")
    for name in family.get("constants", []):
        if name not in constants:
            raise document.error(place, f"kernel '{body['name']}' does not state the constant '{name}'")
    return Kernel(
        name=str(body["name"]),
        line=document.line(place),
        arch=arch,
        requires=requires,
        sources=sources,
        provides=provides,
        borrows=borrows,
        constants=constants,
        prefers=prefers,
    )


def _strings(values: object) -> tuple[str, ...]:
    assert isinstance(values, list)
    return tuple(str(value) for value in values)


def _require_files(
    root: Path, document: Document, place: tuple[str | int, ...], names: Iterable[str]
) -> None:
    for name in names:
        path = (root / name).resolve()
        if not path.is_relative_to(root.resolve()):
            raise document.error(place, f"'{name}' leaves the tree; sources lie inside it")
        if not path.is_file():
            here = path.parent.iterdir() if path.parent.is_dir() else ()
            remedy = nearest(path.name, (other.name for other in here))
            raise document.error(place, f"there is no file '{name}'; {remedy}")
