"""What moves in a mode, beside what every textbook says of these molecules."""

from __future__ import annotations

import numpy as np
import pytest

from grafico import Grafico
from ontologies.atoms import make_atoms
from ontologies.vibrations import VibrationalAnalysis
from workflows.geometry.motions import motions
from workflows.show.blocks import Table
from workflows.show.object_blocks import Around, collect


def told(smiles: str) -> list[tuple[float, str]]:
    """Return the wavenumbers and motions of a molecule at GFN2-xTB."""
    with Grafico("memory:") as session:
        done = session.run(smiles, task="frequencies", method="GFN2-xTB")
    (found,) = [one.result for one in done.answers if isinstance(one.result, VibrationalAnalysis)]
    said = motions(found.atoms, found.modes)
    blocks = [block for _, block in collect(found, Around(()))]
    (table,) = [one for one in blocks if isinstance(one, Table) and one.name == "vibrations"]
    names = [column.name for column in table.columns]
    assert tuple(row[names.index("motion")] for row in table.rows) == said
    return list(zip(found.wavenumbers.tolist(), said, strict=True))


def leading(one: str) -> str:
    return one.split(",")[0].rsplit(" ", 2)[0]


def test_formaldehyde_as_herzberg_has_it() -> None:
    """CH2 wag, rock and scissors, C=O, and both C–H stretches (G. Herzberg, vol. II, 1945)."""
    found = [leading(text) for _, text in told("C=O")]
    assert {*found[:2]} == {"C out of plane", "O–C–H bend"}
    assert found[2:4] == ["H–C–H bend", "C=O stretch"]
    assert {*found[4:]} == {"symmetric C–H stretch", "antisymmetric C–H stretch"}


def test_a_linear_molecule_bends_in_two_directions() -> None:
    found = [leading(text) for _, text in told("O=C=O")]
    assert found == [
        "O–C–O bend", "O–C–O bend", "symmetric C=O stretch", "antisymmetric C=O stretch"
    ]  # fmt: skip


def test_a_nitrile_a_torsion_and_one_bond_of_several() -> None:
    waves = told("CC#N")
    assert leading(next(text for wave, text in waves if 2200 < wave < 2600)) == "C≡N stretch"
    lowest = min(told("OO"))
    assert leading(lowest[1]) == "O–O torsion"


def test_how_it_is_turned_and_how_long_a_mode_is_changes_nothing() -> None:
    places = np.array([[0.0, 0.0, 0.1], [0.0, 0.76, -0.48], [0.0, -0.76, -0.48]])
    mode = np.array([[[0.0, 0.0, -0.05], [0.0, 0.6, 0.4], [0.0, -0.6, 0.4]]])
    turn = np.linalg.qr(np.array([[0.3, 0.5, 0.1], [0.2, -0.4, 0.9], [0.8, 0.1, 0.2]]))[0]
    water = make_atoms("H2O", numbers=[8, 1, 1], positions=places)
    moved = make_atoms("H2O", numbers=[8, 1, 1], positions=places @ turn.T + 3.0)
    assert motions(water, mode) == motions(moved, 7.0 * mode @ turn.T) != ("",)


def test_a_mode_that_absorbs_by_rounding_errors_alone_has_no_spectrum() -> None:
    with Grafico("memory:") as session:
        done = session.run("[H][H]", task="frequencies", method="GFN2-xTB")
        chart = done.plot().chart
    assert chart.name == "wavenumber_sticks"
    assert "no mode absorbs" in chart.note


@pytest.mark.parametrize("numbers", [[2], [2, 2]])
def test_without_a_bond_nothing_is_told(numbers: list[int]) -> None:
    places = [[0.0, 0.0, 4.0 * n] for n in range(len(numbers))]
    atoms = make_atoms("He", numbers=numbers, positions=places)
    modes = np.ones((1, len(numbers), 3))
    assert motions(atoms, modes) == ("",)
