"""The geometries of a result, frame after frame: of any that has several, or of the one it has."""

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
from workflows.molecule.writing import write
from workflows.show.object_blocks import title_of

ENERGY = "energy_hartree"


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
        mol: their bonds as RDKit has them, where these are known.
    """

    each: tuple[Frame, ...]
    mol: Any = None


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
        return Frames(tuple(_parts(parts, kg)), _bonds(owner))
    if isinstance(model, EnergyResult):
        return Frames((Frame(model.atoms, model.energy, f"{model.energy:.8f} Eh"),))
    raise InputError(
        f"the frames of a {type(model).__name__} were asked for",
        "it has no geometries with energies",
        "give a result, an ensemble, a path or a scan",
    )


def extended(frames: Frames) -> tuple[str, tuple[str, ...]]:
    """Return geometries as extended XYZ.

    Lengths are in Å; each frame has its energy in eV (`energy`, as ASE reads it) and in Eh.
    """
    from ase.units import Hartree

    parts = list[str]()
    for frame in frames.each:
        atoms, energy = frame.atoms, frame.energy
        head = "Properties=species:S:1:pos:R:3"
        head += f" charge={atoms.charge} multiplicity={atoms.multiplicity}"
        if energy is not None:
            head += f" energy={energy * Hartree!r} {ENERGY}={energy!r}"
        if atoms.cell is not None and atoms.periodic is not None:
            head += f' Lattice="{" ".join(map(repr, np.ravel(atoms.cell).tolist()))}"'
            head += f' pbc="{" ".join("FT"[bool(one)] for one in atoms.periodic)}"'
        rows = [
            f"{kind:2s} {x!r} {y!r} {z!r}"
            for kind, (x, y, z) in zip(atoms.symbols, atoms.positions.tolist(), strict=True)
        ]
        parts.append("\n".join([str(len(rows)), head, *rows, ""]))
    return "".join(parts), ()


def plain(frames: Frames) -> tuple[str, tuple[str, ...]]:
    """Return geometries as XYZ in Å; the comment line of each tells its energy in Eh."""
    found = [write(one.atoms, "xyz", None, one.told) for one in frames.each]
    notes = dict.fromkeys(note for one in found for note in one.notes)
    return "".join(one.text for one in found), tuple(notes)


def bonded(frames: Frames) -> tuple[str, tuple[str, ...]]:
    """Return geometries as SDF, with bonds; the field `energy_hartree` has the energy in Eh."""
    texts, notes = list[str](), dict[str, None]()
    for one in frames.each:
        written = write(one.atoms, "sdf", frames.mol, one.told)
        text = written.text
        if one.energy is not None:
            text = text.removesuffix("$$$$\n") + f"> <{ENERGY}>\n{one.energy!r}\n\n$$$$\n"
        texts.append(text)
        notes |= dict.fromkeys(written.notes)
    return "".join(texts), tuple(notes)


def _way(model: GraphModel) -> tuple[ConceptualAtoms, Any, list[float]] | None:
    """Return atoms, positions and energies of what has many positions of the same atoms."""
    atoms: Any = getattr(model, "atoms", None) or getattr(model, "initial", None)
    places, energies = getattr(model, "geometries", None), getattr(model, "energies", None)
    if not isinstance(atoms, ConceptualAtoms) or places is None or energies is None:
        return None
    return atoms, np.asarray(places), np.asarray(energies).tolist()


def _along(atoms: ConceptualAtoms, places: Any, energies: list[float]) -> Iterator[Frame]:
    for number, (place, energy) in enumerate(zip(places, energies, strict=True), 1):
        there = atoms.model_copy(update={"positions": place})
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


def _bonds(owner: GraphModel) -> Any:
    molecule, smiles = getattr(owner, "molecule", None), getattr(owner, "smiles", "")
    if not isinstance(molecule, ConceptualAtoms) or not smiles:
        return None
    from workflows.conformer.numbering import numbered

    return numbered(molecule, smiles)
