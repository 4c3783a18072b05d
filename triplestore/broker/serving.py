"""How the broker serves its connections, and how it ends.

Each connection has a thread; pyoxigraph releases the interpreter while it works. pyoxigraph cannot
stop a query that spins inside it. When one passes its time limit, its client is told, the others
get a second to finish, and the process ends; their clients start a fresh broker and repeat their
requests, which is safe because every request is idempotent. When memory runs out while queries of
others are in flight, all of them get an error and the process ends at once; requests of our own
are repeated as before. A query of our own may take much more; where it does, as on damaged tables,
and none of others is in flight, the one that has run longest gets the error.
"""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
import traceback
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NoReturn

from triplestore.broker import folder as places
from triplestore.broker import wire
from triplestore.broker.engine import Engine, WoundedError
from triplestore.broker.jobs import STALLED, Job, Jobs
from triplestore.broker.memory_limit import MemoryLimit, give_back
from triplestore.errors import GraficoError, InputError, MemoryLimitError, ResourceError
from triplestore.machine import memory_limit, used_memory

_TICK, _GRACE = 0.2, 1.0
_FLUSH_AFTER = 0.7

OWN = memory_limit() // 2
"""Bytes that the process may hold while it answers a query of our own."""

_YOUNG = 1.0
"""Seconds after which a query may be the one that takes so much."""

_PART = 2.0
"""Seconds that a part of its answer may take to be sent, before it is told so."""


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
        self,
        engine: Engine,
        listener: socket.socket,
        path: str,
        folder: Path,
        mark: str,
        lock: int,
        idle: float,
    ) -> None:
        self._engine, self._listener, self._path = engine, listener, path
        self._folder, self._lock, self._idle = folder, lock, idle
        self._greeting = wire.pack_json({"wire": wire.VERSION, "store": mark})
        self._ceiling = MemoryLimit(self._out_of_memory)
        self._ending = threading.Lock()
        self._guard = threading.Lock()
        self._links: set[socket.socket] = set()
        self._jobs = Jobs()
        self._busy = 0
        self._leaving = threading.Event()
        self._dirty = threading.Event()
        self._weighed = 0.0

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
            self._stop_late()
            self._weigh(now)
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
        try:
            threading.Thread(target=self._attend, args=(link,), daemon=True).start()
        except RuntimeError:  # no room for another: the client asks again
            with self._guard:
                self._links.discard(link)
            link.close()

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
        except (wire.FrameBroken, wire.Late):
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
            elif kind == wire.COPY:
                self._engine.copy(Path(os.fsdecode(bytes(payload))))
            else:
                raise InputError("serve a request", f"kind {kind!r} is unknown", "")
            wire.send(link, wire.END, wire.pack_json({}))
        except GraficoError as error:
            wire.send(link, wire.ERROR, wire.pack_error(error))
        except MemoryError:
            error = MemoryLimitError("serve a request", "memory ran out", "ask for less at once")
            wire.send(link, wire.ERROR, wire.pack_error(error))

    def _dump(self, link: socket.socket) -> None:
        """Send all quads, for as long as their reader goes on reading."""
        link.settimeout(STALLED)
        try:
            self._engine.dump(lambda data: wire.send(link, wire.DATA, data))
        finally:
            link.settimeout(None)

    def _query(self, link: socket.socket, asked: wire.Query) -> None:
        with self._jobs.waited_for(link, asked.bounds) as job, ExitStack() as stack:
            if (memory := asked.bounds.memory) is not None:
                self._check_memory(memory)
                stack.enter_context(self._ceiling.over(memory))
                wire.send(link, wire.BEGUN)
            stack.enter_context(self._jobs.answering(job))
            self._answer(job, asked.sparql)

    def _check_memory(self, memory: int) -> None:
        """Make room for a query that may make us hold so many bytes."""
        if used_memory() < memory / 2:
            return
        give_back()
        if used_memory() < memory:
            return
        if not self._jobs.all():
            log("more memory is held than a query of others may take: ending")
            raise WoundedError  # a fresh broker holds next to nothing
        raise ResourceError(
            "answer a query", "the store's process needs its memory for others", "ask again later"
        )

    def _answer(self, job: Job, sparql: str) -> None:
        try:
            kind, cut = self._engine.answer(
                sparql, lambda data: job.send(wire.DATA, data), job.bounds, job.deadline
            )
        except GraficoError as error:
            job.send(wire.ERROR, wire.pack_error(error))
        else:
            job.send(wire.END, wire.pack_json({"kind": kind, "cut": cut}))

    def _stop_late(self) -> None:
        """Give up queries past their limit; if one spins in the engine, end the process."""
        for job in self._jobs.late():
            job.tell(wire.ERROR, wire.pack_error(job.bounds.late()))
            if job.given_up:  # else it was sending, and the engine is idle
                why = (
                    "its client had hung up"
                    if job.client_gone
                    else f"it ran past {job.bounds.timeout:g} s"
                )
                log(f"a query is left inside the engine, for {why}: ending")
                self.leave()

    def _weigh(self, now: float) -> None:
        """Give up a query of our own that makes us hold too much, and end at once."""
        if now - self._weighed < _TICK:
            return
        self._weighed = now
        if used_memory() <= OWN or self._jobs.of_others():  # whose ceiling is watched by itself
            return
        own = [job for job in self._jobs.all() if job.bounds.memory is None]
        longest = min(own, key=lambda job: job.begun, default=None)
        if longest is None or now - longest.begun < _YOUNG:
            return
        give_back()
        if used_memory() <= OWN:
            return
        told = f"memory ran out: the store's process held more than {OWN >> 20:,} MiB"
        error = MemoryLimitError("answer a query", told, "narrow it")
        longest.tell(wire.ERROR, wire.pack_error(error), _PART)
        log("a query of our own took too much memory: ending")
        self._end(at_once=True)

    def _out_of_memory(self) -> None:
        """Refuse the queries of others that are in flight, and end at once."""
        for job in self._jobs.of_others():
            job.tell(wire.ERROR, wire.pack_error(job.bounds.too_large()))
        log("queries of others took too much memory: ending")
        self._end(at_once=True)

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

    def _end(self, *, at_once: bool = False) -> NoReturn:
        """Let others finish, flush, give the folder back, and end whatever still runs.

        Args:
            at_once: let nobody finish; nothing acknowledged is lost by that.
        """
        self._ending.acquire()  # the second to come waits here until the process is gone
        if places.still_held(self._folder, self._lock):  # else it may be a successor's
            with suppress(OSError):
                os.unlink(self._path)
        self._listener.close()
        until = time.monotonic() + (0.0 if at_once else _GRACE)
        while time.monotonic() < until:
            if self._busy <= self._jobs.stuck():
                break
            time.sleep(0.01)
        for job in self._jobs.of_others():
            job.tell(wire.LEAVING, b"")  # it may be asked again elsewhere
        status = 0
        try:
            self._engine.flush()
            if not at_once:
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
