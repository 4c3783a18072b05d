"""Devices that a card describes: planned and walked by what it says, whatever they are.

Each command of a card is a step of a graph; the planner searches over what they need and make. See
`driven` beside this for what carries them out.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, cast

from pydantic_graph import End

from ontologies.provenance import Run

from ..execution.executor import Executor
from ..graph.effects import Target
from ..graph.graph import Done, Graph, Node, lead
from ..graph.run import Finish
from ..request.form import Form
from .card import WAIT, Card, CommandCard, spelt
from .command import Sent
from .meaning import done, ended, obstacle, weight
from .standing import Standing, worded
from .terms import Value
from .wish import Wish


class CardCommand(Sent[Any]):
    """A command of a card, as a step of a graph; see `driven` for the bench."""

    keeps_rules = True
    card: ClassVar[Card]

    @property
    def arguments(self) -> dict[str, Value]:
        """What it sets, by name."""
        raise NotImplementedError

    @property
    def record(self) -> str:
        """What is written down when it is sent."""
        raise NotImplementedError

    @property
    def said_of(self) -> CommandCard:
        """What the card says of it."""
        return self.card.commands[self.called]

    @property
    def program(self) -> list[str]:
        """Its lines of code."""
        return [spelt(line, self.arguments) for line in self.said_of.program]

    def target(self, state: Any) -> Target:
        found = super().target(state)
        return replace(found, checks=(*self.program, *found.checks))

    def obstacle(self, situation: Standing) -> str | None:
        return obstacle(self.card, self.called, self.arguments, situation)

    def change(self, situation: Standing) -> Standing:
        return done(self.card, self.called, self.arguments, situation)

    def is_so(self, situation: Standing) -> bool:
        return replace(self.change(situation), underway=situation.underway) == situation

    async def work(self, state: Any, executor: Executor) -> Done[Any]:
        return Done(await state.driven.do(self, state))


class Told(CardCommand):
    """A command of a card. Each has a class of its own, see `DescribedGraph`.

    Attributes:
        given: its arguments.
    """

    given: tuple[tuple[str, Any], ...] = ()

    def target(self, state: Any) -> Target:
        found = super().target(state)
        return replace(found, checks=(*found.checks, *getattr(state.device, "checks", ())))

    def checks(self, situation: Standing) -> tuple[str, ...]:
        """Return where it stands, and where a dry run of the command leaves it."""
        return str(situation), f"dry run: then {self.change(situation)}"

    @property
    def arguments(self) -> dict[str, Value]:
        return dict(self.given)

    @property
    def record(self) -> str:
        said = {"command": self.verb, "given": self.arguments, "card": self.card.digest}
        return json.dumps(said)

    @property
    def verb(self) -> str:
        return self.name

    @property
    def with_fields(self) -> str:
        units = {name: one.unit for name, one in self.said_of.arguments.items()}
        told = [
            f"{name} {worded(one)} {units.get(name, '')}".strip()
            for name, one in self.given
            if one is not None
        ]
        return f"{self.name} ({', '.join(told)})" if told else self.name

    @property
    def said(self) -> str:
        return self.with_fields


class Wait(Node[Any]):
    """Wait until what goes on is over, or what is over first of it."""

    card: ClassVar[Card]

    def precondition(self, situation: Standing) -> str | None:
        return None if situation.underway else "nothing goes on; there is nothing to wait for"

    def effect(self, situation: Standing) -> Standing:
        return ended(self.card, situation)

    async def work(self, state: Any, executor: Executor) -> Done[Any]:
        return Done(await state.driven.waited(state))

    @property
    def program(self) -> list[str]:
        """A remark for who reads the program."""
        return ["# wait until it is over"]

    @property
    def said(self) -> str:
        return "wait"


# --- a graph of a card ---------------------------------------------------------------------------


class CardGraph(Graph[Any]):
    """The commands of a card.

    Attributes:
        card: it.
    """

    card: Card

    @property
    def commands(self) -> Sequence[str]:
        """Their names."""
        return tuple(self.card.commands)

    def read(self, record: str) -> CardCommand:
        """Return the command that was written down."""
        raise NotImplementedError


def program(card: Card, commands: Sequence[CardCommand | Wait], *more: str) -> str:
    """Return commands as the program that a person can read; it is never run."""
    return "\n".join([*card.program, *more, "", *(x for one in commands for x in one.program)])


def linked(
    card: Card, kinds: Mapping[str, type[CardCommand]], waits: Sequence[type[Node[Any]]] = ()
) -> None:
    """Let the classes of a card's commands know what it says of them, and what may follow."""
    for name, kind in kinds.items():
        said = card.commands[name]
        kind.card, kind.weight = card, weight(card, name)
        kind.cannot = said.cannot or f"{card.name} cannot do {name}"
        lead(kind, _any_of(*(kinds[one] for one in said.then or kinds), *waits))
    for kind in waits:
        kind.weight = max(weight(card, name) for name in card.commands)
        lead(kind, _any_of(*kinds.values(), *waits))


def _any_of(*kinds: type[Node[Any]]) -> Any:
    """Return the type of what may follow: one of these, or the end."""
    return functools.reduce(lambda a, b: a | b, kinds, cast("Any", End[Finish]))


class Telling(Form):
    """What is asked of a described device, as it is recorded with the run.

    Attributes:
        device: its name.
        goal: how it is to stand, in words.
        card: all that describes it, as JSON.
        driver: place and digest of the module that drives it; empty for a simulation.
    """

    device: str
    goal: str
    card: str
    driver: str = ""


class DescribedGraph(CardGraph):
    """The commands of a card that somebody has written, each a node of its own.

    Args:
        card: it.
        wish: what they are to lead to; None where nothing is asked.
    """

    def __init__(self, card: Card, wish: Wish | None = None) -> None:
        self.card, self.ruled = card, f"device {card.name}"
        wish = wish or Wish({}, {}, "")
        kinds = {name: type(name, (Told,), {"__module__": __name__}) for name in card.commands}
        waits = [type(WAIT, (Wait,), {"__module__": __name__, "card": card})] * card.is_timed
        linked(card, kinds, waits)
        super().__init__("device", *kinds.values(), *waits)
        self.candidates, self.unbound = list[Node[Any]](), dict[str, str]()
        for name, kind in kinds.items():
            found, missing = wish.variants(card, name)
            self.candidates += [kind(given=tuple(one.items())) for one in found]
            if missing:
                self.unbound[name] = f"needs {missing}"
        self.candidates += [kind() for kind in waits]

    def bind(self, request: Any) -> tuple[list[Node[Any]], dict[str, str]]:
        return self.candidates, self.unbound

    def read(self, record: str) -> CardCommand:
        said = json.loads(record)
        kind: Any = self.named(said["command"])
        return kind(given=tuple(said["given"].items()))

    def is_of(self, run: Run) -> bool:
        """Tell whether a run has commanded this device."""
        return json.loads(run.request).get("device") == self.card.name
