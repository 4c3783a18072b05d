"""The ceiling on the memory of a process that evaluates queries of others.

The engine can neither be told a limit nor be stopped, and it takes up to 1 GB a second (measured).
So a thread looks twenty times a second at what the process really holds, and the process ends
itself in good order when that is too much. Should it miss the moment, a limit of the kernel on what
is reserved ends the process at once, in no order at all.
"""

from __future__ import annotations

import ctypes
import resource
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress

from triplestore.machine import memory_use, used_memory

INTERVAL = 0.05
"""Seconds between two looks."""


class MemoryLimit:
    """Watches over this process while it evaluates queries of others.

    Args:
        reached: what to do when it holds more than it may; it should end the process.
    """

    def __init__(self, reached: Callable[[], None]) -> None:
        self._reached = reached
        self._guard = threading.Lock()
        self._limits: list[int] = []
        self._wanted = threading.Event()
        self._watching = False
        self._soft, self._hard = resource.getrlimit(resource.RLIMIT_DATA)

    @contextmanager
    def over(self, memory: int) -> Generator[None]:
        """Watch while a query is evaluated that may make the process hold so many bytes."""
        with self._guard:
            self._limits.append(memory)
            if not self._watching:
                threading.Thread(target=self._watch, daemon=True, name="ceiling").start()
                self._watching = True
            self._set_backstop()
            self._wanted.set()
        try:
            yield
        finally:
            with self._guard:
                self._limits.remove(memory)
                self._set_backstop()
                if not self._limits:
                    self._wanted.clear()

    def _watch(self) -> None:
        while True:
            self._wanted.wait()
            time.sleep(INTERVAL)
            with self._guard:
                lowest = min(self._limits, default=None)
            if lowest is not None and used_memory() > lowest:
                self._reached()

    def _set_backstop(self) -> None:
        """Bound what may be reserved: twice the limit, and what is reserved and never used.

        Stacks of threads are such: 16 MB each, of which some kB are used.
        """
        limit = self._soft
        if self._limits:
            held, reserved = memory_use()
            limit = 2 * max(self._limits) + max(0, reserved - held)
            if self._hard != resource.RLIM_INFINITY:
                limit = min(limit, self._hard)
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_DATA, (limit, self._hard))


def give_back() -> None:
    """Give the system what the allocator has kept of memory that nobody uses any more."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # other C libraries have no such call
            ctypes.CDLL(None).malloc_trim(0)
