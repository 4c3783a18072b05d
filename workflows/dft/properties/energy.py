"""Energy and properties at a fixed geometry."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from ontologies.quantum import SinglePoint
from workflows.engine import calculation

from ..level.fitting import revision
from ..level.resolving import PYSCF
from ..scf.meanfield import mean_field, molecule
from ..scf.scf import converge, electronic


@calculation("dft.single_point", version="1", backend=PYSCF, revision=revision, title="energy")
def single_point(atoms: ConceptualAtoms, level: LevelOfTheory) -> SinglePoint:
    """Compute energy and properties at a fixed geometry.

    Raises:
        InputError: the basis set lacks an element.
        NotConvergedError: the SCF did not converge.
    """
    mf = converge(mean_field(molecule(atoms, level), level), atoms, level)
    return SinglePoint(atoms=atoms, level=level, **electronic(mf))
