"""Searches for new frameworks, compared with plain SPARQL, by hand, and with what goes wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from evals.bench.mof_graph import Size, graph
from grafico import Grafico
from ogm import KnowledgeGraph
from ogm.terms import with_prefixes
from ontologies.atoms import ConceptualAtoms
from ontologies.mof_proposals import FrameworkProposals, FrameworkSelection
from ontologies.mofs import (
    BuildingBlock,
    ConnectionFigure,
    EdgeKind,
    Fit,
    Framework,
    MetalNode,
    Net,
    OrganicLinker,
    PlacedOn,
    Placement,
    VertexKind,
    figure_of,
)
from ontologies.provenance import Run
from triplestore import Store, Table, open_store
from triplestore.errors import InputError, NotFoundError
from workflows.mof.search import search
from workflows.mof.search_rank import Option, Places, best_first

SMALL = Size(frameworks=60, nodes=50, linkers=30, nets=3, measured=10)

APART = """SELECT ?net ?node ?linker WHERE {
    { SELECT DISTINCT ?net ?node WHERE {
        ?one g:net ?net ; g:blocks ?placed . ?placed g:placedOn "vertex" ; g:block ?node } }
    { SELECT DISTINCT ?net ?linker WHERE {
        ?one g:net ?net ; g:blocks ?placed . ?placed g:placedOn "edge" ; g:block ?linker } }
    FILTER NOT EXISTS { ?both g:net ?net ; g:blocks ?first , ?second .
                        ?first g:block ?node . ?second g:block ?linker } }"""
"""The search within a net in the plainest SPARQL, which is slow: nothing of it is used by ours."""

FITTING = """SELECT ?net ?node ?linker WHERE {
    { SELECT DISTINCT ?net ?node WHERE {
        ?net g:vertexKinds/g:figure ?figure .
        ?figure (^g:figure/g:block/^g:block/g:figure)*/^g:figure/g:block ?node .
        ?node a g:MetalNode } }
    ?linker a g:OrganicLinker .
    FILTER NOT EXISTS { ?both g:net ?net ; g:blocks ?first , ?second .
                        ?first g:block ?node . ?second g:block ?linker } }"""
"""The search by roles likewise; how far a block is from a figure is not asked."""


def triples(store: Store, query: str) -> set[tuple[str, ...]]:
    answer = store.query(with_prefixes(query))
    assert isinstance(answer, Table)
    return {tuple(getattr(term, "value", "") for term in row) for row in answer.rows}


def proposed(found: FrameworkProposals) -> set[tuple[str, ...]]:
    return {(one.net.iri, *(part.block.iri for part in one.proposed)) for one in found.proposals}


def test_both_searches_find_what_plain_sparql_finds(store: Store):
    KnowledgeGraph(store).push_all(graph(SMALL))
    everything = FrameworkSelection()
    apart = triples(store, APART)
    found = search(store, everything, limit=1000)
    assert proposed(found) == apart
    assert found.combinations == len(apart) > 100
    assert found.frameworks_known == SMALL.frameworks
    fitting = triples(store, FITTING)
    found = search(store, everything, "cross", rmsd_limit=100.0, limit=1000)
    assert found.combinations == len(fitting) > len(apart)
    assert proposed(found) <= fitting
    ranks = [(one.worst_rmsd, one.rank) for one in found.proposals]
    assert ranks == sorted(ranks)


def test_pages_together_are_the_whole_list():
    with open_store("memory:") as store:
        KnowledgeGraph(store).push_all(graph(SMALL))
        whole = search(store, FrameworkSelection(), limit=1000)
        pages = [search(store, FrameworkSelection(), limit=30, page=n) for n in (1, 2, 3)]
        assert [one for page in pages for one in page.proposals] == list(whole.proposals[:90])
        with pytest.raises(InputError, match="page 1000 of a search"):
            search(store, FrameworkSelection(), limit=30, page=1000)


def test_combinations_come_in_order_and_each_once():
    chance = np.random.default_rng(3)

    def options(number: int) -> tuple[Option, ...]:
        apart = np.round(chance.uniform(0, 1, number), 1)
        return tuple(sorted(Option(float(d), f"b{n}", f"b{n}") for n, d in enumerate(apart)))

    nets = [Places(f"n{n}", f"n{n}", (options(4), options(3), options(2))) for n in range(3)]
    found = list(best_first(nets))
    assert len(found) == len(set(found)) == sum(one.count for one in nets) == 72
    ranks = [
        (one.deviation, round(sum(option.deviation for option in one.options), 6)) for one in found
    ]
    assert ranks == sorted(ranks)


# --- by hand: paddle wheels and zinc on three nets -------------------------------------------

OCTAHEDRON = figure_of(np.array([*np.eye(3), *-np.eye(3)]))
PRISM = figure_of(np.array([[x, y, z] for z in (-1, 1) for x, y in ((1, 0), (-1, 1), (-1, -1))]))
SQUARE = figure_of(np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]]))
TRIANGLE = figure_of(np.array([[1, 0, 0], [-0.5, 0.8660254, 0], [-0.5, -0.8660254, 0]]))


def net(name: str, *figures: ConnectionFigure) -> Net:
    ends = [(0, 0)] if len(figures) == 1 else [(0, 1)]
    return Net(
        name=name,
        vertex_kinds=tuple(
            VertexKind(kind_number=n, figure=one, per_cell=1) for n, one in enumerate(figures)
        ),
        edge_kinds=tuple(
            EdgeKind(kind_number=n, first_vertex=a, second_vertex=b, per_cell=3)
            for n, (a, b) in enumerate(ends)
        ),
    )


PCU, ACS, TBO = net("pcu", OCTAHEDRON), net("acs", PRISM), net("tbo", TRIANGLE, SQUARE)
ZINC = MetalNode(block_code="zinc", formula="Zn4O", connections=6)
IRON = MetalNode(block_code="iron", formula="Fe3O", connections=6)
COPPER = MetalNode(block_code="copper", formula="Cu2", connections=4)
BENZENE = OrganicLinker(block_code="benzene", formula="C6H4", connections=2)
BIPHENYL = OrganicLinker(block_code="biphenyl", formula="C12H8", connections=2)
BTC = OrganicLinker(block_code="btc", formula="C6H3", connections=3)
BTB = OrganicLinker(block_code="btb", formula="C24H15", connections=3)


def framework(on: Net, *blocks: BuildingBlock, cell: float) -> Framework:
    places: list[tuple[PlacedOn, int, ConnectionFigure | None]] = [
        *(("vertex", kind.kind_number, kind.figure) for kind in on.vertex_kinds),
        *(("edge", kind.kind_number, None) for kind in on.edge_kinds),
    ]
    return Framework(
        framework_name="_".join([on.name, *(one.formula for one in blocks)]),
        atoms=ConceptualAtoms(
            numbers=[6], positions=[[0, 0, 0]], cell=np.eye(3) * cell, periodic=[True] * 3
        ),
        framework_origin="measured",
        net=on,
        blocks=tuple(
            Placement(
                block=block,
                placed_on=place,
                kind_number=kind,
                placements=1,
                figure=figure,
                figure_rmsd=None if figure is None else 0.01,
            )
            for block, (place, kind, figure) in zip(blocks, places, strict=False)
        ),
    )


@pytest.fixture
def session() -> Iterator[Grafico]:
    with Grafico(store="memory:", threads_per_calculation=1) as found:
        found.kg.push(
            framework(PCU, ZINC, BENZENE, cell=12.9),
            framework(PCU, IRON, BIPHENYL, cell=17.1),
            framework(ACS, IRON, BENZENE, cell=14.0),
            framework(TBO, BTC, COPPER, cell=26.3),
            BTB,
            Fit(block=BTB, figure=TRIANGLE, figure_rmsd=0.05),
        )
        yield found


def names(session: Grafico, **asked: Any) -> list[str]:
    done = session.run(workflow="mof search", **asked)
    return [one.framework_name for one in done.found.proposals]


def test_within_a_net_what_stands_there_is_combined_anew(session: Grafico):
    assert names(session) == ["pcu_Fe3O_C6H4", "pcu_Zn4O_C12H8"]
    (found,) = session.kg.find(FrameworkProposals)
    first, second = found.proposals[0].proposed
    assert "1 framework on pcu, such as pcu_Fe3O_C12H8" in first.reason
    assert second.proven_by is not None
    assert second.proven_by.load(session.kg).framework_name == "pcu_Zn4O_C6H4"


def test_across_nets_roles_decide_also_through_other_blocks(session: Grafico):
    """Iron has the roles of both figures, so zinc fits where iron does: 0.01 + 0.01 + 0.01."""
    every = names(session, kind="cross")
    assert "acs_Zn4O_C6H4" in every
    assert "acs_Zn4O_C12H8" in every
    assert "acs_Fe3O_C6H4" not in every  # it is stored
    assert "tbo_C24H15_Cu2" in every  # an organic vertex and a metal need no linker between them
    assert not [name for name in every if name.startswith("tbo") and "C12H8" in name]
    done = session.run(workflow="mof search", kind="cross", net="acs", nodes="zinc")
    best = done.found.proposals[0].proposed[0]
    assert best.rmsd_bound == pytest.approx(0.03)
    assert "has a role of Fe3O" in best.reason
    assert names(session, kind="cross", net="acs", nodes="zinc", deviation=0.02) == []


def test_iris_and_names_restrict_and_what_is_left_is_told(session: Grafico):
    assert names(session, nodes=ZINC.iri) == ["pcu_Zn4O_C12H8"]
    assert names(session, linkers="benzene, biphenyl", net="PCU") == names(session)
    done = session.run(workflow="mof search", nodes="copper")
    assert done.found.proposals == ()
    assert "all combinations of these blocks are stored" in done.found.remarks[0]
    done = session.run(workflow="mof search", net="acs", nodes="zinc")
    assert "none of the metal nodes that are named stands on acs" in done.found.remarks[0]


def test_what_is_not_kept_is_not_stored(session: Grafico):
    done = session.run(workflow="mof search", keep=False)
    assert done.run == ""
    assert len(done.found.proposals) == 2
    assert session.kg.find(FrameworkProposals) == []
    assert "pcu_Zn4O_C12H8" in repr(done.shown_sections())


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"net": "pcv"}, "did you mean pcu"),
        ({"net": ZINC.iri}, "that is a MetalNode; give the IRI of a Net"),
        ({"nodes": PCU.iri}, "that is a Net; give the IRI of a MetalNode"),
        ({"nodes": BENZENE.iri}, "C6H4; give it to --linkers"),
        ({"linkers": "https://example.org/nothing"}, "example.org/nothing"),
        ({"nodes": 'x" } DROP ALL #'}, "no block of that code or name is stored"),
        ({"net": "\x1b[31m} SELECT"}, "no framework on it is stored"),
        ({"nodes": "https://x/> ?p ?o } #"}, "not an IRI"),
        ({"page": 7}, "there are 2 proposals on 1 page"),
        ({"limit": 0}, "limit"),
        ({"deviation": 0.1}, "has no effect"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_advice(
    session: Grafico, asked: dict[str, Any], told: str
):
    with pytest.raises((InputError, NotFoundError)) as refused:
        session.run(workflow="mof search", **asked)
    assert told in str(refused.value)


def test_a_graph_without_frameworks_says_so():
    with (
        Grafico(store="memory:", threads_per_calculation=1) as empty,
        pytest.raises(NotFoundError, match="build some first"),
    ):
        empty.run(workflow="mof search")


def test_what_is_proposed_is_built_as_runs_of_their_own():
    with Grafico(store="memory:", threads_per_calculation=1) as grafico:
        for blocks in ("pcu N16 E14", "pcu N36 E34"):
            grafico.run(blocks, workflow="mof build", shapes="unrelaxed")
        (first, *_) = grafico.kg.find(Framework)
        assert first.net is not None
        grafico.kg.push(framework(first.net, IRON, BENZENE, cell=13.0))  # nobody knows their atoms
        done = grafico.run(workflow="mof search", kind="cross", nodes="N16", build=True)
        assert done.status == "finished"
        found = {one.framework_name: one for one in done.found.proposals}
        assert len(found) == 2
        (lost,) = [one for one in found.values() if one.built_as is None]
        assert "C6H4" in lost.framework_name
        assert "without atoms" in lost.failure
        (made,) = [one.built_as for one in found.values() if one.built_as is not None]
        assert made.load(grafico.kg).framework.net == first.net
        assert any("could not be built" in text for text in done.found.remarks)
        parents = [one.parent.iri for one in grafico.kg.find(Run, graph="mof-build") if one.parent]
        assert set(parents) == {done.run}
        again = grafico.run(workflow="mof search", kind="cross", nodes="N16")
        assert {one.framework_name for one in again.found.proposals} == {lost.framework_name}


@pytest.mark.parametrize("more", [{"keep": False}, {"limit": 101}])
def test_what_is_built_is_kept_and_not_too_much(session: Grafico, more: dict[str, Any]):
    with pytest.raises(InputError, match="built"):
        session.run(workflow="mof search", build=True, **more)
