"""A server that an assistant starts itself: what it prints, how it ends, what it leaves behind."""

from __future__ import annotations

import asyncio
import json
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
from mcp import Client, MCPError

from tests.mcp.helpers import H2, HF, LONG, Heard, Typed, found, kept, piped


def left(process: psutil.Process) -> list[psutil.Process]:
    """What a process has started, but for the store's broker, which ends by itself."""
    return [
        one
        for one in process.children(recursive=True)
        if not any("triplestore" in word for word in command(one))
    ]


def wait_for_end(processes: list[psutil.Process]) -> None:
    _, alive = psutil.wait_procs(processes, timeout=20)
    assert not alive


def test_only_the_protocol_is_printed(tmp_path: Path, start: Callable[..., Typed]) -> None:
    (tmp_path / "h2.xyz").write_text(H2)
    typed = start()
    hello = typed.greet()
    assert hello["protocolVersion"] == "2025-06-18"
    assert hello["serverInfo"]["name"] == "grafico"
    assert "Copy them exactly" in hello["instructions"]
    assert "[data" not in hello["instructions"]
    typed.write(b"this is no JSON")
    typed.write(b"")
    asked = {"molecules": ["h2.xyz"], **HF}
    said = typed(2, "tools/call", name="calculate", arguments=asked, _meta={"progressToken": 7})
    assert json.loads(said["result"]["content"][0]["text"])["molecules"][0]["status"] == "finished"
    assert typed.news
    assert {one["method"] for one in typed.news} == {"notifications/progress"}
    assert {one["params"]["progressToken"] for one in typed.news} == {7}
    said = typed(3, "tools/call", name="calculate", arguments=asked)  # no token, no progress
    assert "remembered" in said["result"]["content"][0]["text"]
    assert not typed.news
    assert typed(4, "no/such/method")["error"]["code"] == -32601
    children = left(psutil.Process(typed.process.pid))
    assert children
    out, err = typed.end()
    assert out == ""
    assert typed.process.returncode == 0
    assert "energy: remembered" in err
    assert "Traceback" not in err
    wait_for_end(children)


LOADED = {"name": "microwave", "arguments": {"vial": 1}}


def test_who_cannot_be_asked_is_not_waited_for(start: Callable[..., Typed]) -> None:
    typed = start("--quiet")
    typed.greet()
    said = typed(2, "tools/call", name="ask_user", arguments={"question": "Which?"})
    assert said["result"]["structuredContent"]["answer"] is None
    assert "nobody can be asked" in said["result"]["structuredContent"]["advice"]
    said = typed(3, "tools/call", name="run_workflow", arguments=LOADED)
    [[told]] = said["result"]["structuredContent"].values()
    assert "nobody agreed" in told["denied"]
    assert typed.end() == ("", "")


def test_no_yes_that_was_given_before_is_one_to_a_device(start: Callable[..., Typed]) -> None:
    typed = start("--yes")
    typed.greet()
    said = typed(2, "tools/call", name="run_workflow", arguments=LOADED)
    [[told]] = said["result"]["structuredContent"].values()
    assert told["status"] == "pending"
    assert "grafico approve g:id/Run/" in told["advice"]
    typed.end()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it(start: Callable[..., Typed], number: signal.Signals) -> None:
    typed = start()
    typed.greet()
    typed.process.send_signal(number)
    assert typed.process.wait(20) == 0
    typed.end()


def test_a_store_that_cannot_be_opened_is_an_answer(
    tmp_path: Path, start: Callable[..., Typed]
) -> None:
    (tmp_path / "store").write_text("a file")
    typed = start()
    typed.greet()
    assert typed(2, "tools/list")["result"]["tools"]
    said = typed(3, "tools/call", name="query", arguments={"sparql": "ASK {}"})["result"]
    assert said["isError"]
    error = said["structuredContent"]["error"]
    assert "no folder" in error["found"]
    assert error["asked"].endswith("store")
    (tmp_path / "store").unlink()
    said = typed(4, "tools/call", name="query", arguments={"sparql": "ASK {}"})["result"]
    assert said["structuredContent"] == {"answer": True}
    typed.end()


def command(process: psutil.Process) -> list[str]:
    """What a process was started with; empty where it has just ended."""
    try:
        return process.cmdline()
    except psutil.Error:
        return []


async def test_a_server_that_is_killed(tmp_path: Path) -> None:
    """Its client is told, nothing goes on without it, and the next one finds what was stored."""
    (tmp_path / "h2.xyz").write_text(H2)
    store, asked = tmp_path / "store", {"molecules": ["h2.xyz"], **HF}
    mode: Any = "legacy"
    async with kept(Client(piped(store, tmp_path, tmp_path / "log"), mode=mode)) as client:
        first = found(await client.call_tool("calculate", asked))["molecules"][0]
        (server,) = [one for one in psutil.Process().children() if str(store) in command(one)]
        heard = Heard()
        call = asyncio.create_task(client.call_tool("calculate", LONG, progress_callback=heard))
        async with asyncio.timeout(120):
            await heard.computing.wait()
        children = left(server)
        assert children
        server.kill()
        with pytest.raises(MCPError):
            await call
        with pytest.raises(MCPError):
            await client.call_tool("calculate", asked)
    await asyncio.to_thread(wait_for_end, children)
    async with kept(Client(piped(store, tmp_path, tmp_path / "log"), mode=mode)) as client:
        again = found(await client.call_tool("calculate", asked))["molecules"][0]
    assert "remembered" in again["reading"]
    assert again["results"] == first["results"]


def test_it_answers_before_the_science_is_there(start: Callable[..., Typed]) -> None:
    """Assistants wait for some seconds only."""
    started = time.monotonic()
    typed = start()
    typed.greet()
    assert time.monotonic() - started < 30, "about 1.2 s where nothing else runs"
    typed.end()
