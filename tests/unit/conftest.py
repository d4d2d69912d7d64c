"""What the unit tests share."""

import types
from dataclasses import dataclass
from typing import Any

import pytest


@dataclass(frozen=True)
class Form:
    """The public names, by one of the two ways to the kernels: the fast calls, or cffi alone."""

    AESGCM: Any
    GMAC: Any
    md5: Any
    md5_many: Any


@pytest.fixture(params=["fast", "cffi"])
def form(request: pytest.FixtureRequest) -> Form:
    """Both forms of the package: every test that takes it runs twice."""
    from kernport import aead, calls, mac, over_cffi

    def over(cls: type, base: type) -> type:
        members = {name: value for name, value in vars(cls).items() if name != "__dict__"}
        return types.new_class(cls.__name__, (base,), exec_body=lambda body: body.update(members))

    if request.param == "fast":
        return Form(aead.AESGCM, mac.GMAC, calls.md5, calls.md5_many)
    return Form(
        over(aead.AESGCM, over_cffi.AESGCM), over(mac.GMAC, over_cffi.GMAC), over_cffi.md5, over_cffi.md5_many
    )
