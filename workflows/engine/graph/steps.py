"""`step`: a graph written as functions, where each step says what it needs and what it gives.

What is needed and given are names, such as `energies`. From these follow when a step may run and
what to say where it may not, what it leads to, what may follow it, and what a planner sees. A graph
whose steps have conditions of another kind is written with `Node`, or with both.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import FunctionType, SimpleNamespace, new_class
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Concatenate,
    Self,
    TypeAlias,
    TypeVar,
    Union,
    cast,
    get_type_hints,
)

from pydantic_graph import End

from ogm import GraphModel

from .graph import Done, Graph, Node, declared, lead
from .planner import Goal

if TYPE_CHECKING:
    from ..execution.answer import Answer
    from ..execution.executor import Executor


@dataclass(frozen=True)
class StepSituation:
    """What a planner sees of a run of steps.

    Attributes:
        known: names of what steps have given, and of what the run started with.
        missing: what has failed of what was to be computed.
    """

    known: frozenset[str] = frozenset()
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Findings:
    """Where a run of steps stands; a graph adds fields for what its steps hand on.

    Attributes:
        known: names of what steps have given, and of what the run started with.
        missing: what has failed of what was to be computed; the run may be resumed for it.
        remembered: whether nothing of it was computed; None where `answers` say so.
        answers: the calculations that were done, in order.
        found: what was made of them, and is recorded.
    """

    known: frozenset[str] = frozenset()
    missing: tuple[str, ...] = ()
    remembered: bool | None = None
    answers: tuple[Answer[Any], ...] = ()
    found: tuple[GraphModel, ...] = ()

    @property
    def situation(self) -> StepSituation:
        """What a planner sees."""
        return StepSituation(self.known, self.missing)

    @property
    def recorded(self) -> Sequence[str]:
        """IRIs of what was computed, and of what was made of it."""
        return [*(one.recorded for one in self.answers), *(one.iri for one in self.found)]

    @property
    def product(self) -> GraphModel | None:
        """None: nothing is made of what it is about."""
        return None

    def after(self, *answers: Answer[Any], **changes: Any) -> Self:
        """Return the state after calculations, with other fields changed."""
        return replace(self, answers=(*self.answers, *answers), **changes)


FindingsT = TypeVar("FindingsT", bound=Findings)

Work: TypeAlias = Callable[
    Concatenate[FindingsT, "Executor", ...], Awaitable[FindingsT | Done[FindingsT]]
]
"""What does a step: from the state, the executor and the fields of the step to the next state."""


class Step(Node[FindingsT]):
    """A node that was made of a function; see `step`.

    Attributes:
        gives: name of what is known after it.
        needs: names of what has to be known before.
        leads: names of what may be given right after it, besides by what needs what it gives.
        done: what is said where what it gives is known.
        undone: what is said where it is not.
        price: what it costs.
        parts: whether it computes many, of which some may fail.
        does: the function.
        lacking: what is said where something that it needs is not known.
    """

    gives: ClassVar[str]
    needs: ClassVar[tuple[str, ...]]
    leads: ClassVar[tuple[str, ...]]
    done: ClassVar[str]
    undone: ClassVar[str]
    price: ClassVar[float]
    parts: ClassVar[bool]
    does: ClassVar[Callable[..., Awaitable[Any]]]
    lacking: ClassVar[dict[str, str]]

    def precondition(self, situation: StepSituation) -> str | None:
        for need in self.needs:
            if need not in situation.known:
                return self.lacking[need]
        if self.parts and situation.missing:
            return f"it has missed {', '.join(situation.missing)}; resume the run for these"
        return self.done if self.gives in situation.known else None

    def effect(self, situation: StepSituation) -> StepSituation:
        return replace(situation, known=situation.known | {self.gives})

    def cost(self, situation: StepSituation) -> float:
        return self.price

    async def work(self, state: FindingsT, executor: Executor) -> Done[FindingsT]:
        fields = {name: getattr(self, name) for name in type(self).model_fields}
        came: FindingsT | Done[FindingsT] = await self.does(state, executor, **fields)
        if isinstance(came, Done):
            after, answer = came.state, came.answer
        else:
            after, new = came, came.answers[len(state.answers) :]
            answer = new[-1] if new else None
        return Done(replace(after, known=after.known | {self.gives}), answer)


def step(
    gives: str,
    *,
    needs: str | Sequence[str] = (),
    leads: str | Sequence[str] = (),
    done: str = "",
    cost: float = 1.0,
    parts: bool = False,
    **attributes: Any,
) -> Callable[[Work[FindingsT]], type[Step[FindingsT]]]:
    """Make a step of ``async def work(state, executor, **fields)``, which returns the next state.

    Its name is that of the function in capitals: `compute_species` makes `ComputeSpecies`; records
    have it, so that it never changes. What it does is the first line of the docstring. Parameters
    behind the executor are fields that a request fills in by their names.

    Args:
        gives: name of what is known after it, such as `energies`.
        needs: names of what has to be known before.
        leads: names of what may be given right after it, besides by the steps that need what it
            gives.
        done: how one says that it is done, behind its name: `are recorded`; `is known`, or `are
            known` of a plural, if empty.
        cost: what it costs, in the graph's own measure.
        parts: whether it computes many, of which some may fail: `missing` in the state names them.
        attributes: others of the node, such as `only_calculates`; functions become its methods.

    Raises:
        TypeError: the function is not asynchronous, or a node has no such attribute.
    """

    def make(work: Work[FindingsT]) -> type[Step[FindingsT]]:
        function = cast("FunctionType", work)
        name = "".join(word.capitalize() for word in function.__name__.split("_"))
        if not inspect.iscoroutinefunction(work):
            raise TypeError(f"the step {name} is made of a function that is not `async def`")
        verb, _, rest = (done or ("are known" if _plural(gives) else "is known")).partition(" ")
        if verb not in ("is", "are") or not rest:
            raise TypeError(f"the step {name} says {done!r}: begin with `is` or `are`")
        for one in attributes:
            if not hasattr(Node, one) or one in vars(Step):
                raise TypeError(f"the step {name} says {one!r}, which is no attribute of a node")
        hints, defaults = _fields(function)
        told = {
            "__module__": function.__module__,
            "__doc__": function.__doc__,
            "__annotations__": hints,
            **defaults,
            **attributes,
        }
        kind: type[Step[FindingsT]] = new_class(name, (Step,), {}, lambda space: space.update(told))
        kind.gives, kind.needs, kind.leads = gives, _names(needs), _names(leads)
        kind.done, kind.undone = f"the {gives} {verb} {rest}", f"the {gives} {verb} not {rest}"
        kind.price, kind.parts, kind.does = cost, parts, staticmethod(work)
        kind.lacking = {one: f"there is no {one}" for one in kind.needs}
        return kind

    return make


class StepGraph(Graph[FindingsT]):
    """A graph of steps: each may be followed by those that need what it gives, or by the end.

    Args:
        name: the graph's name.
        steps: its steps; a run may enter at any that needs nothing unknown.
        given: what a run may start with besides what steps give; where it may also start without,
            what is then said of the steps that need it.
        goal: name of what a run is to find; what the last step gives if empty.

    Raises:
        TypeError: a step needs, or the goal is, what no step gives; steps need each other; or one
            leads elsewhere in another graph.
    """

    def __init__(
        self,
        name: str,
        *steps: type[Step[FindingsT]],
        given: Sequence[str] | Mapping[str, str] = (),
        goal: str = "",
    ) -> None:
        self.name, self.steps = name, steps
        self.given = dict(given) if isinstance(given, Mapping) else dict.fromkeys(given, "")
        self.target = goal or steps[-1].gives
        self.known(self.target, who="its goal is")
        for kind in steps:
            self.known(*kind.needs, who=f"the step {kind.__name__} needs")
            self.known(*kind.leads, who=f"the step {kind.__name__} leads to")
        self._check_order()
        words = {kind.gives: kind.undone for kind in steps}
        words |= {one: said for one, said in self.given.items() if said}
        for kind in steps:
            kind.lacking |= {one: words[one] for one in kind.needs if one in words}
            self._lead(kind)
        super().__init__(name, *steps)

    def known(self, *names: str, who: str = "it is said to have") -> frozenset[str]:
        """Return what a run starts with, by names.

        Raises:
            TypeError: nothing of a name is given.
        """
        there = dict.fromkeys([*(kind.gives for kind in self.steps), *self.given])
        for one in names:
            if one not in there:
                raise TypeError(
                    f"in the graph {self.name!r} {who} {one!r}, which no step gives: they give "
                    f"{', '.join(map(repr, there))}"
                )
        return frozenset(names)

    def goal(self, text: str, *names: str, whole: bool = False) -> Goal:
        """Return the goal to know something.

        Args:
            text: it in words.
            names: what is to be known; the graph's goal if none is named.
            whole: whether nothing of it may be missing.

        Raises:
            TypeError: nothing of a name is given.
        """
        wanted = self.known(*(names or (self.target,)), who=f"the goal {text!r} is")

        def reached(at: StepSituation) -> bool:
            return wanted <= at.known and not (whole and at.missing)

        return Goal(text, reached)

    def _check_order(self) -> None:
        """Raise where steps need each other, so that none of them can ever run."""
        found, waiting = set(self.given), list(self.steps)
        while able := [kind for kind in waiting if found.issuperset(kind.needs)]:
            found.update(kind.gives for kind in able)
            waiting = [kind for kind in waiting if kind not in able]
        if waiting:
            told = "; ".join(f"{kind.__name__} needs {', '.join(kind.needs)}" for kind in waiting)
            raise TypeError(f"in the graph {self.name!r} steps can never run: {told}")

    def _lead(self, kind: type[Step[FindingsT]]) -> None:
        """Let a step lead to those that need what it gives, and to what it says itself."""
        after = [one for one in self.steps if kind.gives in one.needs or one.gives in kind.leads]
        hint = Union[(*after, End[Any])]  # as many as there are
        if declared(kind) not in (None, hint):
            names = ", ".join(one.__name__ for one in after) or "nothing"
            raise TypeError(
                f"in the graph {self.name!r} the step {kind.__name__} leads to {names}, but "
                "elsewhere in another graph: a step leads to the same in all"
            )
        lead(kind, hint)


def _names(said: str | Sequence[str]) -> tuple[str, ...]:
    return ((said,) if said else ()) if isinstance(said, str) else tuple(said)


def _plural(name: str) -> bool:
    return name.endswith("s") and not name.endswith(("ss", "is", "us"))


def _fields(function: FunctionType) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return types and defaults of the parameters of a function, but of the first two."""
    rest = list(inspect.signature(function).parameters.values())[2:]
    told = SimpleNamespace(__annotations__={one.name: one.annotation for one in rest})
    hints = get_type_hints(told, function.__globals__, include_extras=True)
    absent = inspect.Parameter.empty
    return hints, {one.name: one.default for one in rest if one.default is not absent}
