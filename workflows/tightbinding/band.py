"""A nudged elastic band between two geometries by tight binding."""

from __future__ import annotations

from ontologies.atoms import ConceptualAtoms
from ontologies.tightbinding import TightBinding
from ontologies.transition import ElasticBand
from workflows.engine import calculation
from workflows.geometry.band import band_between

from .hamiltonian import Hamiltonian
from .levels import TBLITE


@calculation("tightbinding.elastic_band", version="1", backend=TBLITE)
def elastic_band(
    initial: ConceptualAtoms,
    final: ConceptualAtoms,
    level: TightBinding,
    images: int = 9,
    cycles: int = 25,
) -> ElasticBand:
    """Span a nudged elastic band between two minima; its highest image is near a saddle point.

    It goes the same way as that with a functional (`workflows.dft.properties.band`).

    Args:
        initial: one minimum.
        final: the other, its atoms numbered alike.
        level: the method and its surroundings.
        images: geometries, the ends included.
        cycles: where it is left.

    Raises:
        NotConvergedError: the charges did not become self-consistent.
        RecipeError: geomeTRIC could not span it.
    """
    return band_between(initial, final, level, Hamiltonian(initial, level), images, cycles)
