"""Signals that end the work: taken as exceptions, and held back where one would leave something behind."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

_Handler = Callable[[int, FrameType | None], object]
_Before = _Handler | int | None

_ENDING = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)


class Ended(KeyboardInterrupt):
    """The process was told to end, by the signal of this number."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Within it, being told to end raises Ended, so that what was made aside is removed."""

    def end(number: int, frame: FrameType | None) -> None:
        raise Ended(number)

    with _handled(dict.fromkeys(_ENDING, end)):
        yield


@contextmanager
def signals_held() -> Iterator[None]:
    """A signal that would end the work comes when this is over.

    The processes that are started meanwhile take signals as ever: nothing is blocked in them.
    """
    came: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        came.append(number)

    try:
        with _handled(dict.fromkeys(_ENDING, note)):
            yield
    finally:
        for number in came[:1]:
            signal.raise_signal(number)


@contextmanager
def _handled(handlers: dict[signal.Signals, _Handler]) -> Iterator[None]:
    """All these handlers, then all of those before; what is ignored, as below nohup, stays so."""
    if threading.current_thread() is not threading.main_thread():  # which handlers never interrupt
        yield
        return
    handlers = {
        number: handler
        for number, handler in handlers.items()
        if signal.getsignal(number) not in (signal.SIG_IGN, None)
    }
    before: dict[signal.Signals, _Before] = {}
    try:
        with _all_blocked():
            for number, handler in handlers.items():
                before[number] = signal.signal(number, handler)
        yield
    finally:
        with _all_blocked():
            for number, earlier in before.items():
                signal.signal(number, earlier)


@contextmanager
def _all_blocked() -> Iterator[None]:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
