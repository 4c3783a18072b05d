"""Blocks of crystals stand where those of built frameworks do, so that searches see both."""

from __future__ import annotations

import importlib.util

import pytest

from grafico import Grafico
from ogm import KnowledgeGraph
from ontologies.mofs import Framework, FrameworkDesign, Net, Placement
from tests.mof.disguises import another_cell, crystal, disguised, primitive, repeated
from triplestore import open_store
from triplestore.errors import InputError
from workflows.mof.apart import take_apart
from workflows.mof.builder import build
from workflows.mof.drawn import drawn
from workflows.mof.fingerprints import folder, read
from workflows.mof.library import block_named
from workflows.mof.nets import coordination_sequence, reading_of
from workflows.mof.search_graph import read_graph
from workflows.mof.standing import known_net
from workflows.mof.subject import design_of

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("pormake") is None, reason="kinds of vertices come with PORMAKE"
)

NETS = ["pcu", "tbo", "pto", "rht", "ith", "soc", "scu", "alb", "agw"]
"""Of one, two and more kinds of vertices."""


def where(blocks: tuple[Placement, ...]) -> list[tuple[object, ...]]:
    return [
        (one.block.formula, one.placed_on, one.kind_number, one.figure and one.figure.iri)
        for one in blocks
    ]


@pytest.mark.parametrize(
    ("name", "design"), [("MOF-5", "pcu N16 E14"), ("HKUST-1", "tbo N409 N10")]
)
def test_a_crystal_stands_on_its_net_as_what_is_built_does(name: str, design: str):
    net, *blocks = design.split()
    built = build(design_of(drawn(net), [block_named(one) for one in blocks], design)).framework
    small = primitive(crystal(name), "F")
    found = take_apart(small).framework
    assert found.net is not None
    assert built.net is not None
    assert found.net.iri == built.net.iri
    assert sorted(where(found.blocks), key=str) == sorted(where(built.blocks), key=str)
    assert {one.block.iri for one in found.blocks} == {one.block.iri for one in built.blocks}
    for rmsd in (one.figure_rmsd for one in found.blocks if one.placed_on == "vertex"):
        assert rmsd is not None
        assert rmsd < 0.15
    again = take_apart(disguised(repeated(small, 2), 3)).framework
    assert where(again.blocks) == where(found.blocks)


@pytest.mark.parametrize("name", NETS)
def test_vertices_of_a_kind_have_its_surroundings_however_a_net_is_described(name: str):
    """Coordination sequences tell kinds apart by themselves: nothing of the key is in them."""
    known, graph = known_net(name), read(folder() / f"{name}.cgd")
    assert known is not None
    assert known.net == drawn(name).net
    expected = [
        coordination_sequence(graph, drawn(name).kinds.index(kind), 6)
        for kind in range(len(known.figures))
    ]
    other = another_cell(graph, 7)
    for numbers in reading_of(other).numbers[:2]:
        kinds = [known.kinds[number] for number in numbers]
        for vertex in range(0, other.vertices, max(1, other.vertices // 12)):
            assert coordination_sequence(other, vertex, 6) == expected[kinds[vertex]]
        assert set(kinds) == set(range(len(known.figures)))


def test_blocks_that_came_from_crystals_alone_are_proposed():
    """One builds nbo of copper and pcu of samarium; the rest is read from crystals."""
    with Grafico(store="memory:", threads_per_calculation=1) as session:
        for name in ("MOF-5", "HKUST-1"):
            session.run(primitive(crystal(name), "F"), workflow="mof process")
        session.run(crystal("Zn-BDC"), workflow="mof process")
        for design in ("pcu N30 E34", "nbo N409 E34"):
            session.run(design, workflow="mof build", shapes="unrelaxed")
        assert sorted(one.name for one in session.kg.find(Net)) == ["nbo", "pcu", "sql", "tbo"]
        built = {one.name for one in session.kg.find(Framework, framework_origin="built")}
        assert built == {"pcu N30 E34", "nbo N409 E34"}

        within = session.run(workflow="mof search", net="pcu").found.proposals
        reasons = {one.framework_name: [part.reason for part in one.proposed] for one in within}
        assert len(reasons) == 2
        (new,) = [texts for name, texts in reasons.items() if name.endswith("_C6O13Zn4_C12H8")]
        assert "1 framework on pcu, such as pcu C6O13Zn4 C6H4" in new[0]
        assert "1 framework on pcu, such as pcu N30 E34" in new[1]

        across = session.run(workflow="mof search", kind="cross", limit=100).found.proposals
        found = {one.framework_name: one for one in across}
        layer = found["nbo_C4O8Zn2_C6H4"]  # the square of a layer, the linker of MOF-5
        assert layer.worst_rmsd < 0.05
        assert layer.proposed[0].reason.startswith("was compared with what the net asks for")
        linked = found["tbo_C6H3_C4O8Zn2"]  # by a role that it shares with copper
        assert "has a role of C4Cu2O8" in linked.proposed[1].reason
        assert not [name for name in found if name.startswith("sql")]  # nothing is built on it


def test_where_nobody_knows_the_kind_nothing_is_built_or_proposed():
    found = take_apart(primitive(crystal("MOF-5"), "F")).framework
    node, linker = found.blocks
    assert found.net is not None
    lost = node.model_copy(update={"kind_number": None, "figure": None, "figure_rmsd": None})
    with pytest.raises(InputError, match="nobody knows where C6O13Zn4 stands"):
        build(FrameworkDesign(net=found.net, blocks=(lost, linker)))
    with open_store("memory:") as store:
        KnowledgeGraph(store).push(found.model_copy(update={"blocks": (lost, linker)}))
        assert read_graph(store).frameworks == ()
        KnowledgeGraph(store).push(found)
        assert [one.iri for one in read_graph(store).frameworks] == [found.iri]
