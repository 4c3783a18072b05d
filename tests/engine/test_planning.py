"""Planner, routers and graphs, on a device that knows no chemistry."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_graph import End

from ogm import KnowledgeGraph
from ontologies.provenance import Outcome, Run, Transition
from triplestore import open_store
from workflows.engine import Choice, Crossroads, Executor, ForbiddenError, Graph, plan, successors
from workflows.microwave.graph import (
    MICROWAVE,
    CloseLid,
    HeatVial,
    LoadVial,
    MicrowaveRequest,
    OpenLid,
    Synthesizer,
    UpdateHeatingParameters,
    run_microwave,
)

REQUEST = MicrowaveRequest(vial=3, temperature=100, duration=50, pressure=3)
SET: Any = {"temperature": 100.0, "duration": 50.0, "pressure": 3.0}


@pytest.fixture
def executor() -> Iterator[Executor]:
    with open_store("memory:") as store:
        executor = Executor(KnowledgeGraph(store))
        yield executor
        executor.close()


def names(state: Synthesizer, request: MicrowaveRequest = REQUEST) -> list[list[str]]:
    candidates, _ = MICROWAVE.bind(request)
    return [[node.name for node in found] for found in plan(candidates, state, request.goal())]


def test_all_shortest_plans_are_found() -> None:
    """Open, load, close, heat in this order; the parameters anywhere before the heating."""
    plans = names(Synthesizer())
    fixed = ["OpenLid", "LoadVial", "CloseLid", "HeatVial"]
    setting = "UpdateHeatingParameters"
    expected = [[*fixed[:place], setting, *fixed[place:]] for place in range(4)]
    assert sorted(plans) == sorted(expected)


def test_a_plan_starts_from_where_things_stand() -> None:
    assert names(Synthesizer(lid_open=True, vial=3, **SET)) == [["CloseLid", "HeatVial"]]
    assert names(Synthesizer(vial=3, heated=True, **SET)) == [[]]


def test_there_is_no_plan_with_the_wrong_vial_inside() -> None:
    candidates, _ = MICROWAVE.bind(REQUEST)
    plans = plan(candidates, Synthesizer(vial=5), REQUEST.goal())
    assert plans.first() is None
    assert "vial 5 is inside" in plans.obstacles


def test_nodes_are_filled_in_from_the_request() -> None:
    bound, refused = MICROWAVE.bind(REQUEST)
    assert LoadVial(vial=3) in bound
    assert not refused
    bound, refused = MICROWAVE.bind(OpenLid())
    assert {type(node) for node in bound} == {OpenLid, CloseLid, HeatVial}
    assert refused["LoadVial"] == "needs vial"


def test_successors_are_read_from_the_types() -> None:
    assert successors(LoadVial) == {CloseLid, UpdateHeatingParameters, End}
    with pytest.raises(TypeError, match="not in graph"):
        Graph("broken", OpenLid)


async def test_a_run_is_recorded_step_by_step(executor: Executor) -> None:
    finish = await run_microwave(Synthesizer(), REQUEST, executor)
    assert finish.status == "finished"
    assert finish.state == Synthesizer(vial=3, heated=True, **SET)
    kg = executor.kg
    run = kg.pull(Run, finish.run)
    steps = sorted(kg.find(Transition, run=run), key=lambda step: step.index)
    assert len(steps) == 5
    assert steps[-1].node == "HeatVial"
    assert all(step.chosen_by == "goal" and step.node in step.menu for step in steps)
    assert "HeatVial: there is no vial inside" in steps[0].refused
    assert kg.find(Outcome, run=run)[0].status == "finished"


async def test_a_goal_out_of_reach_is_an_outcome_with_its_reason(executor: Executor) -> None:
    finish = await run_microwave(Synthesizer(vial=5), REQUEST, executor)
    assert finish.status == "goal unmet"
    assert "vial 5 is inside" in finish.message
    again = await run_microwave(Synthesizer(), REQUEST, executor)
    assert again.status == "finished"


class Rogue:
    """A router that wants to heat at once, or with fields of its own."""

    name = "rogue"

    def __init__(self, node) -> None:
        self.node = node

    async def choose(self, at: Crossroads) -> Choice:
        return Choice(self.node, "because")


@pytest.mark.parametrize("node", [HeatVial(), LoadVial(vial=3), LoadVial(vial=9)])
async def test_no_router_reaches_what_the_engine_forbids(executor: Executor, node) -> None:
    with pytest.raises(ForbiddenError, match="rogue router chose"):
        await run_microwave(Synthesizer(), REQUEST, executor, router=Rogue(node))
    assert [outcome.status for outcome in executor.kg.find(Outcome)] == ["failed"]
    assert not executor.kg.find(Transition)


STATES = st.builds(
    Synthesizer,
    lid_open=st.booleans(),
    vial=st.none() | st.integers(1, 10),
    temperature=st.none() | st.just(100.0) | st.just(40.0),
    duration=st.none() | st.just(50.0),
    pressure=st.none() | st.just(3.0),
)


@given(STATES)
def test_every_plan_respects_every_precondition(state: Synthesizer) -> None:
    candidates, _ = MICROWAVE.bind(REQUEST)
    plans = plan(candidates, state, REQUEST.goal())
    assert (plans.first() is None) == (state.vial not in (None, 3))
    lengths = set()
    for steps in plans:
        at = state
        for step in steps:
            assert step.precondition(at) is None
            at = step.effect(at)
        assert REQUEST.goal().reached(at)
        lengths.add(len(steps))
    assert len(lengths) <= 1


def test_the_diagram_shows_every_node() -> None:
    drawn = MICROWAVE.mermaid()
    assert drawn.startswith("stateDiagram")
    assert all(node.__name__ in drawn for node in MICROWAVE.nodes)


def test_the_engine_knows_no_chemistry() -> None:
    """No module of the engine imports a domain or the words of one."""
    folder = Path(__file__).resolve().parents[2] / "workflows" / "engine"
    words = ("quantum", "atoms", "pyscf", "rdkit", "molecule", "workflows.dft")
    for path in folder.glob("*.py"):
        imports = [
            line
            for line in path.read_text().splitlines()
            if line.lstrip().startswith(("from", "import"))
        ]
        assert not [line for line in imports if any(word in line for word in words)], path
