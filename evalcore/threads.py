"""Work on blocks by several threads, with results in the order of the blocks.

Kernels run without the interpreter lock. Callers add results up in the order they come back here, so
the number of threads changes nothing.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def default_threads() -> int:
    """The cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every platform
        return os.cpu_count() or 1


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix="evalcore")


def in_order(
    function: Callable[[Item], Result], items: Iterable[Item], threads: int | None = None
) -> list[Result]:
    """`[function(item) for item in items]`, by `threads` threads (all cores by default)."""
    return list(one_by_one(function, items, threads))


def one_by_one(
    function: Callable[[Item], Result], items: Iterable[Item], threads: int | None = None
) -> Iterator[Result]:
    """The same results in the same order, each as soon as it is ready: large ones need not wait together."""
    count = threads or default_threads()
    return map(function, items) if count == 1 else _pool(count).map(function, items)
