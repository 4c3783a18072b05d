"""What a run was asked for, as facts for display."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, cast

from pydantic import BaseModel

from ogm import Unit
from ontologies.provenance import Run
from ontologies.units import symbol
from triplestore.errors import ComponentError
from workflows.engine.request.rules import For
from workflows.registry import workflows
from workflows.show.blocks import Fact, Value


def asked(run: Run) -> Iterator[Fact]:
    """Iterate over what was asked; not over what was left open or has no effect."""
    try:
        values: Any = json.loads(run.request)
    except ValueError:
        values = None
    if not isinstance(values, dict):
        yield Fact("as it is stored", run.request, name="request")
        return
    given = cast("dict[str, Any]", values)
    form = request_of(run.graph)
    for name, value in given.items():
        field = form.model_fields.get(name) if form else None
        metadata = field.metadata if field else ()
        rules = [rule for rule in metadata if isinstance(rule, For)]
        unit = next((one for one in metadata if isinstance(one, Unit)), None)
        if value in (None, False, "", []):  # 0 too
            continue
        if all(rule.holds(given.get(rule.field)) for rule in rules):
            yield Fact(name.replace("_", " "), _value(value), symbol(unit), name, digits="g")


def request_of(graph: str) -> type[BaseModel] | None:
    """Return the form that fills in the steps of a graph; None if its workflow is not installed."""
    workflow = workflows().get(graph)
    try:
        return workflow and workflow.whole.forms[0]
    except ComponentError:
        return None


def _value(value: Any) -> Value | tuple[Value, ...]:
    if isinstance(value, list):
        return tuple(str(one) for one in cast("list[Any]", value))
    return value if isinstance(value, bool | int | float | str) else json.dumps(value)
