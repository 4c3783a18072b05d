"""Forms of tools, made of those of workflows."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Annotated, Any

from pydantic import BaseModel, Field, create_model
from pydantic.fields import FieldInfo

from triplestore.errors import ComponentError, NotFoundError
from workflows.engine.request.definition import Fields
from workflows.engine.request.form import Form
from workflows.registry import Workflow, workflows

from .toolbox import Found, lean


def usual_workflow() -> Workflow | None:
    """Return the workflow whose arguments stand in a tool of its own, if it can be used."""
    with suppress(NotFoundError, ComponentError):
        return workflows().usual if workflows().usual.whole else None
    return None


def form_of(
    name: str,
    fields: Mapping[str, FieldInfo],
    first: Mapping[str, Any] | None = None,
    last: Mapping[str, Any] | None = None,
) -> type[BaseModel]:
    """Return a form of many fields, of which each may be left out; it reads words as `Form` does.

    Args:
        name: of the class.
        fields: of forms.
        first: fields that come before these.
        last: fields that come behind them.
    """
    taken: dict[str, Any] = dict(first or {})
    for one, field in fields.items():
        default = None if field.is_required() else field.default
        kind: Any = field.annotation
        kind = kind | None if default is None else kind
        for rule in field.metadata:
            kind = Annotated[kind, rule]
        taken[one] = (kind, Field(default, description=field.description))
    return create_model(name, __base__=Form, **taken, **(last or {}))


def schema_of(whole: Fields, names: Collection[str]) -> Found:
    """Return the JSON schema of some arguments, without what says nothing."""
    fields = {name: field for name, field in whole.arguments.items() if name in names}
    return lean(form_of("arguments", fields).model_json_schema()).get("properties", {})
