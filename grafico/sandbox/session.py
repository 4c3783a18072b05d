"""`Sandbox`: runs Python that a language model has written, confined, with values by IRI."""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import secrets
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import IO, Any, Self

from triplestore.errors import ComponentError, InputError, ResourceError

from .inside.frames import LENGTHS, FrameError, lengths, pack, parse
from .jail import jailed, probe
from .limits import SandboxLimits
from .outcome import TYPES, Artefact, Ran, checked
from .rerun import SIZES, Again, Answers, Shift, seed_for
from .values import SnippetAccess, SourcedAnswer, Values

GRACE = 10.0
"""Seconds beyond a snippet's time in which its sandbox must answer; it is replaced if not."""

LIST = "current.json"
"""File that says where the latest version of each file of the working folder lies."""

MOST_REQUEST = 1 << 16
"""Bytes of one request for a value."""


class Sandbox:
    """A confined interpreter that is warm: it forks a process for each snippet.

    Variables end with their snippet; files in the working folder stay, also when the interpreter
    had to be replaced. Snippets of one sandbox run one after the other. The interpreter ends with
    the thread that started it, at the latest: keep the event loop's.

    Args:
        folder: its own, for the files that it gives back; made if it is not there.
        values: answers for `grafico_values`; None for no knowledge graph.
        limits: how much a snippet may take.
        told: is told what the first, slow start is doing.
    """

    def __init__(
        self,
        folder: Path,
        values: Values | None = None,
        limits: SandboxLimits | None = None,
        told: Callable[[str], None] | None = None,
    ) -> None:
        self.folder, self.limits = folder, limits or SandboxLimits()
        self._values, self._told = values, told
        self._lock = asyncio.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._errors: IO[bytes] | None = None
        self._second: Sandbox | None = None  # where snippets are run again

    # --- its life ----------------------------------------------------------------------------

    async def start(self) -> None:
        """Start the interpreter if it does not run; `run` does so too.

        Raises:
            ComponentError: nothing can be confined here, or the interpreter does not start.
        """
        async with self._lock:
            await self._start()

    async def _start(self) -> None:
        if self._process is not None and self._process.poll() is None:
            return
        self.kill()
        reason = await asyncio.to_thread(probe)
        if reason is not None:
            raise ComponentError("cannot run Python confined", reason, "this tool is off here")
        self.folder.mkdir(parents=True, exist_ok=True)
        ours, theirs = socket.socketpair()
        with theirs:
            code = f"from inside import server; server.main({theirs.fileno()})"
            command = jailed(code, self.limits, self.folder.resolve())
            self._errors = tempfile.TemporaryFile()  # noqa: SIM115
            self._control = ours
            ours.setblocking(False)
            # in this thread: the kernel ends the process when the thread that started it ends
            self._process = subprocess.Popen(
                command,
                env={},
                cwd="/",
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                start_new_session=True,
            )
        try:
            current = self._current()
            async with asyncio.timeout(self.limits.warm_up):
                await asyncio.get_running_loop().sock_sendall(ours, pack(current))
                while True:
                    head, _ = await _receive(ours, MOST_REQUEST, 0)
                    if "ready" in head:
                        return
                    if self._told is not None:
                        self._told(str(head.get("doing", "")))
        except (TimeoutError, OSError, EOFError, FrameError) as error:
            self._errors.seek(0)
            said = self._errors.read(4000).decode(errors="replace").strip() or str(error)
            self.kill()
            raise ComponentError(
                "cannot start a confined interpreter", said, "ask again, or report it"
            ) from error
        except BaseException:
            self.kill()
            raise

    def kill(self) -> None:
        """End the interpreter and whatever runs in it, at once; the next `run` starts another."""
        second, self._second = self._second, None
        if second is not None:
            second.kill()
        process, self._process = self._process, None
        if process is not None:
            process.kill()  # and with it, by the kernel, all that is inside
            process.wait()
        for resource in (self._control, self._errors):
            if resource is not None:
                resource.close()
        self._control = self._errors = None

    async def aclose(self) -> None:
        """End the interpreter."""
        self.kill()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    # --- snippets ----------------------------------------------------------------------------

    async def run(self, code: str, timeout: float | None = None, *, again: bool = False) -> Ran:
        """Run a snippet; what goes wrong in it is part of what is returned.

        Cancelling ends the interpreter with all that runs in it.

        Args:
            code: Python; `np`, `pd`, `plt` and `g` (`grafico_values`) are imported already.
            timeout: seconds, if fewer than the limits say.
            again: run it again elsewhere, with the same and with other numbers in the place of
                those that it has read, so that one can see which of its own rest on them. It
                starts from the same files and draws the same random numbers, and leaves nothing.

        Raises:
            InputError: the code is too long.
            ComponentError: see `start`.
            ResourceError: the files it made could not be stored.
        """
        limits = self.limits
        if len(code) > limits.code:
            found = f"it has {len(code)} characters, {limits.code} are the most there may be"
            raise InputError("cannot run a piece of Python", found, "split it")
        seconds = min(limits.seconds, math.inf if timeout is None else max(timeout, 0.0))
        async with self._lock:
            await self._start()
            files = self._current() if again else {}
            more = {"seed": secrets.randbits(32)} if again else {}
            try:
                ran, contents, reading = await self._tried(
                    code, seconds, self._values, more, given={} if again else None
                )
                outcome = self._keep(ran, contents, reading)
                given = reading.given or {}
                if not outcome.ok or not any(one.sources for one in given.values()):
                    return outcome
                tried = await self._again(code, outcome, given, {**more, "start": files})
            except BaseException:
                self.kill()
                raise
            return replace(outcome, again=tried)

    async def _again(
        self, code: str, ran: Ran, given: Mapping[str, SourcedAnswer], more: Mapping[str, Any]
    ) -> tuple[Again, ...]:
        """Run a snippet again, in an order that it cannot know."""
        if self._second is None:
            self._second = Sandbox(self.folder, limits=self.limits)
        second, repeats = self._second, list[Again]()
        await second.start()
        shifts: list[Shift] = ["same", *SIZES]
        secrets.SystemRandom().shuffle(shifts)
        seed, seconds = seed_for(given.values()), min(self.limits.seconds, 3 * ran.seconds + 2)

        for shift in shifts:
            answers = Answers(given, shift, seed)
            await second.start()
            said, _, reading = await second._tried(code, seconds, answers, more)
            ok = not said["error"] and said.get("exceeded") is None
            texts = (said.get("stdout", ""), said.get("value", ""))
            repeats.append(Again(shift, ok, *texts, tuple(reading.kept)))
        return tuple(repeats)

    async def _tried(
        self,
        code: str,
        seconds: float,
        values: Values | Answers | None,
        more: Mapping[str, Any],
        given: dict[str, SourcedAnswer] | None = None,
    ) -> tuple[dict[str, Any], list[bytes], SnippetAccess]:
        """Run a snippet, in another interpreter where the first one cannot begin with it."""
        reading = SnippetAccess(self.limits, time.monotonic() + seconds, given=given)
        ran, contents = await self._ask(code, seconds, reading, values, more)
        if ran.pop("spoilt", False):
            await self._start()
            reading = SnippetAccess(self.limits, time.monotonic() + seconds, given=given)
            ran, contents = await self._ask(code, seconds, reading, values, more)
            ran.pop("spoilt", None)
        return ran, contents, reading

    async def _ask(
        self,
        code: str,
        seconds: float,
        reading: SnippetAccess,
        values: Values | Answers | None,
        more: Mapping[str, Any],
    ) -> tuple[dict[str, Any], list[bytes]]:
        """Have the interpreter run a snippet; return what it says, checked, and the files."""
        control = self._control
        assert control is not None
        limits = self.limits
        request = {
            "code": code,
            "seconds": seconds,
            "cpu": math.ceil(seconds),
            "memory": limits.memory,
            "file_size": limits.file_size,
            "files": limits.files,
            "output": limits.output,
            "disk": limits.disk,
            **more,
        }
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        serving = asyncio.create_task(self._serve(ours, reading, values))
        try:
            async with asyncio.timeout(seconds + GRACE):
                with theirs:
                    socket.send_fds(control, [b"v"], [theirs.fileno()])
                await asyncio.get_running_loop().sock_sendall(control, pack(request))
                head, body = await _receive(control, 1 << 22, 4 * limits.output + _room(limits))
            found, files = checked(head, body, limits)
            if head.get("last"):
                self.kill()
            if not head.get("begun") and not found["exceeded"]:
                self.kill()
                said = found["stderr"].strip().splitlines()
                found["spoilt"] = True
                found["error"] = f"the interpreter cannot run anything: {[*said, ''][-1] or 'why?'}"
            return found, files
        except TimeoutError:
            self.kill()
            return {"error": "the interpreter did not answer any more", "exceeded": "time"}, []
        except (OSError, EOFError, FrameError) as error:
            self.kill()
            return {"error": f"the interpreter was lost, and is replaced: {error}"}, []
        finally:
            serving.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await serving
            ours.close()

    async def _serve(
        self, channel: socket.socket, reading: SnippetAccess, values: Values | Answers | None
    ) -> None:
        """Answer requests for values, one at a time, until the snippet ends."""
        loop = asyncio.get_running_loop()
        with contextlib.suppress(OSError, EOFError):
            while True:
                try:
                    request, _ = await _receive(channel, MOST_REQUEST, 0)
                except FrameError as error:  # what follows cannot be understood either
                    answer = pack({"error": "", "message": f"the request was refused: {error}"})
                    await loop.sock_sendall(channel, answer)
                    channel.shutdown(socket.SHUT_RDWR)
                    return
                if values is None:
                    answer = pack({"error": "", "message": "there is no knowledge graph here"})
                else:
                    answer = await asyncio.to_thread(values.answer, request, reading)
                await loop.sock_sendall(channel, answer)

    def _keep(self, said: dict[str, Any], contents: list[bytes], reading: SnippetAccess) -> Ran:
        """Store the files of a snippet and say what came of it."""
        refused: list[str] = [*said.pop("refused", ())]
        files: list[Artefact] = []
        names: list[str] = said.pop("names", [])
        there: set[str] | None = said.pop("there", None)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            numbers = [int(one.name) for one in self.folder.iterdir() if one.name.isdecimal()]
            folder = self.folder / f"{max(numbers, default=0) + 1:05d}"
            kept = sum(one.stat().st_size for one in self.folder.rglob("*") if one.is_file())
            for name, content in zip(names, contents, strict=True):
                kept += len(content)
                if kept > self.limits.kept:
                    refused.append(f"{name}: {self.limits.kept >> 20} MiB are kept at most")
                    continue
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                with path.open("xb") as file:
                    file.write(content)
                kind = TYPES.get(path.suffix.lower(), "application/octet-stream")
                files.append(Artefact(name, path, kind, len(content)))
            if there is not None:  # else it was lost, and the next starts from what was there
                self._list(files, there)
        except (OSError, FrameError) as error:
            raise ResourceError(
                f"cannot store files of a snippet in {self.folder}",
                getattr(error, "strerror", None) or str(error),
                "free some space, or make the folder writeable",
            ) from error
        return Ran(
            **said,
            files=tuple(files),
            refused=tuple(refused),
            read=tuple(reading.read),
            seen=tuple(reading.seen),
            queries=tuple(reading.queries),
            kept=() if said.get("error") or said.get("exceeded") else tuple(reading.kept),
            cited=tuple(reading.cited),
        )

    def _list(self, files: list[Artefact], there: set[str]) -> None:
        """Write down what the working folder holds, for the next interpreter."""
        before = self._current()
        made = {file.name: str(file.path.relative_to(self.folder)) for file in files}
        now = {name: path for name, path in {**before, **made}.items() if name in there}
        if now != before:
            part = self.folder / f"{LIST}.part"
            part.write_text(json.dumps(now))
            part.replace(self.folder / LIST)

    def _current(self) -> dict[str, str]:
        """Return the paths below `folder` of what is in the working folder, by name."""
        listed = self.folder / LIST
        return parse(listed.read_bytes()) if listed.exists() else {}


def _room(limits: SandboxLimits) -> int:
    """Bytes that the files of a snippet may have in all, with what it says of itself."""
    return limits.disk + (2 << 20)


async def _receive(
    channel: socket.socket, most_head: int, most_body: int
) -> tuple[dict[str, Any], bytes]:
    """Wait for a frame on a socket that does not block; see `frames.receive`."""
    sizes = lengths(await _exactly(channel, LENGTHS.size), most_head, most_body)
    return parse(await _exactly(channel, sizes[0])), await _exactly(channel, sizes[1])


async def _exactly(channel: socket.socket, size: int) -> bytes:
    loop, received = asyncio.get_running_loop(), bytearray()
    while len(received) < size:
        piece = await loop.sock_recv(channel, min(size - len(received), 1 << 20))
        if not piece:
            raise EOFError("the other side is gone")
        received += piece
    return bytes(received)
