"""Clocks that a device can be given: the computer's, or one that is set by hand."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Protocol


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
