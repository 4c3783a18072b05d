"""Clocks that a device can be given: the computer's, or one that is set by hand."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Protocol

from ..execution.executor import Executor

SIGNS = 20
"""Signs of life while something goes on, one a second at most."""


class Clock(Protocol):
    """Tells the time, and lets it pass."""

    def now(self) -> datetime:
        """Return the time, with its offset from UTC."""
        ...

    async def wait_until(self, moment: datetime) -> None:
        """Return when that moment has come."""
        ...


class SystemClock:
    """The computer's clock."""

    def now(self) -> datetime:
        """Return the time in UTC."""
        return datetime.now(UTC)

    async def wait_until(self, moment: datetime) -> None:
        """Sleep until that moment, also if the computer's clock is set meanwhile."""
        while (left := (moment - self.now()).total_seconds()) > 0:
            await asyncio.sleep(min(left, 1.0))


class ManualClock:
    """A clock that stands still until it is moved; who waits for a moment moves it there.

    Args:
        start: the time that it shows first.
    """

    def __init__(self, start: datetime = datetime(2026, 1, 1, tzinfo=UTC)) -> None:
        self._now = start

    def now(self) -> datetime:
        """Return the time that it shows."""
        return self._now

    def advance(self, minutes: float) -> None:
        """Move it by some minutes, backwards if they are negative."""
        self._now += timedelta(minutes=minutes)

    async def wait_until(self, moment: datetime) -> None:
        """Move it to that moment, never backwards."""
        self._now = max(self._now, moment)


def spell(seconds: float) -> str:
    """Return a time as people say it, rounded up to a second: 12 min 30 s; from 3 h on with h."""
    minutes, rest = divmod(-int(-round(seconds, 6) // 1), 60)
    hours, minutes = divmod(minutes, 60) if minutes >= 180 else (0, minutes)
    times = ((hours, "h"), (minutes, "min"), (rest, "s"))
    return " ".join(f"{time} {unit}" for time, unit in times if time) or "0 s"


async def waited(
    clock: Clock, end: datetime, speed: float, executor: Executor, node: str, what: str
) -> None:
    """Wait for the end of what a device does, and tell those who listen how much is left.

    Args:
        clock: of this computer.
        end: by that.
        speed: seconds that the device counts in one of it.
        executor: its listener is told.
        node: name of the step that waits, or of what goes on.
        what: goes on, in words.
    """
    pause = max(timedelta(seconds=1), (end - clock.now()) / SIGNS)
    while (now := clock.now()) < end:
        left = (end - now).total_seconds() * speed
        text = f"{what}, {spell(left)} left"
        executor.emit("frame", node, stage=what, remaining=left / 60, text=text)
        await clock.wait_until(min(end, now + pause))
