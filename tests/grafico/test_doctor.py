"""``grafico doctor`` and ``grafico du``: what works here, and what takes space."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path

import pytest
from click.testing import CliRunner

from grafico.cli.app import main
from ontologies.provenance import Software
from workflows.registry.needs import needs


def asked(*words: str, store: Path, status: int | None = 0, **environment: str) -> str:
    got = CliRunner().invoke(main, [*words, "--store", str(store)], env=environment)
    if status is not None:
        assert got.exit_code == status, got.output
    return got.stdout


def found(store: Path, *words: str, **environment: str) -> dict[str, dict[str, str]]:
    said = asked("doctor", "--json", *words, store=store, status=None, **environment)
    return {one["what"]: one for one in json.loads(said)}


def test_it_says_what_there_is(tmp_path: Path) -> None:
    said = found(tmp_path / "store")
    assert said["Grafico"]["state"] == "fine"
    assert said["store"]["found"].endswith("0 runs")
    assert said["extra agent"]["state"] == "fine"  # the tests need it
    assert said["disk of the store"]["found"].endswith("GB are free")
    text = asked("doctor", store=tmp_path / "store", status=None)
    assert "✓ Grafico: " in text


def test_a_program_that_is_not_there_is_missing_and_says_what_for(tmp_path: Path) -> None:
    said = found(tmp_path / "store", PATH=str(tmp_path))
    for need in needs():
        one = said[need.command]
        assert one["state"] == "missing"
        assert need.purpose in one["found"]
        assert one["advice"] == need.advice


@pytest.mark.parametrize("listens", [True, False])
def test_a_model_is_asked_only_where_one_wants_it(tmp_path: Path, listens: bool) -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        if listens:
            server.listen()
        url = f"http://127.0.0.1:{server.getsockname()[1]}/v1"
        named = {"GRAFICO_AGENT_MODEL": "mine", "GRAFICO_AGENT_BASE_URL": url}
        assert found(tmp_path / "s", **named)["language model"]["found"] == "mine, not tried"
        one = found(tmp_path / "s", "--ask", **named)["language model"]
        assert one["state"] == ("fine" if listens else "wrong")
        asked("doctor", "--ask", store=tmp_path / "s", status=0 if listens else 1, **named)


def test_space_adds_up(tmp_path: Path) -> None:
    from grafico import Grafico

    store = tmp_path / "store"
    with Grafico(store) as session:
        session.kg.push(Software(name="Python", version="3"))
    (store / "memo").mkdir(exist_ok=True)
    (store / "memo" / "one.npz").write_bytes(bytes(5000))
    said = {one["part"]: one for one in json.loads(asked("du", "--json", store=store))}
    assert said["arrays that save the next calculation time"]["size"] == 5000
    assert said["results and runs"]["can_go"] == "no"
    sizes = [
        os.lstat(os.path.join(folder, name)).st_size
        for folder, _, names in os.walk(store)
        for name in names
    ]
    own = [one for part, one in said.items() if not part.startswith("cache: ")]
    assert sum(one["files"] for one in own) == len(sizes)
    assert "together" in asked("du", store=store)


def test_a_store_in_no_folder_has_no_space_to_show() -> None:
    got = CliRunner().invoke(main, ["du", "--store", "memory:"])
    assert got.exit_code == 2
    assert "no folder" in got.stderr
