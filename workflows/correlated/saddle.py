"""Saddle points, reaction paths and elastic bands by MP2 or DF-MP2."""

from __future__ import annotations

from typing import cast

from ontologies.atoms import ConceptualAtoms
from ontologies.correlated import CorrelatedLevel
from ontologies.quantum import Convergence
from ontologies.transition import ElasticBand, PathBranch, SaddleSearch
from ontologies.vibrations import VibrationalAnalysis
from workflows.engine import calculation
from workflows.geometry.band import band_between
from workflows.geometry.following import branch_of
from workflows.geometry.relaxing import CONVERGENCE, check_wish, outcome, relax

from .levels import PYSCF
from .relaxation import other_state
from .surface import CorrelatedSurface


@calculation(
    "correlated.saddle_point",
    version="1",
    backend=PYSCF,
    gpu=False,
    limits=("max_steps",),
    finer={"convergence": tuple(CONVERGENCE)},
    title="search for a saddle point",
)
def saddle_point(
    atoms: ConceptualAtoms,
    level: CorrelatedLevel,
    max_steps: int = 100,
    *,
    convergence: Convergence = "normal",
) -> SaddleSearch:
    """Lead a geometry to a saddle point, see `workflows.dft.properties.saddle`.

    Second derivatives are differences of gradients.

    Args:
        atoms: where to start: near the saddle point.
        level: of MP2 or DF-MP2.
        max_steps: where to give up, steps of earlier attempts included.
        convergence: which thresholds are to be met.

    Raises:
        InputError: a basis set lacks an element.
        NotConvergedError: Hartree–Fock, its response or the geometry did not converge.
        RecipeError: the optimiser failed in every kind of coordinates.
    """
    held = check_wish(atoms, max_steps, convergence, None)
    surface = CorrelatedSurface(atoms, level)
    descent = relax(atoms, surface, max_steps, convergence, None, held, uphill=True)
    said = outcome(descent, convergence)
    said["remarks"] += tuple(other_state(surface, said["atoms"]))
    return SaddleSearch(level=level, energy=descent.energies[-1], **said)


@calculation(
    "correlated.reaction_path",
    version="1",
    backend=PYSCF,
    gpu=False,
    limits=("max_steps",),
    title="reaction path",
)
def reaction_path(
    frequencies: VibrationalAnalysis, forward: bool, max_steps: int = 200
) -> PathBranch:
    """Follow one side of a path from a saddle point, see `workflows.dft.properties.path`.

    Args:
        frequencies: the vibrations of the saddle point by MP2 or DF-MP2.
        forward: along the imaginary mode, or against it.
        max_steps: where to give up.

    Raises:
        NotConvergedError: Hartree–Fock or its response did not converge, or the path has no end.
        RecipeError: it could not be followed in any kind of coordinates.
    """
    surface = CorrelatedSurface(frequencies.atoms, cast("CorrelatedLevel", frequencies.level))
    return branch_of(frequencies, surface, forward, max_steps)


@calculation("correlated.elastic_band", version="1", backend=PYSCF, gpu=False)
def elastic_band(
    initial: ConceptualAtoms,
    final: ConceptualAtoms,
    level: CorrelatedLevel,
    images: int = 9,
    cycles: int = 25,
) -> ElasticBand:
    """Span an elastic band between two minima, see `workflows.dft.properties.band`.

    Args:
        initial: one minimum.
        final: the other, its atoms numbered alike.
        level: of MP2 or DF-MP2.
        images: geometries, the ends included.
        cycles: where it is left.

    Raises:
        NotConvergedError: Hartree–Fock or its response did not converge.
        RecipeError: geomeTRIC could not span it.
    """
    surface = CorrelatedSurface(initial, level)
    return band_between(initial, final, level, surface, images, cycles)
