"""Structures from files: what is read, and what each bad file is told."""

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ontologies.atoms import ConceptualAtoms
from triplestore.errors import InputError, NotFoundError
from workflows.molecule import files as module
from workflows.molecule import read_file

WATER = "3\n\nO 0 0 0.119\nH 0 0.763 -0.477\nH 0 -0.763 -0.477\n"


@pytest.fixture
def write(tmp_path: Path):
    def write(content: str | bytes, name: str = "m.xyz") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


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
    "1\n\nO 0 0 0\nH 0 0 1\n": "line 1 announces 1 atoms, but line 4 goes on: 'H 0 0 1'",
    WATER + WATER: "it holds several structures; the second starts at line 6",
    WATER + "\n" + WATER: "it holds several structures; the second starts at line 7",
    "1\n\nO 0 0\n": "line 3: an element and three coordinates should stand there, not 'O 0 0'",
    "2\n\nO 0 0 0\n\nH 0 0 1\n": "line 4: an element and three coordinates",
    "1\n\nO 0 zero 0\n": "line 3: 'zero' is no number",
    "1\n\nO 0 1_0 0\n": "line 3: '1_0' is no number",
    "1\n\nO 0 nan 0\n": "line 3: 'nan' is no finite number",
    "1\n\nO 0 -inf 0\n": "line 3: '-inf' is no finite number",
    "1\n\nO 0 1e999 0\n": "line 3: '1e999' is no finite number",
    "1\n\nQq 0 0 0\n": "line 3: there is no element 'Qq'",
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
    b"1\n\xc5\nO 0 0 0\n": "line 2: the byte 0xc5 is no text in UTF-8",
}


@pytest.mark.parametrize(("content", "message"), BAD.items(), ids=range(len(BAD)))
def test_bad_content(write, content: str | bytes, message: str):
    path = write(content)
    with pytest.raises(InputError) as caught:
        read_file(path)
    assert message in str(caught.value)
    assert "m.xyz" in str(caught.value)


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
    def denied(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", denied)
    with pytest.raises(InputError, match="you may not read it"):
        read_file(write(WATER))


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
        (lambda: (mol_block("C") + "$$$$\n") * 2, "it holds several structures"),
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
    with pytest.raises(InputError, match="XYZ, extended XYZ, MOL and SDF files can be read"):
        read_file(write("data_mof\n_cell_length_a 10\n", "m.cif"))


@pytest.mark.parametrize(
    "comment",
    ["-1 1", "charge -1 multiplicity 1", "charge: -1, mult: 1", "mult=4", "charge=0 spin=1"],
)
def test_a_charge_in_another_spelling_is_not_passed_over(tmp_path: Path, comment: str) -> None:
    path = tmp_path / "e.xyz"
    path.write_text(f"2\n{comment}\nO 0 0 0\nH 0 0 1\n")
    with pytest.raises(InputError, match="is not read"):
        read_file(path)
