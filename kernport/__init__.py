"""Crypto kernels, the fastest of which the processor gets, and the tools that package such kernels."""

import importlib

TYPE_CHECKING = False  # typing's, without the milliseconds that its import takes
if TYPE_CHECKING:
    from typing import Any

    from kernport.interface import *  # noqa: F403


def __getattr__(name: str) -> "Any":
    # The tools that build the library must run before it exists, and a program pays only for what it uses.
    try:
        value = getattr(importlib.import_module("kernport.interface"), name)
    except ModuleNotFoundError as error:
        if error.name != "kernport.interface":
            raise
        message = f"module {__name__!r} has no attribute {name!r} before its library is built"
        raise AttributeError(message) from None
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__getattr__("__all__")})
