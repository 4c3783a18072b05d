"""The correlated energy at a fixed geometry."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ontologies.atoms import ConceptualAtoms
from ontologies.correlated import BasisExtrapolation, CorrelatedEnergy, CorrelatedLevel
from workflows.engine import calculation, context

from .correlation import Correlation
from .extrapolation import energies, limit, reference_limit
from .levels import PYSCF, single_bases
from .solving import correlation, findings, reference


@calculation("correlated.single_point", version="1", backend=PYSCF, gpu=False, title="energy")
def single_point(atoms: ConceptualAtoms, level: CorrelatedLevel) -> CorrelatedEnergy:
    """Compute a correlated energy at a fixed geometry.

    Raises:
        InputError: a basis set lacks an element, or there are no such electrons.
        NotConvergedError: Hartree–Fock or the amplitudes did not converge.

    Sources: C. Møller, M. S. Plesset, Phys. Rev. 46, 618 (1934); F. Weigend, M. Häser, Theor. Chem.
    Acc. 97, 331 (1997), doi:10.1007/s002140050269 (density-fitted); G. D. Purvis, R. J. Bartlett,
    J. Chem. Phys. 76, 1910 (1982), doi:10.1063/1.443164 (CCSD); K. Raghavachari, G. W. Trucks,
    J. A. Pople, M. Head-Gordon, Chem. Phys. Lett. 157, 479 (1989),
    doi:10.1016/S0009-2614(89)87395-6 (triples).
    """
    found = solved(atoms, level, partial(reference, atoms))
    return CorrelatedEnergy(atoms=atoms, level=level, **found)


def solved(
    atoms: ConceptualAtoms, level: CorrelatedLevel, solution: Callable[[CorrelatedLevel], Any]
) -> dict[str, Any]:
    """Return what a result says, but for its inputs; see `findings`.

    Args:
        atoms: those that have nuclei and electrons.
        level: of one basis set, or extrapolated from two.
        solution: returns the converged Hartree–Fock solution in one basis set.
    """
    how = level.extrapolation
    if how is None:
        mf = solution(level)
        return findings(mf, level, correlation(mf, atoms, level))
    both: list[tuple[Any, Correlation]] = []
    for one in single_bases(level):
        mf = solution(one)
        context().report("basis set", name=one.basis)
        both.append((mf, correlation(mf, atoms, one)))
    return _at_the_limit(how, level, both)


def _at_the_limit(
    how: BasisExtrapolation, level: CorrelatedLevel, both: list[tuple[Any, Correlation]]
) -> dict[str, Any]:
    """Return what a result says of two energies, the smaller basis set first."""
    (small, less), (large, more) = both
    found = findings(large, level, limit(how, less, more))
    alone = reference_limit(how, float(small.e_tot), float(large.e_tot))
    parts = (
        energies(how.smaller_basis, how.smaller_cardinal, float(small.e_tot), less),
        energies(how.larger_basis, how.larger_cardinal, float(large.e_tot), more),
    )
    return found | {
        "energy": alone + found["correlation_energy"],
        "reference_energy": alone,
        "basis_set_energies": parts,
    }
