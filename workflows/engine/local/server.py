"""The worker server: a process that has imported what calculations need and forks workers.

It is started by `pool.WorkerPool` as ``python -m workflows.engine.local.server FD PID`` with its
environment (threads, devices, no secrets) already set, and speaks JSON lines over the socket FD:

    → {"run": NUMBER, "folder": PATH, "preload": [MODULE, …], "threads": N, "memory": MB,
       "patience": S}
    → {"stop": NUMBER}
    ← {"begun": NUMBER, "pid": WORKER}
    ← {"done": NUMBER}

A task that is stopped before it was given to a worker is never begun. A worker takes one task after
the other, so that memory pages touched once stay touched; it is replaced when it says so (see
`worker.work`), and when it dies or is stopped. Why it died stands in the task's `error.json`, what
it printed in its log. What it started ends with it, wherever it hid.

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
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias, cast

import psutil

from triplestore.errors import ResourceError

from ..execution.task import Task
from .logfile import LogFile
from .watch import Watch, end, has_ended
from .worker import BEGUN, DONE, LEAVING, work

LOOK = 0.2
"""Seconds between two looks at the workers that are busy."""

IDLE_LOOK = 5.0
"""Seconds between two looks for the asker when nothing happens."""

FAREWELL = 0.02
"""Seconds between the end of a worker's connection and its own, where they are the same."""

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36

Request: TypeAlias = dict[str, Any]


@dataclass
class Worker:
    """A forked process as its server sees it."""

    pid: int
    connection: socket.socket
    output: int
    request: Request | None = None
    begun: bool = False
    ended: int = 0
    watch: Watch | None = None
    log: LogFile | None = field(default=None, repr=False)

    def give(self, request: Request) -> None:
        """Send a task."""
        folder = Path(request["folder"])
        self.request, self.begun = request, False
        self.watch = Watch(self.pid, folder, request["memory"], request["patience"])
        self.log = LogFile(folder)
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

    def hear_out(self) -> None:
        """Put all that it has printed so far, which belongs to this task, into the log."""
        for _ in range(64):
            if not self.listen():
                return

    def rest(self) -> None:
        """Be without a task."""
        if self.log is not None:
            self.log.close()
        self.request = self.watch = self.log = None

    def kill(self) -> None:
        """Kill it and what it started."""
        for how in (os.killpg, os.kill):  # it may have left its group
            with contextlib.suppress(ProcessLookupError, PermissionError):
                how(self.pid, signal.SIGKILL)


class Server:
    """Hands tasks to workers, forking when none is idle, until the asker hangs up."""

    def __init__(self, asker: socket.socket, parent: int) -> None:
        self.asker = asker
        self.parent = parent
        self.workers: list[Worker] = []
        self.queue: deque[Request] = deque()
        self.imported: set[str] = set()
        self.lifeline, self._alive = os.pipe()
        self._selector = selectors.DefaultSelector()
        self._selector.register(asker, selectors.EVENT_READ, None)
        self._pending = b""

    def serve(self) -> None:
        """Serve until the asker hangs up; then end every worker."""
        looked = time.monotonic()
        try:
            while True:
                busy = any(worker.request for worker in self.workers)
                patience = 0 if self.queue else LOOK if busy else IDLE_LOOK
                for key, _ in self._selector.select(patience):
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
                if self.queue:
                    self._begin()
                if time.monotonic() - looked >= LOOK:
                    self._look()
                    looked = time.monotonic()
        finally:
            end(psutil.Process().children(recursive=True))

    def _asked(self) -> bool:
        try:
            received = self.asker.recv(65536)
        except OSError:
            received = b""
        *lines, self._pending = (self._pending + received).split(b"\n")
        for line in lines:
            request = json.loads(line)
            if "run" in request:
                self.queue.append(request)
            else:
                self._stop(request["stop"])
        return bool(received)

    def _stop(self, number: int) -> None:
        for request in [one for one in self.queue if one["run"] == number]:
            self.queue.remove(request)
            self._say(done=number)
        for worker in self.workers:
            if worker.request is not None and worker.request["run"] == number:
                worker.begun = True  # or as good as: it is not given to another
                worker.kill()

    def _say(self, **word: int) -> None:
        with contextlib.suppress(OSError):
            self.asker.sendall(json.dumps(word).encode() + b"\n")

    def _begin(self) -> None:
        """Give the next task to a worker; or import a module for it, and then listen again."""
        request = self.queue[0]
        worker = next((one for one in self.workers if one.request is None), None)
        missing = [name for name in request["preload"] if name not in self.imported]
        if worker is None and missing:
            self.imported.add(missing[0])
            with contextlib.suppress(Exception, SystemExit):  # the worker meets it again
                importlib.import_module(missing[0])
            return
        self.queue.popleft()
        try:
            (worker or self._fork()).give(request)
        except OSError as error:
            with contextlib.suppress(Exception):
                Task(Path(request["folder"]), None).fail(
                    ResourceError(
                        "cannot start a worker process",
                        error.strerror or str(error),
                        "end other programs, or let less run at a time",
                    )
                )
            self._say(done=request["run"])

    def _look(self) -> None:
        for worker in list(self.workers):
            if has_ended(worker.pid):
                worker.ended += 1
                if worker.ended > 1:  # its last word would have been heard since the first look
                    self._bury(worker)  # what it has started holds its connection
            elif worker.watch is not None and worker.watch.look() is not None:
                worker.kill()

    def _hear(self, worker: Worker) -> None:
        """Take a worker's word that it has begun its task, or is done, or its death."""
        try:
            word = worker.connection.recv(1)
        except OSError:
            word = b""
        if word == BEGUN and worker.request is not None:
            worker.begun = True
            self._say(begun=worker.request["run"], pid=worker.pid)
        elif word == DONE:
            self._done(worker)
        else:
            self._bury(worker, leaving=word == LEAVING)

    def _done(self, worker: Worker) -> None:
        worker.hear_out()
        request = worker.request
        worker.rest()
        if request is not None:
            self._say(done=request["run"])

    def _bury(self, worker: Worker, leaving: bool = False) -> None:
        """Part from a worker that has died or leaves, and end what it has started."""
        self._forget(worker.connection)
        gone = time.monotonic() + FAREWELL
        while not leaving and not has_ended(worker.pid):
            if time.monotonic() > gone:
                return  # it has closed what was not its own: it can only end now, and `_look` sees
            time.sleep(0.001)
        worker.kill()
        status = os.waitstatus_to_exitcode(os.waitpid(worker.pid, 0)[1])
        self.workers.remove(worker)
        self._end_others()
        again = worker.request
        if again is not None and not (worker.begun or leaving or again.get("again")):
            again["again"] = True  # it was killed while it was idle
            worker.rest()
            self.queue.appendleft(again)
        elif worker.watch is not None and not leaving:
            worker.hear_out()
            self._tell_why(worker.watch, status)
        self._done(worker)
        self._forget(worker.output)
        worker.connection.close()
        os.close(worker.output)

    def _end_others(self) -> None:
        """End whom no worker has for a parent any more: their own has died, and we adopted them."""
        ours = {worker.pid for worker in self.workers}
        until = time.monotonic() + 1.0
        while others := [one for one in psutil.Process().children() if one.pid not in ours]:
            end(others)  # and the next time round their children, which are ours then
            for other in others:
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(other.pid, os.WNOHANG)
            if time.monotonic() > until:
                return  # the next time
            time.sleep(0.002)

    def _tell_why(self, watch: Watch, status: int) -> None:
        with contextlib.suppress(Exception):  # a full disk: who asked sees that there is nothing
            task = Task(watch.folder, None)
            if not task.finished and not task.failed:
                task.fail(watch.death(status))

    def _forget(self, channel: socket.socket | int) -> None:
        with contextlib.suppress(KeyError, ValueError):
            self._selector.unregister(channel)

    def _fork(self) -> Worker:
        gc.freeze()  # a worker need not look through, and so copy, what is imported
        ours, theirs = socket.socketpair()
        output, printed = os.pipe()
        server = os.getpid()
        try:
            pid = os.fork()
        except OSError:
            ours.close()
            os.close(output)
            raise
        finally:
            if os.getpid() == server:
                theirs.close()
                os.close(printed)
        if pid:
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
            gc.enable()
            os.setpgid(0, 0)
            follow(server)
            adopt()
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


def adopt() -> None:
    """Become the parent of each descendant whose own has died, whatever session it is in.

    Only Linux can do that.
    """
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


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
    gc.disable()  # imports leave little, and looking for it would take a tenth of their time
    adopt()
    Server(socket.socket(fileno=int(sys.argv[1])), int(sys.argv[2])).serve()
