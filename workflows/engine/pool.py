"""Workers on this machine, started when first needed and kept warm."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from triplestore.errors import ResourceError

from .slots import Lease
from .task import Task

PASSED = ("PATH", "LANG", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "JAVA_HOME")
"""What a worker sees of our environment: nothing that could be a secret."""


class Worker:
    """One worker process and the conversation with it."""

    def __init__(self, threads: int) -> None:
        ours, theirs = socket.socketpair()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "workflows.engine.worker", str(theirs.fileno())],
            env=environment(threads),
            cwd="/",
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        theirs.close()
        ours.setblocking(False)
        self._socket = ours
        self._waiting: dict[str, asyncio.Future[int]] = {}
        self._pending = b""
        asyncio.get_running_loop().add_reader(ours.fileno(), self._receive)

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process.poll() is None

    async def run(self, task: Task, lease: Lease, preload: tuple[str, ...]) -> int:
        """Run a task in a child and return the child's exit status."""
        folder = str(task.folder)
        ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._waiting[folder] = ended
        request = {"run": folder, "preload": preload, "threads": lease.threads}
        self._send({**request, "memory": lease.memory})
        try:
            return await ended
        except asyncio.CancelledError:
            if self._waiting.get(folder) is ended:
                self._waiting[folder] = gone = asyncio.get_running_loop().create_future()
                self._send({"stop": folder})
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(gone, 5)
            raise
        finally:
            self._waiting.pop(folder, None)

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
                ended.set_result(reply["status"])

    def _lost(self) -> None:
        with contextlib.suppress(Exception):
            asyncio.get_running_loop().remove_reader(self._socket.fileno())
        for ended in self._waiting.values():
            if not ended.done():
                ended.set_exception(
                    ResourceError(
                        "the calculation was cut off",
                        "its worker process died",
                        "ask again; what was finished before is remembered",
                    )
                )

    def close(self) -> None:
        """Hang up; the worker kills its children and ends."""
        self._lost()
        with contextlib.suppress(RuntimeError, ValueError, OSError):
            asyncio.get_running_loop().remove_reader(self._socket.fileno())
        self._socket.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class WorkerPool:
    """A worker for each number of threads, because threads are set before the imports."""

    def __init__(self) -> None:
        self._workers: dict[int, Worker] = {}

    async def run(
        self, task: Task, lease: Lease, preload: tuple[str, ...], tick: Callable[[], None]
    ) -> int:
        """Run a task and return its exit status; `tick` is called ten times a second."""
        worker = self._workers.get(lease.threads)
        if worker is None or not worker.alive:
            if worker is not None:
                worker.close()
            worker = self._workers[lease.threads] = Worker(lease.threads)
        job = asyncio.ensure_future(worker.run(task, lease, preload))
        try:
            while not job.done():
                await asyncio.wait([job], timeout=0.1)
                tick()
            return job.result()
        except asyncio.CancelledError:
            job.cancel()
            await asyncio.gather(job, return_exceptions=True)
            raise

    def close(self) -> None:
        """End all workers."""
        for worker in self._workers.values():
            worker.close()
        self._workers.clear()


def environment(threads: int) -> dict[str, str]:
    """Return the environment of a worker.

    Thread counts must be set before NumPy and PySCF are imported: more threads than cores make
    small molecules several times slower. Neither the home nor the working folder of the person is
    seen, because programs read settings there that change numbers behind a level of theory's back.
    """
    passed = {name: os.environ[name] for name in PASSED if name in os.environ}
    root = str(Path(__file__).resolve().parents[2])
    count = str(threads)
    return {
        **passed,
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
