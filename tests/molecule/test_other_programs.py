"""Structures from PDB, mol2, cube files and inputs of other programs: read, or refused clearly."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grafico import Grafico
from ontologies.atoms import ConceptualAtoms
from tests.conftest import Need
from triplestore.errors import GraficoError, InputError
from workflows.molecule import embed, read_content, write

PDB = """\
TITLE     a water
HETATM    1  O   HOH A   1       0.000   0.000   0.119  1.00  0.00           O
HETATM    2  H1  HOH A   1       0.000   0.763  -0.477  1.00  0.00           H
HETATM    3  H2  HOH A   1       0.000  -0.763  -0.477  1.00  0.00           H
END
"""
MOL2 = """\
@<TRIPOS>MOLECULE
water
3 2 0 0 0
SMALL
GASTEIGER

@<TRIPOS>ATOM
1 O 0 0 0.119 O.3 1 UNL1 -0.41
2 H 0 0.763 -0.477 H 1 UNL1 0.205
3 H 0 -0.763 -0.477 H 1 UNL1 0.205
@<TRIPOS>BOND
1 1 2 1
2 1 3 1
"""
ROWS = "O 0 0 0.119\nH 0 0.763 -0.477\nH 0 -0.763 -0.477\n"
GJF = f"%chk=a.chk\n%mem=1GB\n#p B3LYP/6-31G(d) opt\n\na water\n\n1 2\n{ROWS}\n\n"
ORCA = f"! B3LYP def2-SVP # a comment\n%pal nprocs 4 end\n* xyz 1 2\n{ROWS}*\n"
CUBE = """\
a water
made by hand
    3    0.0 0.0 0.0
    1    1.0 0.0 0.0
    1    0.0 1.0 0.0
    2    0.0 0.0 1.0
    8    8.0 0.0 0.0 0.22487741
    1    1.0 0.0 1.44186103 -0.90139936
    1    1.0 0.0 -1.44186103 -0.90139936
 0.1 0.2
"""
GOOD = {"w.pdb": PDB, "w.mol2": MOL2, "w.gjf": GJF, "w.com": GJF, "w.inp": ORCA, "w.cube": CUBE}


def written(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize("name", GOOD)
def test_water(name: str, tmp_path: Path) -> None:
    content = read_content(written(tmp_path, name, GOOD[name]))
    atoms = content.atoms
    assert atoms.formula == "H2O"
    expected = [[0, 0, 0.119], [0, 0.763, -0.477], [0, -0.763, -0.477]]
    assert np.abs(atoms.positions - expected).max() < 1e-6
    told = name.endswith((".gjf", ".com", ".inp"))
    assert (atoms.charge, atoms.multiplicity) == ((1, 2) if told else (0, 1))
    assert content.spin == ("file" if told else "")
    if not told:
        assert "charge" in " ".join(content.remarks) or "0 taken" in " ".join(content.remarks)


def test_charges_are_taken_and_said(tmp_path: Path) -> None:
    line = "HETATM    1 CL   CL  A   1       0.000   0.000   0.000  1.00  0.00          CL1-\n"
    content = read_content(written(tmp_path, "m.pdb", line))
    assert content.atoms.charge == -1
    assert "charge -1, the sum of those of its atoms" in content.remarks[0]
    hydroxide = MOL2.replace("3 2 0", "2 1 0").replace("-0.41", "-1.205")
    hydroxide = hydroxide.replace("3 H 0 -0.763 -0.477 H 1 UNL1 0.205\n", "")
    content = read_content(written(tmp_path, "m.mol2", hydroxide.replace("2 1 3 1\n", "")))
    assert (content.atoms.charge, content.atoms.multiplicity) == (-1, 1)


def test_bohr(tmp_path: Path) -> None:
    for name, text in (
        ("a.gjf", GJF.replace("opt", "units=au")),
        ("a.inp", ORCA.replace("!", "! Bohrs", 1)),
    ):
        content = read_content(written(tmp_path, name, text))
        assert content.atoms.positions[0, 2] == pytest.approx(0.119 * 0.529177210903)
        assert "bohr" in content.remarks[0]


def test_one_of_several(tmp_path: Path) -> None:
    model = PDB.replace("END\n", "ENDMDL\n").removeprefix("TITLE     a water\n")
    two = f"MODEL        1\n{model}MODEL        2\n{model.replace('0.119', '0.125')}END\n"
    for path, height in (
        (written(tmp_path, "two.pdb", two), 0.125),
        (written(tmp_path, "two.mol2", MOL2 + MOL2.replace("0.119", "0.125")), 0.125),
    ):
        with pytest.raises(InputError, match="it holds 2 structures"):
            read_content(path)
        assert read_content(Path(f"{path}#2")).atoms.positions[0, 2] == height


ALA = (
    "ATOM      1  N   ALA A   1       0.000   0.000   0.000  1.00  0.00           N\n"
    "ATOM      2  CA  ALA A   1       1.450   0.000   0.000  1.00  0.00           C\n"
    "ATOM      3  H   ALA A   1      -0.500   0.850   0.000  1.00  0.00           H\n"
)
CARBON = MOL2.replace("O.3", "C.3")
BAD = {
    "alternate.pdb": (PDB.replace("O   HOH", "O  AHOH"), "alternate location 'A'"),
    "part.pdb": (PDB.replace("1.00", "0.50", 1), "occupancy 0.50"),
    "element.pdb": (PDB.replace("           O\n", "\n"), "no element stands in columns"),
    "hydrogens.pdb": ("".join(PDB.splitlines(True)[:2]), "no hydrogen atoms"),
    "water.pdb": ("".join(PDB.splitlines(True)[:3]), "has 1 hydrogen atom"),
    "united.pdb": (ALA, "no hydrogen atoms at its carbon atoms"),
    "nan.pdb": (PDB.replace("  0.119", "    nan"), "finite number"),
    "stars.pdb": (PDB.replace("   0.119", "********"), "is no number"),
    "cut.pdb": (PDB[: PDB.index("0.119")], "no element stands"),
    "charge.pdb": (PDB.replace("           O\n", "           O+x\n"), "is no charge"),
    "isotope.pdb": (PDB.replace("           H\n", "           D\n"), "isotopes"),
    "twice.pdb": (PDB.replace("-0.763", " 0.763"), "0.000 Å"),
    "empty.pdb": ("REMARK nothing\nEND\n", "no PDB file with atoms"),
    "lie.pdb": (MOL2, "no PDB file with atoms"),
    "utf16.pdb": (PDB.encode("utf-16"), "binary"),
    "binary.pdb": (b"\x00\x01\x02" * 50, "binary"),
    "blank.pdb": ("  \n", "empty"),
    "cut.mol2": (MOL2[: MOL2.index("3 H")], "announces 3 atoms"),
    "bonds.mol2": (MOL2[: MOL2.index("2 1 3")], "announces 2 bonds"),
    "head.mol2": ("@<TRIPOS>MOLECULE\n", "no counts below"),
    "lie.mol2": (PDB, "no mol2 file"),
    "dummy.mol2": (MOL2.replace("O.3", "Du"), "names no element"),
    "pair.mol2": (MOL2.replace("O.3", "LP"), "names no element"),
    "third.mol2": (MOL2.replace("-0.41", "-0.11"), "no whole number"),
    "huge.mol2": (MOL2.replace("-0.41", "1e300"), "larger than"),
    "inf.mol2": (MOL2.replace("0.119", "inf"), "finite number"),
    "valence.mol2": (CARBON, "hydrogen atoms seem to be missing"),
    "stray.mol2": (MOL2.replace("2 1 3 1", "2 1 9 1"), "not between two of its atoms"),
    "link.gjf": (GJF + "--Link1--\n" + GJF, "several jobs"),
    "check.gjf": (GJF.replace("opt", "geom=check"), "checkpoint file"),
    "matrix.gjf": (GJF.replace(ROWS, "O\nH 1 0.96\nH 1 0.96 2\n"), "a row of a Z-matrix"),
    "fragments.gjf": (GJF.replace("1 2\n", "1 2 0 1 1 2\n"), "charges of fragments"),
    "ghost.gjf": (GJF.replace("H 0 0.763", "H-Bq 0 0.763"), "no plain atom"),
    "isotope.gjf": (GJF.replace("O 0", "O(iso=18) 0"), "no plain atom"),
    "layers.gjf": (GJF.replace("opt", "oniom(b3lyp:uff)"), "ONIOM"),
    "route.gjf": (ROWS, "no route section"),
    "cut.gjf": (GJF[: GJF.index("1 2\n")], "ends before charge"),
    "none.gjf": (GJF[: GJF.index("O 0")], "no atoms"),
    "spin.gjf": (GJF.replace("1 2\n", "0 2\n"), "multiplicity 2 cannot be"),
    "word.gjf": (GJF.replace("0.119", "R1"), "is no number"),
    "nan.gjf": (GJF.replace("0.119", "nan"), "finite number"),
    "int.inp": (ORCA.replace("* xyz", "* int"), "not read"),
    "file.inp": ("! HF\n* xyzfile 0 1 geom.xyz\n", "another file"),
    "coords.inp": ("! HF\n%coords\nend\n", "%coords is not read"),
    "jobs.inp": (ORCA + "$new_job\n" + ORCA, "several jobs"),
    "open.inp": (ORCA.removesuffix("*\n"), "has no end"),
    "ghost.inp": (ORCA.replace("O 0", "O: 0"), "an element and three"),
    "point.inp": (ORCA.replace("O 0 0", "Q -0.8 0 0"), "an element and three"),
    "other.inp": ("&FORCE_EVAL\n&END\n", "no line begins with * xyz"),
    "charge.inp": (ORCA.replace("xyz 1 2", "xyz one"), "charge and multiplicity"),
    "cut.cube": (CUBE.replace(" 0.2\n", "\n"), "should have 2 values, but has 1"),
    "atoms.cube": (CUBE[: CUBE.index("    1    1.0 0.0 1.44")], "ends before"),
    "angstrom.cube": (CUBE.replace("    1    1.0 0.0 0.0\n", "   -1    1.0 0.0 0.0\n", 1), "unit"),
    "million.cube": (CUBE.replace("    3    0.0", " 1000000 0.0"), "1000000 atoms"),
    "huge.cube": (CUBE.replace("    2    0.0", " 999999999 0.0"), "should have 999999999"),
    "far.cube": (CUBE.replace("0.22487741", "1e300"), "larger than"),
    "lie.cube": (PDB, "no cube file"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_what_is_refused(name: str, tmp_path: Path) -> None:
    content, told = BAD[name]
    with pytest.raises(InputError, match=told.replace("*", r"\*")) as caught:
        read_content(written(tmp_path, name, content))
    assert name in caught.value.asked
    assert len(str(caught.value)) < 600


def test_a_million_atoms(tmp_path: Path) -> None:
    line = PDB.splitlines(True)[1]
    with pytest.raises(InputError, match=r"MB|100000 are allowed"):
        read_content(written(tmp_path, "m.pdb", line * 500_000))
    with pytest.raises(InputError, match="100000 are allowed"):
        read_content(written(tmp_path, "m.gjf", GJF.replace(ROWS, "H 0 0 0\n" * 1_000_000)))


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(sorted(GOOD)), st.integers(0, 400), st.binary(max_size=6))
def test_any_damage_is_read_or_refused(
    tmp_path: Path, name: str, place: int, bytes_in: bytes
) -> None:
    whole = GOOD[name].encode()
    damaged = whole[:place] + bytes_in + whole[place + len(bytes_in) :]
    with contextlib.suppress(GraficoError):
        assert isinstance(read_content(written(tmp_path, name, damaged)).atoms, ConceptualAtoms)


@pytest.mark.parametrize("form", ["pdb", "mol2"])
def test_open_babels_files_are_read(form: str, tmp_path: Path, need: Need) -> None:
    need("obabel")
    atoms = embed("CC(=O)Nc1ccc(O)cc1", "smiles").atoms
    source = written(tmp_path, "a.xyz", atoms.to_xyz())
    program = shutil.which("obabel") or ""
    path = tmp_path / f"a.{form}"
    subprocess.run([program, str(source), "-O", str(path)], check=True, capture_output=True)
    again = read_content(path).atoms
    assert again.numbers.tolist() == atoms.numbers.tolist()
    assert np.abs(again.positions - atoms.positions).max() < 6e-4


def test_pdb_is_written_for_others(tmp_path: Path, need: Need) -> None:
    """Open Babel and the reader here find the same atoms, also of two letters."""
    need("obabel")
    atoms = embed("C[N+](C)(C)CC(Cl)Br", "smiles").atoms
    out = write(atoms, "pdb", None, "its title")
    assert "PDB has no fields for these, left out: charge +1, multiplicity 1" in out.notes
    path = written(tmp_path, "a.pdb", out.text)
    done = subprocess.run(
        [shutil.which("obabel") or "", str(path), "-oxyz"],
        check=True,
        capture_output=True,
        text=True,
    )
    for text, name in ((done.stdout, "b.xyz"), (out.text, "c.pdb")):
        again = read_content(written(tmp_path, name, text), charge=1).atoms
        assert again.numbers.tolist() == atoms.numbers.tolist()
        assert np.abs(again.positions - atoms.positions).max() < 6e-4
    with pytest.raises(InputError, match="999 Å of the origin"):
        write(atoms.moved_to(atoms.positions + 5000), "pdb")


def test_a_workflow_takes_them(tmp_path: Path) -> None:
    with Grafico("memory:") as session:
        one = session.run(written(tmp_path, "w.inp", ORCA), method="HF", basis="STO-3G")
        two = session.run(written(tmp_path, "w.gjf", GJF), method="HF", basis="STO-3G")
        assert one.energy == pytest.approx(two.energy, abs=1e-9)


ATOMS = "O 0 0 0\nH 0 0 0.96\nH 0.92 0 -0.24\n"


@pytest.mark.parametrize(
    ("name", "head", "told"),
    [
        (
            "a.gjf",
            "%mem=2GB\n#p B3LYP/6-31G(d) opt freq",
            "`level` 'B3LYP/6-31G*' and `task`",
        ),
        ("b.gjf", "# opt HF/STO-3G scrf=(smd,solvent=water)", "`level` HF/STO-3G and `task` opti"),
        (
            "c.inp",
            "! B3LYP D3BJ def2-SVP TightSCF\n%pal nprocs 4 end",
            "`level` B3LYP5-D3BJ/def2-SVP",
        ),
        ("d.inp", "! r2SCAN-3c NumFreq", "`level` r2SCAN-3c and `task` frequencies"),
        (
            "e.inp",
            "! UKS PBE0 def2/J RIJCOSX def2-TZVP Opt",
            "`level` PBE0/def2-TZVP and `task` opt",
        ),
    ],
)
def test_what_an_input_asks_for_besides_is_told(
    tmp_path: Path, name: str, head: str, told: str
) -> None:
    """Its structure alone is taken over, and nothing of it is left out in silence."""
    gaussian = name.endswith("gjf")
    path = tmp_path / name
    text = f"{head}\n\nwater\n\n0 1\n{ATOMS}\n" if gaussian else f"{head}\n* xyz 0 1\n{ATOMS}*\n"
    path.write_text(text)
    [remark] = read_content(path).remarks
    assert "is not taken over" in remark
    assert told in remark
    assert head.splitlines()[0 if not gaussian else -1] in remark
    assert ("%pal" in remark) == ("%pal" in head)
