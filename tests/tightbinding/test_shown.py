"""What a person sees of tight binding."""

from __future__ import annotations

import pytest

from ontologies.tightbinding import TightBinding
from tests.dft.structures import WATER
from workflows.show.blocks import Chart, Fact, Table
from workflows.show.object_blocks import blocks_of
from workflows.tightbinding.calculations import frequencies, optimise, single_point
from workflows.tightbinding.levels import resolve_level


def test_an_energy_shows_all_that_it_holds() -> None:
    found = single_point(WATER, resolve_level("GFN2-xTB", solvent="water").level)
    section = blocks_of(found)
    facts = {block.name: block for block in section.blocks if isinstance(block, Fact)}
    assert facts["energy"].value == found.energy
    assert facts["solvation_free_energy"].value == found.solvation_free_energy
    assert facts["dipole"].value == pytest.approx(found.dipole_moment)
    assert {"homo", "gap"} <= facts.keys()
    tables = {block.name: block for block in section.blocks if isinstance(block, Table)}
    assert [row[0] for row in tables["bonds"].rows] == ["O1–H2", "O1–H3"]
    assert tables["charges"].rows[0][1] == pytest.approx(found.mulliken_charges[0])


def test_vibrations_have_a_spectrum_like_those_of_any_level(gfn2: TightBinding) -> None:
    relaxed = optimise(WATER, gfn2)
    section = blocks_of(frequencies(relaxed.atoms, gfn2))
    charts = [block for block in section.blocks if isinstance(block, Chart)]
    assert len(charts) == 1
    tables = [block for block in section.blocks if isinstance(block, Table)]
    assert any("infrared" in column.name for table in tables for column in table.columns)
