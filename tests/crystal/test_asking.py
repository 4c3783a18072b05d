"""Crystals as they are asked for: files, the command line, what is said of what stopped."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from ase.build import bulk

from grafico import Grafico
from grafico.agent import Agent
from grafico.agent.rules.calls import commands
from grafico.agent.rules.model import plain_model
from grafico.agent.rules.reader import plan
from ontologies.atoms import ConceptualAtoms
from ontologies.crystals import CrystalEnergy, CrystalRelaxation
from triplestore.errors import InputError
from workflows.crystal.blocks import _row
from workflows.molecule.files import read_file
from workflows.molecule.library import MOLECULES, Cleaning

POSCAR = """two carbons
3.6
0.0 0.5 0.5
0.5 0.0 0.5
0.5 0.5 0.0
C
2
Direct
0 0 0
0.25 0.25 0.26
"""

LEVEL = {"method": "GFN1-xTB", "images_apart": 5.0}


@pytest.fixture
def diamond(tmp_path: Path) -> Path:
    path = tmp_path / "POSCAR"
    path.write_text(POSCAR)
    return path


def test_a_poscar_is_read(diamond: Path, tmp_path: Path) -> None:
    atoms = read_file(diamond)
    assert atoms.formula == "C2"
    assert atoms.is_periodic
    assert atoms.cell is not None
    assert atoms.cell[0] == pytest.approx([0, 1.8, 1.8])
    assert atoms.positions[1] == pytest.approx([0.918, 0.918, 0.9])
    other = tmp_path / "diamond.vasp"
    by_volume = POSCAR.replace("3.6", "-11.664", 1).replace("Direct", "Selective\nDirect")
    other.write_text(by_volume)
    assert np.allclose(read_file(other).positions, atoms.positions, atol=1e-6)


@pytest.mark.parametrize("ending", [".vasp", ".poscar"])
def test_a_library_has_files_of_vasp(ending: str) -> None:
    assert ending in MOLECULES.suffixes
    raws = list(MOLECULES.split(iter(POSCAR.splitlines(keepends=True)), ending))
    [record] = MOLECULES.read(raws, Cleaning())
    assert isinstance(record.model, ConceptualAtoms)
    assert record.model.is_periodic
    assert record.model.formula == "C2"


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("3.6", "wide", "line 2"),
        ("0.0 0.5 0.5", "0.0 0.5", "line 3"),
        ("C\n2", "2\nDirect", "line 6"),
        ("\n2\n", "\n2 3\n", "line 7"),
        ("Direct", "Bowl", "line 8"),
        ("C\n2", "C\n9000", "line 11"),
        ("Direct\n0 0 0", "Selective\nDirect\n0 0 0 T T F", "it holds atoms"),
        ("0.25 0.25 0.26", "0.25 nan 0.26", "line 10"),
        ("C\n2", "C\n999999999", "999999999"),
    ],
)
def test_a_poscar_that_is_wrong_says_the_line(diamond: Path, old: str, new: str, line: str) -> None:
    diamond.write_text(POSCAR.replace(old, new, 1))
    with pytest.raises(InputError, match=line):
        read_file(diamond)


def test_the_density_is_that_of_the_elements_as_they_occur() -> None:
    """Zinc has 65.38 g/mol, its commonest isotope 63.93: rock salt ZnO of 4.28 Å has 6.89 g/cm³."""
    cell = 4.28 * np.array([[0.0, 0.5, 0.5], [0.5, 0.0, 0.5], [0.5, 0.5, 0.0]])
    oxide = ConceptualAtoms(
        numbers=[30, 8], positions=[[0, 0, 0], [2.14, 0, 0]], cell=cell, periodic=[True] * 3
    )
    assert _row(oxide)[-1] == pytest.approx(81.379 * 1.66053906892 / (4.28**3 / 4), rel=1e-4)


def test_what_stopped_is_marked_everywhere_and_goes_on(diamond: Path) -> None:
    with Grafico(store="memory:") as session:
        asked = {"task": "optimise", "relax_cell": True, **LEVEL}
        stopped = session.run(str(diamond), max_steps=2, **asked)
        assert stopped.status == "goal unmet"
        assert "not relaxed" in stopped.message
        assert "max_steps" in stopped.message
        assert "Excite" not in stopped.message
        assert stopped.geometry == "not relaxed"
        report = session.report(stopped.run)
        assert "NOT RELAXED" in report
        assert "stopped after 2 steps" in report
        done = session.run(str(diamond), max_steps=60, **asked)
        assert done.status == "finished"
        assert done.geometry == "stationary"
        last = done.last
        assert isinstance(last, CrystalRelaxation)
        first = stopped.last
        assert isinstance(first, CrystalRelaxation)
        assert np.array_equal(last.geometries[:3], first.geometries)
        assert session.run(str(diamond), max_steps=60, **asked).reused


def test_what_cannot_be_asked_of_a_crystal_says_so(diamond: Path) -> None:
    with Grafico(store="memory:") as session:
        with pytest.raises(InputError, match="it is a crystal"):
            session.run(str(diamond), task="frequencies", **LEVEL)
        with pytest.raises(InputError, match="does not feel a pressure"):
            session.run(str(diamond), task="optimise", external_pressure=1.0, **LEVEL)
        with pytest.raises(InputError, match="it is a molecule"):
            session.run("water", task="optimise", relax_cell=True, method="GFN1-xTB")
        with pytest.raises(InputError, match="no solvent"):
            session.run(str(diamond), solvent="water", **LEVEL)
        with pytest.raises(InputError, match="freeze"):
            session.run(str(diamond), task="optimise", constraints=["distance 1 2 1.5"], **LEVEL)


def test_a_larger_supercell_is_another_level(diamond: Path) -> None:
    with Grafico(store="memory:") as session:
        small = session.run(str(diamond), **LEVEL)
        large = session.run(str(diamond), method="GFN1-xTB", images_apart=7.5)
        assert small.level.label == "GFN1-xTB (2×2×2 cells, Γ)"
        assert large.level.label == "GFN1-xTB (3×3×3 cells, Γ)"
        assert not large.reused
        assert abs(large.energy - small.energy) > 1e-3
        assert any("images 7.6 Å apart" in one for one in large.notes + large.remarks)


@pytest.mark.parametrize(
    ("said", "options"),
    [
        ("relax diamond.cif with its cell at GFN1-xTB", " --method GFN1-xTB --relax-cell"),
        ("relax the cell of diamond.cif with SevenNet", " --method SevenNet --relax-cell"),
        (
            "relax positions and cell of diamond.cif at GFN1-xTB under 5 GPa",
            " --external-pressure 5.0 --method GFN1-xTB --relax-cell",
        ),
        (
            "relax diamond.cif at GFN1-xTB, hydrogens first, keeping its symmetry",
            " --hydrogens-first --keep-symmetry --method GFN1-xTB",
        ),
        *(
            (f"optimise diamond.cif with {method}{d3}", f" --method {method} --dispersion d3")
            for method in ("CHGNet", "SevenNet", "MACE")
            for d3 in (" and D3", " + D3", " plus D3 dispersion")
        ),
        ("relax diamond.cif with MACE and D3(BJ)", " --method MACE --dispersion d3bj"),
    ],
)
def test_a_relaxation_is_asked_for_in_plain_words(
    said: str, options: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "diamond.cif").write_text("data_")
    monkeypatch.chdir(tmp_path)
    read = plan(said)
    assert not read.problem
    lines = [line for call in read.calls for line in commands(call)]
    wanted = f"grafico run diamond.cif{options} --task optimise"
    assert [sorted(line.split(" --")) for line in lines] == [sorted(wanted.split(" --"))]


@pytest.mark.parametrize(
    ("said", "relaxed"),
    [
        ("minimise the energy of diamond.cif in its unit cell", False),
        ("relax diamond.cif with GFN1-xTB in its unit cell", False),
        ("optimise diamond.cif in the cell", False),
        ("relax diamond.cif with the cell fixed", False),
        ("relax diamond.cif with its unit cell", True),
        ("relax diamond.cif and its lattice too", True),
        ("relax diamond.cif including the cell", True),
        ("optimize the lattice parameters of diamond.cif", True),
        ("relax the positions and the unit cell of diamond.cif", True),
        ("relaxation of the cell and positions of diamond.cif", True),
    ],
)
def test_a_cell_is_relaxed_where_that_is_asked_for(
    said: str, relaxed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "diamond.cif").write_text("data_")
    monkeypatch.chdir(tmp_path)
    read = plan(said)
    assert not read.problem
    [call] = read.calls
    assert call.arguments["task"] == "optimise"
    assert call.arguments["relax_cell"] is relaxed
    assert read.understood[-1] == f"the cell is {'relaxed too' if relaxed else 'kept as it is'}"


@pytest.mark.parametrize(
    "said",
    [
        "minimise diamond.cif and its lattice energy",
        "minimise the cell energy of diamond.cif",
        "relax the cell of diamond.cif with the cell fixed",
    ],
)
def test_what_is_said_of_a_cell_is_not_guessed(
    said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "diamond.cif").write_text("data_")
    monkeypatch.chdir(tmp_path)
    assert plan(said).problem
    assert not plan(said).calls


@pytest.mark.parametrize("said", ["band gap", "electronic gap", "gap", "HOMO-LUMO gap"])
def test_a_band_gap_is_asked_for(
    said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "diamond.cif").write_text("data_")
    monkeypatch.chdir(tmp_path)
    read = plan(f"{said} of diamond.cif at GTH-PBE")
    assert not read.problem
    assert read.question.reads == ("band_gap",)
    assert [line for call in read.calls for line in commands(call)] == [
        "grafico run diamond.cif --method GTH-PBE"
    ]


def test_a_band_gap_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "argon.cif"
    bulk("Ar", "fcc", a=5.31).write(file)
    with Grafico(store="memory:") as session:
        agent = Agent(plain_model(), session=session, folder=tmp_path / "folder")
        text = agent.ask("band gap of argon.cif at GFN1-xTB", files=[file]).text
        agent.close()
        done = session.run(str(file), method="GFN1-xTB").last
        assert isinstance(done, CrystalEnergy)
        assert done.band_gap is not None
        assert "band gap" in text, text
        [gap] = re.findall(r"^  band gap = ([\d.]+) eV  g:id/CrystalEnergy/", text, re.MULTILINE)
        assert float(gap) == pytest.approx(done.band_gap, abs=1e-3)
        assert "energy =" not in text


@pytest.mark.parametrize("method", ["CHGNet", "SevenNet", "MACE"])
def test_a_level_without_orbitals_has_no_band_gap(
    method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "diamond.cif").write_text("data_")
    monkeypatch.chdir(tmp_path)
    read = plan(f"band gap of diamond.cif with {method}")
    assert not read.calls
    assert read.problem == f"{method} has no orbitals, and so no band gap"
    assert read.suggestions == ("band gap of diamond.cif at GFN1-xTB",)


def test_a_molecule_has_no_gap_of_a_force_field() -> None:
    read = plan("HOMO-LUMO gap of water at GFN-FF")
    assert not read.calls
    assert read.problem == "GFN-FF has no orbitals, and so no gap"
