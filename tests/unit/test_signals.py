"""What ends the work comes where it can be dealt with, and not twice."""

import signal
import threading
from types import FrameType

import pytest

from kernport.signals import Ended, ended_by_signals, signals_held

ENDING = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)


def handlers() -> list[object]:
    return [signal.getsignal(number) for number in ENDING]


@pytest.mark.parametrize("number", ENDING)
def test_being_told_to_end(signals_heeded: None, number: signal.Signals) -> None:
    before = handlers()
    with pytest.raises(Ended, match=number.name) as told, ended_by_signals():
        signal.raise_signal(number)
        pytest.fail("went on")
    assert told.value.number == number
    assert handlers() == before


@pytest.mark.parametrize("number", ENDING)
def test_held_back(signals_heeded: None, number: signal.Signals) -> None:
    before = handlers()
    steps: list[str] = []
    with pytest.raises(Ended) as told, ended_by_signals():
        with signals_held():
            with signals_held():
                signal.raise_signal(number)
                steps.append("inner")
            steps.append("outer")
        steps.append("too late")
    assert steps == ["inner", "outer"]
    assert told.value.number == number
    assert handlers() == before


def test_a_signal_among_errors() -> None:
    with pytest.raises(Ended), ended_by_signals(), signals_held():
        signal.raise_signal(signal.SIGTERM)
        raise ValueError


def test_what_is_ignored_stays_so() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with ended_by_signals(), signals_held():
            signal.raise_signal(signal.SIGHUP)
        assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_somebody_elses_handler_is_called_later() -> None:
    came: list[int] = []

    def handler(number: int, frame: FrameType | None) -> None:
        came.append(number)

    before = signal.signal(signal.SIGTERM, handler)
    try:
        with signals_held():
            signal.raise_signal(signal.SIGTERM)
            assert came == []
        assert came == [signal.SIGTERM]
    finally:
        signal.signal(signal.SIGTERM, before)


def test_in_another_thread_nothing_changes() -> None:
    seen: list[object] = []

    def look() -> None:
        with ended_by_signals(), signals_held():
            seen.append(handlers())

    before = handlers()
    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert seen == [before]
