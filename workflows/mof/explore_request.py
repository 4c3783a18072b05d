"""What can be asked of stored frameworks together, and its step."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import Annotated, Any

from pydantic import Field

from ontologies.mof_proposals import FrameworkSelection, FrameworkSurvey
from workflows.engine import Executor, Findings, StepGraph, step
from workflows.engine.request.definition import Definition, Given, Prepared
from workflows.engine.request.form import Form
from workflows.engine.request.workflow import Finished

from .elsewhere import EXPLORE as EXPLORE_ELSEWHERE
from .explore import Property, survey
from .search_subject import SELECTIONS


class ExploreRequest(Form):
    """How frameworks are told."""

    rank_by: Annotated[
        Property,
        Field(description="Largest first: of those with pores; net for net and name."),
    ] = "net"


@dataclass(frozen=True)
class ExploreState(Findings):
    """Where an exploration stands.

    Attributes:
        selection: which nets and blocks.
        rank_by: what they are ranked by.
    """

    selection: FrameworkSelection
    rank_by: Property = "net"


@step("survey", leads="survey", done="is stored")
async def survey_frameworks(state: ExploreState, executor: Executor) -> ExploreState:
    """Read the frameworks and their pores, and store what these say together."""
    found = await asyncio.to_thread(survey, executor.kg, state.selection, state.rank_by)
    executor.record(found)
    return replace(state, found=(found,))


EXPLORE = StepGraph("mof-explore", survey_frameworks)


@dataclass(frozen=True)
class Explored(Finished):
    """What an exploration came to."""

    @property
    def found(self) -> FrameworkSurvey:
        """What the frameworks have in common."""
        state: ExploreState = self.state
        [found] = state.found
        assert isinstance(found, FrameworkSurvey)  # the run reached its goal
        return found


async def prepare_explore(
    given: Given[FrameworkSelection], request: ExploreRequest, executor: Executor
) -> Prepared[ExploreState]:
    """Find out what is asked of stored frameworks."""
    state = ExploreState(given.model, request.rank_by, remembered=False)

    async def begin() -> ExploreState:  # the graph may have grown since an earlier run
        return state

    return Prepared(
        state,
        EXPLORE.goal("a survey of stored frameworks"),
        (given.model,),
        f"stored frameworks of {SELECTIONS.label(given.model)}",
        begin=begin,
    )


DEFINITION: Definition[Any, Any] = Definition(
    EXPLORE,
    (ExploreRequest,),
    SELECTIONS,
    prepare_explore,
    Explored.of,
    help="By net: how many there are, mean and spread of their pores; and how pore size and "
    "accessible area go together, with a chart. All of it is computed from the stored numbers.",
    makes=(FrameworkSurvey,),
    elsewhere=EXPLORE_ELSEWHERE,
)
