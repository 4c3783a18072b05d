"""A copy of the quads of a store in memory, in a process of its own, for queries of others.

The process only takes quads in; for each query it forks another, which shares its memory, answers
and ends. So what a query costs is bounded, nothing that it breaks is needed by anybody, and a fork
takes some milliseconds.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import weakref
from collections.abc import Iterable
from contextlib import suppress

from triplestore.bounds import Bounds
from triplestore.broker import wire
from triplestore.broker.answering import Died, read_answer, receive_answer
from triplestore.broker.launch import environment
from triplestore.errors import MemoryLimitError, QueryError, ResourceError
from triplestore.store import Answer

_PATIENCE = 5.0
"""Seconds beyond the limit of a query, which ends by itself, on a loaded machine."""


class Replica:
    """The process, as its parent sees it; to be used by one thread at a time but for `read`.

    Raises:
        ResourceError: it cannot be started.
    """

    def __init__(self) -> None:
        self.pid = os.getpid()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        with theirs:
            try:
                process = subprocess.Popen(
                    [sys.executable, "-P", "-m", "triplestore.broker.replicating"],
                    stdin=theirs.fileno(),
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    cwd="/",
                    env=environment(),
                    start_new_session=True,
                )
            except OSError as error:
                self._control.close()
                raise ResourceError(
                    "answer a query",
                    f"no process can be started for it: {error}",
                    "see the cause and ask again",
                ) from error
        self.process = process.pid
        self.close = weakref.finalize(self, _end, self._control, process, self.pid)

    def insert(self, pieces: Iterable[bytes]) -> None:
        """Take in N-Quads; raises `wire.Broken` if the process is gone."""
        for piece in pieces:
            wire.send(self._control, wire.INSERT, piece)

    def ask(self, sparql: str, bounds: Bounds) -> socket.socket:
        """Send a query off; `read` reads the answer from what this returns.

        Raises:
            QueryError: it is no Unicode text.
            wire.Broken: the process is gone.
        """
        try:
            request = wire.Query(bounds, sparql).pack()
        except UnicodeEncodeError as error:
            raise QueryError("query a store", str(error), "give Unicode text") from None
        link, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        with theirs:
            try:
                wire.send(self._control, wire.QUERY, request)
                socket.send_fds(self._control, [b"f"], [theirs.fileno()])
            except OSError as error:
                link.close()
                raise wire.FrameBroken(str(error)) from error
            except BaseException:
                link.close()
                raise
        return link


def read(link: socket.socket, bounds: Bounds) -> Answer:
    """Read the answer to a query that was sent off, and close the connection.

    Raises:
        wire.Broken: the process was gone before it began.
    """
    deadline = time.monotonic() + bounds.timeout
    with link:
        try:
            kind, data, end = receive_answer(link, deadline + _PATIENCE, guarded=True)
        except wire.Late:
            raise bounds.late() from None
        except Died:
            if time.monotonic() >= deadline:
                raise bounds.late() from None
            raise MemoryLimitError(
                "answer a query", "its process ended, most likely for want of memory", "narrow it"
            ) from None
    if kind == wire.ERROR:
        raise wire.unpack_error(end)
    return read_answer(data, wire.unpack_json(end))


def _end(control: socket.socket, process: subprocess.Popen[bytes], parent: int) -> None:
    """Hang up, at which the process ends with all that it has forked."""
    control.close()
    if os.getpid() == parent:
        with suppress(OSError, subprocess.TimeoutExpired):
            process.wait(_PATIENCE)
    else:
        process.returncode = 0  # a fork's copy: the child is its parent's to wait for
