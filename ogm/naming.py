"""Where the IRI of an object comes from, and where it is kept."""

from __future__ import annotations

import functools
import hashlib
import json
import re
import threading
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from triplestore.errors import RecordError

from .array_storage import digest
from .equality import same_value
from .fields import FieldPlan, is_emptied
from .forms import form
from .terms import class_iri, time_ordered_id

if TYPE_CHECKING:
    from .model import GraphModel

Identity = Literal["value", "result", "event", "key"]
DERIVED: tuple[Identity, ...] = ("value", "key")
"""Identities that an object's own fields give it."""

_naming = threading.Lock()  # so that two threads do not give one event two IRIs

# past Pydantic: its objects are frozen, and slow to say that something is not there
_slot, _set_slot = object.__getattribute__, object.__setattr__


def name_of(model: GraphModel) -> str | None:
    """Return the IRI of an object if it has been given one."""
    try:
        return _slot(model, "_iri")
    except AttributeError:
        return None


def set_name(model: GraphModel, iri: str, *, kept: int = 0) -> None:
    """Give an object this IRI.

    Args:
        model: the object.
        iri: its IRI.
        kept: the schema version that it was upgraded from, whose name it keeps, whatever its
            content is now; 0 for none.
    """
    _set_slot(model, "_iri", iri)
    if kept:
        _set_slot(model, "_kept", kept)


def kept_version(model: GraphModel) -> int:
    """Return the schema version that an object was upgraded from; 0 for none."""
    try:
        return int(_slot(model, "_kept"))
    except AttributeError:
        return 0


def is_kept(model: GraphModel) -> bool:
    """Tell whether an object was upgraded, and keeps the name that it is stored under."""
    return kept_version(model) > 0


@functools.cache
def class_name(cls: type[GraphModel]) -> str:
    """Return the name of a class as it stands in IRIs: `Box[int]` is `Box_int`."""
    return re.sub(r"\W+", "_", cls.__name__).strip("_")


def content_iri(model: GraphModel, names: Collection[str] | None = None) -> str:
    """Return an IRI of an object's class made from its content, or from some of its fields."""
    return class_iri(class_name(type(model)), content_digest(model, names))


def new_iri(model: GraphModel) -> str:
    """Give its IRI to an object and to the values that it holds; these first, however deep.

    Raises:
        RecordError: a result takes it from the activity that made it.
    """
    if model.identity() == "result":
        raise RecordError(
            f"this {type(model).__name__} has no IRI",
            "a result takes it from the activity that made it",
            "run the calculation through an executor, or use identified(iri)",
        )
    if model.identity() == "event":
        with _naming:
            iri = name_of(model)
            if iri is None:
                iri = class_iri(class_name(type(model)), time_ordered_id())
                set_name(model, iri)
        return iri
    iri, stack = "", [model]
    while stack:
        this = stack[-1]
        held = this.parts() if form(type(this)).parts else ()
        parts = [p for p in held if name_of(p) is None and p.identity() in DERIVED]
        if parts:
            stack += parts
        else:
            iri = content_iri(this, this.key_fields() or None)
            set_name(this, iri)
            stack.pop()
    return iri


def content_digest(
    model: GraphModel,
    names: Collection[str] | None = None,
    written: Mapping[str, str] | None = None,
) -> str:
    """Return the digest of class and content, 128 bits in hexadecimal.

    Only fields that differ from their default count, so that a field added with a default leaves
    the identity of every older object as it was.

    Args:
        model: the object.
        names: the fields that count; None for all.
        written: what single values are written as, by field, where that is known.
    """
    shape = form(type(model))
    lines, known = [shape.term], written or {}
    name = ""
    try:
        for name, _, write, plan in shape.rows:
            if names is not None and name not in names:
                continue
            value = model.__dict__[name]  # an array that was not read stays so
            if value is None or (plan.default is not None and same_value(value, plan.default)):
                continue
            if write is not None:
                lines.append(f"{plan.predicate} {known.get(name) or write(value)}")
            else:
                lines += _content(value, plan)
    except RecordError as error:
        raise unwritten(name, error) from error
    lines.sort()
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:32]


def _content(value: Any, plan: FieldPlan) -> Iterable[str]:
    """Return what an array or a container adds to an object's content; sets have no order."""
    if plan.kind == "array":
        return (f"{plan.predicate} {digest(value)}",)
    if plan.container == "tuple":
        return (f"{plan.predicate} {json.dumps([plan.write(item) for item in value])}",)
    if is_emptied(value, plan):
        return (f"{plan.predicate} []",)
    return {f"{plan.predicate} {plan.write(item)}" for item in value}


def unwritten(name: str, error: RecordError) -> RecordError:
    """Return the error of a field whose value has no form."""
    return RecordError(f"{name} cannot be stored", f"{error.asked}: {error.found}")
