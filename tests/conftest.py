"""What tests of several folders share."""

import signal
from collections.abc import Iterator

import pytest
from heeded_signals import OFTEN_IGNORED, heed_signals


@pytest.fixture
def signals_heeded() -> Iterator[None]:
    """For the length of a test, whoever runs it ignores no signal."""
    before = {number: signal.getsignal(number) for number in OFTEN_IGNORED}
    heed_signals()
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
