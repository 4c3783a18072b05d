"""Relaxing a geometry by tight binding to a stationary point."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.quantum import Convergence, GeometryConstraints
from ontologies.tightbinding import TightBinding, TightBindingOptimisation
from triplestore.errors import NotConvergedError
from workflows.engine import calculation
from workflows.geometry.relaxing import ATOM, CONVERGENCE, check_wish, outcome, relax

from .hamiltonian import Hamiltonian
from .levels import TBLITE

SAME_STATE = 1e-5
"""Eh. Solutions at one geometry that differ by more are different states."""


@calculation(
    "tightbinding.optimise",
    version="1",
    backend=TBLITE,
    limits=("max_steps",),
    finer={"convergence": tuple(CONVERGENCE)},
)
def optimise(
    atoms: ConceptualAtoms,
    level: TightBinding,
    max_steps: int = 100,
    *,
    convergence: Convergence = "normal",
    constraints: GeometryConstraints | None = None,
) -> TightBindingOptimisation:
    """Relax a geometry to the nearest stationary point with geomeTRIC.

    It goes the same way as that with a functional (`workflows.dft.properties.relaxation`): the same
    coordinates, restarts, thresholds and remarks.

    Args:
        atoms: where to start.
        level: the method and its surroundings.
        max_steps: where to give up, steps of earlier attempts included.
        convergence: which thresholds are to be met.
        constraints: what is held, for atoms counted as in `atoms`. Where they act, the result is
            no stationary point: `max_gradient` is that of the energy without them.

    Raises:
        InputError: there are no parameters for an element, or the constraints do not fit the atoms.
        NotConvergedError: the charges or the geometry did not converge.
        RecipeError: the optimiser failed in every kind of coordinates.
    """
    held = check_wish(atoms, max_steps, convergence, constraints)
    surface = Hamiltonian(atoms, level)
    if len(atoms.numbers) == 1:
        energy, _ = surface.at(atoms.positions)
        return TightBindingOptimisation(
            initial=atoms,
            atoms=atoms,
            level=level,
            steps=0,
            max_gradient=0.0,
            energies=np.array([energy]),
            criteria=ATOM,
            constraints=constraints,
            **surface.findings,
        )
    descent = relax(atoms, surface, max_steps, convergence, constraints, held)
    said = outcome(descent, convergence)
    said["remarks"] += tuple(other_state(said["atoms"], level, descent.energies[-1]))
    return TightBindingOptimisation(
        level=level, constraints=constraints, **said, **surface.findings
    )


def other_state(relaxed: ConceptualAtoms, level: TightBinding, energy: float) -> Iterator[str]:
    """Say if a solution from the usual guess is another state at the final geometry."""
    try:
        fresh, _ = Hamiltonian(relaxed, level).at(relaxed.positions)
    except NotConvergedError:
        yield "from the usual guess, the charges do not converge at the final geometry"
        return
    if abs(fresh - energy) > SAME_STATE:
        yield (
            f"from the usual guess, the final geometry has another state, "
            f"{abs(fresh - energy):.6f} Eh {'lower' if fresh < energy else 'higher'}; results "
            "computed at this geometry are for that one"
        )
