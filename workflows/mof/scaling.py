"""Where blocks go and how large the cell is, so that connection points meet."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ontologies.units import Floats

from .drawn import DrawnNet
from .matching import rotation, units
from .orienting import Turned

ROUNDS = 60
SETTLED = 1e-7
"""Å. Nothing moves any more."""


@dataclass(frozen=True)
class Scaled:
    """A net in its final size.

    Attributes:
        cell: lattice vectors as rows, in Å.
        centres: where the blocks of the vertices go.
        turns: how these are turned.
        gap: root mean square of what lies between connection points that should meet, in Å.
    """

    cell: Floats
    centres: Floats
    turns: tuple[Floats, ...]
    gap: float


def scaled(net: DrawnNet, nodes: Sequence[Turned], lengths: Sequence[float]) -> Scaled:
    """Return cell and places by least squares, the cell with the symmetry that the net allows.

    Args:
        net: as drawn.
        nodes: of each vertex, its block.
        lengths: of the linker on each edge, from one connection point to the other; 0 for none.
    """
    drawn_places = net.places @ net.cell
    ways = net.vectors(drawn_places, net.cell)
    turns = [node.turn for node in nodes]
    first, second = net.ends[:, 0], net.ends[:, 1]
    hands = [
        dict(zip(net.around[v], node.lying.order, strict=True)) for v, node in enumerate(nodes)
    ]
    arms = [
        np.array([nodes[v].piece.arms[hands[v][edge, end]] for edge, v in enumerate(ends)])
        for end, ends in ((0, first.tolist()), (1, second.tolist()))
    ]
    along, long = units(ways), np.array(lengths)
    cell, centres, gaps = net.cell, drawn_places, ways
    for _ in range(ROUNDS):
        one = np.array([turns[v] @ arm for v, arm in zip(first.tolist(), arms[0], strict=True)])
        other = np.array([turns[v] @ arm for v, arm in zip(second.tolist(), arms[1], strict=True)])
        wanted = one + along * long[:, None] - other
        before = centres
        cell, centres = _solved(net, wanted)
        found = net.vectors(centres, cell)
        gaps = found - wanted
        rest = found - one + other
        along = np.where(long[:, None] > 0, units(rest + 1e-12 * along), along)
        ways = units(found)
        for vertex, node in enumerate(nodes):
            order = list(node.lying.order)
            asked = np.array([ways[edge] * (1 - 2 * end) for edge, end in net.around[vertex]])
            turns[vertex] = rotation(units(node.piece.arms[order]), asked)
        if np.abs(centres - before).max() < SETTLED:
            break
    return Scaled(cell, centres, tuple(turns), float(np.sqrt((gaps**2).sum(axis=1).mean())))


def _solved(net: DrawnNet, wanted: Floats) -> tuple[Floats, Floats]:
    """Return cell and places for which edges come nearest to vectors."""
    count, edges = len(net.kinds), len(net.ends)
    steps = net.steps @ net.cell
    rows = np.arange(edges)
    matrix = np.zeros((edges, 3, len(net.strains) + 3 * count))
    for number, strain in enumerate(net.strains):
        matrix[:, :, number] = steps @ strain
    for axis in range(3):
        places = len(net.strains) + axis + 3 * net.ends
        np.add.at(matrix[:, axis], (rows, places[:, 1]), 1.0)
        np.add.at(matrix[:, axis], (rows, places[:, 0]), -1.0)
    free = np.delete(matrix.reshape(3 * edges, -1), np.arange(3) + len(net.strains), axis=1)
    found = np.linalg.lstsq(free, wanted.reshape(-1), rcond=1e-9)[0]
    stretch = np.tensordot(found[: len(net.strains)], net.strains, axes=1)
    cell = net.cell @ stretch
    centres = np.vstack([np.zeros(3), found[len(net.strains) :].reshape(-1, 3)])
    return cell, centres + net.places[0] @ cell
