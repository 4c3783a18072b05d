"""Devices that a card describes: planned and walked by what it says, whatever they are.

Each command of a card is a step of a graph; the planner searches over what they need and make. See
`driven` beside this for what carries them out.
"""

from __future__ import annotations

import ast
import functools
import itertools
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from pydantic_graph import End

from ontologies.provenance import Run
from triplestore.errors import InputError, RecordError

from ..execution.executor import Executor
from ..graph.effects import Target
from ..graph.graph import Done, Graph, Node, lead
from ..graph.planner import Goal
from ..graph.run import Finish
from ..request.form import Form
from .card import Argument, Card, spelt
from .card import Command as CommandCard
from .command import Sent
from .rules import UNTAUGHT, Taught
from .terms import TermError, Value, constants, is_value, names, parts, term, value

VARIANTS = 64
"""Of a command with other arguments that are looked at."""

SITUATIONS = 5_000
"""That a walk looks at."""

WORK = 10_000_000
"""Parts of terms that a walk evaluates, and states that it copies: a few seconds."""


@dataclass(frozen=True)
class Standing:
    """Where a described device stands. Each state is an attribute, too.

    Attributes:
        states: by name, in the order of the card.
        stock: likewise those that count what is used up: two that differ in these are equal.
        taught: the rules of a run.
    """

    states: tuple[tuple[str, Value], ...] = field(compare=False)
    stock: tuple[tuple[str, Value], ...] = field(default=(), compare=False)
    taught: Taught = UNTAUGHT
    kinds: tuple[object, ...] = field(init=False, repr=False)
    busy: ClassVar[str | None] = None

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
        return ", ".join(f"{name} {_said(one)}" for name, one in self.by_name.items()) or "as it is"


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
        return refusal(self.said_of, self.arguments, situation.by_name)

    def change(self, situation: Standing) -> Standing:
        made = after(self.card, self.called, self.arguments, situation.by_name)
        return situation.but(**made)

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
            f"{name} {_said(one)} {units.get(name, '')}".strip()
            for name, one in self.given
            if one is not None
        ]
        return f"{self.name} ({', '.join(told)})" if told else self.name

    @property
    def said(self) -> str:
        return self.with_fields


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
    full = {name: given.get(name, one.default) for name, one in command.arguments.items()}
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
    command = card.commands[name]
    full = {one: given.get(one, said.default) for one, said in command.arguments.items()}
    made = dict(states)
    for state, text in command.makes.items():
        try:
            found = value(term(text), states, full)
        except TermError as error:
            raise RecordError(*_wrong(card, name, state, str(error))) from error
        values = card.states[state].values
        if not is_value(found) or (values and found not in values):
            raise RecordError(*_wrong(card, name, state, f"{found!r} is no value of it"))
        made[state] = found
    return made


def weight(card: Card, name: str) -> int:
    """Return the work of trying a command once: parts of its terms, arguments, and states."""
    command = card.commands[name]
    texts = [*(one.when for one in command.refused), *command.makes.values()]
    beside = len(texts) + len(command.arguments) + len(card.states)
    return 1 + beside + sum(parts(term(one)) for one in texts)


def _wrong(card: Card, name: str, state: str, why: str) -> tuple[str, str, str]:
    return f"{card.name} was to do {name}", f"it makes {state}: {why}", "correct the device file"


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


def program(card: Card, commands: Sequence[CardCommand], *more: str) -> str:
    """Return commands as the program that a person can read; it is never run."""
    return "\n".join([*card.program, *more, "", *(x for one in commands for x in one.program)])


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
        for kind in kinds.values():
            kind.card = card
            kind.weight = weight(card, kind.__name__)
            kind.cannot = f"{card.name} cannot do {kind.__name__}"
            lead(kind, functools.reduce(lambda a, b: a | b, [*kinds.values(), End[Finish]]))
        super().__init__("device", *kinds.values())
        self.candidates, self.unbound = list[Node[Any]](), dict[str, str]()
        for name, kind in kinds.items():
            found, missing = wish.variants(card, name)
            self.candidates += [kind(given=tuple(one.items())) for one in found]
            if missing:
                self.unbound[name] = f"needs {missing}"

    def bind(self, request: Any) -> tuple[list[Node[Any]], dict[str, str]]:
        return self.candidates, self.unbound

    def read(self, record: str) -> CardCommand:
        said = json.loads(record)
        kind: Any = self.named(said["command"])
        return kind(given=tuple(said["given"].items()))

    def is_of(self, run: Run) -> bool:
        """Tell whether a run has commanded this device."""
        return json.loads(run.request).get("device") == self.card.name


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
                    reason = f"{said[:40]!r} is none of {', '.join(map(_said, values))}"
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
            for state, text in command.makes.items() if one not in self.given else ():
                if one in names(term(text))[1]:  # what it is to be, or back to the beginning
                    wanted += [self.states[state]] if state in self.states else []
                    wanted.append(card.states[state].begins)
            wanted = [found for found in wanted if not argument.against(found)]
            if not wanted and not argument.optional:
                return [], one
            options[one] = list(dict.fromkeys([*wanted, *([argument.default] * argument.optional)]))
        return list(_product(options)), ""


def _flowing(card: Card) -> Iterator[tuple[str, Argument]]:
    """Iterate over the states that become what an argument is."""
    for command in card.commands.values():
        for state, text in command.makes.items():
            for one in sorted(names(term(text))[1]):
                yield state, command.arguments[one]


def _choices(argument: Argument) -> list[Value]:
    return list(argument.choices) or ([False, True] if argument.kind == "bool" else [])


def _product(options: Mapping[str, Sequence[Value]]) -> Iterator[dict[str, Value]]:
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


def _said(one: Value) -> str:
    if isinstance(one, bool) or one is None:
        return {True: "true", False: "false", None: "none"}[one]
    return f"{one:g}" if isinstance(one, float) else str(one)


# --- walking -------------------------------------------------------------------------------------


@dataclass
class Walk:
    """What trying every command in every situation has shown.

    Attributes:
        situations: how many were reached.
        possible: in how many of them each command is.
        refusals: why each command was refused, with how often.
        reached: values that each state had.
        dead_ends: situations that no command leads out of.
        wrong: commands that the file contradicts itself about, with why.
        whole: whether everything was tried.
        stopped: after how much work the walk gave up; empty where it was whole.
    """

    situations: int = 0
    possible: dict[str, int] = field(default_factory=dict[str, int])
    refusals: dict[str, dict[str, int]] = field(default_factory=dict[str, dict[str, int]])
    reached: dict[str, list[Value]] = field(default_factory=dict[str, list[Value]])
    dead_ends: list[Standing] = field(default_factory=list[Standing])
    wrong: dict[str, str] = field(default_factory=dict[str, str])
    whole: bool = True
    stopped: str = ""

    @property
    def pairs(self) -> int:
        """Pairs of situation and command."""
        return self.situations * len(self.possible)

    @property
    def admissible(self) -> int:
        """Those in which the command is possible."""
        return sum(self.possible.values())

    @property
    def never(self) -> list[str]:
        """Commands that are possible nowhere."""
        return [name for name, times in self.possible.items() if not times]


def walk(card: Card) -> Walk:
    """Try every command in every situation that commands lead to; nothing is done.

    Arguments are tried at their limits, their choices and the values that terms name.
    """
    found = Walk(possible=dict.fromkeys(card.commands, 0))
    found.refusals = {name: {} for name in card.commands}
    reached = {
        name: {(isinstance(x.begins, bool), x.begins): None} for name, x in card.states.items()
    }
    weights = {name: weight(card, name) for name in card.commands}
    every = {name: list(_product(_tried(card, one))) for name, one in card.commands.items()}
    first = Standing.of(card.begins, card)
    seen, new, work = {first}, [first], 0
    for at in new:
        found.situations += 1
        leads = False
        for name, variants in every.items():
            reasons, possible = dict[str, None](), False
            for given in variants:
                work += weights[name]
                if work > WORK:
                    break
                if reason := refusal(card.commands[name], given, at.by_name):
                    reasons[reason.partition("; ")[0]] = None
                    continue
                possible = True
                try:
                    then = at.but(**after(card, name, given, at.by_name))
                except RecordError as error:
                    found.wrong.setdefault(name, error.found)
                    continue
                leads |= then != at
                if then not in seen and len(seen) < SITUATIONS:
                    seen.add(then)
                    new.append(then)
                    for state, one in then.by_name.items():
                        reached[state][isinstance(one, bool), one] = None
                elif then not in seen:
                    found.whole = False
            found.possible[name] += possible
            if work > WORK:
                break
            if not possible:
                for reason in list(reasons)[:1]:
                    found.refusals[name][reason] = found.refusals[name].get(reason, 0) + 1
        if work > WORK:
            found.whole = False
            found.stopped = f"after {WORK:,} parts of terms"
            break
        if not leads:
            found.dead_ends.append(at)
    if len(seen) >= SITUATIONS and not found.whole and not found.stopped:
        found.stopped = f"after {SITUATIONS:,} situations"
    found.reached = {state: [one for _, one in values] for state, values in reached.items()}
    return found


def _tried(card: Card, command: CommandCard) -> dict[str, list[Value]]:
    """Return the values of each argument that a walk tries."""
    terms = [term(one.when) for one in command.refused]
    compared = set[Value]().union(*(constants(one) for one in terms))
    beside = {state for one in terms for state in names(one)[0] if _meets(one)}
    compared |= {card.states[state].begins for state in beside}
    found = dict[str, list[Value]]()
    for name, argument in command.arguments.items():
        values = _choices(argument) or [argument.low, argument.high, argument.default]
        if not argument.choices and argument.kind != "bool":
            values += sorted(compared, key=repr)
        if argument.kind in ("int", "float") and argument.low is argument.high is None:
            values += [0, 1]
        if argument.kind == "int":
            values = [
                math.trunc(one) if isinstance(one, float) and one.is_integer() else one
                for one in values
            ]
        if argument.kind == "str" and not argument.choices:
            values += ["a text"]
        fitting = [one for one in values if not argument.against(one)]
        found[name] = list(dict.fromkeys(fitting)) or [argument.default]
    return found


def _meets(one: ast.expr) -> bool:
    """Tell whether states and arguments meet in a term."""
    states, given = names(one)
    return bool(states and given)
