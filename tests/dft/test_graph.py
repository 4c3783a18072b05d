"""The graph: what is computed when, what is remembered, what is said of it."""

from __future__ import annotations

import numpy as np
import pytest

from ontologies.provenance import Outcome, Run, Transition
from ontologies.quantum import Optimisation, SinglePoint
from ontologies.vibrations import Displacement, FrequencyAnalysis
from tests.dft.conftest import Bench
from tests.dft.structures import PLANAR_AMMONIA, WATER, atoms, single
from triplestore.errors import InputError
from workflows.dft.graphs.graph import DFT, start
from workflows.dft.graphs.situation import DFTState, Situation
from workflows.dft.graphs.steps import REPAIRS
from workflows.dft.properties.energy import single_point
from workflows.dft.properties.surface import optimise
from workflows.dft.properties.thermo import thermochemistry
from workflows.dft.request.forms import DFTRequest
from workflows.engine import plan, run_graph

HF = ("HF", "STO-3G")


def planned(task: str, situation: Situation) -> list[str]:
    request = DFTRequest(task=task)  # pyright: ignore
    steps = plan(DFT.bind(request)[0], situation, request.goal()).first()
    return [step.name for step in steps or []]


def test_the_planner_does_no_more_than_is_needed() -> None:
    assert planned("energy", Situation()) == ["SinglePoint"]
    assert planned("optimise", Situation()) == ["Optimise"]
    assert planned("frequencies", Situation()) == ["Optimise", "Frequencies", "Thermochemistry"]
    assert planned("frequencies", Situation("stationary", True)) == [
        "Frequencies",
        "Thermochemistry",
    ]
    assert planned("frequencies", Situation("saddle point", True)) == [
        "Displace",
        "Optimise",
        "Frequencies",
        "Thermochemistry",
    ]


def test_a_saddle_point_is_repaired(bench: Bench) -> None:
    """Planar ammonia is the top of its inversion barrier; the minimum is a pyramid."""
    finish = bench.run(PLANAR_AMMONIA, bench.level(*HF), "frequencies")
    results = [answer.result for answer in finish.state.answers]
    assert [type(result) for result in results] == [
        Optimisation,
        FrequencyAnalysis,
        Optimisation,
        FrequencyAnalysis,
    ]
    saddle, minimum = results[1], results[3]
    assert isinstance(saddle, FrequencyAnalysis)
    assert isinstance(minimum, FrequencyAnalysis)
    assert (saddle.stationarity, saddle.imaginary) == ("saddle point", 1)
    with pytest.raises(InputError, match="saddle point"):
        thermochemistry(saddle, 298.15, 101325.0)
    assert (minimum.stationarity, minimum.imaginary) == ("minimum", 0)
    assert minimum.energy < saddle.energy
    # HF/STO-3G: −55.45542 Eh, angle 104.2° (W. J. Hehre et al., 1986)
    assert minimum.energy == pytest.approx(-55.45542, abs=1e-5)
    n, h1, h2 = minimum.atoms.positions[:3]
    cosine = (h1 - n) @ (h2 - n) / np.linalg.norm(h1 - n) / np.linalg.norm(h2 - n)
    assert np.degrees(np.arccos(cosine)) == pytest.approx(104.2, abs=0.1)
    pushed = bench.kg.find(Displacement)[-1]
    assert pushed.source.load(bench.kg) == saddle
    assert results[2].initial == pushed.atoms


def test_a_saddle_point_that_stays_one_is_an_honest_failure(bench: Bench) -> None:
    level = bench.level(*HF)
    first = bench.run(PLANAR_AMMONIA, level, "frequencies").state
    saddle = first.answers[1]
    worn_out = DFTState(
        saddle.result.atoms, level, Situation("saddle point", True, repairs=REPAIRS), (saddle,)
    )
    request = DFTRequest(task="frequencies")
    finish = bench.loop.call(
        lambda: run_graph(DFT, worn_out, request, request.goal(), bench.executor, subject="NH3")
    )
    assert finish.status == "goal unmet"
    assert f"imaginary mode after {REPAIRS} displacements" in finish.message


def test_a_stationary_geometry_is_not_optimised_again(bench: Bench) -> None:
    level = bench.level(*HF)
    relaxed = bench.last(WATER, level, "optimise").atoms
    finish = bench.run(relaxed, level, "frequencies")
    kinds = [type(answer.result) for answer in finish.state.answers]
    assert kinds == [Optimisation, FrequencyAnalysis]
    assert finish.state.answers[0].reused
    run = bench.kg.pull(Run, finish.run)
    steps = {step.node for step in bench.kg.find(Transition, run=run)}
    assert steps == {"Frequencies", "Thermochemistry"}


def test_a_translated_stationary_geometry_is_known_too(bench: Bench) -> None:
    level = bench.level(*HF)
    relaxed = bench.last(WATER, level, "optimise").atoms
    copy = relaxed.moved_to(relaxed.positions + np.array([0.0, 1.0, -2.0]))
    for task in ("optimise", "energy", "frequencies"):
        finish = bench.run(copy, level, task)
        assert finish.state.answers[0].reused, task
        assert finish.state.atoms.positions == pytest.approx(copy.positions, abs=1e-6)


def test_what_another_version_found_does_not_count(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    level = bench.level(*HF)
    relaxed = bench.last(WATER, level, "optimise").atoms
    assert start(relaxed, level, bench.executor).situation.geometry == "stationary"
    monkeypatch.setattr(optimise, "version", "0")
    assert start(relaxed, level, bench.executor).situation.geometry == "as given"


def test_another_temperature_repeats_no_second_derivatives(bench: Bench) -> None:
    level = bench.level(*HF)
    cold = bench.run(WATER, level, "frequencies")
    warm = bench.run(WATER, level, "frequencies", temperature=400.0)
    assert all(answer.reused for answer in warm.state.answers)
    assert not warm.state.heat.reused
    assert warm.state.heat.result.entropy > cold.state.heat.result.entropy
    stored = bench.kg.pull(FrequencyAnalysis, cold.state.answers[-1].recorded)
    assert warm.state.heat.result.frequencies == stored


def test_another_level_starts_anew(bench: Bench) -> None:
    relaxed = bench.last(WATER, bench.level(*HF), "optimise").atoms
    finish = bench.run(relaxed, bench.level("HF", "3-21G"), "optimise")
    assert not finish.state.answers[0].reused


def test_the_same_request_is_remembered(bench: Bench) -> None:
    level = bench.level(*HF)
    first = bench.run(WATER, level, "frequencies")
    again = bench.run(WATER, level, "frequencies")
    assert all(answer.reused for answer in again.state.answers)
    assert again.state.recorded == first.state.recorded
    assert again.run != first.run


def test_a_translated_copy_is_remembered_in_its_own_frame(bench: Bench) -> None:
    level = bench.level(*HF)
    shift = np.array([3.0, -2.0, 0.7])
    first = bench.run(WATER, level, "optimise")
    moved = bench.run(WATER.moved_to(WATER.positions + shift), level, "optimise")
    answer = moved.state.answers[0]
    assert answer.reused
    assert answer.motion.translation == pytest.approx(tuple(shift))
    assert moved.state.atoms.positions == pytest.approx(first.state.atoms.positions + shift)
    fresh = single_point(moved.state.atoms, level)
    assert fresh.energy == pytest.approx(answer.result.energy, abs=1e-8)
    assert fresh.dipole == pytest.approx(answer.result.dipole, abs=1e-4)
    assert fresh.mulliken_charges == pytest.approx(answer.result.mulliken_charges, abs=1e-5)


def test_another_charge_or_spin_is_another_calculation(bench: Bench) -> None:
    level = bench.level("HF", "STO-3G", "unrestricted")
    singlet = bench.last(single(8, multiplicity=1), level, "energy").energy
    triplet = bench.last(single(8, multiplicity=3), level, "energy").energy
    cation = bench.last(single(8, charge=1, multiplicity=4), level, "energy").energy
    assert triplet < singlet < cation


def test_a_failed_run_is_recorded_with_its_reason(bench: Bench) -> None:
    level = bench.level("HF", "6-31G*")
    with pytest.raises(InputError, match="no functions for I"):
        bench.run(single(53, charge=-1), level, "energy")
    failed = [o for o in bench.kg.find(Outcome) if o.status == "failed"]
    assert any("no functions for I" in outcome.message for outcome in failed)
    assert not [p for p in bench.kg.find(SinglePoint) if p.atoms.formula == "I"]


def test_periodic_structures_are_refused(bench: Bench) -> None:
    box = atoms([2], [[0, 0, 0]], cell=np.eye(3) * 5, periodic=[True] * 3)
    with pytest.raises(InputError, match="it is a crystal"):
        bench.run(box, bench.level(*HF), "energy")
