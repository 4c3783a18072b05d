"""Commands of a card as classes whose fields are their arguments: for a package that has a card."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, create_model

from ..execution.executor import Executor
from ..graph.effects import Target
from ..graph.graph import Done
from .card import Argument, Card
from .described import CardCommand, linked
from .meaning import passed
from .standing import Standing
from .terms import Value


class TypedCommand(CardCommand):
    """A command of a card whose arguments are fields; where it goes on, `wait` is one more.

    Attributes:
        wait: until what it does is over; else the command has done its work when that has begun.
    """

    @property
    def arguments(self) -> dict[str, Value]:
        return {name: getattr(self, name) for name in self.said_of.arguments}

    @property
    def waits(self) -> bool:
        """Whether its work ends when what it does is over."""
        return bool(self.said_of.lasts and getattr(self, "wait", True))

    def effect(self, situation: Standing) -> Standing:
        begun = super().effect(situation)
        return passed(self.card, begun, begun.underway[-1].left) if self.waits else begun


class StoredCommand(TypedCommand):
    """A command of a `Device`, whose states are stored; a person agrees to it, simulated or not."""

    effects = frozenset({"device"})

    def effects_on(self, state: Any) -> frozenset[str]:
        return frozenset()

    def target(self, state: Any) -> Target:
        return Target(state.device.name, state.version)

    async def work(self, state: Any, executor: Executor) -> Done[Any]:
        return Done(self._noted(await self.send(state.device, state)))

    async def send(self, device: Any, since: Any) -> Any:
        bench = device.perform(self, since)
        return await device.over(bench) if self.waits else bench

    def carry_out(self, bench: Any, given: Any) -> Any:
        at = self.change(bench.situation)
        return bench.with_state(bench.device.next_state(bench.stored, at, given.given, given))


def typed(card: Card, base: type[TypedCommand]) -> tuple[Any, ...]:
    """Return a class for each command of a card: `OpenLid` of `open_lid`.

    Args:
        card: it, in its order.
        base: of the classes, in whose module they are.
    """
    kinds = dict[str, type[TypedCommand]]()
    for name, said in card.commands.items():
        fields: dict[str, Any] = {one: _field(argument) for one, argument in said.arguments.items()}
        if said.lasts:
            fields["wait"] = (bool, True)
        called = name.title().replace("_", "")
        kinds[name] = create_model(
            called, __base__=base, __module__=base.__module__, __doc__=said.about, **fields
        )
    linked(card, kinds)
    return tuple(kinds.values())


def _field(argument: Argument) -> tuple[Any, Any]:
    """Return type and default of an argument as Pydantic takes them."""
    kind: Any = {"int": int, "float": float, "str": str, "bool": bool}[argument.kind]
    if argument.choices:
        kind = Literal[argument.choices]
    elif argument.kind in ("int", "float"):
        kind = Annotated[kind, Field(ge=argument.low, le=argument.high)]
    return (kind | None, argument.default) if argument.optional else (kind, ...)


def within(argument: Argument, about: str) -> Any:
    """Return the field of a form that asks for an argument: its limits, and what is said of it."""
    return Field(ge=argument.low, le=argument.high, description=f"{about}, {argument.limits}.")
