"""Coordinates by their elements: found by who is bonded to whom, refused where several differ."""

# pyright: reportAttributeAccessIssue=false

import pytest
from rdkit import Chem
from rdkit.Chem import AllChem

from ontologies.atoms import ConceptualAtoms
from triplestore.errors import InputError
from workflows.engine.request.form import fill
from workflows.scan.elements import numbered, read_named, turn
from workflows.scan.request import ScanRequest


def molecule(smiles: str) -> ConceptualAtoms:
    mol = Chem.AddHs(Chem.MolFromSmiles(smiles))
    AllChem.EmbedMolecule(mol, randomSeed=7)
    AllChem.MMFFOptimizeMolecule(mol)
    numbers = [atom.GetAtomicNum() for atom in mol.GetAtoms()]
    return ConceptualAtoms(numbers=numbers, positions=mol.GetConformer().GetPositions())


@pytest.mark.parametrize(
    ("smiles", "coordinate", "found"),
    [
        ("OO", "dihedral H-O-O-H", "dihedral 3 1 2 4"),
        ("CCCC", "dihedral", "dihedral 1 2 3 4"),
        ("CCCC", "dihedral C-C-C-C", "dihedral 1 2 3 4"),
        ("CCCC", "dihedral C-C", "dihedral 1 2 3 4"),
        ("CC", "dihedral", "dihedral 3 1 2 6"),
        ("C=CC=C", "dihedral", "dihedral 1 2 3 4"),
        ("NC=O", "dihedral C-N", "dihedral 3 2 1 4"),
        ("CCO", "distance O-H", "distance 3 9"),
        ("O", "angle H-O-H", "angle 2 1 3"),
    ],
)
def test_atoms_are_found(smiles: str, coordinate: str, found: str) -> None:
    assert numbered(coordinate, molecule(smiles)) == found


@pytest.mark.parametrize(
    ("smiles", "coordinate", "said"),
    [
        ("CCO", "distance C-H", "several"),
        ("C1CCCCC1", "dihedral", "none"),
        ("O", "dihedral H-O-O-H", "none"),
        ("CC(C)CC=O", "dihedral C-C", "several"),
    ],
)
def test_what_is_not_there_or_not_one_is_refused(smiles: str, coordinate: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        numbered(coordinate, molecule(smiles))
    assert said in caught.value.found


@pytest.mark.parametrize("text", ["dihedral H-O-O", "angle", "distance X-H", "dihedral 1 2 3 4"])
def test_what_names_no_coordinate_by_elements_is_not_read(text: str) -> None:
    assert read_named(text) is None


def test_a_scan_by_elements_is_that_by_numbers() -> None:
    peroxide = molecule("OO")
    named = ScanRequest(coordinate="dihedral H O O H", start=0, end=180, points=3).plan(peroxide)
    numbers = ScanRequest(coordinate="dihedral 3 1 2 4", start=0, end=180, points=3).plan(peroxide)
    assert named == numbers


@pytest.mark.parametrize(
    ("smiles", "coordinate", "degrees"),
    [
        ("CC", "dihedral", 120.0),
        ("CO", "dihedral", 120.0),
        ("CCCC", "dihedral", 360.0),
        ("OO", "dihedral", 360.0),
        ("Cc1ccccc1", "dihedral 3 2 1 8", 60.0),
        ("c1ccccc1-c1ccccc1", "dihedral 1 6 7 8", 180.0),
        ("C[N+](=O)[O-]", "dihedral 3 2 1 5", 60.0),
    ],
)
def test_a_turn_is_as_long_as_its_symmetry_asks(
    smiles: str, coordinate: str, degrees: float
) -> None:
    """Sixfold in toluene and nitromethane, threefold in ethane and methanol, as in the books."""
    given = molecule(smiles)
    plan = ScanRequest(coordinate=coordinate).plan(given)
    assert plan.values[-1] - plan.values[0] == pytest.approx(degrees, abs=1e-5)
    assert turn(given, plan.members)[0] == degrees
    assert f"by {degrees:g}°" in plan.reach
    assert ("alike" in plan.reach) == (degrees < 360)


@pytest.mark.parametrize(
    ("smiles", "offered"),
    [
        ("CCCC", "`dihedral` 1 2 3 4 (C1–C2–C3–C4, now "),
        ("OO", "`dihedral` 3 1 2 4 (H3–O1–O2–H4, now "),
        ("O", "`angle` 2 1 3 (H2–O1–H3, now 10"),  # nothing turns
        ("C#N", "`distance` 1 2 (C1–N2, now 1.1"),  # it lies on a line
    ],
)
def test_without_a_coordinate_those_of_the_molecule_are_told(smiles: str, offered: str) -> None:
    atoms = molecule(smiles)
    with pytest.raises(InputError) as told:
        ScanRequest().plan(atoms)
    assert offered in told.value.advice
    assert " ".join(f"{s}{n}" for n, s in enumerate(atoms.symbols, 1)) in told.value.advice
    kind, rest = told.value.advice.removeprefix("give `").split("` ", 1)
    one = f"{kind} {rest.partition(' (')[0]}"
    assert ScanRequest(coordinate=one, start=1, end=2).plan(atoms).kind == kind


def test_atoms_that_are_not_there_lead_to_those_that_are() -> None:
    with pytest.raises(InputError, match=r"there are 14 atoms.*`dihedral` 1 2 3 4"):
        ScanRequest(coordinate="dihedral 1 2 3 99").plan(molecule("CCCC"))
    with pytest.raises(InputError, match=r"that is no coordinate; write .distance 1 2"):
        fill(ScanRequest, {"coordinate": "the bond"})
