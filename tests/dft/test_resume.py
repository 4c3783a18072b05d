"""A run of the DFT graph is entered again where it ended, and repeats nothing."""

from __future__ import annotations

import pytest

from ontologies.provenance import Activity, Run, Transition
from ontologies.vibrations import Displacement
from tests.dft.conftest import Bench
from tests.dft.structures import PLANAR_AMMONIA, WATER
from triplestore.errors import ComponentError, NotFoundError, RecordError
from workflows.dft.graphs.graph import DFT, Displace, Optimise, SinglePoint
from workflows.dft.graphs.situation import DFTState
from workflows.dft.request.forms import DFTRequest
from workflows.dft.result import Result
from workflows.engine import Finish, replay, run_graph
from workflows.engine.request.workflow import resume

MINIMUM = DFTRequest(task="frequencies")


def partial(bench: Bench, atoms, exit_node, basis: str = "STO-3G") -> Finish:
    level = bench.level("HF", basis)
    return bench.loop.call(
        lambda: run_graph(
            DFT,
            DFTState(atoms, level),
            MINIMUM,
            MINIMUM.goal(),
            bench.executor,
            subject="a molecule",
            about=(atoms, level),
            exit_node=exit_node,
        )
    )


def resumed(bench: Bench, run: str, **asked: object) -> Result:
    return bench.loop.call(lambda: resume(run, bench.executor, asked=asked))


def nodes(bench: Bench, run: str) -> list[str]:
    steps = bench.kg.find(Transition, run=bench.kg.pull(Run, run))
    return [step.node for step in sorted(steps, key=lambda step: step.index)]


def test_a_run_that_stopped_after_a_displacement_goes_on_from_there(bench: Bench) -> None:
    first = partial(bench, PLANAR_AMMONIA, Displace)
    assert (first.status, first.node) == ("goal unmet", "Displace")
    computed = len(bench.kg.find(Activity))
    pushed = len(bench.kg.find(Displacement))

    start = DFTState(PLANAR_AMMONIA, bench.level("HF", "STO-3G"))
    state = bench.loop.call(lambda: replay(DFT, start, first.run, bench.executor))
    assert state.atoms == first.state.atoms
    assert state.situation == first.state.situation
    assert state.recorded == first.state.recorded
    assert len(bench.kg.find(Activity)) == computed
    assert len(bench.kg.find(Displacement)) == pushed

    finish = resumed(bench, first.run)
    assert finish.status == "finished"
    assert nodes(bench, finish.run)[0] == "Optimise"
    run = bench.kg.pull(Run, finish.run)
    assert run.resumes is not None
    assert run.resumes.iri == first.run
    assert len(finish.answers) == 4
    # once more, through both: nothing is left to do
    again = resumed(bench, finish.run)
    assert (again.status, nodes(bench, again.run)) == ("finished", [])


def test_a_run_can_go_on_to_another_goal(bench: Bench) -> None:
    first = partial(bench, WATER, Optimise)
    assert (first.status, first.node) == ("goal unmet", "Optimise")
    finish = resumed(bench, first.run, task="energy")
    assert finish.status == "finished"


def test_what_cannot_be_resumed_is_refused(bench: Bench) -> None:
    with pytest.raises(NotFoundError):
        resumed(bench, "https://w3id.org/grafico/id/Run/none")
    state = DFTState(PLANAR_AMMONIA, bench.level("HF", "STO-3G"))
    nothing = bench.loop.call(
        lambda: run_graph(
            DFT,
            state,
            MINIMUM,
            MINIMUM.goal(),
            bench.executor,
            subject="no atoms",
            exit_node=SinglePoint,
            entry_node=SinglePoint,
        )
    )
    with pytest.raises(RecordError, match="it names 0 molecules, not one"):
        resumed(bench, nothing.run)
    run = bench.kg.pull(Run, nothing.run)
    other = run.model_copy(update={"graph": "another"})
    bench.kg.push(other)
    with pytest.raises(ComponentError, match="the workflow another, which is not installed"):
        resumed(bench, other.iri)
