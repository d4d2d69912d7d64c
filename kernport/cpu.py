"""What the dispatcher saw on this host and what it chose."""

from dataclasses import asdict, dataclass
from typing import Any

from kernport._cffi import ffi, lib
from kernport.errors import UsageError

STATES = ("chosen", "eligible", "missing", "disabled", "failed")


@dataclass(frozen=True)
class Feature:
    """A fact about processor and system."""

    name: str
    detected: bool
    disabled: bool


@dataclass(frozen=True)
class Kernel:
    """A kernel in this build; `state` is one of STATES and `reason` says why, in a few words."""

    family: str
    name: str
    state: str
    requires: tuple[str, ...]
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


def host() -> Host:
    """Describe this host and the dispatcher's choice on it."""
    features = tuple(
        Feature(
            name=_text(lib.kp_feature_name(number)),
            detected=bool(lib.kp_feature_is_detected(number)),
            disabled=bool(lib.kp_feature_is_disabled(number)),
        )
        for number in range(lib.kp_feature_count())
    )
    return Host(
        version=_text(lib.kp_version()),
        architecture=_text(lib.kp_architecture()),
        words={
            _text(lib.kp_word_name(number)): int(lib.kp_word_value(number))
            for number in range(lib.kp_word_count())
        },
        features=features,
        kernels=tuple(
            _kernel(family, number, features)
            for family in range(lib.kp_family_count())
            for number in range(lib.kp_kernel_count(family))
        ),
        remarks=tuple(_text(lib.kp_remark(number)) for number in range(lib.kp_remark_count())),
    )


def _kernel(family: int, number: int, features: tuple[Feature, ...]) -> Kernel:
    state = STATES[lib.kp_kernel_get_state(family, number)]
    required = [feature for at, feature in enumerate(features) if lib.kp_kernel_requires(family, number, at)]
    if state == "missing":
        lacking = [feature.name for feature in required if not feature.detected]
        reason = f"this host lacks {', '.join(lacking)}"
    elif state == "disabled":
        taken = [feature.name for feature in required if feature.disabled]
        by_name = bool(lib.kp_kernel_is_disabled(family, number))
        reason = "the administrator disabled " + (
            "it by name" if by_name else f"what it needs: {', '.join(taken)}"
        )
    elif state == "failed":
        reason = "it gave a wrong answer in its self-test"
    elif state == "eligible":
        reason = "it can run here, but a better kernel was chosen"
    else:
        reason = "it is the best that can run here"
    return Kernel(
        family=_text(lib.kp_family_name(family)),
        name=_text(lib.kp_kernel_name(family, number)),
        state=state,
        requires=tuple(feature.name for feature in required),
        reason=reason,
    )


def _text(pointer: Any) -> str:
    return str(ffi.string(pointer).decode())
