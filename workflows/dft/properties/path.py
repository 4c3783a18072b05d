"""The intrinsic reaction coordinate, from a saddle point down to one side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from ogm import GraphModel
from ontologies.level import LevelOfTheory
from ontologies.transition import PathBranch
from ontologies.vibrations import VibrationalAnalysis
from workflows.engine import calculation
from workflows.geometry.following import branch_of

from ..level.fitting import revision as fitting_revision
from ..level.resolving import PYSCF
from .relaxation import MeanFieldSurface


def revision(inputs: Sequence[GraphModel]) -> str:
    """Return the revision of the density fitting at the level of the vibrations."""
    look = next(one for one in inputs if isinstance(one, VibrationalAnalysis))
    return fitting_revision([look.atoms, look.level])


@calculation(
    "dft.reaction_path",
    version="1",
    backend=PYSCF,
    limits=("max_steps",),
    revision=revision,
    title="reaction path",
)
def reaction_path(
    frequencies: VibrationalAnalysis, forward: bool, max_steps: int = 200
) -> PathBranch:
    """Follow the intrinsic reaction coordinate from a saddle point down to one side.

    It goes in mass-weighted coordinates from the second derivatives of the saddle point, in steps
    of 0.1 Å at most, until gradient and energy stand still. One that was cut off goes on from its
    last geometry.

    Args:
        frequencies: the vibrations of the saddle point, with Hartree–Fock or a functional.
        forward: along the imaginary mode, or against it.
        max_steps: where to give up.

    Raises:
        NotConvergedError: the SCF did not converge, or the path has no end.
        RecipeError: it could not be followed in any kind of coordinates.

    Source: C. Gonzalez, H. B. Schlegel, J. Phys. Chem. 94, 5523 (1990), as implemented in
    geomeTRIC.
    """
    atoms, level = frequencies.atoms, cast("LevelOfTheory", frequencies.level)
    return branch_of(frequencies, MeanFieldSurface(atoms, level), forward, max_steps)
