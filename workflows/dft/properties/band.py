"""A nudged elastic band between two geometries."""

from __future__ import annotations

from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from ontologies.transition import ElasticBand
from workflows.engine import calculation
from workflows.geometry.band import band_between

from ..level.fitting import revision
from ..level.resolving import PYSCF
from .relaxation import MeanFieldSurface


@calculation("dft.elastic_band", version="1", backend=PYSCF, revision=revision)
def elastic_band(
    initial: ConceptualAtoms,
    final: ConceptualAtoms,
    level: LevelOfTheory,
    images: int = 9,
    cycles: int = 25,
) -> ElasticBand:
    """Span a nudged elastic band between two minima; its highest image is near a saddle point.

    It begins with geometries whose distances change evenly (image dependent pair potential). One
    that was cut off takes up what it has computed.

    Args:
        initial: one minimum.
        final: the other, its atoms numbered alike.
        level: the level of theory.
        images: geometries, the ends included.
        cycles: where it is left: the highest image is but a guess.

    Raises:
        NotConvergedError: an SCF did not converge.
        RecipeError: geomeTRIC could not span it.

    Source: G. Henkelman, H. Jónsson, J. Chem. Phys. 113, 9978 (2000), as implemented in geomeTRIC.
    """
    surface = MeanFieldSurface(initial, level)
    return band_between(initial, final, level, surface, images, cycles)
