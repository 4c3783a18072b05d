"""Forms: what can be asked, and what a person is told of what cannot be."""

from __future__ import annotations

import json
import re
import types
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    Self,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
)

from pydantic import BaseModel, ConfigDict, ValidationError, ValidationInfo, model_validator
from pydantic.fields import FieldInfo

from ogm import GraphModel
from triplestore.errors import InputError
from workflows.text.names import plain
from workflows.trust.withholding import WITHHELD, Reason, Withholding

from .other_names import number_named, other_names
from .refusals import field_text, parts_of, refusal
from .with_units import in_unit, unit_of

FormT = TypeVar("FormT", bound=BaseModel)

STORED = {"stored": True}


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


def _is_number(annotation: Any) -> bool:
    """Tell whether a field takes a number, or none, and no text."""
    if get_origin(annotation) is Annotated:
        return _is_number(get_args(annotation)[0])
    kinds = [part for part in get_args(annotation) if part is not type(None)] or [annotation]
    return all(
        kind in (int, float) or (kind is not annotation and _is_number(kind)) for kind in kinds
    )


class Form(Withholding):
    """What can be asked; a field without an effect is refused unless it has its default.

    Attributes:
        shorts: several of its fields said as one, by their names.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    shorts: ClassVar[Mapping[str, Short]] = MappingProxyType({})

    @classmethod
    def suits(cls, name: str, value: object) -> bool:
        """Return whether a default of the settings, which are for all forms, is meant for this."""
        del name, value
        return True

    @model_validator(mode="before")
    @classmethod
    def _as_meant(cls, given: object) -> object:
        """Take the words that people write for a choice, and numbers with their units.

        One text is taken where several can stand.
        """
        if not isinstance(given, Mapping):
            return given
        values = dict(cast("Mapping[str, object]", given))
        for other, name in other_names(cls.model_fields).items():
            if other in values and name not in values:
                values[name] = values.pop(other)
        for name, field in cls.model_fields.items():
            value = values.get(name)
            if not isinstance(value, str):
                continue
            if choices := choices_of(field.annotation):
                values[name] = understood(value, choices, words_of(field))
                if told := elsewhere(field, values[name]):
                    raise refusal(f"{name} {value[:80]} was asked for", *told)
            elif (number := number_named(field, value)) is not None:
                values[name] = number
            elif field.annotation == tuple[str, ...]:
                values[name] = (value,)
            elif "_" in value and _is_number(field.annotation):
                raise refusal(
                    f"{name} {value[:80]} was asked for",
                    "it is not a number in the digits 0 to 9",
                    "write it without _",
                )
            elif unit := unit_of(field):
                try:
                    number = in_unit(value, unit)
                except InputError as error:
                    raise refusal(error.asked, error.found, error.advice) from error
                values[name] = value if number is None else number
        return values

    @model_validator(mode="after")
    def _effective(self, info: ValidationInfo) -> Self:
        if info.context is STORED:
            return self
        for name, field in type(self).model_fields.items():
            value = getattr(self, name)
            for wanted in (rule for rule in field.metadata if isinstance(rule, For)):
                there = getattr(self, wanted.field)
                if value == field.default or wanted.holds(there):
                    continue
                field, values = f"`{wanted.field}`", " or ".join(wanted.values)
                beside = f"{wanted.field} {there}" if there else f"no {wanted.field}"
                raise refusal(
                    f"{field_text(name, value)} was asked for",
                    f"with {beside} that has no effect",
                    f"ask for {f'{field} {values}'.strip()}, or leave `{name}` out",
                )
        return self

    @classmethod
    def variants(cls) -> tuple[type[Self], ...]:
        """Return the forms that this one stands for: most stand for themselves."""
        return (cls,)

    @classmethod
    def variant(cls, values: Mapping[str, object]) -> type[Self]:
        """Return which of them takes some values, to be filled in."""
        return cls

    @classmethod
    def lacking(cls, noun: str, values: Mapping[str, object]) -> str:
        """Return why what another variant takes has no effect here, in words."""
        return f"there is no {noun} here"

    @classmethod
    def recorded(cls, forms: Mapping[str, Any]) -> Self | None:
        """Return the form that a run recorded among others, by the name of its class."""
        for kind in cls.variants():
            if kind.__name__ in forms:
                return kind.stored(json.dumps(forms[kind.__name__]))
        return None

    @classmethod
    def stored(cls, text: str) -> Self:
        """Return a form that was stored with a run, in JSON.

        It is not asked again whether all of it has an effect: earlier versions let that pass.
        """
        return cls.model_validate_json(text, context=STORED)

    @classmethod
    def recovered(cls, about: Sequence[GraphModel]) -> Self | None:
        """Return a form that a run did not record, from what the run was about.

        None where that leaves open what was asked.
        """
        return cls() if not any(one.is_required() for one in cls.model_fields.values()) else None

    @classmethod
    def offered(cls) -> dict[str, FieldInfo]:
        """Return the fields that people can fill in, by name; of several variants those of all."""
        kinds = cls.variants()
        return dict(_own_fields(cls) if kinds == (cls,) else _all_fields(kinds))


@cache
def _own_fields(form: type[Form]) -> dict[str, FieldInfo]:
    fields = form.model_fields.items()
    hidden = {name for name, field in fields if any(isinstance(r, Setting) for r in field.metadata)}
    return {name: field for name, field in fields if name not in hidden}


@cache
def _all_fields(kinds: tuple[type[Form], ...]) -> dict[str, FieldInfo]:
    each = [fields for kind in kinds if (fields := kind.offered())]
    names = dict.fromkeys(name for fields in each for name in fields)
    return {name: _united([fields.get(name) for fields in each]) for name in names}


def _united(fields: Sequence[FieldInfo | None]) -> FieldInfo:
    """Return a field as the variants of a form have it, of which some may not."""
    there = [field for field in fields if field is not None]
    texts = dict.fromkeys(field.description for field in there if field.description)
    united = copy(there[0])
    told = [one for one in texts if not any(one != x and one.rstrip(".") in x for x in texts)]
    united.description = " ".join(told) or None
    if united.is_required() and not all(field and field.is_required() for field in fields):
        united.default = None
    return united


def said_by_models(fields: Mapping[str, FieldInfo]) -> dict[str, FieldInfo]:
    """Return the fields but those that a person alone fills in."""
    return {
        name: field
        for name, field in fields.items()
        if not any(isinstance(rule, Personal) for rule in field.metadata)
    }


def fill(
    form: type[FormT], values: Mapping[str, object], defaults: Mapping[str, object] | None = None
) -> FormT:
    """Return a form, filled in.

    Args:
        form: which; of one with variants, that which takes the values.
        values: of its fields.
        defaults: of the settings, for those of its fields that nobody has filled in; what is none
            of a field's choices is not meant for it. What stands under `withheld`, with a reason,
            is refused where somebody reads it.

    Raises:
        InputError: a value that cannot be, or one that has no effect; says what can be.
    """
    usual, said, kind = dict(defaults or {}), dict(values), form
    reasons = usual.pop(WITHHELD, {})
    if issubclass(form, Form):
        kind = form.variant(usual | said)
        _refuse_foreign(form, kind, usual | said, said)
    usual = {n: v for n, v in usual.items() if _takes(kind, n, v)}
    try:
        filled = kind.model_validate(usual | said)
    except ValidationError as error:
        schema = kind.model_json_schema()["properties"]
        wrong = [InputError(*parts_of(item, schema)) for item in error.errors()]
        raise InputError.of_all(wrong) from error
    if isinstance(filled, Withholding):
        found = cast("Mapping[str, Reason]", reasons or {})
        open_ones = kind.model_fields.keys() - said.keys()
        filled.withhold({name: why for name, why in found.items() if name in open_ones})
        filled.leave_open(usual.keys() - said.keys())
    return filled


def _takes(kind: type[BaseModel], name: str, value: object) -> bool:
    """Return whether a default of the settings is for a form: it has the field, and the choice."""
    field = kind.model_fields.get(name)
    if field is None:
        return False
    if issubclass(kind, Form) and not kind.suits(name, value):
        return False
    choices = get_args(field.annotation) if get_origin(field.annotation) is Literal else ()
    return not choices or plain(str(value)) in {plain(str(one)) for one in choices}


def _refuse_foreign(
    form: type[Form], kind: type[Form], values: Mapping[str, object], said: dict[str, object]
) -> None:
    """Take out of what was said what only other variants of a form have, and says nothing.

    Raises:
        InputError: it says something, so that it was expected to have an effect.
    """
    foreign = [name for name in said if name not in kind.model_fields]
    fields = form.offered() if foreign else {}
    wrong: list[InputError] = []
    for name in sorted(fields.keys() & foreign):
        value = said.pop(name)
        if value not in (None, False, "", ()):
            lacking = kind.lacking(noun_of(name, fields[name]), values)
            asked = f"{field_text(name, value)} was asked for"
            wrong.append(InputError(asked, lacking, f"leave `{name}` out"))
    if wrong:
        raise InputError.of_all(wrong)
