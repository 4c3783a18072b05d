"""A structure given as its coordinates, in the place of a name."""

from __future__ import annotations

from typing import Any

import pytest

from grafico import Grafico
from ontologies.atoms import ConceptualAtoms
from triplestore.errors import GraficoError, InputError
from workflows.molecule.structures_in_text import MOST_TEXT, written_out
from workflows.trust.caller import Caller, asked_by

WATER = "O 0 0 0; H 0 0 0.96; H 0.93 0 -0.24"
SAME = [
    WATER,
    "O 0 0 0\nH 0 0 0.96\nH 0.93 0 -0.24\n",
    "\n3\nwater\nO 0 0 0\nH 0 0 0.96\nH 0.93 0 -0.24",
    "O, 0, 0, 0; H, 0, 0, 0.96; H, 0.93, 0, -0.24",
]


def test_each_way_of_writing_it_is_one_structure() -> None:
    with Grafico("memory:") as session:
        found = {session.run(text, method="HF", basis="STO-3G").atoms.iri for text in SAME}
        assert len(found) == 1
        [first] = session.kg.find(ConceptualAtoms, formula="H2O")
        assert first.positions.tolist() == [[0, 0, 0], [0, 0, 0.96], [0.93, 0, -0.24]]


@pytest.mark.parametrize(
    "text",
    ["N#N", "CCO;", "CC;CC", "O 0 0 0", "O 0 0 0; foo", "O 0 0 0; H 0 0", "H2 + H; D", ";", "",
     "O 0 0 0\nH 0 0 0.96\nand more", "O 0 0 0;" * MOST_TEXT],
    ids=range(11),
)  # fmt: skip
def test_what_is_not_all_of_a_structure_is_none(text: str) -> None:
    assert written_out(text) is None


def test_two_atoms_at_one_place_are_refused() -> None:
    with Grafico("memory:") as session, pytest.raises(InputError, match="apart"):
        session.run("O 0 0 0; O 0 0 0", method="HF", basis="STO-3G")


def test_a_model_gives_no_coordinates() -> None:
    with Grafico("memory:") as session:
        asked: Any = {"method": "HF", "basis": "STO-3G"}
        with asked_by(Caller()), pytest.raises(GraficoError):
            session.run(WATER, **asked)
        assert not session.kg.find(ConceptualAtoms)
