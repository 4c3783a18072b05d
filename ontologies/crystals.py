"""Crystals at a level of theory: energy, forces and stress, and what relaxing one came to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias, cast

import numpy as np
from pydantic import model_validator

from ogm import Moves, Shaped, Unit

from .atoms import ConceptualAtoms
from .factors import BOHR, HARTREE
from .quantum import EnergyResult, GeometryConstraints
from .units import ElectronVolt, EnergySeries, Floats, Hartree, Integers, Trajectory

GIGAPASCAL = 4.3597447222060e-18 / (BOHR * 1e-10) ** 3 / 1e9
"""GPa in an Eh/bohr³; the hartree in J of CODATA 2022."""

Optimiser: TypeAlias = Literal["LBFGS", "BFGS", "FIRE"]

Gigapascal: TypeAlias = Annotated[float, Unit("GigaPA")]
ElectronVoltPerAngstrom: TypeAlias = Annotated[float, Unit("EV-PER-ANGSTROM", own=True)]
GramPerCubicCentimetre: TypeAlias = Annotated[float, Unit("GM-PER-CentiM3")]
CubicAngstrom: TypeAlias = Annotated[float, Unit("ANGSTROM3", own=True)]
# a structure with a cell is never turned, see `ConceptualAtoms.motion_from`
Stress: TypeAlias = Annotated[
    Floats, Shaped("3 xyz, 3 xyz"), Unit("GigaPA"), Moves("vector vector")
]
Gradient: TypeAlias = Annotated[
    Floats, Shaped("* atoms, 3 xyz"), Unit("E_h-PER-BOHR", own=True), Moves("item vector")
]
GradientSeries: TypeAlias = Annotated[
    Floats,
    Shaped("* frames, * atoms, 3 xyz"),
    Unit("E_h-PER-BOHR", own=True),
    Moves("fixed item vector"),
]
CellSeries: TypeAlias = Annotated[
    Floats, Shaped("* frames, 3 vectors, 3 xyz"), Unit("ANGSTROM"), Moves("fixed fixed vector")
]
StressSeries: TypeAlias = Annotated[
    Floats, Shaped("* frames, 3 xyz, 3 xyz"), Unit("GigaPA"), Moves("fixed vector vector")
]
Repeats: TypeAlias = Annotated[Integers, Shaped("3 vectors", np.int64), Moves("fixed")]


def formula_units(atoms: ConceptualAtoms) -> int:
    """Return how many formula units a cell holds: what divides the numbers of all its elements."""
    _, counts = np.unique(atoms.numbers, return_counts=True)
    return int(np.gcd.reduce(counts))


def largest(forces: Floats) -> float:
    """Return the length of the largest of several vectors, shape (n, 3)."""
    return float(np.linalg.norm(forces, axis=-1).max())


class CellEnergy(EnergyResult):
    """Energy of a crystal as it is, where neither forces nor a stress were asked for; of a cell.

    Attributes:
        energy_per_atom: derived, so that it can be queried.
        cell_volume: likewise.
    """

    energy_per_atom: Hartree = 0.0
    cell_volume: CubicAngstrom = 0.0

    @model_validator(mode="before")
    @classmethod
    def _derive(cls, data: Any) -> Any:
        return _sizes(data)


def _sizes(data: Any) -> Any:
    """Return values of a result with what follows from its cell."""
    if not isinstance(data, Mapping):
        return data
    values = dict(cast("Mapping[str, Any]", data))
    atoms, energy = values.get("atoms"), values.get("energy")
    if not isinstance(atoms, ConceptualAtoms) or not isinstance(energy, float | int):
        return values
    made = {"energy_per_atom": float(energy) / len(atoms.numbers)}
    if atoms.cell is not None:
        made["cell_volume"] = abs(float(np.linalg.det(atoms.cell)))
    return made | values


class CrystalResult(EnergyResult):
    """What every calculation of a crystal reports of its (last) geometry; `energy` is a cell's.

    Attributes:
        gradient: of the energy of a cell by the positions, shape (atoms, 3).
        stress: positive where the crystal is under tension, as in ASE: the derivative of the energy
            by the strain over the volume, shape (3, 3).
        band_gap: between the highest occupied and the lowest empty orbital of the k-points that the
            level solves; None where the level has no orbitals, or none is empty.
        max_force: the length of the largest force on an atom; derived, so that it can be queried.
        energy_per_formula_unit: derived likewise.
        energy_per_atom: likewise.
        cell_volume: likewise.
    """

    gradient: Gradient
    stress: Stress | None = None
    band_gap: ElectronVolt | None = None
    max_force: ElectronVoltPerAngstrom = 0.0
    energy_per_formula_unit: Hartree = 0.0
    energy_per_atom: Hartree = 0.0
    cell_volume: CubicAngstrom = 0.0

    @model_validator(mode="before")
    @classmethod
    def _derive(cls, data: Any) -> Any:
        values = _sizes(data)
        if "energy_per_atom" not in values:
            return values
        made = {"energy_per_formula_unit": float(values["energy"]) / formula_units(values["atoms"])}
        gradient = values.get("gradient")
        if isinstance(gradient, np.ndarray):
            made["max_force"] = largest(cast("Floats", gradient)) * HARTREE["eV"] / BOHR
        return made | values

    @property
    def pressure(self) -> float | None:
        """The pressure that the crystal would have to be under to stay as it is, in GPa."""
        return None if self.stress is None else -float(np.trace(self.stress)) / 3


class CrystalEnergy(CrystalResult):
    """Energy, forces and stress of a crystal as it is."""


class CrystalRelaxation(CrystalResult):
    """A crystal that was led downhill: `converged` says whether it got where it was to.

    Attributes:
        initial: where it started.
        converged: whether forces, and the stress where the cell was relaxed, were within the
            thresholds at the end. If not, it stopped at a limit, and is not relaxed.
        steps: of the optimiser, in all.
        max_steps: where it would have stopped.
        force_threshold: the largest force on an atom that was to be left.
        stress_threshold: how far a component of the stress might be from that of the external
            pressure; None where the cell was kept.
        relaxed_cell: whether the lattice vectors were relaxed.
        external_pressure: that the cell was relaxed under.
        kept_symmetry: the space group that was kept; empty where none was.
        optimiser: which one of ASE.
        constraints: atoms that were held; None for none.
        hydrogens_first: whether hydrogens were led downhill before anything else moved.
        max_stress: the component of the stress farthest from that of the external pressure.
        left_force: the largest force on an atom that was free to move.
        geometries: positions of every frame, the start included, shape (frames, atoms, 3).
        cells: of every frame, shape (frames, 3, 3).
        energies: likewise, shape (frames,).
        gradients: likewise, shape (frames, atoms, 3).
        stresses: likewise, shape (frames, 3, 3); None where the level has none.
    """

    initial: ConceptualAtoms
    converged: bool
    steps: int
    max_steps: int
    force_threshold: ElectronVoltPerAngstrom
    stress_threshold: Gigapascal | None = None
    relaxed_cell: bool = False
    external_pressure: Gigapascal = 0.0
    kept_symmetry: str = ""
    optimiser: Optimiser = "LBFGS"
    constraints: GeometryConstraints | None = None
    hydrogens_first: bool = False
    max_stress: Gigapascal | None = None
    left_force: ElectronVoltPerAngstrom
    geometries: Trajectory
    cells: CellSeries
    energies: EnergySeries
    gradients: GradientSeries
    stresses: StressSeries | None = None
