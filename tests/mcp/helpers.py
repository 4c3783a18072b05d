"""Real servers in processes of their own, and the SDK's client that talks to them."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.types import CallToolResult, ElicitRequestParams, ElicitResult, TextContent

ROOT = Path(__file__).resolve().parents[2]
H2 = "2\nH2\nH 0 0 0\nH 0 0 0.7408481\n"
"""1.4 bohr in Å."""
H2_ENERGY = -1.1167
"""Eh, HF/STO-3G: A. Szabo and N. S. Ostlund, Modern Quantum Chemistry, section 3.5.2."""
LONG = {"molecules": ["c1ccccc1"], "method": "HF", "basis": "def2-SVP", "task": "frequencies"}
"""Most of a minute on one core."""
HF = {"method": "HF", "basis": "STO-3G"}


def words(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "grafico", "mcp", "-t", "1", *arguments]


def environment(**more: str) -> dict[str, str]:
    trusted = {"GRAFICO_TRUSTED_CLIENTS": '["mcp"]'}  # as the client of the tests calls itself
    return {**os.environ, "PYTHONPATH": str(ROOT), **trusted, **more}


class Person:
    """Who sits behind a client: fills in forms as told, and remembers what was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.action: Any = "decline"
        self.content: dict[str, Any] = {}

    def will(self, action: str, **content: Any) -> None:
        self.asked.clear()
        self.action, self.content = action, content

    async def __call__(self, context: Any, params: ElicitRequestParams) -> ElicitResult:
        self.asked.append(params.message)
        content = self.content if self.action == "accept" else None
        return ElicitResult(action=self.action, content=content)


class Heard:
    """The progress of one call."""

    def __init__(self) -> None:
        self.numbers: list[float] = []
        self.lines: list[str] = []
        self.computing = asyncio.Event()

    async def __call__(self, progress: float, total: float | None, message: str | None) -> None:
        assert total is None
        assert message
        self.numbers.append(progress)
        self.lines.append(message)
        if "SCF cycle" in message:
            self.computing.set()


@asynccontextmanager
async def kept(client: Client) -> AsyncGenerator[Client]:
    """A client that is entered and left by one task, as anyio wants it, whoever uses it."""
    ready: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
    done = asyncio.Event()

    async def keep() -> None:
        try:
            async with client as opened:
                ready.set_result(opened)
                await done.wait()
        except BaseException as error:
            if ready.done():
                raise
            ready.set_exception(error)

    task = asyncio.create_task(keep())
    try:
        yield await ready
    finally:
        done.set()
        await task


@asynccontextmanager
async def piped(store: Path, folder: Path, log: Path, *more: str) -> AsyncGenerator[Any]:
    """The way to a server that speaks through pipes."""
    command, *arguments = words("--store", str(store), *more)
    how = StdioServerParameters(command=command, args=arguments, cwd=folder, env=environment())
    with log.open("w") as errors:
        async with stdio_client(how, errlog=errors) as streams:
            yield streams


@contextmanager
def web_server(
    store: Path, folder: Path, *arguments: str, **more: str
) -> Generator[tuple[str, subprocess.Popen[bytes]]]:
    """A server over HTTP: its address and process."""
    log = folder / "http.log"
    with (
        log.open("wb") as errors,
        subprocess.Popen(
            words("--store", str(store), "--http", *(arguments or ("0",))),
            cwd=folder,
            env=environment(**more),
            stdout=subprocess.PIPE,
            stderr=errors,
        ) as process,
    ):
        try:
            end = time.monotonic() + 60
            while not (found := re.search(r"listening on (\S+?),?(?:\s|$)", log.read_text())):
                assert process.poll() is None, log.read_text()
                assert time.monotonic() < end
                time.sleep(0.05)
            yield found[1], process
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                out, _ = process.communicate(timeout=20)
            finally:
                process.kill()
        assert out == b""


def found(result: CallToolResult) -> Any:
    """The structured result, which the text says too."""
    text = result.content[0]
    assert isinstance(text, TextContent)
    assert json.loads(text.text) == result.structured_content
    return result.structured_content


HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "by hand", "version": "1"},
    },
}


class Typed:
    """A client that writes and reads the lines itself."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.process = subprocess.Popen(
            words("--store", str(folder / "store"), *arguments),
            cwd=folder,
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.news: list[Any] = []

    def write(self, line: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def read(self) -> Any:
        assert self.process.stdout
        return json.loads(self.process.stdout.readline())

    def __call__(self, number: int, method: str, **params: Any) -> Any:
        asked = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        self.write(json.dumps(asked).encode())
        self.news.clear()
        while "id" not in (said := self.read()):
            self.news.append(said)
        return said

    def greet(self) -> Any:
        self.write(json.dumps(HELLO).encode())
        said = self.read()
        self.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}')
        return said["result"]

    def end(self) -> tuple[str, str]:
        try:
            out, err = self.process.communicate(timeout=20)
        finally:
            self.process.kill()
        return out.decode(), err.decode()
