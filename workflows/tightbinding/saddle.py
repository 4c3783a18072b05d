"""Leading a geometry to a saddle point by tight binding."""

from __future__ import annotations

from ontologies.atoms import ConceptualAtoms
from ontologies.quantum import Convergence
from ontologies.tightbinding import TightBinding
from ontologies.transition import SaddleSearch
from workflows.engine import calculation
from workflows.geometry.relaxing import CONVERGENCE, check_wish, outcome, relax

from .hamiltonian import Hamiltonian
from .levels import TBLITE
from .relaxation import other_state


@calculation(
    "tightbinding.saddle_point",
    version="1",
    backend=TBLITE,
    limits=("max_steps",),
    finer={"convergence": tuple(CONVERGENCE)},
    title="search for a saddle point",
)
def saddle_point(
    atoms: ConceptualAtoms,
    level: TightBinding,
    max_steps: int = 100,
    *,
    convergence: Convergence = "normal",
) -> SaddleSearch:
    """Lead a geometry of two atoms or more to a saddle point with geomeTRIC.

    It goes the same way as that with a functional (`workflows.dft.properties.saddle`); second
    derivatives are differences of gradients.

    Args:
        atoms: where to start: near the saddle point.
        level: the method and its surroundings.
        max_steps: where to give up, steps of earlier attempts included.
        convergence: which thresholds are to be met.

    Raises:
        InputError: there are no parameters for an element.
        NotConvergedError: the charges or the geometry did not converge.
        RecipeError: the optimiser failed in every kind of coordinates.
    """
    held = check_wish(atoms, max_steps, convergence, None)
    surface = Hamiltonian(atoms, level)
    descent = relax(atoms, surface, max_steps, convergence, None, held, uphill=True)
    said = outcome(descent, convergence)
    energy = descent.energies[-1]
    said["remarks"] += tuple(other_state(said["atoms"], level, energy))
    return SaddleSearch(level=level, energy=energy, **said)
