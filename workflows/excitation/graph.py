"""The graph that finds the lowest singlets and triplets of molecules and compares them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ontologies.excitations import ExcitedStates, ResponseName
from ontologies.gaps import MoleculeSet, SingletTripletGap
from triplestore.errors import GraficoError, RecipeError
from workflows.dft.graphs.situation import DFTState
from workflows.engine import Answer, Executor, Findings, StepGraph, fan_out, step
from workflows.engine.execution.meter import BeyondError
from workflows.engine.request.request import Request
from workflows.engine.request.workflow import Ready, completed, prepare

from .compare import Order, compared, gap_of, why_no_triplets


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
class GapState(Findings):
    """Where a run stands.

    Attributes:
        members: which molecules.
        asked: of each, by name.
        response: how states are found.
        relaxed: whether geometries are relaxed.
        minima: whether frequencies are to show that they are minima.
        order: of the table.
        gaps: what each came to, by name.
        errors: why others have nothing, or no triplets.
    """

    members: MoleculeSet
    asked: Mapping[str, AskedMolecule]
    response: ResponseName
    relaxed: bool = True
    minima: bool = False
    order: Order = "as given"
    gaps: Mapping[str, SingletTripletGap] = field(default_factory=dict[str, SingletTripletGap])
    errors: Mapping[str, GraficoError] = field(default_factory=dict[str, GraficoError])


@step("states", cost=10.0, parts=True)
async def excite_molecules(state: GapState, executor: Executor) -> GapState:
    """Compute each molecule, in parallel: geometry and singlets, then triplets there."""
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
    return replace(state, gaps=parts.results, errors=errors, remembered=not new)


@step("table", needs="states", leads="states", done="is recorded")
async def compare_gaps(state: GapState, executor: Executor) -> GapState:
    """Put the molecules beside each other and record the table; it says what is missing."""
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
    return replace(state, found=(found,), missing=tuple(state.errors))


EXCITATIONS = StepGraph("excitations", excite_molecules, compare_gaps)


async def states_of(
    asked: AskedMolecule, executor: Executor
) -> tuple[SingletTripletGap, bool, GraficoError | None]:
    """Compute the states of one molecule, or remember them.

    Returns:
        Its gap, whether nothing was computed, and why there are no triplets.

    Raises:
        GraficoError: there are no singlets.
    """
    done = await completed(asked.singlets, executor)
    remembered = done.reused
    singlets, triplets, error = _states(done.state), None, None
    try:
        below_it = Request.of(asked.singlets.workflow, (done.state.atoms,), asked.triplets)
        again = await prepare(below_it, executor.unheard())
        below = await completed(again, executor)
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
