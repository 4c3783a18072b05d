"""What follows from a crystal at a level: one set of calculations for every program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from ogm import GraphModel
from ontologies.atoms import ConceptualAtoms
from ontologies.crystals import CellEnergy, CrystalEnergy, CrystalRelaxation, Optimiser
from ontologies.level import Level
from ontologies.quantum import Convergence, GeometryConstraints
from workflows.engine import Backend, Calculation, calculation, context

from .relaxing import Wish, relax
from .surface import CrystalSurface, cell_of, findings

ResultT = TypeVar("ResultT", bound=GraphModel)


@dataclass(frozen=True)
class CrystalCalculations:
    """Makes the calculations of a program from its crystals, see `SurfaceCalculations`.

    Attributes:
        module: at whose top level they stand, under the names of the methods that make them.
        name: what their names begin with.
        backend: what computes.
        surface: a crystal at a level.
    """

    module: str
    name: str
    backend: Backend
    surface: type[CrystalSurface[Any]]

    def crystal_energy(self, version: str = "1") -> Calculation[..., CrystalEnergy]:
        """Return the calculation of energy, forces and stress of a crystal as it is."""

        def crystal_energy(atoms: ConceptualAtoms, level: Level) -> CrystalEnergy:
            """Compute energy, forces and stress of a crystal as it is.

            Raises:
                InputError: the level does not suit the crystal.
                NotConvergedError: the electrons did not become self-consistent.
            """
            surface = self.surface(atoms, level)
            found = surface.at(atoms.positions, cell_of(atoms))
            context().report("energy", energy=found.energy)
            remarks = surface.remarks()
            return CrystalEnergy(atoms=atoms, level=level, remarks=remarks, **findings(found))

        return self._declared(crystal_energy, CrystalEnergy, version)

    def cell_energy(self, version: str = "1") -> Calculation[..., CellEnergy]:
        """Return the calculation of the energy alone of a crystal as it is."""

        def cell_energy(atoms: ConceptualAtoms, level: Level) -> CellEnergy:
            """Compute the energy of a crystal as it is, and no forces.

            What is to be known of the level is said once of all cells that are compared.

            Raises:
                InputError: the level does not suit the crystal.
                NotConvergedError: the electrons did not become self-consistent.
            """
            surface = self.surface(atoms, level)
            energy = surface.energy_at(atoms.positions, cell_of(atoms))
            context().report("energy", energy=energy)
            return CellEnergy(atoms=atoms, level=level, energy=energy)

        return self._declared(cell_energy, CellEnergy, version)

    def relax_crystal(self, version: str = "1") -> Calculation[..., CrystalRelaxation]:
        """Return the calculation that relaxes a crystal."""

        def relax_crystal(
            atoms: ConceptualAtoms,
            level: Level,
            max_steps: int = 100,
            *,
            convergence: Convergence = "normal",
            relax_cell: bool = False,
            external_pressure: float = 0.0,
            keep_symmetry: bool = False,
            optimiser: Optimiser = "LBFGS",
            constraints: GeometryConstraints | None = None,
            hydrogens_first: bool = False,
            after: CrystalRelaxation | None = None,
        ) -> CrystalRelaxation:
            """Lead the positions of a crystal, or positions and cell, downhill with ASE.

            What has not converged within `max_steps` is a result too, which says so. One that was
            cut off goes on from its last geometry, the curvature learnt anew.

            Args:
                atoms: where to start.
                level: the level of theory.
                max_steps: where to stop, steps of earlier attempts included.
                convergence: which thresholds are to be met, see `relaxing.THRESHOLDS`.
                relax_cell: whether the lattice vectors are relaxed too.
                external_pressure: that the cell is under, in GPa.
                keep_symmetry: whether the space group of the start is kept.
                optimiser: of ASE.
                constraints: atoms that are held.
                hydrogens_first: whether hydrogens are led downhill before anything else moves.
                after: the same, which stopped at a nearer limit: it goes on from there.

            Raises:
                InputError: the level does not suit the crystal, or what is asked cannot be.
                NotConvergedError: the electrons did not become self-consistent.
                RecipeError: the cell collapsed or flew apart.

            Source: the filter for the cell, ASE's FrechetCellFilter.
            """
            wish = Wish(
                max_steps,
                convergence,
                relax_cell,
                external_pressure,
                keep_symmetry,
                optimiser,
                constraints,
                hydrogens_first,
            )
            return relax(atoms, self.surface(atoms, level), wish, after)

        return self._declared(relax_crystal, CrystalRelaxation, version)

    def _declared(
        self, function: Callable[..., ResultT], result: type[ResultT], version: str
    ) -> Calculation[..., ResultT]:
        """Return a function as a calculation that stands at the top level of the module."""
        short = function.__name__
        function.__module__, function.__qualname__ = self.module, short
        function.__annotations__["return"] = result
        declare = calculation(
            f"{self.name}.{short}", version=version, backend=self.backend, gpu=False
        )
        return declare(function)
