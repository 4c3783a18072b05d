"""Connections over HTTP, bounded in number, for each peer and in time: nobody locks others out.

uvicorn times out who is silent between two requests, but not who sends half of one: such
connections would stay for ever, until no file descriptor is left for anybody else.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD, BODY = 15.0, 60.0
"""Seconds in which the head of a request, and what follows it, must have come as a whole."""

MOST, EACH = 256, 128
"""Connections in all, and of one address."""

_log = logging.getLogger(__name__)


class Room:
    """The connections of a server.

    A newcomer for whom there is no room takes the place of who has waited longest without a whole
    request, of the same address where that has its share; who is being answered keeps theirs.

    Args:
        most: connections in all.
        each: of one address.
    """

    def __init__(self, most: int = MOST, each: int = EACH) -> None:
        self._most, self._each = most, each
        self._doors: dict[Door, str] = {}
        self._waiting: dict[Door, None] = {}

    def enter(self, door: Door) -> bool:
        """Let a connection in; False if there is no room."""
        peer = door.client[0] if door.client else ""
        same = [one for one, theirs in self._doors.items() if theirs == peer]
        crowd = same if len(same) >= self._each else list(self._doors)
        if crowd is same or len(crowd) >= self._most:
            oldest = next((one for one in self._waiting if crowd is not same or one in same), None)
            if oldest is None:
                return False
            oldest.leave("others came")
        self._doors[door] = peer
        self._waiting[door] = None
        return True

    def wait(self, door: Door) -> None:
        """Note that a connection waits for a request."""
        if door in self._doors:
            self._waiting.pop(door, None)
            self._waiting[door] = None

    def serve(self, door: Door) -> None:
        """Note that a connection is being answered."""
        self._waiting.pop(door, None)

    def leave(self, door: Door) -> None:
        """Forget a connection."""
        self._doors.pop(door, None)
        self._waiting.pop(door, None)


class Door(H11Protocol):
    """A connection whose requests must come in time.

    Args:
        room: of its server.
        given: as uvicorn gives it.
    """

    def __init__(self, *, room: Room, **given: Any) -> None:
        super().__init__(**given)
        self._room = room
        self._stage = ""
        self._late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a head, if there is room."""
        super().connection_made(transport)
        if self._room.enter(self):
            self._look()
        else:
            self.leave("there is no room")

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._stop()
        self._room.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on."""
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        super().on_response_complete()
        self._stage = ""
        self._look()

    def leave(self, why: str) -> None:
        """End the connection at once."""
        _log.info("a connection was closed: %s", why)
        self._stop()
        self._room.leave(self)
        self.transport.abort()

    def _look(self) -> None:
        """See how far the request has come, and until when the rest has to."""
        if self.transport.is_closing():
            return
        state = self.conn.their_state
        stage = "head" if state is h11.IDLE else "body" if state is h11.SEND_BODY else "whole"
        if stage == self._stage:
            return
        self._stop()
        self._stage = stage
        if stage == "whole":
            self._room.serve(self)
            return
        self._room.wait(self)
        seconds = HEAD if stage == "head" else BODY
        self._late = self.loop.call_later(seconds, self.leave, f"its {stage} took {seconds:.0f} s")

    def _stop(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
