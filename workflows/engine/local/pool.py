"""Worker servers on this machine, started when first needed and kept warm."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import platformdirs
import psutil

from triplestore.errors import KilledError, ResourceError

from ..execution.calculation import Calculation
from ..execution.task import Task
from .slots import Lease
from .watch import end, has_ended

IDLE = 2
"""Servers that are kept, of those that have nothing to do: for one thread, and for more."""

STOPPING = 5.0
"""Seconds for a server to end a worker, before that is done without it."""

PASSED = (
    "PATH",
    "LANG",
    "TMPDIR",
    "XDG_RUNTIME_DIR",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "JAVA_HOME",
)
"""What workers see of our environment: where things are, and nothing that could be a secret."""

CARD_PASSED = ("CUDA_PATH", "CUDA_HOME", "CUPY_CACHE_DIR", "CUDA_CACHE_PATH")
"""What workers with a graphics card see in addition."""

MARK = "GRAFICO_SERVER"
"""Variable that tells of a process which server it descends from, whatever session it is in."""


@dataclass
class WorkerJob:
    """A task that a server was asked to have done.

    Attributes:
        ended: it is done, or its server is lost.
        worker: process number of who has begun it.
        lost: the server is.
    """

    ended: asyncio.Event = field(default_factory=asyncio.Event)
    worker: int | None = None
    lost: bool = False


class WorkerServer:
    """One worker server and the conversation with it."""

    def __init__(self, lease: Lease) -> None:
        ours, theirs = socket.socketpair()
        self.mark = uuid.uuid4().hex
        self.retired = False
        self._threads = lease.threads
        try:
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-P",
                    "-m",
                    "workflows.engine.local.server",
                    str(theirs.fileno()),
                    str(os.getpid()),
                ],
                env={**environment(lease), MARK: self.mark},
                cwd="/",
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            ours.close()
            raise ResourceError(
                "cannot start a worker process",
                error.strerror or str(error),
                "end other programs, or let less run at a time",
            ) from error
        finally:
            theirs.close()
        ours.setblocking(False)
        self._socket = ours
        self._jobs: dict[int, WorkerJob] = {}
        self._numbers = itertools.count(1)
        self._pending = b""
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(ours.fileno(), self._receive)

    @property
    def alive(self) -> bool:
        """Whether the process runs, and so does the loop that it talks to."""
        return not self._loop.is_closed() and not has_ended(self._process.pid)

    @property
    def idle(self) -> bool:
        """Whether it has nothing to do."""
        return not self._jobs

    async def run(self, task: Task, lease: Lease, work: Calculation[..., Any]) -> bool:
        """Run a task; when it is cancelled, return only after its worker is gone.

        Returns:
            False if the server died before any worker had begun the task.

        Raises:
            KilledError: the server died while a worker was at it.
        """
        number, job = next(self._numbers), WorkerJob()
        self._jobs[number] = job
        try:
            self._send(
                {
                    "run": number,
                    "folder": str(task.folder),
                    "preload": work.backend.preload,
                    "threads": self._threads,
                    "memory": lease.memory,
                    "patience": work.patience or lease.patience,
                }
            )
            await job.ended.wait()
        except asyncio.CancelledError:
            await uncancelled(self._stop(number, job))
            raise
        finally:
            del self._jobs[number]
        if job.lost and job.worker is not None:
            raise server_died()
        return not job.lost

    async def _stop(self, number: int, job: WorkerJob) -> None:
        """End one job, and nothing of the others."""
        self._send({"stop": number})
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(job.ended.wait(), STOPPING)
            return
        # it imports something on a slow disk, or hangs: it gets no more to do
        self.retired = True
        if len(self._jobs) == 1:
            self._lost()
        elif job.worker is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(job.worker, signal.SIGKILL)
        end = time.monotonic() + STOPPING
        while job.worker and not has_ended(job.worker) and time.monotonic() < end:
            await asyncio.sleep(0.01)

    def _send(self, request: Mapping[str, object]) -> None:
        try:
            self._socket.sendall(json.dumps(request).encode() + b"\n")
        except OSError:
            self._lost()

    def _receive(self) -> None:
        try:
            received = self._socket.recv(65536)
        except BlockingIOError:
            return
        except OSError:
            received = b""
        if not received:
            self._lost()
            return
        *lines, self._pending = (self._pending + received).split(b"\n")
        for line in lines:
            reply = json.loads(line)
            job = self._jobs.get(reply.get("done") or reply["begun"])
            if job is None:
                continue
            if "done" in reply:
                job.ended.set()
            else:
                job.worker = reply["pid"]

    def _lost(self) -> None:
        """Kill the server and what it started, and tell those who wait for it."""
        with contextlib.suppress(RuntimeError, ValueError, OSError):
            self._loop.remove_reader(self._socket.fileno())
        end_server(self._process.pid, self.mark)
        for job in self._jobs.values():
            job.lost = not job.ended.is_set()
            with contextlib.suppress(RuntimeError):  # the loop of who waited is closed
                job.ended.set()

    def close(self) -> None:
        """Kill the server, its workers and what they started."""
        self._lost()
        self._socket.close()
        self._process.wait()


class WorkerPool:
    """A server for each environment that leases ask for, because it is set before the imports."""

    def __init__(self) -> None:
        self._servers: dict[tuple[object, ...], WorkerServer] = {}
        self._retired: list[WorkerServer] = []

    async def run(
        self, task: Task, lease: Lease, work: Calculation[..., Any], tick: Callable[[], None]
    ) -> None:
        """Run a task; `tick` is called ten times a second.

        What it came to stands in its folder.

        Raises:
            KilledError: the server of the workers died.
            ResourceError: no process can be started.
        """
        for _ in range(2):  # a server that was killed before it began has done nothing
            job = asyncio.ensure_future(self._server(lease, work.brief).run(task, lease, work))
            try:
                while not job.done():
                    await asyncio.wait([job], timeout=0.1)
                    tick()
                if job.result():
                    return
            except BaseException:
                job.cancel()
                await uncancelled(asyncio.gather(job, return_exceptions=True))
                raise
        raise server_died()

    def _server(self, lease: Lease, brief: bool) -> WorkerServer:
        # a server talks to one loop; asyncio.run makes a new one each time
        here = (lease.device, asyncio.get_running_loop())
        kind = (*here, lease.threads, lease.gpu_memory)
        for other, server in list(self._servers.items()):
            if server.retired or not server.alive:
                self._retired.append(self._servers.pop(other))
        for server in list(self._retired):
            if server.idle or not server.alive:
                self._retired.remove(server)
                server.close()
        if kind not in self._servers:
            if brief and (any_one := [one for k, one in self._servers.items() if k[:2] == here]):
                return any_one[-1]  # how many threads it has matters less than its imports
            others = [k for k, server in self._servers.items() if server.idle]
            for other in others[: len(others) + 1 - IDLE]:  # each holds all its imports
                self._servers.pop(other).close()
            self._servers[kind] = WorkerServer(lease)
        return self._servers[kind]

    def close(self) -> None:
        """End all servers and their workers."""
        for server in (*self._servers.values(), *self._retired):
            server.close()
        self._servers.clear()
        self._retired.clear()


def server_died() -> KilledError:
    """Return the error for a calculation whose server was killed."""
    return KilledError(
        "the calculation was cut off",
        "the server of its worker died",
        "ask again; what is finished is kept",
    )


def end_server(leader: int, mark: str) -> None:
    """Kill a worker server, its workers and what they started, in other sessions too.

    Args:
        leader: its process number, not yet waited for, so that it is nobody else's.
        mark: what its descendants carry in their environment.
    """
    with contextlib.suppress(psutil.Error):
        server = psutil.Process(leader)
        server.suspend()  # it and those whose parent it is can no longer get away
        end([server, *server.children(recursive=True)])
    killed: set[psutil.Process] = set()
    while left := {one for one in psutil.process_iter() if is_child(one, leader, mark)} - killed:
        end(left)  # some may have started others meanwhile
        killed |= left


def is_child(process: psutil.Process, leader: int, mark: str) -> bool:
    """Whether a process that lives was started by a server or by one that it started."""
    with contextlib.suppress(psutil.Error, OSError):
        if process.status() != psutil.STATUS_ZOMBIE:
            return os.getsid(process.pid) == leader or process.environ().get(MARK) == mark
    return False


async def uncancelled(work: Awaitable[object]) -> None:
    """Wait until something is done, however often this is cancelled meanwhile."""
    job = asyncio.ensure_future(work)
    while not job.done():
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.shield(job)


def environment(lease: Lease) -> dict[str, str]:
    """Return the environment of a worker.

    Thread counts must be set before NumPy and PySCF are imported: more threads than cores make
    small molecules several times slower. Threads that wait for others sleep: where cores are taken,
    spinning makes small molecules three times slower, of PySCF and of tblite. So must the card,
    because programs take memory on every card that they see as soon as they are imported. Neither
    the home nor the working folder of the person is seen, because programs read settings there that
    change numbers behind a level of theory's back.
    """
    passed = {name: os.environ[name] for name in PASSED if name in os.environ}
    root = str(Path(__file__).resolve().parents[3])
    count = str(lease.threads)
    card = {"CUDA_VISIBLE_DEVICES": "" if lease.device == "cpu" else lease.device}
    if lease.device != "cpu":  # what is compiled for a card is kept, though there is no home
        cache = platformdirs.user_cache_path("grafico")
        card |= {"CUPY_CACHE_DIR": str(cache / "cupy"), "CUDA_CACHE_PATH": str(cache / "cuda")}
        card |= {name: os.environ[name] for name in CARD_PASSED if name in os.environ}
    if lease.gpu_memory:
        card["CUPY_GPU_MEMORY_LIMIT"] = str(lease.gpu_memory * 1_000_000)
    return {
        **passed,
        **card,
        "HOME": os.devnull,
        "TMPDIR": tempfile.gettempdir(),
        "PYTHONPATH": root,
        "LC_ALL": "C",
        "PYTHONUTF8": "1",
        "PYDANTIC_DISABLE_PLUGINS": "__all__",  # that of logfire would load all of it to trace
        "OMP_NUM_THREADS": count,
        "OMP_WAIT_POLICY": "passive",
        "OPENBLAS_NUM_THREADS": count,
        "MKL_NUM_THREADS": count,
        "MPLBACKEND": "Agg",
    }
