"""Correlated energies of fragments among the basis functions of the atoms around them."""

from __future__ import annotations

from functools import partial
from typing import Any

from ontologies.atoms import ConceptualAtoms
from ontologies.comparison import Fragment, FragmentEnergy
from ontologies.correlated import CorrelatedLevel
from workflows.dft.scf.ghosts import among_ghosts
from workflows.dft.scf.meanfield import mean_field, molecule
from workflows.dft.scf.scf import solve
from workflows.engine import calculation

from .energy import solved
from .levels import PYSCF, hartree_fock


@calculation(
    "correlated.fragment_energy",
    version="1",
    backend=PYSCF,
    gpu=False,
    title="energy among ghost atoms",
)
def fragment_energy(
    atoms: ConceptualAtoms, level: CorrelatedLevel, fragment: Fragment
) -> FragmentEnergy:
    """Compute the correlated energy of a fragment among the functions of the atoms around it.

    The frozen core is that of the real atoms; of an extrapolated level it is the limit of both
    energies among ghosts.

    Args:
        atoms: the whole.
        level: the level; its reference is the fragment's.
        fragment: which atoms are real, and their charge and multiplicity.

    Raises:
        InputError: a basis set lacks an element, or the fragment does not fit the structure.
        NotConvergedError: Hartree–Fock or the amplitudes did not converge.
    """
    alone = fragment.atoms_of(atoms)
    found = solved(alone, level, partial(_reference, atoms, fragment, alone))
    kept = found.keys() & FragmentEnergy.model_fields.keys()
    return FragmentEnergy(
        supermolecule=atoms, level=level, fragment=fragment, **{name: found[name] for name in kept}
    )


def _reference(
    atoms: ConceptualAtoms, fragment: Fragment, alone: ConceptualAtoms, level: CorrelatedLevel
) -> Any:
    """Return the converged Hartree–Fock solution of a fragment among ghosts."""
    start = hartree_fock(level)
    mol = among_ghosts(molecule(alone, start), atoms, fragment, start)
    return solve(mean_field(mol, start), alone, start)  # without memory: the memo knows no ghosts
