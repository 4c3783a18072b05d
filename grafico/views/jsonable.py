"""Runs and blocks as JSON can hold them."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, cast

from ogm import GraphModel, Motion
from ogm.model import storable
from ontologies.units import symbol
from workflows.engine import Answer
from workflows.show.blocks import Block, Note, Section
from workflows.show.run_blocks import RunSummary, leading, run_blocks
from workflows.text.names import named


def jsonable(sections: Iterable[Section]) -> list[dict[str, Any]]:
    """Return sections as JSON can hold them; what is left out is empty, or `minor` and not so.

    Each block says its kind: `fact`, `table`, `chart`, `structure` or `note`. Numbers that JSON
    does not know are null.
    """
    return [
        {
            **{name: value for name, value in vars(section).items() if name != "blocks" and value},
            "blocks": [block_as_dict(block) for block in section.blocks],
        }
        for section in sections
    ]


def block_as_dict(block: Block) -> dict[str, Any]:
    """Return a block with its kind."""
    return {"kind": type(block).__name__.lower(), **_plain(block)}


def _plain(node: Any) -> Any:
    if is_dataclass(node):
        pairs = [(one, getattr(node, one.name)) for one in fields(node)]
        return {
            one.name: _plain(value)
            for one, value in pairs
            if one.default is MISSING or value != one.default
        }
    if isinstance(node, tuple):
        return [_plain(one) for one in cast("tuple[Any, ...]", node)]
    return None if isinstance(node, float) and not math.isfinite(node) else node


def result_as_dict(result: Any) -> dict[str, Any]:
    """Return what a workflow hands out as JSON can hold it, with its blocks.

    A workflow whose results have a form of their own in JSON says so by `as_json`.
    """
    if not hasattr(result, "as_json"):
        return run_as_dict(result.ran)
    return {
        **result.as_json(),
        "implausible": list(result.ran.implausible),
        "blocks": jsonable(result.shown_sections()),
    }


def run_as_dict(ran: RunSummary) -> dict[str, Any]:
    """Return a run as JSON can hold it: its results with all their fields, and its blocks.

    What it is about stands beside the results, by the name that they give it; units are in
    `units`, or in the names.
    """
    sections = run_blocks(ran)
    about = {type(model) for model in ran.about}
    notes = [block.text for s in sections for block in s.blocks if isinstance(block, Note)]
    return {
        "run": ran.run,
        "status": ran.status,
        "message": ran.message,
        "implausible": list(ran.implausible),
        "remarks": list(ran.remarks),
        "notes": [text for text in notes if text not in ran.remarks],
        "reused": ran.reused,
        **{held_as(type(model)): as_dict(model) for model in ran.about},
        "results": [
            {
                "iri": answer.recorded,
                "kind": type(answer.result).__name__,
                "reused": answer.reused,
                "moved": None if answer.motion.is_rest else as_motion(answer.motion),
                **_difference(ran, answer),
                "activity": answer.activity.iri,
                "wall_time_s": answer.activity.wall_time,
                "device": answer.activity.device.name,
                "units": units(answer.result),
                **answer.result.model_dump(mode="json", exclude=_objects(answer.result, about)),
            }
            for answer in ran.answers
        ],
        "blocks": jsonable(sections),
    }


def _difference(ran: RunSummary, answer: Answer[Any]) -> dict[str, float | None]:
    """Return by how much the leading number of a result has changed; null if only one is known."""
    plan = leading(answer.result)
    if plan is None:
        return {}
    return {
        named(f"{plan.name}_difference", symbol(plan.unit)): ran.differences.get(answer.recorded)
    }


def as_dict(model: GraphModel) -> dict[str, Any]:
    """Return an object with its IRI and its units."""
    return {"iri": model.iri, "units": units(model), **model.model_dump(mode="json")}


@functools.cache
def held_as(cls: type[GraphModel]) -> str:
    """Return the name by which most results hold objects of a class, such as `atoms`."""
    names = Counter(
        plan.name
        for result in storable(GraphModel)
        if result.identity() == "result"
        for plan in result.fields()
        if plan.kind == "model" and issubclass(cls, plan.target)
    )
    return names.most_common(1)[0][0] if names else cls.__name__


def _objects(result: GraphModel, about: set[type[GraphModel]]) -> set[str]:
    """Return the fields that hold other results, or objects such as those that stand beside it."""
    return {
        plan.name
        for plan in type(result).fields()
        if plan.kind == "model"
        and plan.container == "one"
        and (value := getattr(result, plan.name)) is not None
        and (type(value) in about or value.identity() == "result")
    }


def units(model: GraphModel) -> dict[str, str]:
    """Return the QUDT code of the unit of each field that has one, of parts as `part.field`."""
    found = {plan.name: plan.unit.code for plan in type(model).fields() if plan.unit}
    for name in type(model).model_fields:
        value: object = getattr(model, name)
        parts = cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,)
        kinds = {type(part): part for part in parts if isinstance(part, GraphModel)}
        for part in kinds.values():
            found |= {f"{name}.{field}": code for field, code in units(part).items()}
    return found


def as_motion(motion: Motion) -> dict[str, Any]:
    """Return how a remembered result was moved into the frame of the input."""
    return {
        "deviation_A": motion.deviation,
        "translation_A": motion.translation,
        "rotation": motion.rotation,
        "order": motion.order,
    }
