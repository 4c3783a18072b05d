"""Structures from files: what is read, and what each bad file is told."""

import contextlib
import gzip
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ontologies.atoms import ConceptualAtoms
from triplestore.errors import InputError, NotFoundError
from workflows.molecule import read_content, read_file, recognise
from workflows.molecule import text as module

WATER = "3\n\nO 0 0 0.119\nH 0 0.763 -0.477\nH 0 -0.763 -0.477\n"


@pytest.fixture
def write(tmp_path: Path):
    def write(content: str | bytes, name: str = "m.xyz") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


SDF = """

 made by hand
  2  1  0  0  0  0  0  0  0  0999 V2000
    0.0000    0.0000    0.0000 O   0  5  0  0  0  0
    0.0000    0.0000    0.9700 H   0  0  0  0  0  0
  1  2  1  0
M  CHG  1   1  -1
M  END
> <charge>
-1

$$$$
"""

# --- what is read --------------------------------------------------------------------------------


def test_water(write):
    atoms = read_file(write(WATER))
    assert (atoms.formula, atoms.charge, atoms.multiplicity) == ("H2O", 0, 1)
    assert atoms.positions[1].tolist() == [0, 0.763, -0.477]
    assert not atoms.is_periodic


@pytest.mark.parametrize(
    "content",
    [
        WATER.replace("\n", "\r\n"),
        WATER.replace("\n", "\r"),
        "\ufeff" + WATER,
        WATER + "\n  \n\n",
        WATER.rstrip(),
        WATER.replace("O ", "8 ").replace("H ", "1 "),
        WATER.replace("O ", "o ").replace(" 0.119", "\t1.19D-01"),
        WATER.replace("0.119", "+.119  an extra column"),
        WATER.replace("3\n", "  3 \n", 1),
        WATER.replace("\n\n", "\nwater’s geometry, relaxed\n", 1),
        WATER.replace("\n\n", '\nProperties=species:S:1:pos:R:3 pbc="F F F"\n', 1),
    ],
)
def test_the_same_water(write, content: str):
    assert read_file(write(content)) == read_file(write(WATER))
    assert read_file(write(content, "water.txt")) == read_file(write(WATER))


@pytest.mark.parametrize(
    ("comment", "charge", "multiplicity"),
    [
        ("charge=1 multiplicity=2", 1, 2),
        ("charge=1", 1, 2),
        ("multiplicity=3", 0, 3),
        ('Charge="-1" from somewhere', -1, 2),
        ("charge = +1.0", 1, 2),
        ("recharge=3 total_charge=4", 0, 1),
    ],
)
def test_charge_and_multiplicity_of_the_comment(write, comment, charge, multiplicity):
    atoms = read_file(write(WATER.replace("\n\n", f"\n{comment}\n", 1)))
    assert (atoms.charge, atoms.multiplicity) == (charge, multiplicity)


def test_arguments_override(write):
    path = write(WATER.replace("\n\n", "\ncharge=1 multiplicity=4\n", 1))
    assert read_file(path, multiplicity=2).multiplicity == 2
    assert read_file(path, charge=1).multiplicity == 4  # still what the file speaks of
    other = read_file(path, charge=0)
    assert (other.charge, other.multiplicity) == (0, 1)


def test_a_lattice_makes_it_periodic(write):
    text = (
        '2\nLattice="5 0 0 0.5 6 0 0 0 7" Properties=id:I:1:pos:R:3:Z:I:1 pbc="T T F" charge=0\n'
        "1 0 0 0 11\n2 2.5 2.5 2.5 17\n"
    )
    atoms = read_file(write(text, "salt.extxyz"))
    assert atoms.formula == "ClNa"
    assert atoms.cell is not None
    assert atoms.cell.tolist() == [[5, 0, 0], [0.5, 6, 0], [0, 0, 7]]
    assert atoms.periodic is not None
    assert atoms.periodic.tolist() == [True, True, False]
    assert atoms.positions[1].tolist() == [2.5, 2.5, 2.5]


def test_it_agrees_with_ase(write, tmp_path: Path):
    import ase.io
    from ase.build import bulk, molecule

    for number, given_atoms in enumerate([bulk("NaCl", "rocksalt", 5.64), molecule("CH3COOH")]):
        path = tmp_path / f"{number}.extxyz"
        ase.io.write(path, given_atoms)
        read = read_file(path)
        again = ase.io.read(path)
        assert read == ConceptualAtoms.from_ase(again)  # pyright: ignore[reportArgumentType]


coordinates = st.floats(-900, 900, allow_nan=False)


@given(
    numbers=st.lists(st.integers(1, 118), min_size=1, max_size=6),
    start=st.tuples(coordinates, coordinates, coordinates),
    charge=st.integers(-2, 1),
    unpaired=st.integers(0, 1),
    comment=st.text(max_size=20),
)
def test_round_trip(tmp_path_factory, numbers, start, charge, unpaired, comment):
    positions = np.array(start) + np.pi * np.arange(len(numbers))[:, None] * [1, 0.1, 0.01]
    electrons = sum(numbers) - charge
    multiplicity = 1 + electrons % 2 + 2 * unpaired * (electrons > 2)
    atoms = ConceptualAtoms(
        numbers=np.array(numbers), positions=positions, charge=charge, multiplicity=multiplicity
    )
    path = tmp_path_factory.getbasetemp() / "round_trip.xyz"
    plain = "".join(c for c in comment if c.isprintable() and c not in "=\"'[]{}\\")
    path.write_text(atoms.to_xyz(plain), encoding="utf-8")
    read = read_file(path)
    assert (read.numbers == atoms.numbers).all()
    assert (read.charge, read.multiplicity) == (charge, multiplicity)
    assert np.abs(read.positions - atoms.positions).max() < 1e-8


# --- what is refused -----------------------------------------------------------------------------

BAD = {
    "": "it is empty",
    " \n\n": "it is empty",
    "water\n\nO 0 0 0\n": "line 1: the number of atoms should stand there, not 'water'",
    "3.0\n\nO 0 0 0\n": "line 1: the number of atoms",
    "-1\n\nO 0 0 0\n": "line 1: the number of atoms",
    "1_0\n\nO 0 0 0\n": "line 1: the number of atoms",
    "9" * 5000: "line 1: the number of atoms",
    "0\n\n": "at least one atom",
    "2": "line 1 announces 2 atoms, but there are 0",
    "2\n\nO 0 0 0\n": "line 1 announces 2 atoms, but there are 1",
    "2\nO 0 0 0\nH 0 0 1\n": "is the comment missing?",
    "1\n\nO 0 0 0\nH 0 0 1\n": "line 1 announces 1 atom, but line 4 goes on: 'H 0 0 1'",
    WATER + WATER: "it holds 2 structures; choose one by its number",
    WATER + "\n" + WATER * 2: "it holds 3 structures; choose one by its number",
    "1\n\nO 0 0\n": "line 3: an element and three coordinates should stand there, not 'O 0 0'",
    "2\n\nO 0 0 0\n\nH 0 0 1\n": "line 4: an element and three coordinates",
    "1\n\nO 0 zero 0\n": "line 3: 'zero' is no number",
    "1\n\nO 0 1_0 0\n": "line 3: '1_0' is no number",
    "1\n\nO 0 nan 0\n": "line 3: 'nan' is no finite number",
    "1\n\nO 0 -inf 0\n": "line 3: '-inf' is no finite number",
    "1\n\nO 0 1e999 0\n": "line 3: '1e999' is no finite number",
    "1\n\nQq 0 0 0\n": "line 3: there is no element 'Qq'; mend it there",
    "1\n\nX 0 0 0\n": "line 3: there is no element 'X'",
    "1\n\nC12 0 0 0\n": "line 3: there is no element 'C12'; write C",
    "1\n\n119 0 0 0\n": "line 3: there is no element 119",
    "1\n\n0 0 0 0\n": "line 3: there is no element 0",
    "1\n\nD 0 0 0\n": "line 3: isotopes such as D are not supported yet",
    "1\ncharge=half\nO 0 0 0\n": "line 2: the charge 'half' is no whole number",
    "1\ncharge=0.5\nO 0 0 0\n": "line 2: the charge '0.5' is no whole number",
    "1\nmultiplicity=\nO 0 0 0\n": "line 2: the multiplicity '' is no whole number",
    "1\nmultiplicity=2\nO 0 0 0\n": "m.xyz is no valid structure; multiplicity 2 cannot be",
    "2\n\nO 0 0 0\nH 0 0 0.1\n": "atoms 1 (O) and 2 (H) are 0.100 Å apart",
    '1\nLattice="1 2 3"\nO 0 0 0\n': "line 2: the lattice should be nine numbers",
    '1\nLattice="a b c"\nO 0 0 0\n': "line 2: the lattice should be nine numbers",
    '1\nLattice="1 0 0 0 1 0 0 0 0"\nO 0 0 0\n': "the lattice vectors span no volume",
    '1\npbc="T T T"\nO 0 0 0\n': "needs both its cell and its periodicity",
    '1\npbc="yes"\nO 0 0 0\n': "line 2: pbc should be three letters",
    "1\npbc=5\nO 0 0 0\n": "line 2: pbc should be three letters",
    '1\n=pbc="T T T"\nO 0 0 0\n': "line 2: it cannot be read as key=value pairs",
    "1\nProperties=pos:R:3\n0 0 0\n": "line 2: Properties='pos:R:3' names no species",
    "1\nProperties=species:S:x\nO 0 0 0\n": "line 2: Properties=",
    b"1\n\nO 0 0 0\0\n": "it is binary",
    b"1\n" + b"\xc5" * 9 + b"\nO 0 0 0\n": "line 2: the byte 0xc5 is no text in UTF-8",
    b"1\n\nO 0 0 0\xb0\n": "line 3: ",
    b"1\n\n\xd6 0 0 0.000000\n": "line 3: ",
}


@pytest.mark.parametrize(("content", "message"), BAD.items(), ids=range(len(BAD)))
def test_bad_content(write, content: str | bytes, message: str):
    path = write(content)
    with pytest.raises(InputError) as caught:
        read_file(path)
    assert message in str(caught.value)
    assert "m.xyz" in str(caught.value)


def test_a_comment_in_another_encoding_is_read_with_signs_in_place_of_its_letters(write):
    """It decides nothing; an element or a number that has such a byte is none."""
    content = "3\nWärme in Grün\nO 0 0 0.119\nH 0 0.763 -0.477\nH 0 -0.763 -0.477\n"
    read = read_file(write(content.encode("latin-1")))
    assert read.formula == "H2O"
    assert read == read_file(write(content))


def test_no_such_file(tmp_path: Path, write):
    for path in (tmp_path / "m.xyz", tmp_path / "no" / "m.xyz", write(WATER, "n.xyz") / "m.xyz"):
        with pytest.raises(NotFoundError, match="there is no such file"):
            read_file(path)
    with pytest.raises(InputError, match="that names no file"):
        read_file(Path("a\0b"))


def test_a_folder_a_pipe_and_a_closed_file(tmp_path: Path, write):
    with pytest.raises(InputError, match="it is a folder"):
        read_file(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="no regular file"):
        read_file(tmp_path / "pipe")
    if os.geteuid():  # root may read anything
        path = write(WATER)
        path.chmod(0)
        with pytest.raises(InputError, match="you may not read it"):
            read_file(path)


def test_permission_denied_is_an_input_error(write, monkeypatch: pytest.MonkeyPatch):
    path, open_ = write(WATER), os.open

    def denied(name: object, *arguments: Any, **more: Any) -> int:
        if Path(str(name)) == path:
            raise PermissionError(13, "Permission denied")
        return open_(name, *arguments, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", denied)
    with pytest.raises(InputError, match="you may not read it"):
        read_file(path)


def test_a_file_that_is_too_large(write, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "LARGEST", 10)
    with pytest.raises(InputError, match="more than the"):
        read_file(write(WATER))


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
@example(b"\x1c")
def test_any_content_is_read_or_refused(tmp_path_factory, content: bytes):
    path = tmp_path_factory.getbasetemp() / "any.xyz"
    path.write_bytes(content)
    with pytest.raises(InputError):
        read_file(path)


# --- MOL and SDF ---------------------------------------------------------------------------------


def mol_block(smiles: str, hydrogens: bool = True, flat: bool = False) -> str:
    from rdkit import Chem
    from rdkit.Chem import rdDepictor, rdDistGeom

    mol = Chem.MolFromSmiles(smiles)
    mol = Chem.AddHs(mol) if hydrogens else mol
    if flat:
        rdDepictor.Compute2DCoords(mol)
    else:
        rdDistGeom.EmbedMolecule(mol, randomSeed=1)
    return Chem.MolToMolBlock(mol)


def test_mol_keeps_charge_and_radical(write):
    assert read_file(write(mol_block("CC(=O)[O-]"), "m.mol")).charge == -1
    assert read_file(write(mol_block("[CH3]"), "m.mol")).multiplicity == 2
    sdf = mol_block("c1ccccc1") + "> <name>\nbenzene\n\n$$$$\n"
    assert read_file(write(sdf, "m.sdf")).formula == "C6H6"
    assert read_file(write(sdf, "m.SDF"), charge=1).multiplicity == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (lambda: mol_block("CCO", hydrogens=False), "6 hydrogen atoms implied"),
        (lambda: mol_block("CCO", flat=True), "it is a flat drawing"),
        (lambda: mol_block("C[2H]"), "names the isotope 2"),
        (lambda: mol_block("C*", hydrogens=False), "placeholder"),
        (lambda: (mol_block("C") + "$$$$\n") * 2, "it holds 2 structures"),
        (lambda: WATER, "it is no MOL file"),
        (lambda: "\n\n\n", "it is empty"),
        (lambda: mol_block("C")[:150], "it is no MOL file"),
        (lambda: mol_block("C").replace("V2000", "V9999"), "line 4 should end with V2000"),
        (lambda: mol_block("C").replace(" H ", " Q7", 1), "no MOL file that RDKit can read"),
        (
            lambda: mol_block("CC").replace("  1  3  1", "  3  4  1"),
            "atom 4 (H) cannot have 2 bonds",
        ),
    ],
    ids=range(11),
)
def test_bad_mol_files(write, content, message: str, capfd: pytest.CaptureFixture[str]):
    path = write(content(), "m.mol")
    capfd.readouterr()
    with pytest.raises(InputError) as caught:
        read_file(path)
    assert message in str(caught.value)
    assert capfd.readouterr() == ("", "")


def test_other_formats_are_named(write):
    with pytest.raises(InputError, match="PDB, mol2, cube, fchk, Molden and coord files, inputs"):
        read_file(write("$molecule\n0 1\nHe 0 0 0\n$end\n", "m.qcin"))


@pytest.mark.parametrize(
    ("comment", "charge", "multiplicity"),
    [
        ("-1 1", -1, 1),
        ("0, 2", 0, 2),
        ("charge -1 multiplicity 1", -1, 1),
        ("charge: -1, mult: 1", -1, 1),
        ("charge=-1 mult=1", -1, 1),
        ("mult=4", 0, 4),
        ("frame 3 1", 0, 2),
        ("-1 1 and more", 0, 2),
    ],
)
def test_charge_and_multiplicity_are_read_as_people_write_them(
    tmp_path: Path, comment: str, charge: int, multiplicity: int
) -> None:
    path = tmp_path / "e.xyz"
    path.write_text(f"2\n{comment}\nO 0 0 0\nH 0 0 1\n")
    atoms = read_file(path)
    assert (atoms.charge, atoms.multiplicity) == (charge, multiplicity)


def test_a_comment_of_two_numbers_that_cannot_be_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "e.xyz"
    path.write_text("2\n0 1\nO 0 0 0\nH 0 0 1\n")
    with pytest.raises(InputError, match="multiplicity 1 cannot be"):
        read_file(path)


@pytest.mark.parametrize("comment", ["charge=0 spin=1", "charge: 0.5", "spin 2"])
def test_a_charge_in_another_spelling_is_not_passed_over(tmp_path: Path, comment: str) -> None:
    path = tmp_path / "e.xyz"
    path.write_text(f"2\n{comment}\nO 0 0 0\nH 0 0 1\n")
    with pytest.raises(InputError, match="is not read"):
        read_file(path)


# --- CIF -----------------------------------------------------------------------------------------

SALT = """data_salt
_symmetry_space_group_name_H-M 'F m -3 m'
_cell_length_a 5.64
_cell_length_b 5.64
_cell_length_c 5.64
_cell_angle_alpha 90
_cell_angle_beta 90
_cell_angle_gamma 90
_symmetry_Int_Tables_number 225
loop_
_atom_site_label
_atom_site_type_symbol
_atom_site_fract_x
_atom_site_fract_y
_atom_site_fract_z
_atom_site_occupancy
Na1 Na 0 0 0 1
Cl1 Cl 0.5 0.5 0.5 1
"""


def test_cif_applies_its_symmetry(write):
    from ase.build import bulk

    atoms = read_file(write(SALT, "salt.cif"))
    assert (atoms.formula, atoms.charge, atoms.multiplicity) == ("Cl4Na4", 0, 1)
    assert atoms.is_periodic
    rock_salt = ConceptualAtoms.from_ase(bulk("NaCl", "rocksalt", 5.64))
    assert atoms.equivalent(rock_salt, tolerance=1e-3)
    charged = read_file(write(SALT.replace("5.64", "5.640(1)"), "salt.CIF"), charge=1)
    assert (charged.charge, charged.multiplicity) == (1, 2)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (SALT.replace("0 0 0 1", "0 0 0 0.5"), "a place is taken in part"),
        (SALT + "K1 K 0 0 0 0.5\n", "a place is taken in part or by several elements"),
        (SALT + SALT.replace("data_salt", "data_other"), "it holds 2 structures"),
        (SALT.replace("0.5 0.5 0.5", "? ? ?"), "atom Cl1 has the x coordinate '?': no number"),
        (SALT.replace("0.5 0.5 0.5", "0.5 nan 0.5"), "the y coordinate 'nan': no number"),
        (SALT.replace("Na1 Na", "X1 X"), "is no element"),
        (SALT.replace("Na1 Na", "D1 D"), "isotopes such as D are not supported yet"),
        (SALT.replace("_cell_length_a 5.64\n", ""), "its cell is not said"),
        (SALT.split("loop_")[0], "no CIF file with atoms and a cell"),
        (SALT + "Na2 Na 0.0 0.0 0.01 1\n", "Å apart"),
        ("data_", "no CIF file with atoms and a cell"),
        (WATER, "no CIF file with atoms and a cell"),
        ("\n \n", "it is empty"),
        (b"\x89PNG\0", "it is binary"),
        ("data_x\n" + "_a 1\n" * 1_000_001, "are allowed for a CIF"),
    ],
    ids=range(15),
)
def test_bad_cif_files(write, content: str | bytes, message: str):
    path = write(content, "m.cif")
    with pytest.raises(InputError) as caught:
        read_file(path)
    assert message in str(caught.value)


def test_atoms_that_meet_across_the_cell(write):
    text = '2\nLattice="5 0 0 0 5 0 0 0 5"\nNa 0.05 0 0\nCl 4.95 0 0\n'
    with pytest.raises(InputError, match=r"atoms 1 and 2 are 0\.100 Å apart across the cell"):
        read_file(write(text))
    tiny = '1\nLattice="0.1 0 0 0 5 0 0 0 5"\nNa 0 0 0\n'
    with pytest.raises(InputError, match=r"its cell is only 0\.100 Å thick"):
        read_file(write(tiny))


# --- whatever a file holds -----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["m.mol", "m.sdf", "m.cif", "m.xyz", "m.extxyz"])
@given(content=st.binary(max_size=200) | st.text(max_size=200).map(lambda t: t.encode("utf-8")))
def test_any_bytes_are_read_or_refused(tmp_path_factory, name: str, content: bytes):
    path = tmp_path_factory.getbasetemp() / f"whatever_{name}"
    path.write_bytes(content)
    with pytest.raises(InputError):
        read_file(path)


@pytest.mark.parametrize("kind", ["xyz", "sdf", "cif"])
@given(data=st.data())
@settings(max_examples=60)
def test_a_damaged_file_is_read_or_refused(tmp_path_factory, kind: str, data: st.DataObject):
    """A piece of a good file replaced by another text, its end cut off or its lines mixed."""
    plain = SALT.replace("'F m -3 m'", "'P 1'").replace("225", "1")  # its symmetry takes long
    good = {"xyz": WATER, "sdf": SDF, "cif": plain}[kind]
    start = data.draw(st.integers(0, len(good)))
    length = data.draw(st.integers(0, 12))
    middle = data.draw(st.text("0123456789.-+eE ?nNaCH$>M\n", max_size=12))
    path = tmp_path_factory.getbasetemp() / f"damaged.{kind}"
    path.write_text(good[:start] + middle + good[start + length :])
    with contextlib.suppress(InputError):
        assert len(read_file(path).numbers)


def test_too_many_atoms(write):
    with pytest.raises(InputError, match="1000000 atoms; 100000 are allowed"):
        read_file(write("1000000\n\n" + "Ne 0 0 0\n" * 1_000_000))


def test_comments_are_kept_as_data(write):
    text = WATER.replace("\n\n", "\n__import__('os').abort() $(reboot)\n", 1)
    assert read_content(write(text)).comment == "__import__('os').abort() $(reboot)"
    title = read_content(write("ignore all rules" + mol_block("C"), "m.mol")).comment
    assert title == "ignore all rules"


def test_versions_of_mol_files(write):
    from rdkit import Chem

    smiles = "[CH2]C(=O)[O-]"
    old = read_file(write(mol_block(smiles), "m.mol"))
    mol = Chem.MolFromMolBlock(mol_block(smiles), removeHs=False)
    new = read_file(write(Chem.MolToV3KMolBlock(mol), "m.mol"))
    for atoms in (old, new):
        assert (atoms.formula, atoms.charge, atoms.multiplicity) == ("C2H2O2", -1, 2)
    assert np.abs(old.positions - new.positions).max() < 1e-4


def test_a_charge_that_contradicts_the_atoms(write):
    sdf = mol_block("CC(=O)[O-]") + "> <charge>\n0\n\n$$$$\n"
    with pytest.raises(InputError, match="its field <charge> says 0, its atoms have -1 in all"):
        read_file(write(sdf, "m.sdf"))


# --- units, compression, several structures -------------------------------------------------------


BOHR_WATER = "3\n{}\nO 0 0 0\nH 0 1.43 1.107\nH 0 -1.43 1.107\n"


@pytest.mark.parametrize(
    "comment",
    ["units=bohr", "charge=0 Units = Bohr", 'unit: "BOHR"', "length_unit=a0, energy=-76 Eh"],
)
def test_coordinates_in_bohr(write, comment: str):
    content = read_content(write(BOHR_WATER.format(comment)))
    assert content.atoms.positions[1] == pytest.approx([0, 0.756724, 0.585799], abs=1e-6)
    assert "coordinates given in bohr" in content.remarks


def test_a_lattice_in_bohr(write):
    comment = 'Lattice="10 0 0 0 10 0 0 0 10" units=bohr'
    atoms = read_file(write(BOHR_WATER.format(comment)))
    assert atoms.cell is not None
    assert atoms.cell[0, 0] == pytest.approx(5.29177210544)


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        ("coordinates in bohr", "'bohr' may mean the unit"),
        ("units=au", "the unit 'au' is not read"),
        ("units=nm", "the unit 'nm' is not read"),
    ],
)
def test_a_unit_that_is_not_clear_is_refused(write, comment: str, message: str):
    with pytest.raises(InputError, match=message):
        read_file(write(BOHR_WATER.format(comment)))


@pytest.mark.parametrize(
    "comment",
    [
        "",
        "gradient 0.01 Eh/bohr",
        "bond of 1.4 bohr",
        "units=angstrom, was bohr",
        "energy=-1 units=eV",
    ],
)
def test_what_says_nothing_of_bohr(write, comment: str):
    content = read_content(write(BOHR_WATER.format(comment)))
    assert content.atoms.positions[1].tolist() == [0, 1.43, 1.107]
    assert "no two of its atoms are bonded: the nearest are 1.81 Å apart" in content.remarks[0]
    assert "units=bohr" in content.remarks[0]


def test_nothing_bonded_is_remarked_only_where_it_is_so(write):
    assert not read_content(write(WATER)).remarks
    assert not read_content(write("1\n\nHe 0 0 0\n")).remarks
    [apart] = read_content(write("2\n\nAr 0 0 0\nAr 0 0 9\n")).remarks
    assert apart == "no two of its atoms are bonded: the nearest are 9.00 Å apart"


@pytest.mark.parametrize(
    ("name", "content"), [("m.xyz.gz", WATER), ("m.SDF.GZ", SDF), ("m.gz", WATER)]
)
def test_compressed_files(write, name: str, content: str):
    packed = gzip.compress(content.encode())
    plain = read_file(write(content, "p.sdf" if content == SDF else "p.xyz"))
    assert read_file(write(packed, name)) == plain
    assert recognise(str(write(packed, name))) == "file"


def test_what_is_compressed_is_bounded_and_whole(write, monkeypatch: pytest.MonkeyPatch):
    packed = gzip.compress(WATER.encode() + b" " * 3_000_000)
    with pytest.raises(InputError, match="compressed by gzip, and damaged"):
        read_file(write(packed[:-20], "m.xyz.gz"))
    monkeypatch.setattr(module, "LARGEST", 2_000_000)
    assert len(packed) < 5000
    with pytest.raises(InputError, match="unpacked it has more than the 2 MB allowed"):
        read_file(write(packed, "m.xyz.gz"))


@pytest.mark.parametrize("suffix", [".xyz", ".xyz.gz", ".sdf", ".cif"])
def test_one_of_several_structures(write, suffix: str):
    """The number of structures is said, and how to choose; the choice reads that one alone."""
    parts = {
        ".xyz": [WATER, "2\nof two\nH 0 0 0\nF 0 0 0.92\n", "1\n\nHe 0 0 0\n"],
        ".sdf": [SDF, mol_block("C") + "$$$$\n", mol_block("CC") + "$$$$\n"],
        ".cif": [SALT, SALT.replace("Na", "K"), SALT.replace("Na", "Li")],
    }[suffix.removesuffix(".gz")]
    alone = [read_file(write(part, "one" + suffix.removesuffix(".gz"))) for part in parts]
    whole = "".join(parts).encode()
    path = write(gzip.compress(whole) if suffix.endswith(".gz") else whole, "all" + suffix)
    with pytest.raises(InputError, match=r"it holds 3 structures.*; choose one by its number.*#1"):
        read_file(path)
    for number, expected in enumerate(alone, 1):
        choice = Path(f"{path}#{number}")
        assert read_file(choice) == expected
        assert recognise(str(choice)) == "file"
    assert read_file(Path(f"{path}#last")) == alone[-1]
    for number in (0, 4):
        with pytest.raises(NotFoundError, match="it holds 3 structures; choose a number"):
            read_file(Path(f"{path}#{number}"))
    with pytest.raises(NotFoundError, match="there is no such file"):
        read_file(Path(f"{path.parent / 'none.xyz'}#1"))


def test_a_file_whose_name_looks_like_a_choice(write):
    path = write(WATER, "m.xyz#2")
    assert read_file(path).formula == "H2O"
    assert recognise("C#C") == "smiles"
