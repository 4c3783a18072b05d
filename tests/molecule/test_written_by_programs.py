"""Structures from what other programs have written: fchk, Molden, coord, QCSchema and outputs."""

from __future__ import annotations

import contextlib
import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from grafico import Grafico
from tests.conftest import Need
from triplestore.errors import GraficoError, InputError
from workflows.molecule import read_content

DATA = Path(__file__).parents[1] / "outputs" / "data"
BOHR = 0.529177210544
OH = np.array([[0, 0, 0], [0, 0, 0.97]])

FCHK = """hydroxide
SP        RHF                                                         STO-3G
Number of atoms                            I                2
Charge                                     I               -1
Multiplicity                               I                1
Atomic numbers                             I   N=           2
           8           1
Current cartesian coordinates              R   N=           6
  0.00000000E+00  0.00000000E+00  0.00000000E+00  0.00000000E+00  0.00000000E+00
  1.83303434E+00
"""
MOLDEN = """[Molden Format]
[Atoms] {unit}
O 1 8 0.0 0.0 0.0
H 2 1 0.0 0.0 {far}
[GTO]
[MO]
{orbitals}
"""
COORD = "$coord\n 0.0 0.0 0.0 o\n 0.0 0.0 1.83303434 h\n$chrg -1\n$spin 0\n$end\n"
SCHEMA = {
    "molecule": {
        "symbols": ["O", "H"],
        "geometry": [0, 0, 0, 0, 0, 1.83303434],
        "molecular_charge": -1,
        "molecular_multiplicity": 1,
    }
}


def orbitals(*occupied: tuple[str, float]) -> str:
    return "\n".join(f" Ene= -1.0\n Spin= {spin}\n Occup= {n:.6f}" for spin, n in occupied)


CLOSED = orbitals(*(("Alpha", 2.0),) * 5, ("Alpha", 0.0))
OPEN = orbitals(*(("Alpha", 1.0),) * 5, *(("Beta", 1.0),) * 4, ("Beta", 0.0))


@pytest.mark.parametrize(
    ("name", "text", "charge", "multiplicity"),
    [
        ("a.fchk", FCHK, -1, 1),
        ("a.molden", MOLDEN.format(unit="AU", far=1.83303434, orbitals=CLOSED), -1, 1),
        ("b.molden", MOLDEN.format(unit="(Angs)", far=0.97, orbitals=OPEN), 0, 2),
        ("a.coord", COORD, -1, 1),
        ("a.json", json.dumps(SCHEMA), -1, 1),
        ("a.log", "2\nenergy: -5.0 xtb\nO 0 0 0\nH 0 0 0.97\n", 0, 2),  # xtbopt.log is XYZ
    ],
)
def test_they_are_read(
    tmp_path: Path, name: str, text: str, charge: int, multiplicity: int
) -> None:
    (tmp_path / name).write_text(text)
    atoms = read_content(tmp_path / name).atoms
    assert np.abs(atoms.positions - OH).max() < 1e-7
    assert (atoms.charge, atoms.multiplicity) == (charge, multiplicity)


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("a.fchk", FCHK.replace("Charge", "Burden"), "it has no charge"),
        ("a.fchk", "\n".join(FCHK.splitlines()[:-1]), "2 atoms have 5 coordinates"),
        ("a.molden", "[Molden Format]\n[GTO]\n", "no line \\[Atoms\\]"),
        ("a.coord", COORD.replace("$coord", "$coord frac"), "fractions of a cell"),
        ("a.coord", COORD.replace("$end", "$periodic 3\n$end"), "it has a cell"),
        ("a.json", "[1, 2]", "it is no QCSchema"),
        ("a.json", "{", "cannot be read as JSON"),
        ("a.out", "nothing of note\n", "no output of"),
    ],
)
def test_what_is_wrong_with_them_is_said(tmp_path: Path, name: str, text: str, found: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=found):
        read_content(tmp_path / name)


@pytest.mark.parametrize("cut", range(0, len(FCHK), 37))
def test_what_is_cut_off_is_read_or_refused(tmp_path: Path, cut: int) -> None:
    for name, text in (("a.fchk", FCHK), ("a.coord", COORD), ("a.json", json.dumps(SCHEMA))):
        (tmp_path / name).write_text(text[:cut] or " ")
        with contextlib.suppress(GraficoError):
            assert read_content(tmp_path / name).atoms.numbers.tolist() == [8, 1]


@pytest.mark.parametrize(
    ("name", "oh", "charge"),
    [("psi4_opt_freq", 0.9894, 0), ("nwchem_opt", 0.9893, 0), ("nwchem_cation", 0.9584, 1)],
)
def test_the_last_geometry_of_an_output_is_a_structure(name: str, oh: float, charge: int) -> None:
    content = read_content(DATA / f"{name}.out")
    apart = np.linalg.norm(content.atoms.positions[1] - content.atoms.positions[0])
    assert apart == pytest.approx(oh, abs=1e-3)
    assert content.atoms.charge == charge
    assert "its level is not" in content.remarks[0]


def test_an_output_that_failed_says_so() -> None:
    [remark] = read_content(DATA / "psi4_failed.out").remarks
    assert "the SCF did not converge" in remark


def test_an_output_is_computed_and_converted(tmp_path: Path) -> None:
    with Grafico("memory:") as session:
        done = session.run(DATA / "nwchem_opt.out", method="HF", basis="STO-3G")
        assert done.energy == pytest.approx(-74.9659, abs=1e-4)  # the minimum of HF/STO-3G


def test_open_babel_reads_the_same(tmp_path: Path, need: Need) -> None:
    need("obabel")
    path = tmp_path / "a.fchk"
    path.write_text(FCHK)
    done = subprocess.run(
        [shutil.which("obabel") or "", str(path), "-oxyz"],
        check=True,
        capture_output=True,
        text=True,
    )
    (tmp_path / "b.xyz").write_text(done.stdout)
    again = read_content(tmp_path / "b.xyz", charge=-1).atoms
    assert np.abs(again.positions - read_content(path).atoms.positions).max() < 1e-4
