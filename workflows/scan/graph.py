"""The graph of a relaxed scan."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

import numpy as np
from pydantic import Field
from pydantic_graph import End, GraphRunContext

from ogm import Link
from ontologies.atoms import ConceptualAtoms
from ontologies.level import Level
from ontologies.quantum import Convergence, RelaxedGeometry
from ontologies.scans import RelaxedScan, ScanPoint
from triplestore.errors import GraficoError, RecipeError
from workflows.engine import Answer, Call, Done, Executor, Finish, Graph, Node
from workflows.engine.graph.fan import as_part
from workflows.engine.graph.run import Journey
from workflows.levels import offered

from .findings import remarks_of
from .request import Plan

Steps = Annotated[int, Field(ge=1, le=10_000)]

BACK = " on the way back"


@dataclass(frozen=True)
class Progress:
    """What the planner knows.

    Attributes:
        there: whether the points are known.
        back: whether those of the way back are, or nobody asked for them.
        drawn: whether the scan is recorded.
    """

    there: bool = False
    back: bool = False
    drawn: bool = False


@dataclass(frozen=True)
class ScanState:
    """Where a run stands.

    Attributes:
        atoms: the structure that was given.
        level: the level of theory.
        plan: what is held at each value.
        situation: what is known.
        there: what came of each value.
        back: likewise, on the way back.
        errors: why others have no result.
        scan: the scan.
    """

    atoms: ConceptualAtoms
    level: Level
    plan: Plan
    situation: Progress = Progress()
    there: Mapping[float, Answer[RelaxedGeometry]] = field(
        default_factory=dict[float, Answer[RelaxedGeometry]]
    )
    back: Mapping[float, Answer[RelaxedGeometry]] = field(
        default_factory=dict[float, Answer[RelaxedGeometry]]
    )
    errors: Mapping[str, GraficoError] = field(default_factory=dict[str, GraficoError])
    scan: RelaxedScan | None = None

    @property
    def answers(self) -> tuple[Answer[RelaxedGeometry], ...]:
        """The optimisations, in their order."""
        return (*self.there.values(), *self.back.values())

    @property
    def recorded(self) -> Sequence[str]:
        """The result of the lowest point, and the scan."""
        return [self.scan.lowest.result.iri, self.scan.iri] if self.scan else []

    @property
    def product(self) -> ConceptualAtoms:
        """The geometry of the lowest point."""
        lowest = min(self.answers, key=lambda one: one.result.energy, default=None)
        return self.atoms if lowest is None else lowest.result.atoms


class _Drive(Node[ScanState]):
    """Relax the geometry at one value after the other."""

    max_steps: Steps = 100
    convergence: Convergence = "normal"

    def cost(self, situation: Progress) -> float:
        return 100.0

    def call(self, state: ScanState, atoms: ConceptualAtoms, value: float) -> Call[RelaxedGeometry]:
        """Return the optimisation at a value that starts from a geometry."""
        return offered(state.level).optimise(
            atoms,
            state.level,
            self.max_steps,
            convergence=self.convergence,
            constraints=state.plan.held[value],
        )

    async def follow(
        self,
        state: ScanState,
        executor: Executor,
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
            run: Any = functools.partial(executor.run, self.call(state, last, value))
            answer, error = await as_part(executor, key, run)
            if answer is None:
                assert error is not None  # there is one or the other
                errors[key] = error
            else:
                found[value], last = answer, answer.result.atoms
            executor.emit("progress", key, done=done, failed=len(errors), total=len(values))
        return found, errors


class FollowCoordinate(_Drive):
    """Relax the geometry at each value of the coordinate, each time from the one before."""

    def precondition(self, situation: Progress) -> str | None:
        return "the points are known" if situation.there else None

    def effect(self, situation: Progress) -> Progress:
        return replace(situation, there=True)

    async def work(self, state: ScanState, executor: Executor) -> Done[ScanState]:
        found, errors = await self.follow(state, executor, state.atoms, state.plan.values)
        if not found:
            key, error = next(iter(errors.items()))
            raise RecipeError(
                f"a scan of {state.atoms.formula} at {state.level.label} was asked for",
                f"none of {len(errors)} values came to a result; at {key}: {error}",
                "start from a better geometry, or choose other values",
            )
        return Done(
            replace(state, there=found, errors=errors, situation=self.effect(state.situation))
        )

    async def run(
        self, ctx: GraphRunContext[Journey[ScanState], None]
    ) -> FollowBack | DrawCurve | End[Finish]:
        return await self.proceed(ctx)


class FollowBack(_Drive):
    """Relax it at the same values on the way back, to see what depends on the way."""

    def precondition(self, situation: Progress) -> str | None:
        if not situation.there:
            return "there is no end to go back from"
        return "the way back is known, or nobody asked for it" if situation.back else None

    def effect(self, situation: Progress) -> Progress:
        return replace(situation, back=True)

    async def work(self, state: ScanState, executor: Executor) -> Done[ScanState]:
        values = list(state.there)
        start = state.there[values[-1]].result.atoms
        found, errors = await self.follow(state, executor, start, values[-2::-1], BACK)
        errors = {**state.errors, **errors}
        return Done(
            replace(state, back=found, errors=errors, situation=self.effect(state.situation))
        )

    async def run(self, ctx: GraphRunContext[Journey[ScanState], None]) -> DrawCurve | End[Finish]:
        return await self.proceed(ctx)


class DrawCurve(Node[ScanState]):
    """Put the points together, look for jumps and record the scan."""

    def precondition(self, situation: Progress) -> str | None:
        if not (situation.there and situation.back):
            return "points are missing"
        return "the scan is recorded" if situation.drawn else None

    def effect(self, situation: Progress) -> Progress:
        return replace(situation, drawn=True)

    async def work(self, state: ScanState, executor: Executor) -> Done[ScanState]:
        scan = scan_of(state)
        executor.record(scan)
        return Done(replace(state, scan=scan, situation=self.effect(state.situation)))

    async def run(self, ctx: GraphRunContext[Journey[ScanState], None]) -> End[Finish]:
        return await self.proceed(ctx)


RELAXED_SCAN: Graph[ScanState] = Graph("scan", FollowCoordinate, FollowBack, DrawCurve)


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
