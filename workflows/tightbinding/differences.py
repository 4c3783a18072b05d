"""Second derivatives of the energy by differences of gradients: tblite has no analytic ones."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ontologies.factors import BOHR
from triplestore.errors import RecipeError
from workflows.engine import context
from workflows.engine.memo import load, save
from workflows.geometry.harmonic import Derivatives

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
    from .hamiltonian import Hamiltonian

    atoms, level = hamiltonian.atoms, hamiltonian.level
    step = STEP_IN_SOLVENT if level.solvation else STEP
    near = Hamiltonian(
        atoms, level.model_copy(update={"accuracy": min(level.accuracy, FINE)})
    )  # fmt: skip
    count, start = len(atoms.numbers), hamiltonian.positions
    energy, _ = near.at(start)
    gradients, dipoles = np.zeros((3 * count, 2, count, 3)), np.zeros((3 * count, 2, 3))
    done = 0
    before = load(checkpoint) if checkpoint is not None else None
    if before is not None and before.get("gradients", np.zeros(0)).shape == gradients.shape:
        gradients, dipoles, done = before["gradients"], before["dipoles"], int(before["done"])
    for number in range(done, 6 * count):
        place, side = divmod(number, 2)
        shift = np.zeros(3 * count)
        shift[place] = (step if side == 0 else -step) * BOHR
        beside, gradients[place, side] = near.at(start + shift.reshape(-1, 3))
        dipoles[place, side] = near.dipole
        if abs(beside - energy) > JUMP:
            raise RecipeError(
                f"second derivatives of the energy of {atoms.formula} were asked for",
                f"{step:g} bohr away the solution is another state, {beside - energy:+.4f} Eh",
                "ask for a higher electronic temperature, or for a functional",
            )
        if side and place % 3 == 2:
            context().report("displacement", done=number + 1, of=6 * count)
            if checkpoint is not None:
                with suppress(OSError):  # a full disk: it only could not go on from here
                    kept = {"gradients": gradients, "dipoles": dipoles, "done": number + 1}
                    save(checkpoint, kept)
    slopes = (gradients[:, 0] - gradients[:, 1]).reshape(3 * count, 3 * count) / (2 * step)
    hessian = ((slopes + slopes.T) / 2).reshape(count, 3, count, 3).transpose(0, 2, 1, 3)
    change = (dipoles[:, 0] - dipoles[:, 1]).reshape(count, 3, 3) / (2 * step)
    uneven = float(np.abs(slopes - slopes.T).max())
    said = (
        f"second derivatives are central differences of {6 * count} gradients at displacements of "
        f"{step:g} bohr; they differ from their transpose by up to {uneven:.0e} Eh/bohr²"
    )
    return Derivatives(hessian, change, (said,))
