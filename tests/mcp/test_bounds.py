"""Who sends half of a request, opens sessions and leaves, or has no token keeps nobody else out."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import stat
import subprocess
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import platformdirs
import pytest
import uvicorn
from mcp import Client
from starlette.responses import PlainTextResponse

from grafico.mcp import sessions
from grafico.mcp.token import NAME, kept_token
from grafico.serving import connections
from grafico.serving.connections import EACH, Door, Room
from tests.mcp.helpers import web_server
from tests.mcp.test_web import hello
from triplestore.errors import InputError

HALF = b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Len"
BODY = b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 999\r\n\r\n{"
WHOLE = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@pytest.fixture(scope="module")
def open_server(folder: Path, store: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    with web_server(store, folder, "0", "--no-token") as found:
        yield found


def connected(address: str, said: bytes) -> socket.socket:
    where = urlsplit(address)
    line = socket.create_connection((where.hostname or "", where.port or 0), 60)
    with suppress(ConnectionError):  # others came
        line.sendall(said)
    return line


def let_in(address: str) -> int:
    """What a newcomer is told; while as many as there may be are being answered, it asks again."""
    ends = time.monotonic() + 60
    while True:
        try:
            return hello(address)
        except ConnectionError:
            assert time.monotonic() < ends, "nobody made room"
            time.sleep(0.05)


@pytest.mark.parametrize("said", [b"", HALF, BODY, b"\r\n", WHOLE + HALF])
def test_idle_connections_keep_nobody_out(open_server: tuple[str, Any], said: bytes) -> None:
    address, process = open_server
    with ExitStack() as lines:
        for _ in range(3 * EACH):
            lines.enter_context(connected(address, said))
        assert let_in(address) == 200
        descriptors = len(os.listdir(f"/proc/{process.pid}/fd"))
        assert descriptors < EACH + 100
    assert let_in(address) == 200


async def plain(scope: Any, receive: Any, send: Any) -> None:
    """Read the request whole and answer."""
    if scope["type"] == "http":
        while (await receive()).get("more_body"):
            pass
        await PlainTextResponse("answered")(scope, receive, send)


@asynccontextmanager
async def served(room: Room) -> AsyncGenerator[int]:
    """A server in this process: its port."""
    door: Any = partial(Door, room=room)
    config = uvicorn.Config(
        plain, http=door, ws="none", log_config=None, lifespan="off", timeout_keep_alive=60
    )
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        task = asyncio.create_task(server.serve(sockets=[listening]))
        try:
            yield listening.getsockname()[1]
        finally:
            server.should_exit = True
            await task


@pytest.mark.parametrize("said", [b"", HALF, BODY, WHOLE + HALF])
async def test_what_does_not_come_in_time_ends_the_connection(
    monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    monkeypatch.setattr(connections, "HEAD", 0.3)
    monkeypatch.setattr(connections, "BODY", 0.3)
    async with served(Room()) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(said)
        async with asyncio.timeout(60):
            with suppress(ConnectionError):
                while await reader.read(1000):  # to its end, which the server makes
                    pass
        writer.close()


async def test_who_sends_letter_by_letter_gains_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD", 0.5)
    async with served(Room()) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        letters = iter(HALF * 20)
        with suppress(ConnectionError):
            while not reader.at_eof():
                writer.write(bytes([next(letters)]))
                await writer.drain()
                async with asyncio.timeout(60):
                    with suppress(TimeoutError):
                        await asyncio.wait_for(reader.read(1), 0.05)
        writer.close()


async def test_who_is_answered_keeps_the_place(monkeypatch: pytest.MonkeyPatch) -> None:
    entered, go = asyncio.Event(), asyncio.Event()

    async def slow(scope: Any, receive: Any, send: Any) -> None:
        entered.set()
        await go.wait()
        await PlainTextResponse("answered")(scope, receive, send)

    monkeypatch.setattr("tests.mcp.test_bounds.plain", slow)
    async with served(Room(most=3, each=3)) as port:
        first, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(WHOLE)
        await entered.wait()
        others = [await asyncio.open_connection("127.0.0.1", port) for _ in range(10)]
        others[-1][1].write(WHOLE)
        go.set()
        for reader in (first, others[-1][0]):
            async with asyncio.timeout(60):
                assert b"answered" in await reader.readuntil(b"answered")
        for _, one in [*others, (first, writer)]:
            one.close()


# --- sessions ------------------------------------------------------------------------------------


async def test_sessions_that_nobody_uses_make_room(open_server: tuple[str, Any]) -> None:
    address, _ = open_server
    async with Client(address, mode="legacy") as client:
        before = len((await client.list_tools()).tools)
        for _ in range(2 * sessions.MOST):
            assert await asyncio.to_thread(hello, address) == 200
        assert len((await client.list_tools()).tools) == before  # who is there stays


def watched(spared: float) -> tuple[Callable[..., Awaitable[int]], list[str]]:
    """A bound on sessions before a server that has none: how to ask, and what was ended."""
    count, ended = 0, list[str]()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        nonlocal count
        headers = dict(scope["headers"])
        if scope["method"] == "DELETE":
            ended.append(headers[b"mcp-session-id"].decode())
        given: dict[str, str] = {}
        if b"mcp-session-id" not in headers:
            count += 1
            given = {"mcp-session-id": f"s{count}"}
        status = 202 if b"notice" in headers else 200
        await PlainTextResponse("", status, headers=given)(scope, receive, send)

    guard = sessions.Sessions(app, most=4, each=3, spared=spared)

    async def ask(
        peer: str, session: str = "", method: str = "POST", *, notice: bool = False
    ) -> int:
        status: list[int] = []

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                status.append(message["status"])

        async def receive() -> Any:
            return {"type": "http.request", "body": b"", "more_body": False}

        headers = [(b"mcp-session-id", session.encode())] if session else []
        headers += [(b"notice", b"")] * notice
        scope = {"type": "http", "method": method, "headers": headers, "client": (peer, 1)}
        await guard(scope, receive, send)
        return status[0]

    return ask, ended


async def test_who_opens_many_at_once_ends_their_own() -> None:
    ask, ended = watched(spared=3600)
    for _ in range(5):
        assert await ask("a") == 200
    assert ended == ["s3", "s4"], "s1, whose client has had no time for its first question, stays"
    await ask("a", "s5")
    assert await ask("a") == 200  # s6
    assert await ask("a") == 200  # s7
    assert ended == ["s3", "s4", "s2", "s6"], "s5 was used"


@pytest.mark.parametrize("spared", [0, 3600])
async def test_a_session_in_which_nothing_was_asked_was_not_used(spared: float) -> None:
    """Clients send a notice behind their first words: a flood of these ends nobody else's."""
    ask, ended = watched(spared)
    assert await ask("a") == 200
    await ask("a", "s1")
    for number in range(2, 9):
        assert await ask("a") == 200
        assert await ask("a", f"s{number}", notice=True) == 202
        assert await ask("a", f"s{number}", "GET") == 200
    assert "s1" not in ended
    assert len(ended) == 5


async def test_only_idle_sessions_end() -> None:
    """The longest idle first, those never used before all; a share for each address."""
    ask, ended = watched(spared=0)
    for peer in ("a", "a", "a", "b"):
        assert await ask(peer) == 200  # s1 … s4
    await ask("a", "s1")
    assert await ask("a") == 200  # s5, beyond the share of a: s2, never used
    assert await ask("c") == 200  # s6, beyond all: s3
    assert ended == ["s2", "s3"]
    await ask("a", "s5")
    await ask("b", "s4")
    await ask("c", "s6")
    assert await ask("c") == 200  # s7: s1 was used before the others
    assert ended == ["s2", "s3", "s1"]
    await ask("c", "s6", "DELETE")
    assert await ask("c") == 200  # s8
    assert ended == ["s2", "s3", "s1", "s6"]


# --- tokens --------------------------------------------------------------------------------------


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return platformdirs.user_state_path("grafico") / "mcp-token"


def test_a_token_is_made_once_and_is_for_nobody_else(state: Path) -> None:
    token, path = kept_token("asked")
    assert path == state
    assert re.fullmatch(r"[0-9a-f]{64}", token)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert kept_token("asked") == (token, path)
    assert [one.name for one in path.parent.iterdir()] == ["mcp-token"]
    path.chmod(0o644)
    with pytest.raises(InputError, match="others can read"):
        kept_token("asked")
    path.chmod(0o600)
    other = path.rename(path.with_name("other"))
    path.symlink_to(other)
    with pytest.raises(InputError, match="a link"):
        kept_token("asked")
    path.unlink()
    path.touch(0o600)
    with pytest.raises(InputError, match="empty"):
        kept_token("asked")


def test_without_saying_so_nobody_comes_in_without_a_token(
    state: Path, folder: Path, store: Path
) -> None:
    with web_server(store, folder, "0", XDG_STATE_HOME=os.environ["XDG_STATE_HOME"]) as (at, _):
        assert hello(at) == 401
        token, path = kept_token("asked")
        assert hello(at, Authorization=f"Bearer {token}") == 200
        said = (folder / "http.log").read_text()
        assert str(path) in said
        assert token not in said
        assert "NO TOKEN" not in said


def test_a_server_without_a_token_says_so_and_ends_when_told(folder: Path, store: Path) -> None:
    assert NAME not in os.environ
    with web_server(store, folder, "0", "--no-token") as (address, process):
        said = (folder / "http.log").read_text()
        assert "NO TOKEN: every user and every program of this machine can come in" in said
        lines = [connected(address, said) for said in (b"", HALF, BODY) for _ in range(20)]
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) in (0, 130, -signal.SIGTERM)
        for line in lines:
            line.close()
