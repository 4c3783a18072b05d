"""Queries that would never end, from a client: others are answered, and the server can be ended."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable
from itertools import cycle

import pytest

from tests.mcp.helpers import Typed
from tests.triplestore.test_exhaustion import ATTACKS, PRODUCT


@pytest.mark.parametrize("store", [(), ("--store", "memory:")], ids=["folder", "memory"])
def test_eight_of_them_stop_neither_the_answers_nor_the_end(
    start: Callable[..., Typed], store: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAFICO_QUERY_MEMORY", "800")
    typed = start(*store)
    typed.greet()
    said = typed(2, "tools/call", name="query", arguments={"sparql": "ASK {}"})
    assert said["result"]["structuredContent"] == {"answer": True}
    endless = cycle(query for query in ATTACKS.values() if PRODUCT in query)  # in any store

    def attack(number: int) -> None:
        params = {"name": "query", "arguments": {"sparql": next(endless)}}
        asked = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
        typed.write(json.dumps(asked).encode())

    for number in range(10, 18):
        attack(number)
    for number in range(100, 110):
        said = typed(number, "tools/list")
        while said["id"] != number:  # an attack has got its error: the next one, eight at any time
            assert said["result"]["isError"]
            attack(said["id"])
            said = typed.read()
        assert said["result"]["tools"]
    typed.process.send_signal(signal.SIGTERM)
    assert typed.process.wait(60) in (0, 130, -signal.SIGTERM)
