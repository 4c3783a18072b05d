"""`Shares`: how many tools that only read are at work at once, of one client and of all."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

EACH, MOST = 2, 10
"""Of one client, and of all: a store answers twelve of others' queries at once, and the threads in
which they wait are more."""


class Shares:
    """Lets tools work in turn; of those that wait the one whose client has fewest at work is next.

    So who asks much waits for themselves, in however many sessions, and a newcomer for one query
    at most.

    Args:
        each: of one client.
        most: of all.
    """

    def __init__(self, each: int = EACH, most: int = MOST) -> None:
        self._each, self._most = each, most
        self._at_work: Counter[str] = Counter()
        self._waiting: list[tuple[str, asyncio.Future[None]]] = []

    @asynccontextmanager
    async def share(self, client: str) -> AsyncGenerator[None]:
        """Wait for the client's turn."""
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append((client, turn))
        self._let_in()
        try:
            await turn
            yield
        finally:
            if turn.done() and not turn.cancelled():
                self._at_work[client] -= 1
                self._at_work += Counter()  # without those who have none
            else:
                self._waiting.remove((client, turn))
            self._let_in()

    def _let_in(self) -> None:
        """Begin as many as there is room for."""
        while self._at_work.total() < self._most:
            free = [
                (client, turn)
                for client, turn in self._waiting
                if self._at_work[client] < self._each and not turn.done()
            ]
            if not free:
                return
            client, turn = chosen = min(free, key=lambda one: self._at_work[one[0]])
            self._waiting.remove(chosen)
            self._at_work[client] += 1
            turn.set_result(None)
