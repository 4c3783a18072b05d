"""Conditions on the fields of a class, as SPARQL patterns about `?this`."""

from __future__ import annotations

import enum
import itertools
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, cast

from triplestore import Table

from .conditions import Condition
from .equality import same_value
from .fields import FieldPlan, Kind
from .links import Link
from .model import GraphModel, subclasses
from .terms import ORDER_DATATYPE, RDF_TYPE, SCHEMA_VERSION

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


FEW = 100
"""As far as matches are counted to find which condition leaves fewest."""


def patterns(
    cls: type[GraphModel],
    sparql: str,
    conditions: Mapping[str, Any],
    ask: Callable[[str], Table] | None = None,
) -> str:
    """Return the patterns that say that `?this` is of a class and meets conditions.

    Engines join in the order in which patterns are written, so those that few objects meet stand
    first and the class last. Which they are is asked of the store, where there are several.

    Raises:
        TypeError: a field that the class does not have, an array, or a value of another type.
    """
    where = _Where()
    where.meet(cls, "?this", conditions)
    if ask is not None and len(where.equal) > 1:
        where.equal = _fewest_first(where.equal, ask)
    terms = list(dict.fromkeys(f"<{sub.term()}>" for sub in subclasses(cls)))
    if len(terms) == 1:
        of_class = f"?this <{RDF_TYPE}> {terms[0]} ."
    elif not conditions and not sparql:
        of_class = f"VALUES ?class {{ {' '.join(terms)} }} ?this <{RDF_TYPE}> ?class ."
    else:
        of_class = f"?this <{RDF_TYPE}> ?class FILTER(?class IN ({', '.join(terms)}))"
    if not sparql:
        own = [of_class]
    elif re.match(r"\s*(FILTER|OPTIONAL|MINUS|BIND)\b", sparql, re.IGNORECASE):
        own = [of_class, sparql + "\n"]  # about what is bound before; it may end in a comment
    else:
        own = [sparql + "\n", f"FILTER EXISTS {{ {of_class} }}"]
    return " ".join([*where.equal, *where.firm, *own, *where.loose])


def older(cls: type[GraphModel], most: int) -> str:
    """Return a query for objects of which no form of the class's schema version is stored."""
    now = f"<{SCHEMA_VERSION}> {cls.schema_version()}"
    return (
        f"SELECT ?this {{ ?this <{RDF_TYPE}> <{cls.term()}> . "
        f"FILTER NOT EXISTS {{ ?this {now} }} }} LIMIT {most}"
    )


def _fewest_first(found: list[str], ask: Callable[[str], Table]) -> list[str]:
    """Sort patterns by how many objects match each, counted up to a bound, in one question."""
    counts = " UNION ".join(
        f"{{ SELECT ({number} AS ?i) (COUNT(*) AS ?n) "
        f"{{ SELECT ?this {{ {pattern} }} LIMIT {FEW} }} }}"
        for number, pattern in enumerate(found)
    )
    rows = ask(f"SELECT ?i ?n {{ {counts} }}").rows
    numbers = [[int(str(getattr(term, "value", 0))) for term in row] for row in rows]
    return [found[i] for i, _ in sorted(numbers, key=lambda pair: pair[1])]


class _Where:
    """Patterns by what they ask: a value, something else that must match, what may be missing."""

    def __init__(self) -> None:
        self.equal: list[str] = []
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
            self._condition(plan, said, variable, value)
        else:
            term = _term(value, plan)
            if not _by_default(value, plan):
                clauses = self.equal if subject == "?this" else self.firm
                clauses.append(f"{said} {term} .")
            else:  # objects that are older than the field do not say it
                silent = f"NOT EXISTS {{ {said} ?any }}"
                self.loose.append(f"FILTER(EXISTS {{ {said} {term} }} || {silent})")

    def _condition(self, plan: FieldPlan, said: str, variable: str, value: Condition) -> None:
        if value.compares:
            _check_order(plan, value.values)
        terms = [_term(item, plan) for item in value.values]
        pattern = _matching(plan, said, variable, value, terms)
        if _default_holds(plan, value):  # objects that are older than the field do not say it
            silent = f"NOT EXISTS {{ {said} ?any }}"
            self.loose.append(f"FILTER(EXISTS {{ {pattern} }} || {silent})")
        else:
            self.firm.append(pattern)


def _check_order(plan: FieldPlan, values: tuple[Any, ...]) -> None:
    """Refuse comparisons by size that stores cannot make.

    Raises:
        TypeError: objects, truth values, or integers of more than 64 bits.
    """
    if plan.kind in ("link", "model", "bool"):
        raise TypeError(f"{plan.name}: it has no order; give a value that it equals, or one_of(…)")
    if any(isinstance(item, int) and abs(item) >= 2**63 for item in values):
        raise TypeError(f"{plan.name}: stores compare integers of up to 64 bits")


def _matching(plan: FieldPlan, said: str, variable: str, value: Condition, terms: list[str]) -> str:
    """Return the pattern of those that say a field and meet a condition."""
    if not value.expression:
        return f"VALUES {variable} {{ {' '.join(terms)} }} {said} {variable} ."
    condition = value.expression.format(variable, *terms)
    if value.compares and plan.kind == "int":  # an engine may know no larger ones
        condition = f"COALESCE({condition}, {value.beyond.format(variable)})"
    if value.compares and plan.kind == "float":
        # to some engines NaN is the largest number
        unordered = any(item != item for item in value.values)
        condition = "false" if unordered else f'{condition} && STR({variable}) != "NaN"'
    if plan.container != "one":  # the order of several values is none of them
        condition = f"DATATYPE({variable}) != <{ORDER_DATATYPE}> && {condition}"
    return f"{said} {variable} . FILTER({condition})"


def _default_holds(plan: FieldPlan, value: Condition) -> bool:
    """Tell whether an object that does not say a field meets a condition by its default."""
    if plan.required or plan.default is None:
        return False
    items = (plan.default,) if plan.container == "one" else plan.default
    return any(value.holds(_plain(item), *map(_plain, value.values)) for item in items)


def _plain(value: Any) -> Any:
    return str(value.value) if isinstance(value, enum.Enum) else value


def _by_default(value: Any, plan: FieldPlan) -> bool:
    """Tell whether an object that does not say a field meets a value by the field's default."""
    if plan.required or plan.default is None:
        return False
    if plan.container == "one":
        return same_value(value, plan.default)
    return any(same_value(value, item) for item in plan.default)


def _term(value: Any, plan: FieldPlan) -> str:
    wanted = (plan.target,) if plan.kind == "enum" else COMPARED[plan.kind]
    if not isinstance(value, wanted) or (isinstance(value, bool) and plan.kind != "bool"):
        names = " or ".join(kind.__name__ for kind in wanted)
        raise TypeError(f"{plan.name} is compared with {names}, not with {value!r}")
    if plan.kind == "float" and isinstance(value, int) and abs(value) > 2**53:
        raise TypeError(f"{plan.name}: {value} need not be a float; give float({value})")
    return plan.write(value)
