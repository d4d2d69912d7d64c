"""Threads that build several things at once."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager


@contextmanager
def workers(number: int) -> Iterator[ThreadPoolExecutor]:
    """A pool of threads. If an error or an interruption ends it, what has not begun does not begin."""
    with ThreadPoolExecutor(max(1, number)) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
