"""Forms: what can be asked, and what a person is told of what cannot be."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from copy import copy
from functools import cache
from types import MappingProxyType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    Self,
    TypeVar,
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

from .refusals import field_text, parts_of, refusal
from .rules import (
    For,
    Personal,
    Setting,
    Short,
    choices_of,
    elsewhere,
    noun_of,
    number_named,
    other_names,
    understood,
    words_of,
)
from .with_units import in_unit, unit_of

FormT = TypeVar("FormT", bound=BaseModel)

STORED = {"stored": True}


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
