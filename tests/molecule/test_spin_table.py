"""The tables of ground states, whole: what can be checked of each row is checked."""

from __future__ import annotations

import csv
from importlib.resources import files

import pytest
from rdkit import Chem

from ontologies.elements import SYMBOLS, hill_formula
from workflows.molecule.spin import read_spin
from workflows.molecule.spin.atoms import unpaired_alone
from workflows.molecule.spin.ground_states import known, of_atoms, of_molecules, sources

NAMES = ("singlet", "doublet", "triplet", "quartet", "quintet", "sextet")
RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
LETTERS = "SPDFGHIKL"


def rows(name: str) -> list[dict[str, str]]:
    text = (files("workflows.molecule.spin") / name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


MOLECULES, ATOMS = rows("molecules.csv"), rows("atoms.csv")


def told(term: str) -> int:
    """Return the multiplicity that a term symbol says."""
    if term in NAMES:
        return NAMES.index(term) + 1
    digits = term[: next(n for n, letter in enumerate(term) if letter not in RAISED)]
    return int("".join(str(RAISED.index(digit)) for digit in digits))


def test_it_is_as_large_as_it_says() -> None:
    diatomics = [
        row for row in MOLECULES if Chem.AddHs(Chem.MolFromSmiles(row["smiles"])).GetNumAtoms() == 2
    ]
    assert len(diatomics) >= 120
    assert len(MOLECULES) - len(diatomics) >= 60
    assert len(ATOMS) >= 200
    assert len(of_molecules()) == len(MOLECULES), "no two rows are the same molecule"
    assert len(of_atoms()) == len(ATOMS)


@pytest.mark.parametrize("row", MOLECULES, ids=lambda row: f"{row['smiles']}")
def test_each_molecule_reads_as_its_ground_state(row: dict[str, str]) -> None:
    mol = Chem.AddHs(Chem.MolFromSmiles(row["smiles"]))
    numbers = [atom.GetAtomicNum() for atom in mol.GetAtoms()]
    charge, multiplicity = int(row["charge"]), int(row["multiplicity"])
    assert hill_formula(numbers) == row["formula"]
    assert Chem.GetFormalCharge(mol) == charge
    assert told(row["term"]) == multiplicity
    assert (sum(numbers) - charge - multiplicity) % 2, "the electrons allow it"
    assert row["source"] in sources()
    spin = read_spin(mol)
    assert (spin.multiplicity, spin.origin) == (multiplicity, "table")
    bonds = [(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()) for bond in mol.GetBonds()]
    backwards = [(len(numbers) - 1 - one, len(numbers) - 1 - two) for one, two in bonds]
    found = known(numbers[::-1], backwards, charge)
    assert found is not None, "however its atoms are numbered"
    assert found.species == row["smiles"]


@pytest.mark.parametrize("row", ATOMS, ids=lambda row: f"{row['element']}{row['charge']}")
def test_each_atom_has_its_ground_level(row: dict[str, str]) -> None:
    number, charge = SYMBOLS.index(row["element"]), int(row["charge"])
    multiplicity = int(row["multiplicity"])
    assert told(row["term"]) == multiplicity
    assert row["term"][-1] in LETTERS
    assert (number - charge - multiplicity) % 2, "the electrons allow it"
    assert row["source"] in sources()
    assert unpaired_alone(number, charge) == multiplicity - 1


MAIN = (*range(1, 21), *range(31, 39), *range(49, 57), *range(81, 89))


def hund(electrons: int, noble: tuple[int, ...] = (0, 2, 10, 18, 36, 54, 86)) -> tuple[int, str]:
    """Return 2S+1 and L of the lowest term of an atom whose s and p shells are filled in order."""
    core = max(size for size in noble if size <= electrons)
    inner = {18: 10, 36: 10, 54: 24}.get(core, 0)
    outer = electrons - core
    outer -= inner if outer > 2 else 0
    p = outer - 2 if outer > 2 else 0
    unpaired = (outer % 2 if outer < 2 else 0) if not p else min(p, 6 - p)
    return unpaired + 1, "SPPSPPS"[p]


def electrons_of(row: dict[str, str]) -> int:
    return SYMBOLS.index(row["element"]) - int(row["charge"])


OF_MAIN_GROUPS = [
    row
    for row in ATOMS
    if SYMBOLS.index(row["element"]) in MAIN
    and int(row["charge"]) < 2
    and electrons_of(row) in (*MAIN, 2, 10, 18, 36, 54)
]
D_ROWS = ((21, 30, 18), (39, 48, 36))
D_IONS = [
    (row, core)
    for row in ATOMS
    for first, last, core in D_ROWS
    if int(row["charge"]) >= 2 and first <= SYMBOLS.index(row["element"]) <= last
]


@pytest.mark.parametrize("row", OF_MAIN_GROUPS, ids=lambda row: f"{row['element']}{row['charge']}")
def test_atoms_of_the_main_groups_follow_hund(row: dict[str, str]) -> None:
    assert (int(row["multiplicity"]), row["term"][-1]) == hund(electrons_of(row))


@pytest.mark.parametrize(("row", "core"), D_IONS)
def test_ions_of_the_d_block_have_emptied_s(row: dict[str, str], core: int) -> None:
    """Those of charge 2 or more are d^n with Hund's spin, by an independent count."""
    d = electrons_of(row) - core
    assert int(row["multiplicity"]) == min(d, 10 - d) + 1
    assert row["term"][-1] == "SDFFDSDFFDS"[d]


def test_both_kinds_are_many() -> None:
    assert len(OF_MAIN_GROUPS) > 80
    assert len(D_IONS) > 25


@pytest.mark.parametrize(
    ("number", "charge", "unpaired"),
    [
        (44, 3, 5),
        (76, 3, 5),
        (78, 4, 6 - 2),
        (22, 4, 0),
        (23, 5, 0),
        (58, 4, 0),
        (92, 6, 0),
        (26, 8, 0),
        (24, 6, 0),
        (7, -2, 1),
        (8, -2, 0),
        (33, 3, 0),
        (77, -1, None),
    ],
)
def test_ions_that_the_table_lacks(number: int, charge: int, unpaired: int | None) -> None:
    assert unpaired_alone(number, charge) == unpaired
