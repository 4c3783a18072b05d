"""Leading a geometry to a saddle point."""

from __future__ import annotations

from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from ontologies.quantum import Convergence
from ontologies.transition import SaddleSearch
from workflows.engine import calculation
from workflows.geometry.relaxing import CONVERGENCE, check_wish, outcome, relax

from ..level.fitting import revision
from ..level.resolving import PYSCF
from .relaxation import MeanFieldSurface, other_state


@calculation(
    "dft.saddle_point",
    version="1",
    backend=PYSCF,
    limits=("max_steps",),
    finer={"convergence": tuple(CONVERGENCE)},
    revision=revision,
    title="search for a saddle point",
)
def saddle_point(
    atoms: ConceptualAtoms,
    level: LevelOfTheory,
    max_steps: int = 100,
    *,
    convergence: Convergence = "normal",
) -> SaddleSearch:
    """Lead a geometry of two atoms or more to a saddle point with geomeTRIC.

    It starts with exact second derivatives, goes up along the lowest mode and down along all
    others, and computes them again every 50 steps. One that was cut off goes on from its last
    geometry and density.

    Args:
        atoms: where to start: near the saddle point.
        level: the level of theory.
        max_steps: where to give up, steps of earlier attempts included.
        convergence: which thresholds are to be met.

    Raises:
        InputError: the basis set lacks an element.
        NotConvergedError: the SCF or the geometry did not converge.
        RecipeError: the optimiser failed in every kind of coordinates.

    Source: restricted-step partitioned rational function optimisation, A. Banerjee, N. Adams,
    J. Simons, R. Shepard, J. Phys. Chem. 89, 52 (1985), as implemented in geomeTRIC.
    """
    held = check_wish(atoms, max_steps, convergence, None)
    surface = MeanFieldSurface(atoms, level)
    descent = relax(atoms, surface, max_steps, convergence, None, held, uphill=True)
    said = outcome(descent, convergence)
    energy = descent.energies[-1]
    said["remarks"] += tuple(other_state(surface, energy, said["atoms"]))
    return SaddleSearch(level=level, energy=energy, **said)
