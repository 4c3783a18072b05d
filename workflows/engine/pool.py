"""Worker servers on this machine, started when first needed and kept warm."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import psutil

from triplestore.errors import KilledError

from .calculation import Calculation
from .slots import Lease
from .task import Task

STOPPING = 5.0
"""Seconds for a worker to be gone, before its server is killed too."""

PASSED = ("PATH", "LANG", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "JAVA_HOME")
"""What workers see of our environment: nothing that could be a secret."""


class Server:
    """One worker server and the conversation with it."""

    def __init__(self, lease: Lease) -> None:
        ours, theirs = socket.socketpair()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "workflows.engine.server",
             str(theirs.fileno()), str(os.getpid())],
            env=environment(lease),
            cwd="/",
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        theirs.close()
        ours.setblocking(False)
        self._socket = ours
        self._waiting: dict[str, asyncio.Future[None]] = {}
        self._pending = b""
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(ours.fileno(), self._receive)

    @property
    def alive(self) -> bool:
        """Whether the process runs, and so does the loop that it talks to."""
        return self._process.poll() is None and not self._loop.is_closed()

    async def run(self, task: Task, lease: Lease, work: Calculation[..., Any]) -> None:
        """Run a task; when it is cancelled, return only after its worker is gone.

        Raises:
            KilledError: the server died.
        """
        folder = str(task.folder)
        ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[folder] = ended
        try:
            self._send({
                "run": folder, "preload": work.backend.preload, "threads": lease.threads,
                "memory": lease.memory, "patience": work.patience or lease.patience,
            })  # fmt: skip
            await ended
        except asyncio.CancelledError:
            if self._waiting.get(folder) is ended:
                await undisturbed(self._stop(folder))
            raise
        finally:
            self._waiting.pop(folder, None)

    async def _stop(self, folder: str) -> None:
        self._waiting[folder] = gone = asyncio.get_running_loop().create_future()
        self._send({"stop": folder})
        try:
            await asyncio.wait_for(gone, STOPPING)
        except TimeoutError:
            end_session(self._process.pid)
        except KilledError:
            pass

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
            ended = self._waiting.pop(reply["done"], None)
            if ended is not None and not ended.done():
                ended.set_result(None)

    def _lost(self, by_us: bool = False) -> None:
        with contextlib.suppress(Exception):
            asyncio.get_running_loop().remove_reader(self._socket.fileno())
        if not by_us:
            end_session(self._process.pid)
        for ended in self._waiting.values():
            if not ended.done():
                ended.set_exception(
                    KilledError(
                        "the calculation was cut off",
                        "the server of its worker died",
                        "ask again; what was finished before is remembered",
                    )
                )

    def close(self) -> None:
        """Hang up; the server kills its workers and ends."""
        self._lost(by_us=True)
        with contextlib.suppress(RuntimeError, ValueError, OSError):
            asyncio.get_running_loop().remove_reader(self._socket.fileno())
        self._socket.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            end_session(self._process.pid)
            self._process.wait()


class WorkerPool:
    """A server for each environment that leases ask for, because it is set before the imports."""

    def __init__(self) -> None:
        self._servers: dict[tuple[object, ...], Server] = {}

    async def run(
        self, task: Task, lease: Lease, work: Calculation[..., Any], tick: Callable[[], None]
    ) -> None:
        """Run a task; `tick` is called ten times a second.

        What it came to stands in its folder.

        Raises:
            KilledError: the server of the workers died.
        """
        # a server talks to one loop; asyncio.run makes a new one each time
        kind = (lease.device, lease.threads, lease.gpu_memory, asyncio.get_running_loop())
        for other, server in list(self._servers.items()):
            if not server.alive:
                self._servers.pop(other).close()
        server = self._servers.get(kind)
        if server is None:
            server = self._servers[kind] = Server(lease)
        job = asyncio.ensure_future(server.run(task, lease, work))
        try:
            while not job.done():
                await asyncio.wait([job], timeout=0.1)
                tick()
            return job.result()
        except BaseException:
            job.cancel()
            await undisturbed(asyncio.gather(job, return_exceptions=True))
            raise

    def close(self) -> None:
        """End all servers and their workers."""
        for server in self._servers.values():
            server.close()
        self._servers.clear()


def end_session(leader: int) -> None:
    """Kill a worker server, its workers and what they started: all that share its session."""
    for pid in psutil.pids():
        with contextlib.suppress(OSError):
            if os.getsid(pid) == leader:
                os.kill(pid, signal.SIGKILL)


async def undisturbed(work: Awaitable[object]) -> None:
    """Wait until something is done, however often this is cancelled meanwhile."""
    job = asyncio.ensure_future(work)
    while not job.done():
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.shield(job)


def environment(lease: Lease) -> dict[str, str]:
    """Return the environment of a worker.

    Thread counts must be set before NumPy and PySCF are imported: more threads than cores make
    small molecules several times slower. So must the card, because programs take memory on every
    card that they see as soon as they are imported. Neither the home nor the working folder of the
    person is seen, because programs read settings there that change numbers behind a level of
    theory's back.
    """
    passed = {name: os.environ[name] for name in PASSED if name in os.environ}
    root = str(Path(__file__).resolve().parents[2])
    count = str(lease.threads)
    card = {"CUDA_VISIBLE_DEVICES": "" if lease.device == "cpu" else lease.device}
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
        "OMP_NUM_THREADS": count,
        "OPENBLAS_NUM_THREADS": count,
        "MKL_NUM_THREADS": count,
        "MPLBACKEND": "Agg",
    }
