"""A server in this process: what would take too long to wait for otherwise."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mcp import Client

from grafico import Grafico
from grafico.mcp import calls
from grafico.mcp.server import make_server
from grafico.session.settings import read_settings
from tests.mcp.helpers import HF, Heard, Person, found


async def test_silence_is_broken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Clients give up who is silent, as while a worker imports its program."""
    monkeypatch.setattr(calls, "QUIET", 0.02)
    server = make_server(
        read_settings(), lambda: Grafico("memory:", threads_per_calculation=1), tmp_path
    )
    heard = Heard()
    async with Client(server) as client:
        asked = {"molecules": ["[He]"], **HF}
        result = await client.call_tool("calculate", asked, progress_callback=heard)
        assert found(result)["molecules"][0]["status"] == "finished"
    assert "still: 3D structure: computing with 1 thread" in heard.lines
    assert not any("still: still" in line for line in heard.lines)


@pytest.mark.parametrize("trusted", [True, False])
async def test_a_clients_word_counts_where_the_person_has_named_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, trusted: bool
) -> None:
    monkeypatch.setenv("GRAFICO_TRUSTED_CLIENTS", json.dumps(["mcp" if trusted else "another"]))
    person = Person()
    person.will("accept", agree=True)
    server = make_server(read_settings(), lambda: Grafico("memory:"), tmp_path)
    async with Client(server, elicitation_callback=person) as client:
        asked = {"name": "microwave", "arguments": {"session": True}}
        [row] = found(await client.call_tool("run_workflow", asked))["devices"]
    assert row["status"] == ("finished" if trusted else "pending")
    assert bool(person.asked) == trusted
