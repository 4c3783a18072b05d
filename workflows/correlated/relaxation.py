"""Relaxing a geometry by MP2 or DF-MP2 to a stationary point."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.correlated import CorrelatedLevel, CorrelatedOptimisation
from ontologies.quantum import Convergence, GeometryConstraints
from triplestore.errors import NotConvergedError
from workflows.engine import calculation
from workflows.geometry.relaxing import ATOM, CONVERGENCE, check_wish, outcome, relax

from .levels import PYSCF
from .solving import correlation, findings, reference
from .surface import CorrelatedSurface

SAME_STATE = 1e-5
"""Eh. Hartree–Fock solutions at one geometry that differ by more are different states."""


@calculation(
    "correlated.optimise",
    version="1",
    backend=PYSCF,
    gpu=False,
    limits=("max_steps",),
    finer={"convergence": tuple(CONVERGENCE)},
    title="optimisation",
)
def optimise(
    atoms: ConceptualAtoms,
    level: CorrelatedLevel,
    max_steps: int = 100,
    *,
    convergence: Convergence = "normal",
    constraints: GeometryConstraints | None = None,
) -> CorrelatedOptimisation:
    """Relax a geometry to the nearest stationary point with geomeTRIC.

    It goes the same way as that with a functional (`workflows.dft.properties.relaxation`): the same
    coordinates, restarts, thresholds and remarks. Gradients are analytic.

    Args:
        atoms: where to start.
        level: of MP2 or DF-MP2.
        max_steps: where to give up, steps of earlier attempts included.
        convergence: which thresholds are to be met.
        constraints: what is held, for atoms counted as in `atoms`. Where they act, the result is
            no stationary point: `max_gradient` is that of the energy without them.

    Raises:
        InputError: a basis set lacks an element, or the constraints do not fit the atoms.
        NotConvergedError: Hartree–Fock, its response or the geometry did not converge.
        RecipeError: the optimiser failed in every kind of coordinates.
    """
    held = check_wish(atoms, max_steps, convergence, constraints)
    if len(atoms.numbers) == 1:
        mf = reference(atoms, level)
        found = findings(mf, level, correlation(mf, atoms, level))
        return CorrelatedOptimisation(
            initial=atoms,
            atoms=atoms,
            level=level,
            steps=0,
            max_gradient=0.0,
            energies=np.array([found["energy"]]),
            criteria=ATOM,
            constraints=constraints,
            **found,
        )
    surface = CorrelatedSurface(atoms, level)
    descent = relax(atoms, surface, max_steps, convergence, constraints, held)
    said = outcome(descent, convergence)
    found = findings(surface.mf, level, surface.found)
    other = tuple(other_state(surface, said["atoms"]))
    found["remarks"] += (*said.pop("remarks"), *other)
    return CorrelatedOptimisation(level=level, constraints=constraints, **said, **found)


def other_state(surface: CorrelatedSurface, relaxed: ConceptualAtoms) -> Iterator[str]:
    """Say if Hartree–Fock from the usual guess is another state at the final geometry."""
    try:
        fresh = reference(relaxed, surface.level)
    except NotConvergedError:
        yield "from the usual guess, Hartree–Fock does not converge at the final geometry"
        return
    apart = float(fresh.e_tot) - float(surface.mf.e_tot)
    if abs(apart) > SAME_STATE:
        yield (
            f"from the usual guess, Hartree–Fock at the final geometry ends in another state, "
            f"{abs(apart):.6f} Eh {'lower' if apart < 0 else 'higher'}; results computed at this "
            "geometry are for that one"
        )
