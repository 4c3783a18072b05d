"""Nodes and a calculation that do nothing, so that only the engine is measured."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from pydantic import BaseModel
from pydantic_graph import BaseNode, End, GraphBuilder, GraphRunContext

from ogm import GraphModel
from workflows.engine import (
    Backend,
    Done,
    Executor,
    Finish,
    Goal,
    Graph,
    Node,
    calculation,
    run_graph,
)

from .sample import VOCAB

NOTHING = Backend(name="nothing", epoch="1", preload=("evals.bench.nothing",))


class Number(GraphModel, vocab=VOCAB):
    """A number."""

    value: int


class Same(GraphModel, vocab=VOCAB, identity="result"):
    """The number that was given."""

    value: int


@calculation("bench.nothing", version="1", backend=NOTHING)
def nothing(number: Number) -> Same:
    """Give a number back."""
    return Same(value=number.value)


@dataclass(frozen=True)
class Tally:
    """How many steps were made; its own situation for the planner."""

    steps: int = 0
    recorded: tuple[str, ...] = ()
    product: None = None

    @property
    def situation(self) -> Tally:
        """The tally."""
        return self


class Count(Node[Tally]):
    """Make a step."""

    then: ClassVar[Count | End[Finish]]

    def effect(self, situation: Tally) -> Tally:
        return replace(situation, steps=situation.steps + 1)

    async def work(self, state: Tally, executor: Executor) -> Done[Tally]:
        return Done(self.effect(state))


COUNT: Graph[Tally] = Graph("count", Count)


class Request(BaseModel):
    """What is asked: nothing in particular."""


async def count(executor: Executor, steps: int) -> None:
    """Run a graph of so many steps: planned, checked and recorded as any other."""
    goal = Goal(f"{steps} steps", lambda situation: situation.steps == steps)
    finish = await run_graph(COUNT, Tally(), Request(), goal, executor, subject="nothing")
    assert (finish.status, finish.state.steps) == ("finished", steps)


@dataclass
class Left:
    """How many steps are left."""

    steps: int


@dataclass
class Bare(BaseNode[Left, None, int]):
    """Make a step, as pydantic-graph does alone."""

    async def run(self, ctx: GraphRunContext[Left, None]) -> Bare | End[int]:
        ctx.state.steps -= 1
        return Bare() if ctx.state.steps else End(0)


def bare_count() -> Callable[[int], Coroutine[Any, Any, int]]:
    """Return a function that makes so many steps in pydantic-graph: nothing planned or kept."""
    builder: GraphBuilder[Left, None, Bare, int] = GraphBuilder(
        name="bare", state_type=Left, input_type=Bare, output_type=int
    )
    entry = builder.decision().branch(builder.match_node(Bare))
    builder.add(builder.edge_from(builder.start_node).to(entry), builder.node(Bare))
    graph = builder.build()
    return lambda steps: graph.run(state=Left(steps), inputs=Bare(), infer_name=False)
