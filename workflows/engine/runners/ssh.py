"""`Host`: a program on another machine, over the OpenSSH of the system.

Nothing here asks for a password: what is not open with the person's keys is refused. Connections
are kept for a while and shared by all commands of that person, so that asking again costs a round
trip.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
import shlex
import subprocess
import tempfile
import weakref
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import IO, Any, Protocol

import triplestore.errors
from triplestore.broker.folder import flaw_of
from triplestore.errors import ComponentError, GraficoError, InputError, ResourceError
from triplestore.quads import disk_error

from ..local.tokens import runtime_folder
from .cluster import Cluster

MARK = b"grafico-there "
"""Begins the line with the answer: a login may print something before it."""

OPTIONS = {
    "BatchMode": "yes",
    "ConnectTimeout": "15",
    "ServerAliveInterval": "10",
    "ServerAliveCountMax": "3",
    "ControlMaster": "auto",
    "ControlPersist": "600",
}
"""Of each connection: no questions, and 30 s without a sign of life end it."""

PATIENCE = 120.0
"""Seconds in which something must go through a connection while an answer is waited for."""

LONGEST_SOCKET = 80
"""Characters of the path of a connection that is kept: ssh adds some 17, the system takes 104."""

BEFORE = """{{
[ ! -r /etc/profile ] || . /etc/profile
{setup}
}} < /dev/null >&2
exec {python} -P -m {module}
"""
"""What runs there: the program sees what the machine gives to everybody, `module` say."""

TROUBLES = (
    (
        r"Could not resolve hostname",
        "see how it is spelt (`host`), and whether the network is there",
    ),
    (
        r"Permission denied|Too many authentication failures",
        "make `ssh {host} true` work without a question: ssh-copy-id, ssh-add, or a key in "
        "~/.ssh/config",
    ),
    (
        r"Host key verification failed|IDENTIFICATION HAS CHANGED|host key is known",
        "connect once by hand (`ssh {host}`) and compare the key that it shows with the true one",
    ),
    (
        r"[Bb]ad configuration option|Can't open user config file|unknown option|usage: ssh",
        "see the options of ssh (`ssh`)",
    ),
)
"""Words of ssh, and what to do."""

WAIT = "see whether the network is there, and look again: jobs there go on meanwhile"


class Writable(Protocol):
    """What bytes can be written to."""

    def write(self, data: bytes, /) -> int:
        """Write them."""
        ...


class Talk:
    """A program on the other side of an `ssh`, which answers what it is asked.

    Attributes:
        moved: bytes that have gone to and fro.
    """

    def __init__(self, words: list[str]) -> None:
        self.moved = 0
        self._told = tempfile.TemporaryFile()  # noqa: SIM115
        self._process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._told,
            start_new_session=True,
            env={**os.environ, "LC_ALL": "C"},
        )

    def exchange(
        self, request: Mapping[str, Any], more: Callable[[Writable], None] | None
    ) -> tuple[dict[str, Any], IO[bytes]]:
        """Send a request; return the answer and a file with what follows it.

        Raises:
            EOFError: it has ended.
        """
        assert self._process.stdin
        assert self._process.stdout
        with suppress(BrokenPipeError):  # it may have answered all the same
            self.write(json.dumps(request).encode() + b"\n")
            if more is not None:
                more(self)
            self._process.stdin.flush()
        for line in self._process.stdout:
            if line.startswith(MARK):
                answer = json.loads(line.removeprefix(MARK))
                return answer, self._rest(int(answer["length"]))
        raise EOFError

    def write(self, data: bytes) -> int:
        """Send bytes."""
        assert self._process.stdin
        self.moved += len(data)
        return self._process.stdin.write(data)

    def _rest(self, left: int) -> IO[bytes]:
        assert self._process.stdout
        file = tempfile.TemporaryFile()  # noqa: SIM115
        while left:
            piece = self._process.stdout.read(min(left, 1 << 20))
            if not piece:
                file.close()
                raise EOFError
            file.write(piece)
            self.moved += len(piece)
            left -= len(piece)
        file.seek(0)
        return file

    def last_words(self) -> tuple[int, str]:
        """Return how ssh ended and what it printed."""
        try:
            status = self._process.wait(5)
        except subprocess.TimeoutExpired:
            self.kill()
            status = self._process.wait()
        self._told.seek(0)
        return status, self._told.read().decode("utf-8", errors="replace")

    def kill(self) -> None:
        """End ssh; the program there finishes what it does, and ends."""
        self._process.kill()

    def end(self) -> None:
        """End it, and let go of all files."""
        self.kill()
        self._process.wait()
        for file in (self._process.stdin, self._process.stdout, self._told):
            with suppress(OSError):
                if file:
                    file.close()


class Host:
    """A machine on which a module of ours runs, and answers one request after the other.

    The module is started with the first of them, and ends with this object. All that it is asked
    may be asked again: so it is, where a connection that was open before turns out to be lost.

    Args:
        cluster: its host, options of ssh, lines before the program, and interpreter.
        module: that is run.
    """

    def __init__(self, cluster: Cluster, module: str) -> None:
        self.name = cluster.host
        python = cluster.python or "python3"
        home = '"$HOME"/' if python.startswith("~/") else ""
        script = BEFORE.format(
            setup="\n".join((":", *cluster.setup)),
            python=home + shlex.quote(python.removeprefix("~/") if home else python),
            module=module,
        )
        self._module, self._python = module, python
        options = [*cluster.ssh, *_options(cluster)]
        command = f"exec /bin/bash -c {shlex.quote(script)}"
        self._words = ["ssh", *options, "-T", "-x", "--", self.name, command]
        self._talk: Talk | None = None
        self._lock = asyncio.Lock()

    async def ask(
        self, request: Mapping[str, Any], more: Callable[[Writable], None] | None = None
    ) -> tuple[Any, IO[bytes]]:
        """Send a request; return what is answered, and a file with what follows that.

        Args:
            request: as JSON can hold it.
            more: writes what follows the request.

        Raises:
            InputError: there is no Grafico, or it refuses the request.
            ResourceError: the host does not answer.
            GraficoError: what the module raises.
        """
        async with self._lock:
            while True:
                fresh = self._talk is None
                talk = self._talk or self._start()
                try:
                    return await self._exchanged(talk, request, more)
                except EOFError:
                    trouble = self._trouble(*talk.last_words())
                    self._drop()
                    if fresh:
                        raise trouble from None
                except OSError as error:
                    self._drop()
                    raise disk_error(f"keep what {self.name} answers", error) from error
                except BaseException:
                    self._drop()
                    raise

    def _start(self) -> Talk:
        try:
            self._talk = Talk(self._words)
        except FileNotFoundError as error:
            raise ComponentError(self._asked, "there is no ssh", "install OpenSSH") from error
        self._end = weakref.finalize(self, self._talk.end)
        return self._talk

    def _drop(self) -> None:
        self._talk = None
        self._end()

    async def _exchanged(
        self, talk: Talk, request: Mapping[str, Any], more: Callable[[Writable], None] | None
    ) -> tuple[Any, IO[bytes]]:
        """Send a request, and wait for the answer as long as something goes through.

        Raises:
            EOFError: the program has ended before its answer.
            GraficoError: nothing came, or it is the answer.
        """
        answering = asyncio.ensure_future(asyncio.to_thread(talk.exchange, request, more))
        moved = -1
        try:
            while not (await asyncio.wait([answering], timeout=PATIENCE))[0]:
                if moved == talk.moved:
                    found = f"nothing has come from there for {PATIENCE:g} s"
                    raise ResourceError(self._asked, found, WAIT)
                moved = talk.moved
        except BaseException:
            talk.kill()  # so that its thread ends, too
            with suppress(Exception):
                await answering
            raise
        answer, file = answering.result()
        if "error" in answer:
            file.close()
            raise _error(answer["error"])
        return answer["said"], file

    @property
    def _asked(self) -> str:
        return f"{self.name} is to be asked"

    def _trouble(self, status: int, told: str) -> GraficoError:
        """Return what is wrong where nothing was answered."""
        lines = [line for line in told.splitlines() if line.strip()]
        found = lines[-1].strip() if lines else f"ssh ended with status {status}"
        if status in (1, 126, 127):
            return InputError(
                self._asked,
                f"Grafico does not start there with {self._python}: {found}",
                "install the same Grafico there, and say where its interpreter is (`python`, "
                "`setup`)",
            )
        for words, advice in TROUBLES:
            if re.search(words, told):
                return ResourceError(self._asked, found, advice.format(host=self.name))
        return ResourceError(self._asked, found, WAIT)


def _options(cluster: Cluster) -> list[str]:
    """Return our options of ssh; the connection is kept where a private folder can be had."""
    who = json.dumps([cluster.host, cluster.ssh])
    socket = runtime_folder("ssh") / hashlib.sha256(who.encode()).hexdigest()[:16]
    with suppress(OSError):
        socket.parent.mkdir(mode=0o700, exist_ok=True)
    kept = socket.parent.is_dir() and not flaw_of(socket.parent)
    path = socket if kept and len(str(socket)) <= LONGEST_SOCKET else "none"
    all_of = {**OPTIONS, "ControlPath": str(path)}
    return [word for name, value in all_of.items() for word in ("-o", f"{name}={value}")]


def error_as_dict(error: GraficoError) -> dict[str, Any]:
    """Return an error as JSON can hold it."""
    kinds = [one.__name__ for one in type(error).__mro__]
    return {"kinds": kinds, "texts": [error.asked, error.found, error.advice]}


def _error(said: Mapping[str, Any]) -> GraficoError:
    """Return the error that was raised there."""
    for kind in said["kinds"]:
        found = getattr(triplestore.errors, kind, None)
        if isinstance(found, type) and issubclass(found, GraficoError):
            return found(*map(str, said["texts"]))
    return ResourceError(*map(str, said["texts"]))
