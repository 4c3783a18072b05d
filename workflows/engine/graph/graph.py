"""`Node` and `Graph`: typed steps, and which may follow which."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Generic,
    Protocol,
    TypeVar,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_graph import BaseNode, End, GraphBuilder, GraphRunContext
from pydantic_graph import Graph as PydanticGraph

from ogm import GraphModel
from triplestore.errors import NotFoundError

from .drawing import END, Path, draw
from .effects import Target, checked_effects

if TYPE_CHECKING:
    from ..execution.answer import Answer
    from ..execution.executor import Executor
    from .run import Journey


class State(Protocol):
    """Where a run stands. States are frozen: a node returns a new one."""

    @property
    def situation(self) -> Hashable:
        """What a planner needs to know of the state, small and hashable."""
        ...

    @property
    def recorded(self) -> Sequence[str]:
        """IRIs of the results so far, in order."""
        ...

    @property
    def product(self) -> GraphModel | None:
        """What the run has made of its subject, such as the last geometry."""
        ...


StateT = TypeVar("StateT", bound=State)


@dataclass(frozen=True)
class Done(Generic[StateT]):
    """What the work of a node came to.

    Attributes:
        state: the state after it.
        answer: the calculation that it ran, if it ran one.
    """

    state: StateT
    answer: Answer[Any] | None = None


class Node(BaseModel, BaseNode[Any, None, Any], Generic[StateT]):
    """A step of a graph, and the form that a router fills in to choose it.

    What may follow a node is declared by the type of `then`, which has no value: `End[Finish]` is
    among them where a run may end. The work is done by `work`, the choice of what comes next is the
    router's, and the engine enforces both the declaration and the preconditions.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
    then: ClassVar[Any]
    only_calculates: ClassVar[bool] = False
    """Whether its work does nothing but run calculations: the run is then stored before one is
    computed, and in one transaction at its end if all of them are remembered."""
    weight: ClassVar[int] = 1
    """Work of telling whether it may run and what comes then: a planner bounds their sum."""
    effects: ClassVar[frozenset[str]] = frozenset()
    """What its work does to the world: `device`, `network`, `money`, `irreversible`,
    `making`. The engine has a person agree before the work, see `approval.py`."""

    @classmethod
    def __pydantic_init_subclass__(cls, **more: Any) -> None:
        super().__pydantic_init_subclass__(**more)
        if "effects" in vars(cls):
            cls.effects = checked_effects(cls.effects, cls.__name__)
        if cls.effects and cls.only_calculates:
            raise TypeError(f"{cls.__name__} only calculates, so that it has no effects")

    def precondition(self, situation: Any) -> str | None:
        """Return why the node may not run in a situation, None if it may."""
        return None

    def effect(self, situation: Any) -> Any:
        """Return the situation that a planner may expect afterwards."""
        return situation

    def cost(self, situation: Any) -> float:
        """Return what the node costs, in the graph's own measure."""
        return 1.0

    async def work(self, state: StateT, executor: Executor) -> Done[StateT]:
        """Do the work and return the new state."""
        raise NotImplementedError

    async def run(self, ctx: GraphRunContext[Any, None]) -> Any:
        """Call `proceed`; a graph gives each node one that returns what may follow it."""
        return await self.proceed(ctx)

    def effects_on(self, state: StateT) -> frozenset[str]:
        """Return what its work does to the world from a state, besides its `effects`."""
        return frozenset()

    def all_effects(self, state: StateT) -> frozenset[str]:
        """Return all that its work does to the world from a state."""
        return self.effects | checked_effects(self.effects_on(state), self.name)

    def target(self, state: StateT) -> Target:
        """Return what its work acts on, and all that a yes to it depends on; nothing is done.

        Its fields, the subject of the run and its product are part of that anyway; what else of
        the state it sends has to be named here.
        """
        return Target()

    def checks(self, situation: Any) -> tuple[str, ...]:
        """Return what is shown of a situation to who has to agree; a yes depends on it too."""
        return ()

    async def already_done(self, state: StateT, executor: Executor) -> Done[StateT] | None:
        """Return what its work has come to, which has acted on the world in an earlier run.

        So that a run that goes on need not do it again; None where nobody can tell any more.
        """
        return None

    async def proceed(self, ctx: GraphRunContext[Journey[Any], None]) -> Any:
        """Do the work, record it and return what the router chose next."""
        return await ctx.state.step(self)

    @property
    def name(self) -> str:
        """The name of the node's class."""
        return type(self).__name__

    @property
    def with_fields(self) -> str:
        """The name, and the fields as a person reads them."""
        told = [f"{name} {getattr(self, name)}" for name in type(self).model_fields]
        return f"{self.name} ({', '.join(told)})" if told else self.name

    @property
    def said(self) -> str:
        """What a person is told when it is done; empty where a calculation says enough."""
        return ""

    @property
    def summary(self) -> str:
        """What the node does: the first line of its docstring."""
        return (type(self).__doc__ or "").strip().partition("\n")[0]


@functools.cache
def successors(node: type[Node[Any]]) -> frozenset[type]:
    """Return the classes that may follow a node; `End` among them if the run may end there.

    Raises:
        TypeError: it does not say what may follow.
    """
    hint = declared(node)
    if hint is None:
        raise TypeError(f"{node.__name__} does not say what may follow it: declare its `then`")
    # End[Finish] is itself generic, so a lone End has arguments of its own
    parts = (hint,) if get_origin(hint) is End else get_args(hint) or (hint,)
    return frozenset(cast(type, get_origin(part) or part) for part in parts)


def declared(node: type[Node[Any]]) -> Any:
    """Return the type of what may follow a node: that of `then`, or what its own `run` returns.

    None is returned of a node that declares neither.
    """
    for kind in node.__mro__[: node.__mro__.index(Node)]:
        if "run" in vars(kind):
            return get_type_hints(vars(kind)["run"]).get("return")
        if (then := inspect.get_annotations(kind).get("then")) is not None:
            told = type(kind.__name__, (), {"__annotations__": {"then": then}})
            return get_args(get_type_hints(told, vars(sys.modules[kind.__module__]))["then"])[0]
    return None


def lead(node: type[Node[Any]], hint: Any) -> None:
    """Let the `run` of a node return what may follow it: that is where pydantic-graph looks."""

    async def run(self: Node[Any], ctx: GraphRunContext[Journey[Any], None]) -> Any:
        return await self.proceed(ctx)

    run.__annotations__ = {"return": hint}
    setattr(node, "run", run)  # noqa: B010  # a method that is known here only


@dataclass(frozen=True)
class Menu:
    """What may be chosen now.

    Attributes:
        options: the admissible nodes, their fields filled in.
        refused: the others, each with the reason; by name, and by fields where a class has several.
        may_end: whether the run may end here.
    """

    options: tuple[Node[Any], ...]
    refused: Mapping[str, str]
    may_end: bool


def called(node: Node[Any], among: Sequence[Node[Any]]) -> str:
    """Return what a candidate is called: its name, with its fields where a class has several."""
    alone = sum(type(one) is type(node) for one in among) < 2
    return node.name if alone else node.with_fields


class Graph(Generic[StateT]):
    """A set of nodes that belong together.

    Args:
        name: the graph's name.
        nodes: its nodes; a run may enter at any of them.
    """

    def __init__(self, name: str, *nodes: type[Node[StateT]]) -> None:
        self.name = name
        self.nodes = nodes
        for node in nodes:
            strangers = successors(node) - {*nodes, End}
            if strangers:
                names = ", ".join(sorted(stranger.__name__ for stranger in strangers))
                raise TypeError(f"{node.__name__} leads to {names}, not in graph {name!r}")

    @property
    def effects(self) -> frozenset[str]:
        """What its steps do to the world."""
        return frozenset[str]().union(*(node.effects for node in self.nodes))

    @functools.cached_property
    def compiled(self) -> PydanticGraph[Any, None, Any, Any]:
        """The graph as pydantic-graph runs and draws it."""
        builder: GraphBuilder[Any, None, Any, Any] = GraphBuilder(
            name=self.name,
            state_type=object,
            input_type=object,
            output_type=object,
            auto_instrument=False,  # its spans would hold whole nodes; the engine makes its own
        )
        entry = builder.decision()
        for node in self.nodes:
            if vars(Node)["run"] is node.run:
                lead(node, declared(node))
            entry = entry.branch(builder.match_node(cast(Any, node)))
        builder.add(
            builder.edge_from(builder.start_node).to(entry),
            *(builder.node(cast(Any, node)) for node in self.nodes),
        )
        return builder.build()

    def named(self, node: str) -> type[Node[StateT]]:
        """Return the node of that name.

        Raises:
            NotFoundError: the graph has none.
        """
        for kind in self.nodes:
            if kind.__name__ == node:
                return kind
        raise NotFoundError(
            f"the node {node!r} of the graph {self.name} was asked for",
            "it has none of that name",
            "choose one of: " + ", ".join(kind.__name__ for kind in self.nodes),
        )

    def mermaid(self, path: Path | None = None) -> str:
        """Return the graph as a Mermaid diagram, with the path of a run if one is given."""
        after: dict[str, list[str]] = {}
        for node in self.nodes:
            follows = successors(node)
            after[node.__name__] = [kind.__name__ for kind in self.nodes if kind in follows]
            after[node.__name__] += [END] * (End in follows)
        return draw(after, path)

    def bind(self, request: BaseModel) -> tuple[list[Node[StateT]], dict[str, str]]:
        """Fill in the fields of every node from the fields of the same name in a request.

        Returns:
            The nodes that could be filled in, and why the others could not.
        """
        given = {
            name: value
            for name in type(request).model_fields
            if (value := getattr(request, name)) is not None
        }
        bound: list[Node[StateT]] = []
        refused: dict[str, str] = {}
        for node in self.nodes:
            fields = {name: given[name] for name in node.model_fields if name in given}
            try:
                bound.append(node(**fields))
            except ValidationError as error:
                refused[node.__name__] = "; ".join(
                    f"needs {item['loc'][0]}"
                    if item["type"] == "missing"
                    else f"{item['loc'][0]}: {item['msg']}"
                    for item in error.errors()
                )
        return bound, refused

    def menu(
        self,
        candidates: Sequence[Node[StateT]],
        unbound: Mapping[str, str],
        situation: Any,
        last: type[Node[Any]] | None,
    ) -> Menu:
        """Return which candidates may come after a node (None: at the start)."""
        allowed = successors(last) if last is not None else frozenset[type](self.nodes)
        options: list[Node[StateT]] = []
        refused = dict(unbound)
        for node in candidates:
            if type(node) not in allowed:
                why = f"does not follow {last.__name__}" if last else "no entry"
                refused[called(node, candidates)] = why
            elif reason := node.precondition(situation):
                refused[called(node, candidates)] = reason
            else:
                options.append(node)
        return Menu(tuple(options), refused, last is None or End in allowed)
