"""The graph that finds the lowest singlets and triplets of molecules and compares them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic_graph import End, GraphRunContext

from ogm import GraphModel
from ontologies.excitations import ExcitedStates, ResponseName
from ontologies.gaps import MoleculeSet, SingletTripletGap, SingletTripletGaps
from triplestore.errors import GraficoError, RecipeError
from workflows.dft.graphs.situation import DFTState
from workflows.engine import Answer, Done, Executor, Finish, Graph, Node, fan_out
from workflows.engine.graph.run import Journey
from workflows.engine.request.cost import BeyondError
from workflows.engine.request.request import Request
from workflows.engine.request.workflow import Ready, completed, prepare

from .compare import Order, compared, gap_of, why_no_triplets


@dataclass(frozen=True)
class GapSituation:
    """What the planner knows.

    Attributes:
        computed: whether the states of all are known.
        compared: whether these are compared.
        missing: molecules of which states were not found.
    """

    computed: bool = False
    compared: bool = False
    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class AskedMolecule:
    """What is asked of a molecule.

    Attributes:
        name: what it is called.
        singlets: its geometry and its singlets.
        triplets: what is asked of the triplets there, in words.
    """

    name: str
    singlets: Ready
    triplets: Mapping[str, Any]


@dataclass(frozen=True)
class GapState:
    """Where a run stands.

    Attributes:
        members: which molecules.
        asked: of each, by name.
        response: how states are found.
        relaxed: whether geometries are relaxed.
        minima: whether frequencies are to show that they are minima.
        order: of the table.
        situation: what is known.
        gaps: what each came to, by name.
        errors: why others have nothing, or no triplets.
        remembered: whether nothing of it was computed.
        found: the table.
    """

    members: MoleculeSet
    asked: Mapping[str, AskedMolecule]
    response: ResponseName
    relaxed: bool = True
    minima: bool = False
    order: Order = "as given"
    situation: GapSituation = GapSituation()
    gaps: Mapping[str, SingletTripletGap] = field(default_factory=dict[str, SingletTripletGap])
    errors: Mapping[str, GraficoError] = field(default_factory=dict[str, GraficoError])
    remembered: bool | None = None
    found: SingletTripletGaps | None = None

    @property
    def recorded(self) -> Sequence[str]:
        """The table."""
        return [self.found.iri] if self.found else []

    @property
    def product(self) -> GraphModel | None:
        """None: nothing is made of the set itself."""
        return None


class ExciteMolecules(Node[GapState]):
    """Compute each molecule, in parallel: geometry and singlets, then triplets there."""

    def precondition(self, situation: GapSituation) -> str | None:
        if situation.missing:
            return f"it has missed {', '.join(situation.missing)}; resume the run for these"
        return "the states are known" if situation.computed else None

    def effect(self, situation: GapSituation) -> GapSituation:
        return replace(situation, computed=True)

    def cost(self, situation: GapSituation) -> float:
        return 10.0

    async def work(self, state: GapState, executor: Executor) -> Done[GapState]:
        new, missed = list[str](), dict[str, GraficoError]()

        async def excite(asked: AskedMolecule) -> SingletTripletGap:
            gap, remembered, error = await states_of(asked, executor)
            new.extend([] if remembered else [asked.name])
            missed.update({asked.name: error} if error else {})
            return gap

        parts = await fan_out(executor, state.asked, excite)
        errors = {
            name: both[name] for name in state.asked if name in (both := {**parts.errors, **missed})
        }
        if not parts.results:
            name, error = next(iter(errors.items()))
            raise RecipeError(
                f"S1 and T1 of {'; '.join(state.asked)} were asked for",
                f"none of {len(errors)} came to a result; {name}: {error}",
                "change what is asked, and resume the run",
            )
        return Done(
            replace(
                state,
                gaps=parts.results,
                errors=errors,
                remembered=not new,
                situation=self.effect(state.situation),
            )
        )

    async def run(self, ctx: GraphRunContext[Journey[GapState], None]) -> CompareGaps | End[Finish]:
        return await self.proceed(ctx)


class CompareGaps(Node[GapState]):
    """Put the molecules beside each other and record the table; it says what is missing."""

    def precondition(self, situation: GapSituation) -> str | None:
        if not situation.computed:
            return "the states are not known"
        return "the table is recorded" if situation.compared else None

    def effect(self, situation: GapSituation) -> GapSituation:
        return replace(situation, compared=True)

    async def work(self, state: GapState, executor: Executor) -> Done[GapState]:
        found = compared(
            state.members,
            state.response,
            list(state.gaps.values()),
            state.errors,
            state.order,
            relaxed=state.relaxed,
            minima=state.minima,
        )
        executor.record(found)
        situation = replace(self.effect(state.situation), missing=tuple(state.errors))
        return Done(replace(state, found=found, situation=situation))

    async def run(
        self, ctx: GraphRunContext[Journey[GapState], None]
    ) -> ExciteMolecules | End[Finish]:
        return await self.proceed(ctx)


EXCITATIONS: Graph[GapState] = Graph("excitations", ExciteMolecules, CompareGaps)


async def states_of(
    asked: AskedMolecule, executor: Executor
) -> tuple[SingletTripletGap, bool, GraficoError | None]:
    """Compute the states of one molecule, or remember them.

    Returns:
        Its gap, whether nothing was computed, and why there are no triplets.

    Raises:
        GraficoError: there are no singlets.
    """
    done = await completed(asked.singlets)
    remembered = done.reused
    singlets, triplets, error = _states(done.state), None, None
    try:
        below_it = Request.of(asked.singlets.workflow, (done.state.atoms,), asked.triplets)
        again = await prepare(below_it, executor.unheard())
        below = await completed(replace(again, executor=executor))
        triplets, remembered = _states(below.state), remembered and below.reused
    except BeyondError:  # the run stops, and may be agreed to
        raise
    except GraficoError as problem:
        error = why_no_triplets(problem, asked.name, singlets.result.response)
        remembered = False
    return gap_of(asked.name, singlets, triplets), remembered, error


def _states(state: DFTState) -> Answer[ExcitedStates]:
    answer: Answer[Any] = next(
        one for one in reversed(state.answers) if isinstance(one.result, ExcitedStates)
    )
    return answer
