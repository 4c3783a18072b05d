"""The intrinsic reaction coordinate by tight binding."""

from __future__ import annotations

from typing import cast

from ontologies.tightbinding import TightBinding
from ontologies.transition import PathBranch
from ontologies.vibrations import VibrationalAnalysis
from workflows.engine import calculation
from workflows.geometry.following import branch_of

from .hamiltonian import Hamiltonian
from .levels import TBLITE


@calculation(
    "tightbinding.reaction_path",
    version="1",
    backend=TBLITE,
    limits=("max_steps",),
    title="reaction path",
)
def reaction_path(
    frequencies: VibrationalAnalysis, forward: bool, max_steps: int = 200
) -> PathBranch:
    """Follow the intrinsic reaction coordinate from a saddle point down to one side.

    It goes the same way as that with a functional (`workflows.dft.properties.path`).

    Args:
        frequencies: the vibrations of the saddle point by tight binding.
        forward: along the imaginary mode, or against it.
        max_steps: where to give up.

    Raises:
        NotConvergedError: the charges did not become self-consistent, or the path has no end.
        RecipeError: it could not be followed in any kind of coordinates.
    """
    atoms, level = frequencies.atoms, cast("TightBinding", frequencies.level)
    return branch_of(frequencies, Hamiltonian(atoms, level), forward, max_steps)
