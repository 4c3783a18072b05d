"""`Router`: who chooses what comes next. The engine checks every choice, whoever made it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from .graph import Menu, Node
from .planner import Goal, plan


@dataclass(frozen=True)
class Choice:
    """What a router chose.

    Attributes:
        node: the next node; None to end the run.
        reason: why.
    """

    node: Node[Any] | None
    reason: str


@dataclass(frozen=True)
class Crossroads:
    """What a router sees.

    Attributes:
        menu: what may be chosen.
        candidates: every node that the request could fill in, admissible now or not.
        situation: where the run stands.
        goal: what is to be reached.
        last: the node that has just run.
    """

    menu: Menu
    candidates: Sequence[Node[Any]]
    situation: Any
    goal: Goal
    last: type[Node[Any]] | None


class Router(Protocol):
    """Chooses from a menu."""

    name: str

    async def choose(self, at: Crossroads) -> Choice:
        """Return one of the menu's options, or the end."""
        ...


class GoalRouter:
    """Takes the first step of the cheapest plan; needs no model.

    It plans anew at each step, because what a node really did may differ from what was expected.
    """

    name = "goal"

    async def choose(self, at: Crossroads) -> Choice:
        """Return the first step of a cheapest plan."""
        if at.goal.reached(at.situation) and at.menu.may_end:
            return Choice(None, "the goal is reached")
        plans = plan(at.candidates, at.situation, at.goal, at.last)
        steps = plans.first()
        if not steps:
            filled_in = {node.name for node in at.candidates}
            lacking = [f"{n}: {r}" for n, r in at.menu.refused.items() if n not in filled_in]
            why = "; ".join([*lacking, *filter(None, [plans.obstacles])])
            return Choice(None, f"cannot be reached: {why or 'no node leads there'}")
        return Choice(steps[0], "plan: " + " → ".join(node.name for node in steps))
