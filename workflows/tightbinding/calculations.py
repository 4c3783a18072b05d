"""Energies, geometries, vibrations and paths by tight binding."""

from collections.abc import Sequence

from ogm import GraphModel
from ontologies.atoms import ConceptualAtoms
from ontologies.tightbinding import (
    TightBindingEnergy,
    TightBindingFrequencies,
    TightBindingOptimisation,
)
from workflows.geometry.surface_calculations import SurfaceCalculations

from .hamiltonian import Hamiltonian
from .levels import TBLITE


def _revision(inputs: Sequence[GraphModel]) -> str:
    """Return the revision of findings: bond orders of open shells were read in a wrong order."""
    atoms = next(one for one in inputs if isinstance(one, ConceptualAtoms))
    return "open-shell-bond-orders" if atoms.multiplicity > 1 else ""


_ON_SURFACE = SurfaceCalculations(__name__, "tightbinding", TBLITE, Hamiltonian)

single_point = _ON_SURFACE.single_point(TightBindingEnergy, revision=_revision)
optimise = _ON_SURFACE.optimise(TightBindingOptimisation, revision=_revision)
frequencies = _ON_SURFACE.frequencies(TightBindingFrequencies, revision=_revision)
saddle_point = _ON_SURFACE.saddle_point()
reaction_path = _ON_SURFACE.reaction_path()
elastic_band = _ON_SURFACE.elastic_band()
