"""Files for other programs: mol2 by Open Babel, and the input of Quantum ESPRESSO's pw.x."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ontologies.atoms import make_atoms
from tests.conftest import Need
from triplestore.errors import InputError
from workflows.molecule import embed, read_content
from workflows.molecule.writing import write


@pytest.mark.parametrize(
    ("smiles", "charge", "types"),
    [("c1ccccc1", 0, {"C.ar", "H"}), ("CC(=O)[O-]", -1, {"C.3", "C.2", "O.co2", "H"})],
)
def test_mol2_is_read_back(
    tmp_path: Path, need: Need, smiles: str, charge: int, types: set[str]
) -> None:
    need("obabel")
    atoms = embed(smiles, "smiles").atoms
    path = tmp_path / "a.mol2"
    path.write_text(write(atoms, "mol2", None, "its title").text)
    again = read_content(path)
    assert again.atoms.numbers.tolist() == atoms.numbers.tolist()
    assert np.abs(again.atoms.positions - atoms.positions).max() < 1e-3
    assert (again.atoms.charge, again.comment) == (charge, "its title")
    rows = [line.split() for line in path.read_text().splitlines()]
    assert {row[5] for row in rows if len(row) == 9} == types


def test_an_input_of_pw_x_is_read_back(tmp_path: Path) -> None:
    """ASE reads the same crystal; nothing in it is of this machine."""
    from ase.io import read

    salt = make_atoms(
        "salt",
        numbers=[11, 17],
        positions=[[0, 0, 0], [2.82, 0, 0]],
        cell=[[0, 2.82, 2.82], [2.82, 0, 2.82], [2.82, 2.82, 0]],
        periodic=[True] * 3,
    )
    written = write(salt, "espresso", None, "salt")
    path = tmp_path / "a.pwi"
    path.write_text(written.text)
    again: Any = read(path, format="espresso-in")
    assert again.numbers.tolist() == [11, 17]
    assert np.abs(again.cell.array - np.array(salt.cell)).max() < 1e-9
    assert np.abs(again.positions - salt.positions).max() < 1e-9
    # reciprocal vectors of 2π/2.82·√3/2 Å⁻¹ by steps of 0.25
    assert "K_POINTS automatic\n8 8 8 0 0 0\n" in written.text
    assert "/" not in written.text.replace("'./'", "").replace("'./out'", "").replace("\n/\n", "\n")
    assert "Na.UPF, Cl.UPF: put in the names of your pseudopotentials" in written.notes[0]


def test_what_does_not_repeat_is_refused() -> None:
    helium = make_atoms("He", numbers=[2], positions=[[0, 0, 0]])
    with pytest.raises(InputError, match="does not repeat in three directions"):
        write(helium, "espresso")


@pytest.mark.parametrize("form", ["vasp", "espresso"])
def test_a_slab_is_written_with_its_vacuum(form: Any) -> None:
    slab = make_atoms(
        "slab",
        numbers=[6],
        positions=[[0, 0, 10]],
        cell=[[2.5, 0, 0], [0, 2.5, 0], [0, 0, 20]],
        periodic=[True, True, False],
    )
    written = write(slab, form)
    assert "20.000000000000" in written.text
    assert "repeats in all three directions there" in written.notes[0]
    assert form == "vasp" or "\n11 11 1 0 0 0\n" in written.text
