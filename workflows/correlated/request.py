"""How a person names a correlated level."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from ontologies.level import Reference
from workflows.dft.request.basis_sets import BASIS_SETS
from workflows.dft.request.forms import BASIS, IN_WORDS, METHOD
from workflows.engine.request.rules import Called, Rare
from workflows.registry.levels import LevelForm

if TYPE_CHECKING:
    from ontologies.atoms import ConceptualAtoms
    from ontologies.correlated import CorrelatedResolution
    from workflows.engine import Call


class CorrelatedRequest(LevelForm):
    """The level of a correlated wavefunction, as a person names it."""

    method: Annotated[str, METHOD, Field(description="MP2, DF-MP2, CCSD, CCSD(T).")]
    basis: Annotated[
        str,
        BASIS,
        Called("basis set"),
        BASIS_SETS,
        Field(description="A basis set, such as def2-TZVP."),
    ]
    reference: Annotated[
        Reference | None,
        IN_WORDS,
        Called("choice of reference"),
        Rare(),
        Field(description="Orbitals of alpha and beta spin; by the multiplicity if not given."),
    ] = None
    cartesian: Annotated[
        bool,
        Rare(),
        Called("Cartesian functions"),
        Field(description="Cartesian d and f functions, as in published 6-31G* values."),
    ] = False
    all_electrons: Annotated[
        bool,
        Rare(),
        Called("frozen core"),
        Field(description="Correlate the electrons of the cores too."),
    ] = False

    def resolution(self, atoms: ConceptualAtoms) -> Call[CorrelatedResolution]:
        """Return the calculation that finds out what this means for a molecule."""
        from .levels import resolve_level

        closed = atoms.multiplicity == 1
        return resolve_level.bind(
            self.method,
            self.basis,
            self.reference or ("restricted" if closed else "unrestricted"),
            all_electrons=self.all_electrons,
            cartesian=self.cartesian or None,
        )
