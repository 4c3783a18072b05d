"""What is stored: carbon skeletons, levels and results."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from ogm import GraphModel, Moves, Shaped, Unit, Vocabulary
from ontologies.level import Level, ResolvedLevel
from ontologies.quantum import EnergyResult
from ontologies.units import ElectronVolt, Floats

OWN = Vocabulary("https://example.org/huckel#")

OrbitalEnergies: TypeAlias = Annotated[Floats, Shaped("* orbitals"), Unit("EV"), Moves("fixed")]
Bonds: TypeAlias = Annotated[Floats, Shaped("* bonds"), Unit("UNITLESS"), Moves("fixed")]


class Skeleton(GraphModel, vocab=OWN):
    """Carbon atoms in a row, each with one pi electron.

    Attributes:
        carbons: how many.
        ring: whether the last one is bonded to the first.
    """

    carbons: int
    ring: bool = False

    @property
    def name(self) -> str:
        """Such as `ring of 6`."""
        return f"{'ring' if self.ring else 'chain'} of {self.carbons}"


class Huckel(Level, vocab=OWN):
    """Hückel's method; energies count from that of an electron on a lone carbon atom, α = 0.

    Attributes:
        resonance: the energy -β that two neighbours win by sharing an electron.
    """

    program: str = "huckel"
    resonance: ElectronVolt = 2.7


class HuckelResolution(ResolvedLevel, vocab=OWN):
    """What was asked for."""


class HuckelEnergy(EnergyResult, vocab=OWN):
    """The energy of the pi electrons of a molecule."""


class PiOrbitals(GraphModel, vocab=OWN, identity="result"):
    """The pi orbitals of a skeleton.

    Attributes:
        skeleton: whose they are.
        level: how they were found.
        energy: of all pi electrons.
        gap: from the highest occupied to the lowest empty orbital.
        orbitals: their energies, the lowest first.
    """

    skeleton: Skeleton
    level: Huckel
    energy: ElectronVolt
    gap: ElectronVolt
    orbitals: OrbitalEnergies


class PiBonds(GraphModel, vocab=OWN, identity="result"):
    """How strong the pi bonds of a skeleton are.

    Attributes:
        skeleton: whose they are.
        level: how they were found.
        orders: of the bond from each atom to the next, of a ring also back to the first.
    """

    skeleton: Skeleton
    level: Huckel
    orders: Bonds
