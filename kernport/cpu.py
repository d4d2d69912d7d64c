"""What the dispatcher saw on this host and what it chose."""

from typing import Any

from kernport._cffi import ffi, lib
from kernport.report import STATES, Feature, Host, Kernel, reason


def host() -> Host:
    """Describe this host and the dispatcher's choice on it."""
    features = tuple(
        Feature(
            name=_text(lib.kp_feature_name(number)),
            word=_text(lib.kp_word_name(lib.kp_feature_word(number))),
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
    preferred = [feature for at, feature in enumerate(features) if lib.kp_kernel_prefers(family, number, at)]
    return Kernel(
        family=_text(lib.kp_family_name(family)),
        name=_text(lib.kp_kernel_name(family, number)),
        state=state,
        requires=tuple(feature.name for feature in required),
        prefers=tuple(feature.name for feature in preferred),
        reason=reason(state, required, preferred, bool(lib.kp_kernel_is_disabled(family, number))),
    )


def _text(pointer: Any) -> str:
    return str(ffi.string(pointer).decode())
