"""A made-up graph of frameworks, through the classes of the ontology, for measuring searches.

Numbers of nets, blocks and frameworks are as asked; figures, formulas and pores are drawn from a
seed and mean nothing. Each framework is one of its own: no two have net and blocks in common.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ogm import GraphModel
from ontologies.atoms import ConceptualAtoms
from ontologies.mofs import (
    AccessibleSurface,
    ConnectionFigure,
    ConstructedFramework,
    EdgeKind,
    Fit,
    Framework,
    MetalNode,
    Net,
    OrganicLinker,
    Placement,
    PoreAnalysis,
    PoreDiameters,
    PoreSettings,
    VertexKind,
    figure_of,
)

CONNECTIONS = (3, 4, 6, 8, 12)
METALS = ("Zn", "Cu", "Zr", "Co", "Ni", "Mg", "Fe", "Cr", "Al", "Mn")


@dataclass(frozen=True)
class Size:
    """How large a graph is.

    Attributes:
        frameworks: built or read, each with another net or other blocks.
        nodes: metal nodes.
        linkers: organic linkers of two connections.
        nets: of one kind of vertices and edges.
        measured: how many of the frameworks have pores.
    """

    frameworks: int = 10_000
    nodes: int = 300
    linkers: int = 500
    nets: int = 100
    measured: int = 500


@dataclass(frozen=True)
class Drawn:
    """What a graph is made of, before its frameworks are."""

    figures: tuple[ConnectionFigure, ...]
    nets: tuple[Net, ...]
    nodes: tuple[MetalNode, ...]
    linkers: tuple[OrganicLinker, ...]
    fits: tuple[Fit, ...]


def drawn(size: Size, seed: int = 1) -> Drawn:
    """Return nets, blocks and how these fit the figures."""
    chance = random.Random(seed)
    directions = np.random.default_rng(seed)
    figures = tuple(
        figure_of(directions.normal(size=(count, 3)))
        for count in itertools.islice(itertools.cycle(CONNECTIONS), max(5, size.nets // 4))
    )
    nets = tuple(
        Net(
            name=f"n{number:03d}",
            vertex_kinds=(
                VertexKind(kind_number=0, figure=figures[number % len(figures)], per_cell=1),
            ),
            edge_kinds=(EdgeKind(kind_number=0, first_vertex=0, second_vertex=0, per_cell=3),),
        )
        for number in range(size.nets)
    )
    nodes = tuple(
        MetalNode(
            block_code=f"node {number}",
            connections=CONNECTIONS[number % len(CONNECTIONS)],
            formula=f"C{number % 40 + 2}H{number % 9 + 1}O{number % 7 + 2}{METALS[number % 10]}",
        )
        for number in range(size.nodes)
    )
    linkers = tuple(
        OrganicLinker(
            block_code=f"linker {number}",
            connections=2,
            formula=f"C{number % 60 + 2}H{number % 11 + 1}N{number // 60}",
        )
        for number in range(size.linkers)
    )
    fits = tuple(
        Fit(block=node, figure=figure, figure_rmsd=round(chance.uniform(0.0, 0.6), 3))
        for number, node in enumerate(nodes)
        for figure in figures
        if figure.connections == node.connections
        and (number < len(CONNECTIONS) or chance.random() < 0.4)
    )
    return Drawn(figures, nets, nodes, linkers, fits)


def graph(size: Size, seed: int = 1) -> Iterator[GraphModel]:
    """Iterate over the objects of a graph, which hold all that belongs to them."""
    parts, chance = drawn(size, seed), random.Random(seed + 1)
    yield from (*parts.nets, *parts.nodes, *parts.linkers, *parts.fits)
    deviation = {(fit.block.iri, fit.figure.iri): fit.figure_rmsd for fit in parts.fits}
    suited = {
        figure.iri: [node for node in parts.nodes if (node.iri, figure.iri) in deviation]
        for figure in parts.figures
    }
    settings, made = PoreSettings(), set[tuple[str, str, str]]()
    while len(made) < size.frameworks:
        net = chance.choice(parts.nets)
        figure = net.vertex_kinds[0].figure
        node, linker = chance.choice(suited[figure.iri]), chance.choice(parts.linkers)
        if (net.name, node.iri, linker.iri) in made:
            continue
        made.add((net.name, node.iri, linker.iri))
        edge = chance.uniform(8.0, 30.0)
        framework = Framework(
            framework_name=f"{net.name}_{node.formula}_{linker.formula}",
            atoms=ConceptualAtoms(
                numbers=[30],
                positions=[[0.0, 0.0, 0.0]],
                cell=np.eye(3) * edge,
                periodic=[True] * 3,
            ),
            framework_origin=chance.choice(("built", "measured")),
            net=net,
            blocks=(
                Placement(
                    block=node,
                    placed_on="vertex",
                    kind_number=0,
                    placements=1,
                    figure=figure,
                    figure_rmsd=deviation[node.iri, figure.iri],
                ),
                Placement(block=linker, placed_on="edge", kind_number=0, placements=3),
            ),
        )
        yield framework
        if framework.framework_origin == "built":
            iri = f"https://w3id.org/grafico/id/ConstructedFramework/made-up-{len(made)}"
            result = ConstructedFramework(
                framework=framework, net=net, gap_rms=chance.uniform(0.0, 0.2), closest=2.0
            )
            yield result.identified(iri)
        if len(made) <= size.measured:
            yield _pores(framework, settings, edge, chance, len(made))


def _pores(
    framework: Framework, settings: PoreSettings, edge: float, chance: random.Random, number: int
) -> PoreAnalysis:
    """Return pores that grow with the cell."""
    area = 120.0 * edge + chance.gauss(0.0, 200.0)
    return PoreAnalysis(
        atoms=framework.atoms,
        pore_settings=settings,
        crystal_density=9.0 / edge,
        diameters=PoreDiameters(
            largest_cavity=edge * 0.6, pore_limiting=edge * 0.35, largest_free_path=edge * 0.55
        ),
        surface=AccessibleSurface(
            area_per_mass=area,
            area_per_volume=area * 0.6,
            pocket_area_per_mass=0.0,
            pocket_area_per_volume=0.0,
        ),
    ).identified(f"https://w3id.org/grafico/id/PoreAnalysis/made-up-{number}")
