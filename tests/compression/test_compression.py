"""Equations of state of crystals: against stresses, from a bad start, as they are asked for."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from grafico import Grafico
from grafico.agent.rules.calls import commands
from grafico.agent.rules.reader import plan
from ontologies.atoms import ConceptualAtoms
from ontologies.compression import EquationOfState
from ontologies.crystals import CellEnergy, CrystalEnergy
from ontologies.units import Floats
from tests.typed import typed
from triplestore.errors import InputError
from workflows.compression.symmetry import symmetry_of
from workflows.crystal.surface import cell_of

FCC = np.array([[0.0, 0.5, 0.5], [0.5, 0.0, 0.5], [0.5, 0.5, 0.0]])
LEVEL = {"method": "GFN1-xTB", "images_apart": 5.0}


def crystal(numbers: list[int], cell: Floats, places: list[list[float]]) -> ConceptualAtoms:
    return ConceptualAtoms(
        numbers=numbers, positions=np.array(places) @ cell, cell=cell, periodic=[True] * 3
    )


def diamond(a: float) -> ConceptualAtoms:
    return crystal([6, 6], a * FCC, [[0, 0, 0], [0.25, 0.25, 0.25]])


SI, (X, Y, Z) = 0.4697, (0.4135, 0.2669, 0.1191 + 2 / 3)
QUARTZ = crystal(
    [14] * 3 + [8] * 6,
    np.array([[4.916, 0, 0], [-2.458, 4.25738, 0], [0, 0, 5.4054]]),
    [
        [SI, 0, 2 / 3], [0, SI, 1 / 3], [-SI, -SI, 0],
        [X, Y, Z], [-Y, X - Y, Z + 2 / 3], [Y - X, -X, Z + 1 / 3],
        [Y, X, -Z], [X - Y, -Y, 1 / 3 - Z], [-X, Y - X, 2 / 3 - Z],
    ],
)  # fmt: skip
"""α-quartz: L. Levien, C. T. Prewitt, D. J. Weidner, Am. Mineral. 65, 920 (1980)."""


def test_symmetry_says_what_is_free() -> None:
    simple = symmetry_of(diamond(3.57))
    assert simple.name == "Fd-3m (227)"
    assert simple.lengths == pytest.approx([3.57] * 3)
    assert not simple.free_positions
    assert not simple.free_shape
    quartz = symmetry_of(QUARTZ)
    assert quartz.name == "P3_221 (154)"
    assert quartz.free_positions
    assert quartz.free_shape
    lost = symmetry_of(crystal([6, 6], 3.57 * FCC, [[0, 0, 0], [0.26, 0.24, 0.27]]))
    assert lost.free_positions


def test_the_bulk_modulus_is_the_slope_of_the_pressure() -> None:
    """The stress comes from tblite's virial, and has no part in the fit of energies."""
    with Grafico(store="memory:") as session:
        ran = session.equation_of_state(diamond(3.60), **LEVEL)
        [found] = [one for one in ran.ran.made if isinstance(one, EquationOfState)]
        volume = found.equilibrium_volume
        assert volume is not None
        assert found.equilibrium is not None
        assert found.bulk_modulus is not None
        assert found.bulk_modulus_error is not None
        assert found.pressure_derivative is not None
        pressures = list[float]()
        for ratio in (0.99, 1.0, 1.01):
            a = (4 * volume * ratio) ** (1 / 3)
            point = session.run(diamond(a), **LEVEL).last
            assert isinstance(point, CrystalEnergy)
            assert point.pressure is not None
            pressures.append(point.pressure)
        assert pressures[1] == pytest.approx(0, abs=0.05)
        slope = -(pressures[2] - pressures[0]) / 0.02
        assert found.bulk_modulus == pytest.approx(slope, rel=0.005)
        assert found.bulk_modulus_error < 0.01 * found.bulk_modulus
        assert 2 < found.pressure_derivative < 6
        assert found.lattice_lengths == pytest.approx([(4 * volume) ** (1 / 3)] * 3)
        assert found.equilibrium.cell == pytest.approx((4 * volume) ** (1 / 3) * FCC)
        assert not found.relaxed
        assert not any("upper bound" in one for one in found.remarks)
        again = session.equation_of_state(diamond(3.60), **LEVEL)
        assert again.reused
        points = session.kg.find(CellEnergy)
        assert len(points) == len(found.points)
        assert points[0].energy_per_atom == pytest.approx(points[0].energy / 2)
        report = session.report(ran.run)
        assert "Birch–Murnaghan" in report
        assert f"{found.bulk_modulus:.1f}" in report
        assert "conventional cell, Fd-3m (227)" in report


def test_it_goes_on_to_where_the_minimum_is_and_says_where_it_did_not_get() -> None:
    with Grafico(store="memory:") as session:
        [near] = session.equation_of_state(diamond(3.63), **LEVEL).ran.made
        assert isinstance(near, EquationOfState)
        assert near.lattice_lengths is not None
        far = session.equation_of_state(diamond(3.74), points=7, width=6.0, **LEVEL)
        [found] = far.ran.made
        assert isinstance(found, EquationOfState)
        assert found.lattice_lengths is not None
        assert found.lattice_lengths[0] == pytest.approx(near.lattice_lengths[0], abs=0.001)
        assert len(found.points) > 7
        assert sum(point.fitted for point in found.points) == 7
        lost = session.equation_of_state(diamond(4.2), points=5, width=1.0, **LEVEL)
        [nothing] = lost.ran.made
        assert isinstance(nothing, EquationOfState)
        assert nothing.bulk_modulus is None
        assert nothing.equilibrium_volume is None
        assert "the minimum lies outside" in nothing.problem
        report = session.report(lost.run)
        assert "the minimum lies outside" in report
        assert "GPa" not in report


def test_positions_are_relaxed_where_they_are_free() -> None:
    """Two hydrogen molecules in a box: the bond keeps its length while the box is pressed."""
    box = np.diag([3.2, 3.2, 3.4])
    atoms = crystal([1, 1], box, [[0, 0, 0], [0, 0, 0.74 / 3.4]])
    with Grafico(store="memory:") as session:
        ran = session.equation_of_state(atoms, points=5, width=12.0, **LEVEL)
        [found] = ran.ran.made
        assert isinstance(found, EquationOfState)
        assert found.relaxed
        bonds = list[float]()
        for point in found.points:
            there = session.kg.pull(ConceptualAtoms, point.atoms.iri)
            bonds.append(float(np.linalg.norm(there.positions[1] - there.positions[0])))
        assert np.ptp(bonds) < 0.03
        assert any("keeps its shape" in one for one in found.remarks)


def test_what_is_no_crystal_is_refused() -> None:
    with Grafico(store="memory:") as session:
        with pytest.raises(InputError, match="has no cell"):
            session.equation_of_state("water", method="GFN1-xTB")
        with pytest.raises(InputError, match=r"PBE is computed of molecules.*(?s:.*)GTH-PBE"):
            session.equation_of_state(diamond(3.57), method="PBE")
        sheet = diamond(3.57).model_copy(update={"periodic": np.array([True, True, False])})
        with pytest.raises(InputError, match="some directions"):
            session.equation_of_state(sheet, method="GFN1-xTB")


@pytest.mark.parametrize(
    ("said", "options"),
    [
        ("bulk modulus of diamond.cif", " --method GTH-PBE"),
        ("What is the bulk modulus of diamond.cif at GTH-PBE/gth-dzvp?",
         " --method GTH-PBE --basis gth-dzvp"),
        ("how stiff is diamond.cif?", ""),
        ("equation of state of diamond.cif with 9 points at GFN1-xTB",
         " --method GFN1-xTB --points 9"),
        ("lattice constant of diamond.cif with GFN1-xTB", " --method GFN1-xTB"),
    ],
)  # fmt: skip
def test_it_is_asked_for_in_plain_words(
    said: str, options: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "diamond.cif").write_text("data_")
    monkeypatch.chdir(tmp_path)
    read = plan(said)
    assert not read.problem
    lines = [line for call in read.calls for line in commands(call)]
    assert [sorted(line.split(" --")) for line in lines] == [
        sorted(f"grafico equation-of-state diamond.cif{options}".split(" --"))
    ]


def test_the_command_line_tells_errors_and_units(tmp_path: Path) -> None:
    path = tmp_path / "diamond.xyz"
    atoms = diamond(3.56)
    lattice = " ".join(f"{one:.8f}" for one in cell_of(atoms).ravel())
    lines = [f"C {x:.8f} {y:.8f} {z:.8f}" for x, y, z in atoms.positions]
    path.write_text("\n".join(["2", f'Lattice="{lattice}" pbc="T T T"', *lines]) + "\n")
    words = (
        "equation-of-state",
        path,
        "--method",
        "GFN1-xTB",
        "--images-apart",
        "5",
        "--points",
        "5",
    )
    done = typed(*words, "--store", "memory:", "--json")
    blocks = [one for part in json.loads(done.stdout)["blocks"] for one in part["blocks"]]
    [modulus] = [one for one in blocks if one.get("name") == "bulk_modulus"]
    assert modulus["unit"] == "GPa"
    [error] = modulus["also"]
    assert error["label"] == "±"
    assert error["unit"] == "GPa"
    assert 0 < error["value"] < modulus["value"]
    [chart] = [one for one in blocks if one["kind"] == "chart"]
    names = ["Birch–Murnaghan", "computed", "computed, not fitted"]
    assert [one["label"] for one in chart["series"]] == names
    points = sum(len(one["x"]) for one in chart["series"][1:])
    [table] = [one for one in blocks if one.get("name") == "points"]
    assert points == len(table["rows"])
