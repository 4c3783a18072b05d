"""What is shown of a structure."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.connectivity import connectivity
from workflows.show.blocks import Block, Column, Fact, Note, Structure, Table
from workflows.show.object_blocks import Around, identifies, shows

from .spin import ground_multiplicity


@identifies(ConceptualAtoms)
def charge_and_spin(atoms: ConceptualAtoms) -> tuple[Fact, ...]:
    """Return what tells a molecule from others of its formula."""
    return (
        Fact("charge", atoms.charge, name="charge", digits="+d"),
        Fact("multiplicity", atoms.multiplicity, name="multiplicity"),
    )


@shows(ConceptualAtoms, title="structure")
def _(atoms: ConceptualAtoms, around: Around) -> Iterator[Block]:
    del around
    yield Fact(
        "molecule",
        atoms.formula,
        name="formula",
        iri=atoms.iri,
        also=charge_and_spin(atoms),
        headline=True,
    )
    ground = ground_multiplicity(atoms)
    if ground not in (None, atoms.multiplicity):
        yield Note(f"the ground state has multiplicity {ground}", minor=True)
    yield structure(atoms)
    rows = zip(atoms.symbols, atoms.positions.tolist(), strict=True)
    yield Table(
        "Cartesian coordinates",
        (
            Column("atom"),
            *(Column(axis, "Å", f"positions_{axis}", ".6f") for axis in "xyz"),
        ),
        tuple((f"{symbol}{n}", *place) for n, (symbol, place) in enumerate(rows, 1)),
        name="positions",
        iri=atoms.iri,
        minor=True,
        fields=("numbers",),
    )


def structure(atoms: ConceptualAtoms, title: str = "", note: str = "") -> Structure:
    """Return a structure with the bonds between its atoms that are drawn.

    Args:
        atoms: the structure.
        title: for people; its formula as people write it if empty.
        note: what belongs to it.
    """
    places = atoms.positions
    bonds = [
        (bond.first, bond.second, 0.0)
        for bond in connectivity(atoms).bonds
        if np.linalg.norm(places[bond.second] - places[bond.first]) < bond.length + 0.01
    ]  # not those to an image in the next cell
    return Structure(
        title or written(atoms),
        atoms.iri,
        tuple(atoms.symbols),
        tuple((x, y, z) for x, y, z in places.tolist()),
        tuple(dict.fromkeys(bonds)),
        () if atoms.cell is None else tuple((x, y, z) for x, y, z in atoms.cell.tolist()),
        "structure",
        note,
    )


def written(atoms: ConceptualAtoms) -> str:
    """Return a formula with lowered counts and raised charge."""
    lowered = atoms.formula.translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))
    size = str(abs(atoms.charge)) if abs(atoms.charge) > 1 else ""
    raised = size.translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return lowered + (f"{raised}{'⁺' if atoms.charge > 0 else '⁻'}" if atoms.charge else "")
