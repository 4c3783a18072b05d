"""Estimates learn from what was measured, and how well those of jobs did is told."""

import math
import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from grafico import Grafico
from ogm import Link
from ontologies.jobs import ClusterJob, JobAttempt
from ontologies.provenance import Activity, Run, Software
from workflows.batch.request import sampled
from workflows.dft.request.molecule_cost import MoleculeCost, corrected
from workflows.engine.jobs.accuracy import accuracy, judged
from workflows.engine.local.devices import processor
from workflows.engine.request import learning
from workflows.engine.request.cost import Cost, Granted
from workflows.engine.request.learning import Past, learn
from workflows.engine.request.measured import Measured
from workflows.registry.levels import offered

LEVEL: dict[str, Any] = {"method": "HF", "basis": "STO-3G"}


def test_nothing_measured_changes_nothing() -> None:
    assert learn(10.0, 6.0, []) == learn(10.0, 6.0, [Past(0.0, 3.0)])
    lesson = learn(10.0, 6.0, [])
    assert (lesson.times, lesson.factor, lesson.measured) == (1.0, 6.0, 0.0)
    far = learn(10.0, 6.0, [Past(1e9, 1.0)])  # a size that says nothing of this one
    assert (far.times, far.factor) == (pytest.approx(1.0), pytest.approx(6.0))


def test_what_all_share_is_learnt_and_the_spread_is_stated() -> None:
    """Drawn from known distributions: nine of ten estimates lie within the factor stated."""
    chance = random.Random(7)
    for spread, many in ((0.1, 30), (0.5, 30), (0.5, 3)):
        held = off = 0
        for _ in range(400):
            shared = chance.gauss(0.0, math.log(6.0) / 1.645 / math.sqrt(2))

            def took(thought: float, shared: float = shared, spread: float = spread) -> float:
                return thought * math.exp(shared + chance.gauss(0.0, spread))

            sizes = [math.exp(chance.gauss(4.0, 0.7)) for _ in range(many)]
            lesson = learn(55.0, 6.0, [Past(size, took(size)) for size in sizes])
            far = abs(math.log(took(55.0) / (55.0 * lesson.times)))
            held += far <= math.log(lesson.factor)
            off += far <= math.log(6.0)
            assert 1.25 <= lesson.factor < 6.0
        assert held > 0.85 * 400  # a little more where few were measured: 6 was thought before
        assert off >= held


def test_what_is_less_alike_counts_less() -> None:
    near, other = learn(10.0, 6.0, [Past(10.0, 80.0)]), learn(10.0, 6.0, [Past(10.0, 80.0, 0.25)])
    assert near.times == pytest.approx(math.sqrt(8.0))  # one measurement against one thought
    assert 1.0 < other.times < near.times
    assert learn(10.0, 6.0, [Past(200.0, 1600.0)]).times < near.times


def test_a_batch_is_as_right_as_its_entries_and_a_sample() -> None:
    assert sampled([2.0, 2.0]) == pytest.approx(math.exp(math.log(2.0) * math.sqrt(2.0)))
    assert 6.0 < sampled([6.0] * 9) < 10.0


def test_what_takes_a_moment_says_little() -> None:
    """A start takes half a second, whatever was computed in a thousandth of it."""
    assert learn(0.001, 6.0, [Past(0.001, 0.5)]).times == 1.0
    assert learn(0.001, 6.0, [Past(0.001, 4.0)]).times == pytest.approx(2.0)
    assert learn(9.0, 6.0, [Past(9.0, 0.001)]).times == pytest.approx(1 / 3)


def test_a_molecule_is_estimated_by_what_its_like_took(
    session: Grafico, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learning, "MOMENT", 1e-9)  # so that a small molecule will do
    ready = session.wait_for(lambda: session.prepare_async("CO", **LEVEL))
    (part,) = ready.prepared.costs
    assert isinstance(part, MoleculeCost)
    program = offered(part.level)

    def estimate(**granted: object) -> tuple[Cost, Cost]:
        given = Granted(1, measured=Measured(session.kg, **granted))  # pyright: ignore[reportArgumentType]
        thought = program.cost(part.atoms, part.level, part.request, given)
        return thought, corrected(part, thought, given)

    assert estimate()[0] == estimate()[1]  # nothing was measured
    session.run("CO", **LEVEL)
    (done,) = session.kg.find(Activity, calculation="dft.single_point")
    thought, told = estimate(processors=[processor()])
    assert told.seconds == pytest.approx(math.sqrt(thought.seconds * done.wall_time))
    far = estimate(processors=["another"])[1].seconds
    assert abs(math.log(far / thought.seconds)) < abs(math.log(told.seconds / thought.seconds))
    # at another level it tells less, and of another program nothing
    other = session.wait_for(lambda: session.prepare_async("CO", method="HF", basis="3-21G"))
    beside = other.prepared.costs[0]
    assert isinstance(beside, MoleculeCost)
    granted = Granted(1, measured=Measured(session.kg))
    plain = program.cost(beside.atoms, beside.level, beside.request, granted)
    learnt = corrected(beside, plain, granted)
    assert (
        0
        < abs(math.log(learnt.seconds / plain.seconds))
        < abs(math.log(told.seconds / thought.seconds))
    )


NOW = datetime(2026, 11, 24, 8, tzinfo=UTC)


def told(session: Grafico, name: str, estimate: float, factor: float, *hours: float) -> None:
    """Store a job of one part, each attempt but the last of which was cut off."""
    grafico = Software(name="grafico", version="1")
    run = Run(graph="g", goal="", subject=name, request="", started=NOW, software=grafico)
    job = ClusterJob(
        run=Link(run),
        name=name,
        cluster="hpc",
        scheduler="slurm",
        submitted=NOW,
        estimate=estimate,
        factor=factor,
    )
    attempts = [
        JobAttempt(
            job=Link(job),
            share=1,
            number=number,
            started=NOW,
            ended=NOW + timedelta(hours=number),
            cores=1,
            memory=900.0,
            walltime=24.0,
            core_hours=took,
            ending="finished" if number == len(hours) else "cut off",
        )
        for number, took in enumerate(hours, 1)
    ]
    session.kg.push(run, job, *attempts)


def test_how_well_estimates_did_is_told(session: Grafico) -> None:
    assert accuracy(session.kg) is None
    assert judged([]) is None
    told(session, "first", 2.0, 3.0, 1.0, 3.0)  # twice what was thought: 4 core hours
    told(session, "second", 10.0, 1.5, 2.0)
    told(session, "third", 1.0, 2.0, 1.0)
    did = session.how_estimates_did()
    assert did
    assert (did.jobs, did.factor, did.within) == (3, pytest.approx(5.0), pytest.approx(2 / 3))
    one = accuracy(session.kg, latest=1)  # the one that ended last
    assert one
    assert (one.jobs, one.factor) == (1, pytest.approx(2.0))
    assert did.text == (
        "estimates of the last 3 jobs: nine of ten within a factor of 5, 67% within the factor "
        "that was stated"
    )
