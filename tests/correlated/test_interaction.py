"""Interactions at correlated levels, beside the counterpoise corrections of Psi4."""

from __future__ import annotations

import pytest

from grafico import Grafico
from ontologies.correlated import CorrelatedLevel
from tests.dft.structures import atoms

COMPLEX = atoms(
    [9, 1, 7, 1, 1, 1],
    [
        [0.0, 0.0, 0.0],
        [0.0, 0.0, 0.96],
        [0.0, 0.0, 2.66],
        [0.0, 0.94, 3.03],
        [0.8140639, -0.47, 3.03],
        [-0.8140639, -0.47, 3.03],
    ],
)
"""Hydrogen fluoride and ammonia."""

PSI4 = {
    "MP2": -0.0175309316963137,
    "DF-MP2": -0.017521558952438454,
    "CCSD(T)": -0.016596060928975476,
}
"""Eh, in cc-pVDZ with a frozen core: `energy(METHOD, bsse_type="cp")` of Psi4 1.3.2, integrals of
MP2 fitted (cc-pVDZ-RI) or exact, those of Hartree–Fock and coupled cluster exact."""


@pytest.mark.parametrize("method", PSI4)
def test_the_correction_is_that_of_psi4(method: str) -> None:
    with Grafico("memory:") as session:
        found = session.interaction(COMPLEX, method=method, basis="cc-pVDZ")
        assert found.corrected == pytest.approx(PSI4[method], abs=2e-7)
        assert (found.energy.superposition_error or 0) > 0.005
        parts = [one.load(session.kg) for one in found.energy.with_ghosts]
        assert all(isinstance(one.level, CorrelatedLevel) for one in parts)
        again = session.interaction(COMPLEX, method=method, basis="cc-pVDZ")
        assert again.corrected == found.corrected


def test_both_basis_sets_of_an_extrapolation_have_ghosts() -> None:
    """The limit of the corrected energies is the corrected energy at the limit, as it is linear."""
    with Grafico("memory:") as session:
        names = ("cc-pVDZ", "cc-pVTZ", "cc-pV[DT]Z")
        found = [session.interaction("[He].[He]", method="MP2", basis=one) for one in names]
        small, large, limit = (one.corrected or 0.0 for one in found)
        errors = [one.energy.superposition_error or 0.0 for one in found]
        assert min(errors[:2]) > 0
        assert abs(limit - large) <= abs(large - small) + 1e-7
