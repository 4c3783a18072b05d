"""Metadynamics with the program xtb: rings that flip, seeds, complexes, and bad input."""

from __future__ import annotations

import numpy as np
import pytest

from ontologies.atoms import ConceptualAtoms
from ontologies.connectivity import changes, connectivity
from ontologies.factors import HARTREE
from tests.conftest import Need
from tests.dft.structures import WATER
from triplestore.errors import InputError
from workflows.conformer.metadynamics import _settings, _turned, metadynamics
from workflows.molecule.embedding import embed
from workflows.programs.xtb import XTB
from workflows.tightbinding.calculations import optimise
from workflows.tightbinding.levels import resolve_level

RING = "CC1CCCCC1"


def built(smiles: str) -> ConceptualAtoms:
    return embed(smiles, "smiles").atoms


def test_methyl_in_methylcyclohexane_turns_axial_through_a_twist_boat(need: Need):
    """The axial chair lies 1.74 kcal/mol above the equatorial one in experiment.

    Source: E. L. Eliel, S. H. Wilen, Stereochemistry of Organic Compounds (1994), table 11.7.
    """
    need("xtb")
    start = built(RING)
    found = metadynamics(start, XTB.required("asked"), picoseconds=9.0)
    assert found.sampler.endswith("metadynamics, GFN-FF, 9 ps at 400 K, seed 7")
    assert 3 <= len(found.structures) <= 12
    assert not any(changes(start, one) for one in found.structures)
    level = resolve_level("GFN2-xTB").level
    energies = sorted({round(optimise(one, level).energy, 4) for one in found.structures})
    above = [HARTREE["kcal/mol"] * (one - energies[0]) for one in energies]
    assert any(abs(one - 1.74) < 0.6 for one in above)  # the axial chair
    assert any(4.0 < one < 8.0 for one in above)  # a twist boat


def test_a_seed_gives_the_same_geometries_again_and_another_seed_other_paths(need: Need):
    need("xtb")
    start, version = built("CCO"), XTB.required("asked")
    one, again = (metadynamics(start, version, 1.5, seed=3) for _ in range(2))
    assert len(one.structures) == len(again.structures)
    for first, second in zip(one.structures, again.structures, strict=True):
        assert np.array_equal(first.positions, second.positions)
    other = metadynamics(start, version, 1.5, seed=4)
    assert not np.array_equal(other.structures[0].positions, one.structures[0].positions) or (
        len(other.structures) != len(one.structures)
    )


def test_molecules_side_by_side_stay_together(need: Need):
    need("xtb")
    pair = ConceptualAtoms(
        numbers=[*WATER.numbers, *WATER.numbers],
        positions=np.vstack([WATER.positions, WATER.positions + np.array([3.2, 0, 0])]),
    )
    found = metadynamics(pair, XTB.required("asked"), 3.0)
    for one in found.structures:
        assert len(connectivity(one).molecules) == 2
        assert np.linalg.norm(one.positions[0] - one.positions[3]) < 4.0
    assert "$wall" in _settings(pair, (0.003, 1.3), 1.0, 300.0, "GFN-FF")
    assert "$wall" not in _settings(WATER, (0.003, 1.3), 1.0, 300.0, "GFN-FF")


def test_turned_geometries_are_proper_rotations():
    places = np.random.default_rng(1)
    for _ in range(20):
        moved = _turned(np.vstack([np.eye(3), np.zeros(3)]), places)
        axes = moved[:3] - moved[3]
        assert np.allclose(axes @ axes.T, np.eye(3))
        assert np.linalg.det(axes) > 0


@pytest.mark.parametrize(("time", "temperature"), [(0.0, 400.0), (30.0, -1.0), (1e9, 400.0)])
def test_settings_out_of_bounds_are_refused(time: float, temperature: float):
    with pytest.raises(InputError, match="it is above 0 and up to"):
        metadynamics(built("CCO"), "6.5.1", time, temperature)


def test_a_crystal_or_two_atoms_are_refused():
    cell = ConceptualAtoms(
        numbers=[8, 1, 1], positions=WATER.positions, cell=9 * np.eye(3), periodic=[True] * 3
    )
    with pytest.raises(InputError, match="crystal"):
        metadynamics(cell, "6.5.1")
    pair = ConceptualAtoms(numbers=[1, 1], positions=[[0, 0, 0], [0, 0, 0.74]])
    with pytest.raises(InputError, match="one geometry"):
        metadynamics(pair, "6.5.1")
