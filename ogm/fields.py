"""What the annotation of a field says, read once a class."""

from __future__ import annotations

import enum
import functools
import types
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from inspect import get_annotations
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, cast, get_args, get_origin

import numpy as np
from pydantic import AwareDatetime
from pydantic.fields import FieldInfo

from .arrayfield import LazyField, Shaped
from .literals import Reader, Writer, reader, writer
from .terms import GRAFICO, RESERVED, Moves, PartOf, Term, Unit, Whose

if TYPE_CHECKING:
    from .model import GraphModel

Kind = Literal["str", "int", "float", "bool", "datetime", "enum", "array", "model", "link"]
Container = Literal["one", "tuple", "set"]

SCALARS: dict[type, Kind] = {
    str: "str",
    int: "int",
    float: "float",
    bool: "bool",
    datetime: "datetime",
    cast(type, AwareDatetime): "datetime",
}


DEFAULTS: dict[Kind, type | tuple[type, ...]] = {
    "str": str,
    "int": int,
    "float": (float, int),
    "bool": bool,
    "datetime": datetime,
}
"""What a default must be, by kind; for the others an instance of the target."""


@dataclass(frozen=True)
class FieldPlan:
    """How one field of a class is written, read and moved."""

    name: str
    predicate: str
    kind: Kind
    container: Container
    target: type[Any]
    required: bool
    default: Any
    unit: Unit | None
    moves: Moves | None
    part_of: PartOf | None
    whose: bool
    write: Writer
    read: Reader

    @property
    def datatype(self) -> str:
        """What kind of thing the property leads to, as the ontology sees it."""
        return {"model": "an object", "link": "an object", "enum": "str"}.get(self.kind, self.kind)

    @property
    def is_moving(self) -> bool:
        """Whether a motion of the object changes the field itself."""
        return self.moves is not None and not self.moves.is_fixed


@functools.cache
def compile_fields(cls: type[GraphModel]) -> tuple[FieldPlan, ...]:
    """Read the annotations of a class.

    Raises:
        TypeError: one that has no form in the graph, or a term that is taken.
    """
    plans = tuple(_compile_field(cls, name, info) for name, info in cls.model_fields.items())
    lazy_arrays(cls)  # again: annotations may have been resolved since the class was made
    unknown = sorted(set(cls.key_fields()) - {plan.name for plan in plans})
    if unknown:
        raise TypeError(f"{cls.__name__}: its key names {', '.join(unknown)}, which is no field")
    taken: dict[str, str] = dict.fromkeys(RESERVED, "every object")
    for plan in plans:
        if plan.predicate in taken:
            other = taken[plan.predicate]
            raise TypeError(f"{cls.__name__}.{plan.name}: <{plan.predicate}> belongs to {other}")
        taken[plan.predicate] = plan.name
        if cls.vocabulary() is GRAFICO:
            _means_one_thing(cls, plan)
    return plans


class MeaningError(TypeError):
    """Two classes mean two things by one property."""


MEANINGS: dict[str, tuple[str, str]] = {}
"""What each property of our vocabulary means, and the field that said so first."""


def _means_one_thing(cls: type[GraphModel], plan: FieldPlan) -> None:
    """Refuse a property of our vocabulary that another class gives another type or unit.

    All classes share its terms, so that one query asks all of them.

    Raises:
        MeaningError: there is such a class.
    """
    where = f"{cls.__module__}.{cls.__qualname__}.{plan.name}"
    meaning = f"{plan.datatype} in {plan.unit.iri}" if plan.unit is not None else plan.datatype
    other, first = MEANINGS.setdefault(plan.predicate, (meaning, where))
    if first == where:  # the class is made again, as a notebook does
        MEANINGS[plan.predicate] = meaning, where
    elif other != meaning:
        raise MeaningError(
            f"{where} is {meaning}, {first} is {other}, and both are <{plan.predicate}>: "
            "give one of them another name or a Term of its own"
        )


def lazy_arrays(cls: type[GraphModel]) -> None:
    """Let the array fields of a class read what is stored when they are touched first."""
    for name, info in cls.model_fields.items():
        if _is_array(info) and name not in cls.__dict__:
            setattr(cls, name, LazyField(name))


@functools.cache
def _annotated(cls: type[Any]) -> frozenset[str]:
    """Return the names that a class itself annotates."""
    return frozenset(get_annotations(cls))


def _compile_field(owner: type[GraphModel], name: str, info: FieldInfo) -> FieldPlan:
    """Read a field's annotation.

    Raises:
        TypeError: an annotation that has no form in the graph.
    """
    metadata: list[Any] = list(info.metadata)
    container: Container = "one"
    annotation: Any = info.annotation
    optional = False
    while True:
        origin, arguments = get_origin(annotation), get_args(annotation)
        if origin is Annotated:
            annotation, metadata = arguments[0], [*metadata, *arguments[1:]]
        elif origin in (Union, types.UnionType) and type(None) in arguments and container == "one":
            rest = [part for part in arguments if part is not type(None)]
            optional = True
            annotation = Union[tuple(rest)] if len(rest) > 1 else rest[0]  # noqa: UP007
        elif container != "one":
            break  # what stands in a container is one thing
        elif origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
            container, annotation = "tuple", arguments[0]
        elif origin is frozenset:
            container, annotation = "set", arguments[0]
        else:
            break

    def first(kind: type[Any]) -> Any:
        return next((item for item in metadata if isinstance(item, kind)), None)

    target: type[Any] = annotation
    kind: Kind | None = None
    if first(Shaped) is not None:
        kind, target = "array", np.ndarray
    elif origin is Literal:
        values: set[type] = {type(value) for value in arguments}
        if len(values) == 1:
            target = values.pop()
            kind = SCALARS.get(target)
    elif hasattr(origin or annotation, "__field_kind__"):
        # classes of the graph and links say it themselves: their modules build on this one
        target = cast("type[Any]", origin or annotation)
        kind = target.__field_kind__
    elif isinstance(annotation, type):
        kind = "enum" if issubclass(target, enum.Enum) else SCALARS.get(target)
        if kind == "enum":
            texts = [str(member.value) for member in cast(type[enum.Enum], annotation)]
            if len(set(texts)) < len(texts):
                raise TypeError(f"{owner.__name__}.{name}: two members are written alike: {texts}")
    if kind is None or (kind == "array" and container != "one"):
        raise TypeError(
            f"{owner.__name__}.{name}: {annotation!r} has no form in the graph; use str, int, "
            "float, bool, datetime, an enum, Literal, an array with Shaped(…), a GraphModel, "
            "Link[…], or tuple[…, ...] and frozenset[…] of these (a list or a set could change)"
        )
    if info.alias or info.validation_alias or info.serialization_alias:
        raise TypeError(f"{owner.__name__}.{name}: a field has one name, so no alias")
    if kind == "enum" and issubclass(target, enum.Flag):
        raise TypeError(f"{owner.__name__}.{name}: flags can be combined; use frozenset of an enum")
    held: Any = target
    if kind == "model" and container == "set" and held.identity() in ("result", "event"):
        raise TypeError(
            f"{owner.__name__}.{name}: a set would take two objects of the same content for one; "
            f"use tuple[{target.__name__}, ...] or frozenset[Link[{target.__name__}]]"
        )
    if info.default_factory is not None:
        raise TypeError(f"{owner.__name__}.{name}: a default must be a value that never changes")
    default = None if info.is_required() else info.default
    if optional and (info.is_required() or default is not None):
        raise TypeError(f"{owner.__name__}.{name} may be None, so its default must be None")
    if kind == "array" and default is not None:
        raise TypeError(f"{owner.__name__}.{name}: an array has no default but None")
    if default is not None and not _is_default(default, kind, container, target):
        raise TypeError(f"{owner.__name__}.{name}: its default is not what validation makes of it")
    if first(Whose) and default is None:
        raise TypeError(f"{owner.__name__}.{name}: what may be left out needs a default")
    term: Term | None = first(Term)
    return FieldPlan(
        name=name,
        predicate=term.iri if term else _declaring(owner, name).vocabulary().term(name),
        kind=kind,
        container=container,
        target=target,
        required=info.is_required(),
        default=default,
        unit=first(Unit),
        moves=first(Moves),
        part_of=first(PartOf) or _part_of(owner, name),
        whose=first(Whose) is not None,
        write=writer(kind, target),
        read=reader(kind, target),
    )


def _part_of(owner: type[GraphModel], name: str) -> PartOf | None:
    """Return the mark of a field that narrows one of a base class, and is as much part of it."""
    fields = (getattr(base, "model_fields", {}).get(name) for base in owner.__mro__[1:])
    marks = (item for field in fields if field is not None for item in field.metadata)
    return next((item for item in marks if isinstance(item, PartOf)), None)


def linked(cls: type[GraphModel], *names: str) -> list[type[GraphModel]]:
    """Return the classes to whose objects those of a class link, or some of their fields lead."""
    names = names or tuple(plan.name for plan in cls.fields() if plan.kind == "link")
    return [found for name in names for found in _named(cls.model_fields[name].annotation)]


def _named(annotation: Any) -> Iterator[type[GraphModel]]:
    """Iterate over the classes of the graph that an annotation names."""
    if getattr(annotation, "__field_kind__", "") == "model":
        yield annotation
    for part in get_args(annotation):
        yield from _named(part)


def _declaring(owner: type[GraphModel], name: str) -> type[GraphModel]:
    """Return the class that brings a field: what inherits or narrows it means the same by it."""
    classes = [cls for cls in owner.__mro__ if hasattr(cls, "term")]  # of the graph
    declaring = [cls for cls in classes if name in _annotated(cls)]
    return cast("type[GraphModel]", declaring[-1]) if declaring else owner


def _is_default(default: Any, kind: Kind, container: Container, target: type[Any]) -> bool:
    """Tell whether a default is of the type that a value has: else it would differ from itself."""
    if container != "one":
        return isinstance(default, tuple if container == "tuple" else frozenset)
    return isinstance(default, DEFAULTS.get(kind, target))


def _is_array(info: FieldInfo) -> bool:
    """Tell whether a field holds an array, also before its other annotations can be resolved."""
    found: list[Any] = [info.annotation, *info.metadata]
    while found:
        item = found.pop()
        if isinstance(item, Shaped):
            return True
        if get_origin(item) in (Annotated, Union, types.UnionType):
            found += get_args(item)
    return False


def members(value: Any, plan: FieldPlan) -> Iterator[Any]:
    """Iterate over the values of a field: none, one, or those of its container."""
    if value is None:
        return
    if plan.container == "one":
        yield value
    else:
        yield from value


def is_emptied(value: Any, plan: FieldPlan) -> bool:
    """Tell whether a field is an empty container, and its default is something else."""
    empty = plan.container != "one" and value is not None and not value
    return empty and not plan.required and value != plan.default
