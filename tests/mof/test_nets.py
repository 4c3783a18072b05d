"""Nets are known again, in whichever cell and numbering they come."""

import csv
import importlib.util
import random

import pytest

from tests.mof.disguises import another_cell
from workflows.mof.cgd import read_cgd
from workflows.mof.fingerprints import TABLE, folder, layer, read, recognise, table
from workflows.mof.nets import (
    Net,
    components,
    coordination_sequence,
    key_of,
    multiplied,
    rings,
    simplified,
)

PCU = Net(1, ((0, 0, (1, 0, 0)), (0, 0, (0, 1, 0)), (0, 0, (0, 0, 1))))
DIA = Net(2, ((0, 1, (0, 0, 0)), (0, 1, (1, 0, 0)), (0, 1, (0, 1, 0)), (0, 1, (0, 0, 1))))
SRS = Net(
    4,
    (
        (0, 1, (0, 0, 0)),
        (0, 2, (0, 0, 0)),
        (0, 3, (0, 0, 0)),
        (1, 2, (1, 0, 0)),
        (2, 3, (0, 1, 0)),
        (3, 1, (0, 0, 1)),
    ),
)
"""The quotient graph of srs is the complete graph of four vertices."""

needs_nets = pytest.mark.skipif(
    importlib.util.find_spec("pormake") is None, reason="the nets come with PORMAKE"
)


def names() -> list[str]:
    """Return the nets of PORMAKE that the table holds."""
    with TABLE.open(encoding="utf-8") as lines:
        found = [row["name"] for row in csv.DictReader(lines) if row["dimension"] == "3"]
    return [name for name in found if not name.endswith("-b")]


@pytest.mark.parametrize(("net", "name"), [(PCU, "pcu"), (DIA, "dia"), (SRS, "srs")])
def test_quotient_graphs_written_by_hand_are_recognised(net: Net, name: str):
    assert recognise(net).names == (name,)


@needs_nets
def test_ideal_nets_are_recognised_in_other_cells():
    chosen = random.Random(16).sample(names(), 100)
    for seed, name in enumerate(chosen):
        net = read(folder() / f"{name}.cgd")
        if net.vertices <= 60:
            net = multiplied(net, (2, 1, 1))
        [part] = components(another_cell(net, seed))
        assert name in recognise(part.net).names, name


@pytest.mark.parametrize(
    ("net", "shells"),
    [
        (PCU, [4 * n * n + 2 for n in range(1, 11)]),
        (DIA, [4, 12, 24, 42, 64, 92, 124, 162, 204, 252]),
        (SRS, [3, 6, 12, 24, 35, 48, 69, 86, 108, 138]),
    ],
)
def test_coordination_sequences_are_the_published_ones(net: Net, shells: list[int]):
    """The Reticular Chemistry Structure Resource, https://rcsr.net."""
    assert list(coordination_sequence(net, 0)) == shells


@pytest.mark.parametrize(
    ("name", "polygons"),
    [
        ("sql", (4, 4, 4, 4)),
        ("hxl", (3,) * 6),
        ("hcb", (6, 6, 6)),
        ("kgm", (3, 3, 6, 6)),
        ("fes", (4, 8, 8)),
        ("htb", (3, 4, 4, 6)),
        ("hca", (3, 12, 12)),
        ("fxt", (4, 6, 12)),
    ],
)
def test_layers_have_their_polygons_and_names(name: str, polygons: tuple[int, ...]):
    net = layer(name)
    assert recognise(another_cell(net, 3)).names == (name,)
    for vertex in range(net.vertices):
        assert len(net.neighbours[vertex]) == len(polygons)
        found = list(rings(net, vertex))
        for polygon in set(polygons) - {12}:  # around which two lesser ones may be nearer
            assert found.count(polygon) >= polygons.count(polygon)


def test_an_enantiomer_has_the_same_name():
    mirrored = Net(4, tuple((a, b, tuple(-x for x in cell)) for a, b, cell in SRS.edges))
    swapped = Net(4, tuple((a, b, (cell[1], cell[0], cell[2])) for a, b, cell in SRS.edges))
    assert recognise(mirrored).names == recognise(swapped).names == ("srs",)


def test_nets_through_each_other_are_counted():
    """Two of pcu, as two parts or joined by a translation; and a layer of the edges of pcu."""
    apart = Net(2, (*PCU.edges, *((1, 1, cell) for _, _, cell in PCU.edges)))
    assert [part.copies for part in components(apart)] == [1, 1]
    body = Net(1, ((0, 0, (1, 1, 0)), (0, 0, (1, -1, 0)), (0, 0, (0, 0, 1))))
    [part] = components(body)
    assert part.copies == 2
    assert recognise(part.net).names == ("pcu",)
    [flat] = components(Net(1, PCU.edges[:2]))
    assert (flat.copies, flat.net.dimension) == (0, 2)
    assert recognise(flat.net).names == ("sql",)
    [chain] = components(Net(2, ((0, 1, (0, 0, 0)), (0, 1, (2, 0, 0)))))
    assert chain.net.dimension == 1


def test_vertices_on_edges_and_dead_ends_do_not_count():
    edges = (
        (0, 1, (0, 0, 0)),
        (1, 0, (1, 0, 0)),  # 1 is in the middle of an edge
        (0, 0, (0, 1, 0)),
        (0, 0, (0, 0, 1)),
        (0, 2, (0, 0, 0)),
        (2, 3, (0, 0, 0)),  # leads nowhere
        (0, 4, (0, 0, 0)),
        (4, 0, (0, 1, 0)),  # beside another edge
    )
    net = simplified(Net(5, edges))
    assert (net.vertices, len(net.edges)) == (1, 3)
    assert recognise(net).names == ("pcu",)


@needs_nets
def test_a_net_without_a_placement_has_a_key_that_says_so():
    """In sxt vertices fall onto each other when each is put in the middle of its neighbours."""
    net = read(folder() / "sxt.cgd")
    key = key_of(net)
    assert not key.exact
    assert key_of(another_cell(net, 5)) == key
    assert recognise(net).names == ("sxt",)


def test_few_nets_share_a_key():
    """Those that are the same graph, which lies differently in space."""
    shared = {found for found in table().values() if len(found) > 1}
    assert ("bph", "raa", "raf") in shared
    assert len(shared) == 7
    assert ("sod",) in table().values()  # sod-b has vertices of two colours


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("CRYSTAL\n NAME a\nEND", "no space group"),
        ("CRYSTAL\n GROUP Pm-3m\n NODE 1 6 0 0 0\n EDGE 0 0 0 0.3 0 0\nEND", "where no vertex is"),
        ("CRYSTAL\n GROUP Pm-3m\n NODE 1 5 0 0 0\n EDGE 0 0 0 1 0 0\nEND", "has 6"),
        ("CRYSTAL\n GROUP Pm-3m\n KNOT 1 5 0 0 0\nEND", "not understood"),
    ],
)
def test_contradictions_in_a_net_are_told(text: str, said: str):
    with pytest.raises(ValueError, match=said):
        read_cgd(text)


def test_an_edge_may_be_given_by_its_middle():
    text = "CRYSTAL\n GROUP Pm-3m\n CELL 1 1 1 90 90 90\n NODE 1 6 0 0 0\n EDGE_CENTER 0.5 0 0\nEND"
    assert recognise(read_cgd(text)[1]).names == ("pcu",)
