"""The planner: cheapest sequences of nodes that reach a goal."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from pydantic_graph import End

from .graph import Node, successors

LIMIT = 20_000
"""Situations looked at before the planner gives up."""


@dataclass(frozen=True)
class Goal:
    """What is to be reached.

    Attributes:
        text: in words.
        reached: tells whether a situation satisfies it.
    """

    text: str
    reached: Callable[[Any], bool]


Place: TypeAlias = tuple[type[Node[Any]] | None, Hashable]


@dataclass
class Plans:
    """The cheapest plans, all of the same cost.

    Attributes:
        refused: why nodes could not run, by node; each reason met on the way.
        usable: the nodes that could run somewhere on the way.
        exhausted: whether the search ended at its limit.
    """

    start: Place
    ends: list[Place] = field(default_factory=list[Place])
    before: dict[Place, list[tuple[Place, Node[Any]]]] = field(
        default_factory=dict[Place, list[tuple[Place, Node[Any]]]]
    )
    refused: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    usable: set[str] = field(default_factory=set[str])
    exhausted: bool = False

    def __iter__(self) -> Iterator[list[Node[Any]]]:
        """Iterate over the plans, each a list of nodes."""
        for end in self.ends:
            yield from self._to(end)

    def first(self) -> list[Node[Any]] | None:
        """Return one plan, always the same; None if there is none."""
        return next(iter(self), None)

    def _to(self, place: Place) -> Iterator[list[Node[Any]]]:
        if place == self.start:
            yield []
            return
        for previous, node in self.before[place]:
            for plan in self._to(previous):
                yield [*plan, node]

    @property
    def obstacles(self) -> str:
        """Why there is no plan, in words: the nodes that could run nowhere."""
        if self.exhausted:
            return f"no plan among the first {LIMIT} situations"
        return "; ".join(
            f"{name}: {' or '.join(reasons)}"
            for name, reasons in self.refused.items()
            if name not in self.usable
        )


def plan(
    candidates: Sequence[Node[Any]],
    situation: Hashable,
    goal: Goal,
    last: type[Node[Any]] | None = None,
) -> Plans:
    """Search for the cheapest ways from a situation to a goal (Dijkstra's algorithm).

    Args:
        candidates: nodes with their fields filled in.
        situation: where the search starts.
        goal: what is to be reached.
        last: the node that has just run, whose declared successors may follow.

    Source: E. W. Dijkstra, Numer. Math. 1, 269 (1959).
    """
    start: Place = (last, situation)
    plans = Plans(start)
    costs: dict[Place, float] = {start: 0.0}
    settled: set[Place] = set()
    order = itertools.count()
    queue: list[tuple[float, int, Place]] = [(0.0, next(order), start)]
    best = float("inf")
    while queue:
        cost, _, place = heapq.heappop(queue)
        if place in settled or cost > best:
            continue
        settled.add(place)
        if len(settled) > LIMIT:
            plans.exhausted = True
            break
        previous, here = place
        may_end = previous is None or End in successors(previous)
        if may_end and goal.reached(here):
            best = cost
            plans.ends.append(place)
            continue
        for node in candidates:
            if previous is not None and type(node) not in successors(previous):
                continue
            reason = node.precondition(here)
            if reason:
                reasons = plans.refused.setdefault(node.name, [])
                if reason not in reasons:
                    reasons.append(reason)
                continue
            plans.usable.add(node.name)
            there: Place = (type(node), node.effect(here))
            total = cost + node.cost(here)
            if total < costs.get(there, float("inf")) - 1e-9:
                costs[there] = total
                plans.before[there] = [(place, node)]
                heapq.heappush(queue, (total, next(order), there))
            elif abs(total - costs[there]) <= 1e-9 and there not in settled:
                plans.before[there].append((place, node))
    return plans
