"""Functionals in crystals with PySCF: what can be computed at their levels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from ontologies.kpoints import PeriodicKohnSham
from triplestore.errors import InputError
from workflows.engine.request.cost import Cost
from workflows.registry.levels import Program
from workflows.registry.references import Cited, Described
from workflows.text.words import count

from .request import PeriodicRequest

if TYPE_CHECKING:
    from ontologies.atoms import ConceptualAtoms
    from workflows.dft.request.forms import DFTRequest
    from workflows.engine.request.cost import Granted

FORCES, STEPS = 8.0, 12
"""What forces and stress add to an energy, in energies; steps that a small crystal takes."""

BASE, A_FUNCTION = 400.0, 16e-6
"""MB; MB for each function, k-point and point of the grid."""


class PeriodicPySCF(Program[PeriodicKohnSham]):
    """What PySCF computes of crystals; loaded when it is asked for."""

    calculations: ClassVar = {
        "cell_energy": ".crystal:cell_energy",
        "crystal_energy": ".crystal:crystal_energy",
        "relax_crystal": ".crystal:relax_crystal",
        "energy": ".crystal:crystal_energy",
        "optimise": ".crystal:relax_crystal",
    }
    energy_share = 1 / (1 + FORCES)
    form = PeriodicRequest
    methods = ("GTH-LDA", "GTH-PBE", "GTH-PBEsol", "GTH-BLYP")

    def recognises(self, method: str) -> bool:
        from .levels import is_periodic_functional

        return is_periodic_functional(method)

    def check(self, atoms: ConceptualAtoms, level: PeriodicKohnSham, request: DFTRequest) -> None:
        if not atoms.is_periodic:
            raise InputError(
                f"{level.label} of {atoms.formula} was asked for",
                f"{level.method} is computed of crystals, and this is a molecule",
                "ask for PBE with a basis set such as def2-SVP",
            )
        from .crystal import check_elements

        check_elements(atoms, level)

    def described(self, level: PeriodicKohnSham, numbers: Sequence[int]) -> Described:
        times = "×".join(map(str, level.k_points.tolist()))
        settings = (f"{times} k-points", f"a grid of {level.grid_cutoff:g} Eh")
        return Described((Cited(f"the method {level.method}/{level.basis}"),), settings)

    def is_short(
        self, atoms: ConceptualAtoms, level: PeriodicKohnSham, request: DFTRequest
    ) -> bool:
        return False

    def cost(
        self, atoms: ConceptualAtoms, level: PeriodicKohnSham, request: DFTRequest, granted: Granted
    ) -> Cost:
        """Return what a crystal takes: work on the grid, for pairs of functions and k-points.

        An estimate, within its factor of energies of diamond (2 atoms, gth-dzvp-molopt-sr, 100 Eh,
        processor time: 6 s with 8 k-points, 20 s with 27).
        """
        import numpy as np

        from ontologies.factors import BOHR
        from workflows.crystal.surface import cell_of

        from .functions import KEPT

        volume = abs(float(np.linalg.det(cell_of(atoms)))) / BOHR**3
        grid = volume * (2 * level.grid_cutoff) ** 1.5 / np.pi**3 * 1.3
        functions = 13 * len(atoms.numbers) if "dz" in level.basis else 4 * len(atoms.numbers)
        points = int(level.k_points.prod())
        once = PER_POINT * grid * points * functions * (1 + functions / 50)
        steps = 1 if request.task == "energy" else min(request.max_steps, STEPS)
        size = f"{count(len(atoms.numbers), 'atom')}, {count(points, 'k-point')}"
        values = A_FUNCTION * grid * functions * points
        memory = BASE + values + min(KEPT, 5 * values)  # with their slopes, three of each
        advice = "ask for fewer k-points, a lower cut-off, a smaller cell, or GFN1-xTB"
        return Cost(size, once * (1 + FORCES) * steps, memory, factor=5.0, advice=advice)


PER_POINT = 1.5e-6
"""s. An energy takes so much for each point of the grid, k-point and function."""

PERIODIC = PeriodicPySCF()
