"""Conditions on the fields of a class, as SPARQL patterns about `?this`."""

from __future__ import annotations

import enum
import itertools
from collections.abc import Mapping
from datetime import datetime
from typing import Any, cast

from .conditions import Condition
from .fields import FieldPlan, Kind
from .model import GraphModel, Link, same_value, subclasses
from .terms import RDF_TYPE

COMPARED: dict[Kind, tuple[type, ...]] = {
    "str": (str,),
    "int": (int,),
    "float": (float, int),
    "bool": (bool,),
    "datetime": (datetime,),
    "enum": (enum.Enum,),
    "link": (Link, GraphModel),
    "model": (Link, GraphModel),
}
"""What a field can be compared with."""


def patterns(cls: type[GraphModel], sparql: str, conditions: Mapping[str, Any]) -> str:
    """Return the patterns that say that `?this` is of a class and meets conditions.

    Raises:
        TypeError: a field that the class does not have, an array, or a value of another type.
    """
    where = _Where()
    where.meet(cls, "?this", conditions)
    terms = list(dict.fromkeys(f"<{sub.term()}>" for sub in subclasses(cls)))
    if len(terms) == 1:
        where.firm.append(f"?this <{RDF_TYPE}> {terms[0]} .")
    else:
        where.firm.append(f"?this <{RDF_TYPE}> ?class . VALUES ?class {{ {' '.join(terms)} }}")
    if sparql:
        where.firm.append(f"{{ {sparql} }}" if "?this" in sparql else sparql)
    return " ".join([*where.firm, *where.loose])


class _Where:
    """Patterns that must match, and after them those about what may be missing."""

    def __init__(self) -> None:
        self.firm: list[str] = []
        self.loose: list[str] = []
        self._numbers = itertools.count()

    def meet(self, cls: type[GraphModel], subject: str, conditions: Mapping[str, Any]) -> None:
        plans = {plan.name: plan for plan in cls.fields()}
        for name, value in conditions.items():
            if name not in plans or plans[name].kind == "array":
                raise TypeError(f"{cls.__name__} has no field {name!r} to search by")
            self._field(plans[name], subject, value)

    def _field(self, plan: FieldPlan, subject: str, value: Any) -> None:
        said = f"{subject} <{plan.predicate}>"
        if value is None and not plan.required and plan.default is None:
            self.loose.append(f"FILTER NOT EXISTS {{ {said} ?any }}")
            return
        variable = f"?v{next(self._numbers)}"
        if isinstance(value, dict):
            if plan.kind != "model":
                raise TypeError(f"{plan.name} is no object with fields of its own")
            self.firm.append(f"{said} {variable} .")
            self.meet(plan.target, variable, cast("dict[str, Any]", value))
        elif isinstance(value, Condition):
            terms = [_term(item, plan) for item in value.values]
            self.firm.append(
                f"{said} {variable} FILTER({value.expression.format(variable, *terms)})"
            )
        elif plan.required or plan.container != "one" or not same_value(value, plan.default):
            self.firm.append(f"{said} {_term(value, plan)} .")
        else:  # objects that are older than the field do not say it
            term = _term(value, plan)
            self.loose.append(
                f"OPTIONAL {{ {said} {variable} }} "
                f"FILTER(!BOUND({variable}) || SAMETERM({variable}, {term}))"
            )


def _term(value: Any, plan: FieldPlan) -> str:
    wanted = COMPARED[plan.kind]
    if not isinstance(value, wanted) or (isinstance(value, bool) and plan.kind != "bool"):
        names = " or ".join(kind.__name__ for kind in wanted)
        raise TypeError(f"{plan.name} is compared with {names}, not with {value!r}")
    return plan.write(value)
