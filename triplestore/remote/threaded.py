"""An iterator that works in a thread of its own, whoever reads it.

What pyoxigraph makes in one thread must be used and ended there: elsewhere it ends the process.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from queue import Full, Queue

AHEAD = 4
"""Pieces that are made before they are asked for."""


def in_thread(make: Callable[[], Generator[bytes]]) -> Iterator[bytes]:
    """Iterate over what a generator gives, which runs in a thread of its own from first to last.

    Raises:
        Exception: what the generator raises.
    """
    pieces: Queue[bytes | BaseException | None] = Queue(AHEAD)
    unwanted = threading.Event()

    def give(item: bytes | BaseException | None) -> bool:
        while not unwanted.is_set():
            try:
                pieces.put(item, timeout=0.1)
            except Full:
                continue
            return True
        return False

    def run() -> None:
        end: BaseException | None = None
        try:
            with closing(make()) as made:
                for piece in made:
                    if not give(piece):
                        return
        except BaseException as error:  # for the reader, without the frames of this thread
            error.__cause__ = error.__context__ = None
            end = error.with_traceback(None)
        give(end)

    thread = threading.Thread(target=run, daemon=True, name="aside")
    thread.start()
    try:
        while (item := pieces.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        unwanted.set()
        thread.join(10)
