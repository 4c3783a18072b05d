"""How far two geometries of one molecule lie apart, superposed."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import asyncio
from typing import Annotated

import numpy as np
from pydantic import Field

from ontologies.alignment import kabsch
from ontologies.atoms import ConceptualAtoms
from ontologies.units import Floats
from triplestore.errors import InputError
from workflows.engine import Executor
from workflows.engine.request.definition import ActionDefinition, Given, PreparedAction, Product
from workflows.engine.request.form import Form, fill
from workflows.molecule.subject import MOLECULE_OF_ANY_SPIN, mol_of

from .sameness import deviation

MOST = 200
"""Atoms beyond which the numbering is taken as it stands."""


class RmsdForm(Form):
    """What a geometry is compared with."""

    structure: Annotated[
        str, Field(description="A geometry of the same molecule: a file or an IRI.")
    ]


def as_numbered(one: ConceptualAtoms, other: ConceptualAtoms) -> dict[str, float]:
    """Return root mean square distances of two geometries superposed atom by atom, in Å.

    Args:
        one: a geometry.
        other: another, whose atoms are numbered alike.

    Source: W. Kabsch, Acta Cryst. A 32, 922 (1976).
    """
    found = {"all atoms": _apart(one.positions, other.positions)}
    heavy = one.numbers > 1
    if heavy.sum() > 1 and not heavy.all():
        found["heavy atoms"] = _apart(one.positions[heavy], other.positions[heavy])
    return found


def _apart(one: Floats, other: Floats) -> float:
    points, moved = one - one.mean(axis=0), other - other.mean(axis=0)
    off = moved @ kabsch(points, moved).T - points
    return float(np.sqrt((off**2).sum(axis=1).mean()))


async def prepare_rmsd(
    given: Given[ConceptualAtoms], asked: RmsdForm, executor: Executor, file: str
) -> PreparedAction:
    """Find out what is compared; Python is handed the distances in Å by what they are of.

    Raises:
        GraficoError: a structure cannot be read, or they are not of one formula.
    """
    words = fill(MOLECULE_OF_ANY_SPIN.form, {})
    one = given.model
    second = await MOLECULE_OF_ANY_SPIN.read(asked.structure, words, executor)
    other = second.model
    if sorted(one.numbers.tolist()) != sorted(other.numbers.tolist()):
        raise InputError(
            f"the distance of {one.formula} and {other.formula}, superposed, was asked for",
            "they have different atoms",
            "give two geometries of one molecule",
        )
    if one.is_periodic or other.is_periodic:
        raise InputError(
            f"the distance of {one.formula} and {other.formula}, superposed, was asked for",
            "a crystal has no end to superpose",
            "give two molecules",
        )
    alike = bool(np.array_equal(one.numbers, other.numbers))
    smiles = await _smiles(given) if len(one.numbers) <= MOST else ""

    async def make() -> Product:
        found = as_numbered(one, other) if alike else {}
        notes: list[str] = []
        if not alike:
            notes.append("their atoms are numbered in different ways")
        if len(one.numbers) <= MOST:
            bonds = smiles
            try:
                any_way = await asyncio.to_thread(deviation, one, other, bonds)
            except InputError:
                notes.append("judged by their distances, they have different bonds")
                any_way = await asyncio.to_thread(deviation, one, other, bonds := "")
            what = "heavy atoms and polar hydrogens" if bonds else "all atoms"
            kept = "that keeps the bonds" if bonds else "of like atoms"
            found[f"{what}, by the numbering {kept} and fits best"] = any_way
        elif not alike:
            raise InputError(
                f"the distance of two geometries of {one.formula}, superposed, was asked for",
                f"they are numbered in different ways, which is sorted out up to {MOST} atoms",
                "number their atoms alike",
            )
        lines = [f"{value:8.4f} Å  {what}\n" for what, value in found.items()]
        told = {"rmsd_angstrom": found, "numbered_alike": alike}
        return Product("".join(lines), found, told, tuple(notes))

    return PreparedAction(make)


async def _smiles(given: Given[ConceptualAtoms]) -> str:
    """Return the bonds as SMILES; nothing where they are not known."""
    from rdkit import Chem

    try:
        mol = await mol_of(given)
    except InputError:
        return ""
    return str(Chem.MolToSmiles(Chem.RemoveHs(mol)))


RMSD = ActionDefinition(
    (RmsdForm,),
    MOLECULE_OF_ANY_SPIN,
    prepare_rmsd,
    help="Root mean square distances after superposition, in Å: atom by atom as they are numbered, "
    "and by the numbering that fits best.",
    endings=(".txt",),
)
