"""The worker server: a process that has imported what calculations need and forks workers.

It is started by `pool.WorkerPool` as ``python -m workflows.engine.worker FD`` with its
environment (threads, devices, no secrets) already set, and speaks JSON lines over the socket FD:

    → {"run": FOLDER, "preload": [MODULE, …], "threads": N, "memory": MB}
    → {"stop": FOLDER}
    ← {"done": FOLDER, "status": N}        N < 0: ended by that signal

A worker takes one task after the other, so that memory pages touched once stay touched; it is
replaced after `TASKS` of them, and when it dies or is stopped. When the socket closes, whoever
asked is gone: the workers are killed and the server ends. A worker ends too when its server is
gone, because a pipe between them then closes.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib
import json
import os
import platform
import selectors
import signal
import socket
import sys
import threading
import time
import traceback
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ogm import GraphModel, Link, class_iri
from ontologies.provenance import Activity, Device, Software
from triplestore.errors import GraficoError, RecipeError, ResourceError

from .context import Context, inside
from .task import Task

TASKS = 100
"""Tasks that a worker does before it is replaced."""


@dataclass
class Worker:
    """A forked process as its server sees it."""

    pid: int
    connection: socket.socket
    folder: str | None = None
    tasks: int = 0

    def give(self, request: dict[str, Any]) -> None:
        """Send a task."""
        self.folder = request["run"]
        self.tasks += 1
        with contextlib.suppress(OSError):  # it has died: the end of its socket tells
            self.connection.sendall(json.dumps(request).encode() + b"\n")

    def kill(self) -> None:
        """Kill it and what it started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)


class Server:
    """Hands tasks to workers, forking when none is idle, until the asker hangs up."""

    def __init__(self, asker: socket.socket) -> None:
        self.asker = asker
        self.workers: list[Worker] = []
        self.lifeline, self._alive = os.pipe()
        self._selector = selectors.DefaultSelector()
        self._selector.register(asker, selectors.EVENT_READ)
        self._pending = b""

    def serve(self) -> None:
        """Serve until the asker hangs up; then end every worker."""
        try:
            while True:
                for key, _ in self._selector.select():
                    if key.data is not None:
                        self._hear(key.data)
                    elif not self._asked():
                        return
        finally:
            for worker in self.workers:
                worker.kill()

    def _asked(self) -> bool:
        try:
            received = self.asker.recv(65536)
        except OSError:
            received = b""
        *lines, self._pending = (self._pending + received).split(b"\n")
        for line in lines:
            request = json.loads(line)
            if "run" in request:
                idle = next((w for w in self.workers if w.folder is None), None)
                (idle or self._fork(request["preload"])).give(request)
            else:
                for worker in self.workers:
                    if worker.folder == request["stop"]:
                        worker.kill()
        return bool(received)

    def _hear(self, worker: Worker) -> None:
        """Take a worker's word that its task is done, or its death."""
        status = 0
        try:
            alive = bool(worker.connection.recv(1))
        except OSError:
            alive = False
        if not alive or worker.tasks >= TASKS:
            self._selector.unregister(worker.connection)
            worker.connection.close()
            self.workers.remove(worker)
            if alive:
                os.waitpid(worker.pid, 0)
            else:
                worker.kill()
                status = os.waitstatus_to_exitcode(os.waitpid(worker.pid, 0)[1])
        if worker.folder is not None:
            reply = {"done": worker.folder, "status": status}
            worker.folder = None
            with contextlib.suppress(OSError):
                self.asker.sendall(json.dumps(reply).encode() + b"\n")

    def _fork(self, preload: list[str]) -> Worker:
        for module in preload:
            with contextlib.suppress(ImportError):  # the worker meets it again and can report it
                importlib.import_module(module)
        gc.collect()
        gc.freeze()
        ours, theirs = socket.socketpair()
        pid = os.fork()
        if pid:
            theirs.close()
            with contextlib.suppress(PermissionError, ProcessLookupError):
                os.setpgid(pid, pid)
            worker = Worker(pid, ours)
            self.workers.append(worker)
            self._selector.register(ours, selectors.EVENT_READ, worker)
            return worker
        status = 1
        try:
            os.setpgid(0, 0)
            ours.close()
            self.asker.close()
            self._selector.close()
            os.close(self._alive)
            for other in self.workers:
                other.connection.close()
            threading.Thread(target=_follow, args=(self.lifeline,), daemon=True).start()
            work(theirs)
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            with contextlib.suppress(Exception):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(status)


def work(server: socket.socket) -> None:
    """Do one task after the other until the server hangs up."""
    with server.makefile("rb") as requests:
        for count, line in enumerate(requests, 1):
            request = json.loads(line)
            run(Path(request["run"]), request["threads"], request["memory"])
            server.sendall(b".")
            gc.collect()  # now that nobody waits for it
            if count >= TASKS:
                return


def _follow(lifeline: int) -> None:
    """End this process group when the server is gone, whatever the main thread is doing."""
    os.read(lifeline, 1)
    os.killpg(0, signal.SIGKILL)


def run(folder: Path, threads: int, memory: int) -> None:
    """Run the calculation of a task folder and leave its output or its error there."""
    log = os.open(folder / "log.txt", os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.close(log)
    arrays = json.loads((folder / "call.json").read_text())["arrays"]
    task = Task(folder, Path(arrays) if arrays else None)
    name = "in that folder"
    try:
        document, calculation, arguments = task.load()
        name = calculation.name
        started, clock = datetime.now(UTC), time.monotonic()
        with inside(Context(folder=folder, threads=threads, memory=memory)):
            result: GraphModel = calculation(**arguments)
        wall_time = time.monotonic() - clock
        result = result.identified(class_iri(type(result).__name__, document["activity"]))
        activity = Activity(
            calculation=calculation.name,
            version=calculation.version,
            epoch=calculation.backend.epoch,
            key=document["key"],
            family=document["family"],
            signature=document["signature"],
            used=frozenset(Link[GraphModel](iri) for iri in document["objects"].values()),
            generated=Link[GraphModel](result),
            started=started,
            ended=datetime.now(UTC),
            wall_time=wall_time,
            threads=threads,
            device=Device(kind="cpu", name=processor()),
            software=software(calculation.backend.packages),
        ).identified(class_iri(Activity.__name__, document["activity"]))
        task.finish(activity, result)
    except GraficoError as error:
        task.fail(error)
    except MemoryError as error:
        task.fail(
            ResourceError(
                "the calculation ran out of memory",
                f"it was given {memory} MB; {error}",
                "ask for a smaller basis set, or give it more cores (memory goes with cores)",
            )
        )
    except Exception as error:
        traceback.print_exc()
        task.fail(
            RecipeError(
                f"the calculation {name} failed",
                f"{type(error).__name__}: {error}",
                "try another method, basis set or geometry; if it should work, report it",
            )
        )
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


@functools.cache
def software(packages: tuple[str, ...]) -> frozenset[Software]:
    """Return Python and these packages with their versions."""
    own = [Software(name="Python", version=platform.python_version())]
    return frozenset(own + [Software(name=name, version=version(name)) for name in packages])


@functools.cache
def processor() -> str:
    """Return the name of the processor."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Server(socket.socket(fileno=int(sys.argv[1]))).serve()
