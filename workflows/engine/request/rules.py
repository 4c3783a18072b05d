"""What is said of a field of a form beside its type: it stands in the field's annotation."""

from __future__ import annotations

import importlib
import re
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin

from pydantic.fields import FieldInfo

from workflows.text.names import plain


@dataclass(frozen=True)
class OtherNames:
    """What else people call a field; taken, and not listed. It stands in the field's annotation.

    Attributes:
        names: such as `functional` of a method; where another field is called so, that is meant.
            One that begins with a hyphen, such as `-t`, is an option of the command line alone.
    """

    names: tuple[str, ...]


@dataclass(frozen=True)
class NumberNames:
    """What numbers of a field are called, such as `triplet`; it stands in the field's annotation.

    Attributes:
        names: the numbers by their names, in lower case.
    """

    names: Mapping[str, int]

    def __hash__(self) -> int:
        return hash(tuple(self.names.items()))


def number_named(field: FieldInfo, word: str) -> int | None:
    """Return the number of a field that a word means; None if it means none."""
    names = (rule.names for rule in field.metadata if isinstance(rule, NumberNames))
    return next((one[word.strip().lower()] for one in names if word.strip().lower() in one), None)


def other_names(fields: Mapping[str, FieldInfo]) -> dict[str, str]:
    """Return which of some fields is meant by what is none of their names: one alone can be."""
    meant: dict[str, set[str]] = {}
    for name, field in fields.items():
        for rule in field.metadata:
            for other in rule.names if isinstance(rule, OtherNames) else ():
                meant.setdefault(other, set()).add(name)
    return {
        other: names.pop()
        for other, names in meant.items()
        if len(names) == 1 and other not in fields
    }


@dataclass(frozen=True)
class Known:
    """Where the values of a field are listed; it stands in the field's annotation.

    Attributes:
        place: a function, as `module:function`, that returns their names under heads. It is
            imported when somebody asks, so that help is quick.
    """

    place: str

    def names(self) -> Mapping[str, Sequence[str]]:
        """Return the names, under heads."""
        module, _, name = self.place.partition(":")
        found = getattr(importlib.import_module(module), name)
        return cast("Callable[[], Mapping[str, Sequence[str]]]", found)()


def known(field: FieldInfo) -> Mapping[str, Sequence[str]]:
    """Return what can be given to a field, under heads; nothing where no list is declared."""
    for rule in field.metadata:
        if isinstance(rule, Known):
            return rule.names()
    return {}


@dataclass(frozen=True)
class For:
    """What a field is for; it stands in the field's annotation.

    Attributes:
        field: another field.
        values: of that, for which this one has an effect; none for any but nothing.
    """

    field: str
    values: tuple[str, ...] = ()

    def holds(self, value: object) -> bool:
        """Return whether the other field has such a value."""
        return value in self.values if self.values else bool(value)


@dataclass(frozen=True)
class Setting:
    """Marks a field that only the settings fill in; it stands in the field's annotation."""


@dataclass(frozen=True)
class Personal:
    """Marks a field that a person alone fills in, no model; it stands in the field's annotation."""


@dataclass(frozen=True)
class Rare:
    """Marks a field that few ask for: of the usual workflow a model is first told its name only.

    It stands in the field's annotation.

    Attributes:
        topic: what it is about, where fields of that topic are told by it alone (`crystals`).
    """

    topic: str = ""


@dataclass(frozen=True)
class Second:
    """Marks the field that a second word on a command line is the value of.

    It stands in the field's annotation. Without one it is the only field that must be given.
    """


@dataclass(frozen=True)
class TakesLevel:
    """Marks the field that the level may move to while a cheaper method takes its place.

    It stands in the field's annotation.

    Attributes:
        method: the cheaper one.
        where: in which case that takes less.
    """

    method: str
    where: For


def is_rare(field: FieldInfo) -> bool:
    """Return whether few ask for a field."""
    return any(isinstance(rule, Rare) for rule in field.metadata)


def rare_names(fields: Mapping[str, FieldInfo]) -> tuple[list[str], list[str]]:
    """Return the names of fields that few ask for, and the topics that stand for others."""
    rules = {n: [r for r in field.metadata if isinstance(r, Rare)] for n, field in fields.items()}
    topics = {name: found[0].topic for name, found in rules.items() if found}
    return [n for n, topic in topics.items() if not topic], sorted({*topics.values()} - {""})


@dataclass(frozen=True)
class Flags:
    """Gives each choice of a field an option of its own; it stands in the field's annotation.

    Attributes:
        options: of the command line, such as `--open-lid`, by choice.
    """

    options: Mapping[str, str]

    def __hash__(self) -> int:
        return hash(tuple(self.options.items()))


@dataclass(frozen=True)
class Words:
    """What else people write for the choices of a field; it stands in the field's annotation.

    Attributes:
        otherwise: the other words, in plain spelling, by choice.
    """

    otherwise: Mapping[str, tuple[str, ...]]

    def __hash__(self) -> int:
        return hash(tuple(self.otherwise))


@dataclass(frozen=True)
class Elsewhere:
    """Says of words that are none of the choices of a field how what they mean is asked for.

    It stands in the field's annotation.

    Attributes:
        told: returns what is to be known of a word, and what to do; None where it means nothing.
    """

    told: Callable[[str], tuple[str, str] | None]

    def __hash__(self) -> int:
        return hash(self.told)


@dataclass(frozen=True)
class Called:
    """What a field is called in a sentence, where its name does not do; it stands beside `For`.

    Attributes:
        noun: such as `basis set`.
    """

    noun: str


@dataclass(frozen=True)
class Short:
    """Several fields of a form said as one, such as a level in a word.

    Attributes:
        means: returns the fields that a value stands for.
        description: what it takes, for people; empty for one that is taken and not listed.
        numbers: how many numbers it takes, where it may be written as so many.
    """

    means: Callable[[str], Mapping[str, object]]
    description: str = ""
    numbers: int = 0

    def text(self, value: object) -> str | None:
        """Return what was said as a text; None where it is no such thing."""
        if self.numbers and isinstance(value, list | tuple):
            return " ".join(map(str, cast("Sequence[object]", value)))
        if self.numbers == 1 and isinstance(value, int | float):
            return str(value)
        return value if isinstance(value, str) else None


@dataclass(frozen=True)
class Ladder:
    """Says which values of a field lead to its limit; it stands in the field's annotation.

    Attributes:
        series: values in a row, each better and dearer than the one before.
        caution: says of values, the name of a quantity and what else is asked why that may have
            another limit, in words, empty for nothing; None where that is not known.
        beyond: likewise what to do where they have not come to it.
    """

    series: tuple[tuple[Any, ...], ...]
    caution: Callable[[Sequence[Any], str, Mapping[str, Any]], str] | None = None
    beyond: Callable[[Sequence[Any], str, Mapping[str, Any]], str] | None = None

    def steps(self, value: object = None) -> tuple[Any, ...]:
        """Return the series from a value on, whose spelling does not matter; the first for None."""
        if value is None:
            return self.series[0]
        for one in self.series:
            names = [plain(str(step)) for step in one]
            if plain(str(value)) in names:
                return one[names.index(plain(str(value))) :]
        return ()


def ladder_of(field: FieldInfo) -> Ladder | None:
    """Return which values of a field lead to its limit; None where that is not known."""
    return next((rule for rule in field.metadata if isinstance(rule, Ladder)), None)


def noun_of(name: str, field: FieldInfo) -> str:
    """Return what a field is called in a sentence."""
    nouns = (rule.noun for rule in field.metadata if isinstance(rule, Called))
    return next(nouns, name.replace("_", " "))


def understood(
    value: object, choices: Sequence[str], otherwise: Mapping[str, tuple[str, ...]] | None = None
) -> object:
    """Return the choice that a person means, whose case, spaces and hyphens do not matter.

    Args:
        value: what was written; what stands between its words may be a comma or a plus.
        choices: what there is to choose from.
        otherwise: other words for them, in plain spelling.

    Returns:
        The value itself if it means none of them.
    """
    if not isinstance(value, str) or value in choices:
        return value
    for key in dict.fromkeys((plain(value), plain(re.sub(r"[,;+&]", " ", value)))):
        for choice in choices:
            if key == plain(choice) or key in (otherwise or {}).get(choice, ()):
                return choice
    return value


def words_of(field: FieldInfo) -> Mapping[str, tuple[str, ...]]:
    """Return what else people write for the choices of a field."""
    for rule in field.metadata:
        if isinstance(rule, Words):
            return rule.otherwise
    return {}


def elsewhere(field: FieldInfo, value: object) -> tuple[str, str] | None:
    """Return how what a word means is asked for that is none of the choices of a field.

    Returns:
        What is to be known, and what to do; None where it is a choice, or where nobody knows.
    """
    if not isinstance(value, str) or value in choices_of(field.annotation):
        return None
    rules = (rule for rule in field.metadata if isinstance(rule, Elsewhere))
    return next((told for rule in rules if (told := rule.told(value))), None)


def choices_of(annotation: Any) -> tuple[str, ...]:
    """Return the words that a field has to choose from; none if it takes anything else."""
    while get_origin(annotation) in (Union, types.UnionType, Annotated):
        kinds = [part for part in get_args(annotation) if part is not type(None)]
        if get_origin(annotation) is not Annotated and len(kinds) > 1:
            return ()
        annotation = kinds[0]
    return get_args(annotation) if get_origin(annotation) is Literal else ()
