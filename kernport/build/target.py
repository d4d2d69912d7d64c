"""The targets of a tree: architecture, system, libc, ABI, and what each is called elsewhere."""

import platform
from dataclasses import dataclass
from pathlib import Path

from kernport.build.document import Document, load, nearest, similar
from kernport.build.recipe import SCHEMAS, Tree, Variant
from kernport.build.toolkit import shared
from kernport.errors import UsageError


@dataclass(frozen=True)
class CpuRow:
    """A processor to test kernels on: the qemu-user program, its `-cpu` value, features to disable."""

    qemu: str
    cpu: str
    disable: tuple[str, ...]


@dataclass(frozen=True)
class Target:
    """One row of recipes/targets.yaml.

    `zig` or `gcc` names the compiler. A format that cannot be has its reason in `reasons` and no name
    in `packages`; `wheel_tag` is empty where there is no wheel, and `wheel_reason` says why, or why no
    index takes it; `wheel_include` is a header of the tree to include before each C file of a wheel. `cpus`
    are the rows by name; `models` are CPUs that llvm-mca knows.
    """

    name: str
    variant: Variant
    os: str
    libc: str
    abi: str
    zig: str
    gcc: str
    gcc_packages: tuple[str, ...]
    flags: tuple[str, ...]
    qemu: str
    cpus: dict[str, CpuRow]
    models: tuple[str, ...]
    wheel_tag: str
    wheel_platform: str
    wheel_include: str
    wheel_reason: str
    runners: dict[str, str]
    packages: dict[str, str]
    reasons: dict[str, str]

    def why_no(self, form: str) -> str:
        """Why this target has no artefact of that format; empty where it can have one."""
        if form == "wheel":
            return "" if self.wheel_tag else self.wheel_reason
        if form in self.packages:
            return ""
        return self.reasons[form]


def load_targets(tree: Tree) -> dict[str, Target]:
    """Read recipes/targets.yaml of a tree; the targets by name, in the file's order."""
    document = load(shared(tree.root, "recipes/targets.yaml"), SCHEMAS / "targets.schema.json")
    variants = tree.variants()
    targets: dict[str, Target] = {}
    for name, body in document.data.items():
        if body["arch"] not in variants:
            remedy = nearest(body["arch"], variants)
            raise document.error((name, "arch"), f"unknown architecture '{body['arch']}'; {remedy}")
        run = body.get("run", {"qemu": "", "cpus": {}})
        packages = body["packages"]
        targets[name] = Target(
            name=name,
            variant=variants[body["arch"]],
            os=body["os"],
            libc=body["libc"],
            abi=body.get("abi", ""),
            zig=body["toolchain"].get("zig", ""),
            gcc=body["toolchain"].get("gcc", ""),
            gcc_packages=tuple(body["toolchain"].get("packages", [])),
            flags=tuple(body["toolchain"].get("flags", [])),
            qemu=run["qemu"],
            cpus={
                row: CpuRow(run["qemu"], cpu, ())
                if isinstance(cpu, str)
                else CpuRow(cpu.get("qemu", run["qemu"]), cpu["cpu"], tuple(cpu.get("disable", [])))
                for row, cpu in run["cpus"].items()
            },
            models=tuple(run.get("models", [])),
            wheel_tag=body["wheel"].get("tag", ""),
            wheel_platform=body["wheel"].get("platform", ""),
            wheel_include=body["wheel"].get("include", ""),
            wheel_reason=body["wheel"].get("reason", ""),
            runners=body.get("runners", {}),
            packages={form: arch for form, arch in packages.items() if isinstance(arch, str)},
            reasons=_reasons(document, name, tree),
        )
    return targets


def _reasons(document: Document, name: str, tree: Tree) -> dict[str, str]:
    """Why a target has no package, by format. Raises UsageError where nothing says."""
    body = document.data[name]
    for form in body["packages"]:
        if form not in {each.name for each in tree.formats}:
            remedy = nearest(form, (each.name for each in tree.formats))
            raise document.error((name, "packages", form), f"unknown format '{form}'; {remedy}")
        arch = body["packages"][form]
        known = tree.format(form).architectures
        if isinstance(arch, str) and known.get(arch) != body["arch"]:
            right = [each for each, variant in known.items() if variant == body["arch"]]
            remedy = f"it has {right[0]}" if right else nearest(arch, known)
            raise document.error(
                (name, "packages", form), f"'{arch}' is not what {form} calls {body['arch']}; {remedy}"
            )
    reasons = {}
    for form in tree.formats:
        entry = body["packages"].get(form.name)
        if isinstance(entry, dict):
            reasons[form.name] = entry["reason"]
        elif form.libc != body["libc"]:
            if entry is not None:
                raise document.error((name, "packages", form.name), f"{form.otherwise}: {name} has none")
            reasons[form.name] = form.otherwise
        elif entry is None:
            raise document.error(
                (name, "packages"), f"'{form.name}' has neither a name of {name} nor a reason"
            )
    return reasons


def choose_targets(targets: dict[str, Target], names: list[str]) -> list[Target]:
    """The targets of those names; `all` means all, no name means this host."""
    if not names:
        return [targets[host_target(targets)]]
    chosen: dict[str, Target] = {}
    for name in names:
        if name == "all":
            chosen |= targets
        elif name in targets:
            chosen[name] = targets[name]
        else:
            guess = similar(name, targets)
            wrong = f"unknown target '{name}'; {guess}" if guess else f"unknown target '{name}'"
            raise UsageError("\n  ".join([f"{wrong}\nknown targets:", *targets]))
    return list(chosen.values())


def host_target(targets: dict[str, Target]) -> str:
    """The name of the target that this machine is."""
    arch = {"amd64": "x86_64", "arm64": "aarch64", "ppc64le": "powerpc64le", "ppc64": "powerpc64"}.get(
        platform.machine(), platform.machine()
    )
    system = platform.system().lower()
    libc = "freebsd" if system == "freebsd" else "glibc" if platform.libc_ver()[0] == "glibc" else "musl"
    for target in targets.values():
        if (target.variant.name, target.os, target.libc) == (arch, system, libc):
            return target.name
    raise UsageError(
        f"this machine ({platform.machine()}, {system}, {libc}) is no target; name one by --target"
    )


def tree_of(path: Path) -> Path:
    """The tree at `path`, or the nearest folder above it that has recipes/. Raises UsageError."""
    for folder in (path.resolve(), *path.resolve().parents):
        if (folder / "recipes" / "package.yaml").is_file():
            return folder
    raise UsageError(f"{path}: no recipes/package.yaml here or above; name the tree by --tree")
