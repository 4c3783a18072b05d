"""Bonds found by positions, against structures whose bonds are known otherwise.

Those in `known_bonds.xyz` come from a SMILES (embedded, then relaxed by a force field, by GFN2-xTB
or by Hartree–Fock), or were put together from published lengths and angles; the comment line says
which. The rule that is tested had no part in them.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from rdkit import Chem
from scipy.spatial.transform import Rotation

from grafico.views.picture import scene
from ontologies.atoms import ConceptualAtoms, make_atoms
from ontologies.connectivity import connectivity
from ontologies.elements import SYMBOLS
from workflows.molecule.blocks import structure
from workflows.molecule.bonds import perceive

FILE = Path(__file__).parent / "known_bonds.xyz"
COMMENT = re.compile(r'charge=(\S+) multiplicity=(\d+) bonds=(\S+) from="(.*?)" name="(.*?)"')


@dataclass(frozen=True)
class Known:
    name: str
    origin: str
    atoms: ConceptualAtoms
    bonds: frozenset[tuple[int, int]]


def known() -> list[Known]:
    lines, at, found = FILE.read_text(encoding="utf-8").splitlines(), 0, list[Known]()
    while at < len(lines):
        count, comment = int(lines[at]), COMMENT.fullmatch(lines[at + 1])
        assert comment
        rows = [line.split() for line in lines[at + 2 : at + 2 + count]]
        pairs = [] if comment[3] == "none" else [p.split("-") for p in comment[3].split(",")]
        atoms = make_atoms(
            comment[5],
            numbers=[SYMBOLS.index(row[0]) for row in rows],
            positions=[[float(x) for x in row[1:]] for row in rows],
            charge=int(comment[1]),
            multiplicity=int(comment[2]),
        )
        bonds = frozenset((int(one) - 1, int(two) - 1) for one, two in pairs)
        found.append(Known(comment[5], comment[4], atoms, bonds))
        at += count + 2
    return found


KNOWN = known()


def pairs(atoms: ConceptualAtoms) -> set[tuple[int, int]]:
    return {(bond.first, bond.second) for bond in connectivity(atoms).bonds}


def test_there_are_enough_of_every_kind():
    assert len(KNOWN) > 500
    assert len({one.name for one in KNOWN}) > 400
    assert (
        sum(
            not connected
            for connected in (len(connectivity(k.atoms).molecules) == 1 for k in KNOWN)
        )
        > 20
    )
    heavy = {number for one in KNOWN for number in one.atoms.numbers.tolist()}
    assert len(heavy) > 50


@pytest.mark.parametrize("one", KNOWN, ids=lambda one: f"{one.name}, {one.origin}")
def test_bonds_are_those_known(one: Known):
    assert pairs(one.atoms) == one.bonds


def test_tremble_turn_and_number_do_not_matter():
    """Off by 0.015 Å an axis, as a step of an optimisation is, turned and in another order."""
    noise = np.random.default_rng(1)
    for one in KNOWN:
        count = len(one.atoms.numbers)
        order = noise.permutation(count)
        turned = Rotation.random(rng=noise).apply(one.atoms.positions.copy())
        moved = (turned + noise.normal(0, 0.015, (count, 3)))[order]
        atoms = one.atoms.model_copy(
            update={"numbers": one.atoms.numbers[order], "positions": moved}
        )
        found = {tuple(sorted((int(order[i]), int(order[j])))) for i, j in pairs(atoms)}
        assert found == one.bonds, one.name


def test_the_same_across_the_faces_of_a_cell():
    shift = np.random.default_rng(2)
    for one in KNOWN[::3]:
        box = np.ptp(one.atoms.positions, axis=0) + 9.0
        atoms = make_atoms(
            one.name,
            numbers=one.atoms.numbers,
            positions=(one.atoms.positions + shift.uniform(0, 1, 3) * box) % box,
            charge=one.atoms.charge,
            multiplicity=one.atoms.multiplicity,
            cell=np.diag(box),
            periodic=[True] * 3,
        )
        assert pairs(atoms) == one.bonds, one.name


def test_a_picture_shows_the_same_bonds():
    for one in KNOWN[::5]:
        drawn = structure(one.atoms)
        assert {(i, j) for i, j, _ in drawn.bonds} == one.bonds, one.name
        assert {(i, j) for i, j, _, _ in scene(drawn).bonds} == one.bonds, one.name


@pytest.mark.parametrize(
    ("name", "smiles"),
    [
        ("cyclobutadiene", "C1=CC=C1"),
        ("tetrahedrane", "C12C3C1C23"),
        ("bicyclo[1.1.1]pentane", "C1C2CC1C2"),
        ("[1.1.1]propellane", "C1C23CC12C3"),
        ("cyclodisiloxane", "O1[SiH2]O[SiH2]1"),
        ("cyclodisilthiane", "S1[SiH2]S[SiH2]1"),
        ("dithietane13", "C1SCS1"),
        ("prismane", "C12C3C1C1C2C31"),
    ],
)
def test_small_rings_are_written_as_they_are(name: str, smiles: str):
    """Written to XYZ and read again, cyclobutadiene was tetrahedrane."""
    expected = Chem.CanonSmiles(smiles)
    found = [one for one in KNOWN if one.name == name]
    assert found
    for one in found:
        mol, how = perceive(one.atoms)
        assert how == "bonds perceived from distances"
        assert Chem.CanonSmiles(Chem.MolToSmiles(Chem.RemoveHs(mol))) == expected


def test_small_molecules_and_large_ones_are_searched_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small ones distance by distance, large ones through a tree."""
    small = [connectivity(one.atoms) for one in known()]
    monkeypatch.setattr("ontologies.connectivity.FEW", 0)
    assert [connectivity(one.atoms) for one in known()] == small
