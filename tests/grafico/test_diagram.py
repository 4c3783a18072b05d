"""`grafico graph`: what is listed, drawn and highlighted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ogm import KnowledgeGraph
from ontologies.provenance import Outcome, Run, Transition
from tests.engine.machines import mix
from tests.typed import typed
from triplestore import open_store
from triplestore.errors import RecipeError
from workflows.engine import Executor
from workflows.registry import workflows


@pytest.fixture
def store(tmp_path: Path) -> str:
    return str(tmp_path / "store")


def say(*words: str, status: int = 0) -> str:
    result = typed("graph", *words, status=status)
    return result.output


def test_the_graphs_are_found_and_listed() -> None:
    lines = say().splitlines()
    names = sorted(workflows())
    assert {"dft", "batch", "reaction"} <= {*names}
    assert [line.split()[0] for line in lines] == names
    assert "SinglePoint, Optimise" in lines[names.index("dft")]
    assert list(json.loads(say("--json"))) == names


def test_a_graph_is_drawn() -> None:
    drawn = say("dft")
    assert drawn.startswith("stateDiagram-v2\n")
    assert "    Displace --> Optimise\n" in drawn
    told = json.loads(say("dft", "--json"))
    assert told["mermaid"] + "\n" == drawn
    assert told["nodes"]["Displace"]["successors"] == ["Optimise"]
    assert told["nodes"]["Displace"]["may_end"] is False
    assert told["nodes"]["Optimise"]["fields"][0] == "max_steps"


def test_an_unknown_graph_is_refused_with_those_there_are() -> None:
    commands = ", ".join(sorted(one.command for one in workflows().values()))
    assert f"choose one of: {commands}" in say("nothing", status=2)


async def recorded(store: str, failure: str) -> str:
    """Record a run of the graph dft that went Optimise, Frequencies, Optimise."""
    with open_store(store) as opened:
        executor = Executor(KnowledgeGraph(opened), threads_per_calculation=1)
        finish = await mix(executor)
        run = executor.kg.pull(Run, finish.run).model_copy(update={"graph": "dft"})
        old = executor.kg.find(Transition)[0]
        names = ("Optimise", "Frequencies", "Optimise")
        for index, node in enumerate(names):
            more = {"failure": failure} if index == 2 else {}
            more |= {"run": run, "index": index, "node": node}
            executor.record(old.model_copy(update=more))
        ended = executor.kg.find(Outcome)[0].model_copy(update={"run": run})
        executor.record(run, ended)
        executor.close()
        return run.iri


async def test_the_path_of_a_run_is_numbered(store: str) -> None:
    run = await recorded(store, "")
    drawn = say("--run", run, "--store", store)
    assert "    [*] --> Optimise: 1\n" in drawn
    assert "    Optimise --> Frequencies: 2\n" in drawn
    assert "    Frequencies --> Optimise: 3\n" in drawn
    assert "    Optimise --> [*]: end\n" in drawn
    assert "class Optimise, Frequencies taken" in drawn
    assert say("dft", "--run", run.split("grafico/")[1], "--store", store) == drawn
    assert "a run of the graph dft" in say("microwave", "--run", run, "--store", store, status=2)


async def test_a_step_that_failed_is_marked(store: str) -> None:
    run = await recorded(store, str(RecipeError("it failed")))
    told = json.loads(say("--run", run, "--store", store, "--json"))
    assert told["path"] == ["Optimise", "Frequencies", "Optimise"]
    assert told["failed"]
    assert told["ended"]
    assert "class Optimise failed" in told["mermaid"]
    assert ": end" not in told["mermaid"]


def test_a_run_that_is_not_stored_is_refused(store: str) -> None:
    words = ("--run", "id/Run/none", "--store", store)
    assert "id/Run/none" in say(*words, status=2)
