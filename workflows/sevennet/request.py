"""How a person names a model of SevenNet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from workflows.engine.request.rules import Called, Rare
from workflows.potentials.request import Added
from workflows.registry.levels import LevelForm

if TYPE_CHECKING:
    from ontologies.atoms import ConceptualAtoms
    from ontologies.level import ResolvedLevel
    from workflows.engine import Call


class SevenNetRequest(LevelForm):
    """The learned potential, as a person names it."""

    method: Annotated[str, Field(description="SevenNet, or with its trained model: SevenNet-l3i5.")]
    trained_model: Annotated[
        str,
        Called("trained model"),
        Rare("crystals"),
        Field(description="Of SevenNet: 0 (if not given), 0-22May2024, l3i5 or MF-0."),
    ] = ""
    modal: Annotated[
        str,
        Called("modal"),
        Rare("crystals"),
        Field(description="Of SevenNet MF-0: PBE (if not given) or R2SCAN."),
    ] = ""
    dispersion: Added = ""

    def resolution(self, atoms: ConceptualAtoms) -> Call[ResolvedLevel]:
        """Return the calculation that finds out what this means, for whatever crystal.

        Raises:
            ComponentError: the extra `mlip` is not installed.
        """
        from .levels import SEVENNET, resolve_level

        version = SEVENNET.required(f"{self.method} of {atoms.formula} was asked for")
        model = SEVENNET.model_asked(self.method, self.trained_model)
        return resolve_level.bind(
            SEVENNET.title, version, model, self.modal, dispersion=self.dispersion
        )
