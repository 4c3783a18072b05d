"""`DriverProcess`: a trusted module in a process of its own, told one command at a time.

It sees no keys and no terminal. What it prints is dropped but for the last lines. An answer that is
none, none in time, or the end of the process leaves open what the device has done.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

from triplestore.errors import CrashError, GraficoError, ResourceError, TimeLimitError
from workflows.programs.isolated import environment
from workflows.text.safe_text import on_one_line

WORKER = Path(__file__).with_name("worker.py")

STARTING = 60.0
"""Seconds in which a module must be there."""

HALTING = 2.0
"""Seconds in which its function that halts must have come back."""

LEAVING = 3.0
"""Seconds in which it must have ended."""

LONGEST = 1_000_000
"""Bytes of an answer."""

KEPT = 2_000
"""Bytes of what it printed last."""

ADVICE = "look at the device: nobody knows what of it was done"

Answer = dict[str, Any]


class DriverProcess:
    """A module that drives a device, running.

    Args:
        name: of the device, for errors.
        begun: what the process is told first, see `worker`.
    """

    def __init__(self, name: str, begun: Answer) -> None:
        self._name, self._begun = name, begun
        self._pending = dict[int, Future[Answer]]()
        self._lock = threading.Lock()
        self._number, self._over, self._closed = 0, "", False
        self._printed = b""
        self._child: subprocess.Popen[bytes] | None = None

    async def start(self) -> Answer:
        """Start it; return the states that it reports.

        Raises:
            CrashError: the module cannot be imported, or the process ended.
            TimeLimitError: it has not come to an end of its beginning in `STARTING`.
            ResourceError: no process can be started.
        """
        asked = f"the driver of {self._name} was to begin"
        first = self._expected(0)
        try:
            child = subprocess.Popen(
                [sys.executable, "-I", "-B", str(WORKER)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment(),
                start_new_session=True,
            )
        except OSError as error:
            found = f"no process can be started for it: {error.strerror}"
            raise ResourceError(asked, found, "end other programs and ask again") from error
        self._child = child
        self._reader = threading.Thread(target=self._read, args=(child,), daemon=True)
        self._waiter = threading.Thread(target=self._wait, args=(child,), daemon=True)
        drain = threading.Thread(target=self._drain, args=(child,), daemon=True)
        for one in (self._reader, self._waiter, drain):
            one.start()
        try:
            self._send(self._begun)
            answer = await self._answer(first, asked, STARTING)
        except BaseException:
            await self.close()
            raise
        if "states" not in answer:
            await self.close()
            advice = "mend the module or the device file, or install what it needs"
            raise CrashError(asked, self._said(answer), advice)
        return cast("Answer", answer["states"])

    async def do(
        self, command: str, given: Answer, seconds: float, put: Mapping[str, Any] | None = None
    ) -> Answer:
        """Have it do a command; return `states`, or `refused` with why, where nothing was called.

        Args:
            command: the name of the function.
            given: its arguments.
            seconds: in which it must have come back; else it is halted, if it can be, and ended.
            put: states that the module is to know before.

        Raises:
            CrashError: the module has raised an error, or its process ended, or said what is none.
            TimeLimitError: it has said nothing in time.
        """
        asked = f"{self._name} was to do {command}"
        number, answer = self._next()
        try:
            self._send({"id": number, "do": command, "given": given, "put": dict(put or {})})
            found = await self._answer(answer, asked, seconds)
        except TimeLimitError:
            if self._begun["halt"]:
                with suppress(GraficoError):
                    await asyncio.to_thread(self.halt)
            await self.close(at_once=True)  # what it may still do it does not
            raise
        except BaseException:
            await self.close(at_once=True)
            raise
        if "failed" in found:
            raise CrashError(asked, self._said(found), ADVICE)
        return found

    def halt(self) -> None:
        """Call the module's function that halts, while a command is in progress or not.

        Raises:
            CrashError: it failed, or the process has ended.
            TimeLimitError: it has not come back.
        """
        if self._child is None or self._closed:  # nothing is in progress
            return
        asked = f"{self._name} was to be halted"
        number, answer = self._next()
        self._send({"id": number, "halt": True})
        try:
            found = answer.result(HALTING)
        except TimeoutError as error:
            found = f"its function has not come back within {HALTING:g} s"
            raise TimeLimitError(asked, found, "halt it by hand") from error
        if "states" not in found:
            raise CrashError(asked, self._said(found), "halt it by hand")

    async def close(self, *, at_once: bool = False) -> None:
        """End it, and all that it has started and not let go of."""
        child, self._closed = self._child, True
        if child is None:
            return
        with suppress(OSError):
            cast("Any", child.stdin).close()
        if not at_once:
            await asyncio.to_thread(self._waiter.join, LEAVING)
        if self._waiter.is_alive():
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            await asyncio.to_thread(self._waiter.join, LEAVING)

    # --- the pipes ----------------------------------------------------------------------------

    def _expected(self, number: int) -> Future[Answer]:
        found = Future[Answer]()
        with self._lock:
            if self._over:
                found.set_result({"failed": self._over})
            else:
                self._pending[number] = found
        return found

    def _next(self) -> tuple[int, Future[Answer]]:
        with self._lock:
            self._number += 1
            number = self._number
        return number, self._expected(number)

    def _send(self, said: Answer) -> None:
        line = json.dumps(said).encode() + b"\n"
        with self._lock:
            try:
                pipe = cast("Any", self._child).stdin
                pipe.write(line)
                pipe.flush()
            except (OSError, ValueError):  # it has ended, which its answer says
                return

    async def _answer(self, answer: Future[Answer], asked: str, seconds: float) -> Answer:
        try:
            async with asyncio.timeout(seconds):
                return await asyncio.wrap_future(answer)
        except TimeoutError as error:
            found = f"its module has said nothing for {seconds:g} s"
            raise TimeLimitError(asked, found, ADVICE) from error

    def _read(self, child: subprocess.Popen[bytes]) -> None:
        """Take answers, until there are none or something is none."""
        with cast("Any", child.stdout) as pipe:
            while line := pipe.readline(LONGEST):
                try:
                    self._take(line)
                except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
                    self._end(f"its module said what is no answer: {line[:80]!r}")
                    with suppress(ProcessLookupError):
                        os.killpg(child.pid, signal.SIGKILL)
                    return

    def _take(self, line: bytes) -> None:
        """Hand an answer on.

        Raises:
            ValueError, KeyError, TypeError, OverflowError, RecursionError: it is none, or nobody
                has asked.
        """
        said: Any = json.loads(line)
        if not isinstance(said, dict) or not line.endswith(b"\n"):
            raise ValueError
        with self._lock:
            answer = self._pending.pop(int(cast("Answer", said)["id"]))
        if answer.set_running_or_notify_cancel():
            answer.set_result(cast("Answer", said))

    def _drain(self, child: subprocess.Popen[bytes]) -> None:
        with cast("Any", child.stderr) as pipe:
            while part := pipe.read1(1 << 16):
                self._printed = (self._printed + part)[-KEPT:]

    def _wait(self, child: subprocess.Popen[bytes]) -> None:
        status = child.wait()
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)  # what it has left in its group
        self._reader.join(1.0)  # it may have answered before it ended
        how = f"by signal {-status}" if status < 0 else f"with status {status}"
        self._end(f"the process of its module ended {how}")

    def _end(self, why: str) -> None:
        with self._lock:
            self._over = self._over or why
            pending, self._pending = list(self._pending.values()), {}
        for one in pending:
            if one.set_running_or_notify_cancel():
                one.set_result({"failed": self._over})

    def _said(self, answer: Answer) -> str:
        """Return why something failed, with what the module printed last."""
        printed = self._printed.decode(errors="replace").strip().splitlines()
        last = on_one_line(printed[-1])[:200] if printed else ""
        why = on_one_line(str(answer.get("failed") or answer.get("refused") or answer))[:400]
        return f"{why}; it printed last: {last}" if last and last not in why else why
