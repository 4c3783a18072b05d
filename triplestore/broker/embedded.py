"""The client of an embedded store: quads in a folder, shared by the processes of one user.

The quads are held by a broker process (`triplestore.broker`). The client starts it when nobody
answers, and starts it again and repeats the request when it dies; every request is idempotent.
"""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from triplestore.bounds import MAX_BYTES, Bounds
from triplestore.broker import checking, launch, wire
from triplestore.broker import folder as places
from triplestore.broker.answering import Died, read_answer, receive_answer
from triplestore.errors import (
    ComponentError,
    InputError,
    MemoryLimitError,
    QueryError,
    RecordError,
    ResourceError,
    TimeLimitError,
)
from triplestore.machine import spare_memory
from triplestore.reach import by_path
from triplestore.store import Answer, Store, Table

# Deaths of the broker that one request outlives. Others' runaway queries cost one each; a request
# that kills it by itself must not go on for ever.
_ATTEMPTS = 4
_START, _GREETING = 20.0, 15.0
# Past the limit of the query: the broker's own slack, its tick, and a loaded machine.
_PATIENCE = 5.0
_INSERT_LIMIT = 600.0
_DUMP_PATIENCE = 60.0  # for the next piece
# After a query that took too much, seconds in which to find out whether tables are damaged, and
# for how long what was found to be whole is not looked at again.
_LOOK, _TRUSTED = 20.0, 600.0
T = TypeVar("T")


class EmbeddedStore(Store):
    """Quads in a folder; several processes and threads may use it at once.

    Each request takes a connection of its own from a small pool, so a slow query blocks nobody;
    after a fork the child opens its own.

    Args:
        folder: the folder; created when missing.
        idle: seconds without connections after which the broker ends.
        max_bytes: bytes of an answer after which it is cut.

    Raises:
        InputError: the folder cannot be used.
        ResourceError: the disk is full.
    """

    def __init__(self, folder: Path, *, idle: float = 30.0, max_bytes: int = MAX_BYTES) -> None:
        self._folder = Path(os.path.realpath(folder))
        self._idle, self._max_bytes = idle, max_bytes
        places.prepare(self._folder)
        self._mark: str | None = None  # the stamp of the store, once it was reached
        self._pool = _Pool()
        self._closed = False
        self._looked: float | None = None  # when the tables were, after a query

    @property
    def url(self) -> str:
        """The folder as a file URL."""
        return self._folder.as_uri()

    @property
    def home(self) -> Path | None:
        """The folder of the store."""
        return self._folder

    def query(self, sparql: str, *, timeout: float = 45.0, max_rows: int | None = None) -> Answer:
        """Answer a query; see `Store.query`."""
        return self._query(sparql, Bounds(timeout, max_rows, self._max_bytes))

    def query_guarded(self, sparql: str, bounds: Bounds) -> Answer:
        """Answer a query of somebody else; see `Store.query_guarded`.

        The broker evaluates it. If it needs too much memory the broker ends, and so do the other
        queries of this kind that are in flight; our own are asked again.
        """
        memory = spare_memory() if bounds.memory is None else bounds.memory
        most = min(bounds.max_bytes, self._max_bytes)
        return self._query(sparql, replace(bounds, memory=memory, max_bytes=most))

    def _query(self, sparql: str, bounds: Bounds) -> Answer:
        try:
            request = wire.Query(bounds, sparql).pack()
        except UnicodeEncodeError as error:
            raise QueryError("query a store", str(error), "give Unicode text") from None
        patience, guarded = bounds.timeout + _PATIENCE, bounds.memory is not None
        try:
            data, end = self._ask(wire.QUERY, request, patience, kill=True, guarded=guarded)
        except Died:
            self._check_open()
            self._check_tables()
            raise MemoryLimitError(
                "answer a query",
                "the store's process ended while it was at it, most likely for want of memory",
                "narrow it; it is not asked again by itself",
            ) from None
        except (MemoryLimitError, TimeLimitError):
            self._check_tables()
            raise
        return read_answer(data, end)

    def _check_tables(self) -> None:
        """Look for damage after a query that took too much: on damaged tables many have no end.

        Raises:
            RecordError: there is some.
        """
        now = time.monotonic()
        if self._looked is not None and now - self._looked < _TRUSTED:
            return
        self._looked = now
        try:
            wrong = self.damage(patience=_LOOK)
        except ResourceError:  # not found out
            return
        if wrong:
            self._looked = None
            raise checking.damaged("answer a query", wrong)

    def reach(self, iris: Sequence[str], along: Sequence[str] | None = ()) -> Table:
        """Return subjects and what can be reached from them; see `Store.reach`."""
        table = self.query(by_path(iris, along))
        assert isinstance(table, Table)
        return table

    def insert(self, quads: bytes, *, durable: bool = True, settled: Collection[str] = ()) -> None:
        """Add N-Quads in one transaction; see `Store.insert`."""
        request = wire.Insert(durable, list(settled), quads).pack()
        if len(request) > wire.MAX_REQUEST:
            raise InputError("insert quads", f"{len(quads)} bytes at once", "insert them in parts")
        self._ask(wire.INSERT, request, _INSERT_LIMIT, kill=False)

    def flush(self) -> None:
        """Flush to disk what was inserted so far; see `Store.flush`."""
        self._ask(wire.FLUSH, b"", _INSERT_LIMIT, kill=False)

    def dump(self) -> Iterator[bytes]:
        """Iterate over all quads as N-Quads, as they are when the first piece is asked for.

        See `Store.dump`. Who takes no piece for five minutes is left by the broker.
        """
        asked = f"cannot read all quads of the store in {self._folder}"

        def begin(link: socket.socket) -> tuple[bytes, bytearray]:
            link.settimeout(_DUMP_PATIENCE)
            wire.send(link, wire.DUMP)
            return wire.receive(link, time.monotonic() + _DUMP_PATIENCE)

        pool, link, (kind, part) = self._talk(begin, _DUMP_PATIENCE, kill=False)
        whole = False
        try:
            while kind == wire.DATA:
                yield bytes(part)
                kind, part = wire.receive(link, time.monotonic() + _DUMP_PATIENCE)
            whole = kind in (wire.END, wire.ERROR)
            if not whole:
                raise wire.FrameBroken(f"an unexpected frame {kind!r}")
        except (wire.FrameBroken, wire.Late) as error:
            raise ResourceError(
                asked,
                f"its process went away in the middle, or left a reader who paused: {error}",
                "what came is not the whole; begin anew",
            ) from None
        finally:
            if whole:
                pool.give(link)
            else:
                link.close()  # what else is on its way is for nobody
        if kind == wire.ERROR:
            raise wire.unpack_error(part)

    def damage(
        self, tell: Callable[[str], None] = lambda _: None, patience: float | None = None
    ) -> list[str]:
        """Read each index of the quads and count it against the others; see `Store.damage`.

        It takes about 30 s a million quads, in a process of its own, on a copy of one moment.
        """
        with checking.room_for_copy(self._folder) as copy:
            try:
                self._ask(wire.COPY, os.fsencode(copy), _INSERT_LIMIT, kill=False)
            except RecordError as error:
                return [error.found]
            return checking.check_copy(copy, tell, patience)

    def close(self) -> None:
        """Close the connections; the broker ends by itself when nobody is left.

        A thread that waits for an answer gets an error.
        """
        self._closed = True
        pool = self._current_pool()
        for link in list(pool.busy):
            with suppress(OSError):
                link.shutdown(socket.SHUT_RDWR)
        pool.drop()

    def __del__(self) -> None:
        with suppress(Exception):
            self._pool.drop()

    def _current_pool(self) -> _Pool:
        if self._pool.pid != os.getpid():
            # A forked child: the parent's connections (and a lock that may be held) are not ours.
            inherited, self._pool = self._pool, _Pool()
            for link in inherited.links:
                link.close()
        return self._pool

    def _ask(
        self, kind: bytes, payload: bytes, patience: float, *, kill: bool, guarded: bool = False
    ) -> tuple[bytearray, dict[str, object]]:
        """Send a request and read its whole answer; what killed its broker is not sent again."""

        def exchange(link: socket.socket) -> tuple[bytes, bytearray, bytearray]:
            until = time.monotonic() + patience
            link.settimeout(max(0.001, patience))
            wire.send(link, kind, payload)
            return receive_answer(link, until, guarded=guarded)

        pool, link, (found, data, end) = self._talk(exchange, patience, kill=kill)
        pool.give(link)
        if found == wire.ERROR:
            raise wire.unpack_error(end)
        return data, wire.unpack_json(end)

    def _talk(
        self, talk: Callable[[socket.socket], T], patience: float, *, kill: bool
    ) -> tuple[_Pool, socket.socket, T]:
        """Talk over a connection, or over one to another broker if one dies meanwhile.

        Returns:
            The pool to which the connection is to be given back, the connection, what was said.
        """
        self._check_open()
        pool, failures = self._current_pool(), 0
        while failures < _ATTEMPTS:
            link = pool.take()
            reused = link is not None
            if link is None:
                link = self._connect(pool)
            pool.busy.add(link)
            try:
                return pool, link, talk(link)
            except wire.FrameBroken:
                link.close()
                pool.drop()  # they led to the same broker
                failures += not reused
                self._check_open()
            except wire.Late:
                if kill:
                    # The broker failed to stop its query: it must not hold the folder for ever.
                    _kill(link)
                link.close()
                raise TimeLimitError(
                    f"use the store in {self._folder}",
                    f"no answer in {patience:g} s",
                    "narrow the query" if kill else "look at the disk; asking again is safe",
                ) from None
            except BaseException:
                link.close()  # interrupted: half an answer may still be on its way
                raise
            finally:
                pool.busy.discard(link)
        raise ResourceError(
            f"use the store in {self._folder}",
            f"its process died {failures} times while it was asked",
            f"the request may need too much memory; see {self._folder / 'broker.log'}",
        )

    def _check_open(self) -> None:
        if self._closed:
            raise InputError(f"use the store in {self._folder}", "it was closed", "open it again")

    def _connect(self, pool: _Pool) -> socket.socket:
        """A connection to the broker, which is started when nobody listens."""
        until = time.monotonic() + _START
        while time.monotonic() < until:
            if link := self._try_connect():
                return link
            with pool.starting:  # one thread of ours is enough
                if link := self._try_connect():
                    return link
                if self._mark is not None and not (self._folder / "store.json").exists():
                    raise self._lost("it is gone: removed or renamed, or its disk is not there")
                launch.start_broker(self._folder, self._idle)
            if link := self._try_connect():
                return link
            time.sleep(0.02)
        raise ResourceError(
            f"cannot open the store in {self._folder}",
            "its process does not answer",
            f"see {self._folder / 'broker.log'} and ask again",
        )

    def _lost(self, found: str) -> ResourceError:
        """The error when another store, or none, is where ours was.

        Who remembers what ours holds would store halves of it in another one.
        """
        return ResourceError(
            f"use the store in {self._folder}",
            found,
            "put the old folder back and ask again; to begin anew or with a backup, end this"
            " program and start it again",
        )

    def _try_connect(self) -> socket.socket | None:
        """Connect to whom the lock file names; None when nobody is there."""
        holder = places.read_holder(self._folder)
        if holder is None or not holder.where.same_as(places.this_host()):
            return None
        link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            places.check_directory(Path(holder.socket).parent)
            link.settimeout(_GREETING)
            link.connect(holder.socket)
            if wire.peer_of(link).uid not in (None, os.geteuid()):
                raise InputError(
                    f"cannot open the store in {self._folder}",
                    "its process belongs to another user",
                    "ask that user, or choose another folder",
                )
            kind, payload = wire.receive(link, time.monotonic() + _GREETING)
            greeting = wire.unpack_json(payload)
        except (OSError, wire.FrameBroken):
            link.close()
            return None
        except wire.Late:
            _kill(link)  # stopped or wedged; what it committed is safe
            link.close()
            return None
        except BaseException:
            link.close()
            raise
        if kind != wire.GREETING or greeting.get("wire") != wire.VERSION:
            link.close()
            raise ComponentError(
                f"cannot open the store in {self._folder}",
                f"process {holder.pid} of another version holds it",
                "close the programs of that version and ask again after half a minute",
            )
        mark = str(greeting.get("store", ""))
        if self._mark not in (None, mark):
            link.close()
            raise self._lost("it is another one now than when it was opened")
        self._mark = mark
        return link


class _Pool:
    """Idle connections of one process."""

    def __init__(self) -> None:
        self.pid = os.getpid()
        self.links: list[socket.socket] = []
        self.busy: set[socket.socket] = set()
        self.starting = threading.Lock()

    # `append` and `pop` of a list are atomic, so the list needs no lock of its own.
    def take(self) -> socket.socket | None:
        with suppress(IndexError):
            return self.links.pop()
        return None

    def give(self, link: socket.socket) -> None:
        self.links.append(link)

    def drop(self) -> None:
        while link := self.take():
            link.close()


def _kill(link: socket.socket) -> None:
    # The connection is open, so its process lives and the number cannot belong to another.
    if pid := wire.peer_of(link).pid:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)
