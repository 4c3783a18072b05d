"""The steps of the graph beside geometry: analyses, excited states, stability, constraints."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from ontologies.atoms import ConceptualAtoms
from ontologies.excitations import ExcitedStates
from ontologies.quantum import Optimisation, SinglePoint
from ontologies.wavefunction import StabilityAnalysis, WavefunctionAnalysis
from tests.dft.conftest import Bench
from tests.dft.structures import WATER
from triplestore.errors import InputError
from workflows.dft.graphs.graph import DFT
from workflows.dft.graphs.situation import Situation
from workflows.dft.request.forms import PROPERTIES, STEPS, DFTRequest, LevelRequest
from workflows.engine import plan
from workflows.geometry.constraint_text import constraints_of, read_constraint
from workflows.geometry.constraints import measured

STRETCHED = ConceptualAtoms(numbers=[1, 1], positions=[[0, 0, 0], [0, 0, 3.0]])
HF = ("HF", "STO-3G")


def planned(situation: Situation | None = None, **asked: object) -> list[str]:
    request = DFTRequest.model_validate(asked)
    steps = plan(DFT.bind(request)[0], situation or Situation(), request.goal()).first()
    return [step.name for step in steps or []]


def test_what_nobody_asks_for_makes_no_search_longer() -> None:
    request = DFTRequest(task="frequencies")
    plans = plan(DFT.bind(request)[0], Situation(), request.goal())
    assert plans.looked_at < 10, "each property would double it"
    assert {one.node for one in PROPERTIES} == request.goal().idle
    assert {kind.__name__ for kind in DFT.nodes} == {*STEPS, *request.goal().idle}


def test_what_belongs_to_a_geometry_is_computed_where_the_run_ends() -> None:
    assert planned(analysis=True) == ["Analyse"]
    assert planned(states=3) == ["Excite"]
    assert planned(task="optimise", states=3, analysis=True)[0] == "Optimise"
    assert set(planned(task="optimise", states=3, analysis=True)[1:]) == {"Excite", "Analyse"}
    everything = planned(task="frequencies", states=1, analysis=True, stability=True)
    assert everything[0] == "Optimise"
    assert sorted(everything[1:]) == [
        "Analyse",
        "CheckStability",
        "Excite",
        "Frequencies",
        "Thermochemistry",
    ]
    displaced = Situation("saddle point", energy=True, known=("analysis", "states"))
    assert planned(displaced, task="frequencies", analysis=True)[-1] != "Displace"
    assert "Analyse" in planned(displaced, task="frequencies", analysis=True)


def test_a_constrained_geometry_is_no_minimum() -> None:
    held = ("distance 1 2 1.0",)
    assert planned(task="optimise", constraints=held) == ["Optimise"]
    for task in ("energy", "frequencies"):
        with pytest.raises(ValidationError, match=f"with task {task} that has no effect"):
            DFTRequest(task=task, constraints=held)  # pyright: ignore[reportArgumentType]


def test_a_scan_may_start_at_a_minimum(bench: Bench) -> None:
    level = bench.level(*HF)
    relaxed = bench.run(WATER, level, "optimise").state.atoms
    finish = bench.run(relaxed, level, "optimise", constraints=("distance 1 2 1.1",))
    assert finish.status == "finished"
    assert measured(finish.state.atoms.positions, (0, 1)) == pytest.approx(1.1, abs=1e-3)


def test_constraints_that_contradict_each_other_are_no_result(bench: Bench) -> None:
    with pytest.raises(InputError, match="cannot all be met"):
        bench.run(
            WATER,
            bench.level(*HF),
            "optimise",
            constraints=("distance 1 2 1", "distance 1 3 1", "angle 2 1 3 104", "distance 2 3 1.3"),
        )


def test_the_same_constraints_are_the_same_in_any_order_and_frame(bench: Bench) -> None:
    level = bench.level(*HF)
    hof = ConceptualAtoms(numbers=[1, 8, 9], positions=[[0.9, 0.3, 0], [0, 0, 0], [-0.2, 1.4, 0.1]])
    turned = ConceptualAtoms(
        numbers=hof.numbers[[2, 1, 0]], positions=hof.positions[[2, 1, 0]][:, [2, 0, 1]] + 1
    )
    first = bench.run(hof, level, "optimise", constraints=("distance 1 2", "freeze 3 2"))
    again = bench.run(turned, level, "optimise", constraints=("freeze 2 1", "distance 2 3"))
    assert not first.state.answers[0].reused
    assert again.state.answers[0].reused
    assert constraints_of(("angle 3 2 1 100",), hof) == constraints_of(("angle 1 2 3 100",), hof)


def test_one_run_gives_all_that_is_asked_of_one_geometry(bench: Bench) -> None:
    finish = bench.run(WATER, bench.level(*HF), "optimise", states=2, response="TDA", analysis=True)
    assert finish.status == "finished"
    kinds = {type(answer.result): answer.result for answer in finish.state.answers}
    assert set(kinds) == {Optimisation, ExcitedStates, WavefunctionAnalysis}
    assert {one.atoms for one in kinds.values()} == {finish.state.atoms}
    excited = kinds[ExcitedStates]
    assert isinstance(excited, ExcitedStates)
    assert excited.response == "TDA"
    assert len(excited.excitation_energies) == 2


def test_an_unstable_wavefunction_is_left_for_a_stable_one(bench: Bench) -> None:
    """H2 at 3 Å: UHF in a minimal basis is near two atoms of −0.46658 Eh each."""
    finish = bench.run(STRETCHED, bench.level(*HF), "energy", stability=True)
    assert finish.status == "finished"
    state = finish.state
    assert (state.level.reference, state.level.follow_instabilities) == ("unrestricted", True)
    first, *_, last = [answer.result for answer in state.answers]
    assert isinstance(first, StabilityAnalysis)
    assert (first.internal, first.external) == (True, False)
    assert isinstance(last, StabilityAnalysis)
    assert last.stability == "stable"
    assert last.energy == pytest.approx(first.stable_energy, abs=1e-7)
    assert last.energy == pytest.approx(2 * -0.46658, abs=5e-4)
    assert not [a for a in state.answers if type(a.result) is SinglePoint]


def test_constraints_hold_and_are_said_to(bench: Bench) -> None:
    finish = bench.run(
        WATER, bench.level(*HF), "optimise", constraints=("distance 1 2 1.1", "freeze 1")
    )
    assert finish.status == "finished"
    assert finish.state.situation.geometry == "constrained"
    result = finish.state.answers[-1].result
    assert measured(result.atoms.positions, (0, 1)) == pytest.approx(1.1, abs=1e-3)
    assert measured(result.atoms.positions, (0, 2)) < 1.05
    free = bench.run(result.atoms, bench.level(*HF), "optimise")
    assert not free.state.answers[0].reused  # what was held does not count as stationary


def test_a_finer_optimisation_counts_for_a_coarser_one_only(bench: Bench) -> None:
    level = bench.level(*HF)
    tight = bench.run(WATER, level, "optimise", convergence="tight").state
    assert tight.answers[0].result.max_gradient < 1.5e-5
    assert bench.run(tight.atoms, level, "optimise").state.answers[0].reused
    loose = bench.run(WATER, level, "optimise", convergence="loose").state
    assert loose.answers[0].reused  # from the same start, what met more is the answer
    again = bench.run(loose.atoms, level, "optimise", convergence="very tight").state
    assert not again.answers[0].reused


@pytest.mark.parametrize(
    "text",
    [
        "",
        "distance",
        "distance 1",
        "distance 1 1",
        "distance 0 2",
        "angle 1 2 3 181",
        "distance 1 2 nan",
        "distance 1 2 0.1",
        "freeze",
        "bend 1 2 3",
        "distance 1 2 1 1",
        "dihedral 1 2 3 4 x",
    ],
)
def test_what_is_no_constraint(text: str) -> None:
    with pytest.raises(ValueError, match=r"constraint|can be"):
        read_constraint(text)
    with pytest.raises(ValidationError):
        DFTRequest(task="optimise", constraints=(text,))


def test_constraints_are_those_of_the_geometry_where_no_value_is_given() -> None:
    held = constraints_of(("angle 2 1 3", "distance = 1 2"), WATER)
    assert held is not None
    assert held.angles == pytest.approx([measured(WATER.positions, (1, 0, 2))])
    assert held.angles == pytest.approx([104.5], abs=1)
    with pytest.raises(InputError, match="there are 3 atoms"):
        constraints_of(("distance 1 4",), WATER)
    twice = r"at 1 Å in H2O; it is asked for as 0\.\d+ Å too; give it once"
    with pytest.raises(InputError, match=twice):
        constraints_of(("distance 1 2", "distance 2 1 1.0"), WATER)
    with pytest.raises(InputError, match="given twice"):
        constraints_of(("distance 1 2 1", "distance 2 1 1.0"), WATER)
    with pytest.raises(InputError, match="frozen where it is"):
        constraints_of(("freeze 1 2", "distance 1 2 1.3"), WATER)
    assert constraints_of(("freeze 1 2", "distance 1 2"), WATER) is not None


def test_a_level_is_asked_for_by_its_form(bench: Bench) -> None:
    form = LevelRequest(method="PBE0-D3(BJ)", basis="def2svp", solvent="MeCN", solvation="smd")
    level = bench.loop.call(lambda: bench.executor.run(form.resolution(WATER))).result.level
    assert level.label == "PBE0-D3(BJ)/def2-SVP in SMD acetonitrile"
    assert level.reference == "restricted"
