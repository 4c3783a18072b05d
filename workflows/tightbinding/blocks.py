"""What is shown of tight binding: the frontier, charges, bonds, what the solvent does."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ontologies.tightbinding import TightBindingResult
from workflows.dft.blocks import WEAK, frontier, per_atom
from workflows.geometry.dipoles import dipole_facts
from workflows.show.blocks import Block, Column, Fact, Table
from workflows.show.object_blocks import Around, shows
from workflows.text.words import numbered

SHOWN_ATOMS = 30
"""Up to so many atoms charges and bonds are told at once; of more they are a detail."""


@shows(TightBindingResult)
def _(found: TightBindingResult, around: Around) -> Iterator[Block]:
    del around
    if (part := found.solvation_free_energy) is not None:
        yield Fact(
            "  of it solvation",
            part,
            "Eh",
            "solvation_free_energy",
            digits=".8f",
            note="less the energy in the gas phase at this geometry",
            difference=True,
        )
    yield from dipole_facts(found.atoms, found.dipole)
    yield from frontier(found)
    detail = len(found.atoms.numbers) > SHOWN_ATOMS
    charges = [("Mulliken", "mulliken_charges", found.mulliken_charges)]
    yield per_atom(found.atoms, charges, detail)
    yield _bonds(found, detail)


def _bonds(found: TightBindingResult, detail: bool) -> Table:
    """Return length and order of each bond that is not weak."""
    names, places = numbered(found.atoms.symbols), found.atoms.positions
    rows = tuple(
        (
            f"{names[one]}–{names[two]}",
            float(found.bond_orders[one, two]),
            float(np.linalg.norm(places[two] - places[one])),
        )
        for one, two in np.argwhere(np.triu(found.bond_orders, 1) >= WEAK).tolist()
    )
    columns = (
        Column("bond", name="bond"),
        Column("bond orders", name="bond_orders", digits=".2f"),
        Column("length", "Å", "length", ".4f", minor=True),
    )
    return Table("Bonds", columns, rows, "bonds", note="Mayer", lines="columns", minor=detail)
