"""The graph of a relaxed scan."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from ogm import Link
from ontologies.atoms import ConceptualAtoms
from ontologies.level import Level
from ontologies.quantum import Convergence, RelaxedGeometry
from ontologies.scans import RelaxedScan, ScanPoint
from triplestore.errors import GraficoError, RecipeError
from workflows.engine import Answer, Call, Done, Executor, Findings, StepGraph, step
from workflows.engine.graph.fan import as_part
from workflows.registry.levels import offered

from .findings import remarks_of
from .request import ScanPlan

Steps = Annotated[int, Field(ge=1, le=10_000)]

BACK = " on the way back"


@dataclass(frozen=True)
class ScanState(Findings):
    """Where a run stands.

    Attributes:
        atoms: the structure that was given.
        level: the level of theory.
        plan: what is held at each value.
        there: what came of each value.
        back: likewise, on the way back.
        errors: why others have no result.
        scan: the scan.
    """

    atoms: ConceptualAtoms
    level: Level
    plan: ScanPlan
    there: Mapping[float, Answer[RelaxedGeometry]] = field(
        default_factory=dict[float, Answer[RelaxedGeometry]]
    )
    back: Mapping[float, Answer[RelaxedGeometry]] = field(
        default_factory=dict[float, Answer[RelaxedGeometry]]
    )
    errors: Mapping[str, GraficoError] = field(default_factory=dict[str, GraficoError])
    scan: RelaxedScan | None = None

    @property
    def recorded(self) -> Sequence[str]:
        """The result of the lowest point, and the scan."""
        return [self.scan.lowest.result.iri, self.scan.iri] if self.scan else []

    @property
    def product(self) -> ConceptualAtoms:
        """The geometry of the lowest point."""
        lowest = min(self.answers, key=lambda one: one.result.energy, default=None)
        return self.atoms if lowest is None else lowest.result.atoms


def point(
    state: ScanState,
    atoms: ConceptualAtoms,
    value: float,
    max_steps: int,
    convergence: Convergence,
) -> Call[RelaxedGeometry]:
    """Return the optimisation at a value that starts from a geometry."""
    return offered(state.level).optimise(
        atoms,
        state.level,
        max_steps,
        convergence=convergence,
        constraints=state.plan.held[value],
    )


async def follow(
    state: ScanState,
    executor: Executor,
    relax: Callable[[ConceptualAtoms, float], Call[RelaxedGeometry]],
    start: ConceptualAtoms,
    values: Sequence[float],
    word: str = "",
) -> tuple[dict[float, Answer[RelaxedGeometry]], dict[str, GraficoError]]:
    """Relax at each value, each time from the last geometry; failures are kept apart."""
    found: dict[float, Answer[RelaxedGeometry]] = {}
    errors: dict[str, GraficoError] = {}
    last = start
    for done, value in enumerate(values, 1):
        key = f"{state.plan.said(value)}{word}"
        run: Any = functools.partial(executor.run, relax(last, value))
        answer, error = await as_part(executor, key, run)
        if answer is None:
            assert error is not None  # there is one or the other
            errors[key] = error
        else:
            found[value], last = answer, answer.result.atoms
        executor.emit("progress", key, done=done, failed=len(errors), total=len(values))
    return found, errors


@step("points", cost=100.0)
async def follow_coordinate(
    state: ScanState,
    executor: Executor,
    max_steps: Steps = 100,
    convergence: Convergence = "normal",
) -> Done[ScanState]:
    """Relax the geometry at each value of the coordinate, each time from the one before."""
    relax = functools.partial(point, state, max_steps=max_steps, convergence=convergence)
    found, errors = await follow(state, executor, relax, state.atoms, state.plan.values)
    if not found:
        key, error = next(iter(errors.items()))
        raise RecipeError(
            f"a scan of {state.atoms.formula} at {state.level.label} was asked for",
            f"none of {len(errors)} values came to a result; at {key}: {error}",
            "start from a better geometry, or choose other values",
        )
    return Done(state.after(*found.values(), there=found, errors=errors))


@step("way back", needs=("points", "wish to go back"), cost=100.0)
async def follow_back(
    state: ScanState,
    executor: Executor,
    max_steps: Steps = 100,
    convergence: Convergence = "normal",
) -> Done[ScanState]:
    """Relax it at the same values on the way back, to see what depends on the way."""
    values = list(state.there)
    start = state.there[values[-1]].result.atoms
    relax = functools.partial(point, state, max_steps=max_steps, convergence=convergence)
    found, errors = await follow(state, executor, relax, start, values[-2::-1], BACK)
    return Done(state.after(*found.values(), back=found, errors={**state.errors, **errors}))


@step("scan", needs=("points", "way back"), done="is recorded")
async def draw_curve(state: ScanState, executor: Executor) -> ScanState:
    """Put the points together, look for jumps and record the scan."""
    scan = scan_of(state)
    executor.record(scan)
    return replace(state, scan=scan)


RELAXED_SCAN = StepGraph(
    "scan",
    follow_coordinate,
    follow_back,
    draw_curve,
    given={"wish to go back": "nobody asked for the way back"},
)


def scan_of(state: ScanState) -> RelaxedScan:
    """Return the scan of points that were computed."""
    plan = state.plan
    name = "distance" if plan.kind == "distance" else "angle"
    points = [
        ScanPoint(
            **{name: value},
            backward=way is state.back,
            energy=answer.result.energy,
            atoms=Link[ConceptualAtoms](answer.result.atoms.iri),
            result=Link[RelaxedGeometry](answer.recorded),
        )
        for way in (state.there, state.back)
        for value, answer in way.items()
    ]
    there, back = (
        [(value, answer.result) for value, answer in way.items()]
        for way in (state.there, state.back)
    )
    told = [
        f"at {plan.said(value)}: {remark}"
        for value, found in (*there, *back)
        for remark in found.remarks
        if not remark.startswith("bonds changed")  # said against the start, below
    ]
    return RelaxedScan(
        atoms=state.atoms,
        level=state.level,
        coordinate=plan.kind,
        members=np.array(plan.members),
        points=tuple(points),
        constraints=plan.besides,
        failures=tuple(f"{key}: {error}" for key, error in state.errors.items()),
        remarks=(*remarks_of(plan, state.atoms, there, back), *dict.fromkeys(told)),
    )
