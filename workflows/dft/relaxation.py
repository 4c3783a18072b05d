"""Relaxing a geometry to a stationary point."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from ontologies.quantum import Optimisation
from ontologies.units import Floats
from triplestore.errors import NotConvergedError
from workflows.engine import calculation, context
from workflows.engine.memo import load, save

from .levels import PYSCF
from .meanfield import mean_field, molecule
from .scf import checked, converge, electronic

CRITERIA = {
    "convergence_energy": 1e-6,
    "convergence_grms": 3e-4,
    "convergence_gmax": 4.5e-4,
    "convergence_drms": 1.2e-3,
    "convergence_dmax": 1.8e-3,
}
"""geomeTRIC's default thresholds in Eh, Eh/bohr and Å; Gaussian's too."""


@calculation("dft.optimise", version="1", backend=PYSCF)
def optimise(atoms: ConceptualAtoms, level: LevelOfTheory, max_steps: int = 100) -> Optimisation:
    """Relax a geometry to the nearest stationary point with geomeTRIC.

    One that was cut off goes on from its last geometry and density; its steps and energies include
    what was done before, its optimiser begins to learn the curvature anew.

    Args:
        atoms: where to start.
        level: the level of theory.
        max_steps: where to give up.

    Raises:
        InputError: the basis set lacks an element.
        NotConvergedError: the SCF or the geometry did not converge.

    Source: L.-P. Wang, C. Song, J. Chem. Phys. 144, 214108 (2016).
    """
    before = None if len(atoms.numbers) == 1 else _cut_off(atoms)
    here = atoms.moved_to(before["positions"]) if before else atoms
    mf = mean_field(molecule(here, level), level)
    if len(atoms.numbers) == 1:
        converge(mf, atoms, level)
        return Optimisation(
            initial=atoms, atoms=atoms, level=level, steps=0, max_gradient=0.0,
            energies=np.array([mf.e_tot]), criteria="a single atom", **electronic(mf),
        )  # fmt: skip

    from pyscf.geomopt import geometric_solver

    scanner = mf.nuc_grad_method().as_scanner()
    energies: list[float] = []
    if before:  # the last geometry is computed again
        energies = [float(energy) for energy in before["energies"][:-1]]
        scanner.base.mo_coeff, scanner.base.mo_occ = before["mo_coeff"], before["mo_occ"]
    done = len(energies)
    steps: list[tuple[float, float, Floats]] = []

    def follow(values: dict[str, Any]) -> None:
        checked(scanner.base, atoms.formula)
        energy, gradient = float(values["energy"]), float(np.abs(values["gradients"]).max())
        steps.append((energy, gradient, np.array(scanner.mol.atom_coords(unit="ANG"))))
        energies.append(energy)
        context().report("optimise", step=len(energies), energy=energy, max_gradient=gradient)
        if (path := context().checkpoint) is not None:
            last = {"positions": steps[-1][2], "energies": energies}
            orbitals = {"mo_coeff": scanner.base.mo_coeff, "mo_occ": scanner.base.mo_occ}
            with suppress(OSError):  # a full disk: it only could not go on from here
                save(path, {**last, **orbitals})

    converged, _ = geometric_solver.kernel(
        scanner,
        assert_convergence=False,
        callback=follow,
        maxsteps=max(1, max_steps - done),
        **CRITERIA,
    )
    energy, gradient, positions = steps[-1]
    if not converged:
        made = len(energies) - 1
        done = "1 step was made" if made == 1 else f"{made} steps were made"
        raise NotConvergedError(
            f"the geometry of {atoms.formula} did not converge",
            f"{done} and not all criteria were met; the energy was {energy:.6f} Eh, the "
            f"largest gradient component {gradient:.1e} Eh/bohr",
            "allow more steps (max-steps), or start from a better geometry",
        )
    relaxed = atoms.moved_to(positions)
    return Optimisation(
        initial=atoms, atoms=relaxed, level=level, steps=len(energies),
        max_gradient=gradient, energies=np.array(energies),
        criteria=", ".join(f"{name[12:]} {value:g}" for name, value in CRITERIA.items()),
        **electronic(scanner.base),
    )  # fmt: skip


def _cut_off(atoms: ConceptualAtoms) -> dict[str, Any] | None:
    """Return where an earlier attempt at this optimisation was cut off, None if there was none."""
    path = context().checkpoint
    before = load(path) if path is not None else None
    fits = before is not None and before["positions"].shape == atoms.positions.shape
    return before if fits else None
