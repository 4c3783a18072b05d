"""Second derivatives of the energy by differences of gradients: tblite has no analytic ones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ontologies.factors import BOHR
from ontologies.units import Floats
from triplestore.errors import RecipeError
from workflows.geometry.harmonic import Derivatives, central_differences

if TYPE_CHECKING:
    from .hamiltonian import Hamiltonian

STEP, STEP_IN_SOLVENT = 0.005, 0.01
"""Bohr. How far an atom is moved. Against five-point differences, wavenumbers of ethanol, benzene,
isobutane and acetamide come out within 0.3 1/cm in the gas phase; in ALPB or GBSA water, whose
surface is a grid, within 1.4 (a step of half the length: 2.0; of twice: 5.5)."""

FINE = 0.01
"""The accuracy to which gradients are solved here, where the level asks for less."""

JUMP = 5e-3
"""Eh. Such a step changes the energy by less, in the steepest of bonds."""


def differences(hamiltonian: Hamiltonian, checkpoint: Path | None = None) -> Derivatives:
    """Return second derivatives, and those of the dipole, at the last geometry.

    Args:
        hamiltonian: solved there.
        checkpoint: where each gradient is kept, to go on from there; None for nowhere.

    Raises:
        NotConvergedError: the charges at a displaced geometry did not become self-consistent.
        RecipeError: the solution at a displaced geometry is another state.
    """
    atoms, level = hamiltonian.atoms, hamiltonian.level
    step = STEP_IN_SOLVENT if level.solvation else STEP
    near = type(hamiltonian)(
        atoms, level.model_copy(update={"accuracy": min(level.accuracy, FINE)})
    )
    count, start = len(atoms.numbers), hamiltonian.positions
    energy, _ = near.at(start)

    def beside(shift: Floats) -> tuple[Floats, Floats]:
        found, gradient = near.at(start + shift * BOHR)
        if abs(found - energy) > JUMP:
            raise RecipeError(
                f"second derivatives of the energy of {atoms.formula} were asked for",
                f"{step:g} bohr away the solution is another state, {found - energy:+.4f} Eh",
                "ask for a higher electronic temperature, or for a functional",
            )
        return gradient, near.dipole

    remark = (
        f"second derivatives are central differences of {6 * count} gradients at displacements of "
        f"{step:g} bohr"
    )
    return central_differences(count, step, beside, remark, checkpoint, every=6)
