"""Sessions over HTTP, bounded in number, for each peer and in time."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mcp.server.streamable_http import MCP_SESSION_ID_HEADER as NAME
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse

from .contexts import KEPT

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST, EACH = 100, 50
"""Sessions at once, and of one address."""

UNUSED = 60.0
"""Seconds after which a session ends that was opened and never used, when another is opened."""

SPARED = 10.0
"""Seconds after its opening in which a session counts as never used only behind all that were
opened after it: so who opens many at once ends their own."""


@dataclass
class _Session:
    peer: str
    used: float = field(default_factory=time.monotonic)
    requests: int = 0
    answers: int = 0
    open: int = 0


class Sessions:
    """Makes room for new sessions by ending those that nobody uses.

    Who opens sessions and never comes back would fill the server for half an hour. Whoever opens
    one more than there may be, in all or of one address, has that session ended in which nothing
    was asked, else the one that has been idle longest; a client whose session has ended opens
    another. Sessions that are being answered stay. Of those that were opened a moment ago, whose
    clients have had no time to ask, the newest is ended first. That a client says that it is there,
    as each does behind its first words, is no question.

    Args:
        app: the server.
        most: sessions at once.
        each: of one address.
        spared: seconds of that moment.
    """

    def __init__(
        self, app: ASGIApp, most: int = MOST, each: int = EACH, spared: float = SPARED
    ) -> None:
        self._app, self._most, self._each, self._spared = app, most, each, spared
        self._sessions: dict[str, _Session] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        name = Headers(scope=scope).get(NAME)
        if name is not None:
            await self._within(name, scope, receive, send)
        elif scope["method"] == "POST":
            await self._first(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _within(self, name: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request of a session."""
        session = self._sessions.get(name, _Session(""))
        session.open += 1
        session.requests += 1
        ended = False

        async def watched(message: Message) -> None:
            nonlocal ended
            if message["type"] == "http.response.start":
                gone = scope["method"] == "DELETE" and message["status"] < 300
                ended = gone or message["status"] == 404
                if scope["method"] == "POST" and message["status"] == 200:
                    session.answers += 1  # what only says that it is there is answered with 202
            await send(message)

        try:
            await self._app(scope, receive, watched)
        finally:
            session.open -= 1
            session.used = time.monotonic()
            if ended:
                self._sessions.pop(name, None)

    async def _first(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request that may open a session, which counts from its answer on."""
        peer = str(scope["client"][0]) if scope.get("client") else ""
        if not await self._make_room(peer, scope, 1):
            said = "all sessions are in use: ask again later\n"
            await PlainTextResponse(said, status_code=503)(scope, receive, send)
            return

        async def watched(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] < 400:
                made = Headers(raw=message["headers"]).get(NAME)
                if made is not None:
                    self._sessions[made] = _Session(peer)
                    await self._make_room(peer, scope, 0)  # others may have come meanwhile
            await send(message)

        await self._app(scope, receive, watched)

    async def _make_room(self, peer: str, scope: Scope, more: int) -> bool:
        """End what nobody uses; tell whether there is room for so many more of an address."""
        now = time.monotonic()
        for name, one in list(self._sessions.items()):
            idle = 0.0 if one.open else now - one.used
            if idle > KEPT or (idle > UNUSED and not one.requests):
                await self._end(name, scope)
        while True:
            mine = [name for name, one in self._sessions.items() if one.peer == peer]
            many = len(mine) + more > self._each
            if not many and len(self._sessions) + more <= self._most:
                return True
            there = mine if many else list(self._sessions)
            idle = [name for name in there if not self._sessions[name].open]
            if not idle:
                return False
            await self._end(
                min(idle, key=lambda name: self._rank(self._sessions[name], now)), scope
            )

    def _rank(self, one: _Session, now: float) -> tuple[int, float]:
        """Return in which order sessions are ended."""
        if one.answers:
            return 2, one.used
        return (0, one.used) if now - one.used >= self._spared else (1, -one.used)

    async def _end(self, name: str, scope: Scope) -> None:
        """End a session as its client would."""
        self._sessions.pop(name, None)
        headers = [(b"host", b"127.0.0.1"), (NAME.encode(), name.encode())]
        asked = {**scope, "method": "DELETE", "headers": headers}

        async def nothing() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def unheard(_: Message) -> None:
            pass

        await self._app(asked, nothing, unheard)
