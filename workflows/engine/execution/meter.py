"""How long a run has computed, and the end of what was agreed."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar

from triplestore.errors import TimeLimitError
from workflows.text.words import duration


class BeyondError(TimeLimitError):
    """A run has computed for longer than was agreed; it stops, and can be resumed."""


class Meter:
    """Counts how long a run computes; what waits for a slot costs nothing.

    Args:
        limit: s. What has been agreed; infinite where anything was.
        before: returns how much of it has been spent, in s; asked when something is computed.
    """

    def __init__(self, limit: float, before: Callable[[], float] = lambda: 0.0) -> None:
        self.limit = limit
        self._before = before
        self._earlier: float | None = None
        self._spent = 0.0
        self._busy = 0
        self._since = 0.0

    @property
    def spent(self) -> float:
        """Seconds that were computed here."""
        return self._spent + (time.monotonic() - self._since if self._busy else 0.0)

    def _left(self) -> float | None:
        """Return the seconds until the limit, below zero when it is passed; None for no end."""
        if math.isinf(self.limit):
            return None
        if self._earlier is None:
            self._earlier = self._before()
        return self.limit - self._earlier - self.spent

    @asynccontextmanager
    async def counting(self, what: str) -> AsyncGenerator[None]:
        """Count what is done within, and stop it at the limit.

        Raises:
            BeyondError: the limit is reached.
        """
        left = self._left()
        if left is not None and left <= 0:
            raise self._beyond(what)
        if not self._busy:
            self._since = time.monotonic()
        self._busy += 1
        until = asyncio.timeout(left)
        try:
            async with until:
                yield
        except TimeoutError as error:
            if not until.expired():
                raise
            raise self._beyond(what) from error
        finally:
            self._busy -= 1
            if not self._busy:
                self._spent += time.monotonic() - self._since

    def _beyond(self, what: str) -> BeyondError:
        again = " with earlier ones for the same" if self._earlier else ""
        return BeyondError(
            f"cannot compute {what}",
            f"its run{again} has computed for {duration(self.limit)}, and no more was agreed",
            "agree to more: a person's resume with force goes on where it stopped",
        )


_meter: ContextVar[Meter | None] = ContextVar("grafico_meter", default=None)


@contextmanager
def metered(meter: Meter) -> Generator[None]:
    """Let what is computed within be counted, and take so long and no longer."""
    token = _meter.set(meter)
    try:
        yield
    finally:
        _meter.reset(token)


def spent() -> float:
    """Return the seconds that were computed where we are, as far as they are counted."""
    meter = _meter.get()
    return 0.0 if meter is None else meter.spent


@asynccontextmanager
async def counted(what: str) -> AsyncGenerator[None]:
    """Count a calculation towards the limit of its run, if there is one."""
    meter = _meter.get()
    if meter is None:
        yield
        return
    async with meter.counting(what):
        yield
