"""What a remembered request costs with the record of its run, among many of its kind."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from grafico import ConceptualAtoms, Grafico, Result
from ogm import GraphModel, Link, class_iri
from ogm.writing import closure, encode
from ontologies.level import LevelOfTheory
from ontologies.provenance import Activity, Outcome, Run, Transition
from ontologies.quantum import Optimisation, SinglePoint
from workflows.dft.properties.energy import single_point
from workflows.dft.properties.surface import optimise
from workflows.engine import Call

from .bundles import fill
from .figures import Figure, in_turn, more, say

SIZES = (1_000, 10_000, 100_000)
TIMES, WARM = 100, 10
EXTRA = 3.0  # ms
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
TENTH = 10
"""Of so many requests one is an optimisation."""


def water(number: int) -> ConceptualAtoms:
    """Return water in a shape that no other number has: all have one formula."""
    z, y = 0.1 + 0.0005 * (number % 400), 0.7 + 0.0005 * (number // 400)
    return ConceptualAtoms(numbers=[8, 1, 1], positions=[[0, 0, z], [0, y, -0.5], [0, -y, -0.5]])


@dataclass(frozen=True)
class Example:
    """A request that was computed, and everything that was stored of it."""

    result: SinglePoint | Optimisation
    activity: Activity
    run: Run
    step: Transition
    outcome: Outcome

    def call(self, atoms: ConceptualAtoms) -> Call[Any]:
        """Return the call for another structure."""
        calculation = optimise if isinstance(self.result, Optimisation) else single_point
        return calculation.bind(atoms, self.result.level)

    def like(self, number: int) -> list[GraphModel]:
        """Return what is stored of the same request for another structure."""
        atoms, key = water(number), f"{number:032x}"
        call = self.call(atoms)
        changes: dict[str, Any] = {"atoms": atoms}
        if isinstance(self.result, Optimisation):
            ended = atoms.moved_to(atoms.positions * 1.00005)
            changes = {"atoms": ended, "initial": atoms, "extent": None}
        result = self.result.model_copy(update=changes)
        result = result.identified(class_iri(type(result).__name__, key))
        began = BEGAN + timedelta(seconds=number)
        inputs = frozenset(Link[GraphModel](model) for model in call.objects.values())
        activity = self.activity.model_copy(
            update={
                "key": call.key,
                "family": call.family,
                "signature": call.signature,
                "used": inputs,
                "generated": Link[GraphModel](result),
                "started": began,
            }
        ).identified(class_iri("Activity", key))
        run = self.run.model_copy(update={"started": began, "about": inputs})
        run = run.identified(class_iri("Run", key))
        step = self.step.model_copy(
            update={"run": Link[Run](run), "activity": Link[Activity](activity), "started": began}
        ).identified(class_iri("Transition", key))
        outcome = self.outcome.model_copy(
            update={
                "run": Link[Run](run),
                "results": (Link[GraphModel](result),),
                "geometry": Link[GraphModel](result.atoms),
            }
        ).identified(class_iri("Outcome", key))
        return [result, activity, run, step, outcome]


def ask(session: Grafico, atoms: ConceptualAtoms, **asked: Any) -> Result:
    """Ask for an energy, or something else, at a level that is quick to compute."""
    return session.run(atoms, method="HF", basis="STO-3G", **asked)


def example(session: Grafico, **asked: Any) -> Example:
    """Let something be computed and return what was stored of it."""
    kg = session.kg
    run = kg.pull(Run, ask(session, water(-1), **asked).run)
    [outcome] = kg.find(Outcome, run=run)
    step = next(step for step in kg.find(Transition, run=run) if step.activity is not None)
    assert step.activity is not None
    activity = kg.pull(Activity, step.activity.iri)
    result = kg.pull(GraphModel, activity.generated.iri)
    assert isinstance(result, SinglePoint | Optimisation)
    return Example(result, activity, run, step, outcome)


def quads(energy: Example, relaxed: Example, first: int, count: int) -> bytes:
    """Return what is stored of so many requests, as N-Quads."""
    models = (
        model
        for number in range(first, first + count)
        for model in (energy if number % TENTH else relaxed).like(number)
    )
    return encode(closure(models).values())


def measure(folder: Path, sizes: Sequence[int] = SIZES, times: int = TIMES) -> Iterator[Figure]:
    """Fill stores, and ask in each for remembered energies, with a run and without, in turn."""
    with ExitStack() as stack:
        sessions: list[tuple[Grafico, LevelOfTheory]] = []
        say(f"remembering: storing {', '.join(f'{size:,}' for size in sizes)} runs, some minutes…")
        for size in sizes:
            session = Grafico(str(folder / f"runs-{size}"), threads_per_calculation=1)
            stack.enter_context(session)
            energy, relaxed = example(session), example(session, task="optimise")
            fill(session.kg.store, size, making=partial(quads, energy, relaxed))
            sessions.append((session, energy.result.level))
        say("remembering: asking…")
        asked = [number for number in range(min(sizes)) if number % TENTH]
        dice = random.Random(0)
        found: list[float] = []
        for count in (min(WARM, times), times):  # the first to warm up
            ways: list[Callable[[int], None]] = []
            for session, level in sessions:
                # others each time: what a session still holds of the last is not asked for
                ran, alone = dice.sample(asked, count), dice.sample(asked, count)
                ways.append(partial(_run, session, ran))
                ways.append(partial(_look_up, session, level, alone))
            found = in_turn(count, *ways)
    for size, ours, least in zip(sizes, found[::2], found[1::2], strict=True):
        yield more(f"remembered run, of {size:,}", ours, least, EXTRA, "ms", "look-up alone")


def _run(session: Grafico, numbers: Sequence[int], i: int) -> None:
    """Ask for an energy that is remembered; the run is recorded."""
    assert all(answer.reused for answer in ask(session, water(numbers[i])).answers)


def _look_up(session: Grafico, level: LevelOfTheory, numbers: Sequence[int], i: int) -> None:
    """Look up the same, and record nothing."""
    call = single_point.bind(water(numbers[i]), level)
    assert session.wait_for(lambda: session.executor.run(call)).reused
