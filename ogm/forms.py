"""What of a class is needed to write and read its objects, compiled once."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .fields import FieldPlan
from .literals import Writer
from .terms import RDF_TYPE

if TYPE_CHECKING:
    from .model import GraphModel


@dataclass(frozen=True)
class ClassPlan:
    """What of a class is needed to write and read its objects, compiled once."""

    type: str
    version: int
    term: str
    rows: tuple[tuple[str, str, Writer | None, FieldPlan], ...]
    plans: tuple[FieldPlan, ...]
    by_predicate: Mapping[str, FieldPlan]
    parts: tuple[FieldPlan, ...]
    links: tuple[FieldPlan, ...]
    has_arrays: bool


def _simple(plan: FieldPlan) -> bool:
    """Tell whether a field has one value and one term."""
    return plan.container == "one" and plan.kind != "array"


@functools.cache
def form(cls: type[GraphModel]) -> ClassPlan:
    """Return the compiled form of a class."""
    plans = cls.fields()
    return ClassPlan(
        type=f"<{RDF_TYPE}> <{cls.term()}> .\n",
        version=cls.schema_version(),
        term=cls.term(),
        rows=tuple(
            (plan.name, f"<{plan.predicate}> ", plan.write if _simple(plan) else None, plan)
            for plan in plans
        ),
        plans=plans,
        by_predicate={plan.predicate: plan for plan in plans},
        parts=tuple(plan for plan in plans if plan.kind == "model"),
        links=tuple(plan for plan in plans if plan.kind == "link"),
        has_arrays=any(plan.kind == "array" for plan in plans),
    )
