"""An event loop in a thread, so that synchronous callers may live inside another loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

from triplestore.errors import InputError

T = TypeVar("T")

PATIENCE = 10.0
"""Seconds that a cancelled call may take to clean up."""


class Loop:
    """Runs coroutines for other threads.

    The thread is a daemon: a program whose author forgot to close the loop still ends.
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def call(self, function: Callable[[], Awaitable[T]]) -> T:
        """Await what the function returns; when interrupted, cancel it and let it clean up.

        Raises:
            InputError: called by what runs in this very loop, which would wait for itself.
        """
        if threading.current_thread() is self._thread:
            raise InputError(
                "a session was asked to wait for a result",
                "it was asked by a step of its own work, and would wait for itself for ever",
                "await it there (await executor.run(...)), or ask from another thread",
            )
        ended = threading.Event()

        async def run() -> T:
            try:
                return await function()
            finally:
                ended.set()

        future = asyncio.run_coroutine_threadsafe(run(), self._loop)
        try:
            return future.result()
        except BaseException:
            if future.cancel():
                ended.wait(PATIENCE)
            raise

    def start(self, function: Callable[[], Coroutine[Any, Any, T]]) -> Future[T]:
        """Await what the function returns while the caller goes on; cancel the future to end it."""
        return asyncio.run_coroutine_threadsafe(function(), self._loop)

    def close(self) -> None:
        """Cancel what still runs and end the thread."""

        async def cancel() -> None:
            others = asyncio.all_tasks() - {asyncio.current_task()}
            for task in others:
                task.cancel()
            await asyncio.wait(others, timeout=PATIENCE) if others else None

        asyncio.run_coroutine_threadsafe(cancel(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
