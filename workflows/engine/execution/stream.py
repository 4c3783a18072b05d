"""`Stream`: passes events on to any number of listeners, each at its own pace.

Whoever tells an event never waits: each listener has a bounded backlog of its own, callbacks run in
threads of their own, and what a listener raises stays with it.
"""

from __future__ import annotations

import asyncio
import logging
import math
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol, Self, TypeVar

from ..local.slots import OUR_OWN
from .events import LOSSY, Event, EventKind, Listener, Scope

BACKLOG = 1000
"""Events that are kept for a listener who falls behind."""

LEAST = 32
"""The smallest backlog: it must hold the last event of every kind."""

AGAIN = 10.0
"""Seconds after which quiet work tells again what it waits for."""

PATIENCE = 2.0
"""Seconds that a callback has for the rest of its backlog when the stream is closed."""

logger = logging.getLogger(__name__)


class Backlog:
    """The events that one listener has not heard yet, in order.

    When it is full, the oldest event of a kind that can be done without goes; where there is none,
    the oldest that is not the last of its kind. A warning in their place says how many are missing.

    Args:
        most: events that are kept.
    """

    def __init__(self, most: int = BACKLOG) -> None:
        if most < LEAST:
            raise ValueError(f"a backlog holds at least {LEAST} events")
        self.most = most
        self.dropped = 0
        self._missing = 0
        self._events: deque[Event] = deque()
        self._kinds: Counter[EventKind] = Counter()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._events)

    def put(self, event: Event) -> None:
        """Add an event."""
        with self._lock:
            self._events.append(event)
            self._kinds[event.kind] += 1
            if len(self._events) > self.most:
                place = self._least_missed()
                self._kinds[self._events[place].kind] -= 1
                del self._events[place]
                self.dropped += 1
                self._missing += 1

    def take(self) -> Event | None:
        """Return the next event, or a warning that some are missing; None if there is none."""
        with self._lock:
            if self._missing:
                count, self._missing = self._missing, 0
                reason = f"{count} events were left out, because this listener is slower than they"
                return Event("warning", "listener", {"reason": reason, "dropped": count}, Scope())
            if not self._events:
                return None
            event = self._events.popleft()
            self._kinds[event.kind] -= 1
            return event

    def _least_missed(self) -> int:
        several = {kind for kind, count in self._kinds.items() if count > 1}
        for kinds in (several & LOSSY, several):
            if kinds:
                return next(n for n, event in enumerate(self._events) if event.kind in kinds)
        raise AssertionError("more events than kinds")


class Subscription(Protocol):
    """A listener's place in a stream."""

    def put(self, event: Event) -> None:
        """Take an event, at once."""
        ...

    def close(self) -> None:
        """Hear what is left, and no more."""
        ...


SubscriptionT = TypeVar("SubscriptionT", bound=Subscription)


class Callback:
    """Calls a function for each event, in a thread of its own."""

    def __init__(self, stream: Stream, listener: Listener, most: int = BACKLOG) -> None:
        self.backlog = Backlog(most)
        self.failures = 0
        self._stream = stream
        self._listener = listener
        self._wake = threading.Event()
        self._closed = False
        self._busy = False
        self._thread: threading.Thread | None = None

    @property
    def idle(self) -> bool:
        """Whether every event has been heard."""
        return not len(self.backlog) and not self._busy

    def put(self, event: Event) -> None:
        if self._closed:
            return
        self.backlog.put(event)
        self._wake.set()
        if self._thread is None:
            self._thread = threading.Thread(target=self._call, daemon=True, name="grafico-listener")
            self._thread.start()

    def _call(self) -> None:
        while True:
            self._wake.wait()
            self._wake.clear()
            self._busy = True
            while (event := self.backlog.take()) is not None:
                try:
                    self._listener(event)
                except BaseException:
                    if not self.failures:
                        logger.exception("a listener failed; the calculation goes on")
                    self.failures += 1
            self._busy = False
            if self._closed and not len(self.backlog):
                return

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._stream.leave(self)
        self._wake.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(PATIENCE)


class Feed:
    """The events as an asynchronous iterator, which ends with the stream or when it is closed."""

    def __init__(
        self, stream: Stream, most: int = BACKLOG, wanted: Callable[[Event], bool] | None = None
    ) -> None:
        self.backlog = Backlog(most)
        self._stream = stream
        self._wanted = wanted
        self._loop = asyncio.get_running_loop()
        self._news = asyncio.Event()
        self._closed = False

    def put(self, event: Event) -> None:
        if not self._closed and (self._wanted is None or self._wanted(event)):
            self.backlog.put(event)
            self._tell()

    def _tell(self) -> None:
        with suppress(RuntimeError):  # the loop of the listener is closed: nobody listens
            self._loop.call_soon_threadsafe(self._news.set)

    def close(self) -> None:
        self._closed = True
        self._stream.leave(self)
        self._tell()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Event:
        while (event := self.backlog.take()) is None:
            if self._closed:
                raise StopAsyncIteration
            await self._news.wait()
            self._news.clear()
        return event

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()


class Delays:
    """Passes on what is waited for, and nothing else: quiet work that stands still says why.

    Args:
        stream: is told, once in a while.
    """

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._told = -math.inf

    def put(self, event: Event) -> None:
        reason = str(event.data.get("reason", ""))
        now = time.monotonic()
        if event.kind != "waiting" or reason.endswith(OUR_OWN) or now - self._told < AGAIN:
            return
        self._told = now
        self._stream.emit(event)

    def close(self) -> None:
        """It holds nothing back."""


class Stream:
    """Where events come in, and go out to any number of listeners."""

    def __init__(self) -> None:
        self._listeners: tuple[Subscription, ...] = ()
        self._lock = threading.Lock()
        self._closed = False

    def __bool__(self) -> bool:
        return bool(self._listeners)

    def emit(self, event: Event) -> None:
        """Pass an event on; from any thread, at once, whatever the listeners do."""
        for listener in self._listeners:
            listener.put(event)

    def delays(self) -> Stream:
        """Return a stream of which only what is waited for outside of this process comes here."""
        quiet = Stream()
        quiet.join(Delays(self))
        return quiet

    def call(self, listener: Listener, most: int = BACKLOG) -> Callback:
        """Call a function for each event from now on, in order, in a thread of its own.

        Returns:
            Its place in the stream; `close()` ends it.
        """
        return self.join(Callback(self, listener, most))

    def feed(self, most: int = BACKLOG, wanted: Callable[[Event], bool] | None = None) -> Feed:
        """Return the events from now on: ``async for event in stream.feed(): ...``.

        It belongs to the running loop, which need not be that of the calculations. Used as
        ``async with stream.feed() as events:``, it ends with the block.

        Args:
            most: events that are kept for a listener who falls behind.
            wanted: tells which events; called where they are told, in the context (`contextvars`)
                of what they are about. None for all.
        """
        return self.join(Feed(self, most, wanted))

    def join(self, listener: SubscriptionT) -> SubscriptionT:
        """Pass events on to a listener that takes them at once; `leave` ends it."""
        with self._lock:
            if not self._closed:
                self._listeners = (*self._listeners, listener)
                return listener
        listener.close()
        return listener

    def leave(self, listener: Subscription) -> None:
        """Pass nothing on to a listener any more."""
        with self._lock:
            self._listeners = tuple(one for one in self._listeners if one is not listener)

    async def settle(self, seconds: float) -> None:
        """Give callbacks so much time to hear what has been told."""
        end = time.monotonic() + seconds
        callbacks = [one for one in self._listeners if isinstance(one, Callback)]
        while any(not one.idle for one in callbacks) and time.monotonic() < end:
            await asyncio.sleep(0.002)

    def close(self) -> None:
        """End the listeners, each when it has heard what is left, within a time."""
        with self._lock:
            listeners, self._listeners, self._closed = self._listeners, (), True
        for listener in listeners:
            listener.close()
