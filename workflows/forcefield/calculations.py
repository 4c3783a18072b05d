"""Energy and relaxed geometry by a force field."""

from __future__ import annotations

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.forcefield import ForceField, ForceFieldEnergy, ForceFieldOptimisation
from ontologies.quantum import Convergence, GeometryConstraints
from workflows.engine import calculation, context
from workflows.geometry.relaxing import ATOM, CONVERGENCE, check_wish, outcome, relax
from workflows.programs import scratch
from workflows.xtb import BACKEND

from .surface import GFNFF


@calculation("forcefield.single_point", version="1", backend=BACKEND)
def single_point(atoms: ConceptualAtoms, level: ForceField) -> ForceFieldEnergy:
    """Compute the energy at a fixed geometry; it counts from no atoms that are bound.

    Raises:
        InputError: there are no parameters for an element, or no such electrons.
        ComponentError: xtb is not installed, or of another version than the level's.
        RecipeError: xtb failed.

    Source: GFN-FF: S. Spicher, S. Grimme, Angew. Chem. Int. Ed. 59, 15665 (2020).
    """
    with scratch() as folder:
        energy, _ = GFNFF(atoms, level, folder).at(atoms.positions)
    context().report("energy", energy=energy)
    return ForceFieldEnergy(atoms=atoms, level=level, energy=energy)


@calculation(
    "forcefield.optimise",
    version="1",
    backend=BACKEND,
    limits=("max_steps",),
    finer={"convergence": tuple(CONVERGENCE)},
)
def optimise(
    atoms: ConceptualAtoms,
    level: ForceField,
    max_steps: int = 100,
    *,
    convergence: Convergence = "normal",
    constraints: GeometryConstraints | None = None,
) -> ForceFieldOptimisation:
    """Relax a geometry to the nearest stationary point with geomeTRIC, as every level does.

    Args:
        atoms: where to start; its bonds are those of the force field.
        level: the force field and its surroundings.
        max_steps: where to give up, steps of earlier attempts included.
        convergence: which thresholds are to be met.
        constraints: what is held, for atoms counted as in `atoms`. Where they act, the result is
            no stationary point: `max_gradient` is that of the energy without them.

    Raises:
        InputError: there are no parameters for an element, or the constraints do not fit the atoms.
        ComponentError: xtb is not installed, or of another version than the level's.
        NotConvergedError: the geometry did not converge.
        RecipeError: xtb failed, or the optimiser in every kind of coordinates.
    """
    held = check_wish(atoms, max_steps, convergence, constraints)
    with scratch() as folder:
        surface = GFNFF(atoms, level, folder)
        if len(atoms.numbers) == 1:
            energy, _ = surface.at(atoms.positions)
            return ForceFieldOptimisation(
                initial=atoms,
                atoms=atoms,
                level=level,
                energy=energy,
                steps=0,
                max_gradient=0.0,
                energies=np.array([energy]),
                criteria=ATOM,
                constraints=constraints,
            )
        descent = relax(atoms, surface, max_steps, convergence, constraints, held)
    return ForceFieldOptimisation(
        level=level,
        energy=descent.energies[-1],
        constraints=constraints,
        **outcome(descent, convergence),
    )
