"""What was read from files answers those alone who accept it, where structure and level agree."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from grafico import Grafico
from ontologies.level import LevelOfTheory
from ontologies.outputs import NOT_SAID, ImportedLevel, ImportedOptimisation, ImportedResult
from ontologies.tightbinding import BornSolvation, TightBinding
from tests.conftest import Need
from tests.typed import typed
from triplestore.errors import InputError
from workflows.outputs.answering import agreement
from workflows.outputs.programs import PROGRAMS

DATA = Path(__file__).parent / "data"
GFN2 = ImportedLevel(method="GFN2-xTB", program="xtb", basis="", solvent="", grid="")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store"


def test_it_answers_those_alone_who_accept_it(store: Path) -> None:
    typed("import", DATA / "xtb_ohess.out", "--store", store)
    with Grafico(store) as grafico:
        (found,) = grafico.kg.find(ImportedOptimisation)
    with Grafico(store, accept=["imported"]) as grafico:
        taken = grafico.run(found.atoms, method="GFN2-xTB", task="energy")
        assert taken.reused
        assert taken.energy == found.energy == -5.070544134494
        assert taken.all_answers[-1].recorded == found.iri
        other = grafico.run(found.atoms, method="GFN1-xTB", task="energy")
        assert not other.reused
        moved = found.atoms.moved_to(found.atoms.positions + 1e-4)
        assert grafico.run(moved, method="GFN2-xTB", task="energy").reused  # a copy, moved
        stretched = found.atoms.moved_to(found.atoms.positions * 1.0001)
        assert not grafico.run(stretched, method="GFN2-xTB", task="energy").reused
    shown = typed("show", taken.run, "--store", store).stdout
    for said in ("xtb_ohess.out", "not computed here", "xtb 6.5.1 computed it, not tblite"):
        assert said in shown
    with Grafico(store) as grafico:
        ours = grafico.run(found.atoms, method="GFN2-xTB", task="energy")
        assert not ours.reused
        assert ours.energy == pytest.approx(found.energy, abs=2e-6)  # thresholds of xtb


def test_what_was_withdrawn_answers_nobody(store: Path) -> None:
    typed("import", DATA / "xtb_ohess.out", "--store", store)
    typed("withdraw", "last", "--why", "a wrong file", "--store", store)
    with Grafico(store, accept=["imported"]) as grafico:
        (found,) = grafico.kg.find(ImportedOptimisation)
        assert not grafico.run(found.atoms, method="GFN2-xTB", task="energy").reused


def test_what_differs_is_told_and_computed(store: Path, tmp_path: Path) -> None:
    typed("import", DATA / "psi4_hf.out", "--store", store)
    with Grafico(store) as grafico:
        (found,) = grafico.kg.find(ImportedResult)
        positions = found.atoms.positions.tolist()
    lines = [f"{a} {x!r} {y!r} {z!r}" for a, (x, y, z) in zip("OHH", positions, strict=True)]
    (tmp_path / "w.xyz").write_text("3\n\n" + "\n".join(lines) + "\n")
    asked = ("run", tmp_path / "w.xyz", "--task", "energy", "--store", store, "-t", "1")
    taken = typed(*asked, "--method", "HF", "--basis", "STO-3G", "--accept", "imported")
    assert "psi4_hf.out" in taken.stdout
    assert "does not say" in taken.stdout
    other = typed(*asked, "--method", "HF", "--basis", "6-31G", "--accept", "imported")
    assert "has the basis set STO-3G, not 6-31G" in other.stderr
    assert "computed in" in other.stdout
    done = typed(*asked, "--method", "HF", "--basis", "STO-3G", "--accept", "rumours", status=2)
    assert "choose of: imported" in done.stderr


def test_no_such_thing_can_be_accepted(store: Path) -> None:
    with pytest.raises(InputError, match="rumours"):
        Grafico(store, accept=["rumours"])


def test_levels_agree_or_say_what_is_between_them() -> None:
    assert not agreement(TightBinding(method="GFN2-xTB"), GFN2, 1).against
    water = TightBinding(method="GFN2-xTB", solvation=BornSolvation(model="ALPB", solvent="water"))
    assert "no solvent" in agreement(water, GFN2, 1).against[0]
    around = GFN2.model_copy(update={"solvent": "ALPB water"})
    assert not agreement(water, around, 1).against
    assert agreement(TightBinding(method="GFN2-xTB"), around, 1).against
    hot = GFN2.model_copy(update={"method": "GFN2-xTB (5000 K electrons)"})
    assert agreement(TightBinding(method="GFN2-xTB"), hot, 1).against
    b3lyp = LevelOfTheory(
        method="B3LYP", basis="def2-SVP", reference="restricted", functional=("402",)
    )
    orca = ImportedLevel(method="B3LYP", program="ORCA", basis="def2-SVP")
    assert "variant" in agreement(b3lyp, orca, 1).against[0]
    hf = LevelOfTheory(method="HF", basis="STO-3G", reference="restricted")
    psi4 = ImportedLevel(method="HF", program="Psi4", basis="STO-3G", solvent="", grid="")
    assert not agreement(hf, psi4, 1).against
    silent = psi4.model_copy(update={"solvent": NOT_SAID})
    assert "around the molecule" in agreement(hf, silent, 1).against[0]
    assert "restricted" in agreement(hf, psi4, 2).against[0]


def test_hot_electrons_are_no_usual_level(need: Need, store: Path, tmp_path: Path) -> None:
    need("xtb")
    (tmp_path / "w.xyz").write_text("3\n\nO 0 0 0.119\nH 0 0.763 -0.477\nH 0 -0.763 -0.477\n")
    command = ["xtb", "w.xyz", "--opt", "--etemp", "5000", "-P", "1"]
    done = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=300)
    (tmp_path / "hot.out").write_bytes(done.stdout)
    said = typed("import", tmp_path / "hot.out", "--store", store).stdout
    assert "5000 K electrons" in said


def test_charges_that_xtb_finds_beside_a_molecule_are_no_free_molecule(
    need: Need, store: Path, tmp_path: Path
) -> None:
    """It takes a file of this name without being asked."""
    need("xtb")
    (tmp_path / "w.xyz").write_text("3\n\nO 0 0 0.119\nH 0 0.763 -0.477\nH 0 -0.763 -0.477\n")
    (tmp_path / "pcharge").write_text("1\n5.0 0 0 3.0 H\n")
    done = subprocess.run(["xtb", "w.xyz", "--opt"], cwd=tmp_path, check=True, capture_output=True)
    (tmp_path / "w.out").write_bytes(done.stdout)
    said = typed("import", tmp_path / "w.out", "--store", store, status=2)
    assert "charges around it" in said.stderr + said.stdout


FIELD = """\
molecule {
O 0 0 0.119
H 0 0.763 -0.477
H 0 -0.763 -0.477
symmetry c1
}
set { basis sto-3g
 scf_type pk
 perturb_h true
 perturb_with dipole
 perturb_dipole [0, 0, 0.01] }
energy('hf')
"""


def test_a_molecule_in_a_field_is_no_free_molecule(need: Need, store: Path, tmp_path: Path) -> None:
    """Its energy lies 7 mEh below that of the molecule by itself."""
    need("psi4")
    (tmp_path / "f.in").write_text(FIELD)
    command = ["psi4", "-n", "1", "-i", "f.in", "-o", "f.out"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=300)
    said = typed("import", tmp_path / "f.out", "--store", store, status=2)
    assert "a field" in said.stderr + said.stdout


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("ORCA", "|  4> %scf EField 0.0, 0.0, 0.01 end"),
        ("ORCA", '|  2> % pointcharges "around.pc"'),
        ("Gaussian", " The following finite field(s) will be applied:"),
        ("Gaussian", " Point Charges:"),
        ("Q-Chem", "$external_charges"),
        ("Q-Chem", "$multipole_field"),
        ("NWChem", " Total Bq charge:   0.50000000000000000     "),
    ],
)
def test_what_stands_around_a_molecule_is_seen(name: str, line: str) -> None:
    """The line of NWChem is one of its own; the others are those of the manuals."""
    [program] = [one for one in PROGRAMS if one.name == name]
    assert program.biased is not None
    assert program.biased.search(f"before\n{line}\nafter\n")
    for usual in ("|  1> ! B3LYP # no efield", " Charge =  0 Multiplicity = 1", "COSMO charges"):
        assert not program.biased.search(f"before\n{usual}\nafter\n")
