"""Which of the numbers that a store holds were computed, counted or set, and which are just said.

A person or a model can have any text stored, and with it any number: questions, answers, names,
code, commands. So a number of the store is a source only where a calculation, a measurement or a
derivation has put it there, in a field of its own.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeAlias, get_args

from ogm import GraphModel
from ogm.fields import FieldPlan
from ogm.model import storable

from .atoms import ConceptualAtoms
from .derived import DerivedQuantity
from .laboratory import PercentConversion
from .level import Dispersion, Level, Solvation
from .provenance import Activity

Origin: TypeAlias = Literal["stored", "setting", "count"]

BESIDE = (
    Activity,
    ConceptualAtoms,
    DerivedQuantity,
    Dispersion,
    Level,
    PercentConversion,
    Solvation,
)
"""Classes whose numbers count beside those of results and of what is made of results."""

SETTINGS = frozenset(
    {
        "amplitude",
        "cutoff",
        "dielectric",
        "optical_dielectric",
        "pressure",
        "symmetry_tolerance",
        "temperature",
    }
)
"""Fields of them that repeat what was asked for."""

REMARKS = "remarks"
"""The field of a result whose texts are the calculation's own."""

_NUMBERS = ("float", "int", "array")


@functools.cache
def is_origin(cls: type[GraphModel]) -> bool:
    """Tell whether the numbers of a class were computed: a result, or a value made of results."""
    if cls.identity() == "result" or issubclass(cls, BESIDE):
        return True
    return cls.identity() == "value" and any(
        one is not cls and one not in BESIDE and is_origin(one)
        for item in cls.model_fields.values()
        for one in _classes(item.annotation)
    )


def _classes(annotation: Any) -> Iterator[type[GraphModel]]:
    """Iterate over the classes that an annotation names, those of links among them."""
    if isinstance(annotation, type) and issubclass(annotation, GraphModel):
        if annotation is not GraphModel:
            yield annotation
        return
    for part in get_args(annotation):
        yield from _classes(part)


@functools.cache
def origins(cls: type[GraphModel]) -> Mapping[str, Origin]:
    """Return the fields of a class whose numbers are sources, and of what kind."""
    if not is_origin(cls):
        return {}
    return {plan.name: _origin(plan) for plan in cls.fields() if plan.kind in _NUMBERS}


def _origin(plan: FieldPlan) -> Origin:
    if plan.name in SETTINGS:
        return "setting"
    return "count" if plan.kind == "int" else "stored"


def class_named(name: str) -> type[GraphModel] | None:
    """Return the class of a name, None where there is none."""
    return next((cls for cls in _every() if cls.__name__ == name), None)


def is_pure(name: str) -> bool:
    """Tell whether numbers of a name have no unit: fields of that name have none, in all classes.

    Args:
        name: of a field, or as it is shown, such as `void fraction, He`.
    """
    classes = _every()
    return name.partition(",")[0].strip().replace(" ", "_").lower() in _pure(len(classes))


@functools.lru_cache(2)
def _pure(_: int) -> frozenset[str]:
    """Return the names of the fields without a unit; asked again when there are more classes."""
    plans = [plan for cls in _every() for plan in cls.fields() if plan.kind in _NUMBERS]
    units = {plan.name for plan in plans if plan.unit and plan.unit.code != "UNITLESS"}
    return frozenset(plan.name for plan in plans) - units


def _every() -> list[type[GraphModel]]:
    import ontologies  # its classes are found through GraphModel

    assert ontologies.__all__
    return list(storable(GraphModel))


def sources() -> list[type[GraphModel]]:
    """Return the classes that have numbers which are sources."""
    return [cls for cls in _every() if origins(cls) or REMARKS in cls.model_fields]
