"""A server over HTTP: several clients, who may come in, and what each of them may see."""

from __future__ import annotations

import asyncio
import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest
from click.testing import CliRunner
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp.types import ResourceLink

from grafico.cli.app import main
from grafico.mcp.token import NAME as TOKEN_NAME
from tests.mcp.helpers import HELLO, HF, found, web_server

TOKEN = "a-token-of-thirty-two-characters"
MODES: Any = ["legacy", "2026-07-28"]


def hello(address: str, **headers: str) -> int:
    """The status of what a client says first."""
    where = urlsplit(address)
    line = http.client.HTTPConnection(where.hostname or "", where.port, timeout=20)
    usual = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    line.request("POST", where.path, json.dumps(HELLO), usual | headers)
    status = line.getresponse().status
    line.close()
    return status


@pytest.fixture(scope="module")
def guarded(folder: Path, store: Path) -> Iterator[str]:
    arguments = ("0", "--allow-host", "node7.example")
    with web_server(store, folder, *arguments, GRAFICO_MCP_TOKEN=TOKEN) as (address, _):
        yield address


@pytest.mark.parametrize("mode", MODES)
async def test_two_clients_share_what_is_known_and_no_folder(web: str, mode: Any) -> None:
    async with Client(web, mode=mode) as one, Client(web, mode=mode) as other:
        asked = {"molecules": ["[He]"], **HF}
        both = await asyncio.gather(*(who.call_tool("calculate", asked) for who in (one, other)))
        first, second = (found(result)["molecules"][0] for result in both)
        assert first["results"] == second["results"]
        assert any("remembered" in each["reading"] for each in (first, second))

        made = await one.call_tool("report", {"runs": [first["run"]]})
        also = await other.call_tool("report", {"runs": [second["run"]]})
        links = [result.content[-1] for result in (made, also)]
        texts: list[Any] = []
        for link in links:
            assert isinstance(link, ResourceLink)
            assert link.name == "report-He-1.html"
            texts += (await one.read_resource(link.uri)).contents
        assert first["run"].rpartition("/")[2] in str(texts[0])
        assert second["run"].rpartition("/")[2] in str(texts[1])

        result = await one.call_tool("calculate", {"molecules": ["h2.xyz"], **HF})
        error = found(result)["molecules"][0]["error"]
        assert "the only one that is read; there are: " in error["found"]
        assert "h2.xyz" not in error["found"]


def test_a_page_of_the_web_cannot_come_in(web: str) -> None:
    assert hello(web) == 200
    assert hello(web, Origin="http://localhost:3000") == 200
    assert hello(web, Host="evil.example") == 421
    assert hello(web, Host="localhost.evil.example:80") == 421
    assert hello(web, Origin="https://evil.example") == 403
    assert hello(web, Origin="null") == 403
    assert hello(web, **{"Content-Type": "text/plain"}) == 400


def test_only_who_shows_the_token_comes_in(guarded: str) -> None:
    assert hello(guarded) == 401
    for shown in ("", "Bearer", "Bearer x", f"Basic {TOKEN}", f"Bearer {TOKEN}x", "Bearer \xe9"):
        assert hello(guarded, Authorization=shown) == 401
    assert hello(guarded, Authorization=f"Bearer {TOKEN}") == 200
    assert hello(guarded, Authorization=f"bearer {TOKEN}", Host="node7.example:8765") == 200
    assert hello(guarded, Authorization=f"Bearer {TOKEN}", Host="node8.example") == 421


@pytest.mark.parametrize("mode", MODES)
async def test_a_client_with_the_token(guarded: str, mode: Any) -> None:
    with pytest.raises((MCPError, ExceptionGroup, httpx2.HTTPError)):
        async with Client(guarded, mode=mode) as client:
            await client.list_tools()
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}) as carrier:
        way = streamable_http_client(guarded, http_client=carrier)
        async with Client(way, mode=mode) as client:
            assert (await client.list_tools()).tools


def refused(*arguments: str, token: str = "") -> str:
    """What is said where the server does not start."""
    given = ["mcp", "--store", "memory:", *arguments]
    done = CliRunner().invoke(main, given, env={TOKEN_NAME: token}, prog_name="grafico")
    assert done.exit_code == 2, done.output
    assert done.stdout == ""
    return done.stderr


def test_others_are_let_in_only_on_purpose() -> None:
    assert "--allow-host NAME" in refused("--http", "0.0.0.0:0", token=TOKEN)
    named = ("--http", "0.0.0.0:0", "--allow-host", "node7.example")
    assert "--no-token lets in everybody" in refused(*named, "--no-token")
    here = ("--http", "0", "--allow-host", "node7.example", "--no-token")
    assert "--no-token lets in everybody" in refused(*here)
    assert "--http" in refused("--no-token")
    assert "too short" in refused(*named, token="short")
    assert "no port" in refused("--http", "localhost")
    assert "--http" in refused("--allow-host", "x")
    assert "--folder" in refused("--http", "0", "--folder", ".")
