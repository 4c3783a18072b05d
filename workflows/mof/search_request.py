"""What can be asked of a search for new frameworks, and its step."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar

from pydantic import Field
from pydantic_graph import End, GraphRunContext

from ogm import GraphModel
from ontologies.mof_proposals import FrameworkProposals, FrameworkSelection, SearchKind
from workflows.engine import Done, Executor, Finish, Goal, Graph, Node
from workflows.engine.graph.run import Journey
from workflows.engine.request.definition import Definition, Given, Prepared
from workflows.engine.request.form import For, Form, Words
from workflows.engine.request.workflow import Finished
from workflows.run_blocks import RunSummary

from .search import MOST, RMSD_LIMIT, search
from .search_subject import SELECTIONS

LOST = "nothing of this was kept: the proposals cannot be asked for by their IRIs"


class SearchRequest(Form):
    """How new frameworks are searched for."""

    kind: Annotated[
        SearchKind,
        Words({"intra": ("intratopology",), "cross": ("crosstopology",)}),
        Field(description="Blocks that stand on that net apart, or any that fit it."),
    ] = "intra"
    deviation: Annotated[
        float,
        For("kind", ("cross",)),
        Field(gt=0, le=1, description="How far blocks may be from what is asked for (RMSD)."),
    ] = RMSD_LIMIT
    page: Annotated[int, Field(ge=1, description="Which page.")] = 1
    limit: Annotated[int, Field(ge=1, le=MOST, description="Proposals of a page.")] = 20
    keep: Annotated[bool, Field(description="Keep what is found in the store.")] = True


@dataclass(frozen=True)
class SearchSituation:
    """What the planner knows.

    Attributes:
        kept: whether the proposals are stored.
    """

    kept: bool = False


@dataclass(frozen=True)
class SearchState:
    """Where a search stands.

    Attributes:
        found: what is proposed.
        situation: what is done with it.
    """

    found: FrameworkProposals
    situation: SearchSituation = SearchSituation()
    remembered: ClassVar[bool] = False

    @property
    def recorded(self) -> Sequence[str]:
        """The proposals, once they are stored."""
        return [self.found.iri] if self.situation.kept else []

    @property
    def product(self) -> GraphModel | None:
        """None: a search makes nothing of what it looks at."""
        return None


class KeepProposals(Node[SearchState]):
    """Store what is proposed, and why."""

    def precondition(self, situation: SearchSituation) -> str | None:
        return "the proposals are stored" if situation.kept else None

    def effect(self, situation: SearchSituation) -> SearchSituation:
        return replace(situation, kept=True)

    async def work(self, state: SearchState, executor: Executor) -> Done[SearchState]:
        executor.record(state.found)
        return Done(replace(state, situation=self.effect(state.situation)))

    async def run(
        self, ctx: GraphRunContext[Journey[SearchState], None]
    ) -> KeepProposals | End[Finish]:
        return await self.proceed(ctx)


SEARCH: Graph[SearchState] = Graph("mof-search", KeepProposals)


@dataclass(frozen=True)
class Searched(Finished):
    """What a search came to."""

    @classmethod
    def of(cls, done: Finished) -> Searched:
        """Return what was found."""
        return cls(done.run, done.status, done.message, done.state, done.ready)

    @property
    def found(self) -> FrameworkProposals:
        """What is proposed."""
        state: SearchState = self.state
        return state.found

    @property
    def ran(self) -> RunSummary:
        """The run as views see it; of what was not kept only this object knows."""
        ran = super().ran
        return ran if self.run else replace(ran, made=(self.found,), remarks=(*ran.remarks, LOST))


async def prepare_search(
    given: Given[FrameworkSelection], request: SearchRequest, executor: Executor
) -> Prepared[SearchState]:
    """Search: it takes a second, and what there is to build is known before it is agreed to.

    Raises:
        GraficoError: see `search`.
    """

    def look() -> FrameworkProposals:
        return search(
            executor.kg.store, given.model, request.kind, rmsd_limit=request.deviation,
            page=request.page, limit=request.limit,
        )  # fmt: skip

    state = SearchState(await asyncio.to_thread(look))

    async def begin() -> SearchState:  # the graph may have grown since an earlier run
        return state

    goal = Goal("proposals of new frameworks", lambda at: at.kept)
    return Prepared(
        state, goal if request.keep else None, (given.model,),
        f"new frameworks ({request.kind}) of {SELECTIONS.label(given.model)}", begin=begin,
    )  # fmt: skip


DEFINITION: Definition[Any, Any] = Definition(
    SEARCH,
    (SearchRequest,),
    SELECTIONS,
    prepare_search,
    Searched.of,
    help="Intra: each block stands in some stored framework of that net, never all together. "
    "Cross: the roles of the blocks fit the net, also through blocks that share a role. What is "
    "stored is left out; what fits best comes first.",
    makes=(FrameworkProposals,),
)
