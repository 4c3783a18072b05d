"""Tools that steer a viewer: what they show and refuse; a label is no source of a number."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from ase.build import molecule

from grafico import Grafico
from grafico.agent import ToolContext
from grafico.agent.sources import Ledger, check
from grafico.agent.toolbox import ArgumentsError, Returned
from grafico.agent.tools import tools
from grafico.agent.viewer_tools import viewer_tools
from ontologies.atoms import ConceptualAtoms

PICTURE = b"\x89PNG of a test"


async def look() -> bytes:
    return PICTURE


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ToolContext]:
    with Grafico("memory:") as session:
        made = ToolContext(session, tmp_path_factory.mktemp("viewer"), look=look)
        yield made
        made.close()


@pytest.fixture(scope="module")
def water(context: ToolContext) -> str:
    atoms = ConceptualAtoms.from_ase(molecule("H2O"))
    context.session.kg.push(atoms)
    return atoms.iri


def called(context: ToolContext, name: str, **arguments: object) -> Returned:
    return asyncio.run(viewer_tools()[name](context, arguments))


def test_no_other_door_offers_them() -> None:
    assert not viewer_tools().keys() & tools().keys()


def test_atoms_are_marked_by_their_numbers(context: ToolContext, water: str) -> None:
    found = called(context, "show_in_viewer", iri=water, marks=[{"atom": 3, "label": "acidic"}])
    view = found.found["viewer"]
    assert view["formula"] == "H2O"
    assert view["marks"] == [{"atom": 3, "label": "acidic", "symbol": "H"}]
    beyond = called(context, "show_in_viewer", iri=water, marks=[{"atom": 4}]).found["error"]
    assert "it has 3 atoms" in beyond["found"]
    assert "error" in called(context, "show_in_viewer", iri="g:id/Run/nothing").found
    for wrong in ({"atom": 0}, {"atom": 1, "label": "x" * 41}, {"atom": 1, "colour": "red"}):
        with pytest.raises(ArgumentsError):
            called(context, "show_in_viewer", iri=water, marks=[wrong])


def test_a_label_is_no_source_of_a_number(context: ToolContext, water: str) -> None:
    marks = [{"atom": 1, "label": "-76.4123 Eh"}, {"atom": 2, "label": "-76.4123"}]
    arguments = {"iri": water, "marks": marks}
    ledger = Ledger()
    ledger.call("show_in_viewer", arguments, called(context, "show_in_viewer", **arguments).found)
    numbers = check("The energy is -76.4123 Eh.", ledger)
    assert [one.source for one in numbers] == [None]


def test_what_is_seen_is_kept_as_a_file(context: ToolContext, tmp_path: Path) -> None:
    seen = called(context, "look_at_viewer")
    assert seen.image == PICTURE
    assert (context.folder / seen.found["file"]).read_bytes() == PICTURE
    blind = ToolContext(context.session, tmp_path)
    assert "show_structure" in called(blind, "look_at_viewer").found["error"]["advice"]
    blind.close()
