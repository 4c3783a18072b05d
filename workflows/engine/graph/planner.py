"""The planner: cheapest sequences of nodes that reach a goal."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from pydantic_graph import End

from .graph import Node, successors

LIMIT = 100_000
"""Places looked at before the planner gives up: a few seconds."""

WORK = 20_000_000
"""Weights of nodes tried before the planner gives up: a few seconds for terms of a device."""

EQUAL = 1e-9
"""Costs that differ by less are the same."""


@dataclass(frozen=True)
class Goal:
    """What is to be reached.

    Attributes:
        text: in words.
        reached: tells whether a situation satisfies it.
        idle: names of nodes that no way to it needs, which a search need not follow: each that it
            follows doubles the situations that there are.
    """

    text: str
    reached: Callable[[Any], bool]
    idle: frozenset[str] = frozenset()


Place: TypeAlias = tuple[int, int]
"""Which nodes may follow, and the situation: both by their numbers, which are quick to compare."""


@dataclass
class Plans:
    """The cheapest plans, all of the same cost.

    Attributes:
        refused: why nodes could not run, by node; each reason met on the way.
        usable: the nodes that could run somewhere on the way.
        exhausted: whether the search ended at its limit.
        looked_at: places that the search has looked at.
    """

    start: Place
    ends: list[Place] = field(default_factory=list[Place])
    before: dict[Place, list[tuple[Place, Node[Any]]]] = field(
        default_factory=dict[Place, list[tuple[Place, Node[Any]]]]
    )
    refused: dict[str, dict[str, None]] = field(default_factory=dict[str, dict[str, None]])
    usable: set[str] = field(default_factory=set[str])
    exhausted: bool = False
    looked_at: int = 0

    def __iter__(self) -> Iterator[list[Node[Any]]]:
        """Iterate over the plans, each a list of nodes."""
        waiting: list[tuple[Place, list[Node[Any]]]] = [(end, []) for end in reversed(self.ends)]
        while waiting:
            place, steps = waiting.pop()
            if place == self.start:
                yield steps[::-1]
                continue
            waiting += [(last, [*steps, node]) for last, node in reversed(self.before[place])]

    def first(self) -> list[Node[Any]] | None:
        """Return one plan, always the same; None if there is none."""
        return next(iter(self), None)

    @property
    def obstacles(self) -> str:
        """Why there is no plan, in words: the nodes that could run nowhere."""
        if self.exhausted:
            return f"no plan among the first {self.looked_at} situations, where the search ended"
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
        situation: where the search starts; hashable.
        goal: what is to be reached.
        last: the node that has just run, whose declared successors may follow.

    Raises:
        ValueError: a node has a cost below zero.

    Source: E. W. Dijkstra, Numer. Math. 1, 269 (1959).
    """
    ways = _Ways(candidates, last)
    numbers: dict[Hashable, int] = {situation: 0}
    situations: list[Any] = [situation]
    start: Place = (ways.group(last), 0)
    plans = Plans(start)
    costs: dict[Place, float] = {start: 0.0}
    settled: set[Place] = set()
    freer: dict[int, list[tuple[float, frozenset[type]]]] = {}
    order = itertools.count()
    queue: list[tuple[float, int, Place]] = [(0.0, next(order), start)]
    best, work = float("inf"), 0
    while queue:
        cost, _, place = heapq.heappop(queue)
        if cost > best + EQUAL:
            break
        if place in settled:
            continue
        settled.add(place)
        group, number = place
        here, follows = situations[number], ways.follows[group]
        # the same situation was reached for less, and from there all of this could follow too
        known = freer.setdefault(number, [])
        if any(less < cost - EQUAL and follows <= more for less, more in known):
            continue
        known.append((cost, follows))
        plans.looked_at += 1
        if plans.looked_at > LIMIT or work > WORK:
            plans.exhausted = True
            break
        if End in follows and goal.reached(here):
            best = cost
            plans.ends.append(place)
            continue
        for name, node, next_group in ways.options[group]:
            work += node.weight
            if work > WORK:
                break
            reason = node.precondition(here)
            if reason:
                plans.refused.setdefault(name, {})[reason] = None
                continue
            plans.usable.add(name)
            if name in goal.idle:
                continue
            after = node.effect(here)
            number = numbers.setdefault(after, len(situations))
            if number == len(situations):
                situations.append(after)
            price = node.cost(here)
            if not price >= 0:
                raise ValueError(f"{name} costs {price}: a cost is not below zero")
            there, total = (next_group, number), cost + price
            before = costs.get(there, float("inf"))
            if total < before - EQUAL:
                costs[there] = total
                plans.before[there] = [(place, node)]
                heapq.heappush(queue, (total, next(order), there))
            elif total <= before + EQUAL and there not in settled:
                plans.before[there].append((place, node))
    return plans


class _Ways:
    """Which candidates may follow, for each group of nodes after which the same may follow.

    Attributes:
        follows: the classes that may follow a group, `End` among them.
        options: the candidates that may follow it: name, node, and the group of the node.
    """

    def __init__(self, candidates: Sequence[Node[Any]], last: type[Node[Any]] | None) -> None:
        kinds = list(dict.fromkeys(type(node) for node in candidates))
        self._every = frozenset[type]([*kinds, End])
        self.follows: list[frozenset[type]] = []
        groups = {kind: self.group(kind) for kind in (last, *kinds)}
        triples = [(type(node), (node.name, node, groups[type(node)])) for node in candidates]
        self.options = [
            [triple for kind, triple in triples if kind in follows] for follows in self.follows
        ]

    def group(self, last: type[Node[Any]] | None) -> int:
        """Return the group of a node; None is the start, where all may follow."""
        allowed = self._every if last is None else successors(last) & self._every
        if allowed not in self.follows:
            self.follows.append(allowed)
        return self.follows.index(allowed)
