"""What is written is read back as the same, and what gets lost is told."""

import contextlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontologies.atoms import ConceptualAtoms, make_atoms
from triplestore.errors import ComponentError, InputError
from workflows.engine.request.endings import check_ending
from workflows.molecule import embed, read_content, read_file, write
from workflows.molecule.bonds import perceive
from workflows.molecule.conversion import CONVERT
from workflows.molecule.embedding import bonded
from workflows.molecule.notation import read_smiles, smiles_of_inchi, smiles_of_selfies

ORDINARY = [
    "O", "CC(=O)O", "c1ccccc1", "C[C@H](N)C(=O)O", "F/C=C/F", "CC(=O)[O-]", "C[N+](C)(C)C",
    "C[N+](=O)[O-]", "CS(C)(=O)=O", "CS(C)=O", "OP(=O)(O)O", "[O-]S(=O)(=O)[O-]", "[C-]#[O+]",
    "C#N", "[O-][O+]=O", "O=S=O", "[NH4+]", "FS(F)(F)F", "FS(F)(F)(F)(F)F", "FCl(F)F", "F[Xe]F",
    "O=[Xe](=O)=O", "FI(F)(F)(F)(F)(F)F", "F[Si-2](F)(F)(F)(F)F", "c1ccccc1I(Cl)Cl", "[CH3]",
    "[OH]", "[N]=O", "[O][O]", "O.O", "[Na+].[Cl-]", "CC(=O)[O-].[Na+]", "C=C=C", "P12P3P1P23",
    "c1ccc2[nH]ccc2c1", "CC(=O)Oc1ccccc1C(=O)O", "B", "C[Si](C)(C)C", "[He]",
    "Cl[Pt-2](Cl)(Cl)Cl", "[NH3]->[Pt@SP1](<-[NH3])(Cl)Cl", "[CH-]1C=CC=C1.[CH-]1C=CC=C1.[Fe+2]",
    "O=[V](Cl)(Cl)Cl", "N#C[Fe-4](C#N)(C#N)(C#N)(C#N)C#N",
]  # fmt: skip


def canonical(mol) -> str:
    from rdkit import Chem

    return str(Chem.MolToSmiles(Chem.RemoveHs(mol, sanitize=False)))


@pytest.mark.parametrize("smiles", ORDINARY)
def test_bonds_are_perceived_as_they_were_written(smiles: str):
    """SMILES → positions → SMILES: nothing but the positions goes in between."""
    result = embed(smiles, "smiles")
    mol, _ = perceive(result.atoms)
    assert canonical(mol) == result.smiles


@pytest.mark.parametrize(
    ("smiles", "seen"),
    [
        ("[N-]=[N+]=O", "N#[N+][O-]"),  # another of its two Lewis formulas
        ("N.N.N.N.N.N.[Co+3]", "[NH3]->[Co+3](<-[NH3])(<-[NH3])(<-[NH3])(<-[NH3])<-[NH3]"),
        ("C[Mg]Br", "[Br-].[CH3-].[Mg+2]"),
    ],
)
def test_what_is_perceived_as_another_formula(smiles: str, seen: str):
    assert canonical(perceive(embed(smiles, "smiles").atoms)[0]) == seen


@pytest.mark.parametrize("form", ["mol", "sdf"])
@pytest.mark.parametrize("smiles", ORDINARY)
def test_mol_files_keep_bonds_charge_and_spin(tmp_path: Path, smiles: str, form: str):
    result = embed(smiles, "smiles")
    written = write(result.atoms, form, bonded(result), "its title")
    path = tmp_path / f"m.{form}"
    path.write_text(written.text)
    content = read_content(path)
    assert content.comment == "its title"
    assert (content.atoms.numbers == result.atoms.numbers).all()
    assert np.abs(content.atoms.positions - result.atoms.positions).max() < 1e-4
    state = (result.atoms.charge, result.atoms.multiplicity)
    assert (content.atoms.charge, content.atoms.multiplicity) == state
    assert canonical(content.mol) == result.smiles
    again = write(content.atoms, form, content.mol, content.comment)
    assert again.text == written.text


@pytest.mark.parametrize("smiles", ORDINARY)
def test_xyz_and_extended_xyz_keep_positions(tmp_path: Path, smiles: str):
    atoms = embed(smiles, "smiles").atoms
    for form, tolerance in (("xyz", 1e-9), ("extxyz", 0.0)):
        path = tmp_path / f"m.{form}"
        path.write_text(write(atoms, form, title="a title").text)
        content = read_content(path)
        assert np.abs(content.atoms.positions - atoms.positions).max() <= tolerance
        state = (atoms.charge, atoms.multiplicity)
        assert (content.atoms.charge, content.atoms.multiplicity) == state
        assert "a title" in content.comment
    assert content.atoms == atoms


NOTATIONS = [s for s in ORDINARY if not any(metal in s for metal in ("Pt", "Fe", "V]", "Na"))]


@pytest.mark.parametrize("smiles", ORDINARY)
def test_smiles_round_trip(smiles: str):
    result = embed(smiles, "smiles")
    text = write(result.atoms, "smiles", bonded(result)).text
    assert text.endswith("\n")
    assert embed(text, "smiles").smiles == result.smiles


@pytest.mark.parametrize("smiles", NOTATIONS)
def test_inchi_round_trip(smiles: str):
    result = embed(smiles, "smiles")
    text = write(result.atoms, "inchi", bonded(result)).text.strip()
    again = embed(text, "inchi")
    assert again.atoms.formula == result.atoms.formula
    assert again.atoms.charge == result.atoms.charge
    assert write(again.atoms, "inchi", bonded(again)).text.strip() == text
    assert again.kind == "inchi"


@pytest.mark.parametrize(
    "smiles",
    [s for s in NOTATIONS if not any(x in s for x in ("Cl(F)F", "Xe", "I(F)", "I(Cl)", "Si-2"))],
)
def test_selfies_round_trip(smiles: str):
    result = embed(smiles, "smiles")
    text = write(result.atoms, "selfies", bonded(result)).text.strip()
    again = embed(text, "selfies")
    assert again.smiles == result.smiles
    assert (again.kind, again.atoms.multiplicity) == ("selfies", result.atoms.multiplicity)


def test_published_inchis():
    """As the InChI Trust's software and PubChem give them."""
    for name, expected in [
        ("caffeine", "InChI=1S/C8H10N4O2/c1-10-4-9-6-5(10)7(13)12(3)8(14)11(6)2/h4H,1-3H3"),
        ("L-alanine", "InChI=1S/C3H7NO2/c1-2(4)3(5)6/h2H,4H2,1H3,(H,5,6)/t2-/m0/s1"),
    ]:
        result = embed(name, "name")
        assert write(result.atoms, "inchi", bonded(result)).text.strip() == expected
        assert embed(expected, "inchi").smiles == result.smiles


def test_what_selfies_cannot_hold_is_told():
    result = embed("FCl(F)F", "smiles")
    with pytest.raises(InputError, match=r"SELFIES cannot hold it: .*; choose smiles"):
        write(result.atoms, "selfies", bonded(result))


def test_selfies_without_the_package(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(__import__("sys").modules, "selfies", None)
    with pytest.raises(ComponentError, match=r"pip install 'grafico-chem.selfies"):
        embed("[C][=O]", "selfies")


@pytest.mark.parametrize("text", ["", "[C", "[Nope]", "[C][=Zz]", "]["])
def test_bad_selfies(text: str):
    with pytest.raises(InputError):
        embed(text, "selfies")


@pytest.mark.parametrize(
    "text",
    [
        "InChI=",
        "InChI=1S/",
        "InChI=1S/CH4/h2H4",
        "InChI=1S/C2H6O/c1-2-3/h3H,2H2",
        "InChI=1S/Zz",
        "InChI=1S/C99",
        "inchi=x" + "1" * 6000,
    ],
)
def test_bad_inchis(text: str, capfd: pytest.CaptureFixture[str]):
    with pytest.raises(InputError):
        smiles_of_inchi(text, "it")
    assert capfd.readouterr() == ("", "")


@settings(max_examples=40)
@given(st.text("InChI=1S/CH4NO/c()-,hpqbtms+0123456789;", max_size=40))
def test_any_inchi_is_read_or_refused(text: str):
    with contextlib.suppress(InputError):
        assert read_smiles(smiles_of_inchi("InChI=" + text, "it")[0], "it").GetNumAtoms()


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from(["[C]", "[=O]", "[N]", "[Branch1]", "[Ring1]", "[#C]", "[Cl]", "."]))
)
def test_any_selfies_are_read_or_refused(symbols: list[str]):
    with contextlib.suppress(InputError):
        assert read_smiles(smiles_of_selfies("".join(symbols), "it"), "it").GetNumAtoms()


# --- losses --------------------------------------------------------------------------------------


def crystal(charge: int = 0) -> ConceptualAtoms:
    return make_atoms(
        "salt",
        numbers=[11, 17],
        positions=[[0, 0, 0], [2.82, 2.82, 2.82]],
        charge=charge,
        cell=[[0, 2.82, 2.82], [2.82, 0, 2.82], [2.82, 2.82, 0]],
        periodic=[True] * 3,
    )


def test_losses_are_told():
    ion = embed("CC(=O)[O-]", "smiles")
    notes = write(ion.atoms, "xyz").notes
    assert notes == (
        "XYZ has no fields for these, they stand in the comment line: charge -1, multiplicity 1",
    )
    assert write(embed("O", "smiles").atoms, "xyz").notes == ()
    assert "bonds perceived from distances" in write(ion.atoms, "smiles").notes
    assert "coordinates rounded to 4 decimals" in write(ion.atoms, "mol", bonded(ion)).notes
    oxygen = make_atoms("O2", numbers=[8, 8], positions=[[0, 0, 0], [0, 0, 1.2]], multiplicity=1)
    assert write(oxygen, "smiles").notes[-1] == "it reads as multiplicity 3, the structure has 1"
    triplet = embed("[CH2]", "smiles").atoms
    singlet = make_atoms("CH2", numbers=triplet.numbers, positions=triplet.positions)
    assert "reads as 3 (sdf has one)" in " ".join(write(singlet, "mol").notes)
    assert "InChI has no place for the multiplicity 3" in write(triplet, "inchi").notes
    metal = embed("Cl[Pt-2](Cl)(Cl)Cl", "smiles")
    assert "InChI leaves out the bonds of Pt" in write(metal.atoms, "inchi", bonded(metal)).notes
    assert (
        "XYZ has no place for the cell: left out (extxyz has one)" in write(crystal(), "xyz").notes
    )
    assert "charge +1" in " ".join(write(crystal(1), "cif").notes)


def test_singlet_carbene_in_an_sdf_stays_one(tmp_path: Path):
    triplet = embed("[CH2]", "smiles").atoms
    singlet = make_atoms("CH2", numbers=triplet.numbers, positions=triplet.positions)
    path = tmp_path / "m.sdf"
    path.write_text(write(singlet, "sdf").text)
    assert read_file(path).multiplicity == 1
    marked = write(triplet, "mol").text.replace("M  RAD  1   1   3", "M  RAD  1   1   1")
    assert "M  RAD" in marked
    (tmp_path / "m.mol").write_text(marked)
    assert read_file(tmp_path / "m.mol").multiplicity == 1


@pytest.mark.parametrize(
    "title", ["charge=5 x", "spin 3", "0 1", 'Lattice="1"', "a\nb\0c", "x" * 500]
)
def test_titles_are_data(tmp_path: Path, title: str):
    atoms = embed("O", "smiles").atoms
    for form in ("xyz", "extxyz", "mol", "sdf"):
        path = tmp_path / f"m.{form}"
        path.write_text(write(atoms, form, title=title).text)
        read = read_file(path)
        assert (read.charge, read.multiplicity, read.is_periodic) == (0, 1, False)


@pytest.mark.parametrize("form", ["mol", "smiles", "inchi", "selfies"])
def test_a_crystal_has_no_formula_of_bonds(form: str):
    with pytest.raises(InputError, match="it is periodic; write it as CIF or extended XYZ"):
        write(crystal(), form)


def test_a_molecule_is_no_crystal():
    with pytest.raises(InputError, match="does not repeat in three directions"):
        write(embed("O", "smiles").atoms, "cif")
    with pytest.raises(InputError, match="choose one of xyz, extxyz, mol"):
        write(crystal(), "docx")


def test_a_charge_that_cannot_be_is_told():
    water = embed("O", "smiles").atoms
    odd = make_atoms("it", numbers=water.numbers, positions=water.positions, charge=4)
    with pytest.raises(InputError, match=r"no bond orders fit .* charge \+4"):
        write(odd, "smiles")


# --- CIF -----------------------------------------------------------------------------------------

lengths = st.floats(3, 30)


@given(
    cell=st.lists(st.floats(-3, 3), min_size=9, max_size=9),
    sides=st.tuples(lengths, lengths, lengths),
    places=st.lists(st.tuples(*[st.integers(0, 9)] * 3), min_size=1, max_size=5, unique=True),
)
def test_cif_round_trip(tmp_path_factory, cell, sides, places):
    """Up to the orientation of the cell, which CIF does not hold."""
    rows = np.diag(sides) + np.array(cell).reshape(3, 3) / 3
    numbers = [6 + index for index in range(len(places))]
    start = make_atoms(
        "it",
        numbers=numbers,
        positions=np.array(places) / 10 @ rows,
        cell=rows,
        periodic=[True] * 3,
    )
    written = write(start, "cif")
    path = tmp_path_factory.getbasetemp() / "round_trip.cif"
    path.write_text(written.text)
    read = read_file(path)
    assert sorted(read.numbers) == sorted(start.numbers)
    order = [list(read.numbers).index(number) for number in numbers]
    assert read.cell is not None
    apart = [
        np.linalg.norm(shift)
        for atoms, cell, index in ((start, rows, range(len(numbers))), (read, read.cell, order))
        for shift in [_image(atoms.positions[list(index)] - atoms.positions[index[0]], cell)]
    ]
    assert apart[0] == pytest.approx(apart[1], abs=1e-6)
    gram = [np.array(c) @ np.array(c).T for c in (rows, read.cell)]
    assert np.abs(gram[0] - gram[1]).max() < 1e-6 * np.abs(gram[0]).max()


def _image(vectors: np.ndarray, cell: np.ndarray) -> np.ndarray:
    fractions = vectors @ np.linalg.inv(cell)
    wrapped = fractions - np.floor(fractions + 1e-9)
    return np.where(np.abs(wrapped) < 1e-9, 0, wrapped)


def test_cif_is_what_pymatgen_reads(tmp_path: Path):
    from pymatgen.core import Structure

    path = tmp_path / "salt.cif"
    path.write_text(write(crystal(), "cif", title="rock salt").text)
    assert path.read_text().startswith("data_rock_salt\n")
    structure = Structure.from_file(path)
    assert structure.get_space_group_info() == ("Fm-3m", 225)
    assert ConceptualAtoms.from_pymatgen(structure).equivalent(crystal(), tolerance=1e-4)


def test_what_is_not_written_is_refused_with_what_to_do() -> None:
    asked = CONVERT.endings, CONVERT.unwritten
    assert check_ending("m.SDF", *asked) == ".sdf"
    with pytest.raises(InputError, match=r"grafico convert CRYSTAL -o NAME\.pwi"):
        check_ending("m.in", *asked)
    with pytest.raises(InputError, match=r"nothing is written as \.foo"):
        check_ending("m.foo", *asked)
