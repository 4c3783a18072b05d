"""Crystals at several volumes: their equation of state and their bulk modulus."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from ogm import GraphModel, Link, Moves, Shaped, Unit

from .atoms import ConceptualAtoms
from .crystals import CubicAngstrom, Gigapascal
from .level import Level
from .quantum import EnergyResult
from .units import Floats, Hartree

Lengths: TypeAlias = Annotated[Floats, Shaped("3 axes"), Unit("ANGSTROM"), Moves("fixed")]


class VolumePoint(GraphModel):
    """A crystal at one volume, and the calculation of its energy.

    Attributes:
        cell_volume: of the cell.
        energy: total energy, nuclear repulsion included.
        fitted: whether the equation of state was fitted to it.
        atoms: the cell.
        result: the calculation.
    """

    cell_volume: CubicAngstrom
    energy: Hartree
    fitted: bool = True
    atoms: Link[ConceptualAtoms]
    result: Link[EnergyResult]


class EquationOfState(GraphModel):
    """Energies of a crystal at several volumes, and the equation of Birch and Murnaghan for them.

    What the energies do not determine is None, and `problem` says why. An error is the standard
    error of the fit, or how far the equation of Vinet is off, whichever is larger: it is that of
    the fit, not of the level of theory.

    Attributes:
        atoms: the crystal as given.
        level: the level of theory.
        points: by volume.
        relaxed: whether the positions were relaxed at each volume; otherwise symmetry leaves none
            free, or they were kept by choice.
        space_group: of the crystal as given, such as `Fd-3m (227)`.
        equilibrium_volume: of the cell, where its energy is lowest.
        equilibrium_volume_error: of it.
        equilibrium_energy: there, of the cell.
        lattice_lengths: a, b and c of the conventional cell of the space group there.
        lattice_error: of a.
        bulk_modulus: there.
        bulk_modulus_error: of it.
        pressure_derivative: of the bulk modulus by the pressure, there.
        pressure_derivative_error: of it.
        residual: root mean square of what the fit leaves, of the energy of the cell.
        equilibrium: the cell at that volume; its positions are those of the nearest point.
        problem: why nothing was determined; empty where it was.
        failures: volumes without a result, each with the reason.
        remarks: what a reader must know.

    Source: F. Birch, Phys. Rev. 71, 809 (1947), doi:10.1103/PhysRev.71.809; P. Vinet, J. Ferrante,
    J. H. Rose, J. R. Smith, J. Phys.: Condens. Matter 1, 1941 (1989),
    doi:10.1088/0953-8984/1/11/002.
    """

    atoms: ConceptualAtoms
    level: Level
    points: tuple[VolumePoint, ...]
    relaxed: bool = False
    space_group: str = ""
    equilibrium_volume: CubicAngstrom | None = None
    equilibrium_volume_error: CubicAngstrom | None = None
    equilibrium_energy: Hartree | None = None
    lattice_lengths: Lengths | None = None
    lattice_error: Annotated[float, Unit("ANGSTROM")] | None = None
    bulk_modulus: Gigapascal | None = None
    bulk_modulus_error: Gigapascal | None = None
    pressure_derivative: float | None = None
    pressure_derivative_error: float | None = None
    residual: Hartree | None = None
    equilibrium: ConceptualAtoms | None = None
    problem: str = ""
    failures: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
