"""What can be asked of a search for new frameworks, and its step."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from pydantic import Field

from ontologies.mof_proposals import FrameworkProposals, FrameworkSelection, SearchKind
from triplestore.errors import InputError
from workflows.dft.request.forms import MAX_STEPS, Steps
from workflows.engine import Executor, Findings, StepGraph, step
from workflows.engine.request.definition import Definition, Given, Prepared
from workflows.engine.request.form import Form
from workflows.engine.request.rules import For, Words
from workflows.engine.request.workflow import Finished
from workflows.show.run_blocks import RunSummary

from .elsewhere import SEARCH as SEARCH_ELSEWHERE
from .proposals import MOST_BUILT, built
from .request import relaxing_level
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
    build: Annotated[bool, Field(description="Build all proposals of the page.")] = False
    measure: Annotated[
        bool, For("build"), Field(description="Measure the pores of what is built, too.")
    ] = False
    relax_at: Annotated[
        str,
        For("build"),
        Field(
            description="Level of theory at which what is built is relaxed before it is measured: "
            "GFN1-xTB, CHGNet or SevenNet."
        ),
    ] = ""
    max_steps: Annotated[
        Steps, For("relax_at"), MAX_STEPS, Field(description="Steps of each relaxation.")
    ] = 100


@dataclass(frozen=True)
class SearchState(Findings):
    """Where a search stands.

    Attributes:
        proposals: what is proposed.
        wish: how each is built, as the workflow for it is asked.
    """

    proposals: FrameworkProposals
    wish: Mapping[str, object] = field(default_factory=dict[str, object])


@step("proposals", needs="order", done="are built", cost=10.0)
async def build_proposals(state: SearchState, executor: Executor) -> SearchState:
    """Build what is proposed, in parallel, each as a run of its own."""
    proposals = await built(state.proposals, executor, state.wish)
    return replace(state, proposals=proposals)


@step("search", needs="proposals", leads="search", done="is stored")
async def keep_proposals(state: SearchState, executor: Executor) -> SearchState:
    """Store what is proposed, why, and what came of it."""
    executor.record(state.proposals)
    return replace(state, found=(state.proposals,))


SEARCH = StepGraph(
    "mof-search",
    build_proposals,
    keep_proposals,
    given={"order": "the proposals are only listed"},
)


@dataclass(frozen=True)
class Searched(Finished):
    """What a search came to."""

    @property
    def found(self) -> FrameworkProposals:
        """What is proposed."""
        state: SearchState = self.state
        return state.proposals

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
        InputError: too many are to be built, or they are not to be kept.
        GraficoError: see `search`.
    """
    if request.build and not request.keep:
        raise InputError(
            "frameworks to be built and not kept were asked for",
            "what is built is kept",
            "leave out one of the two",
        )
    if request.build and request.limit > MOST_BUILT:
        raise InputError(
            f"{request.limit} frameworks were to be built",
            f"{MOST_BUILT} are built in one request",
            f"ask for {MOST_BUILT} or fewer (`limit`)",
        )

    relaxing_level(request.relax_at, "what is proposed")
    wish: dict[str, object] = {"measure": request.measure}
    if request.relax_at:
        wish |= {"relax_at": request.relax_at, "max_steps": request.max_steps}

    def look() -> FrameworkProposals:
        return search(
            executor.kg.store,
            given.model,
            request.kind,
            rmsd_limit=request.deviation,
            page=request.page,
            limit=request.limit,
        )

    found = await asyncio.to_thread(look)
    wanted = request.build and bool(found.proposals)
    known = SEARCH.known("order" if wanted else "proposals")
    state = SearchState(found, wish, known=known, remembered=False)

    async def begin() -> SearchState:  # the graph may have grown since an earlier run
        return state

    parts = ["built"] * wanted + ["relaxed"] * bool(request.relax_at)
    done = ", ".join([*parts, *["measured"] * request.measure])
    text = "proposals of new frameworks" + (f", {done}" if done else "")
    return Prepared(
        state,
        SEARCH.goal(text) if request.keep else None,
        (given.model,),
        f"new frameworks ({request.kind}) of {SELECTIONS.label(given.model)}",
        begin=begin,
    )


DEFINITION: Definition[Any, Any] = Definition(
    SEARCH,
    (SearchRequest,),
    SELECTIONS,
    prepare_search,
    Searched.of,
    help="Intra: each block stands in some stored framework of that net, never all together. "
    "Cross: the roles of the blocks fit the net, also through blocks that share a role. What is "
    "stored is left out; what fits best comes first. What is built are runs of their own.",
    makes=(FrameworkProposals,),
    elsewhere=SEARCH_ELSEWHERE,
)
