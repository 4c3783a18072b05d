"""What can be asked of stored frameworks together, and its step."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from pydantic_graph import End, GraphRunContext

from ogm import GraphModel
from ontologies.mof_proposals import FrameworkSelection, FrameworkSurvey
from workflows.engine import Done, Executor, Finish, Goal, Graph, Node
from workflows.engine.graph.run import Journey
from workflows.engine.request.definition import Definition, Given, Prepared
from workflows.engine.request.form import Form
from workflows.engine.request.workflow import Finished

from .elsewhere import EXPLORE as EXPLORE_ELSEWHERE
from .explore import survey
from .search_subject import SELECTIONS


class ExploreRequest(Form):
    """Nothing besides the nets and blocks."""


@dataclass(frozen=True)
class ExploreState:
    """Where an exploration stands.

    Attributes:
        selection: which nets and blocks.
        found: what they have in common, once it is known.
    """

    selection: FrameworkSelection
    found: FrameworkSurvey | None = None
    remembered: ClassVar[bool] = False

    @property
    def situation(self) -> bool:
        """Whether it is known."""
        return self.found is not None

    @property
    def recorded(self) -> Sequence[str]:
        """The survey, once it is stored."""
        return [self.found.iri] if self.found else []

    @property
    def product(self) -> GraphModel | None:
        """None: nothing is made of the frameworks."""
        return None


class SurveyFrameworks(Node[ExploreState]):
    """Read the frameworks and their pores, and store what these say together."""

    def precondition(self, situation: bool) -> str | None:
        return "the survey is stored" if situation else None

    def effect(self, situation: bool) -> bool:
        return True

    async def work(self, state: ExploreState, executor: Executor) -> Done[ExploreState]:
        found = await asyncio.to_thread(survey, executor.kg, state.selection)
        executor.record(found)
        return Done(replace(state, found=found))

    async def run(
        self, ctx: GraphRunContext[Journey[ExploreState], None]
    ) -> SurveyFrameworks | End[Finish]:
        return await self.proceed(ctx)


EXPLORE: Graph[ExploreState] = Graph("mof-explore", SurveyFrameworks)


@dataclass(frozen=True)
class Explored(Finished):
    """What an exploration came to."""

    @property
    def found(self) -> FrameworkSurvey:
        """What the frameworks have in common."""
        state: ExploreState = self.state
        assert state.found is not None  # the run reached its goal
        return state.found


async def prepare_explore(
    given: Given[FrameworkSelection], request: ExploreRequest, executor: Executor
) -> Prepared[ExploreState]:
    """Find out what is asked of stored frameworks."""
    state = ExploreState(given.model)

    async def begin() -> ExploreState:  # the graph may have grown since an earlier run
        return state

    return Prepared(
        state,
        Goal("a survey of stored frameworks", lambda known: known),
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
