"""The fields that properties bring to the form of the usual request, and to their steps."""

from __future__ import annotations

import logging
from collections.abc import Collection
from typing import Annotated, Any, TypeVar, Union, get_args

from pydantic import create_model

from workflows.engine.request.form import Form
from workflows.registry.properties import Property, declared

_log = logging.getLogger(__name__)

FormT = TypeVar("FormT", bound=Form)


def usable(taken: Collection[str]) -> tuple[Property, ...]:
    """Return the properties whose fields can stand in a form; the others are told in the log.

    Args:
        taken: names of fields and of steps that are no property's.
    """
    found: list[Property] = []
    broken: dict[str, str] = {}
    names = set(taken)
    for one in declared().found:
        try:
            clash = sorted({one.node, *one.fields} & names)
        except Exception as error:  # whatever a package does wrong, the others can be asked for
            broken[one.name] = f"{type(error).__name__}: {error}"
            continue
        if clash:
            broken[one.name] = f"the name {clash[0]} is taken"
            continue
        names |= {one.node, *one.fields}
        found.append(one)
    for name, why in broken.items():
        _log.warning("the property %s cannot be used: %s", name, why)
    return tuple(found)


def asking_for(base: type[FormT], found: Collection[Property]) -> type[FormT]:
    """Return a form that has the fields of another, and then those of some properties."""
    fields = {name: one for each in found for name, one in each.fields.items()}
    given: dict[str, Any] = {name: (one.annotation, one) for name, one in fields.items()}
    return create_model(base.__name__, __base__=base, __module__=base.__module__, **given)


def step_fields(of: Property) -> dict[str, Any]:
    """Return the fields of the step of a property: that which asks for it has to be filled in."""
    found: dict[str, Any] = {}
    for name, one in of.fields.items() if of.form else ():
        kind = _but_none(one.annotation) if name == of.name else one.annotation
        kind = Annotated[(kind, *one.metadata)] if one.metadata else kind
        found[name] = (kind, ... if name == of.name else one.default)
    return found


def _but_none(kind: Any) -> Any:
    """Return a type without None among what it may be."""
    parts = tuple(part for part in get_args(kind) if part is not type(None))
    return Union[parts] if len(parts) < len(get_args(kind)) else kind  # noqa: UP007
