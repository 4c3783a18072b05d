"""The worker server: a process that has imported what calculations need and forks workers.

It is started by `pool.WorkerPool` as ``python -m workflows.engine.server FD PID`` with its
environment (threads, devices, no secrets) already set, and speaks JSON lines over the socket FD:

    → {"run": FOLDER, "preload": [MODULE, …], "threads": N, "memory": MB, "patience": S}
    → {"stop": FOLDER}
    ← {"done": FOLDER}

A worker takes one task after the other, so that memory pages touched once stay touched; it is
replaced after `TASKS` of them, and when it dies or is stopped. Why it died stands in the task's
`error.json`, what it printed in its log.

When the socket closes or process PID is gone, whoever asked is gone: the workers are killed and the
server ends. A worker ends too when its server is gone: a pipe between them then closes, and on
Linux the kernel kills it even where it could not look.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import io
import json
import os
import selectors
import signal
import socket
import sys
import threading
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from .logfile import LogFile
from .task import Task
from .watch import Watch
from .worker import TASKS, work

LOOK = 0.2
"""Seconds between two looks at the workers that are busy."""

IDLE_LOOK = 5.0
"""Seconds between two looks for the asker when nothing happens."""

PR_SET_PDEATHSIG = 1


@dataclass
class Worker:
    """A forked process as its server sees it."""

    pid: int
    connection: socket.socket
    output: int
    folder: Path | None = None
    tasks: int = 0
    ended: int = 0
    watch: Watch | None = None
    log: LogFile | None = field(default=None, repr=False)

    def give(self, request: dict[str, Any]) -> None:
        """Send a task."""
        self.folder = Path(request["run"])
        self.watch = Watch(self.pid, self.folder, request["memory"], request["patience"])
        self.log = LogFile(self.folder)
        self.tasks += 1
        with contextlib.suppress(OSError):  # it has died: the end of its socket tells
            self.connection.sendall(json.dumps(request).encode() + b"\n")

    def listen(self) -> bool:
        """Put what it has printed into the log; False if there was nothing."""
        try:
            text = os.read(self.output, 1 << 20)
        except OSError:
            return False
        if self.log is not None:
            self.log.write(text)
        return bool(text)

    def rest(self) -> None:
        """Be without a task."""
        if self.log is not None:
            self.log.close()
        self.folder = self.watch = self.log = None

    def kill(self) -> None:
        """Kill it and what it started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)


class Server:
    """Hands tasks to workers, forking when none is idle, until the asker hangs up."""

    def __init__(self, asker: socket.socket, parent: int) -> None:
        self.asker = asker
        self.parent = parent
        self.workers: list[Worker] = []
        self.lifeline, self._alive = os.pipe()
        self._selector = selectors.DefaultSelector()
        self._selector.register(asker, selectors.EVENT_READ, None)
        self._pending = b""

    def serve(self) -> None:
        """Serve until the asker hangs up; then end every worker."""
        looked = time.monotonic()
        try:
            while True:
                busy = any(worker.folder for worker in self.workers)
                for key, _ in self._selector.select(LOOK if busy else IDLE_LOOK):
                    match key.data:
                        case (worker, "output"):
                            if not worker.listen():
                                self._forget(worker.output)
                        case (worker, _):
                            self._hear(worker)
                        case _:
                            if not self._asked():
                                return
                if os.getppid() != self.parent:
                    return
                if time.monotonic() - looked >= LOOK:
                    self._look()
                    looked = time.monotonic()
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
                    if worker.folder == Path(request["stop"]):
                        worker.kill()
        return bool(received)

    def _look(self) -> None:
        for worker in list(self.workers):
            if worker.watch is not None and worker.watch.look() is not None:
                worker.kill()
            elif os.waitid(os.P_PID, worker.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                worker.ended += 1
                if worker.ended > 1:  # its last word would have been heard since the first look
                    self._hear(worker, gone=True)  # what it has started holds its connection

    def _hear(self, worker: Worker, gone: bool = False) -> None:
        """Take a worker's word that its task is done, or its death."""
        try:
            alive = not gone and bool(worker.connection.recv(1))
        except OSError:
            alive = False
        for _ in range(64):  # up to here it belongs to this task
            if not worker.listen():
                break
        if not alive or worker.tasks >= TASKS:
            self._selector.unregister(worker.connection)
            self._forget(worker.output)
            worker.connection.close()
            os.close(worker.output)
            self.workers.remove(worker)
            if not alive:
                worker.kill()  # what it has started
            status = os.waitstatus_to_exitcode(os.waitpid(worker.pid, 0)[1])
            if not alive and worker.folder is not None and worker.watch is not None:
                self._tell_why(worker.folder, worker.watch, status)
        if worker.folder is not None:
            reply = {"done": str(worker.folder)}
            worker.rest()
            with contextlib.suppress(OSError):
                self.asker.sendall(json.dumps(reply).encode() + b"\n")

    def _tell_why(self, folder: Path, watch: Watch, status: int) -> None:
        with contextlib.suppress(Exception):  # a full disk: who asked sees that there is nothing
            task = Task(folder, None)
            if not task.finished and not task.failed:
                task.fail(watch.death(status))

    def _forget(self, output: int) -> None:
        with contextlib.suppress(KeyError, ValueError):
            self._selector.unregister(output)

    def _fork(self, preload: list[str]) -> Worker:
        for module in preload:
            with contextlib.suppress(ImportError):  # the worker meets it again and can report it
                importlib.import_module(module)
        gc.collect()
        gc.freeze()
        ours, theirs = socket.socketpair()
        output, printed = os.pipe()
        server = os.getpid()
        pid = os.fork()
        if pid:
            theirs.close()
            os.close(printed)
            os.set_blocking(output, False)
            with contextlib.suppress(PermissionError, ProcessLookupError):
                os.setpgid(pid, pid)
            worker = Worker(pid, ours, output)
            self.workers.append(worker)
            self._selector.register(ours, selectors.EVENT_READ, (worker, "word"))
            self._selector.register(output, selectors.EVENT_READ, (worker, "output"))
            return worker
        status = 1
        try:
            os.setpgid(0, 0)
            follow(server)
            ours.close()
            self.asker.close()
            self._selector.close()
            for fd in (self._alive, output, *(other.output for other in self.workers)):
                os.close(fd)
            for other in self.workers:
                other.connection.close()
            threading.Thread(target=_end_with, args=(self.lifeline,), daemon=True).start()
            print_into(printed)
            work(theirs)
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            with contextlib.suppress(Exception):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(status)


def follow(server: int) -> None:
    """Let the kernel kill this process when its server dies, and have it killed before others.

    Where there is no such call (macOS) the lifeline does it, a little later.
    """
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL))
        if os.getppid() != server:  # it died before the call
            os._exit(1)
    with contextlib.suppress(OSError):
        # when memory runs out it is a calculation that took it, and that can be asked for again
        Path("/proc/self/oom_score_adj").write_text("800")


def print_into(pipe: int) -> None:
    """Send what is printed, from Python or C, into a pipe; line by line, so that a crash shows."""
    os.dup2(pipe, 1)
    os.dup2(pipe, 2)
    os.close(pipe)
    cast(io.TextIOWrapper, sys.stdout).reconfigure(line_buffering=True)
    with contextlib.suppress(OSError, ValueError, AttributeError):
        libc = ctypes.CDLL(None)
        name = "__stdoutp" if sys.platform == "darwin" else "stdout"
        libc.setvbuf(ctypes.c_void_p.in_dll(libc, name), None, 1, 4096)  # 1: line-buffered


def _end_with(lifeline: int) -> None:
    """End this process group when the server is gone, whatever the main thread is doing."""
    os.read(lifeline, 1)
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Server(socket.socket(fileno=int(sys.argv[1])), int(sys.argv[2])).serve()
