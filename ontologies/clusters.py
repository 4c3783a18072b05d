"""Clusters of a molecule with molecules of a solvent around it."""

from __future__ import annotations

from ogm import GraphModel, Link

from .atoms import ConceptualAtoms
from .conformers import ConformerEnsemble
from .level import Level
from .quantum import EnergyResult
from .units import Hartree


class SolventCluster(GraphModel):
    """A molecule with a number of solvent molecules around it, in several geometries.

    The atoms of the solute come first, then those of each solvent molecule.

    Attributes:
        solute: the molecule in the middle, as given.
        solvent_molecule: one of them, as given.
        solvent_name: what the person called the solvent.
        count: how many molecules of it.
        engine: what made the geometries, with its settings.
        level: of geometries and energies.
        ensemble: the geometries, of lowest energy first.
        solute_energy: of the solute alone, relaxed from the geometry as given.
        solvent_energy: of a solvent molecule alone, relaxed.
        association_energy: the lowest cluster less all its molecules alone.
        solute_result: where the energy of the solute stands.
        solvent_result: where that of the solvent molecule stands.
        remarks: what a reader must know.
    """

    solute: ConceptualAtoms
    solvent_molecule: ConceptualAtoms
    solvent_name: str
    count: int
    engine: str
    level: Level
    ensemble: ConformerEnsemble
    solute_energy: Hartree
    solvent_energy: Hartree
    association_energy: Hartree
    solute_result: Link[EnergyResult]
    solvent_result: Link[EnergyResult]
    remarks: tuple[str, ...] = ()

    @property
    def energy_per_molecule(self) -> float:
        """The association energy for each solvent molecule, in Eh."""
        return self.association_energy / self.count
