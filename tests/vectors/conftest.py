"""What the vector tests share: the kernels that this host can run, each to be forced by name."""

import pytest

from kernport import host


def kernels(family: str) -> list[str]:
    return [
        kernel.name
        for kernel in host().kernels
        if kernel.family == family and kernel.state in ("chosen", "eligible")
    ]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    for family in ("aes-gcm", "md5", "md5-many"):
        argument = f"{family.replace('-', '_')}_kernel"
        if argument in metafunc.fixturenames:
            metafunc.parametrize(argument, kernels(family))
