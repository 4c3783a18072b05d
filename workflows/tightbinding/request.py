"""How a person names a level of tight binding."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from workflows.engine.request.rules import Called, Ladder, Rare
from workflows.registry.levels import LevelForm

if TYPE_CHECKING:
    from ontologies.atoms import ConceptualAtoms
    from ontologies.tightbinding import TightBindingResolution
    from workflows.engine import Call


class TightBindingRequest(LevelForm):
    """The level of tight binding, as a person names it; its basis is its own."""

    method: Annotated[str, Field(description="GFN2-xTB, GFN1-xTB.")]
    solvent: Annotated[str, Field(description="A solvent, such as water.")] = ""
    solvation: Annotated[
        str,
        Rare(),
        Field(description="With GFN1 and GFN2: ALPB or GBSA; ALPB if a solvent is given."),
    ] = ""
    electronic_temperature: Annotated[
        float | None,
        Called("electronic temperature"),
        Rare(),
        Field(ge=0, allow_inf_nan=False, description="Of the electrons of GFN1 and GFN2, K."),
    ] = None
    accuracy: Annotated[
        float | None,
        Called("accuracy of this kind"),
        Rare(),
        Field(gt=0, allow_inf_nan=False, description="Factor on the thresholds of GFN1 and GFN2."),
    ] = None
    images_apart: Annotated[
        float | None,
        Called("distance of images"),
        Rare("crystals"),
        Ladder(((10.0, 13.0, 16.0, 20.0),)),
        Field(
            gt=0,
            le=100,
            description="Of crystals with GFN1 and GFN2: the supercell keeps images of an atom so "
            "far apart, Å; 10 if not given.",
        ),
    ] = None

    def resolution(self, atoms: ConceptualAtoms) -> Call[TightBindingResolution]:
        """Return the calculation that finds out what this means, for whatever molecule."""
        from .levels import resolve_level

        supercell = None
        if atoms.is_periodic:
            from workflows.crystal.supercell import IMAGES, repeats_for
            from workflows.crystal.surface import cell_of

            first, second, third = repeats_for(
                cell_of(atoms), IMAGES if self.images_apart is None else self.images_apart
            ).tolist()
            supercell = first, second, third
        return resolve_level.bind(
            self.method,
            solvation=self.solvation,
            solvent=self.solvent,
            electronic_temperature=self.electronic_temperature,
            accuracy=self.accuracy,
            supercell=supercell,
        )
