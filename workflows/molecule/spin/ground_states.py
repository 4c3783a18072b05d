"""Ground states that were measured (a few: calculated at high level), of atoms and of molecules.

`atoms.csv` has atoms and ions, `molecules.csv` diatomics, carbenes, nitrenes and diradicals, with
what decides: the atoms, who is bonded to whom, and the total charge. Orders of bonds, charges and
free electrons of the atoms are left out, for the same molecule is written in several ways: CF as
`[C]F` or `[C-]#[F+]`, ozone as `[O]O[O]` or `[O-][O+]=O`. `sources.csv` spells the sources out.

The entries were written down from memory of these sources, which were not at hand. What could be
checked is (`tests/molecule/test_spin_table.py`): the multiplicity is that of the term, the number
of electrons allows it, and Hund's rules give the same where they apply. `python -m evals.spins`
sets some fifty species beside calculations. What is disputed (the trimethylene and
tetramethyleneethane diradicals) is absent.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import csv
import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files

from ontologies.elements import SYMBOLS, hill_formula


@dataclass(frozen=True)
class GroundState:
    """A row of the tables.

    Attributes:
        species: symbol of the element, or SMILES.
        charge: total charge in e.
        term: symbol of the state, such as `²Π`, or `quintet` where its symmetry is not certain.
        multiplicity: 2S+1.
        source: key of `sources`.
    """

    species: str
    charge: int
    term: str
    multiplicity: int
    source: str

    @property
    def words(self) -> str:
        """The state and who says so, such as `²Π (Huber, Herzberg 1979)`."""
        return f"{self.term} ({sources()[self.source].short})"


def _rows(name: str) -> list[dict[str, str]]:
    text = (files("workflows.molecule.spin") / name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


@dataclass(frozen=True)
class Source:
    """Who says what a ground state is: in a few words, and as it is cited."""

    short: str
    citation: str


@functools.cache
def sources() -> Mapping[str, Source]:
    """Return the sources by their keys."""
    return {row["source"]: Source(row["short"], row["citation"]) for row in _rows("sources.csv")}


def _state(row: Mapping[str, str], species: str) -> GroundState:
    number = int(row["multiplicity"])
    return GroundState(row[species], int(row["charge"]), row["term"], number, row["source"])


@functools.cache
def of_atoms() -> Mapping[tuple[int, int], GroundState]:
    """Return the states of atoms and ions, by atomic number and charge."""
    rows = _rows("atoms.csv")
    return {
        (SYMBOLS.index(row["element"]), int(row["charge"])): _state(row, "element") for row in rows
    }


@functools.cache
def of_molecules() -> Mapping[tuple[str, int], GroundState]:
    """Return the states of molecules, by what decides (see `skeleton`) and charge."""
    from rdkit import Chem

    found: dict[tuple[str, int], GroundState] = {}
    for row in _rows("molecules.csv"):
        if len(row["smiles"].split("][")) == 2 and row["smiles"].count("[") == 2:
            found[row["formula"], int(row["charge"])] = _state(row, "smiles")
            continue
        mol = Chem.AddHs(Chem.MolFromSmiles(row["smiles"]))
        numbers = [atom.GetAtomicNum() for atom in mol.GetAtoms()]
        bonds = [(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()) for bond in mol.GetBonds()]
        found[skeleton(numbers, bonds), int(row["charge"])] = _state(row, "smiles")
    return found


@functools.cache
def formulas() -> frozenset[tuple[str, int]]:
    """Return formulas and charges of which there is a state, so that others are told at once."""
    return frozenset((row["formula"], int(row["charge"])) for row in _rows("molecules.csv"))


def skeleton(numbers: Sequence[int], bonds: Iterable[tuple[int, int]]) -> str:
    """Return what molecules share whose atoms are bonded alike, whatever the bonds are.

    Args:
        numbers: atomic numbers, hydrogens too.
        bonds: pairs of atoms from 0.
    """
    from rdkit import Chem

    if len(numbers) == 2:
        return hill_formula(numbers)
    plain = Chem.RWMol()
    for number in numbers:
        atom = Chem.Atom(int(number))
        atom.SetNoImplicit(True)
        plain.AddAtom(atom)
    for first, second in bonds:
        plain.AddBond(int(first), int(second), Chem.BondType.SINGLE)
    return str(Chem.MolToSmiles(plain))


def known(
    numbers: Sequence[int], bonds: Iterable[tuple[int, int]], charge: int
) -> GroundState | None:
    """Return the ground state of bonded atoms where it is in the table.

    Args:
        numbers: atomic numbers, hydrogens too.
        bonds: pairs of atoms from 0; they are asked for only where the formula is known.
        charge: total charge in e.
    """
    if (hill_formula(numbers), charge) not in formulas():
        return None
    return of_molecules().get((skeleton(numbers, bonds), charge))
