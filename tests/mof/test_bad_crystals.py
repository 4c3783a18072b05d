"""Files that are broken, hostile, or no framework: each has a clear outcome."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from ontologies.mofs import PoreAnalysis
from tests.mof.disguises import CRYSTALS
from triplestore.errors import GraficoError

HEAD = """data_{name}
_cell_length_a {edge}
_cell_length_b {edge}
_cell_length_c {edge}
_cell_angle_alpha 90
_cell_angle_beta 90
_cell_angle_gamma 90
_symmetry_space_group_name_H-M 'P 1'
loop_
_atom_site_label
_atom_site_type_symbol
_atom_site_fract_x
_atom_site_fract_y
_atom_site_fract_z
"""
FEW: dict[str, Any] = {"area_samples": 20, "volume_samples": 200}


def cell(rows: str, edge: object = 10, name: str = "x") -> str:
    return HEAD.format(name=name, edge=edge) + rows


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "it is empty"),
        ("hello {world} loop_ loop_ data_ ;;;", "no CIF file with atoms"),
        (cell("Zn1 Zn 0 0\nO1 O 0.5\n"), "no CIF file that can be read"),
        (cell("Zn1 Zn 0 0 0\n", "nan"), "its cell has lengths or angles that are no numbers"),
        (cell("Xx1 Xx 0 0 0\n"), "no element"),
        (cell("Zn1 Zn 0 0 0\nO1 O 0.001 0 0\n"), "nearer than any bond"),
    ],
    ids=["empty", "garbage", "short rows", "nan", "element", "overlap"],
)
def test_what_cannot_be_read_is_refused(
    session: Grafico, tmp_path: Path, text: str, problem: str
) -> None:
    (tmp_path / "bad.cif").write_text(text)
    with pytest.raises(GraficoError, match=problem) as caught:
        session.run(tmp_path / "bad.cif", workflow="mof measure", **FEW)
    assert caught.value.advice
    assert len(str(caught.value)) < 1000


def measured(session: Grafico, path: Path) -> PoreAnalysis:
    found = session.run(path, workflow="mof measure", **FEW).last
    assert isinstance(found, PoreAnalysis)
    return found


def test_hostile_text_goes_nowhere(session: Grafico, tmp_path: Path) -> None:
    rows = (
        "<script>alert(1)</script> Zn 0 0 0\n../../etc/passwd O 0.5 0.5 0.5\n"
        f"\x1b]0;x\x07 O 0.5 0 0\n{'C' * 100_000} C 0 0.5 0\n"
    )
    folder = tmp_path / "a" / "b"  # so that ../.. is this test's own, too
    folder.mkdir(parents=True)
    path = folder / "$(touch pwned); <img src=x>.cif"
    path.write_text(cell(rows, name="../../../tmp/pwned" + "x" * 100_000))
    before = sorted(tmp_path.rglob("*"))
    done = session.run(path, workflow="mof measure", **FEW)
    assert isinstance(done.last, PoreAnalysis)
    assert done.last.atoms.formula == "CO2Zn"
    page = session.report(done.run)
    assert "<img" not in page
    assert "\x1b" not in page
    assert "alert(1)" not in page
    assert sorted(tmp_path.rglob("*")) == before


def test_a_cell_that_is_wrong_is_doubted(session: Grafico, tmp_path: Path) -> None:
    text = (CRYSTALS / "MOF-5.cif").read_text().replace("25.832", "12.916")
    (tmp_path / "half.cif").write_text(text)
    found = measured(session, tmp_path / "half.cif")
    assert any("nearer to each other than any bond" in one for one in found.remarks)
    right = measured(session, CRYSTALS / "MOF-5.cif")
    assert not any("nearer" in one for one in right.remarks)


def test_molecules_in_a_cell_are_no_framework(session: Grafico, tmp_path: Path) -> None:
    ring = [(math.cos(n * math.pi / 3), math.sin(n * math.pi / 3)) for n in range(6)]
    rows = "".join(
        f"C{n} C {0.5 + 1.39 * x / 12:.5f} {0.5 + 1.39 * y / 12:.5f} 0.5\n"
        f"H{n} H {0.5 + 2.48 * x / 12:.5f} {0.5 + 2.48 * y / 12:.5f} 0.5\n"
        for n, (x, y) in enumerate(ring)
    )
    (tmp_path / "benzene.cif").write_text(cell(rows, 12))
    found = measured(session, tmp_path / "benzene.cif")
    assert found.framework_dimensionality == 0
    assert any("separate atoms, molecules" in one for one in found.remarks)


def test_a_dense_crystal_has_no_room(session: Grafico, tmp_path: Path) -> None:
    """Copper: the largest hole is an octahedron's, a − 2 r with Zeo++'s radius of 1.4 Å."""
    rows = "Cu1 Cu 0 0 0\nCu2 Cu 0 0.5 0.5\nCu3 Cu 0.5 0 0.5\nCu4 Cu 0.5 0.5 0\n"
    (tmp_path / "copper.cif").write_text(cell(rows, 3.61))
    found = measured(session, tmp_path / "copper.cif")
    assert found.diameters is not None
    assert found.diameters.largest_cavity == pytest.approx(3.61 - 2 * 1.4, abs=0.01)
    assert found.surface is not None
    assert found.surface.area_per_mass == found.surface.pocket_area_per_mass == 0
    assert found.volume is not None
    assert found.volume.void_fraction == 0
    assert not any("nearer" in one for one in found.remarks)
