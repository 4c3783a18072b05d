"""The queries that a broker has in flight: how many at once, for how long, and who still waits."""

from __future__ import annotations

import select
import socket
import threading
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field

from triplestore.bounds import Bounds
from triplestore.broker import wire
from triplestore.errors import ResourceError

AT_ONCE = 16
SLOW_AT_ONCE = 12
"""Of these, queries of others and those that may take longer than `LONG`: some room is left."""
LONG = 600.0
HUNG_UP = 2.0
"""Seconds that a query has left when its client has hung up."""
STALLED = 300.0
"""Seconds after which a reader who takes no more of an answer, or of a dump, is left."""
_SLACK, _LAST_WORD = 0.25, 0.2


@dataclass(eq=False)
class Job:
    """A query in flight; its thread holds `talking` while it sends, else it is in the engine.

    Times are those of the monotonic clock: by `deadline` it is to have ended, which is sooner where
    its client hangs up; it came to the engine at `begun`.
    """

    link: socket.socket
    bounds: Bounds
    deadline: float
    begun: float = 0.0
    given_up: bool = False
    answered: bool = False
    client_gone: bool = False
    talking: threading.Lock = field(default_factory=threading.Lock)
    kept: bytes = b""

    @property
    def slow(self) -> bool:
        """Whether it is one of somebody else, or one that may take long."""
        return self.bounds.memory is not None or self.bounds.timeout > LONG

    def send(self, kind: bytes, payload: bytes | bytearray) -> None:
        """Send a part of the answer, in its own thread.

        A small part, which is the last, goes with the end: whoever waits is woken once.
        """
        with self.talking:
            if self.given_up:
                raise wire.FrameBroken("given up")
            if kind == wire.DATA and len(payload) < wire.SMALL:
                self.kept += wire.frame(kind, payload)
                return
            before, self.kept = self.kept, b""
            self.answered = kind in (wire.END, wire.ERROR)
            wire.send(self.link, kind, payload, before)

    def tell(self, kind: bytes, payload: bytes, patience: float = 0.0) -> None:
        """Say a last word, in another thread, after the part that its own is sending.

        If that part takes longer than so many seconds, the connection ends.
        """
        if not self.talking.acquire(timeout=patience):
            with suppress(OSError):
                self.link.shutdown(socket.SHUT_RDWR)
            return
        self.given_up = not self.answered
        self.talking.release()
        if self.given_up:
            with suppress(wire.FrameBroken, wire.Late, OSError):
                self.link.settimeout(_LAST_WORD)
                wire.send(self.link, kind, payload)


class Jobs:
    """All queries in flight."""

    def __init__(self) -> None:
        self._room = threading.BoundedSemaphore(AT_ONCE)
        self._room_for_slow = threading.BoundedSemaphore(SLOW_AT_ONCE)
        self._guard = threading.Lock()
        self._jobs: set[Job] = set()

    @contextmanager
    def waited_for(self, link: socket.socket, bounds: Bounds) -> Generator[Job]:
        """Wait for a place for a query.

        Raises:
            ResourceError: there was none in its time.
        """
        job = Job(link, bounds, time.monotonic() + bounds.timeout)
        with ExitStack() as stack:
            if job.slow:
                _enter(stack, self._room_for_slow, SLOW_AT_ONCE, job)
            _enter(stack, self._room, AT_ONCE, job)
            yield job

    @contextmanager
    def answering(self, job: Job) -> Generator[None]:
        """Count a query as one in flight."""
        job.begun = time.monotonic()
        with self._guard:
            self._jobs.add(job)
        if job.slow:  # another is left at its deadline at the latest
            job.link.settimeout(STALLED)
        try:
            yield
        finally:
            with self._guard:
                self._jobs.discard(job)
            if job.slow:
                with suppress(OSError):
                    job.link.settimeout(None)

    def all(self) -> list[Job]:
        """Return those in flight, but for those whose clients were given up."""
        with self._guard:
            return [job for job in self._jobs if not job.given_up]

    def of_others(self) -> list[Job]:
        """Return those of them that somebody else wrote."""
        return [job for job in self.all() if job.bounds.memory is not None]

    def stuck(self) -> int:
        """Return the number of those that were given up, and spin in the engine."""
        with self._guard:
            return sum(job.given_up for job in self._jobs)

    def late(self) -> list[Job]:
        """Return those past their time, which is short where the client has hung up."""
        now = time.monotonic()
        for job in self.all():
            if not job.client_gone and client_gone(job.link):
                job.client_gone, job.deadline = True, min(job.deadline, now + HUNG_UP)
        return [job for job in self.all() if now > job.deadline + _SLACK]


def _enter(stack: ExitStack, room: threading.BoundedSemaphore, size: int, job: Job) -> None:
    """Take a place in a room until the end of the stack."""
    if not room.acquire(timeout=max(0.0, job.deadline - time.monotonic())):
        raise ResourceError(
            "answer a query", f"{size} others were running all the time", "ask again later"
        )
    stack.callback(room.release)


def client_gone(link: socket.socket) -> bool:
    """Whether the other side of a connection has gone away."""
    try:
        poll = select.poll()
        poll.register(link, select.POLLIN)
        return bool(poll.poll(0)) and not link.recv(1, socket.MSG_PEEK)
    except (OSError, ValueError):
        return True  # it was closed meanwhile, by us or by them
