"""Crystals that are odd but may be asked for: pillars of anions, several nets, wrong cells."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from grafico import Grafico
from ontologies.atoms import ConceptualAtoms
from ontologies.mof_parts import TakenApart
from tests.mof.disguises import CRYSTALS, disguised, repeated
from triplestore.errors import GraficoError
from workflows.mof.apart import take_apart

WIDE, HIGH = 7.14, 7.60
"""Å. The cell of SIFSIX-3-Zn is about that; bonds below are usual lengths, not refined ones."""

Atoms = list[tuple[int, tuple[float, float, float]]]


def zinc_and_pyrazine(directions: int, height: float = 0.0) -> Atoms:
    """Return zinc, and pyrazine that joins it to the next along so many axes."""
    found: Atoms = [(30, (0, 0, height))]
    for axis in range(directions):
        for side in (1, -1):
            rows = [(7, 1.39, 0.0)]
            rows += [(6, 0.695, 1.204 * up) for up in (1, -1)]
            rows += [(1, 1.24, 2.15 * up) for up in (1, -1)]
            for number, along, up in rows:
                place = [0.0, 0.0, height + up]
                place[axis] = WIDE / 2 + side * along
                found.append((number, (place[0], place[1], place[2])))
    return found


def pillar(middle: int) -> Atoms:
    """Return an anion of six fluorine atoms that stands between zinc atoms."""
    far, near = 1.69, 1.69 / np.sqrt(2)
    found: Atoms = [(middle, (0, 0, HIGH / 2))]
    found += [(9, (0, 0, HIGH / 2 + side * far)) for side in (1, -1)]
    found += [(9, (x * near, y * near, HIGH / 2)) for x in (1, -1) for y in (1, -1)]
    return found


def crystal_of(atoms: Atoms, height: float = HIGH) -> ConceptualAtoms:
    return ConceptualAtoms(
        numbers=[number for number, _ in atoms],
        positions=[place for _, place in atoms],
        cell=np.diag([WIDE, WIDE, height]),
        periodic=[True] * 3,
    )


def test_an_anion_that_holds_metals_apart_is_a_linker():
    """SIFSIX-3-Zn is pcu: P. Nugent et al., Nature 495, 80 (2013)."""
    atoms = crystal_of(zinc_and_pyrazine(2) + pillar(14))
    for seen in (atoms, disguised(repeated(atoms, 2), 4, noise=0.02)):
        framework = take_apart(seen).framework
        assert framework.net is not None
        assert (framework.net.name, framework.catenation) == ("pcu", 1)
        blocks = {one.block.formula: one.placed_on for one in framework.blocks}
        assert blocks == {"Zn": "vertex", "C4H4N2": "edge", "F6Si": "edge"}
    with pytest.raises(GraficoError, match="rod-like"):
        take_apart(crystal_of(zinc_and_pyrazine(2) + pillar(22)))  # titanium is a metal


def test_several_nets_in_one_cell_are_told_and_none_is_named():
    """A square layer, and chains of the same blocks above it."""
    found = take_apart(crystal_of(zinc_and_pyrazine(2) + zinc_and_pyrazine(1, 6.0), 12.0))
    assert found.framework.net is None
    assert found.framework.framework_dimensionality == 2
    assert any("different nets" in remark for remark in found.remarks)
    assert any("chains" in remark for remark in found.remarks)
    assert found.designs == ()
    assert {one.kind_number for one in found.framework.blocks} == {None}


def test_wrong_cells_and_hostile_names_have_clear_outcomes(tmp_path: Path):
    text = (CRYSTALS / "MOF-5.cif").read_text()
    alone = text.replace("F m -3 m", "P 1").replace("_symmetry_Int_Tables_number 225\n", "")
    hostile = text.replace("Zn1 Zn", "<script>1</script> Zn", 1)
    assert text not in (alone, hostile)
    (tmp_path / "half.cif").write_text(text.replace("25.832", "12.916"))
    (tmp_path / "alone.cif").write_text(alone)
    path = tmp_path / "<img src=x> $(touch pwned); DROP ALL.cif"
    path.write_text(hostile)
    before = sorted(tmp_path.iterdir())
    with Grafico(store="memory:", threads_per_calculation=1) as session:
        found = session.run(tmp_path / "half.cif", workflow="mof process").last
        assert any("its cell may be wrong" in remark for remark in found.remarks)
        with pytest.raises(GraficoError, match="must hold all atoms"):
            session.run(tmp_path / "alone.cif", workflow="mof process")
        done = session.run(path, workflow="mof process")
        assert isinstance(done.last, TakenApart)
        assert done.last.framework.framework_name == "pcu C6O13Zn4 C6H4"
        assert not any("cell may be wrong" in remark for remark in done.last.remarks)
        page = session.report(done.run)
        assert "<img" not in page
        assert "<script>1" not in page
    assert sorted(tmp_path.iterdir()) == before
