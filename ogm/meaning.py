"""What docstrings and annotations say of a field beyond how it is stored."""

from __future__ import annotations

import enum
import inspect
import re
import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin

import annotated_types as limits
from pydantic.fields import FieldInfo

from .arrayfield import Shaped
from .fields import FieldPlan
from .links import Link
from .model import GraphModel, is_model

Bound = limits.Ge | limits.Gt | limits.Le | limits.Lt


@dataclass(frozen=True)
class Meaning:
    """What a field means and may hold.

    Attributes:
        text: what the section `Attributes` of the docstring says; may be empty.
        values: everything that it may be, as it is stored; empty where that is not listed.
        bounds: limits of a number.
        shaped: shape and type of an array.
        target: the class of the objects that it names; None if there are none, or any will do.
    """

    text: str
    values: tuple[str | int | bool, ...]
    bounds: tuple[Bound, ...]
    shaped: Shaped | None
    target: type[GraphModel] | None


def summary(cls: type[GraphModel]) -> str:
    """Return the first line of a class's own docstring."""
    return _documentation(cls).partition("\n")[0]


def parents(cls: type[GraphModel]) -> list[type[GraphModel]]:
    """Return the classes of the graph that a class is derived from, without `GraphModel`."""
    return [base for base in cls.__bases__ if is_model(base) and base is not GraphModel]


def own_fields(cls: type[GraphModel]) -> Iterator[tuple[FieldPlan, Meaning]]:
    """Iterate over the fields that a class declares itself, with what they mean."""
    texts = _texts(cls)
    for plan in cls.fields():
        if plan.name in cls.__annotations__:
            yield plan, _meaning(cls.model_fields[plan.name], plan, texts.get(plan.name, ""))


def ordered(plan: FieldPlan) -> bool:
    """Tell whether the codec may write an order among the values of a field.

    A tuple has one; a set may be marked as empty, where its default is something else.
    """
    if plan.container == "set":
        return not plan.required and plan.default != frozenset()
    return plan.container == "tuple"


def _meaning(info: FieldInfo, plan: FieldPlan, text: str) -> Meaning:
    parts = list(_parts(info))
    values: tuple[Any, ...] = ()
    if plan.kind == "enum":
        members = cast("type[enum.Enum]", plan.target)
        values = tuple(str(member.value) for member in members)
    target = plan.target if plan.kind == "model" else None
    for part in parts:
        if get_origin(part) is Literal:
            values = get_args(part)
        elif get_origin(part) is Link and is_model(get_args(part)[0]):
            target = get_args(part)[0]
    return Meaning(
        text=text,
        values=values,
        bounds=tuple(part for part in parts if isinstance(part, Bound)),
        shaped=next((part for part in parts if isinstance(part, Shaped)), None),
        target=None if target is GraphModel else target,
    )


def _parts(info: FieldInfo) -> Iterator[Any]:
    """Iterate over an annotation, what it is made of, and what is noted beside it."""
    found: list[Any] = [info.annotation, *info.metadata]
    while found:
        part = found.pop()
        yield part
        if get_origin(part) in (Annotated, Union, types.UnionType, tuple, frozenset):
            found += get_args(part)
        elif isinstance(part, FieldInfo):  # within a union
            found += part.metadata


def _documentation(cls: type[GraphModel]) -> str:
    return inspect.cleandoc(vars(cls).get("__doc__") or "")  # getdoc would take a parent's


def _texts(cls: type[GraphModel]) -> dict[str, str]:
    _, _, section = _documentation(cls).partition("Attributes:\n")
    entries = re.findall(r"^ {4}(\w+): (.*(?:\n {8}.*)*)", section, re.MULTILINE)
    return {name: " ".join(text.split()) for name, text in entries}
