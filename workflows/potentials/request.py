"""How a person names a learned potential."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeAlias

from pydantic import Field

from workflows.engine.request.rules import Called, Rare
from workflows.registry.levels import LevelForm

if TYPE_CHECKING:
    from ontologies.atoms import ConceptualAtoms
    from ontologies.level import ResolvedLevel
    from workflows.engine import Call


Added: TypeAlias = Annotated[
    str,
    Called("other dispersion than its own"),
    Rare("crystals"),
    Field(
        description="To CHGNet, SevenNet and MACE: d3bj or d3zero, of the functional that they "
        "were trained on, or of another as in d3bj:pbe."
    ),
]
"""Of all learned potentials."""


class CHGNetRequest(LevelForm):
    """The learned potential, as a person names it."""

    method: Annotated[str, Field(description="CHGNet, or with its trained model: CHGNet-r2scan.")]
    trained_model: Annotated[
        str,
        Called("trained model"),
        Rare("crystals"),
        Field(description="Of CHGNet: 0.3.0 (PBE; if not given) or r2scan."),
    ] = ""
    dispersion: Added = ""

    def resolution(self, atoms: ConceptualAtoms) -> Call[ResolvedLevel]:
        """Return the calculation that finds out what this means, for whatever crystal.

        Raises:
            ComponentError: the extra `mlip` is not installed.
        """
        from .levels import CHGNET, resolve_level

        version = CHGNET.required(f"{self.method} of {atoms.formula} was asked for")
        model = CHGNET.model_asked(self.method, self.trained_model)
        return resolve_level.bind(CHGNET.title, version, model, dispersion=self.dispersion)
