"""`Standing`: where a device stands that a card describes."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from .card import Card, spelt
from .clock import spell
from .rules import UNTAUGHT, Taught
from .terms import Value


@dataclass(frozen=True)
class Underway:
    """What a command does that goes on.

    Attributes:
        command: its name.
        given: its arguments.
        left: seconds of it that are left, by the clock of the device.
        refuses: why no command is taken until then; empty where others are.
    """

    command: str
    given: tuple[tuple[str, Value], ...]
    left: float
    refuses: str = field(default="", compare=False)


@dataclass(frozen=True)
class Standing:
    """Where a described device stands. Each state is an attribute, too.

    Attributes:
        states: by name, in the order of the card.
        stock: likewise those that count what is used up: two that differ in these are equal.
        taught: the rules of a run.
        underway: what goes on.
    """

    states: tuple[tuple[str, Value], ...] = field(compare=False)
    stock: tuple[tuple[str, Value], ...] = field(default=(), compare=False)
    taught: Taught = UNTAUGHT
    underway: tuple[Underway, ...] = ()
    kinds: tuple[object, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        # true is no 1 here, as in a device file
        told = tuple((name, isinstance(one, bool), one) for name, one in self.states)
        object.__setattr__(self, "kinds", told)

    @classmethod
    def of(cls, states: Mapping[str, Value], card: Card | None = None) -> Standing:
        """Return where a device stands, by its states."""
        stock = {name for name, one in card.states.items() if one.stock} if card else set[str]()
        pairs = states.items()
        return cls(
            tuple(one for one in pairs if one[0] not in stock),
            tuple(one for one in pairs if one[0] in stock),
        )

    @functools.cached_property
    def by_name(self) -> Mapping[str, Value]:
        """The states."""
        return dict((*self.states, *self.stock))

    @property
    def busy(self) -> str | None:
        """Why no command is taken now; None if commands are."""
        return self.refuses()

    def refuses(self, time: str = "") -> str | None:
        """Return why no command is taken now, with the time that is left, or another."""
        for one in self.underway:
            if one.refuses:
                left = time or spell(one.left)
                words = spelt(one.refuses, {**self.by_name, "remaining": left})
                return words if "; " in words else f"{words}; wait {left}"
        return None

    @property
    def remaining(self) -> float:
        """Seconds until all that goes on is over, by the clock of the device."""
        return max((one.left for one in self.underway), default=0.0)

    @property
    def in_words(self) -> Mapping[str, Value]:
        """The states, and the time that is left of what goes on."""
        if not self.underway:
            return self.by_name
        left = {f"{one.command}_remaining": spell(one.left) for one in self.underway}
        return {**left, **self.by_name}

    def __getattr__(self, name: str) -> Any:
        if name[:1] == "_" or name == "states" or name not in self.by_name:
            raise AttributeError(name)
        return self.by_name[name]

    def but(self, /, **states: Value) -> Standing:
        """Return it with other values of some states."""
        return replace(
            self,
            states=tuple((name, states.get(name, one)) for name, one in self.states),
            stock=tuple((name, states.get(name, one)) for name, one in self.stock),
        )

    def __str__(self) -> str:
        told = ", ".join(f"{name} {worded(one)}" for name, one in self.by_name.items())
        return told or "as it is"


def worded(one: Value) -> str:
    """Return a value as a device file has it."""
    if isinstance(one, bool) or one is None:
        return {True: "true", False: "false", None: "none"}[one]
    return f"{one:g}" if isinstance(one, float) else str(one)
