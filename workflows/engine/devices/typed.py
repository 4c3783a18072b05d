"""Commands of a card as classes whose fields are their arguments: for a package that has a card."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, create_model

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


def within(argument: Argument) -> Any:
    """Return the limits of an argument, for the field of a form that asks for it."""
    return Field(ge=argument.low, le=argument.high)
