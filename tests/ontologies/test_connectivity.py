"""Bonds by distance, and what becomes of them."""

import numpy as np
import pytest
from ase.build import bulk, molecule
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from ontologies.atoms import ConceptualAtoms, make_atoms
from ontologies.connectivity import BOND_FACTOR, changes, connectivity, covalent_radii
from triplestore.errors import InputError


def named(name: str) -> ConceptualAtoms:
    return ConceptualAtoms.from_ase(molecule(name))


@pytest.mark.parametrize(
    ("name", "coordination"),
    [
        ("H2O", (2, 1, 1)),
        ("F2", (1, 1)),
        ("C6H6", (3,) * 6 + (1,) * 6),
        ("C2H4", (3, 3, 1, 1, 1, 1)),
        ("ClF3", (3, 1, 1, 1)),
        ("Si2H6", (4, 4) + (1,) * 6),
        ("bicyclobutane", (4,) * 4 + (1,) * 6),
    ],
)
def test_coordination_of_molecules(name: str, coordination: tuple[int, ...]):
    found = connectivity(named(name))
    assert sorted(found.coordination) == sorted(coordination)
    assert found.molecules == (tuple(range(len(coordination))),)


@pytest.mark.parametrize(
    ("crystal", "coordination"),
    [
        (bulk("NaCl", "rocksalt", 5.64, cubic=True), (6,) * 8),
        (bulk("NaCl", "rocksalt", 5.64), (6, 6)),
        (bulk("MgO", "rocksalt", 4.21), (6, 6)),
        (bulk("Cu"), (12,)),
        (bulk("Si"), (4, 4)),
    ],
)
def test_coordination_of_crystals(crystal, coordination: tuple[int, ...]):
    """The numbers of the structure types, whichever cell describes them."""
    assert connectivity(ConceptualAtoms.from_ase(crystal)).coordination == coordination


def test_bonds_have_lengths_and_labels():
    found = connectivity(named("H2O"))
    assert [bond.label for bond in found.bonds] == ["O1-H2", "O1-H3"]
    assert [bond.length for bond in found.bonds] == pytest.approx([0.969, 0.969], abs=1e-3)
    assert found.neighbours(0) == (1, 2)
    assert found.neighbours(2) == (0,)


def test_separate_molecules_and_hydrogen_bonds():
    water = named("H2O")
    pair = make_atoms(
        "two waters",
        numbers=[*water.numbers, *water.numbers],
        positions=np.vstack([water.positions, water.positions + np.array([0, 0, 2.9])]),
    )
    assert connectivity(pair).molecules == ((0, 1, 2), (3, 4, 5))


@given(
    turn=st.integers(0, 1000).map(lambda seed: Rotation.random(rng=np.random.default_rng(seed))),
    shift=st.tuples(*[st.floats(-50, 50)] * 3),
    order=st.permutations(range(9)),
)
def test_motion_and_numbering_do_not_matter(turn, shift, order: list[int]):
    ethanol = named("CH3CH2OH")
    moved = make_atoms(
        "moved",
        numbers=ethanol.numbers[order],
        positions=turn.apply(ethanol.positions[order]) + shift,
    )
    expected = {frozenset((b.first, b.second)) for b in connectivity(ethanol).bonds}
    found = {frozenset((order[b.first], order[b.second])) for b in connectivity(moved).bonds}
    assert found == expected


def test_what_a_proton_transfer_changes():
    """HCN → HNC: the hydrogen leaves carbon and joins nitrogen."""
    numbers = [1, 6, 7]
    before = make_atoms("HCN", numbers=numbers, positions=[[-1.07, 0, 0], [0, 0, 0], [1.16, 0, 0]])
    after = before.moved_to(np.array([[2.17, 0, 0], [0, 0, 0], [1.17, 0, 0]]))
    found = changes(before, after)
    assert [bond.label for bond in found.broken] == ["H1-C2"]
    assert [bond.label for bond in found.formed] == ["H1-N3"]
    assert found.broken[0].length == pytest.approx(2.17)
    assert found
    assert str(found) == "broken: H1-C2; formed: H1-N3"
    back = changes(after, before)
    assert (back.broken, back.formed) != (found.broken, found.formed)
    assert [bond.label for bond in back.formed] == ["H1-C2"]


def test_a_bridging_hydrogen_has_formed_a_bond_and_broken_none():
    """The ethyl cation, classical and bridged, with C–C 1.38 Å and C–H–C 1.3 Å."""
    carbons = [[-0.69, 0, 0], [0.69, 0, 0]]
    rest = [[-1.2, 0.95, 0.1], [-1.2, -0.95, 0.1], [1.2, 0.95, 0.1], [1.2, -0.95, 0.1]]
    classical = make_atoms(
        "classical",
        numbers=[6, 6, 1, 1, 1, 1, 1],
        positions=[*carbons, *rest, [-1.1, 0.0, 1.02]],
        charge=1,
    )
    bridged = classical.moved_to(np.array([*carbons, *rest, [0.0, 0.0, 1.12]]))
    found = changes(classical, bridged)
    assert [bond.label for bond in found.formed] == ["C2-H7"]
    assert not found.broken


def test_a_bond_that_trembles_about_the_limit_is_kept():
    limit = BOND_FACTOR * 2 * covalent_radii()[9]
    near, far, gone = (
        make_atoms("F2", numbers=[9, 9], positions=[[0, 0, 0], [0, 0, length]])
        for length in (limit - 0.02, limit + 0.02, limit + 0.5)
    )
    assert not changes(near, far)
    assert not changes(far, near)
    assert changes(near, gone).broken
    assert str(changes(near, far)) == "all bonds kept"


def test_a_bond_across_the_cell():
    crystal = ConceptualAtoms.from_ase(bulk("Si", cubic=True))
    assert not changes(crystal, crystal)
    shifted = crystal.moved_to(crystal.positions + np.eye(8)[0][:, None] * [1.2, 0, 0])
    assert changes(crystal, shifted).broken


def test_other_atoms_are_refused():
    with pytest.raises(InputError, match="one is of H2O, the other of CH4"):
        changes(named("H2O"), named("CH4"))
