"""How the broker serves its connections, and how it ends.

Each connection has a thread; pyoxigraph releases the interpreter while it works. pyoxigraph cannot
stop a query that spins inside it. When one passes its time limit, its client is told, the others
get a second to finish, and the process ends; their clients start a fresh broker and repeat their
requests, which is safe because every request is idempotent.
"""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
import traceback
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from triplestore import folder as places
from triplestore import wire
from triplestore.bounds import Bounds
from triplestore.engine import Engine, WoundedError
from triplestore.errors import GraficoError, InputError, ResourceError

QUERIES_AT_ONCE = 16
_TICK, _SLACK, _GRACE = 0.2, 0.25, 1.0
_FLUSH_AFTER = 0.7
STALLED = 300.0
"""Seconds after which the reader of a dump, who takes no more of it, is left."""


@dataclass(eq=False)
class _Job:
    """A query in flight; its thread holds `talking` while it sends, else it is in the engine."""

    link: socket.socket
    bounds: Bounds
    deadline: float
    given_up: bool = False
    talking: threading.Lock = field(default_factory=threading.Lock)


class Broker:
    """Serves one folder whose lock is held.

    Args:
        engine: the open quads.
        listener: the bound, listening socket.
        path: where it is bound.
        folder: the folder of the store.
        mark: what its stamp says, to tell it from others.
        lock: its locked file.
        idle: seconds without a connection after which to end.
    """

    def __init__(
        self, engine: Engine, listener: socket.socket, path: str, folder: Path, mark: str,
        lock: int, idle: float,
    ) -> None:  # fmt: skip
        self._engine, self._listener, self._path = engine, listener, path
        self._folder, self._lock, self._idle = folder, lock, idle
        self._greeting = wire.pack_json({"wire": wire.VERSION, "store": mark})
        self._room = threading.BoundedSemaphore(QUERIES_AT_ONCE)
        self._guard = threading.Lock()
        self._links: set[socket.socket] = set()
        self._jobs: set[_Job] = set()
        self._busy = 0
        self._leaving = threading.Event()
        self._dirty = threading.Event()

    def leave(self) -> None:
        """Ask the broker to end soon."""
        self._leaving.set()

    def serve(self) -> None:
        """Accept connections until idle, told to leave, or a query has run away."""
        threading.Thread(target=self._flush_often, daemon=True).start()
        quiet_since = looked = time.monotonic()
        while not self._leaving.is_set():
            with suppress(TimeoutError, ConnectionError):
                self._accept()
            now = time.monotonic()
            self._stop_late(now)
            if self._links:
                quiet_since = now
            elif now - quiet_since > self._idle:
                break
            if now - looked > 2:
                looked = now
                self._keep_socket()
        self._end()

    def _accept(self) -> None:
        try:
            link, _ = self._listener.accept()
        except TimeoutError:
            raise
        except OSError:
            time.sleep(_TICK)  # out of file descriptors: wait for a client to leave
            return
        with self._guard:
            self._links.add(link)
        threading.Thread(target=self._attend, args=(link,), daemon=True).start()

    def _attend(self, link: socket.socket) -> None:
        """Serve one connection until it closes."""
        try:
            link.settimeout(None)
            peer = wire.peer_of(link)
            if peer.uid not in (None, os.geteuid()):
                return
            wire.send(link, wire.GREETING, self._greeting)
            while not self._leaving.is_set():
                kind, payload = wire.receive(link, limit=wire.MAX_REQUEST + 64)
                with self._guard:
                    self._busy += 1
                try:
                    self._handle(link, kind, payload)
                finally:
                    with self._guard:
                        self._busy -= 1
        except (wire.Broken, wire.Late):
            pass
        except WoundedError:
            self.leave()  # a fresh broker opens the store again; the client repeats its request
        except Exception:
            log(traceback.format_exc())
        finally:
            with self._guard:
                self._links.discard(link)
            link.close()

    def _handle(self, link: socket.socket, kind: bytes, payload: bytearray) -> None:
        if not places.still_held(self._folder, self._lock):
            # Removed under us: what we would store is in files that nobody will open.
            log("the folder or its lock file was removed: ending")
            raise WoundedError
        try:
            if kind == wire.QUERY:
                self._query(link, wire.Query.unpack(payload))
                return
            if kind == wire.INSERT:
                asked = wire.Insert.unpack(payload)
                self._engine.insert(asked.quads, durable=asked.durable, settled=asked.settled)
                if not asked.durable:
                    self._dirty.set()
            elif kind == wire.FLUSH:
                self._engine.flush()
            elif kind == wire.DUMP:
                self._dump(link)
            else:
                raise InputError("serve a request", f"kind {kind!r} is unknown", "")
            wire.send(link, wire.END, wire.pack_json({}))
        except GraficoError as error:
            wire.send(link, wire.ERROR, wire.pack_error(error))
        except MemoryError:
            error = ResourceError("serve a request", "memory ran out", "ask for less at once")
            wire.send(link, wire.ERROR, wire.pack_error(error))

    def _dump(self, link: socket.socket) -> None:
        """Send all quads, for as long as their reader goes on reading."""
        link.settimeout(STALLED)
        try:
            self._engine.dump(lambda data: wire.send(link, wire.DATA, data))
        finally:
            link.settimeout(None)

    def _query(self, link: socket.socket, asked: wire.Query) -> None:
        rows = None if asked.max_rows < 0 else asked.max_rows
        bounds = Bounds(asked.timeout, rows, asked.max_bytes)
        deadline = time.monotonic() + bounds.timeout
        if not self._room.acquire(timeout=bounds.timeout):
            raise ResourceError(
                "answer a query", f"{QUERIES_AT_ONCE} others were running all the time",
                "ask again later",
            )  # fmt: skip
        job = _Job(link, bounds, deadline)
        with self._guard:
            self._jobs.add(job)
        try:
            self._answer(job, asked.sparql)
        finally:
            with self._guard:
                self._jobs.discard(job)
            self._room.release()

    def _answer(self, job: _Job, sparql: str) -> None:
        def send(kind: bytes, payload: bytes | bytearray) -> None:
            with job.talking:
                if job.given_up:
                    raise wire.Broken("given up")
                wire.send(job.link, kind, payload)

        try:
            kind, cut = self._engine.answer(
                sparql, lambda data: send(wire.DATA, data), job.bounds, job.deadline
            )
        except GraficoError as error:
            send(wire.ERROR, wire.pack_error(error))
        else:
            send(wire.END, wire.pack_json({"kind": kind, "cut": cut}))

    def _stop_late(self, now: float) -> None:
        """Give up queries past their limit; if one spins in the engine, end the process."""
        with self._guard:
            late = [job for job in self._jobs if now > job.deadline + _SLACK and not job.given_up]
        for job in late:
            if not job.talking.acquire(blocking=False):
                # Its client does not read; the engine is idle, so only the connection goes.
                with suppress(OSError):
                    job.link.shutdown(socket.SHUT_RDWR)
                continue
            job.given_up = True
            job.talking.release()
            with suppress(wire.Broken, wire.Late, OSError):
                job.link.settimeout(_TICK)
                wire.send(job.link, wire.ERROR, wire.pack_error(job.bounds.late()))
            log(f"a query ran past {job.bounds.timeout:g} s inside the engine: ending")
            self.leave()

    def _flush_often(self) -> None:
        while True:
            self._dirty.wait()
            self._dirty.clear()
            time.sleep(_FLUSH_AFTER)
            try:
                self._engine.flush()
            except GraficoError as error:
                log(str(error))

    def _keep_socket(self) -> None:
        """Bind again if the socket is gone.

        A runtime directory is removed at log-out and temporary ones are swept, while jobs go on.
        """
        if not places.still_held(self._folder, self._lock):
            self.leave()
            return
        if os.path.exists(self._path):
            return
        try:
            self._listener.close()
            self._listener, self._path = listen(self._folder)
            places.write_holder(self._lock, self._path)
        except (OSError, GraficoError) as error:
            log(f"the socket is gone and cannot be made again: {error}")
            self.leave()

    def _end(self) -> NoReturn:
        """Let others finish, flush, give the folder back, and end whatever still runs."""
        if places.still_held(self._folder, self._lock):  # else it may be a successor's
            with suppress(OSError):
                os.unlink(self._path)
        self._listener.close()
        until = time.monotonic() + _GRACE
        while time.monotonic() < until:
            with self._guard:
                stuck = sum(job.given_up for job in self._jobs)
                if self._busy <= stuck:
                    break
            time.sleep(0.01)
        status = 0
        try:
            self._engine.flush()
            self._engine.tidy()
            places.clear_holder(self._lock)
        except (OSError, GraficoError) as error:
            log(str(error))
            status = 1
        # Not sys.exit: a thread inside the engine would never let the interpreter end.
        os._exit(status)


def listen(folder: Path) -> tuple[socket.socket, str]:
    """Bind the socket of the folder, for this user alone; the caller holds the lock."""
    path = places.socket_path(folder)
    with suppress(FileNotFoundError):
        os.unlink(path)  # left by a broker that was killed: we hold its lock
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(path)  # under umask 077
    os.chmod(path, 0o600)
    listener.listen(128)
    listener.settimeout(_TICK)
    return listener, path


def log(text: str) -> None:
    """Write a line to broker.log, unless it is long already."""
    with suppress(OSError, ValueError):
        if os.fstat(2).st_size < 1 << 18:
            sys.stderr.write(f"{time.strftime('%FT%TZ', time.gmtime())} [{os.getpid()}] {text}\n")
            sys.stderr.flush()
