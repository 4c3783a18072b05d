"""What results come to together: changes of reactions, strain, pKa, gaps of states.

What is right is a sum over references; what was found is a field of an object that is about these
very molecules.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias, cast

from pydantic import BaseModel, ConfigDict

from ogm import GraphModel, KnowledgeGraph, Link
from ontologies.atoms import ConceptualAtoms
from ontologies.derived import DerivedQuantity
from ontologies.factors import GAS_CONSTANT, HARTREE
from ontologies.quantum import EnergyResult
from ontologies.reactions import SpeciesEnergy

from ._molecules import distance
from ._numeric import Aspect, Tolerances
from ._references import TEMPERATURE, reference

Unit: TypeAlias = Literal["Eh", "eV", "pKa"]

RT_LN_10 = GAS_CONSTANT * TEMPERATURE * math.log(10) / 1000 / HARTREE["kJ/mol"]
"""Of a unit of pKa, in Eh."""

PER: Mapping[Unit, Mapping[str, float]] = {
    "Eh": {"": 1.0, "Eh": 1.0, "hartree": 1.0, **HARTREE},
    "eV": {"": 1.0, **{name: one / HARTREE["eV"] for name, one in HARTREE.items()}},
    "pKa": {"": 1.0},
}
"""By which a value is multiplied where it is written in another unit."""

ROUNDED: Mapping[Unit, float] = {"Eh": 3e-4, "eV": 0.006, "pKa": 0.25}
"""By how much an answer may be off, rounding included."""


class Total(BaseModel):
    """What molecules come to together.

    Attributes:
        sum: references, and how often each counts; those that count whole are what it is about.
        values: a value of references, and class and field where it is found.
        plus: added to it.
        unit: of the field; pKa are Eh over RT ln 10.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    sum: dict[str, float]
    values: dict[str, str]
    plus: float = 0.0
    unit: Unit = "Eh"

    def right(self, value: str) -> float:
        """Return what is right, in its unit."""
        every = (n * getattr(reference(name), value) for name, n in self.sum.items())
        return math.fsum(every) / (RT_LN_10 if self.unit == "pKa" else 1) + self.plus

    @property
    def known(self) -> list[str]:
        """Those of the values that references have."""
        return [value for value in self.values if not math.isnan(self.right(value))]

    def judged(self, objects: Sequence[GraphModel], tolerances: Tolerances) -> Iterator[Aspect]:
        """Yield whether each value that is known was found."""
        limits: Mapping[Unit, float] = {
            "Eh": tolerances.change, "eV": tolerances.excitation, "pKa": tolerances.pKa
        }  # fmt: skip
        for value in self.known:
            found, right = self.found(objects, self.values[value]), self.right(value)
            told = "not there" if found is None else f"{found:.6g} {self.unit} for {right:.6g}"
            close = found is not None and abs(found - right) <= limits[self.unit]
            yield Aspect(" + ".join(self._about), value, "" if close else told)

    def found(self, objects: Sequence[GraphModel], place: str) -> float | None:
        """Return the field of the last object about these molecules, no more and no less."""
        kind, field = place.split(".")
        about = [reference(name).atoms for name in self._about]
        for one in reversed(objects):
            if type(one).__name__ == kind and _same(_subjects(one, objects), about):
                return getattr(one, field)
            if isinstance(one, DerivedQuantity) and _same(_subjects(one, objects), about):
                factor = PER[self.unit].get(one.unit)
                return None if factor is None else one.value / factor
        return None

    def written(self, value: str, numbers: Sequence[float]) -> bool:
        """Tell whether numbers of an answer have a value in any unit, as far as it is rounded."""
        right, room = self.right(value), ROUNDED[self.unit]
        per = PER[self.unit].values()
        return any(abs(one / factor - right) <= room for factor in per for one in numbers)

    @property
    def _about(self) -> list[str]:
        return [name for name, n in self.sum.items() if abs(n) == 1]


def opened(objects: Sequence[GraphModel], kg: KnowledgeGraph) -> list[GraphModel]:
    """Return objects with all that is in them, each before what it is in, the last one last.

    What a result links to is loaded where that is about several molecules.
    """
    found: dict[str, GraphModel] = {}

    def walk(value: Any, load: bool) -> None:
        if isinstance(value, GraphModel):
            for name in type(value).model_fields:
                walk(getattr(value, name), load)
            found.pop(value.iri, None)
            found[value.iri] = value
        elif isinstance(value, Link):
            if load:
                walk(cast("Link[GraphModel]", value).load(kg), False)
        elif isinstance(value, tuple | list | frozenset):
            for one in cast("Sequence[Any]", value):
                walk(one, load)

    for one in objects:
        walk(one, not isinstance(one, EnergyResult))
    return list(found.values())


def _subjects(one: GraphModel, objects: Sequence[GraphModel]) -> list[ConceptualAtoms]:
    """Return the structures that a result is about; those of a reaction are its species'."""
    links = [each.result for each in _species(one)]
    if isinstance(one, DerivedQuantity):
        links = [*one.of]
    wanted = {link.iri for link in links}
    about = [each for each in objects if each.iri in wanted] if links else [one]
    found = [getattr(each, "atoms", None) for each in about]
    return [each for each in found if isinstance(each, ConceptualAtoms)]


def _species(value: Any) -> Iterator[SpeciesEnergy]:
    if isinstance(value, SpeciesEnergy):
        yield value
    elif isinstance(value, GraphModel):
        for name in type(value).model_fields:
            yield from _species(getattr(value, name))
    elif isinstance(value, tuple):
        for one in cast("tuple[Any, ...]", value):
            yield from _species(one)


def _same(some: Sequence[ConceptualAtoms], others: Sequence[ConceptualAtoms]) -> bool:
    """Tell whether the same molecules are in both."""

    def within(one: ConceptualAtoms, all: Sequence[ConceptualAtoms]) -> bool:
        return any(each.charge == one.charge and distance(one, each) is not None for each in all)

    return (
        bool(some)
        and all(within(one, others) for one in some)
        and all(within(one, some) for one in others)
    )
