"""What a converged wavefunction tells beyond its energy: analyses, stability, volumes."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ogm import ADDED, GraphModel

from .atoms import ConceptualAtoms
from .level import LevelOfTheory
from .quantum import ElectronicResult
from .units import (
    Angstrom,
    AtomicCharges,
    BondOrders,
    GridAmplitudes,
    GridAxes,
    GridDensity,
    GridPotential,
    Hartree,
    Number,
    Occupations,
    OrbitalCoefficients,
    OrbitalEnergies,
    Place,
    Quadrupole,
    RotationalConstants,
    SpinPopulations,
)

DensityKind: TypeAlias = Literal["density", "spin density"]
SpinLabel: TypeAlias = Literal["alpha", "beta"]


class WavefunctionAnalysis(ElectronicResult, schema=2, upgrades={1: ADDED}):
    """Everything about a molecule that one converged SCF gives.

    Attributes:
        nuclear_repulsion: of the nuclei (less core electrons where potentials stand for them).
        one_electron_energy: kinetic energy, and attraction by nuclei and core potentials.
        coulomb_energy: classical repulsion of the electrons.
        exchange_correlation_energy: all of the rest that is electronic.
        orbital_energies: of alpha spin, or of both (of restricted open shells the eigenvalues of
            the effective Fock operator of both spins); ascending.
        occupations: electrons in each of these orbitals.
        orbital_energies_beta: of beta spin; None where the spins share orbitals.
        occupations_beta: likewise.
        homo_alpha: the highest occupied orbital of alpha spin.
        lumo_alpha: the lowest empty one.
        homo_beta: the highest occupied orbital of beta spin.
        lumo_beta: the lowest empty one.
        gap: the least difference between an empty and an occupied orbital of the same spin.
        quadrupole: traceless (Buckingham), about the centre of mass, shape (3, 3).
        lowdin_charges: from symmetrically orthogonalised orbitals, shape (atoms,).
        iao_charges: from intrinsic atomic orbitals; None where they cannot be had.
        hirshfeld_charges: from the density, shared out as spherical free atoms (UHF) would.
        bond_orders: Mayer's, shape (atoms, atoms), zero on the diagonal.
        wiberg_bond_orders: Wiberg's in the Löwdin basis, likewise.
        spin_densities: alpha less beta electrons by Mulliken; None for closed shells.
        point_group: in the Schoenflies notation, found within `symmetry_tolerance`.
        symmetry_tolerance: distance that atoms may be off their symmetric places.
        rotational_constants: A ≥ B ≥ C; 0 about the axis of a linear molecule.
    """

    nuclear_repulsion: Hartree
    one_electron_energy: Hartree
    coulomb_energy: Hartree
    exchange_correlation_energy: Hartree
    orbital_energies: OrbitalEnergies
    occupations: Occupations
    orbital_energies_beta: OrbitalEnergies | None = None
    occupations_beta: Occupations | None = None
    homo_alpha: Hartree | None = None
    lumo_alpha: Hartree | None = None
    homo_beta: Hartree | None = None
    lumo_beta: Hartree | None = None
    gap: Hartree | None = None
    quadrupole: Quadrupole
    lowdin_charges: AtomicCharges
    iao_charges: AtomicCharges | None = None
    hirshfeld_charges: AtomicCharges
    bond_orders: BondOrders
    wiberg_bond_orders: BondOrders
    spin_densities: SpinPopulations | None = None
    point_group: str
    symmetry_tolerance: Angstrom
    rotational_constants: RotationalConstants

    @property
    def homo_lumo_gap(self) -> float | None:
        """The least gap within one spin, in Eh."""
        return self.gap


class StabilityAnalysis(ElectronicResult, schema=2, upgrades={1: ADDED}):
    """Whether a solution of the SCF is a minimum with respect to its orbitals.

    Attributes:
        internal: whether it is stable among the solutions of its own kind.
        external: whether it is stable when its symmetry is given up too (restricted to
            unrestricted); None where that was not looked at. Complex orbitals never are.
        stable_energy: of the stable solution found by going down, the same energy if it was
            stable. There may be others, lower still, which no path downhill leads to.
        lowering: how far that lies below.
        reoptimisations: how often an instability was followed.
        stable_spin_squared: expectation value of S² of the stable solution; None if restricted.
    """

    internal: bool
    external: bool | None = None
    stable_energy: Hartree
    lowering: Hartree
    reoptimisations: int
    stable_spin_squared: float | None = None


class MolecularOrbitals(ElectronicResult):
    """The orbitals of an SCF as sums of basis functions.

    They are not turned with their molecule: each orientation has its own.

    Attributes:
        orbital_energies: of alpha spin, or of both.
        occupations: electrons in each of these orbitals.
        orbital_coefficients: in columns; the functions stand in PySCF's order and have its norms.
        orbital_energies_beta: of beta spin; None where the spins share orbitals.
        occupations_beta: likewise.
        orbital_coefficients_beta: likewise.
    """

    orbital_energies: OrbitalEnergies
    occupations: Occupations
    orbital_coefficients: OrbitalCoefficients
    orbital_energies_beta: OrbitalEnergies | None = None
    occupations_beta: Occupations | None = None
    orbital_coefficients_beta: OrbitalCoefficients | None = None


class Volume(GraphModel, identity="result"):
    """A function in space on a regular grid.

    Attributes:
        atoms: the geometry.
        level: the level of theory.
        origin: of the grid, shape (3,).
        axes: steps of the grid, as rows, shape (3, 3).
    """

    atoms: ConceptualAtoms
    level: LevelOfTheory
    origin: Place
    axes: GridAxes


class OrbitalVolume(Volume):
    """A molecular orbital on a grid; its sign is arbitrary.

    Attributes:
        orbital: its number, counted from 1 by energy.
        spin: of the orbital; None where the spins share orbitals.
        orbital_energy: of the orbital.
        occupation: electrons in it.
        amplitudes: at the points of the grid, shape (first, second, third).
    """

    orbital: int
    spin: SpinLabel | None = None
    orbital_energy: Hartree
    occupation: Number
    amplitudes: GridAmplitudes


class DensityVolume(Volume):
    """An electron density on a grid.

    Attributes:
        kind: alpha and beta electrons together, or alpha less beta.
        density: at the points of the grid, shape (first, second, third).
    """

    kind: DensityKind
    density: GridDensity


class PotentialVolume(Volume):
    """The electrostatic potential of nuclei and electrons on a grid, with their density.

    Attributes:
        electrostatic_potential: at the points of the grid, shape (first, second, third).
        density: of all electrons at the same points.
    """

    electrostatic_potential: GridPotential
    density: GridDensity
