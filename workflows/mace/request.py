"""How a person names a checkpoint of MACE."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from ontologies.potentials import Precision
from workflows.engine.request.rules import Called, Rare
from workflows.potentials.request import Added
from workflows.registry.levels import LevelForm

if TYPE_CHECKING:
    from ontologies.atoms import ConceptualAtoms
    from ontologies.level import ResolvedLevel
    from workflows.engine import Call


class MACERequest(LevelForm):
    """The checkpoint of MACE, as a person names it."""

    method: Annotated[str, Field(description="MACE.")]
    checkpoint: Annotated[
        str, Rare("crystals"), Field(description="Of MACE: the file of the trained model.")
    ] = ""
    head: Annotated[
        str,
        Rare("crystals"),
        Field(description="Of a checkpoint with several: the level that it was trained on."),
    ] = ""
    precision: Annotated[
        Precision | None,
        Called("precision of this kind"),
        Rare("crystals"),
        Field(description="Of the numbers of MACE; that of the checkpoint if not given."),
    ] = None
    dispersion: Added = ""

    def resolution(self, atoms: ConceptualAtoms) -> Call[ResolvedLevel]:
        """Return the calculation that finds out what this means, for whatever crystal.

        Raises:
            ComponentError: the extra `mace` is not installed.
            InputError: no file is named, or it cannot be read.
        """
        from .files import digest_of
        from .levels import MACE, resolve_level

        asked = f"{self.method} of {atoms.formula} was asked for"
        version = MACE.required(asked)
        digest, name = digest_of(self.checkpoint, asked)
        return resolve_level.bind(
            self.method,
            version,
            digest,
            name,
            self.head,
            self.precision,
            dispersion=self.dispersion,
        )
