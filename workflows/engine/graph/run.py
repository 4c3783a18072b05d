"""One run of a graph: work, record, choose, until the end."""

from __future__ import annotations

import asyncio
import functools
import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Generic, Literal, TypeAlias

from pydantic import BaseModel
from pydantic_graph import End

from ogm import GraphModel, Link
from ontologies.consent import Deed, Pending
from ontologies.provenance import (
    Activity,
    Outcome,
    Requester,
    Run,
    Software,
    Transition,
)
from triplestore.errors import GraficoError, InputError, RecipeError
from triplestore.release import release
from triplestore.spans import note_here, span
from workflows.trust.caller import caller

from ..execution.answer import Answer, DeferredError
from ..execution.events import Scope, scope, within
from ..execution.executor import Executor
from ..execution.meter import BeyondError, spent
from .approval import Gate
from .graph import Graph, Menu, Node, StateT, called
from .planner import Goal
from .records import Records
from .router import Choice, Crossroads, GoalRouter, Router
from .stored_runs import former_run
from .waiting import INTERRUPTED, ApprovalError, ChoiceError

MOST_STEPS = 1000
"""Steps of a run after which something is wrong with its graph."""

SETTLE = 0.25
"""Seconds that a run waits at its end for those who listen to it."""

MOST_WORDS = 4000
"""Letters of a router's reason that are kept."""

Status: TypeAlias = Literal["finished", "goal unmet", "failed", "interrupted"]


@dataclass(frozen=True)
class Finish:
    """How a run ended.

    Attributes:
        run: IRI of the run.
        status: whether the goal was reached. A run that ended with a goal unmet, or was
            interrupted, can be entered again from its last state.
        message: in words.
        state: the last state.
        node: the last node, empty if none ran.
    """

    run: str
    status: Status
    message: str
    state: Any
    node: str = ""


class ForbiddenError(GraficoError):
    """A router chose, or a node did, what the engine does not allow."""


def requester(run: Run) -> Requester:
    """Return who asks for a run, as the door has said."""
    who = caller().asker
    return Requester(run=Link[Run](run), user=who.user, host=who.host, client=who.client)


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
        exit_node: type[Node[StateT]] | None = None,
        resumes: Run | None = None,
        forms: Sequence[BaseModel] = (),
        before: Sequence[str] = (),
        beside: Sequence[GraphModel] = (),
    ) -> None:
        self.graph = graph
        self.state = state
        self.request = request
        self.goal = goal
        self.router = router
        self.executor = executor
        self.exit_node = exit_node
        self.candidates, self.unbound = graph.bind(request)
        self._before = spent()
        outer = scope()
        self.run = Run(
            graph=graph.name,
            goal=goal.text,
            subject=subject,
            request=request.model_dump_json(),
            forms=spelt(forms),
            about=frozenset(Link[GraphModel](model) for model in about),
            started=datetime.now(UTC),
            software=grafico_software(),
            parent=Link[Run](outer.run) if outer.run else None,
            parent_index=outer.index if outer.run else None,
            part=outer.part,
            resumes=Link[Run](resumes) if resumes else None,
        )
        self.records = Records(executor.record)
        self.records.add(self.run, *about, *beside)
        if not outer.run:
            self.records.add(requester(self.run))
        self.gate = Gate(self)
        self.before = tuple(before)
        self.steps: list[str] = []
        self.finished: Finish | None = None
        self._next: tuple[Node[Any], Menu, str, str] | None = None

    # --- choosing ----------------------------------------------------------------------------

    def enter(self, entry: Node[StateT] | type[Node[StateT]]) -> Node[Any]:
        """Return the node that the run is to enter at, whatever a router would choose.

        Raises:
            InputError: it may not run now, or the request does not fill it in.
        """
        menu = self._menu(None)
        kind = entry if isinstance(entry, type) else type(entry)
        asked = f"cannot start {self.graph.name} at {kind.__name__}"
        if kind not in self.graph.nodes:
            names = ", ".join(node.__name__ for node in self.graph.nodes)
            raise InputError(asked, "it is no node of that graph", f"choose one of: {names}")
        node, reason = None, menu.refused.get(kind.__name__, "")
        if isinstance(entry, Node):
            node, reason = entry, entry.precondition(self.state.situation) or ""
            menu = replace(menu, options=(entry,))
        else:
            node = next((option for option in menu.options if type(option) is kind), None)
        if node is None or reason:
            raise InputError(asked, reason, "enter where its conditions hold")
        self._next = (node, menu, "caller", "the run was to enter here")
        return node

    async def choose(self, last: type[Node[Any]] | None) -> Node[Any] | End[Finish]:
        """Let the router choose, and check the choice.

        Raises:
            ForbiddenError: the choice is not on the menu.
        """
        situation = self.state.situation
        if last is not None and last is self.exit_node:
            return self._end(f"ended after {last.__name__}, as asked; open: {self.goal.text}")
        menu = self._menu(last)
        offered, candidates = menu, tuple(self.candidates)
        if type(self.router) is not GoalRouter:
            self.records.write()  # a person or a model may take long
            # copies, so that a router cannot change what its choice is compared with
            offered = replace(menu, options=tuple(node.model_copy() for node in menu.options))
            candidates = tuple(node.model_copy() for node in self.candidates)
        at = Crossroads(
            offered,
            candidates,
            situation,
            self.goal,
            last,
            self.request,
            self.run.subject,
            (*self.before, *self.steps),
        )
        choice: Any = await self.router.choose(at)
        if not isinstance(choice, Choice):
            raise ForbiddenError(
                f"the {self.router.name} router chose",
                f"that is a {type(choice).__name__}",
                "return a Choice",
            )
        by = f"{choice.by} for {self.router.name}" if choice.by else self.router.name
        reason = str(choice.reason)[:MOST_WORDS]
        if choice.by:
            self.executor.emit("warning", self.router.name, reason=reason, chosen_by=by)
        if choice.node is None:
            if not menu.may_end:
                raise ForbiddenError(
                    f"the {self.router.name} router ended the run",
                    f"it may not end after {last.__name__ if last else 'nothing'}",
                    f"choose one of: {_names(menu)}",
                )
            return self._end(f"{self.goal.text} {reason}")
        node = self._on_menu(choice.node, menu)
        self._next = (node, menu, by, reason)
        return node

    def _menu(self, last: type[Node[Any]] | None) -> Menu:
        return self.graph.menu(self.candidates, self.unbound, self.state.situation, last)

    def _on_menu(self, chosen: Any, menu: Menu) -> Node[Any]:
        """Return our own option that a router chose: of the very class, with the very fields."""
        for option in menu.options:
            if type(chosen) is type(option) and option == chosen:
                return option
        name = type(chosen).__name__
        at_all = type(chosen) in self.graph.nodes
        raise ForbiddenError(
            f"the {self.router.name} router chose {name}",
            menu.refused.get(
                called(chosen, self.candidates), "its fields are not those on the menu"
            )
            if at_all
            else f"it is no node of the graph {self.graph.name}",
            f"choose one of: {_names(menu)}",
        )

    def _end(self, unmet: str) -> End[Finish]:
        """Return the end of the run; what is said if the goal is unmet."""
        if self.goal.reached(self.state.situation):
            return End(self.finish("finished", self.goal.text))
        return End(self.finish("goal unmet", unmet))

    # --- doing -------------------------------------------------------------------------------

    async def step(self, node: Node[Any]) -> Node[Any] | End[Finish]:
        """Do a node's work, record the transition and choose what comes next."""
        if self._next is None or self._next[0] is not node:
            raise ForbiddenError(
                f"cannot run the step {node.name}",
                "it was not chosen",
                "end the method run of every node with: return await self.proceed(ctx)",
            )
        _, menu, by, reason = self._next
        self._next = None
        index, started = len(self.steps), datetime.now(UTC)
        if index >= MOST_STEPS:
            raise RecipeError(
                f"{self.goal.text} was asked for", f"not reached in {MOST_STEPS} steps"
            )
        self.steps.append(node.name)
        record = functools.partial(self._record, node, menu, by, reason, started)
        told = {"run": self.run.iri, "index": index, "chosen_by": by}
        with (
            within(Scope(self.run.iri, index)),
            span(self.executor.tracer, f"node {node.name}", **told),
        ):
            self.executor.emit("node", node.name, index=index, reason=reason, chosen_by=by)
            try:
                if not node.only_calculates:
                    self.records.write()
                async with self.gate.open(node, index) as executor:
                    done = await node.work(self.state, executor)
            except (DeferredError, ApprovalError):  # the step is still to be done
                raise
            except (Exception, asyncio.CancelledError) as error:
                with suppress(GraficoError):  # what went wrong is what matters
                    record(None, _words(error))
                raise
            self.state = done.state
            record(done.answer, "")
            self.gate.did(node)
        return await self.choose(type(node))

    def _record(
        self,
        node: Node[Any],
        menu: Menu,
        by: str,
        reason: str,
        started: datetime,
        answer: Answer[Any] | None,
        failure: str,
    ) -> None:
        index = len(self.steps) - 1
        transition = Transition(
            run=Link[Run](self.run),
            index=index,
            node=node.name,
            inputs=node.model_dump_json(),
            chosen_by=by,
            reason=reason,
            menu=tuple(called(option, self.candidates) for option in menu.options),
            refused=tuple(f"{name}: {reason}" for name, reason in menu.refused.items()),
            started=started,
            ended=datetime.now(UTC),
            activity=Link[Activity](answer.activity) if answer else None,
            reused=answer.reused if answer else False,
            deviation=answer.deviation if answer else None,
            failure=failure,
        )
        made = transition.activity
        note_here(transition=transition.iri, activity=made and made.iri, reused=transition.reused)
        self.records.add(transition)
        self.executor.emit(
            "transition",
            node.name,
            iri=transition.iri,
            index=index,
            failure=failure,
            stopped=failure == INTERRUPTED,
            said=node.said,
        )

    def pending(self, error: BaseException) -> Sequence[str]:
        """Return which steps can come next, where the run stops in between two of them."""
        if isinstance(error, DeferredError | ApprovalError):
            return self.steps[-1:]
        return error.pending if isinstance(error, ChoiceError) else ()

    def ask(self, error: ApprovalError) -> None:
        """Record what a person is to agree to, before the run can go on."""
        deeds = tuple(Link[Deed](one) for one in error.deeds)
        pending = Pending(run=Link[Run](self.run), deeds=deeds, asked=datetime.now(UTC))
        self.records.add(pending, *error.deeds)

    def finish(self, status: Status, message: str, pending: Sequence[str] = ()) -> Finish:
        """Record how the run ended."""
        node = self.steps[-1] if self.steps else ""
        self.finished = Finish(self.run.iri, status, message, self.state, node)
        product = self.state.product
        results: Sequence[str] = list(dict.fromkeys(self.state.recorded))
        outcome = Outcome(
            run=Link[Run](self.run),
            status=status,
            message=message,
            ended=datetime.now(UTC),
            results=tuple(Link[GraphModel](iri) for iri in results),
            geometry=Link[GraphModel](product) if product is not None else None,
            node=node,
            computed=spent() - self._before or None,
            pending=tuple(pending),
        )
        made = [product] if product is not None else []
        self.records.write(outcome, *made)
        note_here(status=status, steps=len(self.steps))
        return self.finished


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
    entry_node: Node[StateT] | type[Node[StateT]] | None = None,
    exit_node: type[Node[StateT]] | None = None,
    resume_from: str = "",
    behind: Sequence[str] = (),
    forms: Sequence[BaseModel] = (),
    beside: Sequence[GraphModel] = (),
) -> Finish:
    """Run a graph from a state towards a goal.

    Called in the work of a node, the run is recorded as part of that step: a sub-graph.

    Args:
        graph: the graph.
        state: where to start.
        request: its fields fill in the nodes' fields of the same name.
        goal: what is to be reached.
        executor: runs and records the calculations.
        subject: what the run is about, as a person would say it.
        about: objects recorded with the run.
        router: who chooses; the goal router if None.
        entry_node: the first node, whatever the router would choose; filled in from the request,
            or a node with fields of its own.
        exit_node: the run ends after this node, whether or not the goal is reached.
        resume_from: IRI of the run that this one goes on from; `state` is its last state, which
            `replay` gives.
        behind: names of the steps of that run, where this one goes on right behind the last of
            them; empty where it may enter at any node.
        forms: all that was asked, recorded so that the run can be entered again as it was asked.
        beside: what is recorded with the run and is no part of what it is about.

    Raises:
        InputError: the run cannot enter or end where it is to.
        NotFoundError: the run to go on from is not stored.
        BeyondError: it has computed for longer than was agreed, see `cost.Meter`; recorded as
            interrupted.
        GraficoError: a node failed; the run is recorded as failed.
        CancelledError: somebody cancelled it; the run is recorded as interrupted.
        DeferredError: the executor does not compute what comes next; recorded likewise.
        ChoiceError: somebody is to choose who is not here; recorded likewise.
        ApprovalError: somebody has to agree to what a step does, see `approval.py`; likewise.
        BusyError: another process commands a device.
        StoppedError: a person has stopped a device.
    """
    if exit_node is not None:
        graph.named(exit_node.__name__)
    resumes = former_run(graph, resume_from, executor) if resume_from else None
    router = router or GoalRouter()
    outermost = not scope().run
    journey = Journey(
        graph, state, request, goal, subject, router, executor, about, exit_node, resumes, forms,
        behind, beside,
    )  # fmt: skip
    last = graph.named(behind[-1]) if behind else None
    told = {"run": journey.run.iri, "graph": graph.name, "goal": goal.text}
    with (
        within(Scope(journey.run.iri)),
        journey.records.current(),
        span(executor.tracer, f"run {graph.name}", **told),
    ):
        first: Node[Any] | End[Finish] | None = None
        if entry_node is not None:
            first = journey.enter(entry_node)
        executor.emit("run", journey.run.iri, graph=graph.name, goal=goal.text, about=subject)
        try:
            if first is None:
                first = await journey.choose(last)
            if isinstance(first, End):
                return first.data
            finish = await graph.compiled.run(state=journey, inputs=first, infer_name=False)
            if finish is not journey.finished:
                raise ForbiddenError("a node ended the run", "nobody had chosen the end")
            return finish
        except (Exception, asyncio.CancelledError) as error:
            if isinstance(error, GraficoError):
                error.run = error.run or journey.run.iri
            if isinstance(error, DeferredError | ChoiceError):
                error.run = journey.run.iri  # that of the whole, in the end
            with suppress(GraficoError):
                cut = isinstance(
                    error, asyncio.CancelledError | BeyondError | DeferredError | ChoiceError
                )
                pending = journey.pending(error)
                if isinstance(error, ApprovalError):
                    journey.ask(error)
                journey.finish("interrupted" if cut else "failed", _words(error), pending)
            raise
        finally:
            await journey.gate.close()
            end = journey.finished  # known even where it could not be recorded
            status, message = (end.status, end.message) if end else ("interrupted", "")
            executor.emit("finished", journey.run.iri, status=status, message=message)
            if outermost:
                await executor.events.settle(SETTLE)


def spelt(forms: Sequence[BaseModel]) -> str:
    """Return forms as JSON by the names of their classes, defaults included: they may change."""
    said = {type(one).__name__: one.model_dump(mode="json") for one in forms}
    return json.dumps(said) if said else ""


def _names(menu: Menu) -> str:
    return ", ".join(node.name for node in menu.options) or "nothing"


def _words(error: BaseException) -> str:
    if isinstance(error, DeferredError):
        return f"to be computed elsewhere, from {error} on"
    if isinstance(error, ApprovalError):
        return f"waiting for a yes to {error}"
    if isinstance(error, ChoiceError):
        return f"waiting for a choice {error}"
    if isinstance(error, asyncio.CancelledError):
        return INTERRUPTED
    text = str(error)
    return text if isinstance(error, GraficoError) else f"{type(error).__name__}: {text}"


@functools.cache
def grafico_software() -> Software:
    """Return Grafico and its version."""
    return Software(name="grafico", version=release())
