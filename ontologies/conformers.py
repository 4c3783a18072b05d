"""Conformers: the geometries that one molecule can take, and how much of it is in each."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ogm import GraphModel, Link

from .atoms import ConceptualAtoms
from .level import Level
from .quantum import EnergyResult
from .units import Angstrom, Hartree, HartreePerKelvin, Kelvin, Number
from .vibrations import Thermochemistry

WeightedBy: TypeAlias = Literal["energy", "Gibbs energy"]


class ConformerCandidates(GraphModel, identity="result"):
    """Geometries from which conformers are relaxed, of lowest energy first.

    Attributes:
        molecule: which; its atoms are numbered as theirs.
        structures: the geometries.
        sampler: what made them, with its settings, such as `RDKit ETKDGv3, MMFF94`.
        remarks: what a reader must know, such as what was left out and why.
    """

    molecule: ConceptualAtoms
    structures: tuple[ConceptualAtoms, ...]
    sampler: str
    remarks: tuple[str, ...] = ()


class ConformersOfFile(GraphModel):
    """Geometries of one molecule that a file holds: an ensemble that somebody else has made.

    Attributes:
        molecule: the first of them, with charge and multiplicity; their atoms are numbered alike.
        smiles: its bonds; empty where these are not known.
        structures: the geometries, in the order of the file.
        source_name: what the file is called.
        digest: SHA-256 of the file.
    """

    molecule: ConceptualAtoms
    smiles: str = ""
    structures: tuple[ConceptualAtoms, ...]
    source_name: str
    digest: str

    @property
    def sampler(self) -> str:
        """What made the geometries, as far as is known."""
        return f"not made here: read from {self.source_name} (SHA-256 {self.digest[:16]}…)"


class SamenessThresholds(GraphModel):
    """How near two geometries are that are one conformer: all of the first three must hold.

    The names of CENSO stand in brackets. Rotational constants say little where a mode is soft: an
    optimisation ends anywhere along it. Geometries that are nearer than `close_gap` and
    `close_deviation` are one whatever their rotational constants.

    Attributes:
        energy_gap: how far their energies may lie apart (`ethr`).
        deviation: root mean square distance of heavy atoms and polar hydrogen atoms, superposed
            with every numbering that keeps the bonds (`rthr`).
        rotation: relative difference of the rotational constants (`bthr`).
        close_gap: how far energies may lie apart where rotational constants do not count; None
            where they always count.
        close_deviation: how far geometries may, then.
    """

    energy_gap: Hartree = 1.6e-4
    deviation: Angstrom = 0.25
    rotation: Number = 0.015
    close_gap: Hartree | None = None
    close_deviation: Angstrom | None = None


class Conformer(GraphModel):
    """A conformer within its ensemble.

    Attributes:
        number: from 1, by energy.
        atoms: its geometry.
        energy: total energy, nuclear repulsion included.
        gibbs_energy: at the temperature of the ensemble; None without vibrations.
        mirror_images: 2 if its mirror image is another geometry of the same molecule, else 1.
        symmetry_number: rotational symmetry number.
        degeneracy: how many geometries of the numbered atoms it stands for, beside the others.
        weight: the fraction of the molecules that is in it.
        result: where the energy stands.
        thermochemistry: where the Gibbs energy stands.
    """

    number: int
    atoms: ConceptualAtoms
    energy: Hartree
    gibbs_energy: Hartree | None = None
    mirror_images: int = 1
    symmetry_number: int = 1
    degeneracy: int = 1
    weight: Number
    result: Link[EnergyResult]
    thermochemistry: Link[Thermochemistry] | None = None


class ConformerEnsemble(GraphModel):
    """The conformers of a molecule at a level, each once, with their Boltzmann weights.

    Attributes:
        molecule: which, as given.
        smiles: its bonds; empty where these are not known.
        level: of geometries and energies.
        sampler: what made the geometries from which they were relaxed.
        refined: the ensemble whose conformers were taken, if they were not sampled.
        weighted_by: whether weights come from energies and degeneracies, or from Gibbs energies
            (in which symmetry numbers are) and mirror images.
        temperature: of the weights.
        thresholds: by which geometries were taken for one conformer.
        conformers: of lowest energy first.
        mean_energy: over the conformers, by their weights.
        conformational_entropy: of mixing, −k Σ p ln(p/g), beside one conformer of degeneracy 1;
            what vibrations add is in Gibbs energies.
        ensemble_gibbs: Gibbs energy of all conformers together, mixing included; None without
            vibrations.
        left_out: geometries that are no conformers, each by its name with the reason.
        remarks: what a reader must know.
    """

    molecule: ConceptualAtoms
    smiles: str = ""
    level: Level
    sampler: str
    refined: Link[ConformerEnsemble] | None = None
    weighted_by: WeightedBy = "energy"
    temperature: Kelvin = 298.15
    thresholds: SamenessThresholds = SamenessThresholds()
    conformers: tuple[Conformer, ...]
    mean_energy: Hartree | None = None
    conformational_entropy: HartreePerKelvin | None = None
    ensemble_gibbs: Hartree | None = None
    left_out: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def lowest(self) -> Conformer:
        """The conformer of lowest energy."""
        return self.conformers[0]

    @property
    def unverified(self) -> int:
        """How many conformers are not known to be minima, for no vibrations were computed."""
        return sum(one.thermochemistry is None for one in self.conformers)
