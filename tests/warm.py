"""The command line in processes of their own that have no modules to import any more.

One process of each test process imports what commands need, and forks for each of them. So a
command has its own environment, folder, output, signals and end, as when a shell starts it, and
takes a hundredth of a second instead of a whole one. `program` is what to start in the place of
``python -m grafico``. Its process id is that of a relay: what is told of a process by its id, what
is imported when, and closed output are for real processes.
"""

from __future__ import annotations

import array
import atexit
import contextlib
import gc
import importlib
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from shutil import rmtree

ROOT = Path(__file__).resolve().parents[1]
RELAY = Path(__file__).with_name("relay.py")
PACKAGES = ("grafico", "ogm", "ontologies", "triplestore", "workflows")
OTHERS = (
    "anyio._backends._asyncio",
    "rdkit.Chem.AllChem",
    "rdkit.Chem.rdCIPLabeler",
    "rdkit.Chem.rdCoordGen",
    "rdkit.Chem.rdDetermineBonds",
    "rich._emoji_codes",
)
"""What they import when it is used."""


@cache
def program() -> list[str]:
    """Return the first words of a command, in the place of ``python -m grafico``."""
    folder = Path(tempfile.mkdtemp(prefix="grafico-", dir="/tmp"))
    place = str(folder / "warm")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.warm", place],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdin
    assert process.stdout

    def end() -> None:
        process.communicate()  # its input ends, and so does it
        rmtree(folder, ignore_errors=True)

    atexit.register(end)
    if process.stdout.readline() != b"ready\n":
        raise RuntimeError("no command can be started: `python -m tests.warm /tmp/x` says why")
    return [sys.executable, "-I", "-S", str(RELAY), place]


def everything() -> Iterator[str]:
    """Name what commands may import."""
    for name in PACKAGES:
        package = importlib.import_module(name)
        yield from (
            one.name
            for one in pkgutil.walk_packages(package.__path__, f"{name}.", onerror=lambda _: None)
            if not one.name.endswith("__main__")
        )
    yield from OTHERS


def serve(place: str) -> None:
    """Fork for each command; return only in the process of one."""
    for name in everything():
        with contextlib.suppress(Exception):  # a command that needs it says what is wrong with it
            importlib.import_module(name)
    assert threading.active_count() == 1, "a process with threads cannot be forked"
    gc.freeze()
    with socket.socket(socket.AF_UNIX) as waiting:
        waiting.bind(place)
        waiting.listen()
        print("ready", flush=True)
        while waiting in select.select([waiting, sys.stdin], [], [])[0]:
            connection, _ = waiting.accept()
            if not os.fork():
                waiting.close()
                keep(connection)
                return
            connection.close()
            with contextlib.suppress(ChildProcessError):  # so that their time is counted as ours
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()
    os._exit(0)


def keep(connection: socket.socket) -> None:
    """Start one command, tell how it ended, and end it when nobody wants to know any more."""
    said, numbers, *_ = socket.recv_fds(connection, 12, 3)
    length, words = int(said), b""
    while len(words) < length:
        words += connection.recv(length - len(words))
    signal.signal(signal.SIGCHLD, lambda *_: None)
    woken, wake = socket.socketpair()
    wake.setblocking(False)
    signal.set_wakeup_fd(wake.fileno())
    child = os.fork()
    if not child:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for number, given in enumerate(numbers):
            os.dup2(given, number)
            os.close(given)
        for one in (connection, woken, wake):
            one.close()
        become(json.loads(words))
        return
    for number in (0, 1, *numbers):
        os.close(number)
    connection.sendall(array.array("i", [child]).tobytes())
    while True:
        if connection in select.select([connection, woken], [], [])[0]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            break
        woken.recv(100)
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            code = os.waitstatus_to_exitcode(status)
            with contextlib.suppress(OSError):
                connection.sendall(array.array("i", [code]).tobytes())
            break
    os._exit(0)


def run() -> None:
    """Be the command; end as Python does, but for taking thousands of modules down again."""
    try:
        runpy.run_module("grafico", run_name="__main__", alter_sys=True)
    except SystemExit as error:
        if isinstance(error.code, str):
            raise
        threading._shutdown()  # pyright: ignore[reportAttributeAccessIssue]
        atexit._run_exitfuncs()
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(error.code or 0)


def become(given: dict[str, list[str] | dict[str, str] | str]) -> None:
    """Take over the words, folder, environment and streams of a command."""
    words, environment, folder = given["words"], given["environment"], given["folder"]
    assert isinstance(words, list)
    assert isinstance(environment, dict)
    assert isinstance(folder, str)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    places = list(filter(None, environment.get("PYTHONPATH", "").split(os.pathsep)))
    sys.path[:] = [folder, *places, *sys.path[1:]]
    importlib.invalidate_caches()
    sys.argv = ["grafico", *words]
    line = 1 if os.isatty(1) else -1
    sys.stdin = sys.__stdin__ = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = sys.__stdout__ = os.fdopen(1, "w", line, encoding="utf-8", closefd=False)
    sys.stderr = sys.__stderr__ = os.fdopen(
        2, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False
    )


if __name__ == "__main__":
    serve(sys.argv[1])
    run()
