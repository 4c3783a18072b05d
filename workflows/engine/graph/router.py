"""`Router`: who chooses what comes next. The engine checks every choice, whoever made it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from pydantic import BaseModel

from triplestore.errors import RecipeError

from .graph import Menu, Node
from .planner import Goal, plan


@dataclass(frozen=True)
class Choice:
    """What a router chose.

    Attributes:
        node: the next node; None to end the run.
        reason: why.
        by: who chose it in the place of the router, where that happened.
    """

    node: Node[Any] | None
    reason: str
    by: str = ""


@dataclass(frozen=True)
class Crossroads:
    """What a router sees.

    Attributes:
        menu: what may be chosen.
        candidates: every node that the request could fill in, admissible now or not.
        situation: where the run stands.
        goal: what is to be reached.
        last: the node that has just run.
        request: what was asked.
        subject: what the run is about, as a person would say it.
        steps: names of the nodes that have run, in order.
    """

    menu: Menu
    candidates: Sequence[Node[Any]]
    situation: Any
    goal: Goal
    last: type[Node[Any]] | None
    request: BaseModel | None = None
    subject: str = ""
    steps: tuple[str, ...] = ()


class Router(Protocol):
    """Chooses from a menu."""

    name: str

    async def choose(self, at: Crossroads) -> Choice:
        """Return one of the menu's options, or the end."""
        ...


def forced(at: Crossroads) -> Choice | None:
    """Return the only choice there is, which nobody need be asked about; None if there are more."""
    if not at.menu.options and at.menu.may_end:
        return Choice(None, "nothing can follow")
    if len(at.menu.options) == 1 and not at.menu.may_end:
        return Choice(at.menu.options[0], "nothing else can follow")
    return None


class GoalRouter:
    """Takes the first step of the cheapest plan; needs no model.

    It plans anew whenever a node did something else than was expected.
    """

    name = "goal"

    def __init__(self) -> None:
        self._ahead: tuple[Crossroads, list[Node[Any]]] | None = None

    async def choose(self, at: Crossroads) -> Choice:
        """Return the first step of a cheapest plan; where there is none, the way to an end.

        Raises:
            RecipeError: neither the goal nor an end can be reached.
        """
        if at.goal.reached(at.situation) and at.menu.may_end:
            return Choice(None, "the goal is reached")
        steps, obstacles = self._rest(at), ""
        if not steps:
            plans = plan(at.candidates, at.situation, at.goal, at.last)
            steps, obstacles = plans.first(), plans.obstacles
        if not steps:
            return self._give_up(at, obstacles)
        self._ahead = (at, steps)
        names = [node.name for node in steps]
        shown = names if len(names) <= 20 else [*names[:19], f"… ({len(names)} steps)"]
        return Choice(steps[0], "plan: " + " → ".join(shown))

    def _give_up(self, at: Crossroads, obstacles: str) -> Choice:
        """End the run, or go on to where it may end."""
        filled_in = {node.name for node in at.candidates}
        known = filled_in | at.goal.idle  # what no way to the goal needs is no reason
        lacking = [f"{n}: {r}" for n, r in at.menu.refused.items() if n not in known]
        why = "; ".join([*lacking, *filter(None, [obstacles])])
        told = f"cannot be reached: {why or 'no node leads there'}"
        if at.menu.may_end:
            return Choice(None, told)
        away = plan(at.candidates, at.situation, Goal("an end", lambda _: True), at.last).first()
        if not away:
            raise RecipeError(f"{at.goal.text} {told}", "the run can neither go on nor end here")
        return Choice(away[0], f"{told}; on the way to where the run may end")

    def _rest(self, at: Crossroads) -> list[Node[Any]]:
        """Return what is left of the last plan, if its first step led where it was to lead."""
        if self._ahead is None:
            return []
        before, (first, *rest) = self._ahead
        as_planned = (
            rest
            and at.goal is before.goal
            and at.last is type(first)
            and at.situation == first.effect(before.situation)
            and rest[0] in at.menu.options
            and at.candidates == before.candidates
        )
        return rest if as_planned else []
