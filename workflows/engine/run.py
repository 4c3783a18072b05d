"""One run of a graph: work, record, choose, until the end."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Generic, Literal, TypeAlias

from pydantic import BaseModel
from pydantic_graph import End

from ogm import GraphModel, Link
from ontologies.provenance import Activity, Outcome, Run, Software, Transition
from triplestore.errors import GraficoError, RecipeError

from .executor import Answer, Executor
from .graph import Graph, Node, StateT
from .planner import Goal
from .router import Choice, Crossroads, GoalRouter, Router

MOST_STEPS = 1000
"""Steps of a run after which something is wrong with its graph."""

Status: TypeAlias = Literal["finished", "goal unmet", "failed"]


@dataclass(frozen=True)
class Finish:
    """How a run ended.

    Attributes:
        run: IRI of the run.
        status: whether the goal was reached.
        message: in words.
        state: the last state.
    """

    run: str
    status: Status
    message: str
    state: Any


class ForbiddenError(GraficoError):
    """A router chose what the engine does not allow."""


class Journey(Generic[StateT]):
    """What travels through a graph: the state, and what is needed to go on."""

    def __init__(
        self,
        graph: Graph[StateT],
        state: StateT,
        request: BaseModel,
        goal: Goal,
        subject: str,
        router: Router,
        executor: Executor,
        about: Sequence[GraphModel] = (),
    ) -> None:
        self.graph = graph
        self.state = state
        self.goal = goal
        self.router = router
        self.executor = executor
        self.candidates, self.unbound = graph.bind(request)
        self.run = Run(
            graph=graph.name,
            goal=goal.text,
            subject=subject,
            request=request.model_dump_json(),
            about=frozenset(Link[GraphModel](model) for model in about),
            started=datetime.now(UTC),
            software=grafico_software(),
        )
        self.index = 0
        self._chosen: tuple[Crossroads, Choice] | None = None

    async def choose(self, last: type[Node[Any]] | None) -> Node[Any] | End[Finish]:
        """Let the router choose, and check the choice.

        Raises:
            ForbiddenError: the choice is not on the menu.
        """
        situation = self.state.situation
        menu = self.graph.menu(self.candidates, self.unbound, situation, last)
        at = Crossroads(menu, self.candidates, situation, self.goal, last)
        choice = await self.router.choose(at)
        if choice.node is None:
            if not menu.may_end:
                raise ForbiddenError(f"the run may not end after {last and last.__name__}")
            reached = self.goal.reached(situation)
            return End(
                self.finish(
                    "finished" if reached else "goal unmet",
                    self.goal.text if reached else f"{self.goal.text} {choice.reason}",
                )
            )
        if choice.node not in menu.options:
            name = choice.node.name
            raise ForbiddenError(
                f"the {self.router.name} router chose {name}",
                menu.refused.get(name, "its fields are not those on the menu"),
                "choose one of: " + (", ".join(node.name for node in menu.options) or "nothing"),
            )
        self._chosen = (at, choice)
        return choice.node

    async def step(self, node: Node[Any]) -> Node[Any] | End[Finish]:
        """Do a node's work, record the transition and choose what comes next."""
        assert self._chosen is not None
        at, choice = self._chosen
        started = datetime.now(UTC)
        if self.index >= MOST_STEPS:
            raise RecipeError(
                f"{self.goal.text} was asked for", f"not reached in {MOST_STEPS} steps"
            )
        self.executor.emit("node", node.name, index=self.index, reason=choice.reason)
        try:
            done = await node.work(self.state, self.executor)
        except GraficoError as error:
            self._record(node, at, choice, started, None, str(error))
            raise
        self.state = done.state
        self._record(node, at, choice, started, done.answer, "")
        return await self.choose(type(node))

    def _record(
        self,
        node: Node[Any],
        at: Crossroads,
        choice: Choice,
        started: datetime,
        answer: Answer[Any] | None,
        failure: str,
    ) -> None:
        transition = Transition(
            run=Link[Run](self.run),
            index=self.index,
            node=node.name,
            inputs=node.model_dump_json(),
            chosen_by=self.router.name,
            reason=choice.reason,
            menu=tuple(option.name for option in at.menu.options),
            refused=tuple(f"{name}: {reason}" for name, reason in at.menu.refused.items()),
            started=started,
            ended=datetime.now(UTC),
            activity=Link[Activity](answer.activity) if answer else None,
            reused=answer.reused if answer else False,
            failure=failure,
        )
        self.index += 1
        self.executor.record(transition, durable=False)
        self.executor.emit("transition", node.name, iri=transition.iri, failure=failure)

    def finish(self, status: Status, message: str) -> Finish:
        """Record how the run ended."""
        product = self.state.product
        results: Sequence[str] = list(dict.fromkeys(self.state.recorded))
        outcome = Outcome(
            run=Link[Run](self.run),
            status=status,
            message=message,
            ended=datetime.now(UTC),
            results=tuple(Link[GraphModel](iri) for iri in results),
            geometry=Link[GraphModel](product) if product is not None else None,
        )
        made = [product] if product is not None else []
        self.executor.record(outcome, *made, durable=False)
        self.executor.emit("finished", self.run.iri, status=status, message=message)
        return Finish(self.run.iri, status, message, self.state)


async def run_graph(
    graph: Graph[StateT],
    state: StateT,
    request: BaseModel,
    goal: Goal,
    executor: Executor,
    *,
    subject: str,
    about: Sequence[GraphModel] = (),
    router: Router | None = None,
) -> Finish:
    """Run a graph from a state towards a goal.

    Args:
        graph: the graph.
        state: where to start.
        request: its fields fill in the nodes' fields of the same name.
        goal: what is to be reached.
        executor: runs and records the calculations.
        subject: what the run is about, as a person would say it.
        about: objects recorded with the run.
        router: who chooses; the goal router if None.

    Raises:
        GraficoError: a node failed; the run is recorded as failed.
    """
    router = router or GoalRouter()
    journey = Journey(graph, state, request, goal, subject, router, executor, about)
    executor.record(journey.run, *about, durable=False)
    executor.emit("run", journey.run.iri, graph=graph.name, goal=goal.text)
    try:
        first = await journey.choose(None)
        if isinstance(first, End):
            return first.data
        return await graph.compiled.run(state=journey, inputs=first, infer_name=False)
    except GraficoError as error:
        journey.finish("failed", str(error))
        raise


@functools.cache
def grafico_software() -> Software:
    """Return Grafico and its version."""
    try:
        return Software(name="grafico", version=version("grafico"))
    except PackageNotFoundError:
        return Software(name="grafico", version="unknown")
