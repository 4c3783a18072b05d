"""What makes a structure, and which two are the same."""

import time
from typing import Any

import numpy as np
import pytest
from ase.build import bulk
from hypothesis import given, settings
from hypothesis import strategies as st

from ontologies.atoms import ConceptualAtoms, make_atoms
from ontologies.elements import SYMBOLS, hill_formula
from tests.ontologies.structures import build, moved, named, of_ase, salt, shifted, slab
from triplestore import InputError

WATER: dict[str, Any] = {
    "numbers": [8, 1, 1],
    "positions": [[0, 0, 0], [0, 0.76, 0.59], [0, -0.76, 0.59]],
}
BOX = np.eye(3) * 10
ALWAYS = [True] * 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"numbers": [], "positions": np.zeros((0, 3))}, "there are no atoms"),
        ({"positions": [[0, 0, 0]]}, "3 atomic numbers but 1 positions"),
        ({"numbers": [8, 1, 119]}, "between 1 and 118"),
        ({"numbers": [8, 1, 0]}, "between 1 and 118"),
        ({"numbers": [8, 1, -1]}, "between 1 and 118"),
        ({"numbers": [8, 1, 10**30]}, "numbers"),
        ({"numbers": [8, 1, 1.5]}, "1.5 cannot be read as int64"),
        ({"numbers": ["O", "H", "H"]}, "numbers"),
        ({"positions": [[0, 0, 0], [0, 0.76, np.nan], [0, -0.76, 0.59]]}, "not a finite number"),
        ({"positions": [[0, 0, 0], [0, 0.76, np.inf], [0, -0.76, 0.59]]}, "not a finite number"),
        ({"positions": [[0, 0], [0, 1], [1, 0]]}, "positions"),
        (
            {"positions": [[0, 0, 0], [0, 0.76, 0.59], [0, 0.76, 0.6]]},
            r"2 \(H\) and 3 \(H\).*0.010",
        ),
        ({"cell": BOX}, "both its cell and its periodicity"),
        ({"periodic": ALWAYS}, "both its cell and its periodicity"),
        ({"cell": np.ones((3, 3)), "periodic": ALWAYS}, "no volume"),
        ({"cell": np.eye(2), "periodic": ALWAYS}, "cell"),
        ({"charge": 11}, r"charge \+11 takes more electrons than H2O has"),
        ({"charge": 0.5}, "charge"),
        ({"charge": None}, "charge"),
        ({"multiplicity": 2}, "multiplicity 2 cannot be.*10 electrons, so it can be 1, 3, 5"),
        ({"multiplicity": 13}, "multiplicity 13 cannot be"),
        ({"multiplicity": 0}, "greater than or equal to 1"),
        ({"charge": 1, "multiplicity": 1}, "9 electrons, so it can be 2, 4, 6"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_what_is_no_structure(change: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        make_atoms("the test", **{**WATER, **change})


def test_electrons_and_multiplicity() -> None:
    assert (named("H2O").electrons, named("H2O").multiplicity) == (10, 1)
    assert named("H2O").model_copy(update={"charge": 1, "multiplicity": 2}).electrons == 9
    assert build(**WATER, charge=1).multiplicity == 2
    assert build(**WATER, charge=1, multiplicity=4).multiplicity == 4
    assert build(numbers=[1], positions=[[0, 0, 0]], charge=1).electrons == 0


@pytest.mark.parametrize(
    ("elements", "formula"),
    [
        ("O H H", "H2O"),
        ("C H H H H", "CH4"),
        ("H H C O", "CH2O"),
        ("C O O", "CO2"),
        ("Na Cl", "ClNa"),
        ("S F F F F F F", "F6S"),
        ("H Cl", "ClH"),
        ("C Cl Cl Cl Cl", "CCl4"),
        ("Br C H F Cl", "CHBrClF"),
        ("H N C", "CHN"),
        ("H H S O O O O", "H2O4S"),
        ("He", "He"),
        ("C " * 60, "C60"),
        ("H " * 12 + "C " * 6 + "O " * 6, "C6H12O6"),
        ("Co", "Co"),
        ("C O", "CO"),
        ("N H H H", "H3N"),
        ("B B H H H H H H", "B2H6"),
    ],
)
def test_formulas_in_the_hill_order(elements: str, formula: str) -> None:
    assert hill_formula([SYMBOLS.index(symbol) for symbol in elements.split()]) == formula


def test_every_element_has_its_symbol() -> None:
    from ase.data import chemical_symbols

    assert list(SYMBOLS) == chemical_symbols
    assert len(SYMBOLS) == 119


def test_xyz_text() -> None:
    water = build(**WATER, charge=1)
    lines = water.to_xyz("from\na test").splitlines()
    assert lines[:2] == ["3", "charge=1 multiplicity=2 from a test"]
    assert lines[3].split() == ["H", "0.000000000", "0.760000000", "0.590000000"]
    assert len(lines) == 5


def test_names_of_stored_structures_never_change() -> None:
    """Stored data depends on these literals."""
    ion = build(**WATER, charge=1, cell=BOX, periodic=[True, True, False])
    assert build(**WATER).iri.endswith("/ConceptualAtoms/7901ea5b24e7164334c24e0446684351")
    assert ion.iri.endswith("/ConceptualAtoms/58a2f9e8c2cd93c91023e0b1c4397ca2")


# --- translated copies --------------------------------------------------------------------------


@given(st.tuples(*[st.floats(-50, 50)] * 3), st.sampled_from(["H2O", "C6H6", "CH3CH2OH", "CO2"]))
def test_translated_copies_are_found(shift: tuple[float, ...], name: str) -> None:
    atoms = named(name)
    copy = shifted(atoms, *shift)
    for other in (copy, copy.moved_to(copy.positions.round(6))):
        label, number = other.coarse()
        assert label == atoms.coarse()[0]
        assert abs(number - atoms.coarse()[1]) < 2e-6
        motion = atoms.motion_from(other)
        assert motion is not None
        assert np.abs(other.transformed(motion).positions - atoms.positions).max() <= 2e-6
    assert atoms.motion_from(atoms) is not None


def test_the_extent_is_a_radius_of_gyration() -> None:
    assert build(numbers=[1, 1], positions=[[5, 5, 5], [5, 5, 6.4]]).extent == pytest.approx(0.7)
    assert build(numbers=[2], positions=[[5, 5, 5]]).extent == pytest.approx(0)
    water, numbers = named("H2O"), np.array([8, 1, 1])
    apart = np.linalg.norm(water.positions[:, None] - water.positions, axis=2)
    pairs = (np.outer(numbers, numbers) * apart**2).sum() / 2  # Lagrange's way to say the same
    assert water.extent == pytest.approx(pairs**0.5 / numbers.sum())


def test_copies_share_a_label_and_others_do_not() -> None:
    atoms = named("CH3CH2OH")
    assert atoms.coarse()[0] == moved(atoms, 1, mirror=True).coarse()[0]
    charged = atoms.model_copy(update={"charge": 1, "multiplicity": 2})
    triplet = atoms.model_copy(update={"multiplicity": 3})
    boxed = atoms.model_copy(update={"cell": BOX, "periodic": ALWAYS})
    larger = atoms.model_copy(update={"cell": BOX * 1.1, "periodic": ALWAYS})
    labels = {other.coarse()[0] for other in (atoms, charged, triplet, boxed, larger, named("CO2"))}
    assert len(labels) == 6


# --- the same structure -------------------------------------------------------------------------

MOLECULES = [
    "H2", "CO2", "H2O", "NH3", "CH4", "C2H2", "C2H4", "C6H6", "SF6", "CH3CH2OH", "isobutane",
    "cyclobutane", "trans-butane", "C60", "CHFClBr",
]  # fmt: skip


@settings(max_examples=60)
@given(st.sampled_from(MOLECULES), st.integers(0, 2**32))
def test_turned_and_renumbered_molecules_are_equivalent(name: str, seed: int) -> None:
    atoms = named(name)
    start = time.perf_counter()
    assert atoms.equivalent(moved(atoms, seed))
    assert atoms.equivalent(moved(atoms, seed, mirror=True)) == (name != "CHFClBr")
    assert time.perf_counter() - start < 60


def test_molecules_that_differ() -> None:
    trans = named("trans-butane")
    pairs = [
        (named("CH3CH2OH"), named("CH3OCH3")),
        (named("H2O"), named("H2O").model_copy(update={"charge": 2})),
        (named("H2O"), named("H2O").model_copy(update={"multiplicity": 3})),
        (trans, named("isobutane")),
        (trans, twisted(trans)),
        (named("H2O"), named("H2O").moved_to(named("H2O").positions * 1.2)),
    ]
    for one, other in pairs:
        assert not one.equivalent(moved(other, 1))
        assert not other.equivalent(moved(one, 2))


def twisted(butane: ConceptualAtoms) -> ConceptualAtoms:
    """Turn one end of the chain by 120° about the middle bond."""
    atoms = butane.to_ase()
    bonded = {
        i: [j for j in range(14) if j != i and atoms.get_distance(i, j) < 1.7] for i in range(14)
    }
    middle = [i for i in range(4) if sum(j < 4 for j in bonded[i]) == 2]
    if len(middle) != 2:
        carbons = [i for i, n in enumerate(butane.numbers) if n == 6]
        middle = [i for i in carbons if sum(j in carbons for j in bonded[i]) == 2]
    b, c = middle
    end = next(j for j in bonded[c] if j != b and butane.numbers[j] == 6)
    start = next(j for j in bonded[b] if j != c and butane.numbers[j] == 6)
    group = {*bonded[c], *bonded[end], c, end} - {b}
    atoms.rotate_dihedral(start, b, c, end, 120, indices=sorted(group))
    return of_ase(atoms)


def test_noise_within_and_beyond_the_tolerance() -> None:
    atoms, rng = named("C6H6"), np.random.default_rng(0)
    noise = rng.normal(size=atoms.positions.shape)
    noise *= 0.03 / np.sqrt((noise**2).sum(axis=1).mean())
    other = moved(atoms.moved_to(atoms.positions + noise), 3)
    assert atoms.equivalent(other)
    assert not atoms.equivalent(other, tolerance=0.005)


def test_thirty_atoms_are_quick_also_when_they_differ() -> None:
    ring = [[np.cos(a), np.sin(a), 0] for a in np.arange(30) * 2 * np.pi / 30]
    one = build(numbers=[6] * 30, positions=np.array(ring) * 7)
    points = one.positions.copy()
    points[::2, 2] += 0.12
    two = moved(one.moved_to(points), 5)
    cloud = np.random.default_rng(2).permutation(64)[:30]
    grid = np.array([[n % 4, n // 4 % 4, n // 16] for n in cloud]) * 1.5
    three = build(numbers=[6] * 30, positions=grid)
    start = time.perf_counter()
    assert not one.equivalent(two)
    assert one.equivalent(moved(one, 1))
    assert not three.equivalent(moved(three, 6, mirror=True))
    assert time.perf_counter() - start < 60


def test_crystals_are_the_same_in_every_cell() -> None:
    primitive, cubic = salt(), salt(cubic=True)
    supercell = of_ase(primitive.to_ase().repeat((2, 2, 1)))
    for other in (cubic, supercell, shifted(primitive, 0.3, 1.0, 2.0)):
        assert primitive.equivalent(other)
        assert other.equivalent(primitive)
    for a in (5.64 * 1.03, 5.64 * 0.97):
        assert not primitive.equivalent(salt(a=a))
    squeezed = cubic.to_ase()
    squeezed.set_cell(squeezed.cell.array * [1, 1, 1.04], scale_atoms=True)
    assert not cubic.equivalent(of_ase(squeezed))
    displaced = cubic.positions.copy()
    displaced[0] += 0.15
    assert not cubic.equivalent(cubic.moved_to(displaced))
    assert not primitive.equivalent(of_ase(bulk("KCl", "rocksalt", a=5.64)))
    assert not primitive.equivalent(primitive.model_copy(update={"charge": 2}))
    assert not primitive.equivalent(primitive.model_copy(update={"periodic": [True, True, False]}))
    assert not named("H2O").equivalent(primitive)
    assert not primitive.equivalent(named("H2O"))
    assert slab().equivalent(shifted(slab(), 1.0, 0.0, 0.5))
