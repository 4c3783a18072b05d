"""Objects of ASE and RDKit are read as files of them are, and nothing imports either for it."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from ase import Atoms
from ase.build import bulk, molecule
from rdkit import Chem
from rdkit.Chem import rdDistGeom

from triplestore.errors import InputError
from workflows.molecule.files import FileContent
from workflows.molecule.objects import as_subject, content_of_object


def read(given: object, **said: int) -> FileContent:
    found = content_of_object(given, **said)
    assert isinstance(found, FileContent)
    return found


def embedded(smiles: str) -> Any:
    mol: Any = Chem.AddHs(Chem.MolFromSmiles(smiles))
    assert rdDistGeom.EmbedMolecule(mol, randomSeed=7) == 0
    return mol


@pytest.mark.parametrize(
    ("name", "multiplicity"), [("H2O", 1), ("O2", 3), ("CH3", 2), ("CH2_s3B1d", 3), ("Si", 3)]
)
def test_atoms_keep_places_and_unpaired_electrons(name: str, multiplicity: int):
    given = molecule(name)
    atoms = read(given).atoms
    np.testing.assert_array_equal(atoms.positions, given.positions)
    np.testing.assert_array_equal(atoms.numbers, given.numbers)
    assert (atoms.charge, atoms.multiplicity) == (0, multiplicity)
    said = [one for one in read(given).remarks if f"multiplicity {multiplicity} taken" in one]
    assert bool(said) == (multiplicity > 1)


def test_atoms_say_their_charge():
    given = Atoms("OH", [[0, 0, 0], [0, 0, 0.97]], charges=[-1.2, 0.2])
    assert read(given).atoms.charge == -1
    assert read(given, charge=1).atoms.charge == 1
    given = Atoms("OH", [[0, 0, 0], [0, 0, 0.97]], info={"charge": 0, "multiplicity": 4})
    assert (read(given).atoms.charge, read(given).atoms.multiplicity) == (0, 4)
    partial = Atoms("OH", [[0, 0, 0], [0, 0, 0.97]], charges=[-0.8, 0.3])
    with pytest.raises(InputError, match="no whole number"):
        read(partial)


def test_a_crystal_keeps_its_cell():
    given = bulk("NaCl", "rocksalt", a=5.64)
    atoms = read(given).atoms
    assert atoms.is_periodic
    np.testing.assert_array_equal(np.array(atoms.cell), given.cell.array)
    boxed = molecule("H2O")
    boxed.set_cell([9, 9, 9])
    assert not read(boxed).atoms.is_periodic


def test_what_is_no_structure_is_refused():
    with pytest.raises(InputError, match="no atoms"):
        read(Atoms())
    with pytest.raises(InputError, match="ASE"):
        read(Atoms("H2", [[0, 0, 0], [0, 0, 0]]))


def test_a_mol_keeps_places_bonds_and_charge():
    given = embedded("C[NH3+]")
    found = read(given)
    np.testing.assert_array_equal(found.atoms.positions, given.GetConformer().GetPositions())
    assert (found.atoms.charge, found.atoms.multiplicity) == (1, 1)
    assert Chem.MolToSmiles(Chem.RemoveHs(found.mol)) == "C[NH3+]"


def test_a_mol_says_its_radicals():
    assert read(embedded("[CH3]")).atoms.multiplicity == 2


def test_a_mol_without_places_is_its_smiles():
    assert content_of_object(Chem.MolFromSmiles("OCC")) == "CCO"
    assert as_subject(Chem.AddHs(Chem.MolFromSmiles("OCC"))) == "CCO"
    flat = Chem.MolFromMolBlock(Chem.MolToMolBlock(Chem.MolFromSmiles("C[C@H](F)Cl")))
    assert content_of_object(flat) == "C[C@H](F)Cl"


def test_a_mol_without_its_hydrogens_is_refused():
    given = Chem.RemoveHs(embedded("CCO"))
    with pytest.raises(InputError, match="6 hydrogen atoms implied"):
        read(given)


def test_anything_else_is_left_alone():
    for one in ("water", 5, None, object()):
        assert content_of_object(one) is None
        assert as_subject(one) is one


def test_neither_library_is_imported_to_find_out():
    code = (
        "import sys; from workflows.molecule.objects import as_subject; as_subject('water');"
        "print(*(one for one in ('ase', 'rdkit') if one in sys.modules))"
    )
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert said.stdout.split() == []
