"""Lengths and angles of bonds: what is drawn of a structure, told with a source."""

from __future__ import annotations

from pathlib import Path

import pytest

from grafico import Grafico
from grafico.agent import Agent, ToolContext
from grafico.agent.rules.model import plain_model
from grafico.views.shape import MOST_ANGLES, MOST_LENGTHS, angles, lengths
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
