"""Slots: who may compute where."""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from triplestore.errors import InputError


@dataclass(frozen=True)
class Lease:
    """A part of a machine, held for one calculation.

    Attributes:
        device: `cpu`.
        threads: number of threads.
        memory: in MB.
    """

    device: str
    threads: int
    memory: int


class Slots:
    """The cores of this machine, handed out first come, first served.

    Args:
        cores: how many there are; None for those that this process may use.
        memory: in MB, shared out by cores; None for what the machine has.
    """

    def __init__(self, cores: int | None = None, memory: int | None = None) -> None:
        self.cores = cores or usable_cores()
        self.memory = memory or physical_memory()
        self._free = self.cores
        self._queue: deque[tuple[int, asyncio.Future[None]]] = deque()

    @asynccontextmanager
    async def lease(self, threads: int | None = None) -> AsyncGenerator[Lease]:
        """Hold a slot of so many threads (None: all); waits for its turn.

        Raises:
            InputError: more threads than the machine has cores.
        """
        wanted = threads or self.cores
        if not 1 <= wanted <= self.cores:
            raise InputError(
                f"{wanted} cores were asked for",
                f"this machine lets Grafico use {self.cores}",
                f"ask for 1 to {self.cores}",
            )
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append((wanted, turn))
        self._serve()
        try:
            await turn
            yield Lease("cpu", wanted, self.memory * wanted // self.cores)
        finally:
            if turn.done() and not turn.cancelled():
                self._free += wanted
            else:
                with suppress(ValueError):
                    self._queue.remove((wanted, turn))
            self._serve()

    def _serve(self) -> None:
        while self._queue and self._queue[0][0] <= self._free:
            wanted, turn = self._queue.popleft()
            if not turn.cancelled():
                self._free -= wanted
                turn.set_result(None)


def usable_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def physical_memory() -> int:
    """Return the machine's memory in MB, less a fifth for everything else."""
    try:
        return int(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * 0.8 / 1e6)
    except (ValueError, OSError):
        return 4000
