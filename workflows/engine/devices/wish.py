"""`Wish`: how a device is to stand that a card describes, and the arguments that may lead there."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from triplestore.errors import InputError

from ..graph.planner import Goal
from .card import Argument, Card
from .standing import Standing, worded
from .terms import Value, is_value, names, term

VARIANTS = 64
"""Of a command with other arguments that are looked at."""


@dataclass(frozen=True)
class Wish:
    """How a device is to stand, and with which arguments.

    Attributes:
        states: that are to be so.
        given: values of arguments that no state shows.
        text: both in words.
    """

    states: Mapping[str, Value]
    given: Mapping[str, Value]
    text: str

    @classmethod
    def of(cls, text: str, card: Card) -> Wish:
        """Return what is wished in words: `vial=3, temperature=80 °C, lid=closed`.

        Raises:
            InputError: it names no state and no argument, or a value that cannot be.
        """
        asked = f"{card.name} was to stand at {text[:100]!r}"
        states, given = dict[str, Value](), dict[str, Value]()
        arguments = {
            name: one
            for command in card.commands.values()
            for name, one in command.arguments.items()
        }
        for part in filter(None, map(str.strip, text.split(","))):
            name, equals, said = (one.strip() for one in part.partition("="))
            if not equals or not said or (name not in card.states and name not in arguments):
                known = ", ".join([*card.states, *(set(arguments) - card.states.keys())])
                found = f"{part[:60]!r} is no state and no argument with its value"
                raise InputError(asked, found, f"write NAME=VALUE of these: {known[:400]}")
            flows = [one for state, one in _flowing(card) if state == name]
            meant = [arguments[name]] if name in arguments and name not in card.states else flows
            unit = next((one.unit for one in meant if one.unit), "")
            found = _read(said.removesuffix(unit).strip() if unit else said)
            whole = arguments[name] if name not in card.states else None
            reason = whole.against(found) if whole else ""
            if name in card.states:
                values = card.states[name].values
                if values and found not in values:
                    reason = f"{said[:40]!r} is none of {', '.join(map(worded, values))}"
                elif isinstance(found, str) and unit:
                    reason = f"{said[:40]!r} is no number in {unit}"
            if reason:
                raise InputError(asked, f"{name}: {reason}", "give another value")
            (states if name in card.states else given)[name] = found
        if not states:
            raise InputError(
                asked, "no state is named in it", f"name one of: {', '.join(card.states)}"
            )
        return cls(states, given, ", ".join(filter(None, map(str.strip, text.split(",")))))

    @property
    def goal(self) -> Goal:
        """What is to be reached."""

        def reached(at: Standing) -> bool:
            return all(at.by_name[name] == one for name, one in self.states.items())

        return Goal(self.text, reached)

    def variants(self, card: Card, name: str) -> tuple[list[dict[str, Value]], str]:
        """Return the arguments with which a command may serve, or which one nobody has said."""
        command = card.commands[name]
        options = dict[str, list[Value]]()
        for one, argument in command.arguments.items():
            wanted = [said[one] for said in (self.given, self.states) if one in said]
            for state, text in command.leads if one not in self.given else ():
                if one in names(term(text))[1]:  # what it is to be, or back to the beginning
                    wanted += [self.states[state]] if state in self.states else []
                    wanted.append(card.states[state].begins)
            wanted = [found for found in wanted if not argument.against(found)]
            if not wanted and not argument.optional:
                return [], one
            options[one] = list(dict.fromkeys([*wanted, *([argument.default] * argument.optional)]))
        return list(product(options)), ""


def _flowing(card: Card) -> Iterator[tuple[str, Argument]]:
    """Iterate over the states that become what an argument is."""
    for command in card.commands.values():
        for state, text in command.leads:
            for one in sorted(names(term(text))[1]):
                yield state, command.arguments[one]


def choices(argument: Argument) -> list[Value]:
    """Return the values of an argument that has few; empty where it has many."""
    return list(argument.choices) or ([False, True] if argument.kind == "bool" else [])


def product(options: Mapping[str, Sequence[Value]]) -> Iterator[dict[str, Value]]:
    """Iterate over choices of one value each, the first `VARIANTS` of them."""
    every = itertools.islice(itertools.product(*options.values()), VARIANTS)
    return (dict(zip(options, one, strict=True)) for one in every)


def _read(text: str) -> Value:
    known = {"true": True, "false": False, "none": None, "null": None, "yes": True, "no": False}
    if text.lower() in known:
        return known[text.lower()]
    for kind in (int, float):
        try:
            found = kind(text)
        except ValueError:
            continue
        return found if is_value(found) else text
    return text
