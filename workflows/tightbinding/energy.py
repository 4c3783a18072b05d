"""Energy and properties at a fixed geometry."""

from __future__ import annotations

from ontologies.atoms import ConceptualAtoms
from ontologies.tightbinding import TightBinding, TightBindingEnergy
from workflows.engine import calculation, context

from .hamiltonian import Hamiltonian
from .levels import TBLITE


@calculation("tightbinding.single_point", version="1", backend=TBLITE)
def single_point(atoms: ConceptualAtoms, level: TightBinding) -> TightBindingEnergy:
    """Compute energy and properties at a fixed geometry.

    Raises:
        InputError: there are no parameters for an element, or no such electrons.
        NotConvergedError: the charges did not become self-consistent.
        RecipeError: tblite failed.

    Sources: GFN2-xTB: C. Bannwarth, S. Ehlert, S. Grimme, J. Chem. Theory Comput. 15, 1652 (2019);
    GFN1-xTB: S. Grimme, C. Bannwarth, P. Shushkov, ibid. 13, 1989 (2017); ALPB: S. Ehlert,
    M. Stahn, S. Spicher, S. Grimme, ibid. 17, 4250 (2021).
    """
    hamiltonian = Hamiltonian(atoms, level)
    energy, _ = hamiltonian.at(atoms.positions)
    context().report("energy", energy=energy)
    return TightBindingEnergy(atoms=atoms, level=level, **hamiltonian.findings)
