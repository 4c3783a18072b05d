"""Lengths and angles of bonds: what is drawn of a structure, told with a source."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from ase import Atoms
from ase.build import molecule
from ase.data import covalent_radii
from rdkit import Chem
from rdkit.Chem.rdMolTransforms import GetDihedralDeg

from grafico import Grafico
from grafico.agent import Agent, ToolContext
from grafico.agent.rules.model import plain_model
from grafico.agent.rules.reader import plan
from grafico.views.shape import (
    MOST_ANGLES,
    MOST_LENGTHS,
    angles,
    dihedrals,
    lengths,
    matching,
)
from tests.agent.helpers import used
from workflows.show.blocks import Structure


def test_a_bond_is_as_long_as_published(tmp_path: Path) -> None:
    """HF/STO-3G: W. J. Hehre et al., Ab Initio Molecular Orbital Theory (1986): 0.990 Å, 100.0°."""
    with (
        Grafico(tmp_path / "store", threads_per_calculation=1) as g,
        Agent(plain_model(), session=g) as agent,
    ):
        told = agent.ask("How long are the O-H bonds of water optimised at HF/STO-3G?")
        found = used(ToolContext(g, tmp_path), "get", iri=g.atoms("last").iri)
    assert found["bond_lengths_Å"] == pytest.approx({"O1-H2": 0.9894, "O1-H3": 0.9894}, abs=6e-4)
    assert found["bond_angles_deg"] == pytest.approx({"H2-O1-H3": 100.0}, abs=0.1)
    assert "bond lengths: O1-H2 0.98" in told.text
    assert "[no source]" not in told.marked
    sources = {one.source for one in told.numbers if one.unit in ("Å", "°")}
    assert sources == {found["iri"]}


def test_angles_at_right_corners_and_straight_ones() -> None:
    cross = Structure(
        "",
        "",
        ("C", "H", "H", "H"),
        ((0, 0, 0), (1, 0, 0), (-1, 0, 0), (0, 2, 0)),
        ((0, 1, 1), (0, 2, 1), (0, 3, 1)),
    )
    assert lengths(cross) == {"C1-H2": 1.0, "C1-H3": 1.0, "C1-H4": 2.0}
    assert angles(cross) == {"H2-C1-H3": 180.0, "H2-C1-H4": 90.0, "H3-C1-H4": 90.0}


def test_of_large_structures_they_are_not_told() -> None:
    many = tuple((float(n), 0.0, 0.0) for n in range(MOST_LENGTHS + 1))
    bonds = tuple((n, n + 1, 1.0) for n in range(MOST_LENGTHS))
    chain = Structure("", "", ("He",) * len(many), many, bonds)
    assert lengths(chain) == angles(chain) == {}
    part = Structure(
        "", "", ("He",) * (MOST_ANGLES + 1), many[: MOST_ANGLES + 1], bonds[:MOST_ANGLES]
    )
    assert len(lengths(part)) == MOST_ANGLES
    assert angles(part) == {}


def test_the_dihedral_angle_that_is_asked_for_is_answered(tmp_path: Path) -> None:
    """HF/6-31G*: W. J. Hehre et al. (1986), Psi4 1.3.2: 116.06°; sign by RDKit."""
    asked = "what is the dihedral angle H-O-O-H of hydrogen peroxide at HF/6-31G*"
    with (
        Grafico(tmp_path / "store", threads_per_calculation=1) as g,
        Agent(plain_model(), session=g) as agent,
    ):
        told = agent.ask(f"{asked} with cartesian d functions")
        atoms = g.atoms("last")
        found = used(ToolContext(g, tmp_path), "get", iri=atoms.iri)
    rows = zip(atoms.symbols, atoms.positions.tolist(), strict=True)
    lines = "\n".join(f"{symbol} {x} {y} {z}" for symbol, (x, y, z) in rows)
    conformer = Chem.MolFromXYZBlock(f"4\n\n{lines}\n").GetConformer()
    expected = GetDihedralDeg(conformer, 2, 0, 1, 3)
    assert abs(expected) == pytest.approx(116.06, abs=0.3)
    assert found["dihedral_angles_deg"] == pytest.approx({"H3-O1-O2-H4": expected}, abs=0.01)
    value = found["dihedral_angles_deg"]["H3-O1-O2-H4"]
    assert f"H-O-O-H (dihedral angle): H3-O1-O2-H4 {value}°" in told.text
    assert "[no source]" not in told.marked
    assert {one.source for one in told.numbers if one.unit == "°"} == {found["iri"]}


@pytest.mark.parametrize(
    ("asked", "parts"),
    [
        ("H-O-O-H dihedral of hydrogen peroxide", ("H-O-O-H",)),
        ("what is hydrogen peroxide's torsion H-O-O-H?", ("H-O-O-H",)),
        ("dihedral 3-1-2-4 of hydrogen peroxide", ("3-1-2-4",)),
        ("what is the angle H-O-H in water", ("H-O-H",)),
        ("bond length C-O in methanol", ("C-O",)),
        ("bond length of C=C at HF/STO-3G", ()),  # a SMILES
        ("torsion angle of butane", ()),
    ],
)
def test_which_part_is_asked_about_is_read(asked: str, parts: tuple[str, ...]) -> None:
    found = plan(asked)
    assert not found.problem
    assert found.question.reads == ("geometry",)
    assert found.question.parts == parts


@pytest.mark.parametrize("name", ["CH3CH2OH", "H2O2", "C2H6", "CH3CHO", "isobutane", "HCN"])
def test_dihedral_angles_are_those_of_ase(name: str) -> None:
    atoms = molecule(name)
    positions = tuple((float(x), float(y), float(z)) for x, y, z in atoms.positions)
    near = [(i, j) for i, j in combinations(range(len(atoms)), 2) if _bonded(atoms, i, j)]
    drawn = Structure("", "", tuple(atoms.symbols), positions, tuple((i, j, 1.0) for i, j in near))
    found = dihedrals(drawn)
    assert bool(found) == (name != "HCN")  # whose atoms lie on a line
    for named, value in found.items():
        a, b, c, d = (int(one.lstrip("CHON")) - 1 for one in named.split("-"))
        theirs = atoms.get_dihedral(a, b, c, d)  # 0 to 360
        assert abs((value - theirs + 180) % 360 - 180) < 0.01


def _bonded(atoms: Atoms, i: int, j: int) -> bool:
    return atoms.get_distance(i, j) < 1.2 * sum(covalent_radii[atoms.numbers[n]] for n in (i, j))


def test_measures_are_found_by_elements_and_by_numbers_in_either_order() -> None:
    some = {"H3-O1-O2-H4": 111.0, "C1-C2-O5-H6": 60.0}
    assert matching(some, "H-O-O-H") == matching(some, "4-2-1-3") == {"H3-O1-O2-H4": 111.0}
    assert matching(some, "H-O-C-C") == matching(some, "C1-C2-O5-H6") == {"C1-C2-O5-H6": 60.0}
    assert matching(some, "O-O") == matching(some, "1-2-5-7") == {}
