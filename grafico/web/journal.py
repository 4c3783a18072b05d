"""`Journal`: what happens in all conversations, numbered, for pages that follow it.

It is kept in memory. What is finished stands in the store; what is under way can be told again from
its beginning (`Live`). So a page that comes back, a second one and a lost connection are all the
same: read what there is, then follow from that number on. Another process begins another journal,
of which pages see that they have to read anew.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from itertools import islice
from secrets import token_hex
from typing import Any

KEPT = 20_000
"""News that a page can catch up with after a lost connection."""

KEPT_BYTES = 64_000_000
"""Of these, together."""

GATHERED = 0.03
"""Seconds over which news is gathered that is sent together."""

ALIVE = 15.0
"""Seconds without news after which a sign of life is sent."""

MOST_FRAMES = 400
"""Geometries of what is under way that a page can look back at; of more every second one goes."""

RESET = {"k": "reset"}
"""Tells a page to read everything anew."""


class Journal:
    """News in order; any thread may add to it."""

    def __init__(self) -> None:
        self.epoch = token_hex(4)
        self._lock = threading.Lock()
        self._news: deque[tuple[int, str]] = deque()
        self._size = 0
        self._number = 0
        self._waiting: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()

    @property
    def place(self) -> str:
        """Where the journal ends now."""
        return f"{self.epoch}-{self._number}"

    @property
    def followed(self) -> bool:
        """Whether any page follows."""
        return bool(self._waiting)

    def add(self, news: Mapping[str, Any], live: Live | None = None) -> None:
        """Add a piece of news, also to those of what is under way."""
        text = json.dumps(news, ensure_ascii=False, separators=(",", ":"))
        with self._lock:
            self._number += 1
            self._news.append((self._number, text))
            self._size += len(text)
            while len(self._news) > KEPT or self._size > KEPT_BYTES:
                self._size -= len(self._news.popleft()[1])
            if live is not None:
                live.add(news)
            for loop, event in self._waiting:
                with suppress(RuntimeError):  # that loop is closed
                    loop.call_soon_threadsafe(event.set)

    def seen(self, live: Live) -> tuple[list[Mapping[str, Any]], str]:
        """Return the news of what is under way, and the place in the journal after them."""
        with self._lock:
            return list(live.news), self.place

    def after(self, place: str) -> list[tuple[int, str]] | None:
        """Return the news after a place; None if they are not known any more."""
        epoch, _, number = place.rpartition("-")
        if epoch != self.epoch or not number.isdecimal():
            return None
        since = int(number)
        with self._lock:
            first = self._news[0][0] if self._news else self._number + 1
            if since + 1 < first or since > self._number:
                return None
            return list(islice(self._news, max(0, since + 1 - first), None))

    async def follow(self, place: str) -> AsyncIterator[bytes]:
        """Iterate over the news after a place, as server-sent events, without end.

        Args:
            place: the last that was seen; empty for what comes from now on.
        """
        event = asyncio.Event()
        waiting = (asyncio.get_running_loop(), event)
        with self._lock:
            self._waiting.add(waiting)
        try:
            place = place or self.place
            yield b": here\n\n"
            while True:
                event.clear()
                news = self.after(place)
                if news is None:
                    place = self.place
                    yield _sent(place, json.dumps(RESET))
                    continue
                if news:
                    place = f"{self.epoch}-{news[-1][0]}"
                    yield b"".join(_sent(f"{self.epoch}-{n}", text) for n, text in news)
                    await asyncio.sleep(GATHERED)
                    continue
                try:
                    async with asyncio.timeout(ALIVE):
                        await event.wait()
                except TimeoutError:
                    yield b": still here\n\n"
        finally:
            with self._lock:
                self._waiting.discard(waiting)


def _sent(place: str, text: str) -> bytes:
    return f"id: {place}\ndata: {text}\n\n".encode()


class Live:
    """The news of one question while it is answered, shortened so that nobody misses anything.

    Text that came in pieces is one; of progress the last word counts; geometries are thinned out.
    """

    def __init__(self) -> None:
        self.news: list[Mapping[str, Any]] = []
        self._frames = 0

    def add(self, news: Mapping[str, Any]) -> None:
        """Take in a piece of news."""
        last: Mapping[str, Any] = self.news[-1] if self.news else {}
        if news["k"] in ("text", "thinking") and last.get("k") == news["k"]:
            self.news[-1] = {**last, "text": last["text"] + news["text"]}
            return
        if (place := self._replaced(news)) is not None:
            del self.news[place]
        self.news.append(news)
        if news["k"] == "frame" and "positions" in news:
            self._frames += 1
            if self._frames > MOST_FRAMES:
                self._thin_out()

    def _replaced(self, news: Mapping[str, Any]) -> int | None:
        """Return the place of what this replaces, among the last few; None for nothing."""
        told = {name: news.get(name) for name in ("k", "call", "key", "run")}
        passing = (news["k"] == "line" and news.get("key")) or news["k"] == "progress"
        passing = passing or (news["k"] == "frame" and "positions" not in news)
        if not passing:
            return None
        for place in range(len(self.news) - 1, max(-1, len(self.news) - 40), -1):
            other = self.news[place]
            if "positions" not in other and all(other.get(n) == v for n, v in told.items()):
                return place
        return None

    def _thin_out(self) -> None:
        frames = [n for n, one in enumerate(self.news) if "positions" in one]
        gone = set(frames[1:-1:2])
        self.news = [one for n, one in enumerate(self.news) if n not in gone]
        self._frames -= len(gone)
