"""What force fields build badly is relaxed, against measured bond lengths."""

from __future__ import annotations

import numpy as np
import pytest

from workflows.molecule.embedding import embed
from workflows.molecule.polishing import DECIMALS

# CRC Handbook of Chemistry and Physics, structures of free molecules in the gas phase: Å between
# the first two atoms of the SMILES
MEASURED = {
    "N#N": 1.098,
    "O=C=O": 1.160,
    "[N]=O": 1.151,
    "O=[N][O]": 1.193,
    "[N-]=[N+]=O": 1.128,
    "S=C=S": 1.553,
    "O=C=S": 1.156,
    "O=S=O": 1.431,
    "[O-][O+]=O": 1.272,
    "[C]#N": 1.172,
    "FB(F)F": 1.307,
    "ClB(Cl)Cl": 1.742,
    "Cl[Al](Cl)Cl": 2.068,
    "Cl[Ti](Cl)(Cl)Cl": 2.170,
    "[H][H]": 0.741,
}


@pytest.mark.parametrize("smiles", MEASURED)
def test_bonds_are_near_those_that_were_measured(smiles: str) -> None:
    """MMFF94 makes N2 1.460 Å and CO2 1.405, and TiCl4 was built with 2.62."""
    found = embed(smiles, "smiles")
    first, second = found.atoms.positions[:2]
    assert np.linalg.norm(first - second) == pytest.approx(MEASURED[smiles], abs=0.06)
    assert found.method.endswith("then GFN2-xTB") or "then GFN2-xTB;" in found.method
    rounded = found.atoms.positions.round(DECIMALS)
    assert np.array_equal(rounded, found.atoms.positions)  # the same on every machine


@pytest.mark.parametrize("smiles", ["O", "CCO", "c1ccccc1", "CC(=O)O", "C#N"])
def test_what_a_force_field_has_well_is_taken_as_it_is(smiles: str) -> None:
    assert "GFN2-xTB" not in embed(smiles, "smiles").method


def test_a_shape_that_would_be_lost_is_kept_as_it_was_built() -> None:
    """Ammonia and hydrogen chloride would come of the ion pair."""
    found = embed("[NH4+].[Cl-]", "smiles")
    place = found.atoms.positions
    nitrogen = found.atoms.numbers.tolist().index(7)
    near = np.linalg.norm(place - place[nitrogen], axis=1)
    assert sorted(near.tolist())[4] < 1.2
