"""How a person names the level of a functional in a crystal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from workflows.engine.request.rules import Called, Ladder, Rare
from workflows.registry.levels import LevelForm
from workflows.text.names import plain

if TYPE_CHECKING:
    from ontologies.atoms import ConceptualAtoms
    from ontologies.kpoints import PeriodicKohnShamResolution
    from workflows.engine import Call

APART = 8.0
"""Å. As long a supercell as the k-points stand for, where nobody asks for others."""


class PeriodicRequest(LevelForm):
    """The level of a functional in a crystal, as a person names it."""

    method: Annotated[str, Field(description="GTH-PBE.")]
    basis: Annotated[str, Called("basis set"), Field(description="Or gth-dzvp.")] = (
        "gth-dzvp-molopt-sr"
    )
    k_points: Annotated[
        int,
        Called("number of k-points"),
        Rare("crystals"),
        Ladder(((1, 2, 3, 4, 6, 8),)),
        Field(
            ge=0,
            le=24,
            description="Of crystals with GTH: along each reciprocal vector; 0 for what a "
            "supercell of 8 Å stands for.",
        ),
    ] = 0
    grid_cutoff: Annotated[
        float,
        Called("cut-off"),
        Rare("crystals"),
        Ladder(((60.0, 100.0, 140.0, 200.0),)),
        Field(gt=1, le=2000, description="Of the grid of crystals with GTH, Eh."),
    ] = 100.0

    @classmethod
    def suits(cls, name: str, value: object) -> bool:
        from .levels import BASES

        return name != "basis" or plain(str(value)) in map(plain, BASES)

    def resolution(self, atoms: ConceptualAtoms) -> Call[PeriodicKohnShamResolution]:
        """Return the calculation that finds out what this means for a crystal."""
        from workflows.crystal.supercell import repeats_for
        from workflows.crystal.surface import cell_of

        from .levels import resolve_level

        one = two = three = self.k_points
        if not self.k_points:
            if atoms.cell is None:
                one = two = three = 1
            else:
                one, two, three = repeats_for(cell_of(atoms), APART).tolist()
        return resolve_level.bind(self.method, self.basis, (one, two, three), self.grid_cutoff)
