"""What a card means where a device stands: what is refused, what is made, and what time makes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from triplestore.errors import RecordError

from .card import Card, CommandCard, spelt
from .clock import spell
from .standing import Standing, Underway
from .terms import TermError, Value, is_value, parts, term, value

SECONDS = {"s": 1.0, "min": 60.0, "h": 3600.0}
"""Of the units of time of a device file."""

LONGEST = 1e9
"""For which something goes on, in the unit of the device file."""


def refusal(
    command: CommandCard, given: Mapping[str, Value], states: Mapping[str, Value]
) -> str | None:
    """Return why a command is refused, as `Command` has reasons; None if it is not."""
    for name, argument in command.arguments.items():
        if name not in given and not argument.optional:
            return f"{name} is not given; give it"
        if reason := argument.against(given.get(name, argument.default)):
            return f"{name}: {reason}; give another"
    if odd := sorted(given.keys() - command.arguments.keys()):
        return f"it has no argument {odd[0]}; leave it out"
    full = full_of(command, given)
    for one in command.refused:
        try:
            if value(term(one.when), states, full):
                because = spelt(one.because, states)
                return because if "; " in because else f"{because}; it is refused when {one.when}"
        except TermError as error:
            return f"whether {one.when} nobody can tell: {error}; correct the device file"
    return None


def after(
    card: Card, name: str, given: Mapping[str, Value], states: Mapping[str, Value]
) -> dict[str, Value]:
    """Return the states after a command that is not refused.

    Raises:
        RecordError: the card says no value, or one that the state cannot have.
    """
    return _made(card, name, card.commands[name].makes, given, states)


def _made(
    card: Card,
    name: str,
    makes: Mapping[str, str],
    given: Mapping[str, Value],
    states: Mapping[str, Value],
) -> dict[str, Value]:
    full, made = full_of(card.commands[name], given), dict(states)
    for state, text in makes.items():
        try:
            found = value(term(text), states, full)
        except TermError as error:
            raise RecordError(*_wrong(card, name, f"makes {state}: {error}")) from error
        values = card.states[state].values
        if not is_value(found) or (values and found not in values):
            why = f"makes {state}: {found!r} is no value of it"
            raise RecordError(*_wrong(card, name, why))
        made[state] = found
    return made


def weight(card: Card, name: str) -> int:
    """Return the work of trying a command once: parts of its terms, arguments, and states."""
    command = card.commands[name]
    texts = [text for _, text in command.terms]
    timed = sum(one.lasts is not None for one in card.commands.values())
    beside = len(texts) + len(command.arguments) + len(card.states) + timed
    return 1 + beside + sum(parts(term(one)) for one in texts)


def full_of(command: CommandCard, given: Mapping[str, Value]) -> dict[str, Value]:
    """Return all arguments of a command, where none is given its default."""
    return {name: given.get(name, one.default) for name, one in command.arguments.items()}


def obstacle(card: Card, name: str, given: Mapping[str, Value], at: Standing) -> str | None:
    """Return why a command is refused where a device stands; None if it is not."""
    for one in at.underway:
        if one.command == name:
            return f"it goes on still, {spell(one.left)} are left; wait"
    return refusal(card.commands[name], given, at.in_words)


def done(card: Card, name: str, given: Mapping[str, Value], at: Standing) -> Standing:
    """Return where a device stands after a command that is not refused.

    Raises:
        RecordError: the card says nothing that can be.
    """
    made, lasts = at.but(**after(card, name, given, at.by_name)), card.commands[name].lasts
    if lasts is None:
        return made
    try:
        time = value(term(lasts.time), at.by_name, full_of(card.commands[name], given))
    except TermError as error:
        raise RecordError(*_wrong(card, name, f"lasts: {error}")) from error
    if isinstance(time, bool) or not isinstance(time, int | float) or not 0 <= time <= LONGEST:
        raise RecordError(*_wrong(card, name, f"lasts {time!r} {lasts.unit}, which is no time"))
    return begun(card, name, given, made, time * SECONDS[lasts.unit])


def begun(card: Card, name: str, given: Mapping[str, Value], at: Standing, left: float) -> Standing:
    """Return where a device stands where what a command does goes on for some seconds more."""
    lasts = card.commands[name].lasts
    one = Underway(name, tuple(given.items()), round(left, 6), lasts.refuses if lasts else "")
    return replace(at, underway=(*at.underway, one))


def ended(card: Card, at: Standing) -> Standing:
    """Return where a device stands when what ends first of what goes on is over.

    Raises:
        RecordError: the card says nothing that can be.
    """
    return passed(card, at, min((one.left for one in at.underway), default=0.0))


def passed(card: Card, at: Standing, seconds: float) -> Standing:
    """Return where a device stands some seconds later, by its own clock.

    Raises:
        RecordError: the card says nothing that can be.
    """
    while at.underway:
        first = min(at.underway, key=lambda one: one.left)
        step = min(first.left, max(seconds, 0.0))
        seconds -= step
        left = tuple(replace(one, left=round(one.left - step, 6)) for one in at.underway)
        over = next((one for one in left if one.left <= 0), None)
        if over is None:
            return replace(at, underway=left)
        lasts = card.commands[over.command].lasts
        makes = lasts.makes if lasts else {}
        made = _made(card, over.command, makes, dict(over.given), at.by_name)
        rest = tuple(one for one in left if one is not over)
        at = replace(at.but(**made), underway=rest)
    return at


def _wrong(card: Card, name: str, why: str) -> tuple[str, str, str]:
    return f"{card.name} was to do {name}", f"it {why}", "correct the device file"
