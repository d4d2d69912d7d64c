"""What a dispatcher reports: words, features, kernels, and what became of each."""

from dataclasses import asdict, dataclass
from typing import Any

from kernport.errors import UsageError

STATES = ("chosen", "eligible", "missing", "disabled", "failed")


@dataclass(frozen=True)
class Feature:
    """A fact about processor and system, read off one `word` (and, where it builds on others, off theirs)."""

    name: str
    word: str
    detected: bool
    disabled: bool

    @property
    def usable(self) -> bool:
        """Whether it is there and nobody took it away."""
        return self.detected and not self.disabled


@dataclass(frozen=True)
class Kernel:
    """A kernel in this build; `state` is one of STATES and `reason` says why, in a few words.

    Without a feature that it `requires` it cannot run, without one that it `prefers` it is not chosen.
    """

    family: str
    name: str
    state: str
    requires: tuple[str, ...]
    prefers: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class Host:
    """All of it: the raw words read, the features, every kernel (best first), remarks on the overrides."""

    version: str
    architecture: str
    words: dict[str, int]
    features: tuple[Feature, ...]
    kernels: tuple[Kernel, ...]
    remarks: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The same as dictionaries and lists, ready for the json module."""
        return asdict(self)

    def why_not(self, name: str) -> str:
        """Say in one sentence what became of the kernel FAMILY/KERNEL. Raises UsageError if there is none."""
        for kernel in self.kernels:
            if name == f"{kernel.family}/{kernel.name}":
                return f"{name} is {kernel.state}: {kernel.reason}."
        known = ", ".join(f"{kernel.family}/{kernel.name}" for kernel in self.kernels)
        raise UsageError(f"there is no kernel '{name}' in this build for {self.architecture}; known: {known}")


def reason(
    state: str, required: list[Feature], preferred: list[Feature] | None = None, by_name: bool = False
) -> str:
    """Say in a few words why a kernel that requires and prefers those features is in that state."""
    if state == "missing":
        return f"this host lacks {', '.join(feature.name for feature in required if not feature.detected)}"
    if state == "disabled":
        taken = ", ".join(feature.name for feature in required if feature.disabled)
        return "the administrator disabled " + ("it by name" if by_name else f"what it needs: {taken}")
    if state == "failed":
        return "it gave a wrong answer in its self-test"
    if state == "eligible":
        unmet = [each.name for each in preferred or [] if not each.usable]
        if unmet:
            return f"it can run here, but is only chosen with {', '.join(unmet)}"
        return "it can run here, but a better kernel was chosen"
    return "it is the best that can run here"
