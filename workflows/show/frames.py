"""The geometries of an object, in a row: of any that has several, or of the one that it has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ogm import GraphModel, KnowledgeGraph, Link
from ogm.fields import members
from ontologies.atoms import ConceptualAtoms
from ontologies.level import Level
from ontologies.quantum import EnergyResult
from ontologies.units import symbol
from triplestore.errors import InputError

from .object_blocks import title_of


@dataclass(frozen=True)
class Frame:
    """One geometry.

    Attributes:
        atoms: the geometry.
        energy: in Eh; None where it has none.
        told: what it is among the others, in words.
    """

    atoms: ConceptualAtoms
    energy: float | None
    told: str = ""


@dataclass(frozen=True)
class Frames:
    """The geometries of a result, in its own order: an ensemble has the lowest first.

    Attributes:
        each: the geometries.
        owner: the object that has them as parts, which may know their bonds; None for none.
    """

    each: tuple[Frame, ...]
    owner: GraphModel | None = None


def has_frames(model: GraphModel) -> bool:
    """Return whether an object has a geometry with an energy, or several."""
    return isinstance(model, EnergyResult) or bool(_way(model)) or _holder(model) is not None


def frames_of(model: GraphModel, kg: KnowledgeGraph | None = None) -> Frames:
    """Return the geometries of an object.

    Args:
        model: a result, a path, a scan, an ensemble, or what holds one.
        kg: finds geometries that are stored elsewhere.

    Raises:
        InputError: it has none.
    """
    if way := _way(model):
        return Frames(tuple(_along(*way)))
    if (holder := _holder(model)) is not None:
        owner, parts = holder
        return Frames(tuple(_parts(parts, kg)), owner)
    if isinstance(model, EnergyResult):
        return Frames((Frame(model.atoms, model.energy, f"{model.energy:.8f} Eh"),))
    raise InputError(
        f"the frames of a {type(model).__name__} were asked for",
        "it has no geometries with energies",
        "give a result, an ensemble, a path or a scan",
    )


def _way(model: GraphModel) -> tuple[ConceptualAtoms, Any, list[float], Any] | None:
    """Return atoms, positions, energies and cells of what has many positions of the same atoms."""
    atoms: Any = getattr(model, "atoms", None) or getattr(model, "initial", None)
    places, energies = getattr(model, "geometries", None), getattr(model, "energies", None)
    if not isinstance(atoms, ConceptualAtoms) or places is None or energies is None:
        return None
    cells = getattr(model, "cells", None)
    return atoms, np.asarray(places), np.asarray(energies).tolist(), cells


def _along(
    atoms: ConceptualAtoms, places: Any, energies: list[float], cells: Any
) -> Iterator[Frame]:
    for number, (place, energy) in enumerate(zip(places, energies, strict=True), 1):
        cell = {} if cells is None else {"cell": cells[number - 1]}
        there = atoms.model_copy(update={"positions": place, **cell})
        yield Frame(there, energy, f"frame {number}, {energy:.8f} Eh")


def _holder(model: GraphModel) -> tuple[GraphModel, list[GraphModel]] | None:
    """Return what has several parts with a geometry and an energy each: the object, or its part."""
    inner = list[GraphModel]()
    for plan in type(model).fields():
        if plan.kind != "model":
            continue
        found: list[GraphModel] = list(members(getattr(model, plan.name), plan))
        names = {one.name for one in type(found[0]).fields()} if found else set[str]()
        if plan.container != "one" and names >= {"atoms", "energy"}:
            return model, found
        inner += [one for one in found if not isinstance(one, Level | ConceptualAtoms)]
    held = (_holder(one) for one in inner if not isinstance(model, EnergyResult))
    return next((one for one in held if one is not None), None)


def _parts(parts: list[GraphModel], kg: KnowledgeGraph | None) -> Iterator[Frame]:
    for place, part in enumerate(parts, 1):
        held: dict[str, Any] = {plan.name: getattr(part, plan.name) for plan in type(part).fields()}
        atoms, energy = held["atoms"], float(held["energy"])
        if isinstance(atoms, Link):
            assert kg is not None
            atoms = kg.pull(ConceptualAtoms, atoms.iri)
        told = [f"{title_of(type(part))} {getattr(part, 'number', place)}", f"{energy:.8f} Eh"]
        for plan in type(part).fields():
            value = held[plan.name]
            if plan.name != "energy" and isinstance(value, float):
                unit = symbol(plan.unit)
                said = f"{value:.8f}" if unit == "Eh" else f"{value:.4f}"
                told.append(f"{plan.name.replace('_', ' ')} {said} {unit}".rstrip())
        yield Frame(atoms, energy, ", ".join(told))
