"""Who computes which entries of a batch: large ones alone, small ones many a worker."""

from __future__ import annotations

import asyncio
import functools
import json
import math
import time

from triplestore.errors import CrashError, KilledError, MemoryLimitError, TimeLimitError
from triplestore.store import is_remote
from workflows.engine import Executor
from workflows.engine.execution.events import scope
from workflows.engine.execution.executor import HEARTBEAT
from workflows.engine.graph.fan import as_part, unless_agreed
from workflows.engine.graph.waiting import ApprovalError
from workflows.registry import workflows
from workflows.registry.packages import homes
from workflows.trust.caller import caller

from .compute import compute
from .entries import Entries
from .pack import pack

SECONDS, MOST = 3.0, 100
"""That a pack of small entries is to take, and entries in it at most."""

ALIKE = 1000
"""Entries of one subject that are computed side by side at most."""

SMALL, LARGE = 2.0, 5.0
"""Seconds below which an entry is thought to be small, and of one that has a worker of its own."""

FIRST = 0.3
"""Seconds of a small entry until a pack has told: the first ones import what they need besides."""


class Dispatch:
    """Hands out the entries of a batch: large ones have a worker each, small ones share one.

    Args:
        entries: of the batch.
        left: keys of what is to be computed, in this order.
        executor: what computes.
        small: whether each is expected to take a moment.
    """

    def __init__(
        self, entries: Entries, left: tuple[str, ...], executor: Executor, *, small: bool
    ) -> None:
        self.failed = 0
        self._waiting: list[ApprovalError] = []
        self._entries, self._left = entries, left
        self._workflow = workflows().named(entries.batch.workflow)
        self._executor = executor
        self._inner = executor.unheard()  # one line tells of all of them
        self._next = self._done = 0
        self._whole = sum(map(entries.weight, left))
        self._share = 0.0
        self._threads = executor.policy.threads_per_calculation or 1
        url = executor.kg.store.url
        # a worker asks the store itself: one in memory has nobody to answer, and the password of
        # a server is not for workers; and what may go to a card is handed out one by one
        local = url != "memory:" and not is_remote(url)
        # and whoever acts on the world does it here, where yeses are kept
        acts = self._workflow.whole.graph.effects
        self._can_pack = local and not executor.slots.gpus and not acts
        self._seconds = FIRST if small and self._can_pack else LARGE

    async def all(self) -> None:
        """Compute all that is left, and return when it has ended.

        Raises:
            ApprovalError: some entries wait for a person's yes; the others have ended.
        """
        self._tell()
        alive = asyncio.create_task(self._alive())
        lanes = 1 + max(1, self._executor.slots.total_cores // self._threads)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(lanes):
                    group.create_task(self._lane())
        except BaseExceptionGroup as several:
            raise several.exceptions[0] from None
        finally:
            alive.cancel()
        if self._waiting:
            raise ApprovalError.of_parts(self._waiting)

    async def _alive(self) -> None:
        """Tell every few seconds that it goes on, where no entry has ended meanwhile."""
        started, done = time.monotonic(), 0
        while True:
            await asyncio.sleep(HEARTBEAT)
            if self._done == done:
                stage = f"{done:,} of {len(self._left):,} done, at work on the next"
                elapsed = time.monotonic() - started
                self._executor.emit("alive", pack.name, elapsed=elapsed, stage=stage)
            done = self._done

    async def _lane(self) -> None:
        while self._next < len(self._left):
            if self._seconds < LARGE:
                await self._packed(self._take(self._fitting()))
            else:
                clock = time.monotonic()
                for key in self._take(1):
                    await self._alone(key)
                if self._can_pack:
                    self._seconds = time.monotonic() - clock

    def _take(self, number: int) -> tuple[str, ...]:
        left, first, end = self._left, self._next, min(self._next + number, len(self._left))
        most = min(first + ALIKE, len(left))
        while end < most and self._entries.alike(left[end - 1], left[end]):
            end += 1  # what one has computed is remembered by the others
        self._next = end
        return left[first:end]

    def _fitting(self) -> int:
        """Return how many entries make a pack: fewer towards the end, so that all end at once."""
        cores = self._executor.slots.total_cores
        share = math.ceil((len(self._left) - self._next) / (2 * cores))
        return max(1, min(MOST, share, int(SECONDS / max(self._seconds, 1e-3))))

    async def _packed(self, keys: tuple[str, ...]) -> None:
        kg = self._executor.kg
        arrays = str(kg.files.folder) if kg.files else ""
        batch, run = self._entries.batch.iri, scope().run
        again, who = self._executor.recompute, caller().text
        call = pack.bind(batch, run, keys, kg.store.url, arrays, again, who, homes())
        try:
            packed = await self._executor.bundle(call, self._threads)
        except (CrashError, KilledError, MemoryLimitError, TimeLimitError):
            for key in keys:  # one of them was it; the others have done nothing wrong
                await self._alone(key)
            return
        for key in packed.waiting:
            await self._alone(key)
        failures = json.loads(packed.failures)
        self._seconds = packed.seconds / len(keys)
        for key in keys:
            if key not in packed.waiting:
                self._ended(key, failed=key in failures)

    async def _alone(self, key: str) -> None:
        work = functools.partial(compute, self._entries, key, self._workflow, self._inner)
        with unless_agreed(self._waiting):
            _, error = await as_part(self._executor, key, work)
            self._ended(key, failed=error is not None)

    def _ended(self, key: str, *, failed: bool) -> None:
        self._done += 1
        self._share += self._entries.weight(key) / self._whole
        self.failed += failed
        self._entries.told(key)
        self._tell(key)

    def _tell(self, key: str = "") -> None:
        self._executor.emit(
            "progress",
            key,
            done=self._done,
            failed=self.failed,
            total=len(self._left),
            share=self._share,
        )
