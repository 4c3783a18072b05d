"""How a person names a force field."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from workflows.programs.xtb import XTB
from workflows.registry.levels import LevelForm

if TYPE_CHECKING:
    from ontologies.atoms import ConceptualAtoms
    from ontologies.forcefield import ForceFieldResolution
    from workflows.engine import Call


class ForceFieldRequest(LevelForm):
    """The force field, as a person names it."""

    method: Annotated[str, Field(description="GFN-FF.")]
    solvent: Annotated[str, Field(description="A solvent, such as water.")] = ""

    def resolution(self, atoms: ConceptualAtoms) -> Call[ForceFieldResolution]:
        """Return the calculation that finds out what this means, for whatever molecule.

        Raises:
            ComponentError: xtb is not installed.
        """
        from .levels import resolve_level

        version = XTB.required(f"{self.method} of {atoms.formula} was asked for")
        return resolve_level.bind(self.method, version, solvent=self.solvent)
