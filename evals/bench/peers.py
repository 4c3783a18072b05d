"""The mapper's peers: an environment of their own, and a child process each.

A peer is a script in `evals/peers` that answers requests line by line, so that its work and ours
can be measured in turn. It takes its own time; what passes between the processes is not in it.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

from .figures import say
from .programs import ROOT

HOME = ROOT / ".venv-bench"
CONSTRAINTS = ROOT / "evals" / "bench-constraints.txt"
PACKAGES = ("twa", "owlready2", "oxigraph")


class UnavailableError(Exception):
    """A peer cannot run here; the message says why."""


class Peer:
    """A program at work that answers requests, one a line.

    Args:
        command: the program and its arguments.
        log: the file for what it says besides its answers.

    Raises:
        UnavailableError: it ended before its first answer.
    """

    def __init__(self, command: Sequence[str], log: Path) -> None:
        self._name, self._log = Path(command[-2]).stem, log
        with log.open("wb") as errors:
            pipes: dict[str, Any] = {
                "stdin": subprocess.PIPE,
                "stdout": subprocess.PIPE,
                "stderr": errors,
            }
            self._child = subprocess.Popen(command, **pipes, text=True, cwd=ROOT)
        try:
            self.ask("start", 0, 0)
        except BaseException:
            self.close()
            raise

    def ask(self, what: str, batch: int, objects: int) -> float:
        """Let it do something with a batch of objects, and return the milliseconds it took."""
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        with suppress(BrokenPipeError):
            request = {"do": what, "batch": batch, "objects": objects}
            print(json.dumps(request), file=self._child.stdin, flush=True)
        answer = self._child.stdout.readline()
        if not answer:
            last = self._log.read_text(errors="replace").strip().splitlines()[-1:]
            raise UnavailableError(f"{self._name} ended: {' '.join(last) or 'no message'}")
        return float(json.loads(answer)["ms"])

    def close(self) -> None:
        """Let it end."""
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        with suppress(BrokenPipeError):
            self._child.stdin.close()  # which it takes for the end
        try:
            self._child.wait(10)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        self._child.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def environment() -> None:
    """Make `.venv-bench`, once, and again when its list of versions has changed.

    Raises:
        UnavailableError: the packages could not be installed.
    """
    wanted = hashlib.sha256(CONSTRAINTS.read_bytes() + str(HOME.resolve()).encode()).hexdigest()
    stamp = HOME / "stamp"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    say(f"installing {', '.join(PACKAGES)} into {HOME.name} (once, about a minute)…")
    shutil.rmtree(HOME, ignore_errors=True)
    pip = [str(HOME / "bin" / "python"), "-m", "pip", "install", "--quiet", "--no-input"]
    limits = ["--disable-pip-version-check", "-c", str(CONSTRAINTS), *PACKAGES]
    for command in ([sys.executable, "-m", "venv", str(HOME)], [*pip, *limits]):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            last = done.stderr.strip().splitlines()[-1:]
            raise UnavailableError(f"they could not be installed: {' '.join(last)}")
    stamp.write_text(wanted)


@contextmanager
def oxigraph(folder: Path) -> Generator[str]:
    """Serve a folder by Oxigraph on loopback, and yield the server's address.

    Raises:
        UnavailableError: it did not start.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    program = [str(HOME / "bin" / "oxigraph"), "serve", "--location", str(folder)]
    child = subprocess.Popen(
        [*program, "--bind", f"127.0.0.1:{port}"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _until_served(child, port)
        yield f"http://127.0.0.1:{port}"
    finally:
        child.terminate()
        child.wait()


def _until_served(child: subprocess.Popen[bytes], port: int) -> None:
    until = time.monotonic() + 20
    while child.poll() is None and time.monotonic() < until:
        with suppress(OSError):
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        time.sleep(0.05)
    raise UnavailableError("the Oxigraph server did not start")
