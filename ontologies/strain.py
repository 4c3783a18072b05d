"""Ring strain: how much higher a ring lies than chains of the same links."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ogm import GraphModel

from .atoms import ConceptualAtoms
from .reactions import ReactionEnergy
from .units import Hartree

StrainScheme: TypeAlias = Literal["isodesmic", "homodesmotic", "hyperhomodesmotic", "contraction"]


class RingStrain(GraphModel):
    """How much higher a ring lies than strainless chains, or than the ring of reference.

    Attributes:
        ring: the molecule as given.
        ring_size: how many atoms are in the ring.
        scheme: which reactions are taken.
        reference_size: of the ring whose strain is taken as zero; None where chains are.
        reactions: what they take or give.
        signs: by which these are added up, in the same order: 1 or -1.
        strain_energy: by electronic energies.
        strain_enthalpy: None without vibrations.
        strain_gibbs: Gibbs energy, each species at the pressure; None without vibrations.
    """

    ring: ConceptualAtoms
    ring_size: int
    scheme: StrainScheme
    reference_size: int | None = None
    reactions: tuple[ReactionEnergy, ...]
    signs: tuple[int, ...]
    strain_energy: Hartree
    strain_enthalpy: Hartree | None = None
    strain_gibbs: Hartree | None = None
