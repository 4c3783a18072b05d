"""`Card`: what a device file says of a device: its states, its commands, what each needs and makes.

The file is written by a person, or read from the functions of a module and then looked at by one.
It is data: terms are evaluated, nothing of it is run.
"""

from __future__ import annotations

import hashlib
import json
import keyword
import re
import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Annotated, Any, Literal, Self, TypeAlias, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictBool, model_validator

from workflows.text.safe_text import on_one_line

from .terms import GIVEN, TermError, Value, is_value, names, term, value

WAIT = "Wait"
"""The step of a plan that waits for the end of what goes on."""

MOST = 200
"""States, commands, refusals of a command, and the like."""


def _line(found: object) -> object:
    return on_one_line(found).strip() if isinstance(found, str) else found


def _scalar(found: object) -> Any:
    if isinstance(found, str):
        return on_one_line(found)
    if not is_value(found):
        raise ValueError("that is no number, text, true, false or null")
    return found


def _named(found: object) -> object:
    if isinstance(found, str) and (
        not found.isascii()
        or not found.isidentifier()
        or keyword.iskeyword(found)
        or (found.startswith("__") and found.endswith("__"))
        or found == GIVEN
    ):
        raise ValueError(f"{on_one_line(found)[:60]!r} cannot be a name here")
    return found


def _term(found: object) -> object:
    if isinstance(found, bool | int | float) or found is None:
        found = repr(found)
    if isinstance(found, str):
        term(found)
    return found


Line: TypeAlias = Annotated[str, BeforeValidator(_line), Field(max_length=300)]
Name: TypeAlias = Annotated[str, BeforeValidator(_named), Field(min_length=1, max_length=60)]
Term: TypeAlias = Annotated[str, BeforeValidator(_term)]
Scalar: TypeAlias = Annotated[Any, BeforeValidator(_scalar)]
Number: TypeAlias = Annotated[float, Field(allow_inf_nan=False, ge=-1e15, le=1e15)]


class Part(BaseModel):
    """A part of a device file."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Argument(Part):
    """An argument of a command.

    Attributes:
        kind: of its values.
        low: the smallest one; None for no limit.
        high: the largest one.
        unit: of the number; empty for a plain one.
        choices: the values that it can have; empty for any.
        optional: whether it may be left out; `default` is then its value.
        default: that value.
        about: what the module says of it.
    """

    kind: Literal["int", "float", "str", "bool"]
    low: Number | None = None
    high: Number | None = None
    unit: Annotated[Line, Field(max_length=20)] = ""
    choices: Annotated[tuple[Scalar, ...], Field(max_length=MOST)] = ()
    optional: StrictBool = False
    default: Scalar = None
    about: Line = ""

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError(f"it would be from {self.low:g} to {self.high:g}")
        if self.kind in ("str", "bool") and (self.low, self.high) != (None, None):
            raise ValueError(f"a {self.kind} has no limits")
        if not self.optional and self.default is not None:
            raise ValueError("it has a default and is not optional")
        for one in (*self.choices, *([] if self.default is None else [self.default])):
            if reason := self.against(one):
                raise ValueError(reason)
        return self

    def against(self, found: Value) -> str:
        """Return why a value cannot be; empty if it can."""
        if found is None and self.optional:
            return ""
        kinds = {"int": int, "float": (int, float), "str": str, "bool": bool}[self.kind]
        if not isinstance(found, kinds) or (self.kind != "bool" and isinstance(found, bool)):
            return f"{found!r} is no {self.kind}"
        if self.choices and found not in self.choices:
            return f"{found!r} is none of {', '.join(map(repr, self.choices))}"
        if isinstance(found, int | float) and not (
            (self.low is None or found >= self.low) and (self.high is None or found <= self.high)
        ):
            return f"{found:g} is outside {self.limits}"
        return ""

    @property
    def limits(self) -> str:
        """The limits in words, with the unit."""
        low, high = (None if one is None else f"{one:g}" for one in (self.low, self.high))
        told = f"{low} to {high}" if low and high else f"at least {low}" if low else ""
        told = told or (f"at most {high}" if high else "")
        return f"{told} {self.unit}".strip()


class Refusal(Part):
    """When a command is refused, and what is said then.

    Attributes:
        when: a term over states and `given`.
        because: what is there, in words, and behind a semicolon what to do; `{state}` is the value
            of a state, `{command_remaining}` the time that is left of what a command does.
    """

    when: Term
    because: Line


class TimedCard(Part):
    """How long what a command does goes on, and what that leaves.

    Attributes:
        time: how long, as a term over the states before the command and `given`.
        unit: of that number.
        makes: what a state becomes at the end, as a term over the states then and `given`.
        refuses: why no command is taken until then, as `because` of a refusal, in which
            `{remaining}` is the time that is left; empty where others are taken.
    """

    time: Term
    unit: Literal["s", "min", "h"] = "s"
    makes: Annotated[dict[Name, Term], Field(max_length=MOST)] = {}
    refuses: Line = ""


class CommandCard(Part):
    """A command of a device.

    Attributes:
        about: what it does.
        cannot: what is said where it is refused.
        arguments: by name.
        refused: when it is, in this order.
        makes: what a state becomes, as a term over the states before it and `given`.
        lasts: how long what it does goes on; None where it is over at once.
        then: commands that may follow it in a run; empty for all.
        program: lines of code that do it; `{argument}` is the value of an argument.
    """

    about: Line = ""
    cannot: Line = ""
    arguments: Annotated[dict[Name, Argument], Field(max_length=30)] = {}
    refused: Annotated[tuple[Refusal, ...], Field(max_length=MOST)] = ()
    makes: Annotated[dict[Name, Term], Field(max_length=MOST)] = {}
    lasts: TimedCard | None = None
    then: Annotated[tuple[Name, ...], Field(max_length=MOST)] = ()
    program: Annotated[tuple[Line, ...], Field(max_length=MOST)] = ()

    @property
    def leads(self) -> Sequence[tuple[str, str]]:
        """States with what they become: at once, and at the end of what goes on."""
        return (*self.makes.items(), *(self.lasts.makes.items() if self.lasts else ()))

    @property
    def terms(self) -> Sequence[tuple[str, str]]:
        """All of its terms, each with its place."""
        last = self.lasts
        return (
            *((f"when {one.when}", one.when) for one in self.refused),
            *((f"makes {state}", text) for state, text in self.makes.items()),
            *([("lasts, time", last.time)] if last else ()),
            *((f"lasts, makes {s}", text) for s, text in (last.makes.items() if last else ())),
        )


class StateCard(Part):
    """A state of a device.

    Attributes:
        begins: its value at first.
        values: those that it can have; empty for any.
        anew: whether it begins anew in each run.
        stock: whether it counts what is used up: situations that differ in it are the same to a
            plan, and to who compares what a device reads with what a command leaves.
    """

    begins: Scalar = None
    values: Annotated[tuple[Scalar, ...], Field(max_length=MOST)] = ()
    anew: StrictBool = False
    stock: StrictBool = False

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if self.values and self.begins not in self.values:
            raise ValueError(f"it begins as {self.begins!r}, which is none of its values")
        return self


class Source(Part):
    """The module that a file was read from.

    Attributes:
        module: name of its file.
        sha256: digest of it.
        part: the class whose methods are the commands; empty for functions of the module.
        arguments: with which an object of that class is made.
        put_back: whether the module keeps its states in memory alone, so that it has to be told
            in which the device stands before it is commanded anew.
    """

    module: Line = ""
    sha256: Annotated[str, Field(pattern="^([0-9a-f]{64})?$")] = ""
    part: Annotated[str, BeforeValidator(_named), Field(max_length=60)] | Literal[""] = ""
    arguments: Annotated[dict[Name, Scalar], Field(max_length=30)] = {}
    put_back: StrictBool = False


def _with_reasons(name: object, command: Any, reasons: Mapping[str, Any]) -> Any:
    if not isinstance(command, dict) or not isinstance(command.get("refused"), list):  # pyright: ignore[reportUnknownMemberType]
        return cast("Any", command)
    said = cast("dict[str, Any]", command)
    refused: list[Any] = said["refused"]
    for one in refused:
        if isinstance(one, str) and one not in reasons:
            raise ValueError(f"commands, {name}, refused: there is no reason {one}")
    return said | {"refused": [reasons[x] if isinstance(x, str) else x for x in refused]}


class Card(Part):
    """A device, as a file describes it.

    In a file, `reasons` may name refusals that several commands have; these name them.

    Attributes:
        format: of the file.
        name: of the device.
        about: what it is.
        source: what the file was read from.
        states: by name.
        commands: by name.
        halt: the function of the module that ends at once what the device does; empty for none.
        program: the first lines of a program of its commands.
        unknown: questions that nobody has answered yet; without them the file is whole.
    """

    format: Literal["grafico-device/1"] = "grafico-device/1"
    name: Annotated[Line, Field(min_length=1, max_length=100)]
    about: Line = ""
    source: Source = Source()
    states: Annotated[dict[Name, StateCard], Field(max_length=MOST)] = {}
    commands: Annotated[dict[Name, CommandCard], Field(min_length=1, max_length=MOST)]
    halt: Name | Literal[""] = ""
    program: Annotated[tuple[Line, ...], Field(max_length=MOST)] = ()
    unknown: Annotated[tuple[Line, ...], Field(max_length=1000)] = ()

    @model_validator(mode="before")
    @classmethod
    def _written_out(cls, found: Any) -> Any:
        said = dict(cast("dict[str, Any]", found)) if isinstance(found, dict) else {}
        reasons, commands = said.pop("reasons", {}), said.get("commands")
        if not isinstance(reasons, dict) or not isinstance(commands, dict):
            return cast("Any", found)
        every = cast("dict[Any, Any]", commands).items()
        named = cast("dict[str, Any]", reasons)
        return said | {"commands": {name: _with_reasons(name, one, named) for name, one in every}}

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        for name, command in self.commands.items():
            for place, text in command.terms:
                self._check_names(f"commands, {name}, {place}", text, command)
            for state, text in command.leads:
                self._check_made(name, state, text)
            for one in command.then:
                if one not in self.commands:
                    raise ValueError(f"commands, {name}, then: there is no command {one}")
        if self.is_timed and WAIT in self.commands:
            raise ValueError(f"commands, {WAIT}: so the step is called that waits; rename it")
        return self

    def _check_names(self, place: str, text: str, command: CommandCard) -> None:
        states, given = names(term(text))
        for one in sorted(states - self.states.keys()):
            more = f"; write given.{one} for the argument" if one in command.arguments else ""
            raise ValueError(f"{place}: there is no state {one}{more}")
        for one in sorted(given - command.arguments.keys()):
            raise ValueError(f"{place}: the command has no argument {one}")

    def _check_made(self, command: str, state: str, text: str) -> None:
        place = f"commands, {command}, makes {state}"
        if state not in self.states:
            raise ValueError(f"{place}: there is no state {state}")
        values = self.states[state].values
        if values and not any(names(term(text))):
            try:
                made = value(term(text), {}, {})
            except TermError as error:
                raise ValueError(f"{place}: {error}") from error
            if made not in values:
                raise ValueError(f"{place}: {made!r} is none of its values")

    @property
    def is_timed(self) -> bool:
        """Whether something goes on after its command."""
        return any(one.lasts for one in self.commands.values())

    @property
    def begins(self) -> Mapping[str, Value]:
        """The states at first."""
        return {name: one.begins for name, one in self.states.items()}

    @property
    def digest(self) -> str:
        """Of all that is said of states and commands: a file that was edited is another."""
        shown = {"name", "states", "commands"}
        said = self.model_dump(mode="json", include=shown, exclude_defaults=True)
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def packaged(package: str | None, file: str) -> Card:
    """Return the card that a package brings as a file of TOML."""
    text = (files(package or "") / file).read_text(encoding="utf-8")
    return Card.model_validate(tomllib.loads(text))


def spelt(text: str, values: Mapping[str, Value]) -> str:
    """Return a text in which `{name}` is a value."""

    def one(found: re.Match[str]) -> str:
        value = values.get(found[1], found[0])
        return f"{value:g}" if isinstance(value, float) else str(value)

    return re.sub(r"\{(\w+)\}", one, text) if "{" in text else text
